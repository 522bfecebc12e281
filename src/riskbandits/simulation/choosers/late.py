"""Rewards that are told late: the plain method, in which answers are outstanding as they are in a `Learner`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.compiled import function, inlined, owning
from riskbandits.policies.support import play, waiting
from riskbandits.simulation.delay import wait
from riskbandits.simulation.kernel import Seat

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure

NOBODY = np.uint32(2**32 - 1)  # no place in the ring
AHEAD = 512  # decisions whose delays are drawn at once
DUE, UNJUDGED = range(2)  # the cells
# An answer takes two words of the ring, its reward and these two numbers; a line takes another one.
ARM, LINK, NUMBERS = 2, 3, 4
END, LINE = 1, 2


class Post(NamedTuple):
    """The answers of one replication that are on their way, in a ring that is longer than any of them waits.

    Those told after the same decision stand in line.
    """

    steps: Any  # of the delay
    scale: float  # likewise
    in_order: bool
    last: int  # the last decision: what is due later is never told
    first_pulls: int
    rewards: Any  # (3 places,) two by decision, then one by step
    numbers: Any  # the same memory
    cells: Any  # when the latest answer is due; how many arms have too few answers to be scored
    told: Any  # (arms,) how many answers there are
    rows: Any  # (arms,) all of them


def new_post(delay: Any, decisions: int, arms: int, first_pulls: int) -> Post:
    """The post for runs of so many decisions, one after the other."""
    places = 1
    while places <= delay.longest(decisions) + min(AHEAD, decisions):
        places *= 2
    steps, scale = delay.drawn_from()
    ring = np.empty(3 * places)
    counts = (np.empty(2, dtype=np.int64), np.empty(arms, dtype=np.int64), np.arange(arms))
    return Post(steps, scale, delay.in_order, decisions, first_pulls, ring, ring.view(np.uint32), *counts)


class Late(NamedTuple):
    """Every arm that has answered is scored at every step."""

    post: Post
    mask: Any  # the places of the ring, a power of two, less 1
    rng: Any  # of the delays

    @inlined
    def begin(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> Any:
        """As the plain method."""
        play.begin_step(seat.context, step)
        return risk

    @inlined
    def choose(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> tuple[int, int]:
        """As a learner does."""
        post = self.post
        if post.cells[UNJUDGED] == 0:
            k = play.choose(policy, seat.state, seat.context, risk, seat.choice_rng, seat.outstanding)
        else:
            owed = (post.told, seat.outstanding, post.rows, post.first_pulls)
            k = waiting.choose(policy, seat.state, seat.context, risk, seat.choice_rng, *owed)
        return k, 1

    @inlined
    def tell(self, policy: Policy, seat: Seat, k: int, reward: float, step: int) -> None:
        """Post the reward, and tell all that are due."""
        post = self.post
        numbers = post.numbers
        if step & (AHEAD - 1) == 1:
            queue(post, self.mask, self.rng, step)
        place = np.uintp(step) & self.mask
        post.rewards[np.uintp(2) * place] = reward
        numbers[np.uintp(4) * place + np.uintp(2)] = k
        seat.outstanding[k] += 1
        line = np.uintp(4) * (self.mask + np.uintp(1)) + np.uintp(2) * place
        answer = numbers[line]
        numbers[line] = NOBODY
        numbers[line + np.uintp(1)] = line
        while answer != NOBODY:
            at = np.uintp(answer)
            arm: Any = np.intp(numbers[np.uintp(4) * at + np.uintp(2)])
            seat.outstanding[arm] -= 1
            if post.cells[UNJUDGED] != 0:  # nobody asks any more once all are judged
                post.told[arm] += 1
                if post.told[arm] == post.first_pulls:
                    post.cells[UNJUDGED] -= 1
            play.note_reward(policy, seat.state, arm, seat.context, post.rewards[np.uintp(2) * at])
            answer = numbers[np.uintp(4) * at + np.uintp(3)]

    @inlined
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@function
def queue(post: Post, mask: Any, rng: Any, step: int) -> None:
    """The answers of decisions from this one on go to the ends of the lines in which they are due, if they are."""
    numbers = post.numbers
    lines = np.uintp(4) * (mask + np.uintp(1))
    before = post.cells[DUE]
    for decision in range(step, min(step + AHEAD - 1, post.last) + 1):
        due = decision + wait(post.steps, post.scale, rng)
        if post.in_order:
            due = max(due, before)
            before = due
        if due <= post.last:
            place = np.uintp(decision) & mask
            end = lines + np.uintp(2) * (np.uintp(due) & mask) + np.uintp(1)
            numbers[np.uintp(4) * place + np.uintp(3)] = NOBODY
            numbers[np.uintp(numbers[end])] = place
            numbers[end] = np.uintp(4) * place + np.uintp(3)
    post.cells[DUE] = before


@owning
def new(size: int, post: Post, rng: Any) -> Late:
    """The chooser of a run."""
    places = post.rewards.shape[0] // 3
    start(post, size, places)
    return Late(post, np.uintp(places - 1), rng)


@function
def start(post: Post, size: int, places: int) -> None:
    """No answers yet."""
    post.told[:] = 0
    post.cells[UNJUDGED] = size if post.first_pulls > 0 else 0
    post.cells[DUE] = 0
    for line in range(np.uintp(4) * places, 6 * places, 2):
        post.numbers[line] = NOBODY
        post.numbers[line + 1] = line
