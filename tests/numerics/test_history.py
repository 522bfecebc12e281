"""The history of rewards against a list per arm."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskbandits.numerics import history
from riskbandits.policies.support import contract

told = st.lists(st.tuples(st.integers(0, 3), st.integers(-6, 6).map(lambda x: x / 2)), max_size=120)


class Keeper(NamedTuple):
    """Keeps a history."""

    def history(self):
        return 1

    def width(self):
        return history.WIDTH


def room(arms, rewards):
    return contract.new_state(Keeper(), arms), contract.new_context(100.0, Keeper(), arms, rewards)


@settings(max_examples=60)
@given(told, st.booleans())
def test_sorted_and_in_turn(rewards, in_turn):
    state, run = room(4, len(rewards))
    for k, reward in rewards:
        (history.append if in_turn else history.add)(state, k, run, reward)
    for k in range(4):
        mine = [reward for arm, reward in rewards if arm == k]
        if in_turn:
            assert history.values(state, k, run).tolist() == mine
            assert history.counts(state, k, run).tolist() == [1.0] * len(mine)
        else:
            tally = Counter(mine)
            assert history.values(state, k, run).tolist() == sorted(tally)
            assert history.counts(state, k, run).tolist() == [tally[x] for x in sorted(tally)]
        assert state[k, history.TOTAL] == len(mine)
        assert len(history.weights(state, k, run)) == state[k, history.SIZE]


@settings(max_examples=30)
@given(told)
def test_a_growing_run_and_a_restored_one_hold_the_same(rewards):
    state, _ = room(4, 0)
    run = contract.new_context(100.0, Keeper())
    for k, reward in rewards:
        run = history.with_room(state, k, run, 1)
        history.add(state, k, run, reward)
    entries = history.entries_of(state, run)
    other, _ = room(4, 0)
    back = history.restored(other, contract.new_context(100.0, Keeper()), entries)
    assert history.entries_of(other, back) == entries
    assert other[:, history.TOTAL].tolist() == state[:, history.TOTAL].tolist()


@pytest.mark.parametrize("shares", [[1], [1, 1], [50, 1, 1], [7, 7, 7, 7]])
def test_the_pool_is_large_enough_however_rewards_fall_on_arms(shares):
    rng = np.random.default_rng(0)
    state, run = room(len(shares), 700)
    for k in rng.choice(len(shares), 700, p=np.array(shares) / sum(shares)):
        history.add(state, k, run, rng.standard_normal())
    assert state[:, history.TOTAL].sum() == 700
    assert run[history.FREE] <= len(run)
    for _ in range(10):  # beyond what was announced there may be room left, but never a write past the end
        with pytest.raises(IndexError, match="full"):
            for _ in range(5000):
                history.append(state, 0, run, rng.standard_normal())


def test_damaged_histories_are_refused():
    for entries in ({"values": [1.0], "counts": []}, {"values": [1.0], "counts": [0.0]}):
        with pytest.raises(ValueError, match="count"):
            state, run = room(1, 5)
            history.restored(state, run, [entries])
