"""Elimination with truncated means: the best mean under heavy tails (after Yu, Shao, Lyu & King 2018)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from riskbandits.core.errors import must_be
from riskbandits.core.records import Limits, Positive
from riskbandits.identification.contract import Decision
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Mean

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure

FIRST_ROUNDS = 256  # rewards of each arm that are looked at together; then twice as many, and so on

Order = Annotated[float, Limits(low=1.0, high=2.0, open_low=True)]


class TruncatedElimination(NamedTuple):
    """Sample until the best mean is clear, for rewards with heavy tails of which one moment is bounded.

    Use it to identify the best mean with a given probability of being right, when rewards such as daily returns have
    tails that no bound and no Gaussian fits. All it needs is that E|X|^p <= B for every arm: `moment_order` is p in
    (1, 2], `moment_bound` is B > 0, a number that should hold for certain, as the promise hangs on it. For daily
    returns in percent with standard deviations of at most 1.5 and means within 0.1 of 0, E X^2 = variance + mean^2 is
    at most 1.5^2 + 0.1^2 = 2.26: `TruncatedElimination(moment_bound=2.26)`. If the variance may be infinite, choose a p
    below 2 for which the moment is finite: the number of rewards then grows like gap^(-p/(p-1)) instead of gap^(-2).

    Round T gives every arm that is left its T-th reward. In the mean of an arm the i-th reward counts as 0 if |x| >
    (B i/ln(1/d))^(1/p), where d = 3 delta/(pi^2 K T^2) and delta = 1 - confidence; the mean is then off by more than
    4 B^(1/p) (ln(1/d)/T)^((p-1)/p) with probability at most 2 d, and over all rounds and arms these add up to delta.
    An arm whose upper end lies below the best lower end is dropped; the last one is named. Arms with equal means are
    never told apart: the rule then ends with its budget.

    Reference: after Yu, Shao, Lyu & King, Pure Exploration of Multi-Armed Bandits with Heavy-Tailed Payoffs, UAI 2018,
    of which only the abstract could be read: thresholds and width are those of Bubeck, Cesa-Bianchi & Lugosi, Bandits
    with Heavy Tail, 2013 (Lemma 1), the rounds are ours.

    >>> import riskbandits as rb
    >>> arms = rb.StudentTArms(locations=[0, 1.5], scales=[1, 1], freedoms=[2.5, 2.5])  # E X^2 is 5 and 7.25
    >>> rule = TruncatedElimination(moment_bound=7.25)
    >>> rb.identify(rb.Problem(arms, rb.Mean()), rule, confidence=0.9, runs=5, seed=1, progress=False).errors
    0
    """

    moment_order: Order = 2.0
    moment_bound: Positive = 1.0

    def choose(self, samples: Any, risk: RiskMeasure, budget: int, confidence: float | None) -> Decision:
        assert confidence is not None
        if budget < samples.size:
            raise must_be("The budget of an elimination", "at least one reward per arm", budget)
        log = math.log(math.pi**2 * samples.size / (3.0 * (1.0 - confidence)))
        alive, played, room = np.arange(samples.size), 0, FIRST_ROUNDS
        while len(alive) > 1:
            last = (budget - samples.total) // len(alive)  # the round that the budget ends with, as dropped arms cost
            rounds = min(room, last)
            means = np.array(
                [truncated_means(samples.ahead(k, rounds), self.moment_order, self.moment_bound, log) for k in alive]
            )
            width = radius(np.arange(1, rounds + 1), self.moment_order, self.moment_bound, log)
            behind = means.max(axis=0) - means > 2.0 * width
            drops = played + np.flatnonzero(behind[:, played:].any(axis=0))
            if len(drops) > 0:
                played = int(drops[0]) + 1
                out = behind[:, played - 1]
                for k in alive[out]:
                    samples.first(int(k), played)
                alive = alive[~out]
            elif rounds == last:
                for k in alive:
                    samples.first(int(k), last)
                return Decision(int(alive[np.argmax(means[:, -1])]), finished=False)
            else:
                played, room = rounds, 2 * room
        samples.first(int(alive[0]), played)
        return Decision(int(alive[0]))

    def fixed_confidence(self) -> bool:
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """Truncation is defined for the mean."""
        return refuse_unless(self, risk, Mean)


def radius(rounds: np.ndarray, order: float, bound: float, log: float) -> np.ndarray:
    """How far truncated means may be off: 4 B^(1/p) (ln(1/d)/T)^((p-1)/p), ln(1/d) = log + 2 ln T."""
    return 4.0 * bound ** (1.0 / order) * ((log + 2.0 * np.log(rounds)) / rounds) ** ((order - 1.0) / order)


def truncated_means(rewards: np.ndarray, order: float, bound: float, log: float) -> np.ndarray:
    """The truncated mean of the first T rewards for T = 1, 2, .., with ln(1/d) = log + 2 ln T.

    The i-th reward counts from T = i on while log + 2 ln T <= B i/|x|^p: it is added at the one place and taken away at
    the other.
    """
    rounds = np.arange(1, len(rewards) + 1)
    with np.errstate(divide="ignore", over="ignore"):
        half = 0.5 * (bound * rounds / np.abs(rewards) ** order - log)
    ends = np.floor(np.exp(np.minimum(half, math.log(len(rewards) + 1.0)))).astype(np.int64)  # the last T it counts for
    counts = ends >= rounds
    changes = np.where(counts, rewards, 0.0)
    leaves = counts & (ends < len(rewards))
    np.subtract.at(changes, ends[leaves], rewards[leaves])
    return np.cumsum(changes) / rounds


def truncated_mean(rewards: np.ndarray, order: float, bound: float, log: float) -> float:
    """The mean of rewards, the i-th as 0 if |x| > (B i/ln(1/d))^(1/p), with log = ln(1/d)."""
    borders = (bound * np.arange(1, len(rewards) + 1) / log) ** (1.0 / order)
    return float(np.where(np.abs(rewards) > borders, 0.0, rewards).mean())
