"""The application: the list of commands."""

from __future__ import annotations

from typing import Annotated

import typer

from riskbandits.cli.bandits import audit, compact, export, import_, restore
from riskbandits.cli.bounds import bounds
from riskbandits.cli.claims import claims
from riskbandits.cli.compare import compare
from riskbandits.cli.evaluate import evaluate
from riskbandits.cli.frontier import frontier
from riskbandits.cli.identify import identify
from riskbandits.cli.keys import app as keys
from riskbandits.cli.list_command import list_things
from riskbandits.cli.playground import playground
from riskbandits.cli.replay import replay
from riskbandits.cli.reproduce import reproduce
from riskbandits.cli.serve import serve
from riskbandits.cli.simulate import simulate
from riskbandits.cli.sweep import sweep
from riskbandits.cli.warmup import warmup
from riskbandits.core.version import __version__

app = typer.Typer(
    name="riskbandits",
    help="Risk-aware multi-armed bandits: simulate policies, reproduce the paper.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("simulate")(simulate)
app.command("sweep")(sweep)
app.command("compare")(compare)
app.command("identify")(identify)
app.command("frontier")(frontier)
app.command("replay")(replay)
app.command("evaluate")(evaluate)
app.command("reproduce")(reproduce)
app.command("claims")(claims)
app.command("bounds")(bounds)
app.command("playground")(playground)
app.command("list")(list_things)
app.command("warmup")(warmup)
app.command("serve")(serve)
app.add_typer(keys, name="keys")
app.command("audit")(audit)
app.command("compact")(compact)
app.command("restore")(restore)
app.command("export")(export)
app.command("import")(import_)


def _show_version(asked: bool) -> None:
    if asked:
        print(f"riskbandits {__version__}")
        raise typer.Exit


@app.callback()
def _about(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
