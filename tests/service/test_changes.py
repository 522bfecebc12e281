"""Changing a bandit: its goal, its policy, a pause, the archive; all of it events that an audit replays."""

from __future__ import annotations

import threading
import time

import pytest

import riskbandits as rb
from riskbandits.core.errors import ConflictError, GoneError
from riskbandits.service import auth, bandit_state
from riskbandits.service.audit import audit_bandit
from riskbandits.service.db.engine import for_writing
from riskbandits.service.db.tables import bandits
from riskbandits.service.transfer import compact
from serving.running import FUNDS, Running, wait_for

REWARDS = {"bond": 0.5, "stock": 0.8, "gold": 0.6}


def change(served, name="funds", **body):
    answer = served.ask("PATCH", f"/v1/bandits/{name}", body)
    return answer.status_code, answer.json()


def play(served, steps, name="funds"):
    """The arms of some decisions, each of which is rewarded."""
    chosen = []
    for step in range(steps):
        [made] = served.decide(name)
        chosen.append(made["arm"])
        reward = REWARDS[made["arm"]] + (0.4 if made["arm"] == "stock" else 0.1) * (step % 5 - 2)
        assert served.reward(made["id"], reward).json() == {"booked": True}
    return chosen


def create(served, name, **body):
    assert served.ask("PUT", f"/v1/bandits/{name}", {**FUNDS, **body}).status_code == 201
    return name


def forget_memory(served):
    """As a restart would, without a snapshot that was not due."""
    served.service.writer._loaded.clear()


def check_audit(served, name):
    found = audit_bandit(served.storage, name)
    assert found.equal, found.sentence


def twin_of_log(events, policy, risk, arms):
    """A plain learner with the rewards of a log, whose choices were made elsewhere."""
    learner = rb.Learner(policy, arms, risk, seed=FUNDS["seed"])
    ids = {}
    for event in events:
        if event["kind"] == "decision":
            ids[event["id"]] = learner.decide(available=[event["arm"]]).id
        elif event["kind"] == "reward":
            learner.answer(ids[event["id"]], event["reward"])
    return learner


def test_another_goal_goes_on_with_the_same_evidence(served):
    name = create(served, "goal")
    learner = rb.Learner(rb.SwitchingAware(), FUNDS["arms"], rb.MeanVariance(1.0), seed=FUNDS["seed"])

    def expected(steps):
        chosen = []
        for step in range(steps):
            made = learner.decide()
            chosen.append(made.arm)
            learner.answer(made.id, REWARDS[made.arm] + (0.4 if made.arm == "stock" else 0.1) * (step % 5 - 2))
        return chosen

    assert play(served, 30, name) == expected(30)
    status, answer = change(served, name, risk="mean-variance:50")
    assert (status, answer["risk"], answer["policy"]) == (200, "mean-variance:50", "switching-aware")
    learner = learner.with_risk(rb.MeanVariance(50.0))
    assert play(served, 20, name) == expected(20)
    seen = served.ask("GET", f"/v1/bandits/{name}").json()
    assert (seen["risk"], seen["rho"]) == ("mean-variance:50", 50.0)
    forget_memory(served)
    assert play(served, 10, name) == expected(10)
    check_audit(served, name)


def test_another_policy_learns_from_the_log(served):
    name = create(served, "policy")
    play(served, 30, name)
    waiting = served.decide(name, 3)
    assert change(served, name, policy="ngts", risk="mean-variance:2")[0] == 200
    learner = twin_of_log(served.log(name), rb.NGTS(), rb.MeanVariance(2.0), FUNDS["arms"])
    for step in range(20):
        [made] = served.decide(name)
        expected = learner.decide()
        assert made["arm"] == expected.arm
        learner.answer(expected.id, 0.1 * step)
        served.reward(made["id"], 0.1 * step)
    assert served.reward(waiting[0]["id"], 0.5).json() == {"booked": True}
    forget_memory(served)
    play(served, 5, name)
    assert change(served, name, policy="switching-aware")[0] == 200
    play(served, 5, name)
    check_audit(served, name)
    kinds = [(event["kind"], sorted(event.get("data", {}))) for event in served.log(name)]
    assert [one for one in kinds if one[0] == "changed"] == [
        ("changed", ["policy", "records", "risk"]),
        ("changed", ["policy", "records"]),
    ]


