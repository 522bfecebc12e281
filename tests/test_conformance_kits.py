"""The kits accept what is right and say in a sentence what is wrong."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

import pytest

import riskbandits as rb
from riskbandits.errors import ContractError
from riskbandits.testing import check_arms, check_policy, check_risk


def test_everything_public_conforms():
    check_risk(rb.MeanVariance(2.0))
    check_risk(rb.CVaR(0.2))  # the others: tests/risk
    check_arms(rb.GaussianArms([0.0, -3.0, 1e6], [1.0, 0.0, 4.0]))
    check_arms(rb.BernoulliArms([0.0, 0.3, 1.0]))
    # Other families: tests/arms. Policies: tests/test_one_definition.py.


class NoLearn(NamedTuple):
    """It cannot learn."""

    def score(self, state, k, run, risk, rng):
        return 0.0


class NoDocstring(NamedTuple):
    def score(self, state, k, run, risk, rng):
        return 0.0

    def learn(self, state, k, run, reward):
        pass


class Misspelt(NamedTuple):
    """A name that does not exist."""

    def score(self, state, k, run, risk, rng):
        return maths.sqrt(2.0)  # noqa: F821

    def learn(self, state, k, run, reward):
        pass


class TooWide(NamedTuple):
    """A column that the state does not have."""

    def score(self, state, k, run, risk, rng):
        return state[k, 7]

    def learn(self, state, k, run, reward):
        pass


class NoNumber(NamedTuple):
    """A score that is no number."""

    def score(self, state, k, run, risk, rng):
        return "high"

    def learn(self, state, k, run, reward):
        pass


class Meddling(NamedTuple):
    """Scoring changes the state."""

    def score(self, state, k, run, risk, rng):
        state[k, 0] += 1.0
        return 0.0

    def learn(self, state, k, run, reward):
        pass


class Spilling(NamedTuple):
    """Learning touches other arms."""

    def score(self, state, k, run, risk, rng):
        return rng.random()

    def learn(self, state, k, run, reward):
        state[0, 0] += 1.0


class OtherRandomness(NamedTuple):
    """Random numbers from elsewhere."""

    def score(self, state, k, run, risk, rng):
        return random.random()

    def learn(self, state, k, run, reward):
        pass


class NotCompiled(NamedTuple):
    """Python that numba does not know."""

    def score(self, state, k, run, risk, rng):
        return float(sorted({str(k): 1.0}.items(), key=repr)[0][1])

    def learn(self, state, k, run, reward):
        pass


class Allocating(NamedTuple):
    """A list at every step."""

    def score(self, state, k, run, risk, rng):
        return [0.0, 1.0][k % 2]

    def learn(self, state, k, run, reward):
        pass


class CountField(NamedTuple):
    """A field that hides a method of tuples."""

    count: float = 1.0

    def score(self, state, k, run, risk, rng):
        return 0.0

    def learn(self, state, k, run, reward):
        pass


class NarrowHistory(NamedTuple):
    """A history without columns for it."""

    def score(self, state, k, run, risk, rng):
        return 0.0

    def learn(self, state, k, run, reward):
        pass

    def history(self):
        return 1


class BadFirstPulls(NamedTuple):
    """A negative number of first pulls."""

    def score(self, state, k, run, risk, rng):
        return 0.0

    def learn(self, state, k, run, reward):
        pass

    def first_pulls(self):
        return -1


WRONG = [
    (NoLearn(), "NoLearn is no policy: it has no method 'learn'"),
    (NoDocstring(), "NoDocstring has no docstring"),
    (Misspelt(), "Misspelt.score failed: NameError: name 'maths' is not defined .*line"),
    (TooWide(), "TooWide.score failed: IndexError"),
    (NoNumber(), "NoNumber.score must give a number. Got 'high'"),
    (Meddling(), "Meddling.score changes the state"),
    (Spilling(), "Spilling.learn changes the rows of other arms"),
    (OtherRandomness(), "draw from `rng` only"),
    (NotCompiled(), "NotCompiled with MeanVariance and GaussianArms could not be compiled"),
    (Allocating(), "could not be compiled: it makes an array, a list or the like.*line"),
    (CountField(), "CountField has a field 'count'"),
    (NarrowHistory(), r"NarrowHistory keeps a history: its width\(\) must be at least 7.*Got 3"),
    (BadFirstPulls(), r"BadFirstPulls.first_pulls\(\) must give a whole number >= 0. Got -1"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG, ids=lambda x: type(x).__name__)
def test_policies(wrong, words):
    with pytest.raises(ContractError, match=words) as caught:
        check_policy(wrong)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong", [Misspelt(), TooWide(), NoNumber(), NotCompiled(), NoLearn()], ids=lambda x: type(x).__name__
)
def test_the_doors_say_it_too(wrong):
    problem = rb.problems.zhu_tan_gaussian(1)
    for door in (
        lambda: rb.simulate(problem, [wrong], horizon=20, runs=1, progress=False),
        lambda: rb.Learner(wrong, ["a", "b"], problem.risk),
    ):
        with pytest.raises(ContractError, match=type(wrong).__name__) as caught:
            door()
        assert "\n" not in str(caught.value)


class NanRisk(NamedTuple):
    """No value at variance 0."""

    def value(self, mean, variance):
        return mean / variance if variance > 0 else math.nan


class TextRisk(NamedTuple):
    """A value that is no number."""

    def value(self, mean, variance):
        return "much"


class NotDivided(NamedTuple):
    """A sum where a mean is meant."""

    def value(self, mean, variance):
        return mean

    def sample_value(self, values, weights):
        total = 0.0
        for i in range(values.shape[0]):
            total += weights[i] * values[i]
        return total


class TwoMinds(NamedTuple):
    """Another value for samples than for Gaussians."""

    def value(self, mean, variance):
        return mean - variance

    def sample_value(self, values, weights):
        return values[0]


def test_risk_measures():
    check_risk(rb.MeanVariance(0.0))
    with pytest.raises(ContractError, match="NotDivided.sample_value changes when all weights are tripled"):
        check_risk(NotDivided())
    with pytest.raises(ContractError, match="TwoMinds: a sample of .* is worth .* but value"):
        check_risk(TwoMinds())
    with pytest.raises(ContractError, match=r"NanRisk.value\(-1.0, 0.0\) is NaN"):
        check_risk(NanRisk())
    with pytest.raises(ContractError, match="TextRisk.value must give a number. Got 'much'"):
        check_risk(TextRisk())


class WrongVariance(NamedTuple):
    """Says 1, draws 2."""

    def draw(self, k, rng):
        return math.sqrt(2.0) * rng.standard_normal()

    def mean(self, k):
        return 0.0

    def variance(self, k):
        return 1.0

    def size(self):
        return 2


class WrongMean(NamedTuple):
    """Says 0, draws 0.1."""

    def draw(self, k, rng):
        return 0.1 + rng.standard_normal()

    def mean(self, k):
        return 0.0

    def variance(self, k):
        return 1.0

    def size(self):
        return 1


def test_arms():
    with pytest.raises(ContractError, match="rewards of arm 0 have variance 1.98"):
        check_arms(WrongVariance())
    with pytest.raises(ContractError, match="rewards of arm 0 average 0.10"):
        check_arms(WrongMean())
    with pytest.raises(ContractError, match="no method 'draw'"):
        check_arms(rb.MeanVariance())
