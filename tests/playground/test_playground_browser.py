"""The page in Chromium, as a person uses it: mouse, keyboard, phone, dark, and what the text promises."""

from __future__ import annotations

import re

import pytest

from paper.report.browser import find
from riskbandits.cli.parsing import read_policy
from riskbandits.playground import catalogue
from riskbandits.playground.page import built, html

# Compiling all policies and starting a browser takes a minute.
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(find() is None, reason="no Chromium found (apt-get install chromium)"),
]
playwright = pytest.importorskip("playwright.sync_api")
DONE = "number => Number(document.body.dataset.finished || 0) > number"
PATIENCE = 120_000  # milliseconds


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, whole_page):
    """Opens the page in a window and waits until its first runs are played; complaints fail the test."""
    complaints, contexts = [], []

    def open_page(width=1400, height=900, query="", **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type != "log" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: check_local(request.url, complaints))
        page.goto(whole_page.as_uri() + query)
        page.wait_for_function(DONE, arg=0, timeout=PATIENCE)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def check_local(address, complaints):
    if not address.startswith(("file:", "data:", "blob:")):
        complaints.append(f"asked the network for {address}")


def after(page, change):
    """Do something and wait until the runs that it asks for are played."""
    before = int(page.evaluate("document.body.dataset.finished"))
    change()
    page.wait_for_function(DONE, arg=before, timeout=PATIENCE)


def results(page):
    """Per policy: regret, share of the best arm, share of runs that ended on no best arm."""
    found = {}
    for row in page.query_selector_all("#results tr"):
        name, *cells = [cell.inner_text().strip() for cell in row.query_selector_all("th, td")]
        found[name] = (float(cells[0].split()[0]), *(float(cell.split()[0]) / 100 for cell in cells[1:3]))
    return found


def arm(page, number):
    return page.locator(f'#plane [data-arm="{number}"]')


def test_it_plays_and_a_click_on_a_policy_plays_it_too(opened):
    page = opened()
    assert set(results(page)) == {"MVTS", "NGTS", "SwitchingAware"}
    after(page, lambda: page.check('#policies input[value="UniformRandom"]'))
    found = results(page)
    assert found["UniformRandom"][0] > 2 * found["MVTS"][0] > 0
    assert found["UniformRandom"][2] == 1.0
    assert page.locator("#regret polyline.line").count() == 4
    assert page.locator("#regret polygon.band").count() == 4
    assert page.locator("#results svg.pulls").count() == 4


def test_numbers_are_marked_while_runs_go_on_and_arms_are_those_of_the_library(opened):
    page = opened()
    import riskbandits as rb

    best = rb.problems.zhu_tan_gaussian(1.0).best_arm
    assert f"The best is arm {best}:" in page.inner_text("#best-shown")
    assert arm(page, best).locator("text").text_content() == str(best)
    page.evaluate(
        "window.seen = new Set(); new MutationObserver(() => document.querySelectorAll('#results tr').forEach("
        "row => window.seen.add(row.className + '|' + row.innerText.includes('so far, at step'))))"
        ".observe(document.querySelector('#results'), {childList: true})"
    )
    after(page, lambda: page.select_option("#horizon", "10000"))
    assert set(page.evaluate("[...window.seen]")) == {"preliminary|true", "|false"}
    assert page.locator("#results .preliminary").count() == 0


@pytest.mark.parametrize(("width", "height"), [(736, 520), (368, 790)])
def test_inside_another_page_it_shows_the_plane_rho_and_the_curves_without_scrolling(opened, width, height):
    page = opened(width, height, query="?embed")
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
        width,
        height,
    ]
    for name in ("#plane", "#rho", "#regret", "#legend"):
        assert page.locator(name).is_visible()
    for name in ("nav", "h1", "#played", "#scenes", "#steps", "footer"):
        assert page.locator(name).is_hidden()


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(opened):
    page = opened()
    first = results(page)
    after(page, lambda: page.click("#again"))
    assert results(page) != first
    after(page, lambda: page.fill("#seed", "1.5") or page.press("#seed", "Enter"))  # whole numbers alone
    assert results(page) == first


def test_an_arm_is_dragged_and_all_is_played_again(opened):
    page = opened()
    before, words = results(page), arm(page, 5).get_attribute("aria-label")
    box = arm(page, 5).locator(".dot").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag():
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y + 40, steps=4)
        page.mouse.move(x + 200, y + 160, steps=4)
        page.mouse.up()

    after(page, drag)
    moved = arm(page, 5).get_attribute("aria-label")
    assert moved != words
    assert "the best" in moved
    assert "The best is arm 5:" in page.inner_text("#best-shown")
    assert results(page) != before


