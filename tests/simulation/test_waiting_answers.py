"""Answers on their way, whatever their delays: told in the order of a plain heap, all that are due and no others."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import riskbandits as rb
from riskbandits.core.records import cast
from riskbandits.policies.support.contract import new_run
from riskbandits.simulation.delay import AHEAD
from riskbandits.simulation.delayed import selector
from riskbandits.simulation.delayed.by_due_time import FIRST_CHUNK
from riskbandits.simulation.delayed.pending import CHUNK, UNUSED, new_post
from riskbandits.simulation.kernel import Seat

ARMS = 3
NEVER = 10**6


class Listener(NamedTuple):
    """A policy that writes down what it is told."""

    heard: list[tuple[int, float]]

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        self.heard.append((k, reward))


class Script:
    """A generator whose chances choose the delays of a list, one after the other, from 0 up to a longest."""

    def __init__(self, waits: list[int], longest: int) -> None:
        self._chances = iter([(min(wait, longest) + 0.5) / (longest + 1) for wait in waits])

    def random(self) -> float:
        return next(self._chances, 0.0)


def scripted(waits: list[int], in_order: bool) -> tuple[rb.Delay, Script]:
    """A delay and the generator with which it is these ones: recorded delays, the last of which stands for never."""
    longest = max(waits) + 1
    seen = [*range(longest), NEVER] if longest < NEVER else [*range(len(waits) + 1), NEVER]
    return cast(rb.Delay.recorded(seen, in_order=in_order)), Script(waits, len(seen) - 1)


def told_by_heap(due: list[int], steps: int) -> list[list[int]]:
    """By step, the decisions whose answers are told."""
    waiting: list[tuple[int, int]] = []
    told = []
    for step in range(1, steps + 1):
        heapq.heappush(waiting, (due[step - 1], step))
        told.append([heapq.heappop(waiting)[1] for _ in range(len(waiting)) if waiting[0][0] <= step])
    return told


def told_by_post(post: Any, rng: Any, steps: int) -> list[list[int]]:
    """The same as the policy hears it; every reward is the number of its decision."""
    zeros = np.zeros(ARMS, dtype=np.int64)
    run: Any = new_run(post.last, rb.MVTS(), ARMS, post.last)
    seat = Seat(np.zeros((ARMS, 3)), run, None, zeros, None, None, None, None, None, None)
    late = selector.new(ARMS, post, rng)
    told = []
    for step in range(1, steps + 1):
        policy = Listener([])
        late.tell(policy, seat, step % ARMS, float(step), step)  # type: ignore[arg-type]
        assert all(arm == reward % ARMS for arm, reward in policy.heard)
        told.append([int(reward) for _, reward in policy.heard])
    unanswered = set(range(1, steps + 1)).difference(*told)
    assert seat.outstanding.tolist() == [sum(one % ARMS == arm for one in unanswered) for arm in range(ARMS)]
    return told


def arrivals(waits: list[int], in_order: bool) -> list[int]:
    due = np.arange(1, len(waits) + 1) + np.array(waits)
    return (np.maximum.accumulate(due) if in_order else due).tolist()


waits_of_one_run = st.one_of(
    st.lists(st.integers(0, 40), min_size=1, max_size=700),
    st.lists(
        st.sampled_from([0, 1, CHUNK, AHEAD - 1, AHEAD, AHEAD + 1, 3 * AHEAD, NEVER]), min_size=600, max_size=2200
    ),
    st.tuples(st.integers(1, 2200), st.integers(1, 2200)).map(  # all at one step; those decided later at once
        lambda both: [max(0, both[1] - decision) for decision in range(1, both[0] + 1)]
    ),
    st.tuples(st.integers(1, 2200), st.integers(0, 2000)).map(lambda both: [both[1]] * both[0]),
)


@settings(max_examples=40, deadline=None)
@given(waits_of_one_run, st.booleans(), st.integers(0, 2200))
@example([0], False, 0)
@example([2 * AHEAD] * (4 * AHEAD), False, AHEAD + 3)
@example([decision % (3 * AHEAD) for decision in range(4 * AHEAD)], False, 2 * AHEAD)
@example([AHEAD - 1] * (8 * AHEAD), False, 0)
def test_answers_are_told_as_a_heap_would_tell_them(waits, in_order, stopped):
    """Also in memory in which a run was stopped halfway."""
    delay, rng = scripted(waits, in_order)
    post = new_post(delay, len(waits), ARMS, 1)
    expected = told_by_heap(arrivals(waits, in_order), len(waits))
    assert told_by_post(post, rng, min(stopped, len(waits))) == expected[:stopped]
    assert told_by_post(post, scripted(waits, in_order)[1], len(waits)) == expected


@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize("mean", [0.2, 30.0, 2000.0])
def test_geometric_delays_too(mean, in_order):
    delay = cast(rb.Delay.geometric(mean, in_order=in_order))
    steps = 5 * AHEAD + 7
    due = delay.arrivals(steps, np.random.default_rng(3)).tolist()
    post = new_post(delay, steps, ARMS, 1)
    assert told_by_post(post, np.random.default_rng(3), steps) == told_by_heap(due, steps)


def test_no_more_memory_is_touched_than_what_waits():
    """Chunks are used again before others are: as many as were ever needed at once, whatever the longest delay."""
    delay, steps = cast(rb.Delay.geometric(1000)), 12_000
    post = new_post(delay, steps, ARMS, 1)
    told_by_post(post, np.random.default_rng(3), steps)
    due = delay.arrivals(steps, np.random.default_rng(3))
    most = 0
    for first in range(1, steps, AHEAD):  # a page, over in a moment, and all decisions that have a place by then
        waiting = due[: first - 1 + 2 * AHEAD]
        pages = (waiting[(waiting >= first) & (waiting <= steps)] - 1) // AHEAD
        most = max(most, sum(-(-count // CHUNK) for count in np.bincount(pages)))
    assert post.cells[UNUSED] - FIRST_CHUNK == most
    assert CHUNK * most < post.rewards.shape[0] / 2 / 4
