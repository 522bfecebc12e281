"""Rewards that are told late: the plain method, in which answers are outstanding as they are in a `Learner`."""

from __future__ import annotations

import functools
import math
import threading
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.compiled import function, inlined, owning
from riskbandits.policies.support import play, waiting
from riskbandits.policies.support.contract import LOG_STEP, STEP
from riskbandits.simulation.delay import AHEAD, draw_wait, draw_waits
from riskbandits.simulation.kernel import Seat

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure

from riskbandits.simulation.choosers.late.calendar import *
from riskbandits.simulation.choosers.late.calendar import NEXT, DUE, UNJUDGED, CELLS, FREE, FRESH, HELD, NOBODY, LAST_AHEAD, ONE, TWO, turn, book, first, following


class Post(NamedTuple):
    """The answers of one replication that are on their way, by decision in a ring longer than any of them waits.

    Those told after the same decision stand in line. Where answers wait for earlier ones there is one line, which needs
    no links: who is told next, and when, is all there is to know.
    """

    steps: Any  # of the delay
    scale: float  # likewise
    one_line: bool
    last: int  # the last decision: what is due later is never told
    first_pulls: int
    logs: Any
    waits: Any
    places: Any
    heads: Any
    numbers: Any
    rewards: Any
    chain: Any
    tails: Any
    mask: Any
    cells: Any  # the decision that is told next and when; how many arms have too few answers to be scored; anything
    told: Any  # (arms,) how many answers there are
    rows: Any  # (arms,) all of them


def new_post(delay: Any, decisions: int, arms: int, first_pulls: int) -> Post:
    """The post for runs of so many decisions, one after the other, each of them played to its end."""
    places = max(2, delay.places(decisions))
    buckets = max(1, places // AHEAD)
    chunks = places // 32 + buckets + 2
    records = places + 1 if delay.has_one_line else 32 * chunks
    words = kept_words(2 * records)
    numbers = words.view(np.uint32)
    page = (np.empty(AHEAD), np.empty(AHEAD, np.uint32), np.empty(AHEAD, np.uint32))
    memory = (numbers, words, np.empty(chunks, np.uint32), np.empty(buckets, np.uint32))
    mask = np.uintp(places - 1 if delay.has_one_line else buckets - 1)
    counts = (np.empty(CELLS, dtype=np.int64), np.empty(arms, dtype=np.int64), np.arange(arms))
    steps, scale = delay.drawn_from()
    return Post(steps, scale, delay.has_one_line, decisions, first_pulls, known_logs(), *page, *memory, mask, *counts)


# Both are made by functions, because the code that decides numbers is digested with all the values that it reaches.
@functools.cache
def known_logs() -> np.ndarray:
    """By step, the logarithms that runs of this process have met, zeros elsewhere; whoever reads one reads it whole."""
    return np.zeros(2**20)


@functools.cache
def kept_memory() -> Any:
    """What every thread keeps: `words` of memory, and who has `taken` them."""
    return threading.local()


def kept_words(words: int) -> np.ndarray:
    """So much of this thread's memory, in which one range of runs after the other is played: new pages cost time."""
    mine = kept_memory()
    taken = getattr(mine, "taken", None)
    if words > len(getattr(mine, "words", ())) or (taken is not None and taken() is not None):
        mine.words = np.empty(words)
    given: np.ndarray = mine.words[:words]
    mine.taken = weakref.ref(given)
    return given


class Late(NamedTuple):
    """Every arm that has answered is scored at every step."""

    post: Post
    rng: Any  # of the delays

    @inlined
    def begin(self, policy: Policy, seat: Seat, risk: RiskMeasure, step: int) -> Any:
        """Write the step, as `play.begin_step` does; to compute its logarithm takes a fifth of a step."""
        logs = self.post.logs
        log = logs[np.uintp(step)] if step < logs.shape[0] else 0.0
        if log == 0.0:
            log = math.log(step)
            if step < logs.shape[0]:
                logs[np.uintp(step)] = log
        seat.context[STEP] = step
        seat.context[LOG_STEP] = log
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
        line = np.uintp(step) & LAST_AHEAD
        if post.one_line:
            place = (np.uintp(step) & post.mask) + ONE
        else:
            if line == ONE:
                turn(post, step)
            place = np.uintp(post.places[line])
            post.waits[line] = draw_wait(post.steps, post.scale, self.rng)
        post.numbers[place << TWO] = k
        post.rewards[(place << ONE) + ONE] = reward
        seat.outstanding[k] += 1
        answer = first(post, line, step)
        while answer != NOBODY:
            place = np.uintp(answer)
            arm: Any = np.intp(post.numbers[place << TWO])
            seat.outstanding[arm] -= 1
            if post.cells[UNJUDGED] != 0:  # nobody asks any more once all are judged
                post.told[arm] += 1
                if post.told[arm] == post.first_pulls:
                    post.cells[UNJUDGED] -= 1
            play.note_reward(policy, seat.state, arm, seat.context, post.rewards[(place << ONE) + ONE])
            answer = following(post, self.rng, place, step)

    @inlined
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@owning
def new(size: int, post: Post, rng: Any) -> Late:
    """The chooser of a run."""
    start(post, size, rng)
    return Late(post, rng)


@function
def start(post: Post, size: int, rng: Any) -> None:
    """No answers yet."""
    post.told[:] = 0
    post.cells[UNJUDGED] = size if post.first_pulls > 0 else 0
    post.tails[:] = 0
    post.cells[FREE] = 0
    post.cells[FRESH] = 1
    post.cells[HELD] = 0
    if post.one_line:
        post.cells[NEXT] = 1
        post.cells[DUE] = 1 + int(draw_wait(post.steps, post.scale, rng))
    else:
        for decision in range(1, AHEAD + 1):
            post.waits[np.uintp(decision) & LAST_AHEAD] = draw_wait(post.steps, post.scale, rng)
