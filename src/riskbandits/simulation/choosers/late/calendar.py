"""proto"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.compiled import function, inlined
from riskbandits.simulation.delay import AHEAD, draw_wait, draw_waits

ONE, TWO = np.uintp(1), np.uintp(2)
LAST_AHEAD = np.uintp(AHEAD - 1)
NOBODY = np.uint32(0)
CHUNK = 32
LAST_OF_CHUNK = np.uintp(CHUNK - 1)
FREE, FRESH, HELD, NEXT, DUE, UNJUDGED, HELD_FIRST, CELLS = range(8)


@inlined
def line_of(numbers, place):
    return numbers[(place << TWO) + ONE]


@function
def turn(post, step):
    post.heads[:] = NOBODY
    throw_away(post)
    book(post, step)
    open_today(post, step)


@inlined
def first(post, line, step):
    if post.one_line:
        return np.uint32((np.uintp(post.cells[NEXT]) & post.mask) + ONE) if post.cells[DUE] <= step else NOBODY
    return post.heads[line]


@inlined
def following(post, rng, place, step):
    if not post.one_line:
        return post.numbers[(place << TWO) + ONE]
    decision = post.cells[NEXT] + 1
    due = max(post.cells[DUE], decision + int(draw_wait(post.steps, post.scale, rng)))
    post.cells[NEXT], post.cells[DUE] = decision, due
    return np.uint32((np.uintp(decision) & post.mask) + ONE) if due <= step else NOBODY


@function
def book(post, step):
    numbers, tails, places, last, mask = post.numbers, post.tails, post.places, post.last, post.mask
    for decision in range(step, min(step + AHEAD, post.last + 1)):
        due = decision + int(post.waits[np.uintp(decision) & LAST_AHEAD])
        place = np.uintp(0)
        if due <= last:
            bucket = (np.uintp(due - 1) >> np.uintp(9)) & mask
            place = np.uintp(tails[bucket])
            if place & LAST_OF_CHUNK == 0:
                place = new_chunk(post, place)
            tails[bucket] = place + ONE
            numbers[(place << TWO) + ONE] = np.uintp(due) & LAST_AHEAD
        places[np.uintp(decision) & LAST_AHEAD] = place


@function
def new_chunk(post, before):
    cells, chain = post.cells, post.chain
    chunk = np.uintp(cells[FREE])
    if chunk == 0:
        chunk = np.uintp(cells[FRESH])
        cells[FRESH] += 1
    else:
        cells[FREE] = chain[chunk]
    chain[chunk] = (before >> np.uintp(5)) - ONE if before > 0 else NOBODY
    return chunk << np.uintp(5)


@function
def throw_away(post):
    cells, chain = post.cells, post.chain
    if cells[HELD] != 0:
        chain[cells[HELD_FIRST]] = cells[FREE]
        cells[FREE] = cells[HELD]


@function
def open_today(post, step):
    numbers, heads, chain = post.numbers, post.heads, post.chain
    bucket = (np.uintp(step - 1) >> np.uintp(9)) & post.mask
    end = np.uintp(post.tails[bucket])
    post.tails[bucket] = 0
    post.cells[HELD] = 0
    if end == 0:
        return
    chunk = (end - ONE) >> np.uintp(5)
    post.cells[HELD] = chunk
    while True:
        start = chunk << np.uintp(5)
        place = end
        while place > start:
            place -= ONE
            line = np.uintp(numbers[(place << TWO) + ONE])
            numbers[(place << TWO) + ONE] = heads[line]
            heads[line] = place
        if chain[chunk] == 0:
            break
        chunk = np.uintp(chain[chunk])
        end = (chunk + ONE) << np.uintp(5)
    post.cells[HELD_FIRST] = chunk
