"""A learner's counts and rewards in plain lists, independent of the package, beside the learner itself."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import ConflictError, GoneError, ParameterError, RiskBanditsError, UnknownNameError
from riskbandits.learner.state import CHOSEN, OPEN, OUTSTANDING, TOLD
from riskbandits.numerics import history
from riskbandits.testing.policy import fitting_problem

ARMS = ["a", "b", "c", "d", "e", 6, 7]
MOST_OPEN = 60
COUNTED = ("active", "retired", "rewards", "known", "chosen", "asked", "open", "settled")  # what a file must hold


class ReferenceLearner:
    """A learner, and what its calls must come to."""

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
        self.ever = set()  # all ids that were given, those of lost times too
        self.saved = None
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
        self.record(arm, reward)

    def record(self, arm, reward):
        self.rewards[arm].append(reward)
        self.known[arm] += [1.0, reward, reward**2]

    def decide(self, n, reward):
        for decision in self.learner.decide(count=1 + n % 3) if n % 2 else [self.learner.decide()]:
            self.choose(decision.arm)
            assert decision.id not in self.ever
            self.ever.add(decision.id)
            self.open[decision.id] = decision.arm

    def settle(self, id, reward):
        arm = self.open.pop(id)
        if reward is not None:
            self.record(arm, reward)
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

    def add(self, n, reward):
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

    def save(self, n, reward):
        """For a crash that may come."""
        self.saved = self.learner.to_json(), copy.deepcopy({name: getattr(self, name) for name in COUNTED})

    def crash(self, n, reward):
        """Continue from what was saved. Ids of the time since then are lost."""
        if self.saved is None:
            return
        text, counted = self.saved
        lost = (set(self.open) | set(self.settled)) - set(counted["open"]) - set(counted["settled"])
        self.learner = rb.Learner.from_json(text)
        vars(self).update(copy.deepcopy(counted))
        for id in sorted(lost)[:5]:
            with pytest.raises((UnknownNameError, GoneError)):
                self.learner.answer(id, reward)
        assert self.learner.to_json() == text

    def check(self):
        """Counts are equal, moments too but for rounding, and the policy was told the same."""
        state, learner = self.learner._state, self.learner
        assert learner.arms == self.active
        assert list(state.retired) == self.retired
        assert learner.decisions == sum(self.chosen.values())
        assert {d.id: d.arm for d in learner.open_decisions()} == self.open
        for arm in (*self.active, *self.retired):
            row, line = state.rows.get(arm), state.retired.get(arm)
            counts = state.counts[row].tolist() if line is None else line.counts
            sums = state.moments[row] if line is None else line.moments
            kept = state.policy_state[row] if line is None else line.state
            owed = sum(name == arm for name in self.open.values())
            told = self.rewards[arm]
            assert [counts[k] for k in (TOLD, OUTSTANDING, CHOSEN, OPEN)] == [
                len(told), self.asked[arm] + owed, self.chosen[arm], owed,
            ]  # fmt: skip
            np.testing.assert_allclose(sums, _sums(np.array(told)) if told else [0.0] * 10, rtol=1e-9, atol=1e-9)
            if self.keeps_history:
                past = history.entry_of(state.policy_state, row, state.run) if line is None else line.history
                assert dict(zip(past["values"], past["counts"], strict=True)) == Counter(told)
            elif told:
                weight, total, squares = self.known[arm]
                expected = [weight, total / weight, squares - total**2 / weight]
                np.testing.assert_allclose(kept[:3], expected, rtol=1e-9, atol=1e-9)
            else:
                assert list(kept[:3]) == [0.0, 0.0, 0.0]


# How often each is called: rarely what takes long.
WEIGHTS = {
    "ask": 20, "tell": 20, "decide": 30, "answer": 45, "answer_many": 10, "answer_again": 20, "forget": 2,
    "forget_by_arm": 2, "retire": 0.5, "add": 1, "fade": 0.5, "reload": 0.02, "save": 0.2, "crash": 0.02,
}  # fmt: skip
CALLS = [getattr(ReferenceLearner, name) for name in WEIGHTS]


def live(reference, calls, seed, checks):
    """So many random calls, and so many checks."""
    rng = random.Random(seed)
    for turn in range(calls):
        call = (
            ReferenceLearner.answer
            if len(reference.open) > MOST_OPEN
            else rng.choices(CALLS, list(WEIGHTS.values()))[0]
        )
        call(reference, rng.randrange(1000), rng.choice([0.0, 0.5, rng.random()]))
        if turn % (calls // checks) == 0:
            reference.check()
    reference.check()


def _sums(told):
    """A row of `reward_sums`."""
    paid, away = told[told != 0.0], told - told.mean()
    amounts = [len(paid), paid.mean(), len(paid) * paid.var()] if len(paid) else [0.0] * 3
    return [len(told), told.mean(), *((away**power).sum() for power in range(2, 7)), *amounts]
