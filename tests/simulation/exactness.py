"""Do two methods simulate the same distribution? The problems on which they are compared, and the tests for it."""

from typing import Any, NamedTuple

import numpy as np
from mutants import LEAPT
from scipy import stats

import riskbandits as rb
from riskbandits.metrics import regrets
from riskbandits.policies.support.contract import check_policy_record
from riskbandits.simulation.job import Job, empty_runs
from riskbandits.simulation.kernel import BEST_ARM
from riskbandits.simulation.replications import arguments_of, compiled_kernel, no_signals
from riskbandits.simulation.runner import usable_cores

FAMILY_WISE_ERROR = 0.01


class Case(NamedTuple):
    name: str
    problem: rb.Problem
    horizon: int
    share: float = 1.0  # of the runs that other cases get


def gaussian(means: Any, variances: Any, rho: float) -> rb.Problem:
    return rb.Problem(rb.GaussianArms(means=means, variances=variances), rb.MeanVariance(rho))


def bernoulli(probabilities: Any, rho: float) -> rb.Problem:
    return rb.Problem(rb.BernoulliArms(probabilities=probabilities), rb.MeanVariance(rho))


GAUSSIAN = [
    Case("two arms", gaussian([0.0, 0.5], [0.3, 0.3], 1.0), 3000),
    Case("near tie", gaussian([0.50, 0.51], [0.2, 0.2], 2.0), 2000),
    Case("equal arms", gaussian([0.3] * 3, [0.5] * 3, 1.0), 1000),
    Case("slow tail", gaussian([0.0, 2.0], [0.1, 1.0], 0.4), 2000),
    Case("fifteen arms, tiny rho", rb.problems.zhu_tan_gaussian(0.001), 1000),
    Case("fifteen arms", rb.problems.zhu_tan_gaussian(1.0), 1000),
    Case("fifteen arms, large rho", rb.problems.zhu_tan_gaussian(1000.0), 1000),
    Case("variance only", gaussian([0.0, 5.0, 1.0], [0.2, 0.5, 0.3], 0.0), 1000),
    Case("huge rho", gaussian([0.0, 0.3, 0.5], [0.2, 1.5, 0.3], 1e9), 1000),
    Case("zero variance", gaussian([0.1, 0.1, 0.2, 0.4], [0.0, 0.0, 0.1, 0.3], 1.0), 1000),
    Case("large scale", gaussian([100.0, 103.0, 90.0], [25.0, 30.0, 4.0], 3.0), 1000),
    Case("sixty arms", gaussian(np.r_[1.0, np.linspace(0.0, 0.5, 59)], np.full(60, 0.2), 1.0), 1000, 0.5),
    Case("two hundred arms", gaussian(np.r_[np.zeros(199), 1.0], np.full(200, 0.2), 1.0), 1000, 0.25),
    Case("fewer steps than arms", gaussian(np.linspace(0, 1, 30), np.full(30, 0.1), 1.0), 20),
]

BERNOULLI = [
    Case("two arms", bernoulli([0.2, 0.6], 1.0), 3000),
    Case("near tie", bernoulli([0.50, 0.51], 1.0), 2000),
    Case("equal arms", bernoulli([0.4] * 3, 0.5), 1000),
    Case("both sides of the parabola", bernoulli([0.1, 0.88, 0.5], 0.0), 2000),
    Case("fifteen arms, tiny rho", rb.problems.zhu_tan_bernoulli(0.001), 1000),
    Case("fifteen arms, near tie", rb.problems.zhu_tan_bernoulli(1 / 9), 1000),
    Case("fifteen arms", rb.problems.zhu_tan_bernoulli(4 / 9), 1000),
    Case("huge rho", bernoulli([0.1, 0.3, 0.5], 1e9), 1000),
    Case("constant arms", bernoulli([0.0, 1.0, 0.5, 0.0], 0.3), 1000),
    Case("rare successes", bernoulli([0.01, 0.02, 0.05], 0.2), 1000),
    Case("sixty arms", bernoulli(np.r_[0.95, np.linspace(0.2, 0.5, 59)], 1.0), 1000, 0.5),
    Case("two hundred arms", bernoulli(np.r_[np.full(199, 0.3), 0.9], 1.0), 1000, 0.25),
    Case("fewer steps than arms", bernoulli(np.linspace(0, 1, 30), 1.0), 20),
]

CONSTANT_LEADER = Case("constant leader", gaussian([1.0, 0.0], [0.0, 0.3], 1.0), 3000)

