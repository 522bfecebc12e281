"""What a learner changes, in two compiled calls: one decision, and some rewards.

A signal handler may raise between any two steps of Python, but never inside compiled code. So whatever belongs
together, the policy's state and the counts of the book, is changed in one call: it happened wholly or not at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskbandits.compiling.jit import jitable
from riskbandits.learner.decisions import LAST, NOTED, NUMBER
from riskbandits.numerics import moments
from riskbandits.policies.support import play
from riskbandits.policies.support.play import NO_CHOICE
from riskbandits.policies.support.waiting import due

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Policy, RiskMeasure, Rng, Run, State

# Columns of `counts`; of those outstanding, OPEN are decisions with ids.
TOLD, OUTSTANDING, CHOSEN, OPEN = range(4)
COUNTS = 4


def ask_step(
    policy: Policy,
    risk: RiskMeasure,
    rng: Rng,
    state: State,
    context: Run,
    counts: np.ndarray,  # (arms, COUNTS)
    decisions: np.ndarray,  # the cells named in `decisions`
    rows: np.ndarray,  # the arms that may be chosen, in ascending order
    first_pulls: int,
    with_id: bool,
) -> int:
    """One decision among these rows: arms due for a first pull, then the policy's choice, among arms it can judge."""
    step = decisions[NUMBER] + 1
    play.begin_step(context, step)
    row = due(counts[:, TOLD], counts[:, OUTSTANDING], rows, first_pulls)
    if row != NO_CHOICE:
        play.note_choice(policy, state, row, context)
    else:
        judged = rows[counts[rows, TOLD] >= first_pulls]
        # The policy sees the rows that it may choose from alone: arms which cannot be chosen do not count.
        partly = judged.shape[0] < state.shape[0]
        seen = state
        if partly:
            seen = state[judged]
        k = play.choose(policy, seen, context, risk, rng, counts[judged, OUTSTANDING])
        if k == NO_CHOICE:
            return NO_CHOICE
        play.note_choice(policy, seen, k, context)
        if partly:
            for place in range(judged.shape[0]):
                state[judged[place]] = seen[place]
        row = judged[k]
    note_choice(counts, decisions, row)
    if with_id:
        counts[row, OPEN] += 1
        decisions[LAST] = row
        decisions[NOTED] = 1
    return row


def tell_step(
    policy: Policy,
    state: State,
    context: Run,
    counts: np.ndarray,
    sample_moments: Any,
    decisions: np.ndarray,
    row: int,  # of one reward, or NO_CHOICE
    reward: float,
    rows: np.ndarray,  # of many
    rewards: Any,
    with_id: bool,  # they answer decisions with ids
) -> None:
    """Book one reward or many; an arm with nothing outstanding was chosen elsewhere, which is booked first."""
    for place in range(rows.shape[0] if row == NO_CHOICE else 1):
        k, x = row, reward
        if row == NO_CHOICE:
            k, x = rows[place], rewards[place]
        if with_id:
            counts[k, OPEN] -= 1
        elif counts[k, OUTSTANDING] == counts[k, OPEN]:
            play.begin_step(context, decisions[NUMBER] + 1)
            play.note_choice(policy, state, k, context)
            note_choice(counts, decisions, k)
        counts[k, OUTSTANDING] -= 1
        counts[k, TOLD] += 1
        moments.add(sample_moments, k, x)
        play.note_reward(policy, state, k, context, x)
    if with_id:
        decisions[NOTED] = 1


@jitable
def note_choice(counts: np.ndarray, decisions: np.ndarray, row: int) -> None:
    """An arm was chosen; its answer is outstanding."""
    decisions[NUMBER] += 1
    counts[row, CHOSEN] += 1
    counts[row, OUTSTANDING] += 1