def test_arms_that_came_and_went_are_as_they_were_for_another_policy(small):
    small.ask("PUT", "/v1/bandits/funds/arms/gold")
    play(small, 20)
    small.ask("DELETE", "/v1/bandits/funds/arms/bond")
    play(small, 10)
    [gone] = small.decide("funds")
    assert small.ask("DELETE", f"/v1/decisions/{gone['id']}").json() == {"forgotten": True}
    before = {arm["name"]: arm for arm in small.ask("GET", "/v1/bandits/funds").json()["arms"]}
    assert change(small, policy="mvts")[0] == 200
    after = {arm["name"]: arm for arm in small.ask("GET", "/v1/bandits/funds").json()["arms"]}
    for field in ("rewards", "mean", "variance", "outstanding", "retired"):
        assert {name: arm[field] for name, arm in after.items()} == {name: arm[field] for name, arm in before.items()}
    assert "bond" not in play(small, 10)
    check_audit(small, "funds")


def test_a_paused_bandit_plays_its_baseline(served):
    name = create(served, "paused")
    play(served, 10, name)
    kept = served.decide(name, 2, idempotency_key="before")
    assert change(served, name, paused=True, baseline="stock")[1]["baseline"] == "stock"
    assert play(served, 5, name) == ["stock"] * 5
    assert served.decide(name, 2, idempotency_key="before") == kept
    refused = served.ask("POST", f"/v1/bandits/{name}/decisions", {"available": ["bond"]})
    assert (refused.status_code, "'stock' must be among" in refused.json()["detail"]) == (409, True)
    refused = served.ask("DELETE", f"/v1/bandits/{name}/arms/stock")
    assert (refused.status_code, "Resume it first." in refused.json()["detail"]) == (409, True)
    forget_memory(served)
    assert play(served, 2, name) == ["stock"] * 2
    seen = served.ask("GET", f"/v1/bandits/{name}").json()
    assert (seen["paused"], seen["baseline"]) == (True, "stock")
    assert change(served, name, paused=False)[1]["baseline"] is None
    play(served, 10, name)
    check_audit(served, name)
    changes = [(e["kind"], e["arm"]) for e in served.log(name) if e["kind"] not in ("decision", "reward")]
    assert changes == [("paused", "stock"), ("resumed", None)]


def test_a_pause_without_a_baseline_refuses_decisions_and_takes_rewards(served):
    name = create(served, "stopped")
    [waiting] = served.decide(name)
    assert change(served, name, paused=True)[0] == 200
    refused = served.ask("POST", f"/v1/bandits/{name}/decisions", {})
    sentence = "The bandit 'stopped' is paused: it makes no decisions until it is resumed."
    assert (refused.status_code, refused.json()["detail"]) == (409, sentence)
    assert served.reward(waiting["id"], 0.5).json() == {"booked": True}
    assert served.reward(waiting["id"], 0.5).json() == {"booked": False}
    assert change(served, name, paused=False)[0] == 200
    play(served, 3, name)
    check_audit(served, name)


def test_an_archived_bandit_leaves_the_list_and_may_come_back(served):
    name = create(served, "mistyped")
    [waiting] = served.decide(name)
    assert change(served, name, archived=True)[1]["archived"] is True

    def listed(query=""):
        return {one["name"]: one["archived"] for one in served.ask("GET", f"/v1/bandits{query}").json()["bandits"]}

    assert name not in listed()
    create(served, "mistyped-too")
    assert list(listed("?limit=1&after=mistype")) == ["mistyped-too"]
    assert listed("?archived=true")[name] is True
    refused = served.ask("POST", f"/v1/bandits/{name}/decisions", {})
    assert (refused.status_code, refused.json()["detail"]) == (
        410,
        "The bandit 'mistyped' is archived: it makes no more decisions.",
    )
    assert served.reward(waiting["id"], 0.5).json() == {"booked": True}
    assert change(served, name, archived=False)[1]["archived"] is False
    assert name in listed()
    play(served, 3, name)
    check_audit(served, name)


