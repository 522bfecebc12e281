"""`riskbandits survey`: the algorithms of the field, and what they are here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from riskbandits.cli import output
from riskbandits.cli.options import Json, Seed, Workers
from riskbandits.core.files import check_replaceable, replacing


def survey(
    markdown: Annotated[Path | None, typer.Option(help="Write the page to this file.")] = None,
    measure: Annotated[
        Path | None, typer.Option(help="Run the bench again (minutes) and write what it measured to this file.")
    ] = None,
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="Folder whose store of results is used and filled.")] = Path("results"),
    workers: Workers = None,
    json_output: Json = False,
) -> None:
    """Every algorithm of the survey of risk-aware bandits: its name here, measure, arms, guarantee, our bench, source.

    **Example:** `riskbandits survey --markdown survey.md`
    """
    from riskbandits.field import survey_bench, survey_table
    from riskbandits.field.bench import Bench

    for path in (markdown, measure):
        if path is not None:  # before minutes of simulation
            check_replaceable(path)
    measured = survey_bench.stored()
    if measure is not None:
        measured = survey_bench.measure(Bench(seed=seed, workers=workers, store=out / "store"))
        survey_bench.write(measured, measure)
    if markdown is not None:
        with replacing(markdown) as temporary:
            Path(temporary).write_text(survey_table.page(measured), encoding="utf-8")
        return
    rows = survey_table.rows(measured)
    if json_output:
        print(json.dumps({"settings": measured["settings"], "survey": rows}, allow_nan=False))
        return
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    shown = [head for head in survey_table.HEADS if head != "source"]
    table = Table(*shown, title="The algorithms of the field", box=box.SIMPLE_HEAD, leading=1)
    for row in rows:
        table.add_row(*(escape(row[head].replace("`", "")) for head in shown))
    output.console().print(table)
