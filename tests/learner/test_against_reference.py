"""Random calls in any order, with restarts and crashes: a learner counts what plain lists count."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import riskbandits as rb
from reference_learner import CALLS, ReferenceLearner, live
from riskbandits.compiling import jit


@pytest.mark.parametrize(
    ("policy", "calls"),
    [
        (rb.MVTS(), 4000),
        pytest.param(rb.MVTS(), 1_000_000, marks=pytest.mark.full),
        pytest.param(rb.UUCB(), 100_000, marks=pytest.mark.full),
    ],
    ids=str,
)
def test_many_calls(policy, calls, tmp_path):
    live(ReferenceLearner(policy, seed=1, file=tmp_path / "learner.json"), calls, seed=2, checks=40)


class Machine(RuleBasedStateMachine):
    """Fewer calls, which hypothesis shrinks where something is wrong."""

    @initialize(remember=st.integers(0, 5))
    def begin(self, remember):
        self.reference = ReferenceLearner(rb.NGTS(), 0, remember)

    @rule(
        calls=st.lists(
            st.tuples(st.sampled_from(CALLS), st.integers(0, 30), st.sampled_from([0.0, 1.0, -2.5])), max_size=12
        )
    )
    def some_calls(self, calls):
        for call, n, reward in calls:
            call(self.reference, n, reward)

    @invariant()
    def the_counts_agree(self):
        if hasattr(self, "reference"):
            self.reference.check()


class TestMachine(Machine.TestCase):
    settings = settings(
        max_examples=20, stateful_step_count=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
    )

    @pytest.fixture(autouse=True)
    def plain_python(self, monkeypatch):
        monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)
