"""What a claim is, and what deciding it gives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from riskbandits.paper.claims.evidence import NO, TIE, UNDECIDED, YES, Judged, Row
from riskbandits.paper.claims.wording import conditions
from riskbandits.paper.experiments import Outcomes

HOLDS, NOT_REFUTED, HOLDS_ONLY = "holds", "is not refuted", "holds only with"
FAILS, OPEN = "does not hold", "cannot be decided"
VERDICTS = (HOLDS, NOT_REFUTED, HOLDS_ONLY, FAILS, OPEN)
SYMBOLS = {HOLDS: "✓", NOT_REFUTED: "○", HOLDS_ONLY: "◐", FAILS: "✗", OPEN: "?"}


class Finding(NamedTuple):
    """What a rule makes of judged rows: the verdict, its condition, and the row that shows it best."""

    verdict: str
    condition: str
    shown: Judged


Rule = Callable[[Sequence[Judged]], Finding]


class Claim(NamedTuple):
    """A statement of the paper that numbers can decide."""

    name: str
    statement: str  # in our words, for somebody who has not read the paper
    place: str  # where the paper says it
    measure: str  # how it is decided
    quantity: str  # what the effect is
    needs: tuple[str, ...]  # experiments
    rows: Callable[[Outcomes], Sequence[Row]]
    rule: Rule
    note: Callable[[Sequence[Judged]], str] | None = None  # a further sentence from the numbers


class Decision(NamedTuple):
    """The verdict on a claim; `effect` with its interval is that of the row named in `where`."""

    claim: Claim
    verdict: str
    condition: str  # if it holds only with something: with what, for whom, against whom
    effect: float
    low: float
    high: float
    where: str
    sentence: str
    evidence: list[dict[str, Any]]
    together: str = ""  # the verdict if the comparisons of all claims are taken together

    @property
    def text(self) -> str:
        """The verdict in words, with its condition."""
        return f"holds only {self.condition}" if self.verdict == HOLDS_ONLY else self.verdict


def everywhere(judged: Sequence[Judged]) -> Finding:
    """For statements about several settings: true in all, in some (which are named), or in none."""
    answers = [one.says for one in judged]
    if all(answer == YES for answer in answers):
        return Finding(HOLDS, "", least_favourable(judged))
    if not any(answer in (NO, TIE) for answer in answers):
        return Finding(OPEN, "", least_favourable(judged))
    if YES in answers:
        condition = conditions([one.row.where for one in judged], [answer == YES for answer in answers])
        if UNDECIDED in answers:
            condition += f" ({answers.count(UNDECIDED)} of {len(answers)} comparisons undecided)"
        return Finding(HOLDS_ONLY, condition, least_favourable(judged))
    return Finding(FAILS, "", least_favourable(judged))


def without_exception(judged: Sequence[Judged]) -> Finding:
    """For statements about all cases, all of which are tried: one counterexample is enough."""
    answers = [one.says for one in judged]
    verdict = FAILS if NO in answers else OPEN if UNDECIDED in answers else HOLDS
    return Finding(verdict, "", least_favourable(judged))


def unless_refuted(judged: Sequence[Judged]) -> Finding:
    """For theorems and lemmas, of which some cases are tried: one counterexample is enough, examples prove nothing."""
    found = without_exception(judged)
    return found._replace(verdict=NOT_REFUTED) if found.verdict == HOLDS else found


def cases_not_refuted(judged: Sequence[Judged]) -> Finding:
    """For lemmas that tell cases apart: as `everywhere`, but examples prove nothing."""
    found = everywhere(judged)
    if found.verdict == HOLDS_ONLY:
        return found._replace(condition=f"{found.condition} (not refuted there)")
    return found._replace(verdict=NOT_REFUTED) if found.verdict == HOLDS else found


def at_the_end(judged: Sequence[Judged]) -> Finding:
    """For statements about "small" or "large" values: the first row is the extreme one and decides."""
    verdict = {YES: HOLDS, NO: FAILS, TIE: FAILS, UNDECIDED: OPEN}[judged[0].says]
    return Finding(verdict, "", judged[0])


def least_favourable(judged: Sequence[Judged]) -> Judged:
    """The row that strains the claim most; one that contradicts it before any other."""

    def order(one: Judged) -> tuple[bool, float]:
        strain = one.row.strain
        return one.says in (NO, TIE), -math.inf if math.isnan(strain) else strain

    return max(judged, key=order)
