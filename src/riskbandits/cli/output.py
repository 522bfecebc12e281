"""Output of results, as text, JSON or a figure."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskbandits.cli.standard_streams import say
from riskbandits.core import files
from riskbandits.core.display import WIDTH, Grid, counted, filled, format_number
from riskbandits.core.errors import must_be
from riskbandits.results.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from riskbandits.data import RewardTable

FORMATS = (".png", ".pdf", ".svg")
WRITERS = (".parquet", ".csv", ".json")


def print_notes(rewards: RewardTable) -> None:
    """Say on standard error how a table of rewards was read."""
    for line in rewards.about():
        say(line)


def as_data(result: Result) -> dict[str, Any]:
    """A result as one JSON object. JSON has no NaN: the standard error of a single run is null."""
    return {
        "settings": result.settings,
        "versions": result.versions,
        "table": rows(result.table()),
        "arms": result.problem.names,
        "best_arm": result.problem.names[result.problem.best_arm],
        "pulls": {label: result.trace(label).pulls.mean(axis=0).tolist() for label in result.labels},
    }


def rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """A table as JSON-compatible data."""
    records = table.to_dict(orient="records")
    return [{str(name): _plain(value) for name, value in row.items()} for row in records]


def _plain(value: object) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def show_result(result: Result) -> None:
    """The ranked table at the horizon."""
    show_grid(result.ranking())


def show_grid(grid: Grid) -> None:
    """A table and its notes."""
    print(grid.text())


def show_estimate(estimate: dict[str, Any], json_output: bool) -> None:
    """What `--dry-run` prints."""
    if json_output:
        print(json.dumps(estimate))
        return
    policies = ", ".join(f"{policy['label']} ({policy['method']})" for policy in estimate["policies"])
    amounts = [
        counted(estimate["runs"], "run"),
        counted(estimate["horizon"], "step"),
        counted(estimate["checkpoints"], "checkpoint"),
    ]
    print(filled(f"Would simulate {policies} on {estimate['problem']}:"))
    print(f"{amounts[0]} of {amounts[1]} each, {amounts[2]}, seed {estimate['seed']}.")
    print(
        f"About {format_number(estimate['seconds'], 2)} s on {counted(estimate['workers'], 'worker')}, "
        f"about {format_number(estimate['megabytes'], 2)} MB. Nothing was written."
    )


def console(markup: bool = False, piped: int = WIDTH) -> Any:
    """Standard output as Rich sees it, so many columns wide where it is not a terminal.

    Square brackets are what they are, in names that people chose, unless the text says that they are `markup`.
    """
    import sys

    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else piped, markup=markup, emoji=False)


def check_file(option: str, path: Path | None, endings: Sequence[str]) -> None:
    """Refuse a file that could not be written, before doing the work."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        raise must_be(option, f"a file that ends in {', '.join(endings)}", str(path))
    if not os.access(path.parent, os.W_OK):
        raise must_be(option, "in a folder that exists and can be written to", str(path))
    files.check_replaceable(path)


def check_figure(path: Path | None) -> None:
    """The same for `--figure`."""
    check_file("--figure", path, FORMATS)


def check_out(out: Path | None) -> None:
    """The same for `--out`."""
    check_file("--out", out, WRITERS)


def show_and_write(
    show: Callable[[], None], out: Path | None, write: Callable[[Path], None], figure: Path | None, draw: Any
) -> None:
    """Show what was computed, then write it, even if it cannot be shown: a full disk must not swallow results."""
    try:
        show()
    finally:
        if out is not None:
            write(out)
            print(f"Written: {out}", file=sys.stderr)
        if figure is not None:
            write_figure(figure, draw)


def write_figure(path: Path, draw: Callable[[Any], Any], width: float = 7.2, height: float = 4.2) -> None:
    """Let a function draw on axes, and write them."""
    from riskbandits import plotting

    with plotting.style():
        page = plotting.page(width, height)
        draw(page.subplots())
        plotting.save(page, [path])
    print(f"Written: {path}", file=sys.stderr)
