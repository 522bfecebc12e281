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

# Numbers without a sign: compiled code then looks for no index below 0.
ONE, FOUR, LAST_AHEAD = np.uintp(1), np.uintp(4), np.uintp(AHEAD - 1)
NOBODY = np.uint32(0)  # no answer: lines come first
NEAR, SOON = np.uintp(2**13), 8  # places that the nearest caches hold, and steps that fetching from others may take
NEXT, DUE, UNJUDGED, SEEN, CELLS = range(5)


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
    waits: Any  # (AHEAD,) delays of the decisions to come, where there are lines
    # By step, for each line its last answer; then by decision, for each answer its arm, who is before it in its line,
    # and in another word its reward: so that few lines of a cache are read.
    numbers: Any  # (5 places,)
    rewards: Any  # (5/2 places,), the same memory
    cells: Any  # the decision that is told next and when; how many arms have too few answers to be scored; anything
    told: Any  # (arms,) how many answers there are
    rows: Any  # (arms,) all of them


def new_post(delay: Any, decisions: int, arms: int, first_pulls: int) -> Post:
    """The post for runs of so many decisions, one after the other, each of them played to its end."""
    places = max(2, delay.places(decisions))  # an answer begins where a word does
    words = kept_words(5 * places // 2)
    numbers = words.view(np.uint32)
    if not delay.has_one_line:  # all lines are empty, and so they are again after a whole run
        numbers[:places] = NOBODY
    memory = (known_logs(), np.empty(AHEAD), numbers, words)
    counts = (np.empty(CELLS, dtype=np.int64), np.empty(arms, dtype=np.int64), np.arange(arms))
    steps, scale = delay.drawn_from()
    return Post(steps, scale, delay.has_one_line, decisions, first_pulls, *memory, *counts)


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
    mask: Any  # places of the ring, a power of two, less 1
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
        if not post.one_line and np.uintp(step) & LAST_AHEAD == ONE:
            line_up(post, self.mask, self.rng, step)
        place = place_of(self.mask, step)
        post.numbers[place] = k
        post.rewards[(place >> ONE) + ONE] = reward
        seat.outstanding[k] += 1
        answer = first(self, step)
        while answer != NOBODY:
            place = np.uintp(answer)
            arm: Any = np.intp(post.numbers[place])
            seat.outstanding[arm] -= 1
            if post.cells[UNJUDGED] != 0:  # nobody asks any more once all are judged
                post.told[arm] += 1
                if post.told[arm] == post.first_pulls:
                    post.cells[UNJUDGED] -= 1
            play.note_reward(policy, seat.state, arm, seat.context, post.rewards[(place >> ONE) + ONE])
            answer = following(self, place, step)

    @inlined
    def learnt(self, policy: Policy, seat: Seat, risk: RiskMeasure, k: int, step: int) -> None:
        """Nothing is remembered."""


@inlined
def place_of(mask: Any, decision: int) -> Any:
    """Where the answer of a decision is written down."""
    return mask + ONE + FOUR * (np.uintp(decision) & mask)


@inlined
def first(late: Late, step: int) -> Any:
    """The first answer that is due, or NOBODY; its line is then another step's."""
    post = late.post
    if post.one_line:
        return np.uint32(place_of(late.mask, post.cells[NEXT])) if post.cells[DUE] <= step else NOBODY
    line = np.uintp(step) & late.mask
    answer = post.numbers[line]
    post.numbers[line] = NOBODY
    if late.mask > NEAR:
        ask_ahead(late, step)
    return answer if answer == NOBODY else turned_round(post.numbers, answer)


@inlined
def ask_ahead(late: Late, step: int) -> None:
    """Memory is far away: the answers of steps to come are asked for before they are needed, in a line one by one.

    Where a line is shorter, something else is read for nothing.
    """
    numbers, mask = late.post.numbers, late.mask
    first_of_one = numbers[np.uintp(step + 3 * SOON) & mask]
    second_of_one = before(numbers, numbers[np.uintp(step + 2 * SOON) & mask])
    third_of_one = before(numbers, before(numbers, numbers[np.uintp(step + SOON) & mask]))
    asked = before(numbers, first_of_one) + before(numbers, second_of_one) + before(numbers, third_of_one)
    late.post.cells[SEEN] += np.intp(asked)


@inlined
def before(numbers: Any, answer: Any) -> Any:
    """Who stands before an answer in its line."""
    return numbers[np.uintp(answer) + ONE]


@inlined
def turned_round(numbers: Any, last: Any) -> Any:
    """The first answer of the line of which this is the last; each now says who is behind it."""
    behind = NOBODY
    while last != NOBODY:
        next_one = before(numbers, last)
        numbers[np.uintp(last) + ONE] = behind
        behind = last
        last = next_one
    return behind


@inlined
def following(late: Late, place: Any, step: int) -> Any:
    """The answer that is due after another, or NOBODY."""
    post = late.post
    if not post.one_line:
        return post.numbers[place + ONE]
    decision = post.cells[NEXT] + 1
    # Drawn here, a delay takes the time in which the policy learns.
    due = max(post.cells[DUE], decision + int(draw_wait(post.steps, post.scale, late.rng)))
    post.cells[NEXT], post.cells[DUE] = decision, due
    return np.uint32(place_of(late.mask, decision)) if due <= step else NOBODY


@function
def line_up(post: Post, mask: Any, rng: Any, step: int) -> None:
    """The answers of this decision and of those to come go to the lines in which they are due; the last one is at hand.

    Many at once: one by one, each would wait for the memory that it is written to.
    """
    numbers, waits, last = post.numbers, post.waits, post.last
    count = min(AHEAD, last - step + 1)
    draw_waits(waits, count, post.steps, post.scale, rng)
    if mask > NEAR:  # what is written next is asked for, all of it at once
        seen = np.intp(0)
        for ahead in range(count):
            seen += np.intp(numbers[np.uintp(step + ahead + int(waits[ahead])) & mask])
        post.cells[SEEN] += seen
    for ahead in range(count):
        due = step + ahead + int(waits[ahead])
        if due <= last:
            place = place_of(mask, step + ahead)
            line = np.uintp(due) & mask
            numbers[place + ONE] = numbers[line]
            numbers[line] = place


@owning
def new(size: int, post: Post, rng: Any) -> Late:
    """The chooser of a run."""
    start(post, size, rng)
    return Late(post, np.uintp(2 * post.rewards.shape[0] // 5 - 1), rng)


@function
def start(post: Post, size: int, rng: Any) -> None:
    """No answers yet."""
    post.told[:] = 0
    post.cells[UNJUDGED] = size if post.first_pulls > 0 else 0
    post.cells[SEEN] = 0
    if post.one_line:
        post.cells[NEXT] = 1
        post.cells[DUE] = 1 + int(draw_wait(post.steps, post.scale, rng))
