"""The application: which commands there are, and how errors reach a person."""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from riskbandits.cli.bounds import bounds
from riskbandits.cli.claims import claims
from riskbandits.cli.compare import compare
from riskbandits.cli.identify import identify
from riskbandits.cli.listing import list_things
from riskbandits.cli.reproduce import reproduce
from riskbandits.cli.simulate import simulate
from riskbandits.cli.sweep import sweep
from riskbandits.errors import RiskBanditsError
from riskbandits.version import __version__

BAD_INPUT, INTERRUPTED = 2, 130

app = typer.Typer(
    name="riskbandits",
    help="Multi-armed bandits that mind the risk: simulate policies, reproduce the paper.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command("simulate")(simulate)
app.command("sweep")(sweep)
app.command("compare")(compare)
app.command("identify")(identify)
app.command("reproduce")(reproduce)
app.command("claims")(claims)
app.command("bounds")(bounds)
app.command("list")(list_things)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"riskbandits {__version__}")
        raise typer.Exit


@app.callback()
def _about(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; an error is one sentence on standard error, never a traceback."""
    try:
        app()
    except RiskBanditsError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except SystemExit as ended:  # Typer turns Ctrl-C into this, without a word
        if ended.code == INTERRUPTED:
            print("Stopped.", file=sys.stderr)
        raise
    finally:
        gc.freeze()  # there is nothing to collect in a process that ends, and looking for it takes up to a second
