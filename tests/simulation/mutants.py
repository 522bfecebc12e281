"""A lazy policy with wrong clocks, which the exactness tests must catch, and with beliefs that may stand still."""

from typing import Any, NamedTuple

from riskbandits.policies.contract import all_changed, draw_dip, first_pulls, measure, steady, width
from riskbandits.records import Numbers


class Altered(NamedTuple):
    """A policy whose clocks ring `factor` times as often as they should; with 1.0 it is the policy itself.

    If `frozen`, an arm's row of the state is `best` (arm 0) or `other` from its first pull on, and nothing more is
    learnt: visits then come at a fixed rate, and clocks a little off show at once. Where policies learn, a late visit
    makes the next one likelier. One compiled kernel serves all: compiling takes longer than thousands of runs.
    """

    inner: Any
    factor: float = 1.0
    frozen: bool = False
    best: Numbers = (0.0,)
    other: Numbers = (0.0,)

    def measure(self, state, run, risk):
        return measure(self.inner, state, run, risk)

    def score(self, state, k, run, risk, rng):
        return self.inner.score(state, k, run, risk, rng)

    def learn(self, state, k, run, reward):
        if not self.frozen:
            self.inner.learn(state, k, run, reward)
            return
        for column in range(state.shape[1]):
            state[k, column] = self.best[column] if k == 0 else self.other[column]

    def watch(self, state, k, risk, deviations, envelope):
        floor, mass = self.inner.watch(state, k, risk, deviations, envelope)
        return floor, mass * self.factor if mass < 1.0 else mass

    def steady(self, state, k, risk, envelope):
        return steady(self.inner, state, k, risk, envelope)

    def all_changed(self, run):
        return all_changed(self.inner, run)

    def draw_dip(self, state, k, risk, envelope, rng):
        return draw_dip(self.inner, state, k, risk, envelope, rng)

    def tail(self, state, k, threshold, risk, envelope):
        return self.inner.tail(state, k, threshold, risk, envelope) * self.factor

    def draw_above(self, state, k, threshold, risk, envelope, rng):
        return self.inner.draw_above(state, k, threshold, risk, envelope, rng)

    def first_pulls(self):
        return first_pulls(self.inner)

    def width(self):
        return width(self.inner)