def test_a_program_that_confirms_its_bandit_goes_on_working(served):
    name = create(served, "confirmed")
    change(served, name, risk="mean-variance:9", paused=True, baseline="bond")
    answer = served.ask("PUT", f"/v1/bandits/{name}", FUNDS)
    assert answer.status_code == 200
    assert {key: answer.json()[key] for key in ("risk", "paused", "baseline", "archived")} == {
        "risk": "mean-variance:9",
        "paused": True,
        "baseline": "bond",
        "archived": False,
    }
    other = served.ask("PUT", f"/v1/bandits/{name}", {**FUNDS, "risk": "mean-variance:9"})
    assert other.status_code == 409


def test_what_is_the_same_is_no_event(served):
    name = create(served, "same")
    assert (
        change(served, name, risk="mean-variance:1.0", policy="SwitchingAware", paused=False, archived=False)[0] == 200
    )
    assert served.log(name) == []
    for _ in range(2):
        assert change(served, name, risk="mean-variance:2", paused=True, baseline="bond")[0] == 200
    assert [event["kind"] for event in served.log(name)] == ["changed", "paused"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({}, 422, "must be one that names what is to be changed"),
        ({"baseline": "bond"}, 422, "where it has a baseline"),
        ({"paused": False, "baseline": "bond"}, 422, "where it has a baseline"),
        ({"paused": True, "baseline": "silver"}, 422, "There is no arm"),
        ({"paused": 1}, 422, "'paused' must be true or false"),
        ({"risk": "mean-variance:nan"}, 422, ""),
        ({"risk": "cvar:0.1"}, 422, "SwitchingAware is defined for"),
        ({"policy": "none-such"}, 422, "none-such"),
        ({"policy": "bmvts"}, 409, "The policy of 'funds' cannot be changed: The reward of the arm"),
        ({"seed": 3}, 422, "There is no field 'seed' here."),
    ],
)
def test_a_refused_change_changes_nothing(served, body, status, words):
    [made] = served.decide("funds")
    served.reward(made["id"], 0.25)
    before = served.ask("GET", "/v1/bandits/funds").json()
    found, answer = change(served, **body)
    assert (found, words in answer["detail"]) == (status, True), answer
    assert served.ask("GET", "/v1/bandits/funds").json() == before


def test_who_may_change(small):
    key = auth.add_key(small.storage, "decide")
    wait_for(lambda: small.ask("GET", "/v1/bandits", key=key).status_code == 200)
    assert small.ask("PATCH", "/v1/bandits/funds", {"paused": True}, key=key).status_code == 403
    assert small.ask("PATCH", "/v1/bandits/funds", {"paused": True}, key=None).status_code == 401
    assert small.ask("PATCH", "/v1/bandits/none", {"paused": True}).status_code == 404


FEATURES = [{"name": "basket", "scale": 10.0}, {"name": "country", "levels": ["DE", "FR"]}]


def test_features_go_on_through_a_policy_that_uses_none(served):
    """A program that sends features with every decision is not broken by another policy, and what came is not lost."""
    name = create(served, "features", policy="linear-ngts", features=FEATURES)

    def play(steps):
        for step in range(steps):
            [made] = served.decide(name, features={"basket": 2.0 * step, "country": "FR" if step % 3 else "DE"})
            served.reward(made["id"], 0.1 * step if made["arm"] == "bond" else 0.5)

    play(10)
    path = f"/v1/bandits/{name}"
    assert change(served, name, policy="ngts")[0] == 200
    refused = served.ask("POST", f"{path}/decisions", {})
    assert (refused.status_code, "with 'basket', 'country'" in refused.json()["detail"]) == (422, True)
    play(10)
    with rb.Client(served.address, served.key, bandit=name) as client:
        given = {"basket": 5.0, "country": "DE"}
        assert client.best(given) == client.best()
        assert client.probabilities(features=given) == client.probabilities()
        assert change(served, name, policy="linear-ngts")[0] == 200
        goal = rb.MeanVariance(1.0)
        learner = rb.Learner(rb.LinearNGTS(), FUNDS["arms"], goal, seed=FUNDS["seed"], features=FEATURES)
        ids = {}
        for event in served.log(name):
            if event["kind"] == "decision":
                ids[event["id"]] = learner.decide(available=[event["arm"]], features=event["data"]["features"]).id
            elif event["kind"] == "reward":
                learner.answer(ids[event["id"]], event["reward"])
        means = [one["mean"] for one in client.summary(given)]
        assert means == pytest.approx(list(learner.summary(features=given)["mean"]))
        shares = {one["arm"]: one["weight"] for one in client.weights(features=given)["weights"]}
        expected = learner.probabilities(features=given)
        for arm, probability, error in zip(expected["arm"], expected["probability"], expected["se"], strict=True):
            assert abs(shares[arm] - probability) <= 6 * error + 0.01
        assert client.weights(features={**given, "country": "FR"})["at"] > client.weights(features=given)["at"]
    assert served.ask("GET", f"{path}/weights").status_code == 409
    assert served.ask("GET", f"{path}/weights?features=basket").status_code == 422
    forget_memory(served)
    play(5)
    check_audit(served, name)


