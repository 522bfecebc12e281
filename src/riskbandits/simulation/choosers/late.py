"""Rewards that are told late: the plain method, in which answers are outstanding as they are in a `Learner`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.compiled import function, inlined, owning
from riskbandits.policies.support import play, waiting
from riskbandits.policies.support.contract import LOG_STEP, STEP
from riskbandits.simulation.kernel import Seat

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure

NOBODY = 0  # decisions are numbered from 1
MOST_LOGS = 2**17  # logarithms in a table, a megabyte: to read more of them from memory saves nothing


class Post(NamedTuple):
    """The answers of one replication that are on their way; those told after the same decision stand in line.

    Who stands in which line follows from the delays alone: lines are made before the run.
    """

    waits: Any  # (decisions,) the delays; their whole parts count
    in_order: bool  # whether answers wait for earlier ones
    heads: Any  # (decisions + 1,) by step: the first decision whose answer is told after it
    following: Any  # (decisions + 1,) by decision: who is next in its line
    logs: Any  # (at most decisions + 1,) of steps, the same for all runs; the first place says whether they are there
    told: Any  # (arms,) how many answers there are
    unjudged: Any  # (1,) how many arms have answered less often than the policy asks before it scores them
    rows: Any  # (arms,) all of them
    first_pulls: int


def new_post(decisions: int, in_order: bool, arms: int, first_pulls: int, runs: int = 1) -> Post:
    """The post for runs of so many decisions, one after the other; each has to be given its waits."""
    # Numbers without a sign: compiled code then looks for no index below 0.
    number = np.uint32 if decisions < 2**32 else np.uint64
    lines = (np.empty(decisions + 1, dtype=number), np.empty(decisions + 1, dtype=number))
    logs = np.zeros(1 + min(decisions, MOST_LOGS) if runs > 1 else 1)
    told, unjudged = np.empty(arms, dtype=np.int64), np.empty(1, dtype=np.int64)
    return Post(np.empty(decisions), in_order, *lines, logs, told, unjudged, np.arange(arms), first_pulls)


@function
def line_up(post: Post) -> int:
    """Write who stands in which line, and return how long the longest answer waits that is told before the run ends."""
    waits, heads, following = post.waits, post.heads, post.following
    last = waits.shape[0]
    for step in range(last + 1):
        heads[step] = NOBODY
        following[step] = NOBODY
    longest = 0
    if post.in_order:
        due = 0
        for decision in range(1, last + 1):
            due = max(due, decision + int(waits[decision - 1]))
            if due > last:  # and so are all that follow
                break
            longest = max(longest, due - decision)
            if heads[due] == NOBODY:
                heads[due] = decision
            else:
                following[decision - 1] = decision
        return longest
    for decision in range(last, 0, -1):  # the later ones first: each goes to the head of its line
        wait = int(waits[decision - 1])
        if decision + wait <= last:
            longest = max(longest, wait)
            following[decision] = heads[decision + wait]
            heads[decision + wait] = decision
    return longest


class Late(NamedTuple):
    """Every arm that has answered is scored at every step."""

    post: Post
    arms: Any  # by decision, in a ring that is longer than any answer waits: which arm was played
    rewards: Any  # likewise

    @inlined
    def begin(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> Any:
        """Write the step, as `play.begin_step` does; its logarithm would take a sixth of a step."""
        logs = self.post.logs
        seat.context[STEP] = step
        seat.context[LOG_STEP] = logs[step] if step < logs.shape[0] else math.log(step)
        return risk

    @inlined
    def choose(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> tuple[int, int]:
        """As a learner does."""
        post = self.post
        if post.unjudged[0] == 0:
            k = play.choose(policy, seat.state, seat.context, risk, seat.choice_rng, seat.outstanding)
        else:
            owed = (post.told, seat.outstanding, post.rows, post.first_pulls)
            k = waiting.choose(policy, seat.state, seat.context, risk, seat.choice_rng, *owed)
        return k, 1

    @inlined
    def tell(self, policy: Policy, seat: Seat, k: int, reward: float, step: int) -> None:
        """Post the reward, and tell all that are due."""
        post = self.post
        mask = self.arms.shape[0] - 1  # the ring is a power of two
        self.arms[step & mask] = k
        self.rewards[step & mask] = reward
        seat.outstanding[k] += 1
        answer = np.intp(post.heads[step])
        while answer != NOBODY:
            arm: Any = np.intp(self.arms[answer & mask])
            seat.outstanding[arm] -= 1
            if post.unjudged[0] != 0:  # nobody asks any more once all are judged
                post.told[arm] += 1
                if post.told[arm] == post.first_pulls:
                    post.unjudged[0] -= 1
            play.note_reward(policy, seat.state, arm, seat.context, self.rewards[answer & mask])
            answer = np.intp(post.following[answer])

    @inlined
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@owning
def new(size: int, post: Post) -> Late:
    """The chooser of a run."""
    post.told[:] = 0
    post.unjudged[0] = size if post.first_pulls > 0 else 0
    longest = line_up(post)
    if post.logs[0] == 0.0:  # in the first of many runs
        for step in range(1, post.logs.shape[0]):
            post.logs[step] = math.log(step)
        post.logs[0] = 1.0
    ring = 1
    while ring <= longest:
        ring *= 2
    return Late(post, np.empty(ring, dtype=np.uint32), np.empty(ring))
