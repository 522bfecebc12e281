"""The page in a real browser: quiet, alive, safe, and for everybody."""

from __future__ import annotations

import threading

import pytest

from paper.report import browser
from serving.running import FUNDS, Running

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")

# Starting a browser takes seconds, and more on a busy machine.
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(browser.find() is None, reason="no Chromium found (apt-get install chromium)"),
]
EVIL = "<img src=x onerror=document.title='stolen'>"
REWARDS = {"bond": 0.5, "stock": 0.8, EVIL: 0.1}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """An instance with a bandit that has lived a little, one of whose arms is called after an attack."""
    running = Running(f"sqlite:///{tmp_path_factory.mktemp('page')}/test.db")
    assert running.ask("PUT", "/v1/bandits/funds", {**FUNDS, "arms": list(REWARDS)}).status_code == 201
    assert running.ask("PUT", "/v1/bandits/other", FUNDS).status_code == 201
    for step in range(60):
        play(running, step)
    running.decide("funds", 2)
    yield running
    running.stop()


def play(running, step, name="funds"):
    [decision] = running.decide(name)
    spread = 0.4 if decision["arm"] == "stock" else 0.05
    assert running.reward(decision["id"], REWARDS[decision["arm"]] + spread * (step % 5 - 2)).status_code == 200


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=browser.find(), args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.fixture
def open_page(chromium, shown):
    """Open the page in a window of its own; complaints and requests to elsewhere are collected."""
    contexts = []

    def open_it(with_key=True, **settings):
        context = chromium.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.troubles = []
        page.on("console", lambda said: page.troubles.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("request", lambda sent: None if sent.url.startswith(shown.address) else page.troubles.append(sent.url))
        page.goto(f"{shown.address}/" + (f"#key={shown.key}" if with_key else ""))
        if with_key:
            page.wait_for_selector("#arms tr")
        return page

    yield open_it
    for context in contexts:
        context.close()


def wait_text(page, selector, fits, seconds=20):
    """Wait until a text is as it should be. (The page's policy forbids what Playwright would do for it.)"""
    for _ in range(10 * seconds):
        if fits(page.text_content(selector)):
            return
        page.wait_for_timeout(100)
    raise AssertionError(page.text_content(selector))


def cells(page, place):
    return page.eval_on_selector_all(f"#arms tr td:nth-child({place})", "all => all.map(one => one.textContent)")


def test_it_loads_without_a_complaint_and_without_the_network(open_page):
    page = open_page()
    page.wait_for_timeout(2000)
    assert page.troubles == []
    assert page.title() == "riskbandits"
    for chart in ("cloud", "values", "chosen", "stream"):
        assert page.eval_on_selector(f"#{chart} svg", "one => one.children.length") > 3


def test_it_shows_what_the_service_says(open_page, shown):
    page = open_page()
    seen = shown.ask("GET", "/v1/bandits/funds").json()
    assert page.text_content("#name") == "funds"
    assert seen["best"]["arm"] in page.text_content("#best")
    assert page.text_content("#tile-decisions") == str(seen["decisions"])
    assert page.text_content("#tile-open") == str(seen["open"])
    assert cells(page, 2) == [str(arm["rewards"]) for arm in seen["arms"]]
    assert [float(text) for text in cells(page, 4)] == [
        pytest.approx(arm["mean"], rel=1e-3, abs=1e-9) for arm in seen["arms"]
    ]
    names = page.eval_on_selector_all("#arms th", "all => all.map(one => one.textContent)")
    assert names == list(REWARDS)
    [first, *_] = shown.ask("GET", "/v1/bandits/funds/decisions").json()["decisions"]
    assert first["id"] in page.text_content("#open-decisions li")


def test_it_moves_by_itself(open_page, shown):
    page = open_page()
    before = int(page.text_content("#tile-rewards"))
    threading.Thread(target=lambda: [play(shown, step) for step in range(3)]).start()
    wait_text(page, "#tile-rewards", lambda text: int(text) == before + 3)
    assert page.troubles == []


def test_names_are_only_ever_text(open_page):
    page = open_page()
    page.wait_for_timeout(500)
    assert page.title() == "riskbandits"
    assert page.query_selector("#content img") is None
    policy = page.request.get(page.url).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_key_leaves_the_address(open_page, shown):
    page = open_page()
    assert shown.key not in page.url


def test_without_a_key_it_asks_for_one(open_page, shown):
    page = open_page(with_key=False)
    page.fill("#key", "rb_1_wrong")
    page.press("#key", "Enter")
    wait_text(page, "#status", lambda text: "not known" in text)
    page.fill("#key", shown.key)
    page.press("#key", "Enter")
    page.wait_for_selector("#arms tr")


def test_what_if_rho_were(open_page, shown):
    page = open_page()
    before = page.get_attribute("#cloud .equal-best", "d")
    page.focus("#rho")
    for _ in range(40):
        page.keyboard.press("ArrowLeft")
    wait_text(page, "#what-if", lambda text: "would probably be" in text)
    rho = float(page.text_content("#rho-now"))
    expected = shown.ask("GET", f"/v1/bandits/funds?risk=mean-variance:{rho}").json()["best"]["arm"]
    wait_text(page, "#what-if", lambda text: expected in text)
    assert page.get_attribute("#cloud .equal-best", "d") != before
    assert cells(page, 7) != ["\u2013"] * 3
    page.click("#rho-back")
    assert page.text_content("#rho-now") == "1"


@pytest.mark.parametrize("width", [400, 1280])
def test_it_never_scrolls_sideways(open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    page.wait_for_selector("#cloud circle")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_dark_is_dark(open_page):
    page = open_page(color_scheme="dark")
    background, ink = page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    assert sum(map(int, background[4:-1].split(","))) < 150 < sum(map(int, ink[4:-1].split(",")))


def test_the_keyboard_is_enough(open_page):
    page = open_page()
    page.wait_for_selector("#bandits a[aria-current]")
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.textContent"))
    assert {"funds", "other", "rho"} <= set(reached)
    page.focus("#bandits a:not([aria-current])")
    page.keyboard.press("Enter")
    wait_text(page, "#name", lambda text: text == "other")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_it_says_so_when_the_service_is_away(open_page):
    page = open_page()
    page.context.set_offline(True)
    wait_text(page, "#status", lambda text: "Trying again" in text)
    page.context.set_offline(False)
    wait_text(page, "#status", lambda text: text.startswith("As of"))
