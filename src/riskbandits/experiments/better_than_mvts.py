"""What decides better than the paper's policies, and where it does not: settings as data, run, table.

    python -m riskbandits.experiments.better_than_mvts gaussian --runs 500 --store results/better

prints the table of one study. The write-up is docs/studies/better-than-mvts.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms import GaussianArms
from riskbandits.errors import unknown_name
from riskbandits.experiments.printed_theorems import RHO_GRID
from riskbandits.metrics import exact_pseudo_regret
from riskbandits.metrics.locking import locked
from riskbandits.metrics.proportions import clopper_pearson
from riskbandits.metrics.ratios import ratio_of_means
from riskbandits.policies import BMVTS, IMEDMV, MTS, MVTS, NGTS, VTS, SwitchingAware, names
from riskbandits.problem import Problem
from riskbandits.problems import ZHU_TAN_MEANS, ZHU_TAN_VARIANCES, zhu_tan_bernoulli, zhu_tan_gaussian
from riskbandits.risk import MeanVariance
from riskbandits.sweep_result import SweepResult
from riskbandits.sweeps import sweep

if TYPE_CHECKING:
    import pandas as pd

HORIZON = 30_000
DOUBLINGS = tuple(1000 * 2**j for j in range(11))


class Study(NamedTuple):
    """Problems named by one parameter, the policies, and the one that they are held against.

    `checkpoints` are given where each is read as the horizon of a run of its own: for policies that do not know theirs.
    """

    parameter: str
    values: tuple[Any, ...]
    problem: Callable[[Any], Problem]
    policies: tuple[Any, ...]
    reference: Any
    horizon: int = HORIZON
    runs: int = 500
    checkpoints: tuple[int, ...] = ()


def tie(words: str) -> Problem:
    """Two arms at rho = 1 by their distance in mean, the first one's variance and its lead: `tie("1 0.5 0.03")`.

    The first arm has mean 0; it is better by the lead, or worse if that is negative.
    """
    distance, variance, lead = map(float, words.split())
    return Problem(GaussianArms([0.0, distance], [variance, variance + distance + lead]), MeanVariance(1.0))


def scaled(factor: float) -> Problem:
    """The paper's arms at rho = 1 with rewards in another unit; rho has the unit of a reward."""
    means, variances = factor * np.array(ZHU_TAN_MEANS), factor**2 * np.array(ZHU_TAN_VARIANCES)
    return Problem(GaussianArms(means, variances), MeanVariance(factor))


TIES = tuple(
    f"{distance:g} {variance:g} {sign * gap:g}"
    for distance in (0.3, 1.0)
    for variance in (0.05, 0.5, 2.0)
    for gap in (0.003, 0.03, 0.1, 0.3)
    for sign in (1, -1)
    if variance + distance + sign * gap > 0.0
)

GAUSSIAN = (
    MVTS(),
    NGTS(),
    NGTS.paper(),
    NGTS.honda_takemura(),
    IMEDMV(),
    SwitchingAware(),
    SwitchingAware.unknown_horizon(),
    SwitchingAware.imed(),
)
BERNOULLI = (
    BMVTS(),
    IMEDMV.bernoulli(),
    SwitchingAware.bernoulli(),
    SwitchingAware(BMVTS(), anytime=True),
    SwitchingAware.imed_bernoulli(),
)
STUDIES = {
    "gaussian": Study("rho", RHO_GRID, zhu_tan_gaussian, GAUSSIAN, MVTS()),
    "bernoulli": Study("ninths", tuple(range(10)), lambda k: zhu_tan_bernoulli(k / 9), BERNOULLI, BMVTS()),
    "scale": Study("scale", (0.01, 1.0, 100.0), scaled, (*GAUSSIAN[:6], MTS(), VTS()), MVTS(), runs=200),
    "ties": Study(
        "tie",
        TIES,
        tie,
        (NGTS(), SwitchingAware(), SwitchingAware(power=0.5), SwitchingAware(power=0.0)),
        NGTS(),
        runs=200,
    ),
    "horizons": Study(
        "tie",
        ("1 0.05 0.03", "1 0.05 0.1", "1 0.5 -0.1", "0.3 0.05 -0.03", "1 0.5 0.3"),
        tie,
        (MVTS(), NGTS(), SwitchingAware.unknown_horizon(), SwitchingAware(anytime=True, growth=1.0)),
        MVTS(),
        horizon=DOUBLINGS[-1],
        runs=100,
        checkpoints=DOUBLINGS,
    ),
}


