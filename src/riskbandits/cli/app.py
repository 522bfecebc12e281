"""The application: the list of commands."""

from __future__ import annotations

from typing import Annotated

import typer

from riskbandits.cli.bandits import audit, compact, export, import_
from riskbandits.cli.bounds import bounds
from riskbandits.cli.claims import claims
from riskbandits.cli.compare import compare
from riskbandits.cli.frontier import frontier
from riskbandits.cli.identify import identify
from riskbandits.cli.keys import app as keys
from riskbandits.cli.listing import list_things
from riskbandits.cli.playground import playground
from riskbandits.cli.replay import replay
from riskbandits.cli.reproduce import reproduce
from riskbandits.cli.serve import serve
from riskbandits.cli.simulate import simulate
from riskbandits.cli.sweep import sweep
from riskbandits.cli.switches import Command, Group
from riskbandits.cli.warmup import warmup
from riskbandits.core.version import __version__

app = typer.Typer(
    name="riskbandits",
    cls=Group,
    help="Risk-aware multi-armed bandits: simulate policies, reproduce the paper.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("simulate", cls=Command)(simulate)
app.command("sweep", cls=Command)(sweep)
app.command("compare", cls=Command)(compare)
app.command("identify", cls=Command)(identify)
app.command("frontier", cls=Command)(frontier)
app.command("replay", cls=Command)(replay)
app.command("reproduce", cls=Command)(reproduce)
app.command("claims", cls=Command)(claims)
app.command("bounds", cls=Command)(bounds)
app.command("playground", cls=Command)(playground)
app.command("list", cls=Command)(list_things)
app.command("warmup", cls=Command)(warmup)
app.command("serve", cls=Command)(serve)
app.add_typer(keys, name="keys")
app.command("audit", cls=Command)(audit)
app.command("compact", cls=Command)(compact)
app.command("export", cls=Command)(export)
app.command("import", cls=Command)(import_)


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
