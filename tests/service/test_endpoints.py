"""The endpoints, each with its answers and refusals, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import time

import riskbandits as rb
from serving.running import FUNDS, wait_for

NAMES = {"sequence", "kind", "id", "arm", "reward", "at"}


def make(served, name, **others):
    assert served.ask("PUT", f"/v1/bandits/{name}", {**FUNDS, **others}).status_code == 201
    return name


def test_creating_again_confirms_and_another_body_is_a_contradiction(served):
    again = served.ask("PUT", "/v1/bandits/funds", FUNDS)
    assert again.status_code == 200
    least = {name: FUNDS[name] for name in ("arms", "policy", "risk")}
    assert served.ask("PUT", "/v1/bandits/least", least).status_code == 201
    assert served.ask("PUT", "/v1/bandits/least", {**least, "policy": "SwitchingAware", "seed": 0}).status_code == 200
    for other in ({"seed": 8}, {"arms": ["stock", "bond"]}, {"risk": "mean-variance:2"}, {"lease_seconds": 1}):
        refused = served.ask("PUT", "/v1/bandits/funds", {**FUNDS, **other})
        assert refused.status_code == 409
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.json()["detail"] == "The bandit 'funds' already exists, created with a different body."


def test_a_life_of_decisions_and_rewards(served):
    name = make(served, "life")
    model = rb.Learner(rb.SwitchingAware(), ["bond", "stock"], rb.MeanVariance(1.0), seed=7)
    for step in range(12):
        [decision] = served.decide(name)
        expected = model.decide()
        assert decision["arm"] == expected.arm
        assert set(decision) == {"id", "arm", "expires"}
        reward = 0.25 * step - 1.0
        model.answer(expected.id, reward)
        assert served.reward(decision["id"], reward).json() == {"booked": True}
        assert served.reward(decision["id"], reward).json() == {"booked": False}
        contradiction = served.reward(decision["id"], reward + 1.0)
        assert contradiction.status_code == 409
        assert f"must be {reward}, as already recorded" in contradiction.json()["detail"]
    seen = served.ask("GET", f"/v1/bandits/{name}").json()
    table = model.summary().set_index("arm")
    assert {"name", "arms", "best", "decisions", "rewards"} <= set(seen)
    assert (seen["decisions"], seen["rewards"], seen["open"]) == (12, 12, 0)
    for arm in seen["arms"]:
        assert {"name", "rewards", "mean", "variance", "value", "outstanding", "retired"} <= set(arm)
        assert arm["mean"] == table.loc[arm["name"], "mean"]
        assert arm["value"] == table.loc[arm["name"], "value"]
    assert seen["best"]["arm"] in FUNDS["arms"]
    assert 0.0 <= seen["best"]["probability"] <= 1.0
    events = served.log(name)
    assert [event["sequence"] for event in events] == list(range(1, 25))
    assert all(set(event) == NAMES for event in events)
    assert [event["kind"] for event in events] == ["decision", "reward"] * 12
    assert all(event["reward"] is None for event in events[::2])
    assert [event["id"] for event in events[::2]] == [event["id"] for event in events[1::2]]
    assert served.log(name, after=20) == events[20:]
    assert served.log(name, after=24) == []


def test_the_same_key_gives_the_same_answer(served):
    name = make(served, "keyed")
    first = served.decide(name, 3, "once")
    assert served.decide(name, 3, "once") == first
    assert len({decision["id"] for decision in first}) == 3
    for body in ({"count": 2}, {"count": 3, "available": ["bond"]}):
        refused = served.ask("POST", f"/v1/bandits/{name}/decisions", body, **{"Idempotency-Key": "once"})
        assert refused.status_code == 409
    assert served.decide(name, 1, "twice") != first[:1]
    assert served.ask("GET", f"/v1/bandits/{name}").json()["decisions"] == 4
    other = make(served, "keyed-too")
    assert served.decide(other, 3, "once")[0]["id"] != first[0]["id"]  # keys are each bandit's own


def test_a_request_without_a_body_asks_for_one_decision(served):
    answer = served.ask("POST", "/v1/bandits/funds/decisions")
    assert len(answer.json()["decisions"]) == 1


def test_only_what_is_available_is_chosen(served):
    name = make(served, "some", arms=["a", "b", "c"])
    made = served.decide(name, 6, available=["b"])
    assert {decision["arm"] for decision in made} == {"b"}
    refused = served.ask("POST", f"/v1/bandits/{name}/decisions", {"available": ["b", "x"]})
    assert refused.status_code == 422
    assert "'x'" in refused.json()["detail"]
    assert [event["available"] for event in served.log(name)] == [["b"]] * 6


def test_many_rewards_all_or_none(served):
    name = make(served, "many")
    ids = [decision["id"] for decision in served.decide(name, 5)]
    sent = [{"id": id, "reward": 0.1} for id in ids]
    place = f"/v1/bandits/{name}/rewards"
    for wrong, status in (({"id": "9-9-0000000000000000", "reward": 1}, 404), ({"id": ids[0], "reward": 9}, 409)):
        assert served.ask("POST", place, {"rewards": [*sent, wrong]}).status_code == status
    assert served.ask("GET", f"/v1/bandits/{name}").json()["rewards"] == 0
    assert served.ask("POST", place, {"rewards": sent[:3]}).json() == {"booked": 3, "repeated": 0}
    assert served.ask("POST", place, {"rewards": [*sent, sent[0]]}).json() == {"booked": 2, "repeated": 4}
    assert served.ask("POST", place, {"rewards": []}).json() == {"booked": 0, "repeated": 0}
    [other] = served.decide(name)
    both = {"rewards": [sent[0], {"id": other["id"], "reward": 0.1}], "each": True}
    assert served.ask("POST", place, both).json() == {"booked": 1, "repeated": 1, "each": [False, True]}


def test_what_is_given_up_takes_no_reward(served):
    name = make(served, "given-up")
    id = served.decide(name)[0]["id"]
    assert served.ask("DELETE", f"/v1/decisions/{id}").json() == {"forgotten": True}
    assert served.ask("DELETE", f"/v1/decisions/{id}").json() == {"forgotten": False}
    assert served.reward(id, 1.0).status_code == 410
    done = served.decide(name)[0]["id"]
    served.reward(done, 1.0)
    assert served.ask("DELETE", f"/v1/decisions/{done}").status_code == 409
    assert [event["kind"] for event in served.log(name)] == ["decision", "forgotten", "decision", "reward"]


def test_leases_run_out(served):
    name = make(served, "leased", lease_seconds=0.3)
    late, good = served.decide(name, 2)
    assert served.reward(good["id"], 0.5).json() == {"booked": True}
    assert served.ask("GET", f"/v1/bandits/{name}/decisions").json()["decisions"] == [late]
    time.sleep(0.35)
    refused = served.reward(late["id"], 0.5)
    assert refused.status_code == 410
    assert "lease has run out" in refused.json()["detail"]
    assert served.reward(good["id"], 0.5).json() == {"booked": False}
    seen = served.ask("GET", f"/v1/bandits/{name}").json()
    assert (seen["open"], seen["expired"], sum(arm["outstanding"] for arm in seen["arms"])) == (0, 1, 0)
    served.decide(name)
    # Nobody asks, and it is given up all the same.
    wait_for(lambda: served.service.writer._loaded[served.service.writer._ids[name]].open == {})


def test_arms_come_and_go(served):
    name = make(served, "arms")
    answer = served.ask("PUT", f"/v1/bandits/{name}/arms/gold%2Fsilver")
    assert (answer.status_code, answer.json()) == (201, {"arm": "gold/silver", "changed": True})
    assert served.ask("PUT", f"/v1/bandits/{name}/arms/gold%2Fsilver").status_code == 200
    chosen = served.decide(name, available=["gold/silver"])[0]
    assert served.ask("DELETE", f"/v1/bandits/{name}/arms/gold%2Fsilver").json()["changed"] is True
    assert served.ask("DELETE", f"/v1/bandits/{name}/arms/gold%2Fsilver").json()["changed"] is False
    assert served.ask("DELETE", f"/v1/bandits/{name}/arms/tin").status_code == 404
    assert served.reward(chosen["id"], 3.0).json() == {"booked": True}  # late, and booked
    served.ask("PUT", f"/v1/bandits/{name}/arms/gold%2Fsilver")
    arms = {arm["name"]: arm for arm in served.ask("GET", f"/v1/bandits/{name}").json()["arms"]}
    assert (arms["gold/silver"]["mean"], arms["gold/silver"]["retired"]) == (3.0, False)
    for arm in ("bond", "stock", "gold%2Fsilver"):
        served.ask("DELETE", f"/v1/bandits/{name}/arms/{arm}")
    refused = served.ask("POST", f"/v1/bandits/{name}/decisions")
    assert (refused.status_code, "all are retired" in refused.json()["detail"]) == (409, True)


def test_another_goal_changes_nothing(served):
    name = make(served, "goals")
    for step in range(40):
        [decision] = served.decide(name, available=[("bond", "stock")[step % 2]])
        served.reward(decision["id"], 1.0 + 0.1 * step if decision["arm"] == "stock" else 0.5 + 0.01 * (step % 3))
    before = served.log(name)
    cautious, bold = (served.ask("GET", f"/v1/bandits/{name}?risk=mean-variance:{rho}").json() for rho in (0.001, 1000))
    assert (cautious["best"]["arm"], bold["best"]["arm"]) == ("bond", "stock")
    assert (cautious["rho"], bold["rho"]) == (0.001, 1000.0)
    assert served.ask("GET", f"/v1/bandits/{name}?risk=nothing").status_code == 422
    assert served.log(name) == before


def test_what_is_not_there(served):
    for method, path in (
        ("GET", "/v1/bandits/none"),
        ("POST", "/v1/bandits/none/decisions"),
        ("GET", "/v1/bandits/none/log"),
        ("GET", "/v1/bandits/no%00ne"),
        ("POST", "/v1/bandits/no%00ne/decisions"),
        ("DELETE", "/v1/bandits/funds/arms/no%00ne"),
        ("GET", "/v1/bandits/none/decisions"),
        ("GET", "/v1/bandits/none/probabilities"),
        ("GET", "/v1/bandits/none/learner"),
        ("PUT", "/v1/bandits/none/arms/a"),
        ("DELETE", "/v1/decisions/1-1-0123456789abcdef"),
        ("DELETE", "/v1/decisions/9999999999-1-0123456789abcdef"),
        ("DELETE", "/v1/decisions/nonsense"),
        ("GET", "/v2"),
    ):
        answer = served.ask(method, path)
        assert answer.status_code == 404, path
        assert answer.json()["detail"].startswith("There is no"), path
    assert served.ask("GET", "/v1/bandits?after=no%00ne").status_code == 422
    wrong = served.ask("DELETE", "/v1/bandits/funds")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET, PATCH, PUT")


def test_bodies_that_are_wrong_get_a_sentence(served):
    for body, sentence in (
        ({**FUNDS, "arms": []}, "'arms' must be a list of at least 1. Got [] instead."),
        ({**FUNDS, "arms": ["a", "a"]}, "There is already an arm 'a'."),
        ({**FUNDS, "lease_seconds": -1}, "'lease_seconds' must be at least 0.001. Got -1 instead."),
        ({**FUNDS, "colour": "red"}, "There is no field 'colour' here."),
        ({"arms": ["a"], "policy": "mvts"}, "'risk' must be given. It is missing."),
        ({**FUNDS, "policy": "mvtss"}, "There is no policy 'mvtss'. Did you mean 'mvts'?"),
        (
            {**FUNDS, "risk": "mean-variance:-1"},
            "The 'rho' parameter of MeanVariance must be a number >= 0. Got -1 instead.",
        ),
        ({**FUNDS, "seed": "7"}, "'seed' must be a whole number. Got '7' instead."),
    ):
        answer = served.ask("PUT", "/v1/bandits/wrong", body)
        assert answer.status_code == 422
        assert answer.json()["detail"] == sentence
    assert served.ask("GET", "/v1/bandits/wrong").status_code == 404


def test_bandits_are_listed_in_parts(served):
    make(served, "zz-1")
    make(served, "zz-2")
    names = [one["name"] for one in served.ask("GET", "/v1/bandits?after=zz").json()["bandits"]]
    assert names == ["zz-1", "zz-2"]
    [one] = served.ask("GET", "/v1/bandits?after=zz&limit=1").json()["bandits"]
    assert (one["name"], one["arms"], one["events"]) == ("zz-1", 2, 0)


def test_operation(served):
    assert served.ask("GET", "/healthz", key=None).json() == {"status": "ok"}
    assert served.ask("GET", "/readyz", key=None).json() == {"status": "ok"}
    text = served.ask("GET", "/metrics").text
    assert 'riskbandits_requests_total{method="GET",path="/readyz",status="200"}' in text
    assert "riskbandits_commit_seconds_count" in text
    assert "funds" not in text
    described = json.loads(served.ask("GET", "/openapi.json", key=None).text)
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (path, method)
            assert operation["description"], (path, method)
    shapes = described["components"]["schemas"]
    assert "example" in shapes["BanditRequest"]
    assert shapes["Problem"]["required"] == ["type", "title", "status", "detail"]
