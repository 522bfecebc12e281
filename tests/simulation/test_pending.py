"""Pending rewards, whatever their delays: delivered in the order of a plain heap, all that are due and no others."""

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
from riskbandits.simulation import delayed
from riskbandits.simulation.delayed import new_pending
from riskbandits.simulation.kernel import RunState

ARMS = 3
SPAN = 128  # steps
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


def told_by_pending(pending: Any, rng: Any, steps: int) -> list[list[int]]:
    """The same as the policy hears it; every reward is the number of its decision."""
    zeros = np.zeros(ARMS, dtype=np.int64)
    run: Any = new_run(pending.last, rb.MVTS(), ARMS, pending.last)
    own = RunState(np.zeros((ARMS, 3)), run, None, zeros, None, None, None, None, None, None)
    selector = delayed.new(ARMS, None, pending, rng)
    told = []
    for step in range(1, steps + 1):
        policy = Listener([])
        selector.receive(policy, own, step % ARMS, float(step), step)  # type: ignore[arg-type]
        assert all(arm == reward % ARMS for arm, reward in policy.heard)
        told.append([int(reward) for _, reward in policy.heard])
    unanswered = set(range(1, steps + 1)).difference(*told)
    assert own.outstanding.tolist() == [sum(one % ARMS == arm for one in unanswered) for arm in range(ARMS)]
    return told


def arrivals(waits: list[int], in_order: bool) -> list[int]:
    due = np.arange(1, len(waits) + 1) + np.array(waits)
    return (np.maximum.accumulate(due) if in_order else due).tolist()


waits_of_one_run = st.one_of(
    st.lists(st.integers(0, 40), min_size=1, max_size=700),
    st.lists(st.sampled_from([0, 1, 32, SPAN - 1, SPAN, SPAN + 1, 3 * SPAN, NEVER]), min_size=600, max_size=2200),
    st.tuples(st.integers(1, 2200), st.integers(1, 2200)).map(  # all at one step; those decided later at once
        lambda both: [max(0, both[1] - decision) for decision in range(1, both[0] + 1)]
    ),
    st.tuples(st.integers(1, 2200), st.integers(0, 2000)).map(lambda both: [both[1]] * both[0]),
)


@settings(max_examples=40)
@given(waits_of_one_run, st.booleans(), st.integers(0, 2200))
@example([0], False, 0)
@example([2 * SPAN] * (4 * SPAN), False, SPAN + 3)
@example([decision % (3 * SPAN) for decision in range(4 * SPAN)], False, 2 * SPAN)
@example([SPAN - 1] * (8 * SPAN), False, 0)
def test_rewards_are_delivered_as_by_a_heap(waits, in_order, stopped):
    """Also after a run that was stopped halfway."""
    delay, rng = scripted(waits, in_order)
    pending = new_pending(delay, len(waits), ARMS, 1)
    expected = told_by_heap(arrivals(waits, in_order), len(waits))
    assert told_by_pending(pending, rng, min(stopped, len(waits))) == expected[:stopped]
    assert told_by_pending(pending, scripted(waits, in_order)[1], len(waits)) == expected


@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize("mean", [0.2, 30.0, 2000.0])
def test_geometric_delays_too(mean, in_order):
    delay = cast(rb.Delay.geometric(mean, in_order=in_order))
    steps = 5 * SPAN + 7
    due = delay.arrivals(steps, np.random.default_rng(3)).tolist()
    pending = new_pending(delay, steps, ARMS, 1)
    assert told_by_pending(pending, np.random.default_rng(3), steps) == told_by_heap(due, steps)
