"""Claims that numbers decide: what one says of itself, what a decision says, and how both are put into words.

How rows of evidence become answers is up to a list of claims: `riskbandits.paper.claims.evidence`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from riskbandits.core.errors import unknown_name

HOLDS, NOT_REFUTED, HOLDS_ONLY, PARTLY = "holds", "is not refuted", "holds only with", "holds in part"
FAILS, OPEN = "does not hold", "cannot be decided"
SYMBOLS = {HOLDS: "✓", NOT_REFUTED: "○", HOLDS_ONLY: "◐", PARTLY: "◐", FAILS: "✗", OPEN: "?"}

YES, NO, TIE, UNDECIDED = "yes", "no", "level", "undecided"  # what a row of evidence says
ANSWERS = {YES: "for it", NO: "against it", TIE: "level", UNDECIDED: "undecided"}
ERROR = 0.05  # for all rows of a claim together


def in_part(answers: Sequence[str]) -> str:
    """The verdict on a statement that may be true in some of its settings.

    >>> in_part(["yes", "yes"]), in_part(["yes", "no"]), in_part(["yes", "undecided"]), in_part(["no", "undecided"])
    ('holds', 'holds in part', 'cannot be decided', 'does not hold')
    """
    return PARTLY if NO in answers and YES in answers else unless_refuted(answers)


def unless_refuted(answers: Sequence[str]) -> str:
    """The verdict on a theorem: a single setting refutes it.

    >>> unless_refuted(["yes", "yes"]), unless_refuted(["yes", "no"])
    ('holds', 'does not hold')
    """
    return FAILS if NO in answers else OPEN if UNDECIDED in answers else HOLDS


class Claim(NamedTuple):
    """A statement of a paper, and how numbers decide it.

    `study` gives the rows of evidence, from what was simulated or from a bench to simulate on, and `rule` the verdict
    that follows from their answers. What no simulation can decide, such as a statement about a limit, has no study:
    `open_because` says why.
    """

    name: str
    statement: str  # in our words, for somebody who has not read the source
    source: str  # where it is said
    measure: str  # how it is decided
    quantity: str  # what the effect is
    study: Callable[[Any], Sequence[Any]] | None = None
    rule: Callable[[Sequence[Any]], Any] = in_part
    setting: str = ""  # what is simulated, in a sentence
    needs: tuple[str, ...] = ()  # or the experiments, by name
    note: Callable[[Sequence[Any]], str] | None = None  # a further sentence from the numbers
    open_because: str = ""


class Decision(NamedTuple):
    """The verdict on a claim; `effect` with its interval is that of the row named in `where`."""

    claim: Claim
    verdict: str
    effect: float
    low: float
    high: float
    where: str
    sentence: str
    evidence: list[dict[str, Any]]
    condition: str = ""  # if it holds only with something: with what, for whom, against whom
    together: str = ""  # the verdict if the comparisons of all claims are taken together

    @property
    def text(self) -> str:
        """The verdict in words, with its condition."""
        return f"holds only {self.condition}" if self.verdict == HOLDS_ONLY else self.verdict


def undecided(claim: Claim, because: str) -> Decision:
    """For a claim without evidence."""
    return Decision(claim, OPEN, math.nan, math.nan, math.nan, "", because, [], together=OPEN)


def chosen(claims: Mapping[str, Claim], names: Iterable[str] | None, kind: str = "claim") -> list[Claim]:
    """The claims by those names, or all."""
    wanted = list(claims) if names is None else list(names)
    for name in wanted:
        if name not in claims:
            raise unknown_name(kind, name, claims)
    return [claims[name] for name in wanted]


def counted(answers: Sequence[str], things: str) -> str:
    """How many rows say what; nothing where there is only one.

    >>> counted(["yes", "no", "yes"], "settings")
    'Of 3 settings: 2 for it, 1 against it.'
    """
    if len(answers) == 1:
        return ""
    parts = [f"{answers.count(answer)} {text}" for answer, text in ANSWERS.items() if answer in answers]
    return f"Of {len(answers)} {things}: {', '.join(parts)}."


def measured(claim: Claim, effect: float, low: float, high: float, where: str) -> str:
    """The effect in words, without a full stop."""
    quantity = claim.quantity[0].upper() + claim.quantity[1:]
    span = "" if low == high else f", 95 % interval {format_span(low, high)}"
    return f"{quantity}: {format_effect(effect)}{span}" + (f" ({where})" if where else "")


def format_effect(value: object) -> str:
    """A number with three digits; other things as they are.

    >>> format_effect(1 / 9), format_effect(30000), format_effect(1234.5), format_effect(1234567.0)
    ('0.111', '30000', '1230', '1.23e+06')
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if math.isnan(value):
        return "unknown"
    text = f"{value:.3g}"
    if not 100.0 <= abs(value) < 1e6:
        return text
    return f"{value:.0f}" if float(value).is_integer() else f"{float(text):.0f}"


def format_span(low: float, high: float) -> str:
    """An interval in words."""
    if math.isinf(low) and math.isinf(high):
        return "no bounds"
    return f"{format_effect(low)} to {format_effect(high)}"
