"""All that is simulated for the paper, as data; running it, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from riskbandits import problems
from riskbandits.api import sweep
from riskbandits.api.execution import RunOptions
from riskbandits.arms import GaussianArms
from riskbandits.policies import BMVTS, MTS, MVLCB, MVTS, NGTS, VTS, BernoulliLCB, SwitchingAware
from riskbandits.problem import Problem
from riskbandits.results.sweep_result import SweepResult
from riskbandits.risk import MeanVariance
from riskbandits.simulation.checkpoints import check_checkpoints
from riskbandits.simulation.kernel import SUMS
from riskbandits.simulation.methods import MOST_SINGLE_STEPS

Outcomes = Mapping[str, SweepResult]


class Experiment(NamedTuple):
    """Policies on a family of problems, one per value of rho. Figures and claims are views of its outcome.

    With another measure `rhos` are the values of its parameter, by whose name the outcome calls them.
    """

    title: str
    problem_for_rho: Callable[[Any], Problem]
    rhos: tuple[float, ...]
    policies: tuple[Any, ...]
    horizon: int = 30_000
    runs: int = 500
    checkpoints: tuple[int, ...] | None = None  # those of `simulate`: the paper's are among them
    seconds: float | None = None  # of a run, about, on one core; where nothing is said, by the number of its steps

    def smaller(self, share: float, horizon: int | None = None) -> Experiment:
        """The same with that share of the runs (at least 2), and no step after `horizon`."""
        last = self.horizon if horizon is None else min(self.horizon, horizon)
        kept = None if self.checkpoints is None else tuple(step for step in self.checkpoints if step <= last)
        return self._replace(runs=max(2, round(self.runs * share)), horizon=last, checkpoints=kept)


def in_units(rho: float) -> Problem:
    """The paper's arms at rho = 1 with rewards multiplied by rho, at that rho: every regret is rho^2 times as large.

    >>> in_units(10.0).best_arm == in_units(1.0).best_arm
    True
    >>> (in_units(10.0).gaps / in_units(1.0).gaps.clip(1e-9)).round(6).max()
    np.float64(100.0)
    """
    arms = problems.zhu_tan_gaussian(1.0).arms
    means = [rho * mean for mean in arms.means]
    return Problem(GaussianArms(means, [rho * rho * variance for variance in arms.variances]), MeanVariance(rho))


GAUSSIAN_RHOS = problems.ZHU_TAN_RHOS
BERNOULLI_RHOS = problems.ZHU_TAN_BERNOULLI_RHOS

# What the figures show: the paper's arms, values of rho and policies, with every preset of the baselines.
EXPERIMENTS = {
    "gaussian": Experiment(
        title="Gaussian arms",
        problem_for_rho=problems.zhu_tan_gaussian,
        rhos=GAUSSIAN_RHOS,
        policies=(MTS(), VTS(), MVTS(), MVLCB.authors(), MVLCB.sani(), MVLCB.vakili()),
    ),
    "bernoulli": Experiment(
        title="Bernoulli arms",
        problem_for_rho=problems.zhu_tan_bernoulli,
        rhos=BERNOULLI_RHOS,
        policies=(BMVTS(), BernoulliLCB.authors(), BernoulliLCB.sani(), BernoulliLCB.tight()),
    ),
}

# Better policies on the same arms, for the report: not part of the paper, and only the horizon is shown.
_GAUSSIAN, _BERNOULLI = (one._replace(runs=250, checkpoints=(15_000, 30_000)) for one in EXPERIMENTS.values())
BETTER = {
    "better-gaussian": _GAUSSIAN._replace(title="Gaussian arms, better policies", policies=(SwitchingAware(), NGTS())),
    "better-bernoulli": _BERNOULLI._replace(
        title="Bernoulli arms, better policies", policies=(SwitchingAware.bernoulli(),)
    ),
}

# More runs where the paper's 500 are too few to tell policies apart, or to tell that they are alike. They have the
# seeds of the figures, so that a store gives the first 500 runs and only the others are simulated.
CLOSE_CALLS = {
    "gaussian-small-rho": EXPERIMENTS["gaussian"]._replace(
        title="Gaussian arms at rho = 0.001, more runs", rhos=(0.001,), policies=(VTS(), MVTS()), runs=2000
    ),
    # Many runs of VTS settle on a wrong arm, and MTS may do so rarely: their means need the most runs of all.
    "gaussian-rho-1": EXPERIMENTS["gaussian"]._replace(
        title="Gaussian arms at rho = 1, more runs of VTS", rhos=(1.0,), policies=(VTS(),), runs=10_000, seconds=8e-4
    ),
    "gaussian-some-rho": EXPERIMENTS["gaussian"]._replace(
        title="Gaussian arms at rho = 0.1 and 0.3, more runs of VTS",
        rhos=(0.1, 0.3),
        policies=(VTS(),),
        runs=10_000,
        checkpoints=(15_000, 30_000),  # no claim looks at other steps, and the store stays smaller
        seconds=8e-4,
    ),
    # One run of MV-LCB in hundreds costs five times as much as the others.
    "gaussian-large-rho": EXPERIMENTS["gaussian"]._replace(
        title="Gaussian arms at rho = 300 and 1000, more runs",
        rhos=(300.0, 1000.0),
        policies=(MVTS(), MVLCB.sani()),
        runs=2000,
        seconds=2.5e-3,
    ),
    "gaussian-rho-1-mts": EXPERIMENTS["gaussian"]._replace(
        title="Gaussian arms at rho = 1, more runs of MTS", rhos=(1.0,), policies=(MTS(),), runs=5000
    ),
}

UNBIASED = {
    "unbiased": Experiment(
        title="Gaussian arms, unbiased sample variances",
        problem_for_rho=problems.zhu_tan_gaussian,
        rhos=(1.0, 1000.0),
        policies=(MTS(unbiased=True), MVTS(unbiased=True), MVLCB(unbiased=True)),
        horizon=10_000,
        runs=200,
        checkpoints=(5_000, 10_000),
    ),
    "unbiased-small-rho": Experiment(
        title="Gaussian arms at rho = 0.001, unbiased sample variances",
        problem_for_rho=problems.zhu_tan_gaussian,
        rhos=(0.001,),
        policies=(VTS(unbiased=True), MVTS(unbiased=True), MVLCB(unbiased=True)),
        horizon=10_000,
        runs=800,
        checkpoints=(5_000, 10_000),
    ),
}

UNITS = {
    "units": Experiment(
        title="Gaussian arms in other units",
        problem_for_rho=in_units,
        rhos=(0.1, 1.0, 10.0),
        policies=(MTS(), VTS(), MVTS()),
        horizon=10_000,
    ),
}


def run(
    experiments: Mapping[str, Experiment],
    seed: int = 0,
    title: str = "Simulating",
    **how: Any,
) -> dict[str, SweepResult]:
    """Simulate experiments as one job with one progress bar; `how` it is done, `RunOptions` says.

    >>> small = EXPERIMENTS["bernoulli"]._replace(rhos=(0.5,), horizon=50, runs=2)
    >>> run({"bernoulli": small}, progress=False)["bernoulli"].values
    [0.5]
    """
    if not experiments:  # nothing to do: no store is opened
        return {}
    execution = RunOptions(**how).execution()
    planned = {name: _plan(experiment, seed, execution.method) for name, experiment in experiments.items()}
    traces = iter(execution.run([job for one in planned.values() for job in one.jobs], title))
    return {name: sweep.merge_results(one, traces) for name, one in planned.items()}


def _plan(experiment: Experiment, seed: int, method: Any) -> sweep.SweepPlan:
    options = RunOptions(experiment.horizon, experiment.runs, seed, experiment.checkpoints, method)
    return sweep.plan(experiment.problem_for_rho, experiment.rhos, experiment.policies, options)


# Measured on the whole paper: a step on one core, drawing on one core, what is left of a number of eight bytes in a
# store, and figures, tables and report together.
SECONDS_PER_STEP = 5e-8
DRAWING_SECONDS = 60.0
BYTES_PER_NUMBER = 4.4
FILES_MEGABYTES = 16.0


class Cost(NamedTuple):
    """The expected cost of simulating experiments and drawing their figures."""

    steps: int  # without those that are leapt
    seconds: float  # on so many cores
    stored_megabytes: float


def estimate_cost(experiments: Mapping[str, Experiment], cores: int) -> Cost:
    """Estimate the cost of experiments on so many cores."""
    steps, numbers, seconds = 0, 0, DRAWING_SECONDS
    for one in experiments.values():
        runs = len(one.rhos) * len(one.policies) * one.runs
        arms = one.problem_for_rho(one.rhos[0]).size
        walked = runs * min(one.horizon, MOST_SINGLE_STEPS)
        steps += walked
        seconds += walked * SECONDS_PER_STEP if one.seconds is None else runs * one.seconds
        numbers += runs * (len(check_checkpoints(one.checkpoints, one.horizon)) * SUMS + 2 * arms)
    return Cost(steps, seconds / cores, numbers * BYTES_PER_NUMBER / 1e6)
