"""`riskbandits frontier`: which arm is best for which range of rho."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api import frontier as frontiers
from riskbandits.cli import output
from riskbandits.cli.options import Figure, FileFlags, Gamma, Json, Seed, flattened, number, real
from riskbandits.cli.output import check_figure, write_figure
from riskbandits.cli.parsing import read_table_or_arms, rho_of
from riskbandits.core import files
from riskbandits.core.display import columns, filled

SOURCE_HELP = (
    "A .csv, .tsv, .txt or .parquet file of recorded rewards, one column per arm and optionally one of dates; or arms "
    "as in `riskbandits simulate --arms`."
)


@flattened
def frontier(
    *,
    source: Annotated[str, typer.Argument(metavar="FILE", help=SOURCE_HELP)],
    rho: Annotated[float | None, real("Also print the best arm for this rho.")] = None,
    gamma: Gamma = None,
    resamples: Annotated[int, number("Bootstrap resamples for the intervals.")] = 1000,
    block: Annotated[float, real("Average number of consecutive rows resampled together.")] = 1.0,
    seed: Seed = 0,
    table: FileFlags,
    json_output: Json = False,
    out: Annotated[Path | None, typer.Option(help="Write the table: .csv.")] = None,
    figure: Figure = None,
) -> None:
    """Print which arm has the largest mean-variance rho mean - variance for which range of rho, with 95 % intervals.

    rho has the unit of the rewards: for returns in percent it is a hundred times that for the same returns as
    fractions. For returns as fractions, risk aversion gamma (mean - gamma/2 variance) is the same as rho = 2 / gamma.

    **Example:** `riskbandits frontier returns.csv --figure frontier.png`

    **Prices of funds:** `riskbandits frontier prices.csv --prices --common`
    """
    check_figure(figure)
    output.check_file("--out", out, (".csv",))
    rho = rho_of(rho, gamma)
    found = frontiers.frontier(read_table_or_arms(source, table.options()), resamples=resamples, block=block, seed=seed)
    ranges = found.table()
    asked = {} if rho is None else {"rho": rho, "best": found.best(rho), "sure": found.sure(rho)}
    if json_output:
        data = {"table": output.rows(ranges), "never": found.never, "moments": output.rows(found.moments()), **asked}
        print(json.dumps(data, allow_nan=False))
    else:
        _show(found, asked)
    if out is not None:
        with files.replacing(out) as temporary:
            ranges.to_csv(temporary, index=False)
        print(f"Written: {out}", file=sys.stderr)
    if figure is not None:
        write_figure(figure, found.plot)


def _show(found: frontiers.Frontier, asked: dict[str, Any]) -> None:
    print("The best arm by rho mean - variance:")
    for line in found.sentences():
        print(textwrap.fill(line, columns(), initial_indent="  ", subsequent_indent="      "))
    if asked:
        print(filled(f"{found.answer(asked['rho'])}."))
    print(f"\n{found.moments_grid().text()}\n")
    if found.rows is not None:
        print(filled(found.how_sure()))
    print(filled(frontiers.UNIT))
