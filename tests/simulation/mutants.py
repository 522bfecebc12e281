"""Lazy policies with wrong clocks or regions, and arms with wrong sums: what the exactness tests must catch."""

import math
from typing import Any, NamedTuple

import riskbandits as rb
from riskbandits.bounds.contract import draw_dip, lasting, region, sleep_mass, stays, steady, sure_level
from riskbandits.core.records import Numbers
from riskbandits.numerics.batch_sums import chi_square
from riskbandits.policies.cells import SCRATCH, SCRATCH_CELLS
from riskbandits.policies.support.contract import bounds_of, learn_many, unchanged_for
from riskbandits.policies.support.wrapper import wrapper

LEAPT = SCRATCH + SCRATCH_CELLS - 1  # a cell of the run that no policy uses: the steps leapt so far


@wrapper
class Altered(NamedTuple):
    """A policy whose clocks ring `factor` times as often as they should; with 1.0 it is the policy itself.

    If `narrow`, its leader leaps within the margins of a walk, at the ends of which alone steadiness is looked at.

    Leaders are `surer` by so much of scores that they may not reach.

    If `frozen`, an arm's row of the state is `best` (arm 0) or `other` from its first pull on, and nothing more is
    learnt: visits then come at a fixed rate, and clocks a little off show at once. Where policies learn, a late visit
    makes the next one likelier. If `begun`, rows are so after the first pull, and learn from there.
    One compiled kernel serves all: compiling takes longer than thousands of runs.
    """

    policy: Any
    factor: float = 1.0
    frozen: bool = False
    best: Numbers = (0.0,)
    other: Numbers = (0.0,)
    narrow: bool = False
    begun: bool = False
    surer: float = 0.0

    def learn(self, state, k, run, reward):
        if not self.frozen and not (self.begun and state[k, 0] == 0.0):
            self.policy.learn(state, k, run, reward)
            return
        for column in range(state.shape[1]):
            state[k, column] = self.best[column] if k == 0 else self.other[column]

    def learn_many(self, state, k, run, count, mean, squares):
        run[LEAPT] += count
        if self.frozen:
            self.learn(state, k, run, mean)
        else:
            learn_many(self.policy, state, k, run, count, mean, squares)

    def unchanged_for(self, run):
        return math.inf if self.frozen else unchanged_for(self.policy, run)

    def bounds(self, risk):
        inner = bounds_of(self.policy, risk)
        return None if inner is None else AlteredBounds(inner, self.factor, self.narrow, self.surer)


class AlteredBounds(NamedTuple):
    inner: Any
    factor: float
    narrow: bool
    surer: float

    def watch(self, state, k, risk, deviations, cells):
        floor, mass = self.inner.watch(state, k, risk, deviations, cells)
        return floor, mass * self.factor if mass < 1.0 else mass

    def region(self, state, k, risk, deviations, cells, arms, run, until):
        if self.narrow:
            return self.watch(state, k, risk, deviations, cells)
        floor, mass = region(self.inner, state, k, risk, deviations, cells, arms, run, until)
        return floor, mass * self.factor if mass < 1.0 else mass

    def stays(self, state, k, run, cells):
        return stays(self.inner, state, k, run, cells)

    def lasting(self):
        return lasting(self.inner)

    def steady(self, state, k, risk, cells):
        return steady(self.inner, state, k, risk, cells)

    def draw_dip(self, state, k, risk, cells, rng):
        return draw_dip(self.inner, state, k, risk, cells, rng)

    def sure_level(self, state, k, risk):
        return sure_level(self.inner, state, k, risk) + self.surer

    def sleep_mass(self, state):
        return sleep_mass(self.inner, state)

    def tail(self, state, k, threshold, risk, cells):
        return self.inner.tail(state, k, threshold, risk, cells) * self.factor

    def draw_above(self, state, k, threshold, risk, cells, rng):
        return self.inner.draw_above(state, k, threshold, risk, cells, rng)


class WrongSums(NamedTuple):
    """Gaussian arms whose leaps pay `rewards` too many, or squared deviations of `degrees` too many."""

    inner: rb.GaussianArms
    rewards: float = 0.0
    degrees: float = 0.0

    def draw(self, k, rng):
        return self.inner.draw(k, rng)

    def draw_many(self, k, count, rng):
        mean, squares = self.inner.draw_many(k, count + self.rewards, rng)
        return mean * (1.0 + self.rewards / count), squares + self.inner.variances[k] * chi_square(rng, self.degrees)

    def mean_exponent(self, k, slack, side):
        return self.inner.mean_exponent(k, slack, side)

    def square_exponent(self, k, level):
        return self.inner.square_exponent(k, level)

    def mean(self, k):
        return self.inner.mean(k)

    def variance(self, k):
        return self.inner.variance(k)

    def size(self):
        return self.inner.size()
