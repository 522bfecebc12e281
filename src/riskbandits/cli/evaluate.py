"""`riskbandits evaluate`: what other choices would have paid, from a log."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api import evaluate as evaluations
from riskbandits.cli import output
from riskbandits.cli.options import Figure, Json, Rho, Seed, TableFlags, flattened, number
from riskbandits.cli.output import check_figure
from riskbandits.cli.parsing import RISK_HELP, read_goal
from riskbandits.cli.user_modules import is_own, own_function
from riskbandits.core import files
from riskbandits.core.calls import split_list
from riskbandits.core.errors import IntervalWarning, must_be

LOG_HELP = (
    "A .csv or .parquet file with the columns arm and reward, and perhaps probability and features; or the service's "
    "log, .ndjson."
)
TARGETS_HELP = (
    "Comma-separated: arms, shares such as a=0.7+b=0.3, files of saved learners (.json) for the probabilities of their "
    "next decision, FILE.py:function of features, which runs the file."
)
SHARE = re.compile(r"(.+)=([^=]+)")


@flattened
def evaluate(
    *,
    log: Annotated[Path, typer.Argument(metavar="LOG", help=LOG_HELP)],
    targets: Annotated[str, typer.Option(help=TARGETS_HELP)],
    rho: Rho = None,
    risk: Annotated[str | None, typer.Option(help=RISK_HELP)] = None,
    features: Annotated[
        str | None,
        typer.Option(
            help="Columns that are features, comma-separated, or none.",
            show_default="all but arm, reward, probability, dates and row numbers",
        ),
    ] = None,
    resamples: Annotated[int, number("Bootstrap resamples, for measures that jump.")] = 1000,
    seed: Seed = 0,
    table: TableFlags,
    json_output: Json = False,
    out: Annotated[Path | None, typer.Option(help="Write the table: .csv.")] = None,
    figure: Figure = None,
) -> None:
    """Print what other choices would have paid, and how risky they would have been, from a log of decisions.

    **Example:** `riskbandits evaluate log.csv --targets a,b,a=0.7+b=0.3 --risk cvar:0.2`

    **The service's log:** `riskbandits evaluate log.ndjson --targets b,learner.json --rho 1`
    """
    check_figure(figure)
    output.check_file("--out", out, (".csv",))
    named = None if features is None else [] if features.strip().lower() == "none" else split_list(features)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntervalWarning)  # they stand below the table
        found = evaluations.evaluate(
            log,
            read_targets(targets),
            read_goal(rho, risk),
            features=named,
            resamples=resamples,
            seed=seed,
            **table.options()._asdict(),
        )
    ranking = found.table()

    def show() -> None:
        if json_output:
            data = {
                "risk": str(found.risk),
                "table": output.rows(ranking),
                "warnings": found.warnings,
                "notes": found.notes,
            }
            print(json.dumps(data, allow_nan=False))
        else:
            output.show_grid(found.grid())

    def write(path: Path) -> None:
        with files.replacing(path) as temporary:
            ranking.to_csv(temporary, index=False)

    output.show_and_write(show, out, write, figure, found.plot)


def read_targets(text: str) -> dict[str, Any]:
    """The targets of a comma-separated list, by what was written.

    >>> read_targets("b, a=0.7+b=0.3")
    {'b': 'b', 'a=0.7+b=0.3': {'a': 0.7, 'b': 0.3}}
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise must_be("--targets", "a comma-separated list of arms, shares and learners", text)
    return {part: _target(part) for part in parts}


def _target(text: str) -> Any:
    if text.lower().endswith(".json"):
        return Path(text)
    if is_own(text):
        return own_function(text)
    if "=" not in text:
        return text
    shares = {}
    for part in text.split("+"):
        found = SHARE.fullmatch(part.strip())
        try:
            shares[found[1].strip()] = float(found[2])  # type: ignore[index]
        except (TypeError, ValueError):
            raise must_be("Shares", "written as in a=0.7+b=0.3", text) from None
    return shares
