from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import RefusalError, RiskBanditsError
from riskbandits.identification.samples import fill, run_samples


@pytest.fixture
def problem():
    return rb.Problem(rb.GaussianArms([0.0, 1.0, 0.9], [1.0, 1.0, 1.0]), rb.CVaR(0.3))


def test_the_same_seed_gives_the_same_answer(problem):
    goal = {"budget": 60, "runs": 30, "progress": False}
    found = [rb.identify(problem, rb.SuccessiveRejects(), seed=seed, **goal) for seed in (1, 1, 2)]
    assert np.array_equal(found[0].chosen, found[1].chosen)
    assert not np.array_equal(found[0].chosen, found[2].chosen)


def test_more_runs_begin_with_the_same_runs(problem):
    few = rb.identify(problem, rb.SuccessiveRejects(), budget=60, runs=10, progress=False)
    many = rb.identify(problem, rb.SuccessiveRejects(), budget=60, runs=30, progress=False)
    assert np.array_equal(few.chosen, many.chosen[:10])


def test_a_larger_budget_errs_less(problem):
    small, large = (
        rb.identify(problem, rb.SuccessiveRejects(), budget=n, runs=200, progress=False) for n in (30, 3000)
    )
    assert large.interval[1] < small.interval[0]
    assert (large.cost <= 3000).all()


def test_the_interval_is_that_of_clopper_and_pearson(problem):
    found = rb.identify(problem, rb.SuccessiveRejects(), budget=3000, runs=20, progress=False)
    found = found._replace(correct=np.array([False] * 2 + [True] * 18))
    assert found.interval == pytest.approx((0.0123485, 0.3169827), abs=1e-6)
    assert found._replace(correct=np.ones(20, dtype=bool)).interval[0] == 0.0


@pytest.mark.parametrize(
    ("rule", "goal", "words"),
    [
        (rb.SuccessiveRejects(), {}, "give budget=N"),
        (rb.SuccessiveRejects(), {"budget": 100, "confidence": 0.9}, "no confidence"),
        (rb.SuccessiveRejects(), {"budget": 3}, "more than the number of arms"),
        (rb.SuccessiveRejects(), {"budget": 1.5}, "The budget must be a whole number"),
        (rb.QuantileElimination(), {"confidence": 0.9}, "ValueAtRisk only"),
        (rb.MeanVarianceElimination(), {"confidence": 0.9}, "MeanVariance only"),
        (rb.QuantileElimination(), {}, "give confidence=P"),
        (rb.QuantileElimination(), {"confidence": 1.0}, "between 0 and 1"),
        (rb.QuantileElimination(within=-1.0), {"confidence": 0.9}, "within"),
        ("successive", {"budget": 10}, "rule"),
    ],
)
def test_bad_input(problem, rule, goal, words):
    with pytest.raises(RiskBanditsError, match=words):
        rb.identify(problem, rule, runs=2, progress=False, **goal)


def test_a_rule_of_ones_own(problem):
    from typing import NamedTuple

    class FirstReward(NamedTuple):
        """The arm whose first reward is largest."""

        def choose(self, samples, risk, budget, confidence):
            return rb.identification.Decision(int(np.argmax([samples.first(k, 1)[0] for k in range(samples.size)])))

    found = rb.identify(problem, FirstReward(), budget=3, runs=20, progress=False)
    assert (found.pulls == 1).all()
    assert 0 < found.errors < 20


def test_recorded_rewards_come_in_blocks():
    """With blocks that never end the rewards of an arm are the record, from somewhere on."""
    records = np.concatenate([np.arange(50.0), np.arange(50.0) + 100])
    problem = rb.Problem(rb.DataArms(records, [50, 100], block=1e12), rb.Mean())
    samples = run_samples(problem, fill, 1, (2,), 3)
    for k in range(2):
        first = samples.first(k, 30).copy()
        whole = samples.first(k, 80)
        assert np.array_equal(whole[:30], first)  # what was drawn later goes on where it ended
        assert set(np.diff(whole)) == {1.0, -49.0}


def test_refusals_are_one_sentence(problem):
    with pytest.raises(RefusalError) as raised:
        rb.identify(problem, rb.SuccessiveRejects(), progress=False)
    assert str(raised.value).count(".") == 1


ARMS = """
from typing import Any, NamedTuple

class Inner(NamedTuple):
    '''What an arm pays.'''
    def pay(self, k):
        return 1.0 + k

class Outer(NamedTuple):
    '''Arms that hold a record.'''
    inner: Any = Inner()
    def draw(self, k, rng):
        return self.inner.pay(k)
    def mean(self, k):
        return self.inner.pay(k)
    def variance(self, k):
        return 0.0
    def size(self):
        return 2
"""


def test_a_record_inside_arms_is_never_answered_with_old_code(run_python, tmp_path):
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import numpy as np, riskbandits as rb
from nested_arms import Outer
from riskbandits.identification.samples import compiled_fill
problem = rb.Problem(Outer(), rb.Mean())
rewards = np.zeros(1)
compiled_fill(problem)(problem.arms, 1, np.random.default_rng(0), np.zeros((2, 2)), rewards)
print(rewards[0])
"""
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    (tmp_path / "nested_arms.py").write_text(ARMS)
    assert float(run_python(code, **settings)) == 2.0
    (tmp_path / "nested_arms.py").write_text(ARMS.replace("1.0 + k", "7.0 - k"))
    assert float(run_python(code, **settings)) == 6.0
