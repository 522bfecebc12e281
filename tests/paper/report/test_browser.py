"""The page in a real browser: it loads quietly, shows its figures, sorts, links, fits a phone and a sheet of paper."""

from __future__ import annotations

import pytest

from paper.report import browser
from riskbandits.paper import report

# Starting a browser takes seconds, and more on a busy machine.
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(browser.find() is None, reason="no Chromium found (apt-get install chromium)"),
]
# Whether the entry opens within ten seconds: a busy machine tells a page late that its address has changed.
OPENED = (
    "new Promise(done => { const end = Date.now() + 10000, entry = document.querySelector('#E9'); "
    "const look = () => entry.open || Date.now() > end ? done(entry.open) : setTimeout(look, 50); look(); })"
)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    running = browser.Browser(browser.find(), tmp_path_factory.mktemp("chromium"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def page(content, tmp_path_factory):
    return report.write(tmp_path_factory.mktemp("page") / "report.html", content)


def opened(chromium, page, width=1280):
    """The page with everything that it folds away open."""
    chromium.open(page, width)
    chromium.ask("document.querySelectorAll('details').forEach(d => d.open = true)")


def column(chromium, table, number):
    cells = f"[...document.querySelectorAll('#{table} tbody tr')].map(r => r.cells[{number}].dataset.order)"
    return chromium.ask(cells)


def sort_state(chromium, table):
    return chromium.ask(f"[...document.querySelectorAll('#{table} thead th')].map(h => h.getAttribute('aria-sort'))")


def test_it_loads_without_a_complaint_and_without_the_network(chromium, page):
    chromium.open(page)
    assert chromium.ask("document.title").startswith("Mean-variance bandits")
    assert chromium.ask("document.querySelectorAll('.tile').length") == 5
    assert chromium.troubles == []


def test_complaints_would_be_seen(chromium, tmp_path):
    broken = tmp_path / "broken.html"
    broken.write_text("<script>nothing.at.all</script><img src='http://127.0.0.1:9/none.png'>")
    try:
        chromium.open(broken)
        assert any("nothing is not defined" in trouble for trouble in chromium.troubles)
        assert any("asked the network" in trouble for trouble in chromium.troubles)
    finally:
        chromium.troubles.clear()


def test_every_figure_is_seen(chromium, page):
    chromium.open(page)
    sizes = chromium.ask("[...document.images].map(i => [i.complete, i.naturalWidth, i.clientWidth, i.clientHeight])")
    assert len(sizes) > 20
    assert all(done and natural > 0 and width > 200 and height > 100 for done, natural, width, height in sizes)


def test_a_click_on_a_heading_sorts_and_a_second_one_turns_the_order(chromium, page):
    opened(chromium, page)
    regret = 2
    before = column(chromium, "comparison-gaussian", regret)
    chromium.click(f"#comparison-gaussian th:nth-child({regret + 1}) button")
    up = [float(value) for value in column(chromium, "comparison-gaussian", regret)]
    assert up == sorted(map(float, before))
    assert [str(value) for value in up] != before
    assert sort_state(chromium, "comparison-gaussian")[regret] == "ascending"
    chromium.click(f"#comparison-gaussian th:nth-child({regret + 1}) button")
    down = [float(value) for value in column(chromium, "comparison-gaussian", regret)]
    assert down == up[::-1]
    assert sort_state(chromium, "comparison-gaussian")[regret] == "descending"


def test_the_keyboard_sorts_words_too(chromium, page):
    opened(chromium, page)
    chromium.ask("document.querySelector('#comparison-gaussian th:nth-child(2) button').focus()")
    chromium.press("Enter")
    policies = column(chromium, "comparison-gaussian", 1)
    assert policies == sorted(policies)
    assert len(set(policies)) == 6
    assert sort_state(chromium, "comparison-gaussian").count("ascending") == 1


def test_links_lead_to_what_they_name_and_open_it(chromium, page):
    chromium.open(page)
    chromium.click("nav a[href='#bounds']")
    assert chromium.ask("location.hash") == "#bounds"
    assert chromium.ask("document.querySelector('#E9').open") is False
    chromium.click(".findings a[href='#E9']")
    assert chromium.ask(OPENED) is True
    chromium.open(page, fragment="#E6")
    assert chromium.ask("document.querySelector('#E6').open") is True


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_itself_never_scrolls_sideways(chromium, page, width):
    opened(chromium, page, width)
    assert chromium.ask("[document.documentElement.scrollWidth, innerWidth]") == [width, width]
    boxes = "[...document.querySelectorAll('#comparison .scroll, #bounds .scroll')]"
    scrolling = chromium.ask(f"{boxes}.map(box => box.scrollWidth > box.clientWidth)")
    assert scrolling == [width == 390] * 4  # wide tables scroll inside their box, on the phone only


def test_rows_of_figures_have_no_holes_and_captions_are_not_cut(chromium, page):
    opened(chromium, page, 1400)
    free = chromium.ask(
        "[...document.querySelectorAll('.views')].map(v => v.getBoundingClientRect().right "
        "- Math.max(...[...v.children].map(f => f.getBoundingClientRect().right)))"
    )
    assert len(free) == 10
    assert max(free) < 2
    tops = chromium.ask(
        "[...document.querySelectorAll('.views')].map(v => new Set([...v.children].map(f => f.offsetTop)).size)"
    )
    assert tops == [1] * 10
    for width in (400, 1400):
        opened(chromium, page, width)
        texts = "[...document.querySelectorAll('summary, figcaption, .note')]"
        assert chromium.ask(f"{texts}.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)") == []


def test_paper_shows_what_the_screen_folds_away(chromium, page, tmp_path):
    chromium.open(page)
    chromium.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert chromium.ask("getComputedStyle(document.querySelector('nav')).display") == "none"
    finally:
        chromium.call("Emulation.setEmulatedMedia", media="")
    were_open = chromium.ask("document.querySelectorAll('details[open]').length")
    chromium.ask("dispatchEvent(new Event('beforeprint'))")
    assert chromium.ask("document.querySelectorAll('details:not([open])').length") == 0
    chromium.ask("dispatchEvent(new Event('afterprint'))")
    assert chromium.ask("document.querySelectorAll('details[open]').length") == were_open
    chromium.pdf(tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().count(b"/Type /Page\n") > 10


def test_dark_is_dark(chromium, page):
    chromium.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    try:
        chromium.open(page)
        background, ink = chromium.ask("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
        assert sum(map(int, background[4:-1].split(","))) < 150 < sum(map(int, ink[4:-1].split(",")))
        assert chromium.troubles == []
    finally:
        chromium.call("Emulation.setEmulatedMedia", features=[])