def test_amounts_of_arms_stay_through_other_policies(small):
    """What a sale of an arm pays is known by its creation: it may not be said again by a policy."""
    amounts = {"9.99": 9.99, "14.99": 14.99}
    body = {**FUNDS, "arms": list(amounts), "policy": "hurdle-ts", "amounts": amounts}
    assert small.ask("PUT", "/v1/bandits/prices", body).status_code == 201
    assert change(small, "prices", policy="hurdle-ts")[0] == 200
    assert small.log("prices") == []
    assert change(small, "prices", policy="ngts")[0] == 200
    status, answer = change(small, "prices", policy="hurdle-ts(amounts=[9.99, 14.99])")
    assert (status, "are those with which they were created" in answer["detail"]) == (422, True)
    assert change(small, "prices", policy="hurdle-ts")[0] == 200
    learner = rb.Learner.from_json(small.ask("GET", "/v1/bandits/prices/learner").text)
    model = rb.Learner(rb.HurdleTS(), list(amounts), rb.MeanVariance(1.0), seed=FUNDS["seed"], amounts=amounts)
    assert (learner.state == model.state).all()
    check_audit(small, "prices")


def test_another_instance_sees_a_change_at_once(postgresql, monkeypatch):
    one = Running(postgresql.new())
    other = Running(one.url)
    assert one.ask("PUT", "/v1/bandits/funds", FUNDS).status_code == 201
    play(one, 5)
    play(other, 5)
    assert change(one, paused=True, baseline="stock", risk="mean-variance:9")[0] == 200
    assert play(other, 3) == ["stock"] * 3
    assert other.ask("PUT", "/v1/bandits/funds", FUNDS).json()["risk"] == "mean-variance:9"
    assert change(other, policy="ngts", paused=False)[0] == 200
    with monkeypatch.context() as patched:
        patched.setattr(bandit_state, "rebuild_learner", None)
        assert one.ask("GET", "/v1/bandits/funds").json()["policy"] == "ngts"
    play(one, 5)
    assert change(one, archived=True)[0] == 200
    assert other.ask("POST", "/v1/bandits/funds/decisions", {}).status_code == 410
    assert other.ask("GET", "/v1/bandits").json()["bandits"] == []
    check_audit(other, "funds")
    one.stop()
    other.stop()


def test_a_compacted_log_keeps_its_policy(small):
    play(small, 20)
    change(small, policy="ngts", paused=True, baseline="bond")
    compact(small.storage, "funds")
    status, answer = change(small, policy="mvts")
    assert (status, "its log was compacted" in answer["detail"]) == (409, True)
    assert change(small, risk="mean-variance:3", paused=False)[0] == 200
    forget_memory(small)
    play(small, 5)
    check_audit(small, "funds")


def test_decisions_go_on_while_another_policy_learns(small, monkeypatch):
    """What happens between the reading of the log and the change is learned too."""
    play(small, 50)
    from riskbandits.service import service

    rebuild, begun, go_on = service.rebuild_learner, threading.Event(), threading.Event()

    def slowly(spec, events):
        made = rebuild(spec, events)
        begun.set()
        assert go_on.wait(30)
        return made

    monkeypatch.setattr(service, "rebuild_learner", slowly)
    answers = []
    changing = threading.Thread(target=lambda: answers.append(change(small, policy="ngts")))
    changing.start()
    assert begun.wait(30)
    play(small, 7)
    small.decide("funds", 2)
    go_on.set()
    changing.join(30)
    assert answers[0][0] == 200
    learner = twin_of_log(small.log("funds"), rb.NGTS(), rb.MeanVariance(1.0), FUNDS["arms"])
    assert [one["arm"] for one in small.decide("funds", 10)] == [learner.decide().arm for _ in range(10)]
    check_audit(small, "funds")


