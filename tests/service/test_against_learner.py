"""Any sequence of requests against a plain learner as the model: the same choices, counts and moments."""

from __future__ import annotations

import tempfile

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

import riskbandits as rb
from serving.running import FUNDS, Running

ARMS = ["bond", "stock", "gold"]
REWARDS = st.sampled_from([-1.0, 0.0, 0.02, 0.5, 1.0, 3.0])
SHARED: list[Running] = []  # instances are shared by the sequences, each of which has a bandit of its own
NUMBERS = iter(range(10**9))


class Service(RuleBasedStateMachine):
    """The service does what a learner does."""

    open = Bundle("open")
    settled = Bundle("settled")

    @initialize(seed=st.integers(0, 5))
    def begin(self, seed):
        self.running = SHARED[0]
        self.name = f"machine-{next(NUMBERS)}"
        body = {**FUNDS, "arms": ARMS, "seed": seed}
        assert self.running.ask("PUT", f"/v1/bandits/{self.name}", body).status_code == 201
        self.model = rb.Learner(rb.SwitchingAware(), ARMS, rb.MeanVariance(1.0), seed=seed)
        self.ids = {}  # of the service: of the model
        self.keys = {}
        self.rewards = 0
        self.baseline = None

    @rule(target=open, limited=st.none() | st.lists(st.sampled_from(ARMS), min_size=1, unique=True))
    def decide(self, limited):
        here = [arm for arm in self.model.arms if limited is None or arm in limited]
        if not here or (limited and self.baseline not in (None, *limited)) or set(limited or ()) - set(self.model.arms):
            answer = self.running.ask("POST", f"/v1/bandits/{self.name}/decisions", {"available": limited})
            assert answer.status_code in (409, 422)
            return None
        [made] = self.running.decide(self.name, available=limited)
        expected = self.model.decide(available=limited if self.baseline is None else [self.baseline])
        assert made["arm"] == expected.arm
        self.ids[made["id"]] = expected.id
        return made["id"]

    @rule(count=st.integers(1, 4), key=st.sampled_from("abc"))
    def decide_many(self, count, key):
        if not self.model.arms:
            return
        if key in self.keys:
            before, made = self.keys[key]
            if before == count:
                assert self.running.decide(self.name, count, key) == made
            else:
                answer = self.running.ask(
                    "POST", f"/v1/bandits/{self.name}/decisions", {"count": count}, **{"Idempotency-Key": key}
                )
                assert answer.status_code == 409
            return
        made = self.running.decide(self.name, count, key)
        expected = [self.model.decide(available=self.baseline and [self.baseline]) for _ in range(count)]
        assert [one["arm"] for one in made] == [one.arm for one in expected]
        self.keys[key] = count, made

    @rule(target=settled, id=consumes(open), reward=REWARDS)
    def answer(self, id, reward):
        if id is None:
            return None
        assert self.running.reward(id, reward).json() == {"booked": True}
        assert self.model.answer(self.ids[id], reward) is True
        self.rewards += 1
        return id, reward

    @rule(one=settled, other=REWARDS)
    def answer_again(self, one, other):
        if one is None:
            return
        id, reward = one
        answer = self.running.reward(id, other)
        if other == reward:
            assert answer.json() == {"booked": False}
            assert self.model.answer(self.ids[id], other) is False
        else:
            assert answer.status_code == 409
            with pytest.raises(rb.RiskBanditsError):
                self.model.answer(self.ids[id], other)

    @rule(id=consumes(open))
    def forget(self, id):
        if id is not None:
            assert self.running.ask("DELETE", f"/v1/decisions/{id}").json() == {"forgotten": True}
            self.model.forget(self.ids[id])
            assert self.running.reward(id, 1.0).status_code == 410

    @rule(arm=st.sampled_from(ARMS))
    def retire_or_bring_back(self, arm):
        if arm == self.baseline:
            assert self.running.ask("DELETE", f"/v1/bandits/{self.name}/arms/{arm}").status_code == 409
            return
        here = arm in self.model.arms
        method, change = ("DELETE", self.model.retire) if here else ("PUT", self.model.add)
        assert self.running.ask(method, f"/v1/bandits/{self.name}/arms/{arm}").json()["changed"] is True
        change(arm)

    @rule(rho=st.sampled_from([0.1, 1.0, 20.0]))
    def change_the_goal(self, rho):
        answer = self.running.ask("PATCH", f"/v1/bandits/{self.name}", {"risk": f"mean-variance:{rho:g}"})
        assert answer.status_code == 200
        self.model = self.model.with_risk(rb.MeanVariance(rho))

    @rule(arm=st.none() | st.sampled_from(ARMS))
    def pause_or_resume(self, arm):
        body = {"paused": arm is not None, "baseline": arm}
        answer = self.running.ask("PATCH", f"/v1/bandits/{self.name}", body)
        if arm is None or arm in self.model.arms:
            assert answer.status_code == 200
            self.baseline = arm
        else:
            assert answer.status_code == 422

    @rule()
    def forget_what_is_in_memory(self):
        """As a restart would: from the snapshot and the log."""
        writer = self.running.service.writer
        for bandit in list(writer._loaded.values()):
            bandit.snapshot_due = bandit.sequence
        self.running.ask("GET", f"/v1/bandits/{self.name}/log")
        writer._loaded.clear()

    @invariant()
    def the_same_is_known(self):
        if not hasattr(self, "model"):
            return
        seen = self.running.ask("GET", f"/v1/bandits/{self.name}").json()
        table = self.model.summary().set_index("arm")
        assert seen["decisions"] == self.model.decisions
        assert seen["rewards"] == self.rewards
        assert seen["open"] == len(self.model.open_decisions())
        for arm in seen["arms"]:
            line = table.loc[arm["name"]]
            assert (arm["rewards"], arm["outstanding"], arm["retired"]) == tuple(
                line[["told", "outstanding", "retired"]]
            )
            assert arm["mean"] is None if line["told"] == 0 else arm["mean"] == line["mean"]
            assert arm["variance"] is None if line["told"] == 0 else arm["variance"] == line["variance"]


@pytest.fixture
def instance():
    with tempfile.TemporaryDirectory() as folder:
        SHARED[:] = [Running(f"sqlite:///{folder}/test.db")]
        yield
        SHARED.pop().stop()


def run(examples, steps):
    usual = settings(
        derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=True
    )
    run_state_machine_as_test(Service, settings=settings(usual, max_examples=examples, stateful_step_count=steps))


def test_a_few_sequences(instance):
    run(4, 15)


@pytest.mark.full
def test_200_sequences(instance):
    run(200, 40)
