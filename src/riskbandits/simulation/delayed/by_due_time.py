"""Answers told when they arrive: they wait in a calendar, which has a page for every `AHEAD` steps.

Answers are written down on the page on which they are due, one after the other, in chunks that are used again once
their page is over: memory is written and read in order, however long delays are, and no more of it is touched than
waits. Only one page is open. When it is opened, its answers are linked for each step, in the order of their decisions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.simulation.delay import AHEAD, draw_wait
from riskbandits.simulation.delayed.pending import (
    CHUNK,
    FREE,
    ONE,
    OPEN_FIRST,
    OPEN_LAST,
    UNUSED,
    amount,
    follower,
    hand_over,
    keep,
    what,
)

if TYPE_CHECKING:
    from riskbandits.simulation.delayed.pending import Post
    from riskbandits.simulation.kernel import Seat
    from riskbandits.types import Policy

LAST_OF_PAGE, PAGE_BITS = np.uintp(AHEAD - 1), np.uintp(AHEAD.bit_length() - 1)
LAST_OF_CHUNK, CHUNK_BITS = np.uintp(CHUNK - 1), np.uintp(CHUNK.bit_length() - 1)
NOBODY = np.uint32(0)  # no answer: the first places are those of steps
NOWHERE = np.uintp(AHEAD)  # the place of answers that are never told
FIRST_CHUNK = AHEAD // CHUNK + 1


@jitable
def start(post: Post, rng: Any) -> None:
    """An empty calendar, places for the answers of the first `AHEAD` decisions, and the delay of the next one."""
    post.ends[:] = 0
    post.cells[FREE] = 0
    post.cells[UNUSED] = FIRST_CHUNK
    post.cells[OPEN_LAST] = 0
    for decision in range(1, min(AHEAD, post.last) + 1):
        write_down(post, decision, draw_wait(post.steps, post.scale, rng))
    post.rewards[amount(place_of_step(0))] = draw_wait(post.steps, post.scale, rng)


@always_inline
def tell(post: Post, rng: Any, policy: Policy, seat: Seat, k: int, reward: float, step: int) -> None:
    """Keep the answer of this step, and tell those that are due."""
    here = place_of_step(step)
    if here == ONE:
        turn_page(post, step)
    keep(post, seat, np.uintp(post.numbers[what(here)]), k, reward)
    answer = post.numbers[follower(here)]
    while answer != NOBODY:
        hand_over(post, policy, seat, np.uintp(answer))
        answer = post.numbers[follower(np.uintp(answer))]
    # A delay is used one step after it was drawn: it takes the time in which the policy learns and chooses. In the last
    # page that is in vain, and still costs less than to ask at every step whether it is the last.
    write_down(post, step + AHEAD, post.rewards[amount(place_of_step(step - 1))])
    post.rewards[amount(here)] = draw_wait(post.steps, post.scale, rng)


@always_inline
def place_of_step(step: int) -> Any:
    """The place of a step on its page. Pages begin with steps 1, 1 + AHEAD and so on."""
    return np.uintp(step) & LAST_OF_PAGE


@always_inline
def page_of(post: Post, step: int) -> Any:
    """The page of a step."""
    return (np.uintp(step - 1) >> PAGE_BITS) & post.mask


@always_inline
def write_down(post: Post, decision: int, wait: float) -> None:
    """Find a place for the answer of a decision, on a page that is not open yet."""
    numbers = post.numbers
    due = decision + int(wait)
    place = NOWHERE
    if due <= post.last:
        page = page_of(post, due)
        place = np.uintp(post.ends[page])
        if place & LAST_OF_CHUNK == 0:
            place = new_chunk(post, place)
        post.ends[page] = place + ONE
        numbers[follower(place)] = place_of_step(due)  # until the page is opened
    numbers[what(place_of_step(decision))] = place
    numbers[follower(place_of_step(decision))] = NOBODY


@jitable
def new_chunk(post: Post, end: Any) -> Any:
    """The first place of a free chunk, for a page whose answers fill all places before this one (0: it has none)."""
    chunk = np.uintp(post.cells[FREE])
    if chunk == 0:
        chunk = np.uintp(post.cells[UNUSED])
        post.cells[UNUSED] += 1
    else:
        post.cells[FREE] = post.before[chunk]
    post.before[chunk] = chunk_before(end)
    return chunk << CHUNK_BITS


@always_inline
def chunk_before(end: Any) -> Any:
    """The chunk of the place before this one, or 0."""
    return (end - ONE) >> CHUNK_BITS if end > 0 else np.uintp(0)


@jitable
def turn_page(post: Post, step: int) -> None:
    """Free the chunks of the page that is over, and open the one that begins with this step."""
    numbers, cells, before = post.numbers, post.cells, post.before
    if cells[OPEN_LAST] != 0:
        before[cells[OPEN_FIRST]] = cells[FREE]
        cells[FREE] = cells[OPEN_LAST]
    page = page_of(post, step)
    place = np.uintp(post.ends[page])
    post.ends[page] = 0
    chunk = chunk_before(place)
    cells[OPEN_LAST] = chunk
    while chunk != 0:
        while place > chunk << CHUNK_BITS:  # from the last to the first: each is told before all that are linked
            place -= ONE
            there = np.uintp(numbers[follower(place)])
            numbers[follower(place)] = numbers[follower(there)]
            numbers[follower(there)] = place
        cells[OPEN_FIRST] = chunk
        chunk = np.uintp(before[chunk])
        place = (chunk + ONE) << CHUNK_BITS
