"""Features of decisions in the service: as a learner's, in the log, in an audit, in a client, and after a restart."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import ParameterError
from riskbandits.service.audit import audit_bandit
from serving.running import FUNDS, Running

FEATURES = [{"name": "basket", "scale": 10.0}, {"name": "country", "levels": ["DE", "FR"]}]
SHOP = {**FUNDS, "policy": "linear-ngts", "features": FEATURES}


def new_model():
    return rb.Learner(rb.LinearNGTS(), ["bond", "stock"], rb.MeanVariance(1.0), seed=7, features=FEATURES)


def context(rng):
    return {"basket": float(rng.normal()), "country": str(rng.choice(["DE", "FR"]))}


def lived(served, name, model, rng, steps):
    """Decisions whose rewards come late; what is still owed at the end."""
    waiting = []
    for step in range(steps):
        features = context(rng)
        [decision] = served.decide(name, features=features)
        expected = model.decide(features=features)
        assert decision["arm"] == expected.arm
        waiting.append((decision["id"], expected.id, float(rng.normal())))
        if step % 5 == 4:
            rng.shuffle(waiting)
            for id, other, reward in waiting[1:]:
                model.answer(other, float(reward))
                assert served.reward(id, float(reward)).json() == {"booked": True}
            waiting = waiting[:1]
    return waiting


def test_a_bandit_with_features_decides_as_a_learner(served):
    name, rng, model = "contexts", np.random.default_rng(1), new_model()
    made = served.ask("PUT", f"/v1/bandits/{name}", SHOP)
    assert made.status_code == 201
    assert made.json()["features"] == FEATURES
    assert served.ask("PUT", f"/v1/bandits/{name}", SHOP).status_code == 200
    assert served.ask("PUT", f"/v1/bandits/{name}", {**SHOP, "features": FEATURES[:1]}).status_code == 409
    lived(served, name, model, rng, 30)
    logged = [one for one in served.log(name) if one["kind"] == "decision"]
    assert all(set(one["data"]["features"]) == {"basket", "country"} for one in logged)
    found = audit_bandit(served.storage, name)
    assert found.equal, found.sentence
    assert served.ask("GET", f"/v1/bandits/{name}").json()["best"] is None
    client = rb.Client(served.address, served.key, name)
    same = {"arms": FUNDS["arms"], "policy": "linear-ngts", "risk": "mean-variance:1", "seed": 7}
    assert client.create(**same, features=FEATURES) is False
    for wrong in ("basket", {"basket": 10}):
        with pytest.raises(ParameterError, match="features must be a list of names"):
            client.create(**same, features=wrong)
    given = {"basket": 5.0, "country": "FR"}
    with pytest.raises(ParameterError, match="features must be a dictionary with 'basket', 'country'. Got None"):
        client.best()
    assert client.best(given).arm == model.best(features=given).arm
    assert client.best(given).value == pytest.approx(model.best(features=given).value)
    assert client.decide(features={"basket": np.float32(5.0), "country": "FR"}).arm == model.decide(features=given).arm
    assert client.probabilities(given)[0]["probability"] > 0.0
    for wrong in ({"basket": math.nan, "country": "DE"}, {"basket": [1.0], "country": "DE"}, ["basket"]):
        with pytest.raises(ParameterError, match="feature"):
            client.decide(features=wrong)
    assert client.summary(given)[0]["mean"] == pytest.approx(model.summary(features=given)["mean"][0])
    exported = rb.Learner.from_json(client.export())
    client.close()
    assert exported.features == FEATURES
    np.testing.assert_allclose(exported.state, model.state)


def test_a_key_repeats_the_decision_of_its_features(served):
    name = "contexts-keys"
    assert served.ask("PUT", f"/v1/bandits/{name}", SHOP).status_code == 201
    given = {"basket": 5.0, "country": "FR"}
    first = served.decide(name, 2, "k", features=given)
    assert served.decide(name, 2, "k", features=given) == first
    path, headers = f"/v1/bandits/{name}/decisions", {"Idempotency-Key": "k"}
    other = served.ask("POST", path, {"count": 2, "features": {**given, "basket": 6.0}}, **headers)
    assert other.status_code == 409
    assert len(served.log(name)) == 2


def test_wrong_features_are_refused_in_a_sentence(served):
    name = "contexts-wrong"
    assert served.ask("PUT", f"/v1/bandits/{name}", SHOP).status_code == 201
    for features, words in [
        (None, "features must be a dictionary with 'basket', 'country'"),
        ({"basket": 1.0}, "The feature 'country' is missing"),
        ({"basket": 1.0, "country": "IT"}, "There is no level of the feature 'country' called 'IT'"),
        ({"basket": "twelve", "country": "DE"}, "The feature 'basket' must be a finite number"),
        ({"basket": 1.0, "country": "DE", "age": 1}, "There is no feature 'age'"),
        ({"basket": [1.0], "country": "DE"}, "The feature 'basket' must be a finite number. Got [1.0] instead."),
        ({"basket": None, "country": "DE"}, "The feature 'basket' must be a finite number. Got None instead."),
    ]:
        refused = served.ask("POST", f"/v1/bandits/{name}/decisions", {"features": features})
        assert refused.status_code == 422, refused.text
        assert words in refused.json()["detail"]
    assert served.log(name) == []
    assert served.ask("GET", f"/v1/bandits/{name}?features=basket").status_code == 422
    refused = served.ask("POST", "/v1/bandits/funds/decisions", {"features": {"basket": 1.0}})
    assert refused.status_code == 422
    refused = served.ask("PUT", "/v1/bandits/contexts-ngts", {**SHOP, "policy": "ngts"})
    assert refused.status_code == 422
    assert "NGTS uses no features of decisions" in refused.json()["detail"]


def test_a_bandit_has_room_for_its_features(served):
    """Each number more makes the regression of every arm larger, and its predictions slower."""
    features = [{"name": f"feature {k}"} for k in range(500)]
    given = {one["name"]: 0.5 for one in features}
    many = {**SHOP, "features": features, "arms": [str(k) for k in range(8)]}
    refused = served.ask("PUT", "/v1/bandits/contexts-large", many)
    assert refused.status_code == 422
    assert "arms must be at most 7 names where features are 500 numbers. Got 8" in refused.json()["detail"]
    assert served.ask("PUT", "/v1/bandits/contexts-large", {**many, "arms": many["arms"][:7]}).status_code == 201
    assert served.ask("PUT", "/v1/bandits/contexts-large/arms/7").status_code == 429
    refused = served.ask("POST", "/v1/bandits/contexts-large/decisions", {"count": 1000, "features": given})
    assert "count must be at most 113 with 7 arms" in refused.json()["detail"]


def test_another_policy_and_back_learns_from_the_features_in_the_log(served):
    """While a policy uses none, decisions have them all the same: programs go on, and the log keeps them."""
    name, rng = "contexts-changed", np.random.default_rng(3)
    assert served.ask("PUT", f"/v1/bandits/{name}", SHOP).status_code == 201
    told = []

    def live(steps):
        for _ in range(steps):
            features = context(rng)
            [decision] = served.decide(name, features=features)
            told.append((decision["arm"], float(rng.normal()), features))
            assert served.reward(decision["id"], told[-1][1]).json() == {"booked": True}

    live(8)
    given = '?features={"basket":2.0,"country":"FR"}'
    assert served.ask("GET", f"/v1/bandits/{name}/weights").status_code == 409
    assert served.ask("GET", f"/v1/bandits/{name}/probabilities").status_code == 422
    lines = served.ask("GET", f"/v1/bandits/{name}/probabilities{given}").json()["probabilities"]
    assert sum(line["probability"] for line in lines) == pytest.approx(1.0)
    assert served.ask("PATCH", f"/v1/bandits/{name}", {"policy": "ngts"}).status_code == 200
    live(6)
    assert served.ask("POST", f"/v1/bandits/{name}/decisions", {}).status_code == 422
    assert served.ask("GET", f"/v1/bandits/{name}{given}").json()["features"] is None
    assert served.ask("GET", f"/v1/bandits/{name}/weights").status_code == 200
    assert served.ask("PATCH", f"/v1/bandits/{name}", {"policy": "linear-ngts"}).status_code == 200
    live(6)
    model = new_model()
    for arm, reward, features in told:
        model.tell(arm, reward, features)
    exported = rb.Learner.from_json(served.ask("GET", f"/v1/bandits/{name}/learner").text)
    np.testing.assert_allclose(exported.state, model.state, rtol=1e-9, atol=1e-9)
    found = audit_bandit(served.storage, name)
    assert found.equal, found.sentence


def test_moved_compacted_and_restored_it_keeps_its_features(tmp_path, command):
    url, rng, model = f"sqlite:///{tmp_path}/test.db", np.random.default_rng(4), new_model()
    running = Running(url)
    assert running.ask("PUT", "/v1/bandits/shop", SHOP).status_code == 201
    waiting = lived(running, "shop", model, rng, 14)
    running.stop()
    for words in (
        ("compact", "--db", url, "shop"),
        ("restore", "--db", url),
        ("export", "--db", url, "shop", tmp_path / "shop.json"),
        ("import", "--db", url, "moved", tmp_path / "shop.json"),
    ):
        code, _, err = command(*words)
        assert code == 0, err
    running, other = Running(url), rb.Learner.load(tmp_path / "shop.json")
    moved = running.ask("GET", "/v1/bandits/moved/decisions").json()["decisions"]
    assert len(moved) == len(waiting) == len(other.open_decisions())
    for (id, known, reward), there, here in zip(waiting, moved, other.open_decisions(), strict=True):
        model.answer(known, reward)
        assert other.answer(here, reward)
        assert running.reward(id, reward).json() == {"booked": True}
        assert running.reward(there["id"], reward).json() == {"booked": True}
    for name in ("shop", "moved"):
        assert len(running.decide(name, features={"basket": 3.0, "country": "FR"})) == 1
        exported = rb.Learner.from_json(running.ask("GET", f"/v1/bandits/{name}/learner").text)
        np.testing.assert_array_equal(exported.state, model.state)
        assert exported.features == FEATURES
        assert audit_bandit(running.storage, name).equal
    np.testing.assert_array_equal(other.state, model.state)
    running.stop()


def test_after_a_restart_late_rewards_find_their_features(tmp_path):
    url, rng, model = f"sqlite:///{tmp_path}/test.db", np.random.default_rng(2), new_model()
    first = Running(url)
    assert first.ask("PUT", "/v1/bandits/shop", SHOP).status_code == 201
    waiting = lived(first, "shop", model, rng, 23)
    first.stop()
    second = Running(url)
    for id, other, reward in waiting:
        model.answer(other, float(reward))
        assert second.reward(id, float(reward)).json() == {"booked": True}
        assert second.reward(id, float(reward)).json() == {"booked": False}
    lived(second, "shop", model, rng, 10)
    exported = rb.Learner.from_json(second.ask("GET", "/v1/bandits/shop/learner").text)
    np.testing.assert_array_equal(exported.state, model.state)
    assert audit_bandit(second.storage, "shop").equal
    second.stop()
