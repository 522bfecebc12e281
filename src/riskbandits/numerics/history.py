"""The rewards of each arm, kept in the tail of `run`: for policies that need more than moments.

A policy asks for a history with its method `history()`, books rewards with `add` (or `append`) in `learn`, and reads

    values(state, k, run), counts(state, k, run)    the arm's rewards and how often each came
    weights(state, k, run)                          as many cells for what the policy draws

as arrays; they are views, valid until the next reward is booked. `add` keeps distinct rewards in ascending order, so a
history of rewards 0 and 1 has two entries for ever; `append` keeps every reward in the order in which it came.

All arms share one pool. An arm whose room is used up moves to twice the room at the end of the pool, so the pool of a
run with n rewards is never longer than four times what n entries take, however they fall on the arms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.compiling.jit import allocating, always_inline, jitable
from riskbandits.numerics import moments
from riskbandits.numerics.run_cells import FEATURES

if TYPE_CHECKING:
    from riskbandits.types import Run, State

# Columns of the state, after those of the moments, which a policy may keep as well.
START, CAPACITY, SIZE, TOTAL = range(moments.WIDTH, moments.WIDTH + 4)
WIDTH = moments.WIDTH + 4

FREE = FEATURES  # the cell of `run` that holds where the pool's free part begins; the pool is what follows
PARTS = 3  # values, counts, weights
SMALLEST = 8  # entries of an arm's first room
LEAST = 1.0 / 32.0  # of a reward: what has faded to less is dropped, or histories would grow for ever
HAIR = 1e-9  # by which TOTAL is off where faded counts add up to SIZE: the two are equal if all counts are 1, only then


@allocating
def values(state: State, k: int, run: Run) -> Any:
    """The entries of arm k."""
    start = int(state[k, START])
    return run[start : start + int(state[k, SIZE])]


@allocating
def counts(state: State, k: int, run: Run) -> Any:
    """How often each entry came."""
    start = int(state[k, START]) + int(state[k, CAPACITY])
    return run[start : start + int(state[k, SIZE])]


@allocating
def weights(state: State, k: int, run: Run) -> Any:
    """A cell per entry to write to."""
    start = int(state[k, START]) + 2 * int(state[k, CAPACITY])
    return run[start : start + int(state[k, SIZE])]


@jitable
def add(state: State, k: int, run: Run, reward: float) -> None:
    """Book a reward among the distinct rewards, in ascending order."""
    start = int(state[k, START])
    size = int(state[k, SIZE])
    low = place_of(state, k, run, reward)
    if low < size and run[start + low] == reward:
        run[start + int(state[k, CAPACITY]) + low] += 1.0
        write_total(state, k, state[k, TOTAL] + 1.0)
    else:
        insert(state, k, run, low, reward)


@always_inline
def place_of(state: State, k: int, run: Run, reward: float) -> int:
    """The place of a reward among the distinct rewards in ascending order, there or not."""
    start = int(state[k, START])
    low = 0
    high = int(state[k, SIZE])
    while low < high:
        middle = (low + high) // 2
        if run[start + middle] < reward:
            low = middle + 1
        else:
            high = middle
    return low


@jitable
def weigh(state: State, k: int, run: Run, reward: float, more: float) -> None:
    """Let a reward among the distinct ones count for so much more than it does: what does not fade with the others.

    One that is not among them counts for 1.
    """
    low = place_of(state, k, run, reward)
    if low == int(state[k, SIZE]) or run[int(state[k, START]) + low] != reward:
        insert(state, k, run, low, reward)
        return
    run[int(state[k, START]) + int(state[k, CAPACITY]) + low] += more
    write_total(state, k, state[k, TOTAL] + more)


@always_inline
def write_total(state: State, k: int, total: float) -> None:
    """Write what the counts of arm k, not all of which are 1, add up to."""
    state[k, TOTAL] = total if total != state[k, SIZE] else total * (1.0 + HAIR)


@jitable
def append(state: State, k: int, run: Run, reward: float) -> None:
    """Book a reward after all that came before."""
    insert(state, k, run, int(state[k, SIZE]), reward)


@jitable
def insert(state: State, k: int, run: Run, place: int, reward: float) -> None:
    """Make a new entry at a place."""
    size = int(state[k, SIZE])
    if size == int(state[k, CAPACITY]):
        move(state, k, run)
    start = int(state[k, START])
    for i in range(start + size, start + place, -1):
        run[i] = run[i - 1]
    run[start + place] = reward
    first = start + int(state[k, CAPACITY])
    state[k, SIZE] = size + 1.0
    if state[k, TOTAL] != size:  # otherwise all counts are 1 and the new one may as well stand last
        for i in range(first + size, first + place, -1):
            run[i] = run[i - 1]
        run[first + place] = 1.0
        write_total(state, k, state[k, TOTAL] + 1.0)
    else:
        run[first + size] = 1.0
        state[k, TOTAL] += 1.0


@jitable
def discount(state: State, k: int, run: Run, factor: float) -> None:
    """Let the counts of arm k fade: times a factor; entries that have come to less than LEAST are dropped.

    Where none would be left, neighbours are taken together instead: all of them may have faded alike.
    """
    start = int(state[k, START])
    first = start + int(state[k, CAPACITY])
    kept = 0
    total = 0.0
    for i in range(int(state[k, SIZE])):
        count = factor * run[first + i]
        if count >= LEAST:
            run[start + kept] = run[start + i]
            run[first + kept] = count
            total += count
            kept += 1
    if kept == 0 and factor > 0.0:
        kept, total = gather(state, k, run, factor)
    state[k, SIZE] = kept
    write_total(state, k, total)


@jitable
def gather(state: State, k: int, run: Run, factor: float) -> tuple[int, float]:
    """Let counts fade, and make one entry of as many neighbours as come to LEAST together; less in all is nothing.

    Gives how many entries there are, and what they come to.
    """
    start = int(state[k, START])
    first = start + int(state[k, CAPACITY])
    kept = 0
    begun = 0
    total = 0.0
    count = 0.0
    for i in range(int(state[k, SIZE])):
        count += factor * run[first + i]
        if count >= LEAST:
            run[start + kept] = run[start + (begun + i) // 2]
            run[first + kept] = count
            total += count
            kept += 1
            begun = i + 1
            count = 0.0
    if kept > 0:
        run[first + kept - 1] += count
        total += count
    return kept, total


@jitable
def move(state: State, k: int, run: Run) -> None:
    """Move an arm's entries to twice the room at the end of the pool."""
    start = int(state[k, START])
    capacity = int(state[k, CAPACITY])
    size = int(state[k, SIZE])
    larger = max(SMALLEST, 2 * capacity)
    new = int(run[FREE])
    if new + PARTS * larger > run.shape[0]:
        raise IndexError("The history of the run is full.")
    for i in range(size):
        run[new + i] = run[start + i]
        run[new + larger + i] = run[start + capacity + i]
    run[FREE] = new + PARTS * larger
    state[k, START] = new
    state[k, CAPACITY] = larger


