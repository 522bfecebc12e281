"""Policies that beat the paper's, and where they do not: how to run the study, and its tables.

    python -m studies.better_than_mvts gaussian --runs 500 --store results/better

prints the table of one study. The write-up is docs/studies/better-than-mvts.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits import GaussianArms, MeanVariance, Problem, SweepResult, UniformRandom, simulate, sweep, theory
from riskbandits.errors import UnknownNameError
from riskbandits.inference import clopper_pearson, of_means, standard_error
from riskbandits.metrics import best_arm_share, exact_pseudo_regret, locked
from studies.better_settings import GROWING, GROWTH_HORIZONS, STUDIES, Study

if TYPE_CHECKING:
    import pandas as pd


def study(name: str) -> Study:
    """The study by that name."""
    if name not in STUDIES:
        raise UnknownNameError(f"There is no study {name!r}: {', '.join(STUDIES)}.")
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
        horizon=horizon,
        runs=chosen.runs if runs is None else runs,
        checkpoints=checkpoints,
        name=chosen.parameter,
        **options,
    )


def table(name: str, result: SweepResult) -> pd.DataFrame:
    """One row per problem, policy and horizon: exact pseudo-regret, its ratio to the reference's.

    Beside them the share of the best arm's plays and of locked runs. Intervals are of 95 %.
    """
    import pandas as pd

    chosen = study(name)
    reference = type(chosen.reference).__name__  # all references are defaults, which are called by their class
    rows = []
    for value, one in zip(result.values, result.results, strict=True):
        against = exact_pseudo_regret(one.trace(reference)) if reference in one.labels else None
        for trace in one.traces:
            regret, shares = exact_pseudo_regret(trace), best_arm_share(trace)
            for column, step in enumerate(trace.checkpoints):
                if not chosen.checkpoints and step != trace.horizon:
                    continue
                row: dict[str, Any] = {chosen.parameter: value, "policy": trace.label, "step": int(step)}
                row |= {"runs": trace.runs, "regret": regret[:, column].mean()}
                row["se"] = standard_error(regret[:, column])
                if against is not None:
                    ratio = of_means(regret[:, column], against[:, column])
                    row |= {
                        "ratio": ratio.value,
                        **dict(zip(("ratio_low", "ratio_high"), ratio.interval(), strict=True)),
                    }
                row["best_share"] = shares[:, column].mean()
                if step == trace.horizon:
                    stuck = locked(trace)
                    row["locked"] = stuck.mean()
                    row["locked_high"] = clopper_pearson(int(stuck.sum()), len(stuck))[1]
                rows.append(row)
    return pd.DataFrame(rows)


def growth(runs: int = 500, **options: Any) -> pd.DataFrame:
    """The growth of regret per unit of ln n between horizons 1e5 and 1e6, and what the theory says of it.

    Runs of the two horizons are separate: a policy that knows its horizon is another one when that changes.
    """
    import pandas as pd

    # N(0.5, 0.05), the best arm, against N(0, 0.1): the asymptotics have set in.
    problem = Problem(GaussianArms(means=[0.5, 0.0], variances=[0.05, 0.1]), MeanVariance(1.0))
    lines = {bound.name: bound.total for bound in (theory.lower_bound(problem), theory.mvts_rate(problem))}
    results = [simulate(problem, GROWING, horizon=n, runs=runs, checkpoints=[n], **options) for n in GROWTH_HORIZONS]
    rows = []
    for short, long in zip(*(result.traces for result in results), strict=True):
        ends = [exact_pseudo_regret(trace)[:, -1] for trace in (short, long)]
        unit = np.log(long.horizon / short.horizon)
        error = np.hypot(*(standard_error(end) for end in ends))
        slope = (ends[1].mean() - ends[0].mean()) / unit
        rows.append({"policy": short.label, "runs": runs, "slope": slope, "slope_se": error / unit})
    return pd.DataFrame(rows).assign(**lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a study from the command line and print its table."""
    parser = argparse.ArgumentParser(
        prog="python -m studies.better_than_mvts",
        description="Policies that beat the paper's.",
        epilog="Example: python -m studies.better_than_mvts gaussian --runs 50 --values 0.3,1",
    )
    parser.add_argument("study", choices=[*STUDIES, "growth"])
    parser.add_argument("--runs", type=int, help="runs per policy and problem")
    parser.add_argument("--values", help="only these problems, separated by commas")
    parser.add_argument("--policies", help="only these policies, as in mvts,switching-aware:guessing")
    parser.add_argument("--store", help="folder that keeps finished work")
    parser.add_argument("--workers", type=int, help="workers (default: all cores)")
    given = parser.parse_args(arguments)
    if given.study == "growth":
        found = growth(given.runs or 500, store=given.store, workers=given.workers)
    else:
        found = _part(given)
    print(found.to_string(index=False, float_format=lambda number: f"{number:.4g}"))


def _chosen(name: str, policies: Sequence[Any]) -> Any:
    """The policy of a study that is meant by a name such as ngts or ngts:honda-takemura.

    A class alone is its default, or else the only form of it that the study has.
    """
    family, _, preset = name.casefold().replace("-", "_").partition(":")
    forms = [one for one in policies if type(one).__name__.casefold() == family.replace("_", "")]
    for one in forms:
        if one == (getattr(type(one), preset, str) if preset else type(one))():
            return one
    if len(forms) == 1 and not preset:
        return forms[0]
    raise UnknownNameError(f"There is no policy {name!r} here: {', '.join(type(one).__name__ for one in policies)}.")


def _part(given: argparse.Namespace) -> pd.DataFrame:
    chosen = study(given.study)
    values = [type(chosen.values[0])(word) for word in given.values.split(",")] if given.values else None
    known = (*chosen.policies, UniformRandom())  # the one that learns nothing, for comparison
    policies = [_chosen(name, known) for name in given.policies.split(",")] if given.policies else None
    result = run(given.study, given.runs, values, policies, store=given.store, workers=given.workers)
    return table(given.study, result)


if __name__ == "__main__":
    main()
