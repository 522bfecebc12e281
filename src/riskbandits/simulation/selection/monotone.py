"""The selector for indices that draw nothing and never fall while their arm is not played.

Confidence bounds are such scores. What an arm scores at a later step is a ceiling of its scores until then. Arms are
kept in the order of their ceilings, and at each step they are scored from the top until the next ceiling is below the
best score. Ceilings are set anew when that step has passed or when they have become too high to spare much.
Choices are those of `PlainSelector`, bit for bit: arms are scored by the policy itself, and one that is left out could
not have won.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.compiling.jit import allocating, always_inline, jitable
from riskbandits.policies.cells import LOG_STEP, STEP
from riskbandits.policies.support.play import NO_CHOICE, begin_step
from riskbandits.simulation.kernel import RunState

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure, Rng, Run, State

UNTIL, LOG_UNTIL, SINCE, WINDOW, WASTED_SCORES, PLACE = range(6)
FIRST_NUMBERS = (-math.inf, 0.0, 0.0, 1.0, 0.0, float(NO_CHOICE))
LONGER = 1.5
LARGEST_WINDOW = 0.1  # of the steps so far


@always_inline
def ceiling_of(policy: Policy, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
    """What an arm scores at the step that stands in `run`; infinite if that is no number: it must be looked at."""
    score = policy.score(state, k, run, risk, rng)
    return math.inf if math.isnan(score) else score


@always_inline
def move_down(order: np.ndarray, ceilings: np.ndarray, place: int) -> None:
    """Move the arm at a place of the order down to where its ceiling belongs, below equal ones."""
    arm = order[place]
    ceiling = ceilings[arm]
    while place + 1 < order.shape[0] and not ceilings[order[place + 1]] < ceiling:
        order[place] = order[place + 1]
        place += 1
    order[place] = arm


@always_inline
def move_up(order: np.ndarray, ceilings: np.ndarray, place: int) -> None:
    """Move the arm at a place of the order up to where its ceiling belongs."""
    arm = order[place]
    ceiling = ceilings[arm]
    while place > 0 and ceilings[order[place - 1]] < ceiling:
        order[place] = order[place - 1]
        place -= 1
    order[place] = arm


@always_inline
def place_of_best(
    policy: Policy,
    state: State,
    run: Run,
    risk: RiskMeasure,
    order: np.ndarray,
    ceilings: np.ndarray,
    numbers: Any,
    rng: Rng,
) -> int:
    """The place in the order of the arm with the highest score, the lowest index among ties."""
    best = NO_CHOICE
    best_score = -math.inf
    place = 0
    while place < order.shape[0] and not ceilings[order[place]] < best_score:
        score = policy.score(state, order[place], run, risk, rng)
        if score > best_score or (score == best_score and (best == NO_CHOICE or order[place] < order[best])):
            best = place
            best_score = score
        place += 1
    numbers[WASTED_SCORES] += place - 1
    return best


@jitable
def set_ceilings(
    policy: Policy,
    state: State,
    step: int,
    run: Run,
    risk: RiskMeasure,
    order: np.ndarray,
    ceilings: np.ndarray,
    numbers: Any,
    rng: Rng,
) -> None:
    """Let ceilings hold until some step ahead."""
    # Setting them costs a score per arm; a long window makes them high, and arms are scored in vain: both should cost
    # the same.
    window = LONGER * numbers[WINDOW] if step > numbers[UNTIL] else step - numbers[SINCE]
    numbers[WINDOW] = max(1.0, min(window, LARGEST_WINDOW * step))
    numbers[SINCE] = step
    numbers[WASTED_SCORES] = 0.0
    numbers[UNTIL] = step + math.floor(numbers[WINDOW])
    begin_step(run, numbers[UNTIL])
    numbers[LOG_UNTIL] = run[LOG_STEP]
    for place in range(order.shape[0]):
        k = order[place]
        ceilings[k] = ceiling_of(policy, state, k, run, risk, rng)
        move_up(order, ceilings, place)  # few have moved since the last time
    begin_step(run, step)


class MonotoneSelector(NamedTuple):
    """Arms in the order of their ceilings."""

    order: Any  # (arms,)
    ceilings: Any  # (arms,)
    numbers: Any  # what goes with the ceilings, and the place of the arm that is being played

    @always_inline
    def begin_step(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> Any:
        """Write the step."""
        begin_step(own.run, step)
        return risk

    @always_inline
    def select(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> int:
        """The arm with the highest score, scored from the highest ceiling down."""
        order, ceilings, numbers = self.order, self.ceilings, self.numbers
        if step > numbers[UNTIL] or numbers[WASTED_SCORES] > order.shape[0]:
            set_ceilings(policy, own.state, step, own.run, risk, order, ceilings, numbers, own.choice_rng)
        place = place_of_best(policy, own.state, own.run, risk, order, ceilings, numbers, own.choice_rng)
        numbers[PLACE] = place
        return NO_CHOICE if place == NO_CHOICE else order[place]

    @always_inline
    def update(self, policy: Policy, own: RunState, risk: RiskMeasure, k: int, step: int) -> None:
        """A new ceiling for the arm that was played, and a new place."""
        order, ceilings, numbers = self.order, self.ceilings, self.numbers
        place = int(numbers[PLACE])
        if place == NO_CHOICE:  # a first pull
            return
        own.run[STEP] = numbers[UNTIL]
        own.run[LOG_STEP] = numbers[LOG_UNTIL]
        before = ceilings[k]
        ceilings[k] = ceiling_of(policy, own.state, k, own.run, risk, own.choice_rng)
        if ceilings[k] < before:
            move_down(order, ceilings, place)
        else:
            move_up(order, ceilings, place)


@allocating
def new(size: int, bounds: None, pending: None, delay_rng: None) -> MonotoneSelector:
    """The selector of a run."""
    return MonotoneSelector(np.arange(size), np.full(size, math.inf), np.array(FIRST_NUMBERS))