def cells(size: int, entries: int, rewards: int) -> int:
    """Cells after FREE that hold `entries` entries in each of `size` arms, and `rewards` more however they fall."""
    return PARTS * (4 * (rewards + size * entries) + 2 * SMALLEST * size)


def with_room(state: np.ndarray, k: int, run: np.ndarray, entries: int) -> np.ndarray:
    """The run, or a longer copy of it, with room for `entries` more entries of arm k. Only a live learner needs it."""
    return _at_least(run, _end_with(state, k, int(run[FREE]), entries))


def with_room_for_all(state: np.ndarray, rows: np.ndarray, run: np.ndarray, entries: int) -> np.ndarray:
    """As `with_room`, for a reward of each of these rows, an arm perhaps many times, and `entries` before its first."""
    end = int(run[FREE])
    for k, times in zip(*np.unique(rows, return_counts=True), strict=True):
        end = _end_with(state, int(k), end, entries + int(times))
    return _at_least(run, end)


def _end_with(state: np.ndarray, k: int, end: int, entries: int) -> int:
    """Where the pool ends, if it ended at `end`, when arm k has moved as often as so many more entries need."""
    needed, capacity = int(state[k, SIZE]) + entries, int(state[k, CAPACITY])
    while capacity < needed:
        capacity = max(SMALLEST, 2 * capacity)
        end += PARTS * capacity
    return end


def _at_least(run: np.ndarray, end: int) -> np.ndarray:
    if end <= len(run):
        return run
    longer = np.zeros(2 * end)
    longer[: len(run)] = run
    return longer


def entries_of(state: np.ndarray, run: np.ndarray) -> list[dict[str, list[float]]]:
    """The histories of all arms as plain data."""
    return [entry_of(state, k, run) for k in range(len(state))]


def entry_of(state: np.ndarray, k: int, run: np.ndarray) -> dict[str, list[float]]:
    """The history of an arm as plain data."""
    return {"values": values(state, k, run).tolist(), "counts": counts(state, k, run).tolist()}


def restored(state: np.ndarray, run: np.ndarray, entries: list[dict[str, list[float]]]) -> np.ndarray:
    """The run with these histories, the inverse of `entries_of`; the places in the state are written anew."""
    state[:, START:WIDTH] = 0.0
    for k, entry in enumerate(entries):
        run = placed(state, k, run, entry)
    return run


def placed(state: np.ndarray, k: int, run: np.ndarray, entry: dict[str, list[float]]) -> np.ndarray:
    """The run, or a longer copy of it, with this history of arm k, which must have none yet."""
    size = len(entry["values"])
    if size != len(entry["counts"]) or not all(one >= LEAST for one in entry["counts"]):
        raise ValueError("a history needs a count per value")
    run = with_room(state, k, run, size)
    while state[k, CAPACITY] < size:
        move(state, k, run)
    state[k, SIZE] = state[k, TOTAL] = size
    if any(one != 1.0 for one in entry["counts"]):
        write_total(state, k, sum(entry["counts"]))
    values(state, k, run)[:] = entry["values"]
    counts(state, k, run)[:] = entry["counts"]
    return run
