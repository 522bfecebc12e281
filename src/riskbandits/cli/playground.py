"""`riskbandits playground`: the simulator in a single web page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from riskbandits.cli.parsing import read_policy
from riskbandits.core.files import check_replaceable


def playground(
    out: Annotated[Path, typer.Option(help="The page to write: a single file that opens in any browser.")] = Path(
        "playground.html"
    ),
    policy: Annotated[
        list[str] | None,
        typer.Option(help="A policy to add (may be repeated): FILE.py:Class, which runs the file, or a name."),
    ] = None,
) -> None:
    """Write an interactive web page in which policies play: move arms, change rho; no server, no network.

    It needs a compiler: `pip install 'riskbandits[playground]'`. Compiling takes about a minute.

    **Example:** `riskbandits playground --out playground.html --policy mine.py:Mine`
    """
    from riskbandits.playground import write

    check_replaceable(out)  # before a minute of compiling
    labels = write(out, [read_policy(text) for text in policy or []])
    size = out.stat().st_size / 1000
    print(f"Written: {out} ({size:.0f} kB, {len(labels)} policies: {', '.join(labels)})", file=sys.stderr)
