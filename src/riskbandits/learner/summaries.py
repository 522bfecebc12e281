"""What a learner says of its arms: the table with a row for each, and which it holds to be the best."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskbandits.learner import beliefs, valuing
from riskbandits.learner.beliefs import Sample
from riskbandits.learner.book import Book, Name
from riskbandits.learner.decisions import NUMBER
from riskbandits.learner.steps import CHOSEN, OUTSTANDING, TOLD
from riskbandits.numerics import history
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES

if TYPE_CHECKING:
    import pandas as pd

    from riskbandits.types import Policy, RiskMeasure


class Best(NamedTuple):
    """The arm that a learner holds to be the best: its value so far, between what it lies, and how surely it is."""

    arm: Name
    value: float
    low: float
    high: float
    probability: float


class Line(NamedTuple):
    """What the book says of an arm."""

    name: Name
    counts: list[int]
    moments: list[float]
    past: dict[str, list[float]] | None
    value: float | None  # where it is known and nothing else is
    retired: bool


def lines_of(book: Book, keeps_history: bool) -> list[Line]:
    """A line per arm, in the order in which they came, and then those that were retired."""
    lines = []
    for k, name in enumerate(book.names):
        past = history.entry_of(book.state, k, book.run) if keeps_history else None
        lines.append(Line(name, book.counts[k].tolist(), book.moments[k].tolist(), past, None, False))
    for name, line in book.retired.items():
        lines.append(Line(name, line.counts, line.moments, line.history, line.value, True))
    return lines


def drawn_values(policy: Policy, risk: RiskMeasure, lines: list[Line]) -> np.ndarray:
    """Draws of what the arms are worth."""
    samples = []
    for line in lines:
        rewards = None
        if line.past is not None and line.counts[TOLD]:
            rewards = valuing.rewards_in(policy, line.past, line.counts[TOLD], line.moments[MEAN])
        samples.append(Sample(line.moments, rewards))
    return beliefs.values(risk, samples)


def table(policy: Policy, risk: RiskMeasure, book: Book, keeps_history: bool, level: float) -> pd.DataFrame:
    """A row per line, with intervals."""
    import pandas as pd

    decisions, lines = int(book.decisions[NUMBER]), lines_of(book, keeps_history)
    valued = [_value(policy, risk, line) for line in lines]
    low = high = [math.nan] * len(lines)
    if _is_something_known(lines):
        values = [value for value, _ in valued]
        low, high = (one.tolist() for one in beliefs.intervals(drawn_values(policy, risk, lines), values, level))
    rows = []
    for place, line in enumerate(lines):
        told = line.counts[TOLD]
        value, valued_as = valued[place]
        rows.append(
            {
                "arm": line.name,
                "told": told,
                "outstanding": line.counts[OUTSTANDING],
                "mean": line.moments[MEAN] if told else math.nan,
                "variance": line.moments[SQUARES] / line.moments[COUNT] if told else math.nan,
                "value": value,
                "valued_as": valued_as,
                "share": line.counts[CHOSEN] / decisions if decisions else math.nan,
                "retired": line.retired,
                "low": low[place],
                "high": high[place],
            }
        )
    return pd.DataFrame(rows)


def best(policy: Policy, risk: RiskMeasure, book: Book, keeps_history: bool, level: float) -> Best | None:
    """The arm that is most probably the best of those that can be chosen; None as long as nothing is known of any."""
    lines = lines_of(book, keeps_history)
    arms = [line for line in lines if not line.retired]
    if not arms or not _is_something_known(arms):
        return None
    drawn = drawn_values(policy, risk, lines)
    chances = beliefs.chances_of_being_best(drawn[:, : len(arms)])
    # Of two that are equally likely the one that is worth more; one of which next to nothing is known is not named.
    values = [_value(policy, risk, line)[0] for line in arms]
    k = max((k for k in range(len(arms)) if arms[k].counts[TOLD] >= 2), key=lambda k: (chances[k], values[k]))
    low, high = (float(found[0]) for found in beliefs.intervals(drawn[:, k : k + 1], values[k : k + 1], level))
    return Best(arms[k].name, values[k], low, high, float(chances[k]))


def _is_something_known(lines: list[Line]) -> bool:
    """Whether there is an arm with two rewards: from one alone nobody knows how far they spread."""
    return any(line.counts[TOLD] >= 2 for line in lines)


def _value(policy: Policy, risk: RiskMeasure, line: Line) -> tuple[float, str]:
    told = line.counts[TOLD]
    if not told:
        return math.nan, ""
    of_history = valuing.value_of_history(policy, risk, line.past, told, line.moments[MEAN])
    if of_history is None:
        of_history = line.value
    if of_history is not None:
        return of_history, valuing.SAMPLE
    return valuing.value_of_moments(policy, risk, line.moments[MEAN], line.moments[SQUARES] / line.moments[COUNT])
