"""`riskbandits bounds`: every theoretical bound for one problem, with its assumptions checked."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import typer

from riskbandits import theory
from riskbandits.api.simulate import versions
from riskbandits.arms import BernoulliArms, GaussianArms
from riskbandits.cli.options import Json, Seed, TableFlags, flattened, number, real
from riskbandits.cli.parsing import ARMS_HELP, read_policies, read_problem
from riskbandits.core.checks import whole
from riskbandits.core.display import Grid, columns, filled, format_number, format_with_error
from riskbandits.core.errors import RefusalError, must_be
from riskbandits.problem import Problem

GAUSSIAN_BOUNDS = (
    theory.lower_bound,
    partial(theory.lower_bound, largest_variance=1.0),  # for policies made for the paper's class
    theory.mvts_rate,
    theory.theorem_1,
    theory.theorem_2,
    theory.theorem_3,
)
EXPLAINED = (
    "Delta: the gap in value to the best arm. Gamma: the gap in mean to the best arm.",
    "K: how informative a pull of the arm is: the smallest Kullback-Leibler divergence to a distribution that would "
    "make it the best arm; a consistent policy pulls it at least (ln n)/K times.",
)
BERNOULLI_BOUNDS = (theory.lower_bound, theory.theorem_4)


@flattened
def bounds(
    *,
    arms: Annotated[str, typer.Option(help=ARMS_HELP)] = "zhu-tan-gaussian",
    rho: Annotated[float, real("Risk tolerance, >= 0.")] = 1.0,
    table: TableFlags,
    json_output: Json = False,
    simulate: Annotated[bool, typer.Option("--simulate", help="Measure how fast the policies' regret grows.")] = False,
    policies: Annotated[
        str | None, typer.Option(help="Policies to simulate, comma-separated.", show_default="the paper's policies")
    ] = None,
    horizon: Annotated[
        int,
        number("Steps per simulated run; growth is measured over the last decade."),
    ] = 100_000,
    runs: Annotated[int, number("Independent runs per policy.")] = 100,
    seed: Seed = 0,
) -> None:
    """Per arm: gaps, K (how informative a pull is), lower bounds and each theorem's term (coefficients of ln n).

    The first lower bound is for policies that are consistent on all Gaussian problems, the second for those that are
    consistent where variances are at most 1, the class of the paper. Where an upper bound lies below the first, the
    output explains which policy is not consistent, and why.

    **Example:** `riskbandits bounds --arms zhu-tan-gaussian --rho 1`
    """
    whole("The horizon", horizon)
    whole("The number of runs", runs)
    if policies is not None and not simulate:
        raise must_be("--policies", "given with --simulate", policies)
    problem = read_problem(arms, rho, None, table.options())
    report = bounds_report(problem)
    if simulate:
        report |= measured(problem, None if policies is None else read_policies(policies), horizon, runs, seed)
    print(json.dumps(jsonable(report), allow_nan=False) if json_output else as_text(report))


def bounds_report(problem: Problem) -> dict[str, Any]:
    """Everything the command prints about the bounds, as plain data."""
    computed = [bound(problem) for bound in formulas_for(problem)]
    rows = []
    k_inf = theory.k_inf(problem)
    for k in range(problem.size):
        row = {
            "arm": k,
            "name": problem.names[k],
            "Delta": float(problem.gaps[k]),
            "Gamma": float(problem.mean_gaps[k]),
            "K": float(k_inf[k]),
        }
        row |= {f"{bound.name}: pulls": float(bound.pulls[k]) for bound in computed}
        row |= {bound.name: float(bound.per_arm[k]) for bound in computed}
        rows.append(row)
    return {
        "settings": problem.to_data(),
        "versions": versions(),
        "best_arm": problem.best_arm,
        "table": rows,
        "totals": {bound.name: bound.total for bound in computed},
        "applies": {bound.name: bound.applies for bound in computed},
        "assumptions": {bound.name: assumption_rows(bound.assumptions) for bound in computed},
        "remarks": {bound.name: assumption_rows(bound.remarks) for bound in computed},
        "below_lower_bound": [one._asdict() for one in theory.below_lower_bound(problem)],
    }


def formulas_for(problem: Problem) -> Sequence[Any]:
    """The bounds that apply to this kind of arms."""
    if isinstance(problem.arms, GaussianArms):
        return GAUSSIAN_BOUNDS
    if isinstance(problem.arms, BernoulliArms):
        return BERNOULLI_BOUNDS
    kind = type(problem.arms).__name__
    raise RefusalError(f"Bounds are known for GaussianArms and BernoulliArms. Got {kind} instead.")


def assumption_rows(named: Any) -> list[dict[str, Any]]:
    """Assumptions as plain data: name, inequality, and for which arms it holds."""
    return [{"name": name, "words": one.words, "holds": one.holds.tolist()} for name, one in named.items()]


def measured(problem: Problem, policies: Any, horizon: int, runs: int, seed: int) -> dict[str, Any]:
    """The growth of each policy's exact pseudo-regret over the last decade, per unit of ln n."""
    from riskbandits.api.simulate import simulate
    from riskbandits.metrics import local_slopes
    from riskbandits.policies import BMVTS, MTS, MVTS, VTS
    from riskbandits.types import Policy

    paper: list[Policy] = [MTS(), VTS(), MVTS()] if isinstance(problem.arms, GaussianArms) else [BMVTS()]
    start = max(1, horizon // 10)
    result = simulate(
        problem, paper if policies is None else policies, horizon=horizon, runs=runs, seed=seed, checkpoints=[start]
    )
    table = local_slopes(result.traces)
    least = theory.lower_bound(problem).total
    table["times_lower_bound"] = table["slope"] / least if least > 0.0 else math.nan
    return {"slopes": table.to_dict(orient="records")}


def as_text(report: dict[str, Any]) -> str:
    """The report as text: a table by arm, totals, failed assumptions, and the measured slopes."""
    names = list(report["totals"])
    header = ["arm", "Delta", "Gamma", "K", *names]
    rows = [
        [row["name"].removeprefix("arm "), *(format_number(row[name], 4) for name in header[1:])]
        for row in report["table"]
    ]
    totals = ["total", "", "", "", *(format_number(report["totals"][name], 4) for name in names)]
    applies = ["applies", "", "", "", *("yes" if report["applies"][name] else "no" for name in names)]
    best = report["table"][report["best_arm"]]["name"].removeprefix("arm ")
    lines = [f"Regret per ln n; unnamed arms are numbered from 0, the best is arm {best}.", *EXPLAINED, ""]
    lines += [Grid("", header, [*rows, totals, applies]).text()]
    for name in names:
        lines += failures(f"{name} does not apply, as this fails", report["assumptions"][name])
        lines += failures(f"The second term of {name} is spurious, as this fails", report["remarks"][name])
    below = report["below_lower_bound"]
    lines += [one["sentence"] for one in below] + list(dict.fromkeys(one["reason"] for one in below))
    if "slopes" in report:
        lines += ["", "Measured growth of the exact pseudo-regret per ln n:"]
        measured_rows = [
            [
                row["policy"],
                f"{row['from_step']}-{row['to_step']}",
                format_with_error(row["slope"], row["slope_se"]),
                format_number(row["times_lower_bound"], 4),
            ]
            for row in report["slopes"]
        ]
        lines += [Grid("", ["policy", "steps", "slope ± s.e.", "times the lower bound"], measured_rows).text()]
    return "\n".join(filled(line) if len(line) > columns() and "\n" not in line else line for line in lines)


def failures(verdict: str, assumptions: Sequence[dict[str, Any]]) -> list[str]:
    """One line per inequality that fails, with the arms for which it does."""
    lines = []
    for one in assumptions:
        arms = [str(k) for k, holds in enumerate(one["holds"]) if not holds]
        if arms:
            which = f"arm {arms[0]}" if len(arms) == 1 else f"arms {', '.join(arms)}"
            lines.append(f"{verdict} for {which}: {one['words']}.")
    return lines


def jsonable(value: object) -> Any:
    """Plain data with infinite numbers as the string "inf", since JSON has none, and NaN as null."""
    if isinstance(value, dict):
        return {key: jsonable(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value
