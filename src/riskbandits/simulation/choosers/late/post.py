"""The answers of one replication that are on their way: where they are kept, whatever the order they are told in."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.compiled import inlined
from riskbandits.policies.support import play
from riskbandits.simulation.choosers.late.kept import known_logs, kept_words
from riskbandits.simulation.delay import AHEAD, Delay

# Numbers without a sign: compiled code then looks for no index below 0.
ONE, TWO = np.uintp(1), np.uintp(2)
NOBODY = np.uint32(0)  # no answer has this place
CHUNK = 64  # answers; few enough to be filled by half a page's
LINES = AHEAD  # places in front of the answers', one for each step of a page
# How many arms have too few answers to be scored; of one line, the decision that is told next and when; of a calendar,
# chunks that are free, the first that was never used, and the last and the first of those that are being told.
UNJUDGED, NEXT, DUE, FREE, FRESH, TOLD_LAST, TOLD_FIRST, CELLS = range(8)


class Post(NamedTuple):
    """Answers and how they are told: all in one line (`line`), or each when it arrives (`calendar`).

    A place takes 16 bytes, so that few lines of a cache are read: the arm of an answer, who is told after it, its
    reward. In a calendar the first places belong to the steps of a page: where the answer of the decision is to be
    written, who is told first after it, and the delay of the decision one page later.
    """

    steps: Any  # of the delay
    scale: float  # likewise
    one_line: bool
    last: int  # the last decision: what is due later is never told
    first_pulls: int
    logs: Any
    numbers: Any  # (4 x places,)
    rewards: Any  # (2 x places,), the same memory
    tails: Any  # (pages,) where the next answer that is due in a page is written
    before: Any  # (chunks,) the chunk of the same page that was filled before
    mask: Any  # of places in a ring or pages, a power of two, less 1
    cells: Any  # (CELLS,)
    told: Any  # (arms,) how many answers there are
    rows: Any  # (arms,) all of them


def pages_of(delay: Delay, decisions: int) -> int:
    """The pages in which answers can be due while one of them is open; none where all are in one line."""
    return 0 if delay.has_one_line else max(1, delay.places(decisions) // AHEAD)


def places_of(delay: Delay, decisions: int) -> int:
    """The places of a run of so many decisions: no more wait at once."""
    if delay.has_one_line:
        return 1 + delay.places(decisions)
    # A page may leave its last chunk almost empty. What is never told is written to a chunk of its own.
    chunks = -(-delay.places(decisions) // CHUNK) + pages_of(delay, decisions) + 1
    return LINES + CHUNK * chunks


def new_post(delay: Delay, decisions: int, arms: int, first_pulls: int) -> Post:
    """The post for runs of so many decisions, one after the other."""
    pages, places = pages_of(delay, decisions), places_of(delay, decisions)
    words = kept_words(2 * places)
    memory = (words.view(np.uint32), words, np.empty(pages, np.uint32), np.empty(places // CHUNK, np.uint32))
    mask = np.uintp((pages or delay.places(decisions)) - 1)
    counts = (np.empty(CELLS, dtype=np.int64), np.empty(arms, dtype=np.int64), np.arange(arms))
    steps, scale = delay.drawn_from()
    return Post(steps, scale, delay.has_one_line, decisions, first_pulls, known_logs(), *memory, mask, *counts)


@inlined
def first_number(place: Any) -> Any:
    """Where the arm of an answer is, and the place in which the answer of a step is to be written."""
    return place << TWO


@inlined
def follower(place: Any) -> Any:
    """Where it says who is told after an answer, and first after a step."""
    return (place << TWO) + ONE


@inlined
def amount(place: Any) -> Any:
    """Where the reward of an answer is, and the delay for a step one page later."""
    return (place << ONE) + ONE


@inlined
def keep(post: Post, seat: Any, place: Any, k: int, reward: float) -> None:
    """Write an answer down."""
    post.numbers[first_number(place)] = k
    post.rewards[amount(place)] = reward
    seat.outstanding[k] += 1


@inlined
def hand_over(post: Post, policy: Any, seat: Any, place: Any) -> None:
    """Tell the policy the answer in a place."""
    arm: Any = np.intp(post.numbers[first_number(place)])
    seat.outstanding[arm] -= 1
    if post.cells[UNJUDGED] != 0:  # nobody asks any more once all are judged
        post.told[arm] += 1
        if post.told[arm] == post.first_pulls:
            post.cells[UNJUDGED] -= 1
    play.note_reward(policy, seat.state, arm, seat.context, post.rewards[amount(place)])
