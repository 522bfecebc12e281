"""What the survey says about an algorithm."""

from __future__ import annotations

from typing import Any, NamedTuple

MEAN_VARIANCE, TAILS, OTHER, NAMING = "Mean-variance", "CVaR", "Other measures", "Best-arm identification"
GROUPS = (MEAN_VARIANCE, TAILS, OTHER, NAMING)
# Where a guarantee was read. General knowledge is no source: what could not be looked up is not checked.
TEXT, ABSTRACT, SCRIPTS, OURS, UNCHECKED = "the paper", "the abstract", "the scripts", "our docstring", "not checked"


class Entry(NamedTuple):
    """An algorithm of the literature."""

    name: str
    group: str
    guarantee: str  # what is proved, for which rewards
    read_in: str  # where that was read
    here: Any = None  # the record that implements it
    bench: str = ""  # what it is tried on: a name in `survey_bench.BENCHES`
    source: str = ""  # for an algorithm that is not here
