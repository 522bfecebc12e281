"""The history of rewards against a list per arm."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
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
    return contract.new_state(Keeper(), arms), contract.new_run(100.0, Keeper(), arms, rewards)


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
    run = contract.new_run(100.0, Keeper())
    for k, reward in rewards:
        run = history.with_room(state, k, run, 1)
        history.add(state, k, run, reward)
    entries = history.entries_of(state, run)
    other, _ = room(4, 0)
    back = history.restored(other, contract.new_run(100.0, Keeper()), entries)
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


faded = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.integers(0, 3).map(lambda x: -float(x)))


@settings(max_examples=200)
@given(st.lists(faded, max_size=40))
def test_counts_that_fade_stay_with_their_rewards(moves):
    """Halves add up to whole numbers now and then, and then not every reward came once."""
    state, run = room(1, 40)
    tally = {}
    for move in moves:
        if move > 0.0:
            history.discount(state, 0, run, move)
            left = {x: move * n for x, n in tally.items() if move * n >= history.LEAST}
            assume(left or not tally)  # otherwise neighbours are taken together
            tally = left
        else:
            history.add(state, 0, run, move)
            tally[move] = tally.get(move, 0.0) + 1.0
        entry = history.entry_of(state, 0, run)
        assert dict(zip(entry["values"], entry["counts"], strict=True)) == tally
        assert state[0, history.TOTAL] == pytest.approx(sum(tally.values()), rel=1e-8)
        assert state[0, history.TOTAL] != state[0, history.SIZE] or all(n == 1.0 for n in tally.values())
        again, longer = room(1, 40)
        history.restored(again, longer, [entry])
        assert again[0, history.TOTAL] != again[0, history.SIZE] or all(n == 1.0 for n in tally.values())


def test_a_new_reward_among_faded_ones():
    state, run = room(1, 10)
    for reward in (0.2, 0.4, 0.2, 0.2):
        history.add(state, 0, run, reward)
    history.discount(state, 0, run, 0.5)  # 1.5 and 0.5: two in all, as many as there are values
    history.add(state, 0, run, 0.1)
    assert history.entry_of(state, 0, run) == {"values": [0.1, 0.2, 0.4], "counts": [1.0, 1.5, 0.5]}