# Where runs leap, for most of their steps: a clear best arm, soon found.
LEAPT_GAUSSIAN = [
    Case("clear best", gaussian([0.0, 2.0], [0.3, 0.3], 1.0), 3000),
    Case("clear variance", gaussian([0.0, 0.1, 0.2], [0.1, 2.0, 3.0], 0.01), 3000),
    Case("two arms", gaussian([0.0, 1.0], [0.3, 0.3], 1.0), 4000),
    Case("six arms", gaussian(np.arange(6.0), np.full(6, 0.3), 1.0), 3000, 0.5),
    Case("large rho", gaussian([0.0, 1.0, 2.0], [0.3, 0.5, 1.0], 1000.0), 3000),
    Case("wild best", gaussian([2.0, 0.0], [1.0, 0.1], 3.0), 4000),
    CONSTANT_LEADER,
    Case("fifteen arms, tiny rho", rb.problems.zhu_tan_gaussian(0.001), 20_000, 0.1),
]
LEAPT_BERNOULLI = [
    Case("clear best", bernoulli([0.1, 0.9], 1.0), 3000),
    Case("left of the parabola", bernoulli([0.02, 0.5], 0.1), 3000),
    Case("rare failures", bernoulli([0.99, 0.5, 0.3], 0.5), 4000),
    Case("two arms", bernoulli([0.3, 0.8], 2.0), 4000),
    Case("constant leader", bernoulli([1.0, 0.4], 1.0), 12_000, 0.25),
    Case("five arms", bernoulli([0.05, 0.2, 0.35, 0.5, 0.95], 1.0), 6000, 0.25),
]

# Beliefs of a policy about the best arm and the fourteen others that stand still: some visits in a hundred steps.
FROZEN = {
    "MVTS": ([200.0, 0.5, 60.0], [30.0, 0.0, 9.0]),  # pulls, mean, sum of squares
    "MTS": ([200.0, 0.5, 60.0], [30.0, 0.0, 9.0]),
    "VTS": ([200.0, 0.5, 60.0], [30.0, 0.3, 9.0]),
    "NGTS": ([200.0, 0.5, 60.0, 0.3, 0.1], [30.0, 0.2, 9.0, 0.3, 0.1]),  # and the unit, and what is spent of the draws
    "NGTS:paper": ([200.0, 0.5, 60.0, 0.0, 0.0], [30.0, 0.2, 9.0, 0.0, 0.0]),
    "NGTS:honda_takemura": ([200.0, 0.5, 60.0, 0.0, 0.0], [30.0, 0.2, 9.0, 0.0, 0.0]),
    "SwitchingAware": ([200.0, 0.5, 60.0, 0.3, 0.1], [30.0, 0.2, 9.0, 0.3, 0.1]),
    "BMVTS": ([200.0, 160.0], [30.0, 17.0]),  # pulls, successes
    "SwitchingAware:bernoulli": ([200.0, 160.0], [30.0, 17.0]),
    "GaussianTS": ([200.0, 0.5, 60.0], [30.0, 0.0, 9.0]),
    "BernoulliTS": ([200.0, 160.0], [30.0, 15.0]),
}
FOR_BERNOULLI = ("BMVTS", "SwitchingAware:bernoulli", "BernoulliTS")
FOR_MEAN = ("GaussianTS", "BernoulliTS")
STANDING_STILL = {
    name: Case(
        "standing still",
        bernoulli([0.8] + [0.5] * 14, 1.0) if name in FOR_BERNOULLI else gaussian([0.5] + [0.0] * 14, [0.3] * 15, 1.0),
        500,
    )
    for name in FROZEN
}


# Beliefs under which visits are rarer, so that runs leap from one to the next.
RARELY_VISITED = {
    "MVTS": ([1e4, 2.0, 3e3], [12.0, 1.3, 3.6]),
    "MTS": ([1e4, 2.0, 3e3], [12.0, 1.25, 3.6]),
    "VTS": ([1e4, 2.0, 3e3], [14.0, 2.0, 10.0]),
    "NGTS": ([1e4, 2.0, 3e3, 0.3, 0.6], [8.0, 1.4, 4.0, 0.3, 0.6]),
    "NGTS:paper": ([1e4, 2.0, 3e3, 0.0, 0.0], [8.0, 1.5, 4.0, 0.0, 0.0]),
    "NGTS:honda_takemura": ([1e4, 2.0, 3e3, 0.0, 0.0], [8.0, 1.5, 4.0, 0.0, 0.0]),
    "SwitchingAware": ([1e4, 2.0, 3e3, 0.3, 0.6], [8.0, 1.4, 4.0, 0.3, 0.6]),
    "BMVTS": ([1e4, 9e3], [12.0, 8.0]),
    "SwitchingAware:bernoulli": ([1e4, 9e3], [12.0, 7.0]),
    "GaussianTS": ([1e4, 2.0, 3e3], [12.0, 1.2, 3.6]),
    "BernoulliTS": ([1e4, 9e3], [12.0, 8.0]),
}
RARE_VISITS = {
    name: Case(
        "rare visits",
        bernoulli([0.9] + [0.5] * 2, 1.0) if name in FOR_BERNOULLI else gaussian([2.0] + [0.0] * 2, [0.3] * 3, 1.0),
        2000,
    )
    for name in RARELY_VISITED
}


