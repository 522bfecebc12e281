"""Probabilities of decisions in the service: as a learner's, in answers and in the log, replayed and evaluated."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.service.audit import audit_bandit
from serving.running import FUNDS

LOGGED = {**FUNDS, "propensity": True}


def test_decisions_carry_the_probabilities_of_a_learner(served):
    assert served.ask("PUT", "/v1/bandits/logged", LOGGED).json()["propensity"] is True
    assert served.ask("PUT", "/v1/bandits/logged", LOGGED).status_code == 200
    assert served.ask("PUT", "/v1/bandits/logged", FUNDS).status_code == 409
    model = rb.Learner(rb.SwitchingAware(), ["bond", "stock"], rb.MeanVariance(1.0), seed=7, propensity=True)
    rng = np.random.default_rng(1)
    for _ in range(15):
        [decision] = served.decide("logged")
        expected = model.decide()
        assert (decision["arm"], decision["probability"]) == (expected.arm, expected.probability)
        reward = float(rng.normal())
        model.answer(expected.id, reward)
        assert served.reward(decision["id"], reward).json() == {"booked": True}
    made = [event for event in served.log("logged") if event["kind"] == "decision"]
    assert all(0.0 < event["data"]["probability"] <= 1.0 for event in made)
    assert served.ask("GET", "/v1/bandits/funds").status_code == 200
    assert "probability" not in served.decide("funds")[0]


def test_too_many_arms_or_decisions_are_refused(served):
    many = {**LOGGED, "arms": [f"arm {k}" for k in range(51)]}
    refused = served.ask("PUT", "/v1/bandits/many", many)
    assert refused.status_code == 422
    assert "at most 50 names with propensity" in refused.json()["detail"]
    assert served.ask("PUT", "/v1/bandits/fifty", {**many, "arms": many["arms"][:50]}).status_code == 201
    refused = served.ask("PUT", "/v1/bandits/fifty/arms/one-more", None)
    assert refused.status_code == 429
    assert "must be at most 50" in refused.json()["detail"]
    refused = served.ask("POST", "/v1/bandits/fifty/decisions", {"count": 51})
    assert refused.status_code == 422
    assert "count must be at most 50" in refused.json()["detail"]


@pytest.mark.filterwarnings("ignore::riskbandits.errors.IntervalWarning")
def test_the_log_is_replayed_and_evaluated(small):
    name = "priced"
    client = rb.Client(small.address, small.key, name)
    assert client.create(["a", "b"], "ngts", "mean-variance:1", propensity=True)
    rng = np.random.default_rng(3)
    rewards: dict[str, list[float]] = {"a": [], "b": []}
    for _ in range(8):
        made = client.decide(count=25)
        assert all(one.probability is not None for one in made)
        paid = [float(rng.normal(0.0 if one.arm == "a" else 0.1, 1.0)) for one in made]
        for one, reward in zip(made, paid, strict=True):
            rewards[one.arm].append(reward)
        client.answer([one.id for one in made], paid)
    client.decide()  # its reward never comes
    client.close()
    events = small.log(name)
    arm = max(rewards, key=lambda one: len(rewards[one]))
    found = rb.evaluate(events, arm, rb.Mean())
    row = found.table().iloc[0]
    assert row["value"] == pytest.approx(np.mean(rewards[arm]))
    assert row["effective_size"] == pytest.approx(len(rewards[arm]))
    assert found.notes == ["1 of 201 decisions have no reward and are left out."]
    result = audit_bandit(small.storage, name)
    assert result.equal, result.sentence
