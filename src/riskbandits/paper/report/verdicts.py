"""The claims and their verdicts, from decisions to what the page shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from riskbandits.inference.claims import NO, TIE, UNDECIDED, YES
from riskbandits.paper.claims import FAILS, HOLDS, HOLDS_ONLY, NOT_REFUTED, OPEN, SYMBOLS, VERDICTS, Decision
from riskbandits.paper.report.content import Cell, Claim, Column, Table, Verdict
from riskbandits.paper.report.formatting import number_cell, rho_cell, text_cell

STYLES = {HOLDS: "holds", NOT_REFUTED: "kept", HOLDS_ONLY: "partly", FAILS: "fails", OPEN: "open"}
SHORT = {
    HOLDS: "holds",
    NOT_REFUTED: "not refuted",
    HOLDS_ONLY: "holds in part",
    FAILS: "does not hold",
    OPEN: "cannot be decided",
}
COUNTED = {
    HOLDS: "hold",
    NOT_REFUTED: "are not refuted",
    HOLDS_ONLY: "hold in part",
    FAILS: "do not hold",
    OPEN: "cannot be decided",
}
SMALLEST_P = 0.0001  # smaller ones are written as smaller than this
ANSWERS = {YES: "holds", NO: "fails", TIE: "partly", UNDECIDED: "open"}


def verdicts(decisions: Sequence[Decision]) -> tuple[Verdict, ...]:
    """Every kind of verdict with how often it was given."""
    given = [decision.verdict for decision in decisions]
    return tuple(Verdict(COUNTED[name], SYMBOLS[name], STYLES[name], given.count(name)) for name in VERDICTS)


def claim(decision: Decision) -> Claim:
    """A claim as the page shows it."""
    about = decision.claim
    return Claim(
        name=about.name,
        statement=about.statement,
        place=about.source,
        measure=about.measure,
        verdict=Verdict(SHORT[decision.verdict], SYMBOLS[decision.verdict], STYLES[decision.verdict]),
        condition=decision.condition,
        sentence=decision.sentence,
        evidence=_evidence(decision) if decision.evidence else None,
    )


def _evidence(decision: Decision) -> Table:
    """The rows by which a claim was decided."""
    names = list(dict.fromkeys(name for row in decision.evidence for name in row))
    numeric = {name: all(_is_number(row.get(name, 0)) for row in decision.evidence) for name in names}
    columns = tuple(Column(name.replace("_", " "), numeric[name]) for name in names)
    rows = tuple(tuple(_cell(name, row.get(name)) for name in names) for row in decision.evidence)
    caption = f"Evidence, one comparison per row. The effect is: {decision.claim.quantity}."
    return Table(f"evidence-{decision.claim.name}", caption, columns, rows)


def _cell(name: str, value: Any) -> Cell:
    if value is None:
        return Cell("", "")
    if name == "rho" and _is_number(value):
        return rho_cell(value)
    if name == "p" and _is_number(value) and value < SMALLEST_P:
        return Cell(f"< {SMALLEST_P:.4f}", value)
    if _is_number(value):
        return number_cell(value)
    return text_cell(str(value), ANSWERS.get(value, "") if name.endswith("says") else "")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
