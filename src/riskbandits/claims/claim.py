"""What a claim is, and what deciding it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from riskbandits.claims.evidence import NO, TIE, UNDECIDED, YES, Judged, Row
from riskbandits.claims.wording import conditions
from riskbandits.experiments.experiment import Outcomes

HOLDS, HOLDS_ONLY, FAILS, OPEN = "holds", "holds only with", "does not hold", "cannot be decided"
VERDICTS = (HOLDS, HOLDS_ONLY, FAILS, OPEN)
SYMBOLS = {HOLDS: "✓", HOLDS_ONLY: "◐", FAILS: "✗", OPEN: "?"}


class Claim(NamedTuple):
    """A statement of the paper that numbers can decide."""

    name: str
    statement: str  # in our words, for somebody who has not read the paper
    place: str  # where the paper says it
    measure: str  # how it is decided
    quantity: str  # what the effect is
    needs: tuple[str, ...]  # experiments
    rows: Callable[[Outcomes], Sequence[Row]]
    rule: Callable[[Sequence[Judged]], tuple[str, str]]
    note: Callable[[Sequence[Judged]], str] | None = None  # a further sentence from the numbers


class Decision(NamedTuple):
    """The verdict on a claim. `effect` with its interval is that of the least favourable row of the evidence."""

    claim: Claim
    verdict: str
    condition: str  # with what it holds, if it holds only with something
    effect: float
    low: float
    high: float
    where: str  # the row from which the effect is
    sentence: str
    evidence: list[dict[str, Any]]

    @property
    def text(self) -> str:
        """The verdict in words, with its condition."""
        return f"{self.verdict} {self.condition}".strip()


def everywhere(judged: Sequence[Judged]) -> tuple[str, str]:
    """For statements about several settings: true in all, in some (which are named), or in none."""
    answers = [one.says for one in judged]
    if all(answer == YES for answer in answers):
        return HOLDS, ""
    if not any(answer in (NO, TIE) for answer in answers):
        return OPEN, ""
    if YES in answers:
        return HOLDS_ONLY, conditions([one.row.where for one in judged], [answer == YES for answer in answers])
    return FAILS, ""


def without_exception(judged: Sequence[Judged]) -> tuple[str, str]:
    """For theorems: one counterexample is enough."""
    answers = [one.says for one in judged]
    if NO in answers:
        return FAILS, ""
    return (OPEN, "") if UNDECIDED in answers else (HOLDS, "")


def at_the_end(judged: Sequence[Judged]) -> tuple[str, str]:
    """For statements about "small" or "large" values: the first row is the extreme one and decides."""
    return {YES: HOLDS, NO: FAILS, TIE: FAILS, UNDECIDED: OPEN}[judged[0].says], ""