# A leader that was luckier than its arm is: its mean slides towards the truth, out of a walk's margin within a leap.
SLIDING = Case("sliding", gaussian([-20.0, 0.0], [10.0, 0.01], 1000.0), 3000)
LUCKY = ([50.0, 60.0, 500.0], [1e4, 0.0, 100.0])  # what MVTS believes of both arms after their first pulls


def cases_of(name: str, cases: list[Case]) -> list[Case]:
    """Cases as a policy needs them: some see the mean alone, and need a clear one to leap."""
    if name not in FOR_MEAN:
        return cases
    found = [case._replace(problem=rb.Problem(case.problem.arms, rb.Mean())) for case in cases]
    return [case for case in found if case.name not in ("clear variance", "fifteen arms, tiny rho")]


class Outcome(NamedTuple):
    regret: np.ndarray  # (runs,) at the horizon
    pulls: np.ndarray  # (runs, arms) at the horizon
    late: np.ndarray  # (runs,) pulls of worse arms in the last three quarters: not blurred by the first steps


def outcome(policy: Any, case: Case, method: str, runs: int, seed: int, **how: Any) -> Outcome:
    result = rb.simulate(
        case.problem,
        [policy],
        horizon=case.horizon,
        runs=int(runs * case.share),
        seed=seed,
        checkpoints=[case.horizon // 4, case.horizon],
        method=method,
        workers=usable_cores(),
        progress=False,
        **how,
    )
    trace = result.traces[0]
    best = trace.sums[:, :, BEST_ARM]
    late = case.horizon - case.horizon // 4 - (best[:, 1] - best[:, 0])
    # Rewards 0 and 1 make few different regrets, which the rounding of sums must not tell apart.
    return Outcome(regrets.regret(trace)[:, -1].round(6), trace.pulls.astype(float), late)


def share_leapt(policy: Any, case: Case, runs: int = 40) -> float:
    """Which share of its steps a run leaps, of a policy that counts them in a cell of the run."""
    job = Job("", check_policy_record(policy), case.problem, np.array([case.horizon]), runs, 13, "lazy")
    play, arguments = compiled_kernel(job), arguments_of(job, empty_runs(job, runs))
    leapt = 0.0
    for replication in range(runs):
        run, given = arguments(replication, replication)
        play(*given, *no_signals())
        leapt += run[LEAPT]
    return leapt / (runs * case.horizon)


def p_values(a: Outcome, b: Outcome) -> list[float]:
    """Kolmogorov-Smirnov on the regret and on the pulls of each arm, Wald on the mean pulls and on the late ones."""
    pairs = zip([a.regret, *a.pulls.T], [b.regret, *b.pulls.T], strict=True)
    ks = [stats.ks_2samp(x, y, method="asymp").pvalue for x, y in pairs]
    return [wald(a.pulls, b.pulls), wald(a.late[:, None], b.late[:, None]), *ks]


def wald(a: np.ndarray, b: np.ndarray) -> float:
    """The p-value of equal means of dependent counts: chi-square with as many degrees as their covariance has rank."""
    difference = a.mean(axis=0) - b.mean(axis=0)
    covariance = np.atleast_2d(np.cov(a.T) / len(a) + np.cov(b.T) / len(b))
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-9 * max(values.max(), 1e-30)
    if not kept.any():
        return 1.0 if np.allclose(difference, 0.0) else 0.0
    square = float(((vectors.T @ difference)[kept] ** 2 / values[kept]).sum())
    return float(stats.chi2.sf(square, int(kept.sum())))


def holm_rejects(p: list[float], error: float = FAMILY_WISE_ERROR) -> bool:
    """Whether Holm's procedure rejects any hypothesis of the family: its first step decides."""
    return min(p) < error / len(p)
