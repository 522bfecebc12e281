"""The answers of a run that are on their way: where they are kept, in whatever order they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.compiling.jit import always_inline
from riskbandits.policies.support import play
from riskbandits.simulation.delay import AHEAD, Delay
from riskbandits.simulation.delayed.buffers import kept_words, known_logs

if TYPE_CHECKING:
    from riskbandits.simulation.kernel import Seat
    from riskbandits.types import Policy

# Numbers without a sign: compiled code then looks for no index below 0.
ONE, TWO = np.uintp(1), np.uintp(2)
CHUNK = 32  # places
# How many arms have too few answers to be scored. Of one line: the decision that is told next, and when. Of a calendar:
# a chunk that is free, the first that was never used, the last and the first of those whose answers are being told.
UNJUDGED, NEXT, DUE, FREE, UNUSED, OPEN_LAST, OPEN_FIRST, CELLS = range(8)


class Post(NamedTuple):
    """Answers, told all in one line (`line`) or each when it arrives (`calendar`), and what choices depend on.

    A place takes 16 bytes, so that few lines of a cache are read. For an answer it holds the arm, the answer told next
    after the same decision, and the reward. In a calendar the first `AHEAD` places belong to the steps of the open page
    and hold the place of the step's answer, the answer told first after it, and a delay that was drawn ahead.
    """

    steps: Any  # of the delay
    scale: float  # likewise
    one_line: bool
    last: int  # the last decision: what is due later is never told
    first_pulls: int
    logs: Any
    numbers: Any  # (4 places,)
    rewards: Any  # (2 places,), the same memory
    mask: Any  # pages of a calendar or places of a ring, a power of two, less 1
    ends: Any  # (pages,) the place after the last answer that is due on a page, 0 if there is none
    before: Any  # (chunks,) the chunk that was filled before this one, for the same page
    cells: Any  # (CELLS,)
    told: Any  # (arms,) how many answers there are
    rows: Any  # (arms,) all of them


def pages_of(delay: Delay, decisions: int) -> int:
    """The pages on which answers may be due at the same time: a power of two, or 0 where all wait in one line."""
    return 0 if delay.has_one_line else max(1, delay.places(decisions) // AHEAD)


def places_of(delay: Delay, decisions: int) -> int:
    """The places that runs of so many decisions need, at 16 bytes each."""
    places = delay.places(decisions)
    if delay.has_one_line:
        return places
    # One chunk is for answers that are never told, and each page may leave one almost empty.
    return AHEAD + CHUNK * (1 + -(-places // CHUNK) + pages_of(delay, decisions))


def new_post(delay: Delay, decisions: int, arms: int, first_pulls: int) -> Post:
    """The post for runs of so many decisions, one after the other."""
    pages, places = pages_of(delay, decisions), places_of(delay, decisions)
    words = kept_words(2 * places)
    memory = (words.view(np.uint32), words, np.uintp((pages or places) - 1))
    chunks = (np.empty(pages, dtype=np.uint32), np.empty(places // CHUNK, dtype=np.uint32))
    counts = (np.empty(CELLS, dtype=np.int64), np.empty(arms, dtype=np.int64), np.arange(arms))
    steps, scale = delay.drawn_from()
    return Post(steps, scale, delay.has_one_line, decisions, first_pulls, known_logs(), *memory, *chunks, *counts)


@always_inline
def what(place: Any) -> Any:
    """Where the arm of an answer stands, or the place of a step's answer."""
    return place << TWO


@always_inline
def follower(place: Any) -> Any:
    """Where the answer told next stands, or the one told first after a step."""
    return (place << TWO) + ONE


@always_inline
def amount(place: Any) -> Any:
    """Where the reward of an answer stands, or a delay."""
    return (place << ONE) + ONE


@always_inline
def keep(post: Post, seat: Seat, place: Any, k: int, reward: float) -> None:
    """Write down an answer."""
    post.numbers[what(place)] = k
    post.rewards[amount(place)] = reward
    seat.outstanding[k] += 1


@always_inline
def hand_over(post: Post, policy: Policy, seat: Seat, place: Any) -> None:
    """Tell the policy an answer."""
    arm: Any = np.intp(post.numbers[what(place)])
    seat.outstanding[arm] -= 1
    if post.cells[UNJUDGED] != 0:  # nobody asks any more once all are judged
        post.told[arm] += 1
        if post.told[arm] == post.first_pulls:
            post.cells[UNJUDGED] -= 1
    play.note_reward(policy, seat.state, arm, seat.run, post.rewards[amount(place)])
