"""The value of an arm's whole sample, kept until the arm is played again: for indices on any risk measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskbandits.compiling.jit import allocating
from riskbandits.numerics import history
from riskbandits.numerics.history import TOTAL
from riskbandits.risk.contract import sample_value

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Run, State

ESTIMATE, ESTIMATED = history.WIDTH, history.WIDTH + 1  # columns of the state: the value, and of how many rewards
WIDTH = history.WIDTH + 2


@allocating
def renew(state: State, run: Run, risk: RiskMeasure) -> None:
    """Value the samples that have grown since they were valued: that of the arm played last."""
    for k in range(state.shape[0]):
        if state[k, ESTIMATED] != state[k, TOTAL]:
            state[k, ESTIMATE] = sample_value(risk, history.values(state, k, run), history.counts(state, k, run))
            state[k, ESTIMATED] = state[k, TOTAL]
