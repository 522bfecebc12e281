"""A shop's first day: six prices, late and doubled rewards, a kill, a pause, another rho, and the page."""

from __future__ import annotations

import os
import random
import signal

import pytest

import riskbandits as rb
from paper.report import browser
from riskbandits.core.errors import ConflictError
from riskbandits.service import auth
from riskbandits.service.audit import audit_bandit
from riskbandits.service.db.statements import open_storage
from serving.instances import InstanceStarter
from serving.killing import wait_for_end
from serving.ports import free_port

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(browser.find() is None, reason="no Chromium found (apt-get install chromium)"),
]
PRICES = ["9.99", "12.99", "14.99", "19.99", "24.99", "29.99"]


@pytest.fixture
def starter(tmp_path):
    running = InstanceStarter(tmp_path / "log")
    yield running
    running.close()


def test_a_shops_first_day(starter, tmp_path):
    url, port, chance = f"sqlite:///{tmp_path}/shop.db", free_port(), random.Random(1)
    storage = open_storage(url)
    key = auth.add_key(storage, "admin")
    instance = starter.start(url, port)
    client = rb.Client(f"http://127.0.0.1:{port}", key, bandit="prices")
    amounts = {price: float(price) for price in PRICES}
    body = {"arms": PRICES, "policy": "hurdle-ts", "risk": "mean-variance:20", "lease_seconds": 3600.0}
    assert client.create(**body, amounts=amounts) is True
    sent, late = {}, []

    def sell(count):
        for decision in client.decide(count=count):
            reward = float(decision.arm) if chance.random() < 4.0 / float(decision.arm) else 0.0
            late.append((decision, reward))

    def deliver(count):
        for _ in range(count):
            decision, reward = late.pop(chance.randrange(len(late)))
            assert client.answer(decision, reward) is True
            sent[decision.id] = reward
            if chance.random() < 0.2:
                assert client.answer(decision, reward) is False

    for _ in range(10):
        sell(20)
        deliver(15)
    before = client.look()
    os.kill(instance, signal.SIGKILL)
    wait_for_end(instance)
    instance = starter.start(url, port)
    assert client.create(**body, amounts=amounts) is False  # a program confirms its bandit at every start
    assert client.look() == before
    deliver(len(late))

    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser.find(), args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(120_000)
        troubles = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"http://127.0.0.1:{port}/#key={key}")
        page.wait_for_selector("#totals svg")

        def wait_text(selector, wanted):
            for _ in range(1200):
                if wanted in page.text_content(selector):
                    return
                page.wait_for_timeout(100)
            raise AssertionError(page.text_content(selector))

        wait_text("#tile-rewards", str(len(sent)))
        assert page.text_content("#about").startswith("Goal: mean times 20 minus variance")
        rows = page.eval_on_selector_all("#arms th", "all => all.map(one => one.textContent)")
        assert rows == PRICES
        client.pause("14.99")  # the old price
        wait_text("#paused", "Paused: only 14.99 is played.")
        sell(5)
        assert {decision.arm for decision, _ in late} == {"14.99"}
        client.pause()
        wait_text("#paused", "Paused: no decisions are made")
        with pytest.raises(ConflictError):
            client.decide()
        deliver(len(late))
        client.resume()
        page.select_option("#baseline", "14.99")
        wait_text("#totals-words", f"The {len(sent)} rewards so far")
        page.focus("#rho")
        for _ in range(10):
            page.keyboard.press("ArrowRight")
        page.wait_for_timeout(500)
        page.click("#rho-apply")
        wait_text("#what-if", "Applied")
        assert client.look()["rho"] == pytest.approx(20 * 10**0.5, rel=0.01)
        wait_text("#about", f"mean times {client.look()['rho']:g} minus variance")
        assert troubles == []
        chromium.close()

    sell(20)
    deliver(20)
    client.close()
    os.kill(instance, signal.SIGTERM)
    wait_for_end(instance)
    with storage.reading() as transaction:
        events = list(transaction.events_after(transaction.bandit_named("prices").id, 0))
    assert sum(event["reward"] for event in events if event["kind"] == "reward") == pytest.approx(sum(sent.values()))
    assert sum(event["kind"] == "reward" for event in events) == len(sent)
    assert [event["kind"] for event in events if event["kind"] not in ("decision", "reward")] == [
        "paused",
        "paused",
        "resumed",
        "changed",
    ]
    found = audit_bandit(storage, "prices")
    assert found.equal, found.sentence
    storage.close()