def study(name: str) -> Study:
    """The study by that name."""
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES)
    return STUDIES[name]


def run(
    name: str,
    runs: int | None = None,
    values: Sequence[Any] | None = None,
    policies: Sequence[Any] | None = None,
    horizon: int | None = None,
    **options: Any,
) -> SweepResult:
    """Simulate a study, or part of it; `options` are those of `sweep`."""
    chosen = study(name)
    horizon = chosen.horizon if horizon is None else horizon
    checkpoints = [step for step in chosen.checkpoints if step <= horizon] or [horizon // 2, horizon]
    return sweep(
        chosen.problem,
        chosen.values if values is None else values,
        chosen.policies if policies is None else policies,
        horizon,
        chosen.runs if runs is None else runs,
        checkpoints=checkpoints,
        name=chosen.parameter,
        **options,
    )


def table(name: str, result: SweepResult) -> pd.DataFrame:
    """One row per problem, policy and horizon: exact pseudo-regret, its ratio to the reference's, locked runs.

    Intervals are of 95 %.
    """
    import pandas as pd

    chosen = study(name)
    reference = names.label(chosen.reference)
    rows = []
    for value, one in zip(result.values, result.results, strict=True):
        against = exact_pseudo_regret(one.trace(reference)) if reference in one.labels else None
        for trace in one.traces:
            regret = exact_pseudo_regret(trace)
            for column, step in enumerate(trace.checkpoints):
                if not chosen.checkpoints and step != trace.horizon:
                    continue
                row: dict[str, Any] = {chosen.parameter: value, "policy": trace.label, "step": int(step)}
                row |= {"runs": trace.runs, "regret": regret[:, column].mean()}
                row["se"] = regret[:, column].std(ddof=1) / np.sqrt(trace.runs) if trace.runs > 1 else np.nan
                if against is not None:
                    ratio = ratio_of_means(regret[:, column], against[:, column])
                    row |= {"ratio": ratio.value, "ratio_low": ratio.low, "ratio_high": ratio.high}
                if step == trace.horizon:
                    stuck = locked(trace)
                    row["locked"] = stuck.mean()
                    row["locked_high"] = clopper_pearson(int(stuck.sum()), len(stuck))[1]
                rows.append(row)
    return pd.DataFrame(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a study from the command line and print its table."""
    parser = argparse.ArgumentParser(
        prog="python -m riskbandits.experiments.better_than_mvts",
        description="What decides better than the paper's policies.",
        epilog="Example: python -m riskbandits.experiments.better_than_mvts gaussian --runs 50 --values 0.3,1",
    )
    parser.add_argument("study", choices=list(STUDIES))
    parser.add_argument("--runs", type=int, help="runs per policy and problem")
    parser.add_argument("--values", help="only these problems, separated by commas")
    parser.add_argument("--policies", help="only these policies, as on the command line of riskbandits")
    parser.add_argument("--store", help="folder that keeps finished work")
    parser.add_argument("--threads", type=int, help="threads (default: all cores)")
    given = parser.parse_args(arguments)
    chosen = study(given.study)
    values = [type(chosen.values[0])(word) for word in given.values.split(",")] if given.values else None
    policies = [names.parse(word) for word in given.policies.split(",")] if given.policies else None
    result = run(given.study, given.runs, values, policies, store=given.store, threads=given.threads)
    print(table(given.study, result).to_string(index=False, float_format=lambda number: f"{number:.4g}"))


if __name__ == "__main__":
    main()
