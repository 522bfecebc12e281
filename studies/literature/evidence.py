"""Measurements of a claim with their intervals, and the verdict that follows from them."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from riskbandits.inference.claims import (
    ERROR,
    NO,
    UNDECIDED,
    YES,
    Claim,
    Decision,
    counted,
    format_effect,
    measured,
)
from riskbandits.inference.intervals import clopper_pearson
from studies.literature.bench import Bench


class Measured(Protocol):
    """A number from simulations that knows its interval: a `Ratio` of `riskbandits.inference`, or a `Share`."""

    @property
    def value(self) -> float:
        """The estimate."""

    def interval(self, error: float) -> tuple[float, float]:
        """The interval that misses the truth with at most this probability."""


class Share(NamedTuple):
    """A probability, from so many runs of all, with the exact interval of Clopper and Pearson.

    >>> Share(0, 100).value, [round(end, 3) for end in Share(0, 100).interval(0.05)]
    (0.0, [0.0, 0.036])
    """

    runs: int
    of: int

    @property
    def value(self) -> float:
        """The share of runs."""
        return self.runs / self.of

    def interval(self, error: float) -> tuple[float, float]:
        """Both ends."""
        return clopper_pearson(self.runs, self.of, 1.0 - error)


class Row(NamedTuple):
    """One measurement that the claim speaks of: by the claim it is at most (or at least) `limit`."""

    where: str  # the setting, in a few words
    measured: Measured
    limit: float
    at_least: bool


def at_most(where: str, measured: Measured, limit: float) -> Row:
    """By the claim the number is at most `limit`."""
    return Row(where, measured, limit, at_least=False)


def at_least(where: str, measured: Measured, limit: float) -> Row:
    """By the claim the number is at least `limit`."""
    return Row(where, measured, limit, at_least=True)


def decide(claim: Claim, bench: Bench) -> Decision:
    """Play a claim's study and let its rows speak.

    All intervals of a claim hold together with 95 % probability (Bonferroni): a row says yes if its whole interval
    lies on the claim's side of the limit, no if all of it lies on the other.
    """
    assert claim.study is not None
    rows = list(claim.study(bench))
    evidence = [_evidence(row, ERROR / len(rows)) for row in rows]
    answers = [one["says"] for one in evidence]
    picked = max(zip(rows, evidence, strict=True), key=lambda pair: _strain(*pair))[1]
    effect, low, high, where = (picked[name] for name in ("effect", "low", "high", "where"))
    words = f"{measured(claim, effect, low, high, where)}; by the claim {picked['claimed']}."
    sentence = " ".join(filter(None, (counted(answers, "settings"), words)))
    return Decision(claim, claim.rule(answers), effect, low, high, where, sentence, evidence)


def _evidence(row: Row, error: float) -> dict[str, Any]:
    low, high = row.measured.interval(error)
    right, wrong = (low >= row.limit, high < row.limit) if row.at_least else (high <= row.limit, low > row.limit)
    says = YES if right else NO if wrong else UNDECIDED
    claimed = f"at {'least' if row.at_least else 'most'} {format_effect(row.limit)}"
    return {
        "where": row.where,
        "effect": float(row.measured.value),
        "low": float(low),
        "high": float(high),
        "claimed": claimed,
        "says": says,
    }


def _strain(row: Row, row_evidence: dict[str, Any]) -> tuple[int, float]:
    distance = row_evidence["effect"] - row.limit
    return (YES, UNDECIDED, NO).index(row_evidence["says"]), -distance if row.at_least else distance
