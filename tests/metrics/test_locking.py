"""Runs that ended on a wrong arm, against a count from the definition."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.api import simulate
from riskbandits.compiling.fingerprints import code_fingerprint
from riskbandits.core.errors import ContractError, ParameterError
from riskbandits.metrics import exploring, locked, settled
from riskbandits.numerics import moments
from riskbandits.policies.cells import LOG_STEP
from riskbandits.results import trace_rows
from riskbandits.simulation import kernel
from riskbandits.simulation.runner import run_in_plain_python
from riskbandits.simulation.trace import Trace


def trace_of(best_arm_plays: list[list[int]], checkpoints: list[int] | None = None) -> Trace:
    """A trace of runs of which it is known at which steps the best arm was played."""
    plays = np.array(best_arm_plays)
    steps = np.arange(1, plays.shape[1] + 1) if checkpoints is None else np.array(checkpoints)
    sums = np.zeros((len(plays), len(steps), kernel.SUMS))
    sums[:, :, kernel.BEST_ARM] = plays.cumsum(axis=1)[:, steps - 1]
    empty = np.zeros((len(plays), 2))
    return Trace("X", {}, rb.problems.zhu_tan_gaussian(), "plain", steps, sums, empty, empty)


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        ([1, 1, 1, 1, 0, 0, 0, 1], True),  # one of the four last
        ([1, 1, 1, 1, 0, 0, 1, 1], False),  # half of them is not less than half
        ([0, 0, 0, 0, 1, 1, 1, 0], False),
        ([1, 1, 1, 0, 1, 0, 0], True),  # an odd number of steps: the second half is the last four
        ([0, 0, 0, 0, 1, 0, 1], False),
        ([0], True),  # no first half
        ([1], False),
    ],
)
def test_by_hand(plays, expected):
    assert locked(trace_of([plays])).tolist() == [expected]


def test_it_needs_half_the_horizon_and_nothing_else():
    plays = [[1, 1, 0, 0], [0, 0, 1, 1]]
    assert locked(trace_of(plays, [2, 4])).tolist() == [True, False]
    with pytest.raises(ParameterError, match=r"half the horizon \(2\) is one"):
        locked(trace_of(plays, [1, 4]))


def test_arms_tied_with_the_best_count():
    problem = rb.Problem(rb.GaussianArms([1.0, 1.0, 0.0], [0.5, 0.5, 0.5]), rb.MeanVariance(1.0))
    [job] = simulate.plan(problem, [rb.UniformRandom()], simulate.RunOptions(101, 40, 3))
    trace = run_in_plain_python(job)
    # Two arms of three are best: about 34 of the last 51 pulls.
    assert locked(trace).mean() < 0.2


THREE = rb.Problem(rb.GaussianArms([1.0, 0.5, 0.4], [0.2, 0.3, 0.9]), rb.MeanVariance(1.0))


def played(arms: list[list[int]], problem: rb.Problem = THREE) -> Trace:
    """A trace of runs in which these arms were played."""
    plays = np.array(arms)
    means = (problem.means - problem.means[problem.best_arm])[plays]
    sums = np.zeros((*plays.shape, kernel.SUMS))
    sums[:, :, kernel.BEST_ARM] = (problem.gaps[plays] == 0.0).cumsum(axis=1)
    sums[:, :, kernel.GAP] = problem.gaps[plays].cumsum(axis=1)
    sums[:, :, kernel.MEAN], sums[:, :, kernel.MEAN_SQUARED] = means.cumsum(axis=1), (means**2).cumsum(axis=1)
    pulls = np.array([np.bincount(row, minlength=problem.size) for row in plays])
    steps = np.arange(1, plays.shape[1] + 1)
    return Trace("X", {}, problem, "plain", steps, sums, pulls, np.zeros(pulls.shape))


def test_settled_on_a_wrong_arm_or_still_exploring():
    turns = [k % 3 for k in range(400)]
    half_wrong = [0] * 200 + [1] * 200
    nearly = [0] * 200 + [1] * 195 + [2] * 5
    two_wrong = [0] * 200 + [1, 2] * 100
    by_turns_of_wrong_and_best = [0] * 200 + [1, 1, 1, 0] * 50
    right = [1] * 200 + [0] * 200
    trace = played([turns, half_wrong, nearly, two_wrong, by_turns_of_wrong_and_best, right])
    assert settled(trace).tolist() == [False, True, True, False, False, False]
    assert exploring(trace).tolist() == [True, False, False, True, True, False]
    assert (locked(trace) == (settled(trace) | exploring(trace))).all()


def test_against_the_pulls_of_the_second_half():
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(300):
        share = rng.dirichlet([0.1] * 3)
        first = rng.choice(3, 200, p=rng.dirichlet([1.0] * 3))
        rows.append([*first, *rng.choice(3, 200, p=share)])
    counts = np.array([np.bincount(row[200:], minlength=3) for row in rows])
    wrong = (counts[:, 1:].max(axis=1) >= 0.95 * 200) & (counts[:, 0] == 0)
    assert 50 < wrong.sum() < 250
    found = settled(played(rows))
    assert (found | ~wrong).all()  # none is missed
    assert (found & ~wrong).sum() <= 6  # and hardly any taken for one: two of the arms have nearly the same mean


def test_a_confidence_bound_that_still_explores_has_not_settled():
    problem = rb.problems.zhu_tan_gaussian(1.0)
    [job] = simulate.plan(problem, [rb.MVLCB.sani()], simulate.RunOptions(300, 4, 3))
    trace = run_in_plain_python(job)
    assert locked(trace).all()
    assert not settled(trace).any()
    assert exploring(trace).all()


def test_a_table_says_whose_interval_counts_no_rare_disasters():
    problem = rb.problems.zhu_tan_gaussian(1.0)
    both = rb.simulate(problem, [rb.VTS(), rb.MVTS()], horizon=30, runs=2, seed=1, progress=False)
    assert "VTS can settle on a wrong arm for good." in str(both)
    assert "for good" not in str(rb.simulate(problem, [rb.MVTS()], horizon=30, runs=2, seed=1, progress=False))


def test_a_run_that_returned_to_a_best_arm_has_not_settled():
    once = [0] * 200 + [1] * 100 + [0] + [1] * 99
    never = [0] * 200 + [1] * 195 + [2] * 5
    trace = played([once, never])
    assert settled(trace).tolist() == [False, True]
    assert exploring(trace).tolist() == [True, False]


def test_a_confidence_bound_whose_next_return_lies_beyond_the_horizon_still_explores():
    """By pulls alone some of these runs have settled: nothing but a wrong arm in their second half."""
    problem = rb.Problem(rb.GaussianArms([0.5, 0.4], [0.2, 0.2]), rb.MeanVariance(1.0))
    [job] = simulate.plan(problem, [rb.IMEDMV()], simulate.RunOptions(200, 60, 3))
    trace = run_in_plain_python(job)
    assert settled(trace._replace(returns_to_all=False)).any()
    assert not settled(trace).any()
    assert (exploring(trace) == locked(trace)).all()


class Returning(NamedTuple):
    """Somebody's own confidence bound."""

    says_so: bool = True

    def score(self, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
        """A bonus that grows with ln t, very slowly."""
        return state[k, 1] + 1e-9 * run[LOG_STEP] / state[k, 0]

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        """The sample moments."""
        moments.add(state, k, reward)

    def first_pulls(self) -> int:
        """One each."""
        return 1

    def returns_to_all(self, risk: Any, arms: Any) -> bool:
        """So it does."""
        return self.says_so


def test_a_bound_of_ones_own_can_say_that_it_returns(tmp_path):
    problem = rb.Problem(rb.GaussianArms([0.5, 0.4], [0.2, 0.2]), rb.MeanVariance(1.0))
    policies = [Returning(), Returning(says_so=False), rb.IMEDMV(), rb.SwitchingAware(Returning())]
    traces = [run_in_plain_python(*simulate.plan(problem, [one], simulate.RunOptions(200, 20, 3))) for one in policies]
    assert [bool(settled(trace).any()) for trace in traces] == [False, True, False, False]
    assert [trace.returns_to_all for trace in traces] == [True, False, True, True]
    result = rb.Result([trace._replace(label=f"{k}") for k, trace in enumerate(traces)], {}, {})
    found = rb.load(result.save(tmp_path / "r.parquet")).traces
    assert [trace.returns_to_all for trace in found] == [True, False, True, True]
    # Headers of files know their policies by class and fields, and only of others' classes what they said.
    assert [len(entry) for entry in trace_rows.about(traces)] == [4, 3, 3, 4]


def test_what_it_says_is_no_part_of_the_code_that_decides_numbers(monkeypatch):
    before = code_fingerprint("", Returning), code_fingerprint("", rb.SwitchingAware)
    monkeypatch.setattr(Returning, "returns_to_all", lambda self, risk, arms: False)
    monkeypatch.delattr(rb.SwitchingAware, "returns_to_all")
    assert (code_fingerprint("", Returning), code_fingerprint("", rb.SwitchingAware)) == before
    monkeypatch.setattr(Returning, "first_pulls", lambda self: 2)
    assert code_fingerprint("", Returning) != before[0]


def test_it_must_say_yes_or_no_before_anything_runs():
    class Unsure(NamedTuple):
        score, learn = Returning.score, Returning.learn

    Unsure.returns_to_all = lambda self, risk, arms: "perhaps"
    with pytest.raises(ContractError, match=r"returns_to_all.* must return True or False. Got 'perhaps'"):
        simulate.plan(rb.problems.zhu_tan_gaussian(), [Unsure()], simulate.RunOptions(10, 1, 0))


def test_a_policy_that_locks_is_caught():
    [job] = simulate.plan(rb.problems.zhu_tan_gaussian(10.0), [rb.VTS()], simulate.RunOptions(400, 10, 3))
    assert 0.3 < settled(run_in_plain_python(job)).mean() < 1.0


# Close or far apart, calm or wild, and rewards of another scale.
PROBLEMS = (
    *(rb.problems.zhu_tan_gaussian(rho) for rho in (0.001, 0.1, 1.0, 10.0, 1000.0)),
    rb.Problem(rb.GaussianArms([0.5, 0.4], [0.2, 0.2]), rb.MeanVariance(1.0)),
    rb.Problem(rb.GaussianArms([100.0, 40.0, 0.0], [900.0, 800.0, 2000.0]), rb.MeanVariance(100.0)),
    rb.Problem(rb.UniformArms([0.0, 0.2, 0.1], [1.0, 0.9, 0.3]), rb.MeanVariance(0.5)),
    rb.problems.zhu_tan_bernoulli(1.0),
    rb.Problem(rb.BernoulliArms([0.5, 0.55]), rb.Mean()),
)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::riskbandits.errors.ScaleWarning")
@pytest.mark.parametrize("horizon", [100, 1000, 10_000])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_no_confidence_bound_settles_while_it_returns_to_every_arm(problem, horizon):
    policies = [rb.MVLCB(), rb.KLUCBMV(), rb.IMEDMV()]
    if problem.risk == rb.Mean():
        policies = [rb.UCB1(), rb.UCBV()]
    elif type(problem.arms) is rb.BernoulliArms:
        policies = [rb.MVLCB(), rb.KLUCBMV.bernoulli(), rb.IMEDMV.bernoulli(), rb.BernoulliLCB.tight()]
    for trace in rb.simulate(problem, policies, horizon=horizon, runs=40, seed=3, progress=False).traces:
        assert not settled(trace).any()
        assert (exploring(trace) == locked(trace)).all()
