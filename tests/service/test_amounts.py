"""Known amounts of a bandit with `hurdle-ts`: at creation, with new arms, in the log, in an audit, and a client."""

from __future__ import annotations

import riskbandits as rb
from riskbandits.service.audit import audit_bandit

SHOP = {"arms": ["a", "b"], "policy": "hurdle-ts", "risk": "mean-variance:100", "seed": 3}
AMOUNTS = {"a": 10.0, "b": 100.0}


def rewards(served, name, model, steps):
    for step in range(steps):
        [decision] = served.decide(name)
        expected = model.decide()
        assert decision["arm"] == expected.arm
        reward = {"a": 10.0, "b": 100.0, "c": 5.0}[expected.arm] if step % 7 == 0 else 0.0
        model.answer(expected.id, reward)
        assert served.reward(decision["id"], reward).json() == {"booked": True}


def test_amounts_of_a_bandit(served):
    name = "shop-amounts"
    made = served.ask("PUT", f"/v1/bandits/{name}", {**SHOP, "amounts": AMOUNTS})
    assert made.status_code == 201
    assert made.json()["amounts"] == AMOUNTS
    again = {**SHOP, "policy": "hurdle-ts(amounts=[10,100])"}
    assert served.ask("PUT", f"/v1/bandits/{name}", again).status_code == 200
    assert served.ask("PUT", f"/v1/bandits/{name}", SHOP).status_code == 409
    model = rb.Learner(rb.HurdleTS(), ["a", "b"], rb.MeanVariance(100.0), seed=3, amounts=AMOUNTS)
    rewards(served, name, model, 15)
    assert served.ask("PUT", f"/v1/bandits/{name}/arms/c", {"amount": 5}).status_code == 201
    assert served.ask("PUT", f"/v1/bandits/{name}/arms/c", {"amount": 5}).status_code == 200
    refused = served.ask("PUT", f"/v1/bandits/{name}/arms/c", {"amount": 6})
    assert refused.status_code == 409
    assert refused.json()["detail"] == "The amount of the arm 'c' must be as it was: 5."
    assert served.ask("PUT", f"/v1/bandits/{name}/arms/d", {"amount": 0}).status_code == 422
    model.add("c", amount=5.0)
    rewards(served, name, model, 15)
    assert next(one for one in served.log(name) if one["kind"] == "arm-added")["data"] == {"amount": 5.0}
    found = audit_bandit(served.storage, name)
    assert found.equal, found.sentence
    # Another policy learns from the same rewards, and the amounts come back with the first one.
    assert served.ask("PATCH", f"/v1/bandits/{name}", {"policy": "ngts"}).status_code == 200
    assert served.ask("PATCH", f"/v1/bandits/{name}", {"policy": "hurdle-ts"}).status_code == 200
    text = served.ask("GET", f"/v1/bandits/{name}/learner").text
    assert rb.Learner.from_json(text).state[:, 4].tolist() == [10.0, 100.0, 5.0]


def test_amounts_are_for_hurdle_ts(served):
    for body, words in [
        ({**SHOP, "policy": "ngts", "amounts": AMOUNTS}, "Only HurdleTS uses known amounts"),
        ({**SHOP, "amounts": {"x": 1.0}}, "no arm 'x'"),
        ({**SHOP, "amounts": {"a": 0.0}}, "other than 0"),
        ({**SHOP, "policy": "hurdle-ts(amounts=[1,2,3])"}, "3 amounts for 2 arms"),
    ]:
        refused = served.ask("PUT", "/v1/bandits/refused-amounts", body)
        assert refused.status_code == 422
        assert words in refused.json()["detail"]
    refused = served.ask("PUT", "/v1/bandits/funds/arms/new", {"amount": 5.0})
    assert refused.status_code == 422


def test_the_notice(served):
    body = {**SHOP, "policy": "ngts"}
    assert served.ask("PUT", "/v1/bandits/gaussian-shop", body).status_code == 201
    for step in range(40):
        [decision] = served.decide("gaussian-shop")
        served.reward(decision["id"], 9.99 if step % 8 == 0 else 0.0)
    notice = served.ask("GET", "/v1/bandits/gaussian-shop").json()["notice"]
    assert notice.startswith("At least half of the rewards of an arm are 0")
    assert "HurdleTS()" in notice
    assert served.ask("PUT", "/v1/bandits/other-amounts", {**SHOP, "amounts": AMOUNTS}).status_code == 201
    [decision] = served.decide("other-amounts")
    assert served.ask("GET", "/v1/bandits/other-amounts").json()["notice"] is None
    served.reward(decision["id"], 7.0)
    assert "paid 7, not the known amount" in served.ask("GET", "/v1/bandits/other-amounts").json()["notice"]
