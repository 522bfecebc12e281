"""Lazy policies with wrong clocks, which the exactness tests must catch."""

from typing import Any, NamedTuple

from riskbandits.policies.contract import first_pulls, width


class WrongClocks(NamedTuple):
    """A policy whose clocks ring `factor` times as often as they should; with 1.0 it is the policy itself.

    One compiled kernel serves both, and compiling one takes longer than thousands of runs.
    """

    inner: Any
    factor: float

    def score(self, state, k, run, risk, rng):
        return self.inner.score(state, k, run, risk, rng)

    def learn(self, state, k, run, reward):
        self.inner.learn(state, k, run, reward)

    def watch(self, state, k, risk, deviations, envelope):
        floor, mass = self.inner.watch(state, k, risk, deviations, envelope)
        return floor, mass * self.factor

    def steady(self, state, k, risk, envelope):
        return self.inner.steady(state, k, risk, envelope)

    def draw_dip(self, state, k, risk, envelope, rng):
        return self.inner.draw_dip(state, k, risk, envelope, rng)

    def tail(self, state, k, threshold, risk, envelope):
        return self.inner.tail(state, k, threshold, risk, envelope) * self.factor

    def draw_above(self, state, k, threshold, risk, envelope, rng):
        return self.inner.draw_above(state, k, threshold, risk, envelope, rng)

    def first_pulls(self):
        return first_pulls(self.inner)

    def width(self):
        return width(self.inner)
