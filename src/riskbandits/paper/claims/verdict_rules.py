"""Rules: the verdict that follows from the answers of a claim's rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from riskbandits.inference.claims import FAILS, HOLDS, HOLDS_ONLY, NO, NOT_REFUTED, OPEN, TIE, UNDECIDED, YES
from riskbandits.paper.claims.evidence import Judged
from riskbandits.paper.claims.wording import conditions


class Finding(NamedTuple):
    """What a rule makes of judged rows: the verdict, its condition, and the row that shows it best."""

    verdict: str
    condition: str
    picked: Judged


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
