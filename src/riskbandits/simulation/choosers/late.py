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
NEXT, DUE, UNJUDGED = range(3)  # the cells


class Post(NamedTuple):
    """The answers of one replication that are on their way, in a ring that is longer than any of them waits.

    Those told after the same decision stand in line. Where answers wait for earlier ones there is one line only, which
    needs no links.
    """

    steps: Any  # of the delay
    scale: float  # likewise
    last: int  # the last decision: what is due later is never told
    first_pulls: int
    one_line: bool
    arms: Any  # (places,) by decision: which arm was played
    rewards: Any  # (places,) likewise
    links: Any  # (2 places,) by decision: who is next in its line; then by step: who is first in the line
    ends: Any  # (places,) by step: where the link to whoever comes next into the line is
    cells: Any  # of one line, who is told next and when; how many arms have too few answers to be scored
    told: Any  # (arms,) how many answers there are
    rows: Any  # (arms,) all of them


def new_post(delay: Any, decisions: int, arms: int, first_pulls: int) -> Post:
    """The post for runs of so many decisions, one after the other."""
    places = 1
    while places <= delay.longest(decisions):
        places *= 2
    one_line = delay.in_order or delay.kind == "fixed"
    lines = 1 if one_line else places
    steps, scale = delay.drawn_from()
    ring = (np.empty(places, dtype=np.uint32), np.empty(places))
    links = (np.empty(2 * lines, dtype=np.uint32), np.empty(lines, dtype=np.uint32))
    counts = (np.empty(3, dtype=np.int64), np.empty(arms, dtype=np.int64), np.arange(arms))
    return Post(steps, scale, decisions, first_pulls, one_line, *ring, *links, *counts)


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
        place = np.uintp(step) & self.mask
        post.arms[place] = k
        post.rewards[place] = reward
        seat.outstanding[k] += 1
        if not post.one_line:
            queue(self, step)
        answer = first(self, step)
        while answer != NOBODY:
            arm: Any = np.intp(post.arms[answer])
            seat.outstanding[arm] -= 1
            if post.cells[UNJUDGED] != 0:  # nobody asks any more once all are judged
                post.told[arm] += 1
                if post.told[arm] == post.first_pulls:
                    post.cells[UNJUDGED] -= 1
            play.note_reward(policy, seat.state, arm, seat.context, post.rewards[answer])
            answer = following(self, answer, step)

    @inlined
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@inlined
def queue(late: Late, step: int) -> None:
    """The answer of a decision goes to the end of the line in which it is due, if it is due at all."""
    post = late.post
    due = step + wait(post.steps, post.scale, late.rng)
    if due <= post.last:
        place, line = np.uintp(step) & late.mask, np.uintp(due) & late.mask
        post.links[place] = NOBODY
        post.links[post.ends[line]] = place
        post.ends[line] = place


@inlined
def first(late: Late, step: int) -> Any:
    """The place of the first answer that is due, or NOBODY."""
    post = late.post
    if post.one_line:
        return np.uint32(np.uintp(post.cells[NEXT]) & late.mask) if post.cells[DUE] <= step else NOBODY
    line = np.uintp(step) & late.mask
    link = line + late.mask + np.uintp(1)
    answer = post.links[link]
    post.links[link] = NOBODY
    post.ends[line] = link
    return answer


@inlined
def following(late: Late, answer: Any, step: int) -> Any:
    """The place of the answer that is due after another, or NOBODY."""
    post = late.post
    if post.one_line:
        decision = post.cells[NEXT] + 1
        due = max(post.cells[DUE], decision + wait(post.steps, post.scale, late.rng))
        post.cells[NEXT], post.cells[DUE] = decision, due
        return np.uint32(np.uintp(decision) & late.mask) if due <= step else NOBODY
    return post.links[answer]


@owning
def new(size: int, post: Post, rng: Any) -> Late:
    """The chooser of a run."""
    start(post, size, rng)
    return Late(post, np.uintp(post.arms.shape[0] - 1), rng)


@function
def start(post: Post, size: int, rng: Any) -> None:
    """No answers yet."""
    post.told[:] = 0
    post.cells[UNJUDGED] = size if post.first_pulls > 0 else 0
    if post.one_line:
        post.cells[NEXT] = 1
        post.cells[DUE] = 1 + wait(post.steps, post.scale, rng)
    else:
        places = post.ends.shape[0]
        for line in range(places):
            post.links[places + line] = NOBODY
            post.ends[line] = places + line
