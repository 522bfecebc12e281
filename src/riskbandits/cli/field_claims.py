"""`riskbandits claims --field`: what the literature says, and what the simulations say of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from riskbandits.api.simulate import versions
from riskbandits.cli import output
from riskbandits.cli.bounds import jsonable

if TYPE_CHECKING:
    from riskbandits.field import Bench, Decision


def decide_field(names: list[str] | None, bench: Bench, json_output: bool) -> None:
    """Decide the field's claims and show them; those that are named with all their settings."""
    from riskbandits.field import decide

    decisions = decide(bench, names or None)
    if json_output:
        data = {"settings": {"seed": bench.seed, "share": bench.share}, "versions": versions()}
        print(json.dumps(jsonable({**data, "claims": [as_data(one) for one in decisions]}), allow_nan=False))
        return
    show(decisions)
    if names:
        for one in decisions:
            show_evidence(one)


def as_data(decision: Decision) -> dict[str, Any]:
    """A decision as plain data."""
    words = ("name", "statement", "source", "setting", "measure", "quantity")
    found = decision._asdict()
    del found["claim"]
    return {**{name: getattr(decision.claim, name) for name in words}, **found}


def show(decisions: Sequence[Decision]) -> None:
    """The ledger for people: a symbol, the claim with its verdict, source and setting, and the effect."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from riskbandits.field import SYMBOLS, VERDICTS

    title = "What the literature says, and what the numbers say"
    table = Table(box=box.SIMPLE_HEAD, title=title, padding=(0, 1), leading=1)
    table.add_column("")
    table.add_column("claim and verdict", ratio=1)
    table.add_column("effect\n95 % interval", justify="right", no_wrap=True)
    for one in decisions:
        verdict = f"[bold]{one.verdict}[/bold] (effect: {escape(one.claim.quantity)})"
        source = f"[dim]{one.claim.name}; {escape(one.claim.source)}\nSetting: {escape(one.claim.setting)}[/dim]"
        table.add_row(SYMBOLS[one.verdict], f"{escape(one.claim.statement)}\n{verdict}\n{source}", _effect(one))
    screen = output.console(markup=True)
    screen.print(table)
    counts = {verdict: sum(one.verdict == verdict for one in decisions) for verdict in VERDICTS}
    totals = ", ".join(f"{SYMBOLS[verdict]} {verdict}: {count}" for verdict, count in counts.items())
    legend = "The effect is that of the setting least favourable to the claim; intervals of a claim hold together."
    for line in (f"{totals}.", legend, "All settings of a claim: riskbandits claims --field NAME"):
        screen.print(line, highlight=False, markup=False)


def show_evidence(decision: Decision) -> None:
    """How one claim is decided, its sentence, and its settings."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    screen = output.console(markup=True)
    screen.print(f"\n[bold]{decision.claim.name}[/bold]: {decision.verdict}.", highlight=False)
    screen.print(escape(decision.sentence), highlight=False)
    screen.print(f"[dim]Measure: {escape(decision.claim.measure)}[/dim]", highlight=False)
    if not decision.evidence:
        return
    table = Table("where", "effect", "95 % interval", "claimed", "says", box=box.SIMPLE_HEAD)
    for row in decision.evidence:
        ends = f"{row['low']:.3g} to {row['high']:.3g}"
        cells = (row["where"], f"{row['effect']:.3g}", ends, row["claimed"], row["says"])
        table.add_row(*(escape(cell) for cell in cells))
    screen.print(table)


def _effect(one: Decision) -> str:
    if one.effect != one.effect:
        return ""
    return f"{one.effect:.3g}" + ("" if one.low == one.high else f"\n{one.low:.3g} to {one.high:.3g}")
