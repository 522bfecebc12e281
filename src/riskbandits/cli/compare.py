"""`riskbandits compare`: which policy to use when."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from riskbandits.api import compare as comparisons
from riskbandits.api.execution import RunOptions
from riskbandits.cli import output
from riskbandits.cli.options import CompareFlags, Json, flattened
from riskbandits.cli.parsing import POLICIES_HELP, read_policies
from riskbandits.core.display import Grid, counted, filled, format_ratio
from riskbandits.results.comparison import Comparison

SUITE_HELP = (
    "A named suite (see `riskbandits list suites`) or a .json file such as "
    '{"problems": [{"name": "a", "means": [0, 1], "variances": [1, 2], "rho": 0.5}]}; '
    "other arms and measures are given as "
    '"arms": {"class": "PoissonArms", "fields": {"rates": [1, 2]}}, '
    '"risk": {"class": "CVaR", "fields": {"level": 0.2}}.'
)
POLICIES = (
    "mts,vts,mvts,mv-lcb,mv-lcb:sani,ngts,ngts:honda-takemura,imed-mv,kl-ucb-mv,switching-aware,"
    "bmvts,switching-aware:bernoulli,bernoulli-lcb:tight"
)


BEST_NAMED = 3


@flattened
def compare(
    *,
    policies: Annotated[
        str | None,
        typer.Option(
            help=POLICIES_HELP,
            show_default="a list of eleven, less those that serve no problem of the suite",
        ),
    ] = None,
    suite: Annotated[str, typer.Option(help=SUITE_HELP)] = "quick",
    run: CompareFlags,
    common_rewards: Annotated[
        bool, typer.Option(help="Whether all policies get the same rewards, which makes differences more precise.")
    ] = True,
    costs: Annotated[
        bool, typer.Option("--costs", help="Also measure the time per step, alternating with MVTS.")
    ] = False,
    json_output: Json = False,
    out: Annotated[
        Path | None, typer.Option(help="Write .parquet (everything), .json (tables) or .csv (the leaderboard).")
    ] = None,
    figure: Annotated[Path | None, typer.Option(help="Draw relative regret per family: .png, .pdf or .svg.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would run, without running it.")] = False,
) -> None:
    """Compare policies on a suite of problems: a leaderboard with intervals, and the best policy for each family.

    **Example:** `riskbandits compare --suite paper --policies switching-aware,mvts,imed-mv --figure compare.png`
    """
    output.check_out(out)
    output.check_figure(figure)
    chosen = read_policies(POLICIES if policies is None else policies)
    chosen = comparisons.policies_serving(list(chosen), suite) if policies is None else chosen
    if dry_run:
        RunOptions(engine=run.engine, workers=run.workers).execution()
        plan = comparisons.plan(suite, chosen, RunOptions(**run.keywords()), common_rewards)
        _show_plan(plan, run.horizon, run.runs)
        return
    result = comparisons.compare(suite, chosen, common_rewards=common_rewards, costs=costs, **run.keywords())
    # It is shown before it is written, and written if it cannot be shown: a full disk must not swallow results.
    try:
        if json_output:
            print(result.to_json(), flush=True)
        else:
            show(result)
    finally:
        _write(result, out, figure)


def _write(result: Comparison, out: Path | None, figure: Path | None) -> None:
    if out is not None:
        result.save(out)
    if figure is not None:
        from riskbandits.plotting import save_comparison

        save_comparison(result.breakdown(), result.leaderboard(), figure)
    for path in (out, figure):
        if path is not None:
            print(f"Written: {path}", file=sys.stderr)


def _show_plan(planned: comparisons.ComparisonPlan, horizon: int, runs: int) -> None:
    jobs = sum(len(group) for group in planned.groups)
    text = (
        f"Would compare {', '.join(planned.labels)} on {counted(len(planned.groups), 'problem')} of the suite "
        f"{planned.suite.name!r}: {jobs} jobs, {jobs * runs * horizon:,} steps. Nothing was written."
    )
    print(filled(text))
    for note in planned.notes:
        print(filled(note))


def show(result: Comparison) -> None:
    """The leaderboard, and the best policies per family, for people."""
    output.show_grid(result.ranking())
    print()
    output.show_grid(_families(result))
    if result.notes:
        print()
    for note in result.notes:
        print(filled(note))


def _families(result: Comparison) -> Grid:
    """A row per family: its policies, the best first, each with its relative regret."""
    rows = []
    for family, part in result.breakdown().groupby("family", sort=False):
        best = part.sort_values("relative", kind="stable").head(BEST_NAMED).to_dict(orient="records")
        cells = [f"{row['policy']} {format_ratio(row['relative'])}" for row in best]
        rows.append([str(family), "\u00a0 ".join(one.replace(" ", "\u00a0") for one in cells)])
    title = "The best policies of each family of problems (of each problem, if there is one family)"
    return Grid(title, ["", "relative regret"], rows, left=2)
