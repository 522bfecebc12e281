"""`riskbandits compare`: which policy to use when."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api import compare as comparisons
from riskbandits.api.execution import resolve
from riskbandits.cli import advice, output
from riskbandits.cli.inputs import POLICIES_HELP, read_policies
from riskbandits.cli.options import Json, Seed, Workers, whole_number
from riskbandits.cli.simulate import ENGINE_HELP, STORE_HELP, check_out
from riskbandits.core import files
from riskbandits.core.errors import must_be
from riskbandits.results.comparison import Comparison

SUITE_HELP = (
    "A named suite (see `riskbandits list suites`) or a .json file such as "
    '{"problems": [{"name": "a", "means": [0, 1], "variances": [1, 2], "rho": 0.5}]}; '
    "other arms and measures are given as "
    '"arms": {"class": "PoissonArms", "fields": {"rates": [1, 2]}}, '
    '"risk": {"class": "CVaR", "fields": {"level": 0.2}}.'
)
FIGURES = (".png", ".pdf", ".svg")


def compare(
    policies: Annotated[
        str | None,
        typer.Option(
            help=POLICIES_HELP,
            show_default="a list of eleven, less those that serve no problem of the suite",
        ),
    ] = None,
    suite: Annotated[str, typer.Option(help=SUITE_HELP)] = "quick",
    horizon: Annotated[int, typer.Option(parser=whole_number, metavar="<int>", help="Steps per run.")] = 10_000,
    runs: Annotated[int, typer.Option(parser=whole_number, metavar="<int>", help="Runs per policy and problem.")] = 100,
    seed: Seed = 0,
    workers: Workers = None,
    method: Annotated[str, typer.Option(help="How to simulate: auto, lazy, walk or plain.")] = "auto",
    engine: Annotated[str, typer.Option(help=ENGINE_HELP)] = "threads",
    store: Annotated[Path | None, typer.Option(help=STORE_HELP)] = None,
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

    **Example:** `riskbandits compare --suite paper --policies mvts,ngts:honda-takemura,imed-mv --figure compare.png`
    """
    check_out(out)
    _check_file("--figure", figure, FIGURES)
    _check_file("--markdown", markdown, (".md",))
    usual = policies is None
    chosen = read_policies(advice.POLICIES if policies is None else policies)
    chosen = comparisons.able(list(chosen), suite) if usual else chosen
    if dry_run:
        resolve(engine=engine, workers=workers)
        _show_plan(comparisons.plan(suite, chosen, horizon, runs, seed, method, common_rewards), horizon, runs)
        return
    result = comparisons.compare(
        suite,
        chosen,
        horizon=horizon,
        runs=runs,
        seed=seed,
        workers=workers,
        method=method,
        engine=engine,
        store=store,
        common_rewards=common_rewards,
        costs=costs,
    )
    # Shown before it is written, and written if it cannot be shown: a full disk must not swallow what was computed.
    try:
        if json_output:
            print(result.to_json(), flush=True)
        else:
            show(result)
    finally:
        _write(result, out, figure, markdown)


def _write(result: Comparison, out: Path | None, figure: Path | None, markdown: Path | None) -> None:
    if out is not None:
        result.save(out)
    if figure is not None:
        from riskbandits.plotting import save_comparison

        save_comparison(result.breakdown(), result.leaderboard(), figure)
    if markdown is not None:
        with files.replacing(markdown) as temporary:
            Path(temporary).write_text(advice.page(result), encoding="utf-8")
    for path in (out, figure, markdown):
        if path is not None:
            print(f"Written: {path}", file=sys.stderr)


def _check_file(option: str, path: Path | None, suffixes: tuple[str, ...]) -> None:
    if path is None:
        return
    if path.suffix not in suffixes:
        raise must_be(option, f"a file that ends in {', '.join(suffixes)}", str(path))
    if not os.access(path.parent, os.W_OK):
        raise must_be(option, "in a folder that exists and can be written to", str(path))
    files.check_replaceable(path)


def _show_plan(planned: comparisons.Plan, horizon: int, runs: int) -> None:
    jobs = sum(len(group) for group in planned.groups)
    print(
        f"Would compare {', '.join(planned.labels)} on {len(planned.groups)} problems of the suite "
        f"{planned.suite.name!r}: {jobs} jobs, {jobs * runs * horizon:,} steps. Nothing was written."
    )
    for note in planned.notes:
        print(f"{note}")


def show(result: Comparison) -> None:
    """The leaderboard, and the best policies per family, for people."""
    grid = result.ranking()
    output.console().print(grid.rich())
    _show_families(result)
    for note in (*grid.notes, *result.notes):
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
