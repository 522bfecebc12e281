"""A lazy policy with wrong clocks, which the exactness tests must catch, and with beliefs that may stand still."""

from typing import Any, NamedTuple

from riskbandits.core.records import Numbers
from riskbandits.envelopes.contract import draw_dip, steady
from riskbandits.policies.support.contract import bounds_of
from riskbandits.policies.support.wrapper import wrapper


@wrapper
class Altered(NamedTuple):
    """A policy whose clocks ring `factor` times as often as they should; with 1.0 it is the policy itself.

    If `frozen`, an arm's row of the state is `best` (arm 0) or `other` from its first pull on, and nothing more is
    learnt: visits then come at a fixed rate, and clocks a little off show at once. Where policies learn, a late visit
    makes the next one likelier. One compiled kernel serves all: compiling takes longer than thousands of runs.
    """

    policy: Any
    factor: float = 1.0
    frozen: bool = False
    best: Numbers = (0.0,)
    other: Numbers = (0.0,)

    def learn(self, state, k, run, reward):
        if not self.frozen:
            self.policy.learn(state, k, run, reward)
            return
        for column in range(state.shape[1]):
            state[k, column] = self.best[column] if k == 0 else self.other[column]

    def bounds(self, risk):
        inner = bounds_of(self.policy, risk)
        return None if inner is None else AlteredBounds(inner, self.factor)


class AlteredBounds(NamedTuple):
    inner: Any
    factor: float

    def watch(self, state, k, risk, deviations, cells):
        floor, mass = self.inner.watch(state, k, risk, deviations, cells)
        return floor, mass * self.factor if mass < 1.0 else mass

    def steady(self, state, k, risk, cells):
        return steady(self.inner, state, k, risk, cells)

    def draw_dip(self, state, k, risk, cells, rng):
        return draw_dip(self.inner, state, k, risk, cells, rng)

    def tail(self, state, k, threshold, risk, cells):
        return self.inner.tail(state, k, threshold, risk, cells) * self.factor

    def draw_above(self, state, k, threshold, risk, cells, rng):
        return self.inner.draw_above(state, k, threshold, risk, cells, rng)
