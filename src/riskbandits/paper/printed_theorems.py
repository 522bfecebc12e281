"""The printed theorems beside the lower bound and beside simulation: settings as data, how to run, how to draw.

`theorem-1`, `theorem-2` and `theorem-3` simulate the counterexamples of `riskbandits.theory`, `large-variance` that of
entry E25 of the errata; `growth` measures the policies of the paper on a problem where the asymptotics have set in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits import theory
from riskbandits.arms import GaussianArms
from riskbandits.core.errors import unknown_name
from riskbandits.metrics import exact_pseudo_regret, growth_table, local_slopes, wrong_pulls
from riskbandits.paper import experiments
from riskbandits.paper.experiments import GAUSSIAN_RHOS, Experiment
from riskbandits.policies import MTS, MVTS, VTS
from riskbandits.problem import Problem
from riskbandits.problems import zhu_tan_gaussian
from riskbandits.results.result import Result
from riskbandits.risk import MeanVariance

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

RHO_GRID = GAUSSIAN_RHOS
SEED = 1  # that of the tables in docs/errata.md
FAR = 10**12
# Half decades as far as steps are walked, then decades.
STEPS = (1_000, 3_162, 10_000, 31_623, 100_000, 316_228, *(10**power for power in range(6, 13)))


def easy_problem() -> Problem:
    """N(0.5, 0.05), the best arm, against N(0, 0.1) at rho = 1.

    Rewards vary little beside the width of MVTS's posterior, so the sample moments are soon as good as true
    and what remains of the transient is the factor 1/sqrt(T) before the exponential in a normal tail.
    """
    return Problem(GaussianArms(means=[0.5, 0.0], variances=[0.05, 0.1]), MeanVariance(1.0))


def large_variance_problem() -> Problem:
    """N(1, 4), the best arm, against N(0, 0.25) at rho = 100: MVTS comes back to the best arm too rarely (E25)."""
    return Problem(GaussianArms(means=[1.0, 0.0], variances=[4.0, 0.25]), MeanVariance(100.0))


class Case(NamedTuple):
    """What to simulate, which quantity to follow, and the slopes to hold against it."""

    experiment: Experiment
    metric: Callable[[Any], np.ndarray]
    quantity: str
    lines: Callable[[Problem], dict[str, float]]
    anchor: int


def study(title: str, make: Callable[[], Problem], policies: tuple[Any, ...], horizon: int, runs: int) -> Experiment:
    """Policies on one problem, at its own rho."""
    return Experiment(
        title=title,
        problem_for_rho=lambda rho: make().with_risk(MeanVariance(rho)),
        rhos=(make().risk.rho,),
        policies=policies,
        horizon=horizon,
        runs=runs,
        checkpoints=tuple(step for step in STEPS if step <= horizon),
    )


def theorem_lines(theorem: Callable[[Problem], theory.Bound]) -> Callable[[Problem], dict[str, float]]:
    """The slopes of wrong pulls that a theorem allows and that the lower bound demands."""

    def lines(problem: Problem) -> dict[str, float]:
        printed, least = theorem(problem), theory.lower_bound(problem)
        return {printed.name: float(printed.pulls.sum()), least.name: float(least.pulls.sum())}

    return lines


def regret_lines(problem: Problem) -> dict[str, float]:
    """The slopes of the exact pseudo-regret: what no consistent policy beats, and what MVTS can reach."""
    return {bound.name: bound.total for bound in (theory.lower_bound(problem), theory.mvts_rate(problem))}


CASES = {
    "theorem-1": Case(
        experiment=study("Theorem 1's counterexample", theory.theorem_1_counterexample, (MTS(),), FAR, 4_000),
        metric=wrong_pulls,
        quantity="pulls of the wrong arm",
        lines=theorem_lines(theory.theorem_1),
        anchor=1_000,
    ),
    "theorem-2": Case(
        experiment=study("Theorem 2's counterexample", theory.theorem_2_counterexample, (VTS(),), FAR, 4_000),
        metric=wrong_pulls,
        quantity="pulls of the wrong arm",
        lines=theorem_lines(theory.theorem_2),
        anchor=1_000,
    ),
    "theorem-3": Case(
        experiment=study("Theorem 3's counterexample", theory.theorem_3_counterexample, (MVTS(),), FAR, 1_000),
        metric=wrong_pulls,
        quantity="pulls of the wrong arm",
        lines=theorem_lines(theory.theorem_3),
        anchor=100_000,
    ),
    "large-variance": Case(
        experiment=study("A best arm of variance 4", large_variance_problem, (MVTS(),), FAR, 1_000),
        metric=wrong_pulls,
        quantity="pulls of the wrong arm",
        lines=theorem_lines(theory.theorem_3),
        anchor=1_000,
    ),
    "growth": Case(
        experiment=study(
            "Two arms, where the asymptotics have set in", easy_problem, (MTS(), VTS(), MVTS()), FAR, 2_000
        ),
        metric=exact_pseudo_regret,
        quantity="exact pseudo-regret",
        lines=regret_lines,
        anchor=100_000,
    ),
}


def case(name: str) -> Case:
    """The case by that name."""
    if name not in CASES:
        raise unknown_name("case of the printed theorems", name, CASES)
    return CASES[name]


def run(name: str, horizon: int | None = None, runs: int | None = None, progress: bool = True) -> Result:
    """Simulate a case, at its own size or smaller."""
    chosen = case(name).experiment.smaller(1.0, horizon)
    sized = chosen if runs is None else chosen._replace(runs=runs)
    return experiments.run({name: sized}, seed=SEED, progress=progress)[name].results[0]


def slopes(name: str, result: Result, steps: tuple[int, ...] | None = None) -> pd.DataFrame:
    """The measured slopes of a case per interval, with the bounds' slopes beside them."""
    chosen = case(name)
    table = local_slopes(result.traces, chosen.metric, steps)
    return table.assign(**chosen.lines(result.problem))


def draw(name: str, result: Result, ax: Axes | None = None) -> Axes:
    """The figure of a case: measured growth against ln n, its local slopes, and lines with the bounds' slopes."""
    from riskbandits.plotting import plot_slopes

    chosen = case(name)
    table = growth_table(result.traces, chosen.metric)
    anchor = chosen.anchor if chosen.anchor in set(table["step"]) else None
    return plot_slopes(table, chosen.lines(result.problem), anchor, chosen.quantity, ax)


def per_arm_table(rho: Any = RHO_GRID, problem: Problem | None = None) -> pd.DataFrame:
    """One row per rho and arm of the paper: Theorem 3's bound on pulls and regret beside the lower bound's.

    `contradicted` marks the arms for which the theorem allows fewer pulls than any consistent policy needs.
    """
    import pandas as pd

    problem = zhu_tan_gaussian() if problem is None else problem
    rho = np.atleast_1d(np.asarray(rho, dtype=float))
    printed, least = theory.theorem_3(problem, rho=rho), theory.lower_bound(problem, rho=rho)
    arms = problem.size
    return pd.DataFrame(
        {
            "rho": np.repeat(rho, arms),
            "arm": np.tile(np.arange(arms), len(rho)),
            "theorem_3_pulls": printed.pulls.ravel(),
            "lower_bound_pulls": least.pulls.ravel(),
            "theorem_3_regret": printed.per_arm.ravel(),
            "lower_bound_regret": least.per_arm.ravel(),
            "contradicted": (printed.pulls < least.pulls).ravel(),
            "proof_covers": printed.holds.ravel(),
        }
    )
