"""Delayed rewards: the rewards of a run that are pending, and the selector of runs that have some.

Every decision draws a delay and so a step at which its reward is due; with `in_order` it is due no earlier than all
earlier ones. Pending rewards are kept in lists, one per step at which some are due, in the order of their decisions.
Both the lists and the rewards in them lie in rings that are longer than the longest delay: a place is free again before
it is needed again. What is due after the last step is never received, and kept nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.compiling.jit import allocating, always_inline, jitable
from riskbandits.policies.cells import FEATURES
from riskbandits.policies.support import play
from riskbandits.simulation.delay import Delay, draw_wait
from riskbandits.simulation.kernel import RunState

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure, Run

NONE = -1  # in place of a place: the end of a list
LATEST_DUE, ARMS_TO_TRY = range(2)  # of `counts`: the latest step at which a reward is due; arms with too few rewards
BYTES_PER_PLACE = 24


class Pending(NamedTuple):
    """The pending rewards of one run after the other: a run that has ended leaves none."""

    delays: Any  # those to draw from, or the mean
    scale: float  # of exponential delays; 0: they are not
    in_order: bool
    last: int  # the last decision
    first_pulls: int  # rewards that an arm needs before it is scored
    heads: Any  # (places,) by step at which rewards are due: the place of the first of them, or NONE
    tails: Any  # (places,) the place of the last
    following: Any  # (places,) by decision: the place of the next reward that is due at the same step, or NONE
    arms: Any  # (places,) by decision
    rewards: Any  # (places,) by decision
    features: Any  # (places, features) by decision: those that the policy uses
    counts: Any  # (2,)
    received: Any  # (arms,) how many rewards there were, up to `first_pulls`
    rows: Any  # (arms,) all of them


def new_pending(delay: Delay, decisions: int, arms: int, first_pulls: int, features: int = 0) -> Pending:
    """Room for the pending rewards of runs of so many decisions."""
    places = delay.places(decisions)
    delays, scale = delay.drawn_from()
    return Pending(
        delays,
        scale,
        delay.in_order,
        decisions,
        first_pulls,
        heads=np.empty(places, dtype=np.int32),
        tails=np.empty(places, dtype=np.int32),
        following=np.empty(places, dtype=np.int32),
        arms=np.empty(places, dtype=np.int32),
        rewards=np.empty(places),
        features=np.empty((places, features)),
        counts=np.empty(2, dtype=np.int64),
        received=np.empty(arms, dtype=np.int64),
        rows=np.arange(arms),
    )


@always_inline
def add(pending: Pending, k: int, run: Run, reward: float, step: int, rng: Any) -> None:
    """Draw the delay of this step's reward, and append it to the list of the step at which it is due."""
    due = step + int(draw_wait(pending.delays, pending.scale, rng))
    if pending.in_order:
        due = max(due, pending.counts[LATEST_DUE])
        pending.counts[LATEST_DUE] = due
    if due > pending.last:
        return
    mask = pending.arms.shape[0] - 1
    place, list_place = step & mask, due & mask
    pending.arms[place] = k
    pending.rewards[place] = reward
    for j in range(pending.features.shape[1]):
        pending.features[place, j] = run[FEATURES + j]
    pending.following[place] = NONE
    if pending.heads[list_place] == NONE:
        pending.heads[list_place] = place
    else:
        pending.following[pending.tails[list_place]] = place
    pending.tails[list_place] = place


@always_inline
def deliver(pending: Pending, policy: Policy, own: RunState, step: int) -> None:
    """Tell the policy the rewards that are due at this step, in the order of their decisions."""
    list_place = step & (pending.arms.shape[0] - 1)
    place = pending.heads[list_place]
    pending.heads[list_place] = NONE
    while place != NONE:
        k = max(int(pending.arms[place]), 0)
        own.outstanding[k] -= 1
        if pending.counts[ARMS_TO_TRY] != 0:
            pending.received[k] += 1
            if pending.received[k] == pending.first_pulls:
                pending.counts[ARMS_TO_TRY] -= 1
        for j in range(pending.features.shape[1]):
            own.run[FEATURES + j] = pending.features[place, j]
        play.note_reward(policy, own.state, k, own.run, pending.rewards[place])
        place = pending.following[place]


class DelayedSelector(NamedTuple):
    """Every arm that has rewards enough is scored at every step, as in a `Learner`."""

    pending: Pending
    rng: Any  # of the delays

    @always_inline
    def begin_step(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> Any:
        """Write the step."""
        play.begin_step(own.run, step)
        return risk

    @always_inline
    def select(self, policy: Policy, own: RunState, risk: RiskMeasure, step: int) -> int:
        """An arm due for a first pull, else the policy's choice among the arms that have rewards enough."""
        pending = self.pending
        if pending.counts[ARMS_TO_TRY] == 0:
            return play.choose(policy, own.state, own.run, risk, own.choice_rng, own.outstanding)
        known = (pending.received, own.outstanding, pending.rows, pending.first_pulls)
        k = play.due_for_first_pull(*known)
        if k == play.NO_CHOICE:
            k = play.choose_among_known(policy, own.state, own.run, risk, own.choice_rng, *known)
        return k

    @always_inline
    def receive(self, policy: Policy, own: RunState, k: int, reward: float, step: int) -> None:
        """Keep the reward of this step, and deliver all that are due."""
        own.outstanding[k] += 1
        add(self.pending, k, own.run, reward, step, self.rng)
        deliver(self.pending, policy, own, step)

    @always_inline
    def update(self, policy: Policy, own: RunState, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@allocating
def new(size: int, bounds: None, pending: Pending, delay_rng: Any) -> DelayedSelector:
    """The selector of a run."""
    begin(pending, size)
    return DelayedSelector(pending, delay_rng)


@jitable
def begin(pending: Pending, size: int) -> None:
    """No rewards yet: a run that was stopped may have left some."""
    pending.heads[:] = NONE
    pending.received[:] = 0
    pending.counts[LATEST_DUE] = 0
    pending.counts[ARMS_TO_TRY] = size if pending.first_pulls > 0 else 0
