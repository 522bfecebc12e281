"""Answers told when they arrive: a calendar with a page for every `AHEAD` steps, of which only one is open.

Answers due on later pages are written down one after the other, page by page, in chunks that are used again and again:
however long delays are, memory is read and written in order, and no more of it than what waits. When a page is opened,
its answers are linked, for each step in the order of their decisions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.compiled import function, inlined
from riskbandits.simulation.choosers.late.post import (
    CHUNK,
    FREE,
    FRESH,
    LINES,
    NOBODY,
    ONE,
    TOLD_FIRST,
    TOLD_LAST,
    amount,
    first_number,
    follower, keep, hand_over
)
from riskbandits.simulation.delay import AHEAD, draw_wait

if TYPE_CHECKING:
    from riskbandits.simulation.choosers.late.post import Post

PAGE_BITS, CHUNK_BITS = np.uintp(AHEAD.bit_length() - 1), np.uintp(CHUNK.bit_length() - 1)
LAST_LINE, LAST_OF_CHUNK = np.uintp(AHEAD - 1), np.uintp(CHUNK - 1)
NOWHERE = np.uintp(LINES)  # the place of answers that are never told
FIRST_CHUNK = LINES // CHUNK + 1


@function
def start(post: Post, rng: Any) -> None:
    """An empty calendar, and the delays of the first page."""
    post.tails[:] = 0
    post.cells[FREE] = 0
    post.cells[FRESH] = FIRST_CHUNK
    post.cells[TOLD_LAST] = 0
    for decision in range(1, AHEAD + 1):
        write_down(post, decision, draw_wait(post.steps, post.scale, rng))
    post.rewards[amount(line_of(0))] = draw_wait(post.steps, post.scale, rng)


@inlined
def line_of(step: int) -> Any:
    """The place of a step of the open page."""
    return np.uintp(step) & LAST_LINE


@inlined
def page_of(post: Post, step: int) -> Any:
    """The page that a step is on. Pages begin with steps 1, 1 + AHEAD, and so on."""
    return (np.uintp(step - 1) >> PAGE_BITS) & post.mask


@inlined
def tell(post, rng, policy, seat, k, reward, step):
    line = line_of(step)
    if line == ONE:
        turn_page(post, step)
    keep(post, seat, np.uintp(post.numbers[first_number(line)]), k, reward)
    answer = post.numbers[follower(line)]
    while answer != NOBODY:
        hand_over(post, policy, seat, np.uintp(answer))
        answer = post.numbers[follower(np.uintp(answer))]
    write_down(post, step + AHEAD, post.rewards[amount(line_of(step - 1))])
    post.rewards[amount(line)] = draw_wait(post.steps, post.scale, rng)


@function
def turn_page(post: Post, step: int) -> None:
    """Open the page that begins with this step."""
    if post.cells[TOLD_LAST] != 0:
        post.before[post.cells[TOLD_FIRST]] = post.cells[FREE]
        post.cells[FREE] = post.cells[TOLD_LAST]
    link(post, step)


@inlined
def write_down(post, decision, wait):
    numbers, tails, last = post.numbers, post.tails, post.last
    line = line_of(decision)
    due = decision + int(wait)
    place = NOWHERE
    if due <= last:
        page = page_of(post, due)
        place = np.uintp(tails[page])
        if place & LAST_OF_CHUNK == 0:
            place = new_chunk(post, place)
        tails[page] = place + ONE
        numbers[follower(place)] = line_of(due)
    numbers[first_number(line)] = place
    numbers[follower(line)] = NOBODY


@function
def new_chunk(post: Post, end: Any) -> Any:
    """The first place of a chunk that is free, to be filled after the one with this end (0: there is none)."""
    cells, before = post.cells, post.before
    chunk = np.uintp(cells[FREE])
    if chunk == 0:
        chunk = np.uintp(cells[FRESH])
        cells[FRESH] += 1
    else:
        cells[FREE] = before[chunk]
    before[chunk] = chunk_before(end) if end > 0 else 0
    return chunk << CHUNK_BITS


@inlined
def chunk_before(end: Any) -> Any:
    """The chunk of the place before this one."""
    return (end - ONE) >> CHUNK_BITS


@function
def link(post: Post, step: int) -> None:
    """Say of every answer on this page who is told after it at the same step: from the last one to the first."""
    numbers, before, cells = post.numbers, post.before, post.cells
    page = page_of(post, step)
    end = np.uintp(post.tails[page])
    post.tails[page] = 0
    chunk = chunk_before(end) if end > 0 else np.uintp(0)
    cells[TOLD_LAST] = chunk
    while chunk != 0:
        place = end
        while place > chunk << CHUNK_BITS:
            place -= ONE
            line = np.uintp(numbers[follower(place)])
            numbers[follower(place)] = numbers[follower(line)]
            numbers[follower(line)] = place
        cells[TOLD_FIRST] = chunk
        chunk = np.uintp(before[chunk])
        end = (chunk + ONE) << CHUNK_BITS
