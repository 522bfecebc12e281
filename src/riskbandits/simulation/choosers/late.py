"""Rewards that are told late: the plain method, in which answers are outstanding as they are in a `Learner`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.compiled import inlined, owning
from riskbandits.policies.support import play, waiting
from riskbandits.simulation.kernel import Seat

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure

NOBODY = 0  # the head of a line, which follows nobody


class Post(NamedTuple):
    """The answers of one replication that are on their way; those due at the same step stand in line.

    Lines, one per step, and answers, one per decision, have places in rings that are longer than any answer waits.
    """

    due: Any  # (decisions,) the step after whose decision the answer is told, if it waits for no earlier one
    latest: Any  # (1,) the last step at which an earlier answer is told, if later ones wait for it; else 0
    in_order: bool
    following: Any  # (2 ring,) who is next: after the head of each line, and then after each answer
    last: Any  # (ring,) who stands last in each line; the head, if it is empty
    arms: Any  # (ring,) by answer: which arm was played
    rewards: Any  # (ring,) by answer
    told: Any  # (arms,) how many answers there are
    unjudged: Any  # (1,) how many arms have answered less often than the policy asks before it scores them
    rows: Any  # (arms,) all of them
    first_pulls: int


def new_post(due: np.ndarray, longest: int, in_order: bool, arms: int, first_pulls: int) -> Post:
    """The post of a run that has not begun, of whose answers none waits longer than `longest` steps."""
    longest = min(longest, len(due))  # what is due after the last step never comes
    ring = 2 ** (longest + 1).bit_length()
    latest, told = np.zeros(1, dtype=np.int64), np.zeros(arms, dtype=np.int64)
    following, played = np.zeros(2 * ring, dtype=np.int32), np.zeros(ring, dtype=np.int32)
    unjudged, rows = np.array([arms if first_pulls > 0 else 0]), np.arange(arms)
    lines = (following, np.arange(ring, dtype=np.int32), played, np.zeros(ring))
    return Post(due, latest, in_order, *lines, told, unjudged, rows, first_pulls)


class Late(NamedTuple):
    """Every arm that has answered is scored at every step."""

    post: Post

    @inlined
    def begin(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> Any:
        """Write the step."""
        play.begin_step(seat.context, step)
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
        ring = post.last.shape[0]
        now = step & (ring - 1)  # the ring is a power of two
        post.arms[now] = k
        post.rewards[now] = reward
        seat.outstanding[k] += 1
        due = post.due[step - 1]
        if post.in_order:
            due = max(due, post.latest[0])
            post.latest[0] = due
        if due <= post.due.shape[0]:
            line = due & (ring - 1)
            post.following[ring + now] = NOBODY
            post.following[post.last[line]] = ring + now
            post.last[line] = ring + now
        answer = post.following[now]
        while answer != NOBODY:
            arm = post.arms[answer - ring]
            seat.outstanding[arm] -= 1
            if post.unjudged[0] != 0:  # nobody asks any more once all are judged
                post.told[arm] += 1
                if post.told[arm] == post.first_pulls:
                    post.unjudged[0] -= 1
            play.note_reward(policy, seat.state, arm, seat.context, post.rewards[answer - ring])
            answer = post.following[answer]
        post.following[now] = NOBODY
        post.last[now] = now

    @inlined
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@owning
def new(size: int, post: Post) -> Late:
    """The chooser of a run."""
    return Late(post)
