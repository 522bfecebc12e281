"""The chooser of runs in which rewards are told late."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.compiling.jit import allocating, always_inline, jitable
from riskbandits.policies.cells import LOG_STEP, STEP
from riskbandits.policies.support import play, waiting
from riskbandits.simulation.delayed import by_due_time, fifo
from riskbandits.simulation.delayed.pending import UNJUDGED, Post
from riskbandits.simulation.kernel import Seat

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure


class Late(NamedTuple):
    """Every arm that has answered is scored at every step."""

    post: Post
    rng: Any  # of the delays

    @always_inline
    def begin(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> Any:
        """Write the step, as `play.begin_step` does; to compute its logarithm takes a fifth of a step."""
        logs = self.post.logs
        log = logs[np.uintp(step)] if step < logs.shape[0] else 0.0
        if log == 0.0:
            log = math.log(step)
            if step < logs.shape[0]:
                logs[np.uintp(step)] = log
        seat.run[STEP] = step
        seat.run[LOG_STEP] = log
        return risk

    @always_inline
    def choose(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> tuple[int, int]:
        """As a learner does, by `waiting.choose`; most of its choices own nothing, and then count no references."""
        post = self.post
        if post.cells[UNJUDGED] == 0:
            k = play.choose(policy, seat.state, seat.run, risk, seat.choice_rng, seat.outstanding)
        else:
            owed = (post.told, seat.outstanding, post.rows, post.first_pulls)
            k = waiting.due(*owed)
            if k == play.NO_CHOICE:
                k = waiting.among_judged(policy, seat.state, seat.run, risk, seat.choice_rng, *owed)
        return k, 1

    @always_inline
    def tell(self, policy: Policy, seat: Seat, k: int, reward: float, step: int) -> None:
        """Post the reward, and tell all that are due."""
        # Two loops that share only what is told: asked at every turn which one it is, they take a twentieth longer.
        if self.post.one_line:
            fifo.tell(self.post, self.rng, policy, seat, k, reward, step)
        else:
            by_due_time.tell(self.post, self.rng, policy, seat, k, reward, step)

    @always_inline
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@allocating
def new(size: int, post: Post, rng: Any) -> Late:
    """The chooser of a run."""
    start(post, size, rng)
    return Late(post, rng)


@jitable
def start(post: Post, size: int, rng: Any) -> None:
    """No answers yet."""
    post.told[:] = 0
    post.cells[UNJUDGED] = size if post.first_pulls > 0 else 0
    if post.one_line:
        fifo.start(post, rng)
    else:
        by_due_time.start(post, rng)
