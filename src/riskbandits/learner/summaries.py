"""What a learner says of its arms: the table with a row for each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskbandits.learner import valuing
from riskbandits.learner.book import Book
from riskbandits.learner.decisions import NUMBER
from riskbandits.learner.steps import CHOSEN, OUTSTANDING, TOLD
from riskbandits.numerics import history
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES

if TYPE_CHECKING:
    import pandas as pd


def table(policy: Any, risk: Any, book: Book, keeps_history: bool) -> pd.DataFrame:
    """A row per arm, in the order in which they came, and then those that were retired."""
    import pandas as pd

    decisions = int(book.decisions[NUMBER])
    rows = []
    for k, name in enumerate(book.names):
        past = history.entry_of(book.state, k, book.run) if keeps_history else None
        told, mean = int(book.counts[k, TOLD]), float(book.moments[k, MEAN])
        value = valuing.value_of_history(policy, risk, past, told, mean)
        rows.append(_row(policy, risk, name, book.counts[k].tolist(), book.moments[k].tolist(), value))
    for name, line in book.retired.items():
        value = valuing.value_of_history(policy, risk, line.history, line.counts[TOLD], line.moments[MEAN])
        rows.append(_row(policy, risk, name, line.counts, line.moments, line.value if value is None else value))
    for place, row in enumerate(rows):
        row["share"] = row["share"] / decisions if decisions else math.nan
        row["retired"] = place >= len(book.names)
    return pd.DataFrame(rows)


def _row(
    policy: Any, risk: Any, name: Any, counts: list[int], sample: list[float], of_history: float | None
) -> dict[str, Any]:
    told = counts[TOLD]
    mean = sample[MEAN] if told else math.nan
    variance = sample[SQUARES] / sample[COUNT] if told else math.nan
    of_moments = valuing.value_of_moments(policy, risk, mean, variance) if told else (math.nan, "")
    value, valued_as = of_moments if of_history is None else (of_history, valuing.SAMPLE)
    return {
        "arm": name,
        "told": told,
        "outstanding": counts[OUTSTANDING],
        "mean": mean,
        "variance": variance,
        "value": value,
        "valued_as": valued_as,
        "share": counts[CHOSEN],
    }