def test_the_keyboard_moves_removes_and_adds_arms(opened):
    page = opened()
    arm(page, 0).focus()
    after(page, lambda: page.keyboard.press("ArrowRight"))
    assert "mean 0.11," in arm(page, 0).get_attribute("aria-label")
    assert page.evaluate("document.activeElement.dataset.arm") == "0"  # though it was drawn anew
    after(page, lambda: page.keyboard.press("Shift+ArrowUp"))
    assert "variance 0.1," in arm(page, 0).get_attribute("aria-label")
    after(page, lambda: page.keyboard.press("Delete"))
    assert page.locator("#plane .arm").count() == 14
    page.focus("#add")
    after(page, lambda: page.keyboard.press("Enter"))
    assert page.locator("#plane .arm").count() == 15
    assert page.is_disabled("#add")
    page.focus("#rho")
    after(page, lambda: page.keyboard.press("End"))
    assert page.inner_text("#rho-shown") == "1000"
    assert "The best is arm 13: mean 0.79" in page.inner_text("#best-shown")


def test_every_policy_plays_on_all_families_of_arms(opened):
    page = opened()
    page.select_option("#horizon", "300")
    for kind in ("gaussian", "bernoulli", "hurdle"):
        page.check(f"#{kind}")
        boxes = page.locator("#policies input")
        for place in range(boxes.count()):
            boxes.nth(place).check()
        page.wait_for_function(
            "document.querySelectorAll('#results tr').length === document.querySelectorAll('#policies input').length"
            " && !document.querySelector('#results').innerText.includes('…')",
            timeout=PATIENCE,
        )
        found = results(page)
        assert len(found) >= 15
        assert all(regret > 0.0 for regret, *_ in found.values())
        assert found["UniformRandom"][2] > 0.9


def test_one_run_step_by_step_shows_draws_and_what_was_paid(opened):
    page = opened()
    assert "Nothing has been played" in page.inner_text("#step-said")
    page.click("#step-one")
    assert "Step 1: arm 0 was played and paid" in page.inner_text("#step-said")
    assert "The first 15 steps play every arm once" in page.inner_text("#step-said")
    assert page.locator("#step-plane .drawn").count() == 0
    page.click("#step-many")
    said = page.inner_text("#step-said")
    assert said.startswith("Step 51: arm ")
    rows = [row.inner_text().split("\t") for row in page.query_selector_all("#step-rows tr")]
    assert sum(int(row[1]) for row in rows) == 51
    scores = [float(row[6]) for row in rows]
    chosen = [place for place, row in enumerate(rows) if "◀" in row[0]]
    assert chosen == [scores.index(max(scores))]
    assert f"arm {chosen[0]} " in said
    for row in rows:  # the score is rho mean - variance of what was drawn
        assert float(row[4]) - float(row[5]) == pytest.approx(float(row[6]), abs=0.02 * (1 + abs(float(row[6]))))
    assert page.locator("#step-plane .drawn").count() == 15 * 40
    page.select_option("#step-policy", "MVLCB")
    page.wait_for_function("document.querySelector('#step-said').innerText.includes('Nothing')")
    page.click("#step-many")
    page.click("#step-play")
    page.wait_for_function("/Step 5[2-9]/.test(document.querySelector('#step-said').innerText)")
    page.click("#step-play")
    assert page.inner_text("#step-play") == "Play on"


FAILING = """
import math
from typing import NamedTuple

class Late(NamedTuple):
    \"\"\"It fails after a while.\"\"\"

    kind: int

    def score(self, state, k, run, risk, rng):
        if run[0] <= 100.0:
            return rng.random()
        if self.kind == 1:
            raise ValueError("too late")
        return math.nan

    def learn(self, state, k, run, reward):
        state[k, 0] += 1.0
"""


def test_a_policy_that_fails_says_so_and_the_others_go_on(chromium, tmp_path):
    (tmp_path / "late.py").write_text(FAILING)
    own = [read_policy(f"{tmp_path / 'late.py'}:Late(kind={kind})") for kind in (1, 2)]
    wanted = [offer for offer in catalogue.offers(own) if offer.own or offer.label == "UniformRandom"]
    (tmp_path / "late.html").write_text(html(*built(wanted)), encoding="utf-8")
    page = chromium.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "late.html").as_uri())
    page.wait_for_function(DONE, arg=0, timeout=PATIENCE)
    page.check('#policies input[value="UniformRandom"]')
    page.wait_for_function("document.querySelectorAll('#results tr').length === 3", timeout=PATIENCE)
    said = page.inner_text("#results")
    assert "One of its methods raised an error." in said
    assert "All its scores were NaN." in said
    for _ in range(3):
        page.click("#step-many")
    assert page.inner_text("#step-said") == "It stopped after step 100. One of its methods raised an error."
    page.close()
    assert complaints == []


