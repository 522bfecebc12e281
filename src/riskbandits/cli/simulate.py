"""`riskbandits simulate`: policies on one problem."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api import simulate as study
from riskbandits.api.execution import RunOptions
from riskbandits.cli import options, output
from riskbandits.cli.estimate import estimate
from riskbandits.cli.output import check_figure, check_out
from riskbandits.cli.parsing import (
    ARMS_HELP,
    DEFAULT_POLICIES,
    POLICIES_HELP,
    RISK_HELP,
    policies_for,
    read_problem,
    rho_of,
)
from riskbandits.core import files
from riskbandits.core.errors import must_be, unknown_name

CHECK_HELP = "Check your own records for out-of-bounds array access; slower, same numbers."
PLOTS = ("exact_pseudo_regret", "regret", "pseudo_regret", "best_arm_share", "runs", "fan", "pulls")
PLOT_HELP = f"What --figure draws: {', '.join(PLOTS)}."


@options.flattened
def simulate(
    *,
    arms: Annotated[str, typer.Option(help=ARMS_HELP)] = "zhu-tan-gaussian",
    rho: options.Rho = None,
    gamma: options.Gamma = None,
    risk: Annotated[str | None, typer.Option(help=RISK_HELP)] = None,
    policies: Annotated[
        str | None, typer.Option(help=POLICIES_HELP, show_default=DEFAULT_POLICIES.replace(",", ", "))
    ] = None,
    run: options.RunFlags,
    check: Annotated[bool, typer.Option("--check", help=CHECK_HELP)] = False,
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
    problem = read_problem(arms, rho_of(rho, gamma, risk), risk, table.options())
    chosen = policies_for(policies, problem)
    keywords = run.keywords()
    if dry_run:
        run.check_dry_run()
        jobs = study.plan(problem, chosen, RunOptions(**keywords))
        output.show_estimate(estimate(jobs, run.workers), json_output)
        return
    result = study.simulate(problem, chosen, check=check, **keywords)

    def show() -> None:
        if json_output:
            print(json.dumps(output.as_data(result), allow_nan=False), flush=True)
        else:
            output.show_result(result)

    output.show_and_write(show, out, partial(_write, result), figure, lambda ax: result.plot(plot, ax=ax))


def _write(result: Any, out: Path) -> None:
    if out.suffix.lower() == ".parquet":
        result.save(out)
        return
    with files.replacing(out) as temporary:
        if out.suffix.lower() == ".csv":
            result.table().to_csv(temporary, index=False)
        else:
            Path(temporary).write_text(json.dumps(output.as_data(result), allow_nan=False), encoding="utf-8")
