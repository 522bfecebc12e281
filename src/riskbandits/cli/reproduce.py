"""`riskbandits reproduce`: the paper's experiments."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from riskbandits import files
from riskbandits.cli import output
from riskbandits.errors import FileError, unknown_name
from riskbandits.experiments import FIGURES
from riskbandits.experiments.over_time import RUNS, draw, run


def reproduce(
    figures: Annotated[list[str] | None, typer.Argument(help="Figures to draw; all of them if none is named.")] = None,
    runs: Annotated[int, typer.Option(help="Runs per policy.")] = RUNS,
    seed: Annotated[int, typer.Option(help="The same seed gives the same numbers.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder for tables and figures.")] = Path("results"),
    threads: Annotated[int | None, typer.Option(help="Threads.", show_default="all cores")] = None,
) -> None:
    """Reproduce the paper's experiments: simulate, print a table, and write results and a figure.

    **Example:** `riskbandits reproduce fig3 --runs 50 --out results`
    """
    wanted = figures or list(FIGURES)
    for name in wanted:
        if name not in FIGURES:
            raise unknown_name("figure", name, FIGURES)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"The folder {str(out)!r} could not be made: {error.strerror}.") from None
    started = time.perf_counter()
    results = {}
    for name in wanted:
        results[name] = run(FIGURES[name], runs, seed, threads)
        results[name].save(out / f"{name}.parquet")
        with files.replacing(out / f"{name}.csv") as temporary:
            results[name].table().to_csv(temporary, index=False)
        output.show_result(results[name])
    figure = draw(results, out / "regret-over-time.png")
    print(f"{time.perf_counter() - started:.0f} s. Tables and results: {out}/, figure: {figure}")
