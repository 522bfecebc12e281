"""A decision while answers are outstanding: who is due for a first pull, and who can be judged already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskbandits.core.compiled import function, owning
from riskbandits.policies.support import play
from riskbandits.policies.support.play import NO_CHOICE

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Context, Policy, RiskMeasure, Rng, State


@owning
def choose(
    policy: Policy,
    state: State,
    context: Context,
    risk: RiskMeasure,
    rng: Rng,
    told: Any,  # (arms,) answers
    outstanding: Any,  # (arms,) those that are missing
    rows: np.ndarray,  # the arms that may be chosen, in ascending order
    first_pulls: int,
) -> int:
    """The arm to play among these rows: one due for a first pull, else the policy's choice among those it can judge."""
    row = due(told, outstanding, rows, first_pulls)
    if row != NO_CHOICE:
        return row
    judged = rows[told[rows] >= first_pulls]
    # The policy sees the rows that it may choose from alone: arms which cannot be chosen do not count.
    partly = judged.shape[0] < state.shape[0]
    seen = state
    if partly:
        seen = state[judged]
    k = play.choose(policy, seen, context, risk, rng, outstanding[judged])
    if k == NO_CHOICE:
        return NO_CHOICE
    if partly:
        for place in range(judged.shape[0]):
            state[judged[place]] = seen[place]
    return judged[k]


@function
def due(told: Any, outstanding: Any, rows: np.ndarray, first_pulls: int) -> int:
    """The first arm due for a first pull; if only answers are missing, the arm tried least; else NO_CHOICE."""
    least = rows[0]
    judged = False
    for place in range(rows.shape[0]):
        k = rows[place]
        tried = told[k] + outstanding[k]
        if tried < first_pulls:
            return k
        if tried < told[least] + outstanding[least]:
            least = k
        judged = judged or told[k] >= first_pulls
    return NO_CHOICE if judged else least
