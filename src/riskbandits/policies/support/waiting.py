"""A decision while answers are outstanding: who is due for a first pull, and who can be judged already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.compiling.jit import allocating, jitable
from riskbandits.policies.support import play
from riskbandits.policies.support.play import NO_CHOICE

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure, Rng, Run, State


@allocating
def choose(
    policy: Policy,
    state: State,
    run: Run,
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
    return among_judged(policy, state, run, risk, rng, told, outstanding, rows, first_pulls)


@allocating
def among_judged(
    policy: Policy,
    state: State,
    run: Run,
    risk: RiskMeasure,
    rng: Rng,
    told: Any,
    outstanding: Any,
    rows: np.ndarray,
    first_pulls: int,
) -> int:
    """The policy's choice among the rows that have answers enough."""
    # Filled one by one: as `rows[...]` and `state[...]`, what few arms have takes more time than their scores.
    judged = np.empty_like(rows)
    count = 0
    for place in range(rows.shape[0]):
        if told[rows[place]] >= first_pulls:
            judged[count] = rows[place]
            count += 1
    # The policy sees the rows that it may choose from alone: arms which cannot be chosen do not count.
    partly = count < state.shape[0]
    seen, owed = state, outstanding
    if partly:
        seen, owed = np.empty((count, state.shape[1])), np.empty(count, dtype=np.int64)
        for place in range(count):
            owed[place] = outstanding[judged[place]]
            for column in range(state.shape[1]):
                seen[place, column] = state[judged[place], column]
    k = play.choose(policy, seen, run, risk, rng, owed)
    if k == NO_CHOICE:
        return NO_CHOICE
    if partly:
        for place in range(count):
            for column in range(state.shape[1]):
                state[judged[place], column] = seen[place, column]
    return judged[k]


@jitable
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
