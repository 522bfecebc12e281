"""`riskbandits compare`: which policy to use when."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from riskbandits.api import compare as comparisons
from riskbandits.api.execution import resolve
from riskbandits.cli import advice, horizons, output
from riskbandits.cli.inputs import POLICIES_HELP, read_policies
from riskbandits.cli.options import Engine, Json, Method, Seed, Store, WholeNumbers, Workers, whole_numbers
from riskbandits.core import files
from riskbandits.core.display import counted
from riskbandits.core.errors import ParameterError, must_be
from riskbandits.results.comparison import Comparison

SUITE_HELP = (
    "A named suite (see `riskbandits list suites`) or a .json file such as "
    '{"problems": [{"name": "a", "means": [0, 1], "variances": [1, 2], "rho": 0.5}]}; '
    "other arms and measures are given as "
    '"arms": {"class": "PoissonArms", "fields": {"rates": [1, 2]}}, '
    '"risk": {"class": "CVaR", "fields": {"level": 0.2}}.'
)
HORIZON_HELP = (
    "Steps per run. Several, as in 1000,100000, are for --markdown: advice by steps per arm, and in other risk "
    f"measures. Of those, from {horizons.LEAPS_FROM:,} steps on only policies whose runs leap take part."
)
DEFAULT_HORIZON, DEFAULT_RUNS = WholeNumbers((10_000,)), WholeNumbers((100,))
RUNS_HELP = "Runs per policy and problem: one number, or one for each horizon."


def compare(
    policies: Annotated[
        str | None,
        typer.Option(
            help=POLICIES_HELP,
            show_default="a list of eleven, less those that serve no problem of the suite",
        ),
    ] = None,
    suite: Annotated[str, typer.Option(help=SUITE_HELP)] = "quick",
    horizon: Annotated[
        WholeNumbers,
        typer.Option(parser=whole_numbers, metavar="<int>", help=HORIZON_HELP, show_default="10000"),
    ] = DEFAULT_HORIZON,
    runs: Annotated[
        WholeNumbers,
        typer.Option(parser=whole_numbers, metavar="<int>", help=RUNS_HELP, show_default="100"),
    ] = DEFAULT_RUNS,
    seed: Seed = 0,
    workers: Workers = None,
    method: Method = "auto",
    engine: Engine = "threads",
    store: Store = None,
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
    markdown: Annotated[Path | None, typer.Option(help="Write a page on which policy to use when (.md).")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would run, without running it.")] = False,
) -> None:
    """Compare policies on a suite of problems: a leaderboard with intervals, and the best policy for each family.

    **Example:** `riskbandits compare --suite paper --policies switching-aware,mvts,imed-mv --figure compare.png`
    """
    output.check_out(out)
    output.check_figure(figure)
    output.check_file("--markdown", markdown, (".md",))
    per_horizon = horizons.runs_per_horizon(horizon, runs)
    if len(horizon) > 1:
        _refuse_several(horizon, out, figure, json_output, markdown)
    chosen = read_policies(advice.POLICIES if policies is None else policies)
    chosen = comparisons.able(list(chosen), suite) if policies is None else chosen
    planned = _planned(suite, chosen, horizon, per_horizon, common_rewards)
    if dry_run:
        resolve(engine=engine, workers=workers)
        for one in planned:
            plan = comparisons.plan(one.suite, one.policies, one.horizon, one.runs, seed, method, one.common_rewards)
            _show_plan(plan, one.horizon, one.runs, notes=one is planned[0])
        return
    how: dict[str, Any] = {"seed": seed, "workers": workers, "method": method, "engine": engine, "store": store}
    results = []
    # Each is shown before it is written, and written if it cannot be shown: a full disk must not swallow results.
    try:
        for place, one in enumerate(planned):
            results.append(
                comparisons.compare(
                    one.suite,
                    one.policies,
                    horizon=one.horizon,
                    runs=one.runs,
                    common_rewards=one.common_rewards,
                    costs=costs and place == 0,
                    **how,
                )
            )
            if json_output:
                print(results[-1].to_json(), flush=True)
            else:
                show(results[-1], notes=place == 0)
    finally:
        if len(results) == len(planned):
            _write(results, out, figure, markdown)


class _Planned(NamedTuple):
    """One comparison of those that were asked for."""

    suite: str
    policies: Any
    horizon: int
    runs: int
    common_rewards: bool


def _planned(suite: str, policies: Any, steps: WholeNumbers, runs: list[int], common_rewards: bool) -> list[_Planned]:
    """One comparison per horizon, and with several of them one in other risk measures."""
    if len(steps) == 1:
        return [_Planned(suite, policies, steps[0], runs[0], common_rewards)]
    found = []
    for horizon, number in zip(steps, runs, strict=True):
        if not horizons.is_long(horizon):
            found.append(_Planned(suite, policies, horizon, number, common_rewards))
        elif leaping := horizons.leaping(policies, suite):
            found.append(_Planned(suite, leaping, horizon, number, False))
    short = [one for one in found if one.horizon <= advice.MEASURE_STEPS]
    if short:
        others = comparisons.able(list(read_policies(advice.MEASURE_POLICIES)), advice.MEASURE_SUITE)
        last = max(short, key=lambda one: one.horizon)
        fewer = max(comparisons.LEAST_RUNS, last.runs // 2)  # policies that keep all rewards are slow
        found.append(_Planned(advice.MEASURE_SUITE, others, last.horizon, fewer, common_rewards))
    return found


def _refuse_several(
    steps: WholeNumbers, out: Path | None, figure: Path | None, json_output: bool, markdown: Path | None
) -> None:
    """Files of a comparison hold one horizon; only the page speaks of several."""
    if any(later <= earlier for earlier, later in pairwise(steps)):
        raise must_be("--horizon", "one number, or several in ascending order", list(steps))
    for option, value in (("--out", out), ("--figure", figure), ("--json", json_output or None)):
        if value is not None:
            raise must_be(option, "given with one horizon", value)
    if markdown is None:
        raise ParameterError("Several horizons are for --markdown, which writes a page of advice: give it too.")


def _write(results: list[Comparison], out: Path | None, figure: Path | None, markdown: Path | None) -> None:
    result = results[0]
    if out is not None:
        result.save(out)
    if figure is not None:
        from riskbandits.plotting import save_comparison

        save_comparison(result.breakdown(), result.leaderboard(), figure)
    if markdown is not None:
        with files.replacing(markdown) as temporary:
            at_horizons = [one for one in results if one.suite.name != advice.MEASURE_SUITE] or results
            others = [one for one in results if one not in at_horizons]
            Path(temporary).write_text(advice.page(at_horizons, *others), encoding="utf-8")
    for path in (out, figure, markdown):
        if path is not None:
            print(f"Written: {path}", file=sys.stderr)


def _show_plan(planned: comparisons.ComparisonPlan, horizon: int, runs: int, notes: bool) -> None:
    jobs = sum(len(group) for group in planned.groups)
    print(
        f"Would compare {', '.join(planned.labels)} on {counted(len(planned.groups), 'problem')} of the suite "
        f"{planned.suite.name!r}: {jobs} jobs, {jobs * runs * horizon:,} steps. Nothing was written."
    )
    for note in planned.notes if notes else ():
        print(note)


def show(result: Comparison, notes: bool = True) -> None:
    """The leaderboard, and the best policies per family, for people."""
    grid = result.ranking()
    output.console().print(grid.rich())
    _show_families(result)
    for note in (*grid.notes, *result.notes) if notes else ():
        print(note)


def _show_families(result: Comparison) -> None:
    from rich.table import Table

    parts: Any = result.breakdown()
    table = Table(title="relative regret per family, or per problem if there is one family")
    table.add_column("", no_wrap=True)
    for label in result.leaderboard()["policy"]:
        table.add_column(label, justify="right")
    for family, rows in parts.groupby("family", sort=False):
        cells = {row["policy"]: f"{row['relative']:.3g}" for row in rows.to_dict(orient="records")}
        table.add_row(str(family), *(cells.get(label, "") for label in result.leaderboard()["policy"]))
    output.console().print(table)
