"""What a claim of the field is, and how measurements become a verdict."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from riskbandits.inference.intervals import clopper_pearson

if TYPE_CHECKING:
    from riskbandits.field.bench import Bench

HOLDS, PARTLY, FAILS, OPEN = "holds", "holds in part", "does not hold", "cannot be decided"
VERDICTS = (HOLDS, PARTLY, FAILS, OPEN)
SYMBOLS = {HOLDS: "✓", PARTLY: "◐", FAILS: "✗", OPEN: "?"}
ERROR = 0.05  # for all intervals of a claim together
YES, NO, UNDECIDED = "yes", "no", "undecided"


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


class Claim(NamedTuple):
    """A statement of the literature, and the simulation that decides it.

    `study` plays it on a `Bench` and gives rows. A statement that no simulation can decide, such as one about a limit,
    has no study: `open_because` says why. A theorem is refuted by a single setting; any other statement that is true
    in some of its settings holds in part.
    """

    name: str
    statement: str  # in our words, for somebody who has not read the source
    source: str
    setting: str  # what is simulated, in a sentence
    measure: str  # how it is decided
    quantity: str  # what the effect is
    study: Callable[[Bench], Sequence[Row]] | None
    theorem: bool = False
    open_because: str = ""


class Decision(NamedTuple):
    """The verdict on a claim; `effect` with its interval is that of the row least favourable to it."""

    claim: Claim
    verdict: str
    effect: float
    low: float
    high: float
    where: str
    sentence: str
    evidence: list[dict[str, Any]]


def decide(claim: Claim, bench: Bench) -> Decision:
    """Play a claim's study and let its rows speak.

    All intervals of a claim hold together with 95 % probability (Bonferroni): a row says yes if its whole interval
    lies on the claim's side of the limit, no if all of it lies on the other.
    """
    if claim.study is None:
        return Decision(claim, OPEN, math.nan, math.nan, math.nan, "", claim.open_because, [])
    rows = list(claim.study(bench))
    evidence = [_judged(row, ERROR / len(rows)) for row in rows]
    answers = [one["says"] for one in evidence]
    verdict = verdict_of(answers, claim.theorem)
    picked = max(zip(rows, evidence, strict=True), key=lambda pair: _strain(*pair))[1]
    ends = (picked["effect"], picked["low"], picked["high"])
    return Decision(claim, verdict, *ends, picked["where"], _sentence(claim, evidence, picked), evidence)


def verdict_of(answers: Sequence[str], theorem: bool) -> str:
    """What the rows say together.

    >>> verdict_of(["yes", "yes"], False), verdict_of(["yes", "no"], False), verdict_of(["yes", "no"], True)
    ('holds', 'holds in part', 'does not hold')
    >>> verdict_of(["yes", "undecided"], False), verdict_of(["no", "undecided"], False)
    ('cannot be decided', 'does not hold')
    """
    if NO in answers:
        return PARTLY if YES in answers and not theorem else FAILS
    return OPEN if UNDECIDED in answers else HOLDS


def _judged(row: Row, error: float) -> dict[str, Any]:
    low, high = row.measured.interval(error)
    right, wrong = (low >= row.limit, high < row.limit) if row.at_least else (high <= row.limit, low > row.limit)
    says = YES if right else NO if wrong else UNDECIDED
    claimed = f"at {'least' if row.at_least else 'most'} {row.limit:.3g}"
    return {
        "where": row.where,
        "effect": float(row.measured.value),
        "low": float(low),
        "high": float(high),
        "claimed": claimed,
        "says": says,
    }


def _strain(row: Row, judged: dict[str, Any]) -> tuple[int, float]:
    distance = judged["effect"] - row.limit
    return (YES, UNDECIDED, NO).index(judged["says"]), -distance if row.at_least else distance


def _sentence(claim: Claim, evidence: Sequence[dict[str, Any]], picked: dict[str, Any]) -> str:
    counted = ""
    if len(evidence) > 1:
        answers = [one["says"] for one in evidence]
        words = {YES: "for it", NO: "against it", UNDECIDED: "undecided"}
        parts = [f"{answers.count(answer)} {text}" for answer, text in words.items() if answer in answers]
        counted = f"Of {len(evidence)} settings: {', '.join(parts)}. "
    exact = picked["low"] == picked["high"]
    span = "" if exact else f", {1.0 - ERROR:.0%} interval {picked['low']:.3g} to {picked['high']:.3g}"
    where = f" ({picked['where']})" if picked["where"] else ""
    quantity = claim.quantity[0].upper() + claim.quantity[1:]
    return f"{counted}{quantity}: {picked['effect']:.3g}{span}{where}; by the claim {picked['claimed']}."
