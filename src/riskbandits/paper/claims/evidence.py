"""Comparisons as rows of evidence, their answers (Holm), and the rules by which answers become a verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from riskbandits.inference.claims import ERROR, FAILS, HOLDS, HOLDS_ONLY, NO, NOT_REFUTED, OPEN, TIE, UNDECIDED, YES
from riskbandits.inference.ratios import Ratio
from riskbandits.paper.claims.phrasing import conditions

LEVEL = 1.1  # policies whose regrets differ by less than this factor are level
SIMILAR = 1.25  # "similar": within this factor


class Row(NamedTuple):
    """One comparison that a claim makes, with the p-values of "the claim is true here" and of its opposite.

    `strain` orders rows from the most to the least favourable. `regret` is the same comparison on the realised
    regret, which varies far more, where the paper's sentence is about it.
    """

    where: dict[str, Any]
    ratio: Ratio
    p_yes: float
    p_no: float
    strain: float
    tie: bool = False  # whether level is an answer, and a different one from "yes"
    regret: Ratio | None = None
    more: dict[str, Any] | None = None  # further columns of the evidence


class Judged(NamedTuple):
    """A row with the answer that it gives once all rows of the claim are taken together."""

    row: Row
    low: float
    high: float
    p: float
    says: str
    regret_says: str = ""
    regret_low: float = math.nan
    regret_high: float = math.nan

    def as_data(self) -> dict[str, Any]:
        """The row of a table."""
        data = {
            **self.row.where,
            "effect": self.row.ratio.value,
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "says": self.says,
        }
        if self.row.regret is not None:
            data |= {
                "regret_difference": self.row.regret.value,
                "regret_low": self.regret_low,
                "regret_high": self.regret_high,
                "regret_says": self.regret_says,
            }
        return data | (self.row.more or {})


def better(where: dict[str, Any], ratio: Ratio, regret: Ratio | None = None) -> Row:
    """The rival's regret over one's own is above 1. Level is not better."""
    return Row(where, ratio, ratio.p_above(1.0), ratio.p_below(1.0), -ratio.value, True, regret)


def within(where: dict[str, Any], ratio: Ratio, factor: float) -> Row:
    """The ratio lies between 1/factor and factor: shown to be there, not merely not shown to be elsewhere."""
    inside = _p_inside(ratio, factor)
    outside = min(ratio.p_above(factor), ratio.p_below(1.0 / factor))
    strain = abs(math.log(ratio.value)) if ratio.value > 0.0 else math.inf
    return Row(where, ratio, inside, outside, strain)


def at_most(where: dict[str, Any], ratio: Ratio, limit: float) -> Row:
    """The ratio is at most a limit."""
    return Row(where, ratio, ratio.p_below(limit), ratio.p_above(limit), ratio.value)


def at_least(where: dict[str, Any], ratio: Ratio, limit: float) -> Row:
    """The ratio is at least a limit."""
    return Row(where, ratio, ratio.p_above(limit), ratio.p_below(limit), -ratio.value)


def judge(rows: Sequence[Row]) -> list[Judged]:
    """Let all rows of a claim speak at once, by Holm's procedure: the chance that any answer is wrong is at most 5 %.

    Intervals are those of each row by itself, at 95 %: what is decided lies outside or inside with its interval, but
    an interval that does so narrowly may still belong to an undecided row.
    """
    sides = [min(1.0, 2.0 * min(row.p_yes, row.p_no)) for row in rows]
    levels = [2.0 * _p_inside(row.ratio, LEVEL) for row in rows if row.tie]
    together = holm([*sides, *levels])
    adjusted, ties = together[: len(rows)], iter(together[len(rows) :])
    differences = [row.regret for row in rows]
    realised = holm([1.0 if one is None else 2.0 * min(one.p_above(0.0), one.p_below(0.0)) for one in differences])
    judged = []
    for row, p, p_regret in zip(rows, adjusted, realised, strict=True):
        p_tie = next(ties) if row.tie else 1.0
        answer = (YES if row.p_yes < row.p_no else NO) if p <= ERROR else TIE if p_tie <= ERROR else UNDECIDED
        one = Judged(row, *row.ratio.interval(ERROR), p, answer)
        if row.regret is not None:
            says = UNDECIDED if p_regret > ERROR else YES if row.regret.value > 0.0 else NO
            low, high = row.regret.interval(ERROR)
            one = one._replace(regret_says=says, regret_low=low, regret_high=high)
        judged.append(one)
    return judged


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for their number by Holm's procedure.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, number in enumerate(sorted(range(len(p_values)), key=lambda k: p_values[k])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[number]))
        adjusted[number] = largest
    return adjusted


def _p_inside(ratio: Ratio, factor: float) -> float:
    return max(ratio.p_above(1.0 / factor), ratio.p_below(factor))


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
    """For statements about "small" or "large" values: the first row is the extreme one and decides.

    Where it is the only one that agrees, the verdict says so: one value is no range.
    """
    verdict = {YES: HOLDS, NO: FAILS, TIE: FAILS, UNDECIDED: OPEN}[judged[0].says]
    if verdict == HOLDS and len(judged) > 1 and judged[1].says != YES:
        first = [place == 0 for place in range(len(judged))]
        return Finding(HOLDS_ONLY, conditions([one.row.where for one in judged], first), judged[0])
    return Finding(verdict, "", judged[0])


def least_favourable(judged: Sequence[Judged]) -> Judged:
    """The row that strains the claim most; one that contradicts it before any other."""

    def order(one: Judged) -> tuple[bool, float]:
        strain = one.row.strain
        return one.says in (NO, TIE), -math.inf if math.isnan(strain) else strain

    return max(judged, key=order)
