"""`riskbandits claims`: what the paper says, and what the simulations say of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.cli import output
from riskbandits.cli.bounds import jsonable
from riskbandits.cli.simulate import ENGINE_HELP
from riskbandits.policies.contract import whole

RUNS, QUICK_RUNS = 500, 50


def claims(
    names: Annotated[
        list[str] | None, typer.Argument(help="Claims to decide, with their evidence; all of them if none is named.")
    ] = None,
    runs: Annotated[int, typer.Option(help="Runs per policy in the paper's experiments; others in proportion.")] = RUNS,
    quick: Annotated[bool, typer.Option("--quick", help=f"A first look: --runs {QUICK_RUNS}.")] = False,
    seed: Annotated[int, typer.Option(help="The same seed gives the same numbers.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder whose store of results is used and filled.")] = Path("results"),
    threads: Annotated[int | None, typer.Option(help="Threads.", show_default="all cores")] = None,
    engine: Annotated[str, typer.Option(help=ENGINE_HELP)] = "threads",
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Decide the paper's claims by simulation: which hold, under which condition, and which do not.

    **Example:** `riskbandits claims mvts-beats-mv-lcb --quick`
    """
    from riskbandits.claims import decide, experiments_needed
    from riskbandits.experiments.experiment import run

    share = (QUICK_RUNS if quick else whole("The number of runs", runs)) / RUNS
    needed = {name: one.smaller(share) for name, one in experiments_needed(names or None).items()}
    outcomes = run(needed, seed, threads, True, engine, out / "store")
    decisions = decide(outcomes, names or None)
    if json_output:
        settings = {"runs": round(share * RUNS), "seed": seed}
        print(json.dumps(jsonable({"settings": settings, "claims": [as_data(one) for one in decisions]})))
        return
    show(decisions)
    if names:
        for one in decisions:
            show_evidence(one)


def as_data(decision: Any) -> dict[str, Any]:
    """A decision as plain data."""
    claim = decision.claim
    about = {name: getattr(claim, name) for name in ("name", "statement", "place", "measure", "quantity")}
    found = decision._asdict()
    del found["claim"]
    return {**about, "needs": list(claim.needs), **found}


def show(decisions: Sequence[Any]) -> None:
    """The ledger for people."""
    from rich.markup import escape
    from rich.table import Table

    from riskbandits.claims import SYMBOLS, VERDICTS
    from riskbandits.claims.wording import interval, shown

    table = Table(show_lines=True, title="The paper's claims")
    table.add_column("verdict", max_width=30)
    table.add_column("claim", ratio=1)
    table.add_column("effect, 95 % interval", max_width=30)
    for one in decisions:
        effect = f"{shown(one.effect)} ({interval(one.low, one.high)})\n{one.claim.quantity}"
        where = f"[dim]{one.claim.name}; {escape(one.claim.place)}[/dim]"
        table.add_row(
            f"{SYMBOLS[one.verdict]} {escape(one.text)}", f"{escape(one.claim.statement)}\n{where}", escape(effect)
        )
    output.console().print(table)
    counts = [f"{SYMBOLS[v]} {sum(one.verdict == v for one in decisions)} {v}" for v in VERDICTS]
    print("; ".join(counts) + ".")
    print(
        "Effects are those of the least favourable comparison; intervals hold for all comparisons of a claim at once."
    )


def show_evidence(decision: Any) -> None:
    """How one claim is decided, its sentence, and its rows."""
    from rich.markup import escape
    from rich.table import Table

    from riskbandits.claims.wording import shown

    print(f"\n{decision.claim.name}: {decision.text}.\n{decision.sentence}\nMeasure: {decision.claim.measure}")
    if not decision.evidence:
        return
    columns = list(dict.fromkeys(name for row in decision.evidence for name in row))
    table = Table(*columns)
    for row in decision.evidence:
        table.add_row(*(escape(shown(row.get(name, ""))) for name in columns))
    output.console().print(table)