def test_what_the_text_promises_is_seen(opened):
    page = opened()
    after(page, lambda: page.click("[data-scene=calm]"))
    found = results(page)
    assert found["RiskBlind(UCB1)"][0] >= 1700
    assert all(25 <= found[label][0] <= 45 for label in ("MVTS", "NGTS", "SwitchingAware"))
    after(page, lambda: page.click("[data-scene=daring]"))
    found = results(page)
    assert 0.55 <= found["VTS"][2] <= 0.8
    assert found["VTS"][0] > found["MVTS"][0] > 1.5 * found["NGTS"][0]
    after(page, lambda: page.click("[data-scene=tie]"))
    found = results(page)
    assert 0.03 <= found["SwitchingAware"][2] <= 0.25
    assert found["SwitchingAware"][0] < 0.5 * min(found["MVTS"][0], found["NGTS"][0])
    after(page, lambda: page.click("[data-scene=sales]"))
    found = results(page)
    assert 0.15 <= found["KLUCBMV"][2] <= 0.45
    assert max(found["HurdleTS"][2], found["NGTS"][2]) < 0.1
    assert 1.5 * found["HurdleTS"][0] < found["NGTS"][0] < 2.5 * found["HurdleTS"][0]
    assert page.inner_text("#sales") == (
        "Arm 0 pays 0.5 with probability 0.2; arm 1 pays 5 with probability 0.05; "
        "arm 2 pays 1.5 with probability 0.333; otherwise 0."
    )


def test_regret_and_runs_that_end_elsewhere_are_those_of_the_library(opened):
    page = opened()
    after(page, lambda: page.select_option("#runs", "1000"))
    import riskbandits as rb
    from riskbandits.metrics.locking import locked
    from riskbandits.metrics.regrets import exact_pseudo_regret

    policies = [rb.MVTS(), rb.NGTS(), rb.SwitchingAware()]
    result = rb.simulate(rb.problems.zhu_tan_gaussian(1.0), policies, horizon=3000, runs=1000, seed=3, progress=False)
    for label, trace in zip(result.labels, result.traces, strict=True):
        here = exact_pseudo_regret(trace)[:, -1]
        regret, _, wrong = results(page)[label]
        assert regret == pytest.approx(here.mean(), abs=6 * here.std() / 1000**0.5 + 1)
        assert wrong == pytest.approx(locked(trace).mean(), abs=0.09)


@pytest.mark.parametrize("width", [390, 768, 1400])
def test_it_never_scrolls_sideways_and_things_are_large_enough_to_touch(opened, width):
    page = opened(width, has_touch=width < 500, is_mobile=width < 500)
    assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [width, width]
    for name in ("button", "select", "#policies label", "#plane .grip"):
        for box in page.locator(name).all()[:20]:
            assert box.bounding_box()["height"] >= 24
    sizes = page.evaluate("[...document.querySelectorAll('svg text')].map(t => t.getBoundingClientRect().height)")
    assert min(sizes) > 9


def test_a_finger_moves_an_arm(opened):
    page = opened(390, 844, has_touch=True, is_mobile=True)
    arm(page, 14).scroll_into_view_if_needed()
    before = arm(page, 14).get_attribute("aria-label")
    box = arm(page, 14).locator(".dot").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    def drag():
        touch("touchStart", (x, y))
        for far in (10, 30, 60):
            touch("touchMove", (x - far, y + far))
        touch("touchEnd")

    after(page, drag)
    assert arm(page, 14).get_attribute("aria-label") != before


def test_dark_is_dark_and_ink_is_seen_on_it(opened):
    page = opened(color_scheme="dark")
    after(page, lambda: page.check('#policies input[value="IMEDMV"]'))
    shades = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,"
        " ...[...document.querySelectorAll('#regret .line')].map(l => getComputedStyle(l).stroke)]"
    )
    paper, *inks = [sum(map(int, re.findall(r"\d+", shade)[:3])) for shade in shades]
    assert paper < 120
    assert all(ink > 200 for ink in inks)


def test_the_band_can_be_that_of_the_runs(opened):
    page = opened()
    narrow = page.get_attribute("#regret polygon.band", "points")
    page.select_option("#band", "runs")
    page.wait_for_function(
        "before => document.querySelector('#regret polygon.band').getAttribute('points') !== before", arg=narrow
    )
