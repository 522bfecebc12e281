"""`riskbandits simulate`: policies on one problem."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api import simulate as study
from riskbandits.api.execution import resolve
from riskbandits.cli import options, output
from riskbandits.cli.estimate import estimate
from riskbandits.cli.inputs import (
    ARMS_HELP,
    DEFAULT_POLICIES,
    DELAY_HELP,
    POLICIES_HELP,
    RISK_HELP,
    policies_for,
    read_delay,
    read_problem,
)
from riskbandits.cli.output import check_figure, check_out
from riskbandits.core import files
from riskbandits.core.errors import ParameterError, must_be, unknown_name

CHECK_HELP = "Check your own records for out-of-bounds array access; slower, same numbers."
PLOTS = ("exact_pseudo_regret", "regret", "pseudo_regret", "best_arm_share", "runs", "fan", "pulls")
PLOT_HELP = f"What --figure draws: {', '.join(PLOTS)}."


@options.flattened
def simulate(
    *,
    arms: Annotated[str, typer.Option(help=ARMS_HELP)] = "zhu-tan-gaussian",
    rho: options.Rho = None,
    risk: Annotated[str | None, typer.Option(help=RISK_HELP)] = None,
    policies: Annotated[str | None, typer.Option(help=POLICIES_HELP, show_default=DEFAULT_POLICIES)] = None,
    horizon: options.Horizon = 30_000,
    runs: Annotated[int, options.number("Independent runs per policy.")] = 500,
    seed: options.Seed = 0,
    checkpoints: options.Checkpoints = None,
    workers: options.Workers = None,
    method: options.Method = "auto",
    engine: options.Engine = "threads",
    precision: options.Precision = "float64",
    store: options.Store = None,
    check: Annotated[bool, typer.Option("--check", help=CHECK_HELP)] = False,
    delay: Annotated[str | None, typer.Option(help=DELAY_HELP, show_default="no delay")] = None,
    table: options.TableFlags,
    json_output: options.Json = False,
    out: Annotated[
        Path | None, typer.Option(help="Write the result: .parquet (everything), .csv or .json (the table).")
    ] = None,
    figure: options.Figure = None,
    plot: Annotated[str | None, typer.Option(help=PLOT_HELP, show_default="exact_pseudo_regret")] = None,
    dry_run: options.DryRun = False,
) -> None:
    """Simulate policies on one problem and print their regret at the horizon.

    **Example:** `riskbandits simulate --arms zhu-tan-gaussian --rho 1 --policies switching-aware,mvts`
    """
    check_out(out)
    check_figure(figure)
    if plot is not None and plot not in PLOTS:
        raise unknown_name("plot", plot, PLOTS)
    if plot is not None and figure is None:
        raise must_be("--plot", "given with --figure", plot)
    problem = read_problem(arms, rho, risk, table.options())
    chosen = policies_for(policies, problem)
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

    def show() -> None:
        if json_output:
            print(json.dumps(output.as_data(result), allow_nan=False), flush=True)
        else:
            output.show_result(result)

    output.show_and_write(show, out, partial(_write, result), figure, lambda ax: result.plot(plot, ax=ax))


def whole_numbers(text: str | None) -> list[int] | None:
    """The numbers of a comma-separated list, or None for no list."""
    if text is None:
        return None
    try:
        return [options.whole_number(part.strip()) for part in text.split(",")]
    except typer.BadParameter:
        raise must_be("--checkpoints", "whole numbers separated by commas", text) from None


def check_dry_run(engine: str, workers: int | None) -> None:
    """Refuse an estimate for what could not run, or was not measured."""
    resolve(engine=engine, workers=workers)
    if engine == "cuda":
        raise ParameterError("--dry-run measures this machine's cores: it cannot estimate the cost of --engine cuda.")


def _write(result: Any, out: Path) -> None:
    if out.suffix.lower() == ".parquet":
        result.save(out)
        return
    with files.replacing(out) as temporary:
        if out.suffix.lower() == ".csv":
            result.table().to_csv(temporary, index=False)
        else:
            Path(temporary).write_text(json.dumps(output.as_data(result), allow_nan=False), encoding="utf-8")
