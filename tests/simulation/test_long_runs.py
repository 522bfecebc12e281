"""Runs of up to 2^53 steps: exact integers, sums that keep their precision, and refusals beyond."""

import math
from fractions import Fraction

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import ParameterError, RefusalError
from riskbandits.metrics import regrets
from riskbandits.policies.cells import STEP
from riskbandits.simulation.job import Job, empty_runs
from riskbandits.simulation.kernel import BEST_ARM, REWARD, REWARD_SQUARED
from riskbandits.simulation.methods import BATCHED, METHODS
from riskbandits.simulation.replications import arguments_of, compiled_kernel, no_signals
from riskbandits.simulation.selection import batched

PROBLEM = rb.problems.zhu_tan_gaussian(1.0)


def job_of(policy, problem=PROBLEM, horizon=10**12, method="lazy", **more):
    return Job("", policy, problem, np.array([10**6, horizon]), 1, 5, method, **more)


@pytest.mark.parametrize("horizon", [10**12, 10**15])
def test_long_runs_are_counted_exactly(horizon):
    result = rb.simulate(PROBLEM, [rb.MVTS()], horizon=horizon, runs=2, seed=1, checkpoints=[horizon], progress=False)
    trace = result.traces[0]
    assert (trace.pulls.sum(axis=1) == horizon).all()
    best = trace.pulls[:, PROBLEM.best_arm]
    assert (trace.sums[:, -1, BEST_ARM] == best).all()
    assert (best > 0.999 * horizon).all()
    # The exact pseudo-regret, from the pulls in fractions.
    for run in range(2):
        pulls = [int(count) for count in trace.pulls[run]]
        gaps = [Fraction(gap) for gap in PROBLEM.gaps]
        means = [Fraction(mean) for mean in PROBLEM.means]
        first = sum(t * mean for t, mean in zip(pulls, means, strict=True))
        spread = sum(t * mean * mean for t, mean in zip(pulls, means, strict=True)) - first * first / horizon
        exact = float(sum(t * gap for t, gap in zip(pulls, gaps, strict=True)) + spread)
        assert regrets.exact_pseudo_regret(trace)[run, -1] == pytest.approx(exact, rel=1e-9)


def test_sums_keep_what_rounding_takes():
    """A trillion and many small numbers: as exact as `math.fsum`, where plain addition is off."""
    selector = batched.new(2, None, None, None)
    rng = np.random.default_rng(3)
    numbers = [1e12, *rng.standard_normal(3000), *(1e-5 * rng.standard_normal(3000)), -1e12 + 0.1]
    for which in (REWARD, REWARD_SQUARED):
        total = 0.0
        for number in numbers:
            total = selector.add(total, number, which)
        assert total == pytest.approx(math.fsum(numbers), abs=1e-13)
        assert abs(sum(numbers) - math.fsum(numbers)) > 1e-4


def test_horizons_beyond_whole_floats_are_refused():
    with pytest.raises(ParameterError, match="9007199254740992"):
        rb.simulate(PROBLEM, [rb.MVTS()], horizon=2**53 + 1, progress=False)


def test_a_long_run_looks_at_the_stop_flag():
    job = job_of(rb.MVTS(), rb.problems.zhu_tan_gaussian(0.3), 10**15)
    play, runs = compiled_kernel(job), empty_runs(job, 1)
    run, arguments = arguments_of(job, runs)(0, 0)
    progress, stop = no_signals()
    stop[0] = 1
    play(*arguments, progress, stop)
    assert 0 < progress[0] == run[STEP] < 10**15


class OwnDraws(rb.GaussianArms):
    """Arms of one's own around Gaussian ones, whose leaps would not be theirs."""

    def draw(self, k, rng):
        return self.means[k] + 1.0


def test_who_leaps():
    uniform = rb.Problem(rb.UniformArms([0.0, 0.1], [1.0, 0.9]), rb.MeanVariance(1.0))
    own = rb.Problem(OwnDraws([0.0, 1.0], [1.0, 1.0]), rb.MeanVariance(1.0))
    assert job_of(rb.MVTS()).played_by is BATCHED
    assert job_of(rb.SwitchingAware()).played_by is BATCHED
    assert job_of(rb.MVTS(), method="walk").played_by is METHODS["walk"]
    assert job_of(rb.MVTS(), common_rewards=True).played_by is METHODS["lazy"]
    assert job_of(rb.MVTS(), uniform).played_by is METHODS["lazy"]
    assert job_of(rb.MVTS(), own).played_by is METHODS["lazy"]
    with pytest.raises(RefusalError, match="UniformArms pay rewards one by one"):
        rb.simulate(uniform, [rb.MVTS()], horizon=50, method="leap", progress=False)
    with pytest.raises(RefusalError, match="common_rewards=False"):
        rb.compare("paper", [rb.MVTS()], horizon=50, runs=4, method="leap", progress=False)
