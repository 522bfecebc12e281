"""The page in a real browser: quiet, alive, safe, and for everybody."""

from __future__ import annotations

import json
import re
import threading
from datetime import datetime

import pytest

from paper.report import browser
from riskbandits.service import auth
from serving.running import FUNDS, Running, wait_for

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")

# Starting a browser takes seconds, and more on a busy machine.
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(browser.find() is None, reason="no Chromium found (apt-get install chromium)"),
]
PATIENCE = 120_000  # milliseconds: the machine may be busy
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
        context.set_default_timeout(PATIENCE)
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


def wait_text(page, selector, fits, seconds=PATIENCE // 1000):
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
    for chart in ("cloud", "values", "chosen", "stream", "totals"):
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
    assert page.is_enabled("#rho-apply")
    rho = float(page.text_content("#rho-now"))
    expected = shown.ask("GET", f"/v1/bandits/funds?risk=mean-variance:{rho}").json()["best"]["arm"]
    wait_text(page, "#what-if", lambda text: expected in text)
    assert page.get_attribute("#cloud .equal-best", "d") != before
    assert cells(page, 8) != ["\u2013"] * 3
    page.click("#rho-back")
    assert page.text_content("#rho-now") == "1"


def test_axes_have_dates_and_units(open_page):
    page = open_page()
    page.wait_for_selector("#totals svg")
    year = str(datetime.now().year)
    for chart in ("chosen", "stream", "totals"):
        words = page.text_content(f"#{chart} svg")
        assert f"time on {datetime.now().day} " in words, words
        assert year in words
        assert re.search(r"\d\d:\d\d", words)
    assert "share of decisions (%)" in page.text_content("#chosen svg")
    assert "reward (unit as sent)" in page.text_content("#stream svg")
    assert page.text_content("#about").startswith("Goal: mean times 1 minus variance")
    assert page.eval_on_selector_all("#stream .mean", "all => all.length") >= 1


@pytest.mark.parametrize(
    ("month", "first", "days", "labels"),
    [
        ("01", 14, 2, ["15 Jan", "12:00"]),
        ("10", 24, 4, ["25 Oct", "26 Oct", "27 Oct"]),
    ],  # the clocks go back on the 25th
)
def test_axes_over_several_days_name_each_day(open_page, month, first, days, labels):
    page = open_page(viewport={"width": 1400, "height": 900}, timezone_id="Europe/Berlin")

    def over_days(route):
        answer = route.fetch()
        lines = [json.loads(line) for line in answer.text().splitlines()]
        for place, line in enumerate(lines):
            line["at"] = f"2026-{month}-{first + days * place // len(lines)}T{place % 24:02}:30:00Z"
        route.fulfill(response=answer, body="\n".join(map(json.dumps, lines)))

    page.route("**/log?*", over_days)
    page.reload()
    page.wait_for_selector("#stream svg")
    words = page.eval_on_selector_all("#stream svg text", "all => all.map(one => one.textContent)")
    for label in labels:
        assert words.count(label) == 1 or label == "12:00", words
    assert "00:00" not in words
    assert any(re.fullmatch(rf"{first} {labels[0][3:6]} 2026 to .*", one) for one in words)


def test_the_total_is_compared_with_a_chosen_arm(open_page, shown):
    page = open_page()
    seen = shown.ask("GET", "/v1/bandits/funds").json()
    wait_text(page, "#tile-rewards", lambda text: int(text) == seen["rewards"])
    [stock] = [arm for arm in seen["arms"] if arm["name"] == "stock"]

    def newest(route):  # as of a bandit with more events than are shown
        answer = route.fetch()
        route.fulfill(response=answer, body="\n".join(answer.text().splitlines()[-40:]))

    page.route("**/log?*", newest)
    page.reload()
    page.wait_for_selector("#totals svg")
    page.select_option("#baseline", "stock")
    total = sum(arm["mean"] * arm["rewards"] for arm in seen["arms"])
    words = page.text_content("#totals-words")
    found = re.search(r"The (\d+) rewards so far sum to (.+?)\. Always playing stock .* about (.+?) \(", words)
    assert int(found[1]) == seen["rewards"]
    assert float(found[2]) == pytest.approx(total, rel=1e-3)
    assert float(found[3]) == pytest.approx(seen["rewards"] * stock["mean"], rel=1e-3)


def test_names_of_arms_do_not_overprint(open_page, shown):
    arms = [f"price {number}" for number in range(8)]
    shown.ask("PUT", "/v1/bandits/alike", {**FUNDS, "arms": arms})
    for _ in range(4):
        for made in shown.decide("alike", 8):
            shown.reward(made["id"], 1.0)
    page = open_page()
    page.goto(f"{shown.address}/#bandit=alike")
    wait_text(page, "#name", lambda text: text == "alike")
    page.wait_for_timeout(500)
    boxes = page.eval_on_selector_all("#cloud .name", "all => all.map(one => one.getBoundingClientRect().toJSON())")
    assert len(boxes) == 8
    for place, one in enumerate(boxes):
        for other in boxes[:place]:
            apart = one["right"] < other["left"] or other["right"] < one["left"]
            assert apart or one["bottom"] <= other["top"] + 3 or other["bottom"] <= one["top"] + 3
    shown.ask("PATCH", "/v1/bandits/alike", {"archived": True})


def test_of_many_arms_the_most_chosen_and_the_best_are_shown(open_page, shown):
    arms = [f"a headline that is much too long, number {number:02}" for number in range(50)]
    shown.ask("PUT", "/v1/bandits/many", {**FUNDS, "arms": arms})
    for arm, count in [(arms[7], 30), (arms[40], 20), *[(arm, 2) for arm in arms]]:
        for made in shown.decide("many", count, available=[arm]):
            shown.reward(made["id"], 1.0 + 0.01 * arms.index(arm) + 0.1 * (int(made["id"].split("-")[1]) % 2))
    page = open_page()
    page.goto(f"{shown.address}/#bandit=many")
    wait_text(page, "#name", lambda text: text == "many")
    wait_text(page, "#chosen-legend", lambda text: text.endswith("other arms"))
    names = page.eval_on_selector_all("#arms th", "all => all.map(one => one.textContent)")
    assert (names[:2], len(names)) == ([arms[7], arms[40]], 50)
    assert page.text_content("#arms-note").startswith("50 arms, the most chosen first")
    valued = page.eval_on_selector_all("#values .name", "all => all.map(one => one.firstChild.textContent)")
    assert [name[-2:] for name in valued] == [f"{number:02}" for number in range(38, 50)]
    assert len(page.query_selector_all("#chosen-legend > span")) == 8
    assert page.troubles == []
    shown.ask("PATCH", "/v1/bandits/many", {"archived": True})


def test_what_is_not_known_looks_uncertain_and_labels_have_room(open_page, shown):
    """Revenue in cents: one arm has only sold nothing, which is no reason to be sure of it."""
    body = {**FUNDS, "arms": ["999", "1299"], "policy": "hurdle-ts", "risk": "mean-variance:2e6"}
    shown.ask("PUT", "/v1/bandits/cents", body)
    for arm in body["arms"]:
        for place, made in enumerate(shown.decide("cents", 14, available=[arm])):
            shown.reward(made["id"], 999.0 if arm == "999" and place % 3 == 0 else 0.0)
    page = open_page()
    page.goto(f"{shown.address}/#bandit=cents")
    wait_text(page, "#name", lambda text: text == "cents")
    assert page.text_content("#about").startswith("Goal: mean times 2,000,000 minus variance")
    assert float(page.get_attribute("#rho", "max")) > 6.5 > float(page.input_value("#rho")) > 6.0
    assert len(page.query_selector_all("#cloud .hollow")) == 1
    wait_text(page, "#totals-words", lambda text: "(95 %: " in text)
    page.select_option("#baseline", "1299")
    assert "or all the same, for an interval" in page.text_content("#totals-words")
    for chart in ("cloud", "values", "chosen", "stream", "totals"):
        frame = page.eval_on_selector(f"#{chart} svg", "one => one.getBoundingClientRect().toJSON()")
        boxes = page.eval_on_selector_all(
            f"#{chart} svg text", "all => all.map(one => [one.textContent, one.getBoundingClientRect().toJSON()])"
        )
        for words, box in boxes:
            assert frame["left"] - 1 <= box["left"] < box["right"] <= frame["right"] + 1, (chart, words)
        for place, (words, one) in enumerate(boxes):
            for other_words, other in boxes[:place]:
                apart = one["right"] < other["left"] or other["right"] < one["left"]
                apart = apart or one["bottom"] <= other["top"] + 3 or other["bottom"] <= one["top"] + 3
                assert apart, (chart, words, other_words)
    shown.ask("PATCH", "/v1/bandits/cents", {"archived": True})


def test_earlier_events_come_after_the_newest(open_page, shown):
    shown.ask("PUT", "/v1/bandits/long", FUNDS)
    for step in range(4):
        made = shown.decide("long", 900, available=["stock" if step else "bond"])
        rewards = [{"id": one["id"], "reward": 1.0 + 0.5 * (place % 2)} for place, one in enumerate(made)]
        assert shown.ask("POST", "/v1/bandits/long/rewards", {"rewards": rewards}).json()["booked"] == 900
    page = open_page()
    page.goto(f"{shown.address}/#bandit=long")
    wait_text(page, "#name", lambda text: text == "long")
    assert page.text_content("#totals-words").startswith("The 3,600 rewards so far sum to 4,500.")
    wait_text(page, "#chosen-legend", lambda text: text == "bondstock")
    assert page.text_content("#totals-words").startswith("The 3,600 rewards so far sum to 4,500.")
    assert len(page.query_selector_all("#stream .mean")) == 2
    assert page.troubles == []
    shown.ask("PATCH", "/v1/bandits/long", {"archived": True})


def test_an_address_of_no_bandit_leads_on(open_page, shown):
    page = open_page(with_key=False)
    page.goto(f"{shown.address}/#key={shown.key}&bandit=none")
    wait_text(page, "#status", lambda text: "There is no bandit 'none'." in text)
    assert page.is_hidden("#bandit")
    page.click("#bandits a")
    page.wait_for_selector("#arms tr")


def test_an_admin_applies_a_rho(open_page, shown):
    shown.ask("PUT", "/v1/bandits/rho", FUNDS)
    page = open_page()
    page.goto(f"{shown.address}/#bandit=rho")
    wait_text(page, "#name", lambda text: text == "rho")
    assert page.is_disabled("#rho-apply")
    page.focus("#rho")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(500)
    rho = float(page.text_content("#rho-now"))
    page.focus("#rho-apply")
    page.keyboard.press("Enter")
    wait_text(page, "#what-if", lambda text: text.startswith("Applied"))
    assert shown.ask("GET", "/v1/bandits/rho").json()["rho"] == rho != 1.0
    shown.ask("PATCH", "/v1/bandits/rho", {"paused": True, "baseline": "bond"})
    wait_text(page, "#paused", lambda text: text == "Paused: only bond is played.")
    shown.ask("PATCH", "/v1/bandits/rho", {"archived": True})
    assert page.troubles == []


def test_who_only_reads_is_offered_no_button(chromium, shown):
    key = auth.add_key(shown.storage, "read")
    wait_for(lambda: shown.ask("GET", "/v1/bandits", key=key).status_code == 200)
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{shown.address}/#key={key}")
    page.wait_for_selector("#arms tr")
    assert page.is_hidden("#rho-apply")
    context.close()


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
    for _ in range(16):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.textContent"))
    assert {"funds", "other", "rho", "baseline", "open-decisions-count"} <= set(reached)
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
