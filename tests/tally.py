"""A learner's book as anybody would keep it: plain lists, independent of the package."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import ConflictError, GoneError, ParameterError, RiskBanditsError
from riskbandits.learner.state import CHOSEN, OPEN, OUTSTANDING, TOLD
from riskbandits.numerics import history
from riskbandits.testing.policy import fitting_problem

ARMS = ["a", "b", "c", "d", "e", 6, 7]
MOST_OPEN = 60


class Life:
    """Calls of a learner, and beside it what they must come to."""

    def __init__(self, policy, seed, remember=20, file=None):
        self.learner = rb.Learner(policy, ARMS[:3], fitting_problem(policy).risk, seed=seed, remember=remember)
        self.active, self.retired = ARMS[:3], []
        self.rewards = {arm: [] for arm in ARMS}
        self.known = {arm: np.zeros(3) for arm in ARMS}  # the policy's: sums of weights, times rewards, times squares
        self.chosen = dict.fromkeys(ARMS, 0)
        self.asked = dict.fromkeys(ARMS, 0)  # outstanding without ids
        self.open = {}  # id -> arm
        self.settled = {}  # id -> reward, None when forgotten
        self.remember, self.file = remember, file
        self.keeps_history, self.fades = hasattr(policy, "history"), hasattr(policy, "fade")

    def choose(self, arm):
        assert arm in self.active
        self.chosen[arm] += 1

    def ask(self, n, reward):
        arm = self.learner.ask(available=self.active[: 1 + n % len(self.active)])
        self.choose(arm)
        self.asked[arm] += 1

    def tell(self, n, reward):
        """Some of them for choices made elsewhere; a retired arm takes only what it is owed."""
        arm = ARMS[n % len(ARMS)]
        if arm not in self.active and not self.asked[arm]:
            with pytest.raises(RiskBanditsError):
                self.learner.tell(arm, reward)
            return
        self.learner.tell(arm, reward)
        if self.asked[arm]:
            self.asked[arm] -= 1
        else:
            self.chosen[arm] += 1
        self.book(arm, reward)

    def book(self, arm, reward):
        self.rewards[arm].append(reward)
        self.known[arm] += [1.0, reward, reward**2]

    def decide(self, n, reward):
        for decision in self.learner.decide(count=1 + n % 3) if n % 2 else [self.learner.decide()]:
            self.choose(decision.arm)
            assert decision.id not in self.open
            assert decision.id not in self.settled
            self.open[decision.id] = decision.arm

    def settle(self, id, reward):
        arm = self.open.pop(id)
        if reward is not None:
            self.book(arm, reward)
        self.settled[id] = reward

    def some_open(self, n):
        return next(itertools.islice(self.open, n % len(self.open), None)) if self.open else None

    def answer(self, n, reward):
        id = self.some_open(n)
        if id is not None:
            assert self.learner.answer(id, reward) is True
            self.settle(id, reward)

    def answer_many(self, n, reward):
        """Out of order, one of them twice."""
        ids = list(dict.fromkeys(self.some_open(n * k) for k in range(1, 4) if self.open))
        if ids:
            given = [*ids, ids[0]]
            assert self.learner.answer(given, [reward] * len(given)) == [True] * len(ids) + [False]
            for id in ids:
                self.settle(id, reward)

    def answer_again(self, n, reward):
        """What is remembered is a repetition or a contradiction; what is older is refused."""
        if not self.settled:
            return
        place = n % len(self.settled)
        id = next(itertools.islice(reversed(self.settled), place, None))
        booked = self.settled[id]
        if place >= self.remember or booked is None:
            with pytest.raises(GoneError):
                self.learner.answer(id, reward)
        elif booked == reward:
            assert self.learner.answer(id, reward) is False
        else:
            assert self.learner.answer(id, booked) is False
            with pytest.raises(ConflictError):
                self.learner.answer(id, reward)

    def forget(self, n, reward):
        id = self.some_open(n)
        if id is not None:
            self.learner.forget(id)
            self.settle(id, None)

    def forget_by_arm(self, n, reward):
        arm = ARMS[n % len(ARMS)]
        if self.asked[arm]:
            self.learner.forget(arm=arm)
            self.asked[arm] -= 1
        else:
            with pytest.raises(RiskBanditsError):
                self.learner.forget(arm=arm)

    def retire(self, n, reward):
        if len(self.active) > 1:
            arm = self.active.pop(n % len(self.active))
            self.learner.retire(arm)
            self.retired.append(arm)

    def bring(self, n, reward):
        """A new arm, or one that was retired."""
        arm = ARMS[n % len(ARMS)]
        if arm in self.active:
            with pytest.raises(ParameterError):
                self.learner.add(arm)
            return
        self.learner.add(arm)
        self.active.append(arm)
        if arm in self.retired:
            self.retired.remove(arm)

    def fade(self, n, reward):
        """All arms alike, retired ones too; the weight of one pull remains."""
        factor = n % 5 / 4
        if not self.fades:
            with pytest.raises(RiskBanditsError):
                self.learner.fade(factor)
            return
        self.learner.fade(factor)
        policy = self.learner.policy
        needed = policy.needed() if hasattr(policy, "needed") else policy.first_pulls()
        for sums in self.known.values():
            if sums[0] > needed:
                sums *= max(factor, needed / sums[0])

    def reload(self, n, reward):
        """From a text, or from a file."""
        text = self.learner.to_json()
        if self.file is None or n % 2:
            self.learner = rb.Learner.from_json(text)
        else:
            self.learner.save(self.file)
            self.learner = rb.Learner.load(self.file)
        assert self.learner.to_json() == text

    def check(self):
        """Counts are equal, moments too but for rounding, and the policy was told the same."""
        book, learner = self.learner._state, self.learner
        assert learner.arms == self.active
        assert list(book.retired) == self.retired
        assert learner.decisions == sum(self.chosen.values())
        assert {d.id: d.arm for d in learner.open_decisions()} == self.open
        for arm in (*self.active, *self.retired):
            row, line = book.rows.get(arm), book.retired.get(arm)
            counts = book.counts[row].tolist() if line is None else line.counts
            sums = book.moments[row] if line is None else line.moments
            state = book.policy_state[row] if line is None else line.state
            owed = sum(name == arm for name in self.open.values())
            told = self.rewards[arm]
            assert [counts[k] for k in (TOLD, OUTSTANDING, CHOSEN, OPEN)] == [
                len(told), self.asked[arm] + owed, self.chosen[arm], owed,
            ]  # fmt: skip
            expected = [len(told), np.mean(told), len(told) * np.var(told)] if told else [0.0, 0.0, 0.0]
            np.testing.assert_allclose(sums, expected, rtol=1e-9, atol=1e-9)
            if self.keeps_history:
                past = history.entry_of(book.policy_state, row, book.run) if line is None else line.history
                assert dict(zip(past["values"], past["counts"], strict=True)) == Counter(told)
            elif told:
                weight, total, squares = self.known[arm]
                expected = [weight, total / weight, squares - total**2 / weight]
                np.testing.assert_allclose(state[:3], expected, rtol=1e-9, atol=1e-9)
            else:
                assert list(state[:3]) == [0.0, 0.0, 0.0]


CALLS = [Life.ask, Life.tell, Life.decide, Life.answer, Life.answer_many, Life.answer_again, Life.forget,
         Life.forget_by_arm, Life.retire, Life.bring, Life.fade, Life.reload]  # fmt: skip
# How often each is made in a long life: rarely what takes long.
WEIGHTS = [20, 20, 30, 45, 10, 20, 2, 2, 0.5, 1, 0.5, 0.02]


def live(life, calls, seed, checks):
    """So many random calls, and so many checks."""
    rng = random.Random(seed)
    for turn in range(calls):
        call = Life.answer if len(life.open) > MOST_OPEN else rng.choices(CALLS, WEIGHTS)[0]
        call(life, rng.randrange(1000), rng.choice([0.0, 0.5, rng.random()]))
        if turn % (calls // checks) == 0:
            life.check()
    life.check()
