"""The page of a bandit with features: sliders and lists that say for which decision its numbers are."""

from __future__ import annotations

import json
from urllib.parse import quote

import numpy as np
import pytest

from paper.report import browser
from serving.running import FUNDS, Running

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(browser.find() is None, reason="no Chromium found (apt-get install chromium)"),
]
EVIL = "<img src=x onerror=document.title='stolen'>"
FEATURES = [{"name": "basket", "scale": 10.0}, {"name": "country", "levels": ["DE", EVIL]}]
SHOP = {**FUNDS, "policy": "linear-ngts", "features": FEATURES}


def wait_text(page, selector, fits, seconds=20):
    for _ in range(10 * seconds):
        if fits(page.text_content(selector)):
            return
        page.wait_for_timeout(100)
    raise AssertionError(page.text_content(selector))


@pytest.fixture
def shop(tmp_path):
    """The bond is for small baskets, the stock for large ones."""
    running, rng = Running(f"sqlite:///{tmp_path}/test.db"), np.random.default_rng(1)
    assert running.ask("PUT", "/v1/bandits/shop", SHOP).status_code == 201
    assert running.ask("PUT", "/v1/bandits/alone", FUNDS).status_code == 201
    for _ in range(60):
        basket = float(rng.uniform(0.0, 40.0))
        given = {"basket": basket, "country": str(rng.choice(["DE", EVIL]))}
        [decision] = running.decide("shop", features=given)
        sign = 1.0 if decision["arm"] == "stock" else -1.0
        assert running.reward(decision["id"], sign * (basket - 20.0) / 10.0 + 0.1 * rng.normal()).status_code == 200
    yield running
    running.stop()


def test_the_best_arm_for_a_decision_that_one_sets(shop):
    def best(basket, country, risk=""):
        given = quote(json.dumps({"basket": basket, "country": country}))
        return shop.ask("GET", f"/v1/bandits/shop?features={given}{risk}").json()

    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser.find(), args=["--no-sandbox", "--disable-gpu"])
        page, troubles = chromium.new_page(viewport={"width": 400, "height": 800}), []
        page.on("console", lambda said: troubles.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"{shop.address}/#key={shop.key}&bandit=shop")
        page.wait_for_selector("#features input")
        assert page.eval_on_selector_all("#features label", "all => all.map(one => one.textContent)") == [
            "basket", "country",
        ]  # fmt: skip
        low, high = (float(page.get_attribute("#feature-0", end)) for end in ("min", "max"))
        assert 0.0 <= low < 5.0
        assert 35.0 < high <= 40.0
        for key, arm in (("Home", "bond"), ("End", "stock")):
            page.focus("#feature-0")
            page.keyboard.press(key)
            wait_text(page, "#best", lambda text, arm=arm: f"with these features: {arm}" in text)
        seen = best(high, "DE")
        shown = page.eval_on_selector_all("#arms tr td:nth-child(4)", "all => all.map(one => Number(one.textContent))")
        assert shown == [pytest.approx(arm["mean"], rel=1e-2, abs=1e-2) for arm in seen["arms"]]
        for _ in range(25):  # half of the way back
            page.keyboard.press("ArrowLeft")
        assert float(page.input_value("#feature-0")) == pytest.approx((low + high) / 2, rel=0.05)
        page.select_option("#feature-1", EVIL)
        page.keyboard.press("Tab")
        page.focus("#rho")
        page.keyboard.press("ArrowRight")
        wait_text(page, "#what-if", lambda text: "would probably be" in text)
        assert page.title() == "riskbandits"
        assert page.evaluate("document.documentElement.scrollWidth") == 400
        assert shop.ask("PATCH", "/v1/bandits/shop", {"policy": "ngts"}).status_code == 200
        wait_text(page, "#about", lambda text: "Policy: ngts" in text)
        assert page.is_hidden("#features-section")
        page.goto(f"{shop.address}/#bandit=alone")
        wait_text(page, "#name", lambda text: text == "alone")
        assert page.is_hidden("#features-section")
        assert troubles == []
        chromium.close()
