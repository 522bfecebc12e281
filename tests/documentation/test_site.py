"""The whole site, built as `make docs` builds it and looked at in Chromium: wide and narrow, light and dark."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from paper.report.browser import find

ROOT = Path(__file__).parents[2]
# It plays notebooks, draws pictures and compiles the playground: minutes.
pytestmark = pytest.mark.full
LOOKS = [(width, scheme) for width in (1400, 400) for scheme in ("light", "dark")]
PAGES = [
    "index.html",
    "tutorial.html",
    "reference/api/MVTS.html",
    "reference/api/served.html",
    "gallery/index.html",
    "errata.html",
    "systems.html",
    "choosing.html",
    "notebooks/1-the-paper.html",
    "explanation/why-switching-costs.html",
]
PATIENCE = 120_000  # milliseconds


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, from nothing; every warning is an error, and broken links end the build."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--builder", "html", "--fail-on-warning", "--keep-going", "--quiet", "--jobs", "auto", "--fresh-env"]
    command = [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder


def test_all_that_was_promised_is_there(site):
    for page in (*PAGES, "playground.html", "search.html", "project/changelog.html", "decisions/0025-leaps.html"):
        assert (site / page).exists(), page
    page = (site / "reference/api/MVTS.html").read_text(encoding="utf-8")
    assert "<math" in page
    assert "[source]" in page
    assert "zhu_tan_gaussian" in page
    assert "output" in (site / "notebooks/1-the-paper.html").read_text(encoding="utf-8")


def test_the_make_target_is_this_build():
    done = subprocess.run(["make", "--dry-run", "docs"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (
        "-m sphinx --builder html --fail-on-warning --keep-going --quiet --jobs auto docs docs/_build/html"
        in done.stdout
    )


@pytest.fixture(scope="module")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api")
    if find() is None:
        pytest.skip("no Chromium found (apt-get install chromium)")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, site):
    """Opens a page of the site from its file; what it complains of, or asks of a network, fails the test."""
    complaints, contexts = [], []

    def note(request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            complaints.append(f"asked the network for {request.url}")

    def open_page(name, width=1400, scheme="light"):
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", note)
        page.goto(f"{site.as_uri()}/{name}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_and_can_be_read(opened, name, width, scheme):
    page = opened(name, width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground, ink = page.evaluate(
        "[document.body, document.querySelector('article p')].map((one, i) => "
        "getComputedStyle(one)[i ? 'color' : 'backgroundColor'].match(/[0-9.]+/g).slice(0, 3).map(Number))"
    )
    assert abs(sum(ground) - sum(ink)) > 300
    assert (sum(ground) < 300) == (scheme == "dark")


def test_roots_and_brackets_have_a_font_that_can_stretch_them(opened):
    page = opened("reference/api/MVTS.html")
    font = page.evaluate("getComputedStyle(document.querySelector('.formula math')).fontFamily")
    assert "Math" in font


def test_the_search_works_without_a_server(opened):
    page = opened("search.html?q=SwitchingAware")
    page.wait_for_selector("#search-results li a", timeout=PATIENCE)
    assert any("SwitchingAware" in text for text in page.locator("#search-results li").all_text_contents())
    page.wait_for_timeout(500)  # results that fetched their pages would complain now


@pytest.mark.parametrize("width", [1400, 400])
def test_the_playground_plays_on_the_front_page(opened, width):
    page = opened("index.html", width)
    frame = page.frame_locator("iframe.playground")
    frame.locator("body[data-finished]").wait_for(timeout=PATIENCE)
    inside = next(one for one in page.frames if "playground.html" in one.url)
    assert inside.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
