"""The value of an arm's whole sample, kept until the arm is played again: for indices on any risk measure."""

from __future__ import annotations

from typing import Any

from riskbandits.compiled import function
from riskbandits.risk.contract import sample_value
from riskbandits.statistics import history
from riskbandits.statistics.history import TOTAL

ESTIMATE, ESTIMATED = history.WIDTH, history.WIDTH + 1  # columns of the state: the value, and of how many rewards
WIDTH = history.WIDTH + 2


@function
def sample_estimate(state: Any, k: int, run: Any, risk: Any) -> float:
    """The risk value of arm k's rewards. Only the arm played last has to be valued again."""
    if state[k, ESTIMATED] != state[k, TOTAL]:
        state[k, ESTIMATE] = sample_value(risk, history.values(state, k, run), history.counts(state, k, run))
        state[k, ESTIMATED] = state[k, TOTAL]
    return state[k, ESTIMATE]
