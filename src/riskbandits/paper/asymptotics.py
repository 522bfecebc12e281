"""Regret up to 10^12 steps, beside what theory says of n to infinity: what is simulated, and the numbers.

A run that leaps costs its regret, not its horizon (docs/decisions/0025). Where it changes between arms more than about
a million times it costs that: such examples end sooner, and their `horizon` says where.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits import problems, theory
from riskbandits.inference.intervals import standard_error
from riskbandits.inference.rare import carried_by_one
from riskbandits.metrics import exact_pseudo_regret
from riskbandits.paper.experiments import Experiment, Outcomes
from riskbandits.paper.printed_theorems import CASES
from riskbandits.policies import BMVTS, MTS, MVTS, NGTS, VTS, SwitchingAware
from riskbandits.problem import Problem
from riskbandits.theory.locking import NEVER_DRAWN

if TYPE_CHECKING:
    import pandas as pd

    from riskbandits.simulation.trace import Trace

NAME = "asymptotics"  # what `reproduce` is asked for
FIRST_DECADE, LAST_DECADE = 3, 12
DECADES = tuple(10**power for power in range(FIRST_DECADE, LAST_DECADE + 1))
PAIRS_OF_DECADES = DECADES[1::2]  # the horizons of policies that know theirs
RUNS = 100

_GAUSSIAN = Experiment(
    "Gaussian arms",
    problems.zhu_tan_gaussian,
    (0.001, 1.0, 1000.0),
    (MTS(), VTS(), MVTS()),
    DECADES[-1],
    RUNS,
    DECADES,
)
FAMILIES: dict[str, Experiment] = {
    "gaussian": _GAUSSIAN,
    "bernoulli": _GAUSSIAN._replace(
        title="Bernoulli arms",
        problem_for_rho=problems.zhu_tan_bernoulli,
        rhos=(4 / 9, 8 / 9),
        policies=(BMVTS(),),
    ),
    # At 1/9 the second-best arm is so near that a run changes between the two all the time: it cannot be leapt.
    "bernoulli-near-tie": _GAUSSIAN._replace(
        title="Bernoulli arms, a near tie",
        problem_for_rho=problems.zhu_tan_bernoulli,
        rhos=(1 / 9,),
        policies=(BMVTS(),),
        horizon=DECADES[4],
        runs=20,
        checkpoints=DECADES[:5],
    ),
    **{name: one.experiment for name, one in CASES.items()},
}
# Policies that know their horizon: another one at every horizon, of which each needs runs of its own.
AWARE = {
    "gaussian": (NGTS(), SwitchingAware()),
    "bernoulli": (SwitchingAware.bernoulli(),),
    "growth": (NGTS(), SwitchingAware()),
}


def _at_known_horizons(family: str, policies: tuple[Any, ...]) -> dict[str, Experiment]:
    base = FAMILIES[family]
    return {
        f"{NAME}-{family}-{horizon:.0e}": base._replace(
            title=f"{base.title}, {horizon:.0e} steps known ahead",
            policies=policies,
            horizon=horizon,
            checkpoints=(horizon,),
        )
        for horizon in PAIRS_OF_DECADES
    }


EXPERIMENTS: dict[str, Experiment] = {
    **{f"{NAME}-{name}": one for name, one in FAMILIES.items()},
    **{key: one for family, policies in AWARE.items() for key, one in _at_known_horizons(family, policies).items()},
}


class Curve(NamedTuple):
    """One policy on one problem: per step what every run has paid by then."""

    experiment: str  # without what tells horizons apart
    label: str
    problem: Problem
    paired: bool  # whether all steps are of the same runs
    values: Mapping[int, np.ndarray]
    changes: float  # of arm, at most, by the end: on average over runs


def table(outcomes: Outcomes) -> pd.DataFrame:
    """One row per experiment, rho, policy and step: the mean, over ln n, and the growth per unit of ln n since the
    step before; with what theory says beside it. `rare_disasters` says that runs too rare to be met may outweigh the
    others, so that the standard error says too little: the policy can settle on a wrong arm for good, or one run
    carries more than half of the variance.

    Growth is that of the exact pseudo-regret, and for the counterexamples of the printed theorems that of the pulls of
    the wrong arm.
    """
    import pandas as pd

    return pd.DataFrame([row for curve in curves(outcomes) for row in _rows(curve)])


def curves(outcomes: Outcomes) -> list[Curve]:
    """What was simulated, with the horizons of a policy that knows them side by side."""
    found: dict[tuple[Any, ...], Curve] = {}
    for name in EXPERIMENTS:
        if name not in outcomes:
            continue
        family = name.removeprefix(f"{NAME}-")
        known = family not in FAMILIES  # its end is the horizon, which the policy knows
        kind = family.split("-")[0] if known else family
        for rho, result in zip(outcomes[name].values, outcomes[name].results, strict=True):
            for trace in result.traces:
                values = _measured(kind, trace)
                before = found.get((kind, rho, trace.label))
                merged = dict(before.values) | values if before is not None else values
                found[kind, rho, trace.label] = Curve(
                    kind, trace.label, result.problem, not known, merged, _changes(trace)
                )
    return list(found.values())


def _measured(kind: str, trace: Trace) -> dict[int, np.ndarray]:
    metric = CASES[kind].metric if kind in CASES else exact_pseudo_regret
    values = metric(trace)
    shown = {step for step in trace.checkpoints.tolist() if step in DECADES or step == trace.horizon}
    return {step: values[:, place] for place, step in enumerate(trace.checkpoints.tolist()) if step in shown}


def _changes(trace: Trace) -> float:
    """At most two for each pull of an arm that is not the one pulled most."""
    return float(2.0 * (trace.horizon - trace.pulls.max(axis=1)).mean())


def lines(curve: Curve) -> dict[str, float]:
    """What theory says of the growth per unit of ln n."""
    if curve.experiment in CASES:
        return dict(CASES[curve.experiment].lines(curve.problem))
    bounds = [theory.lower_bound(curve.problem)]
    if curve.experiment == "gaussian":
        bounds.append(theory.mvts_rate(curve.problem))
    return {bound.name: float(bound.total) for bound in bounds}


def _rows(curve: Curve) -> Iterator[dict[str, Any]]:
    said = lines(curve)
    locks = curve.label in NEVER_DRAWN and theory.lock_share(curve.label, curve.problem) > 0.0
    before: int | None = None
    for step in sorted(curve.values):
        values = curve.values[step]
        slope, error, rare = math.nan, math.nan, False
        if before is not None:
            slope, error = _growth(curve.values[before], values, curve.paired, math.log(step / before))
            rare = locks or carried_by_one(values - curve.values[before] if curve.paired else values)
        quantity = CASES[curve.experiment].quantity if curve.experiment in CASES else "exact pseudo-regret"
        yield {
            "experiment": curve.experiment,
            "rho": curve.problem.risk.rho,
            "policy": curve.label,
            "quantity": quantity,
            "step": step,
            "runs": len(values),
            "mean": values.mean(),
            "se": float(standard_error(values[:, None])[0]),
            "per_ln_n": values.mean() / math.log(step),
            "from_step": before if before is not None else 0,
            "slope": slope,
            "slope_se": error,
            "rare_disasters": rare,
            **{_column(name): value for name, value in said.items()},
            "changes_at_most": curve.changes,
        }
        before = step


def _growth(earlier: np.ndarray, later: np.ndarray, paired: bool, unit: float) -> tuple[float, float]:
    """The growth per unit of ln n and its standard error: run by run where both are of the same runs."""
    if paired:
        error = float(standard_error((later - earlier)[:, None])[0])
    else:
        error = float(np.hypot(standard_error(earlier[:, None])[0], standard_error(later[:, None])[0]))
    return (later.mean() - earlier.mean()) / unit, error / unit


def _column(name: str) -> str:
    """A bound's name as that of a column.

    >>> _column("MVTS rate"), _column("Theorem 3 (MVTS)")
    ('mvts_rate', 'theorem')
    """
    return "theorem" if name.startswith("Theorem") else name.lower().replace(" ", "_")