def test_the_audit_sees_settings_that_no_event_made(small):
    change(small, risk="mean-variance:2")
    check_audit(small, "funds")
    with for_writing(small.storage.engine).begin() as connection:
        connection.execute(bandits.update().values(settings=None))
    found = audit_bandit(small.storage, "funds")
    assert (found.equal, "its settings were changed without an event" in found.sentence) == (False, True)


def test_a_snapshot_comes_with_another_policy(small, monkeypatch):
    """To learn from a long log takes long: it is not done again at the next start, however soon that is."""
    play(small, 10)
    change(small, policy="ngts")
    forget_memory(small)
    with monkeypatch.context() as patched:
        patched.setattr(bandit_state, "rebuild_learner", None)
        play(small, 5)
    check_audit(small, "funds")


def test_the_client_changes_its_bandit(small):
    with rb.Client(small.address, small.key, bandit="funds") as client:
        [waiting] = client.decide(count=1)
        client.pause("stock")
        assert client.ask() == "stock"
        client.pause()
        with pytest.raises(ConflictError):
            client.decide()
        assert client.answer(waiting, 0.5) is True
        client.resume()
        client.decide()
        assert client.change(risk=rb.MeanVariance(3.0), policy="ngts")["risk"] == "MeanVariance(rho=3.0)"
        client.archive()
        with pytest.raises(GoneError):
            client.decide()
        assert client.change(archived=False)["archived"] is False
    check_audit(small, "funds")


def test_weights_are_the_probabilities_of_being_chosen_next(served):
    name = create(served, "weights", arms=list(REWARDS), policy="ngts")
    play(served, 40, name)
    found = served.ask("GET", f"/v1/bandits/{name}/weights").json()
    likely = served.ask("GET", f"/v1/bandits/{name}/probabilities").json()["probabilities"]
    assert [one["arm"] for one in found["weights"]] == list(REWARDS)
    assert sum(one["weight"] for one in found["weights"]) == pytest.approx(1.0)
    for weight, other in zip(found["weights"], likely, strict=True):
        assert abs(weight["weight"] - other["probability"]) <= 6 * other["se"] + 0.01
    play(served, 1, name)
    assert served.ask("GET", f"/v1/bandits/{name}/weights").json() == found  # kept for ten seconds
    for method, arms in (("DELETE", ["bond", "stock"]), ("PUT", ["bond", "stock", "gold"])):
        assert served.ask(method, f"/v1/bandits/{name}/arms/gold").json()["changed"] is True
        seen = served.ask("GET", f"/v1/bandits/{name}/weights").json()["weights"]
        assert [one["arm"] for one in seen] == arms
    change(served, name, paused=True, baseline="gold")
    paused = served.ask("GET", f"/v1/bandits/{name}/weights").json()["weights"]
    assert [one["weight"] for one in paused] == [0.0, 0.0, 1.0]
    change(served, name, paused=True)
    assert served.ask("GET", f"/v1/bandits/{name}/weights").status_code == 409
    change(served, name, paused=False, archived=True)
    assert served.ask("GET", f"/v1/bandits/{name}/weights").status_code == 410


def test_weights_are_computed_once_and_again_after_ten_seconds(small, monkeypatch):
    from riskbandits.service import queries

    made, compute = [], queries.weights_answer
    monkeypatch.setattr(queries, "weights_answer", lambda *asked: (time.sleep(0.3), made.append(1), compute(*asked))[2])
    with rb.Client(small.address, small.key, bandit="funds") as client:
        threads = [threading.Thread(target=client.weights) for _ in range(5)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert len(made) == 1
        before, task = small.service._weights["funds", None]
        small.service._weights["funds", None] = before - 10.5, task
        assert client.weights()["at"] > task.result().decode()[8:35]
    assert len(made) == 2
