"""`riskbandits simulate`: policies on one problem."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api import simulate as study
from riskbandits.api.execution import resolve
from riskbandits.cli import output
from riskbandits.cli.delays import DELAY_HELP, read_delay
from riskbandits.cli.estimate import estimate
from riskbandits.cli.inputs import ARMS_HELP, POLICIES_HELP, RISK_HELP, read_policies, read_problem
from riskbandits.cli.options import Json, Seed, Workers, whole_number
from riskbandits.cli.output import FIGURE_HELP, check_figure, write_figure
from riskbandits.core import files
from riskbandits.core.errors import ParameterError, must_be, unknown_name

WRITERS = (".parquet", ".csv", ".json")
ENGINE_HELP = "Where to run: threads, processes, dask://HOST:PORT, ray, ray://HOST:PORT, or cuda (a GPU)."
PRECISION_HELP = "With --engine cuda: float64, or float32, which is faster and less precise."
DEFAULT_POLICIES = "switching-aware,mts,vts,mvts,mv-lcb"  # the recommended one, and the paper's
CHECK_HELP = "Check your own records for out-of-bounds array access; slower, same numbers."
PLOTS = ("exact_pseudo_regret", "regret", "pseudo_regret", "best_arm_share", "runs", "fan", "pulls")
PLOT_HELP = f"What --figure draws: {', '.join(PLOTS)}."
STORE_HELP = "Folder that keeps finished runs: interrupted jobs are resumable, larger ones reuse what is there."


def simulate(
    arms: Annotated[str, typer.Option(help=ARMS_HELP)] = "zhu-tan-gaussian",
    rho: Annotated[
        float | None, typer.Option(help="Risk tolerance; short for --risk mean-variance:RHO.", show_default="1")
    ] = None,
    risk: Annotated[str | None, typer.Option(help=RISK_HELP)] = None,
    policies: Annotated[str, typer.Option(help=POLICIES_HELP)] = DEFAULT_POLICIES,
    horizon: Annotated[int, typer.Option(parser=whole_number, metavar="<int>", help="Steps per run.")] = 30_000,
    runs: Annotated[int, typer.Option(parser=whole_number, metavar="<int>", help="Independent runs per policy.")] = 500,
    seed: Seed = 0,
    checkpoints: Annotated[
        str | None,
        typer.Option(help="Comma-separated steps at which to keep results.", show_default="a log-spaced grid"),
    ] = None,
    workers: Workers = None,
    method: Annotated[str, typer.Option(help="How to simulate: auto, lazy, walk or plain.")] = "auto",
    engine: Annotated[str, typer.Option(help=ENGINE_HELP)] = "threads",
    precision: Annotated[str, typer.Option(help=PRECISION_HELP)] = "float64",
    store: Annotated[Path | None, typer.Option(help=STORE_HELP)] = None,
    check: Annotated[bool, typer.Option("--check", help=CHECK_HELP)] = False,
    delay: Annotated[str | None, typer.Option(help=DELAY_HELP, show_default="no delay")] = None,
    json_output: Json = False,
    out: Annotated[
        Path | None, typer.Option(help="Write the result: .parquet (everything), .csv or .json (the table).")
    ] = None,
    figure: Annotated[Path | None, typer.Option(help=FIGURE_HELP)] = None,
    plot: Annotated[str, typer.Option(help=PLOT_HELP)] = "exact_pseudo_regret",
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Print what would run, how long it would take and how much memory it would need."
        ),
    ] = False,
) -> None:
    """Simulate policies on one problem and print their regret at the horizon.

    **Example:** `riskbandits simulate --arms zhu-tan-gaussian --rho 1 --policies mvts,mv-lcb:sani --runs 100`
    """
    check_out(out)
    check_figure(figure)
    if plot not in PLOTS:
        raise unknown_name("plot", plot, PLOTS)
    problem = read_problem(arms, rho, risk)
    chosen = read_policies(policies)
    steps = whole_numbers(checkpoints)
    late = read_delay(delay)
    if dry_run:
        check_dry_run(engine, workers)
        jobs = study.plan(problem, chosen, horizon, runs, seed, steps, method, late)
        output.show_estimate(estimate(jobs, workers), json_output)
        return
    result = study.simulate(
        problem,
        chosen,
        horizon=horizon,
        runs=runs,
        seed=seed,
        checkpoints=steps,
        workers=workers,
        method=method,
        engine=engine,
        store=store,
        precision=precision,
        check=check,
        delay=late,
    )
    # Shown before it is written, and written if it cannot be shown: a full disk must not swallow what was computed.
    try:
        if json_output:
            print(json.dumps(output.as_data(result), allow_nan=False), flush=True)
        else:
            output.show_result(result)
    finally:
        if out is not None:
            _write(result, out)
            print(f"Written: {out}", file=sys.stderr)
        if figure is not None:
            write_figure(figure, lambda ax: result.plot(plot, ax=ax))


def whole_numbers(text: str | None) -> list[int] | None:
    """The numbers of a comma-separated list, or None for no list."""
    if text is None:
        return None
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise must_be("--checkpoints", "whole numbers separated by commas", text) from None


def check_dry_run(engine: str, workers: int | None) -> None:
    """Refuse an estimate for what could not run, or was not measured."""
    resolve(engine=engine, workers=workers)
    if engine == "cuda":
        raise ParameterError("--dry-run measures this machine's cores: it cannot estimate the cost of --engine cuda.")


def check_out(out: Path | None) -> None:
    """Refuse a file that could not be written, before simulating."""
    if out is None:
        return
    if out.suffix not in WRITERS:
        raise must_be("--out", f"a file that ends in {', '.join(WRITERS)}", str(out))
    if not os.access(out.parent, os.W_OK):
        raise must_be("--out", "in a folder that exists and can be written to", str(out))
    files.check_replaceable(out)


def _write(result: Any, out: Path) -> None:
    if out.suffix == ".parquet":
        result.save(out)
        return
    with files.replacing(out) as temporary:
        if out.suffix == ".csv":
            result.table().to_csv(temporary, index=False)
        else:
            Path(temporary).write_text(json.dumps(output.as_data(result), allow_nan=False), encoding="utf-8")
