"""`riskbandits sweep`: policies over values of rho, or of the parameter of another risk measure."""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api import sweep as sweeps
from riskbandits.api.execution import RunOptions
from riskbandits.cli import options, output
from riskbandits.cli.estimate import BASE_MEGABYTES, estimate
from riskbandits.cli.output import check_figure, check_out
from riskbandits.cli.parsing import (
    ARMS_HELP,
    DEFAULT_POLICIES,
    POLICIES_HELP,
    policies_for,
    read_problem,
)
from riskbandits.core.errors import ParameterError, must_be, unknown_name
from riskbandits.problem import Problem
from riskbandits.results.sweep_result import SweepResult

RISK_HELP = (
    "The measure whose parameter takes these values, such as cvar (see `riskbandits list risks`) or "
    'FILE.py:Class, which runs the file; its other parameters as in "sharpe(weight=2)".'
)
VALUES_HELP = (
    "Values of rho, or of the measure's parameter: comma-separated, or LOW:HIGH:COUNT for that many values spaced by "
    "equal factors."
)

DEFAULT_RHOS = "0.001:1000:13"


@options.flattened
def sweep(
    *,
    arms: Annotated[str, typer.Option(help=ARMS_HELP)] = "zhu-tan-gaussian",
    rhos: Annotated[
        str | None, typer.Option("--rhos", "--values", help=VALUES_HELP, show_default=f"{DEFAULT_RHOS} for rho")
    ] = None,
    risk: Annotated[str, typer.Option(help=RISK_HELP)] = "mean-variance",
    parameter: Annotated[
        str | None, typer.Option(help="The parameter of the measure to vary.", show_default="its first")
    ] = None,
    policies: Annotated[
        str | None, typer.Option(help=POLICIES_HELP, show_default=DEFAULT_POLICIES.replace(",", ", "))
    ] = None,
    run: options.RunFlags,
    table: options.TableFlags,
    json_output: options.Json = False,
    out: Annotated[
        Path | None, typer.Option(help="Write the table: .parquet, .csv or .json (with the settings).")
    ] = None,
    figure: options.Figure = None,
    dry_run: options.DryRun = False,
) -> None:
    """Simulate policies over many values of rho as one job, and print their regret at the horizon.

    **Example:** `riskbandits sweep --rhos 0.001:1000:7 --policies switching-aware,mvts --store runs`

    **Another measure:** `riskbandits sweep --risk cvar --values 0.05,0.1,0.5 --policies mvts,ngts --runs 100`
    """
    check_out(out)
    check_figure(figure)
    values = None if rhos is None else read_rhos(rhos)
    keywords = run.keywords()
    problem = read_problem(arms, None, risk, table.options())
    name = swept_parameter(problem.risk, parameter)
    if getattr(problem.risk, name) != type(problem.risk)._field_defaults.get(name):
        raise must_be("--risk", f"without a value of {name}, which takes those of --values", risk)
    if values is None:
        if name != "rho":
            raise ParameterError(f"Say with --values which values of {name} to sweep over, such as --values 0.1,0.5.")
        values = read_rhos(DEFAULT_RHOS)
    chosen = policies_for(policies, problem)

    def problem_for_rho(value: float) -> Problem:
        return problem.with_risk(problem.risk._replace(**{name: value}))

    if dry_run:
        run.check_dry_run()
        planned = sweeps.plan(problem_for_rho, values, chosen, RunOptions(**keywords), name)
        output.show_estimate(_estimate(planned, run.workers), json_output)
        return
    result = sweeps.sweep(problem_for_rho, values, chosen, name=name, **keywords)

    def show() -> None:
        if json_output:
            print(_as_text(result), flush=True)
        else:
            output.show_grid(result.ranking())

    output.show_and_write(show, out, partial(_write, result), figure, lambda ax: result.plot(ax=ax))


def swept_parameter(measure: Any, asked: str | None) -> str:
    """The name of the parameter that takes the values."""
    if not measure._fields:
        raise must_be("--risk", "a measure with a parameter to sweep over", type(measure).__name__)
    if asked is None:
        return str(measure._fields[0])
    if asked not in measure._fields:
        raise unknown_name(f"parameter of {type(measure).__name__} named", asked, measure._fields)
    return asked


def read_rhos(text: str) -> list[float]:
    """The values given by `--rhos`.

    >>> read_rhos("0.01:100:5")
    [0.01, 0.1, 1.0, 10.0, 100.0]
    """
    try:
        if ":" not in text:
            return [float(part) for part in text.split(",")]
        low, high, count = text.split(":")
        start, end, number = float(low), float(high), int(count)
    except ValueError:
        raise must_be("--rhos (or --values)", "numbers separated by commas, or LOW:HIGH:COUNT", text) from None
    if not (0 < start < end < math.inf and number >= 2):
        raise must_be("--rhos LOW:HIGH:COUNT", "0 < LOW < HIGH and 2 or more values", text)
    sweeps.check_number("--rhos LOW:HIGH:COUNT", number)
    # Rounded to what a person would have typed: 0.1 rather than 0.10000000000000002.
    return [float(f"{start * (end / start) ** (k / (number - 1)):.12g}") for k in range(number)]


def _estimate(planned: sweeps.SweepPlan, workers: int | None) -> dict[str, Any]:
    """The cost of the whole sweep, from its first, middle and last value, since speed depends on the value."""
    name, values, groups = planned
    tried = [estimate(groups[k], workers) for k in sorted({0, len(groups) // 2, len(groups) - 1})]
    numbers = sum(one["megabytes"] - BASE_MEGABYTES for one in tried) / len(tried)
    return {
        **tried[0],
        "problem": f"{groups[0][0].problem!r} and {len(values) - 1} other values of {name}",
        f"{name}s": values,
        "steps": len(groups) * tried[0]["steps"],
        "seconds": round(len(groups) * sum(one["seconds"] for one in tried) / len(tried), 3),
        "megabytes": round(BASE_MEGABYTES + len(groups) * numbers, 1),
    }


def _as_text(result: SweepResult) -> str:
    data: dict[str, Any] = {
        "settings": result.settings,
        "versions": result.versions,
        "table": output.rows(result.table()),
    }
    return json.dumps(data, allow_nan=False)


def _write(result: SweepResult, out: Path) -> None:
    from riskbandits.core import files

    if out.suffix.lower() != ".json":
        result.save(out)
        return
    with files.replacing(out) as temporary:
        Path(temporary).write_text(_as_text(result), encoding="utf-8")
