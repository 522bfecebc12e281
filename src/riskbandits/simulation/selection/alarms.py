"""The alarm clocks of arms that seldom matter: who sleeps, until when, and below which threshold."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from riskbandits.bounds.contract import ENVELOPE_CELLS
from riskbandits.compiling.jit import allocating, jitable

# Columns of `rows`, after the cells that are the policy's own.
THRESHOLD = ENVELOPE_CELLS  # minus infinity for arms awake
RATE = ENVELOPE_CELLS + 1  # of the clock: -ln(1 - the probability with which it rings)
ASLEEP = ENVELOPE_CELLS + 2  # 1 or 0
SETTLED = ENVELOPE_CELLS + 3  # the review since which threshold and rate stand
COLUMNS = ENVELOPE_CELLS + 4

FIRST_DEPTH = 2.5  # of the floor, in deviations; `lazy_reviews` adapts it

COUNTS, AWAKE_LIST, DUE_LIST = range(3)  # rows of `lists`: whole numbers; arms awake but the leader; arms that rang
# Whole numbers; AWAKE and DUE are the lengths of lists, the last three are for leaps (`leaping`): whether the run
# leaps now, the work since the last look, the arm played last.
LEADER, WATCHED, AWAKE, DUE, REVIEWS, LEAPS, WORK, PLAYED = range(8)

# Cells of `times`.
FLOOR, FAR, HIGHEST = 0, 1, 2  # the leader's floor, a deeper level, the highest threshold of a sleeper
NEXT_ALARM, NEXT_REVIEW = 3, 4
DIP_RATE, DIP_ALARM = 5, 6  # the leader's own clock
DEPTH, RINGS, DIPS = 7, 8, 9  # of the floor; the work caused by the others and by dips
NEXT_TRY, PATIENCE = 10, 11  # when leaps are tried next, and how long to wait where they do not pay
RESTS = 12  # what rounding has taken from the sums of rewards and of their squares, where runs leap
# From here on, per arm, the step at which its clock rings: infinite for arms awake; and behind them, per block of arms,
# the soonest. Where one arm of a thousand rings at every other step, the others need not be looked at. One block is
# looked at anyway, and its soonest is not kept.
ALARMS = 14
BLOCK = 32


class Clocks(NamedTuple):
    """Who sleeps, until when, and below which threshold."""

    # Few arrays: each one costs time at every call of a compiled function that is handed them.
    rows: Any  # (arms, COLUMNS)
    lists: Any  # (3, arms or more) whole numbers
    times: Any  # (ALARMS + arms + blocks,) numbers


@allocating
def new_clocks(size: int) -> Clocks:
    """All arms awake, and a review due."""
    # Loops: what numba makes of NumPy's one-liners takes a second to compile.
    blocks = (size + BLOCK - 1) // BLOCK
    times = np.empty(ALARMS + size + blocks)
    for cell in range(ALARMS):
        times[cell] = -math.inf
    times[NEXT_ALARM] = math.inf
    times[DEPTH] = FIRST_DEPTH
    times[RESTS] = 0.0
    times[RESTS + 1] = 0.0
    times[RINGS] = 0.0
    times[DIPS] = 0.0
    lists = np.empty((3, size + PLAYED + 1), dtype=np.int64)
    for place in range(size + PLAYED + 1):
        lists[COUNTS, place] = 0
        lists[AWAKE_LIST, place] = place + 1  # all but arm 0, which leads
        lists[DUE_LIST, place] = 0
    lists[COUNTS, AWAKE] = size - 1
    for cell in range(ALARMS, ALARMS + size + blocks):
        times[cell] = math.inf
    rows = np.empty((size, COLUMNS))
    for k in range(size):
        for cell in range(COLUMNS):
            rows[k, cell] = 0.0
        rows[k, THRESHOLD] = -math.inf
    return Clocks(rows, lists, times)


@jitable
def set_alarm(clocks: Clocks, k: int, when: float) -> None:
    """Let the clock of arm k ring at that step."""
    times = clocks.times
    before = times[ALARMS + k]
    times[ALARMS + k] = when
    if clocks.rows.shape[0] <= BLOCK:
        return
    soonest = ALARMS + clocks.rows.shape[0] + k // BLOCK
    if when <= times[soonest]:
        times[soonest] = when
    elif before == times[soonest]:
        first = k - k % BLOCK
        times[soonest] = earliest(times, ALARMS + first, ALARMS + min(first + BLOCK, clocks.rows.shape[0]))


@jitable
def earliest(times: Any, first: int, last: int) -> float:
    """The smallest of the cells from `first` up to `last`, which is not one of them."""
    even = math.inf
    odd = math.inf
    for cell in range(first, last - 1, 2):  # two minima at a time: each waits for the one before
        even = min(even, times[cell])
        odd = min(odd, times[cell + 1])
    return min(even, odd, times[last - 1])
