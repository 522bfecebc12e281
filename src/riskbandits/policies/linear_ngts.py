"""Thompson sampling from the normal-gamma posterior of a linear regression on features."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.core.records import Finite, NonNegative, Positive
from riskbandits.numerics import moments, regression
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
from riskbandits.numerics.regression import RESIDUAL
from riskbandits.numerics.variates import gamma
from riskbandits.policies.cells import REWARD_COUNT, SCRATCH

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run, State

LAST_REFRESH = SCRATCH  # a cell of the run: the number of rewards at the last refresh of the unit
UNIT = SCRATCH + 1  # a cell of the run: V
REFRESH_AFTER = 1.125  # times as many rewards
MOST_FEATURES = 500


class LinearNGTS(NamedTuple):
    """Thompson sampling with contexts: each arm's mean is linear in the features of the decision, its variance unknown.

    Use it when what is best differs from decision to decision and some numbers known beforehand tell: a basket's size,
    the hour, the kind of customer. In a learner features have names, `Learner(LinearNGTS(), arms, risk,
    features=["basket", ...])`; in a simulation they come with `LinearArms`. How many there are (`features`) is filled
    in by both.

    Arm k pays theta_0 + x'theta + noise of variance 1/tau. Each step, for each arm: tau ~ Gamma(shape + T/2, rate V +
    S/2), then mu ~ N(m, s/tau), with m the arm's mean at the features x of this decision, s tau its precision there and
    S the residual sum of squares; play the largest value of (mu, 1/tau): rho mu - 1/tau, or in any other measure the
    value of N(mu, 1/tau). Where the features are none, this is `NGTS(optimism=0)`.

    The prior is free of the rewards' scale and offset. The intercept theta_0 has none: the first reward of an arm sets
    it. The other coefficients have a `ridge`: their prior deviation is 1/sqrt(ridge), ten times that of the noise. It
    takes features to be of a size near 1, which learners see to by their scale. V is the unit of the rate: 1, or if
    `pooled` the geometric mean of the arms' residual variances; until an arm has more than d + 1 rewards, the variance
    of all rewards. (To wait for a second arm can take for ever: next to features that move the means far, all arms but
    one then look too risky to be played.) It is estimated anew whenever the number of rewards has grown by an eighth,
    and with every reward while none differs from another.

    An arm whose rewards were all equal (a price that nobody has paid yet) must not become certain by that, and be shut
    out: as in `NGTS` its draws have the shape of one reward, and its score is at least the value of its estimates; not
    without `pooled`, where the prior alone counts.

    One draw per arm: several, as `NGTS` has, gain where features move the means and lose where they hardly do
    (`docs/studies/contexts.md`). Nothing is claimed about its regret in the worst case: linear Thompson sampling
    without inflated variances can fail there (Hamidi & Bayati, 2020).

    The regret per decision has no term for switching, so `SwitchingAware` does not take it; nor does `Restarting`,
    which would take other features for a change of the arms; `Discounted` does.
    References: Lindenberg & Lindahl, 2023, and Lin, Wang & Zhou, 2022, for the posterior; the prior is our own.

    >>> import riskbandits as rb
    >>> arms = rb.LinearArms(coefficients=[[1.0, 0.0], [-1.0, 0.5]], variances=[0.1, 1.0])
    >>> problem = rb.Problem(arms, rb.MeanVariance(rho=1.0))
    >>> rb.simulate(problem, [LinearNGTS()], horizon=90, runs=2, seed=1, progress=False).labels
    ['LinearNGTS']
    """

    features: int = 0
    shape: Finite = 0.0
    rate: NonNegative = 0.5
    ridge: Positive = 0.01
    pooled: bool = True

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The value of a drawn variance, and of a mean drawn given that variance."""
        if state[k, COUNT] == 0.0:
            return math.inf
        alpha, beta = self.posterior(state, k, run)
        mean, spread = regression.predict(state, k, self.features, run)
        least = -math.inf
        if self.all_equal(state, k):
            least = risk.value(mean, beta / alpha)
            alpha = self.shape + 0.5
        variance = beta / gamma(rng, alpha)
        drawn = risk.value(mean + rng.standard_normal() * math.sqrt(variance * spread), variance)
        return least if drawn < least else drawn

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Book the reward with the features of its decision; and now and then estimate the unit anew."""
        if state[k, COUNT] == 0.0:
            regression.clear(state, k, self.features, self.ridge)
        moments.add(state, k, reward)
        regression.add(state, k, self.features, run, reward)
        if self.pooled and (run[UNIT] == 0.0 or run[REWARD_COUNT] >= REFRESH_AFTER * run[LAST_REFRESH]):
            run[UNIT] = pooled_variance(state, self.features)
            run[LAST_REFRESH] = run[REWARD_COUNT]

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        """The sums fade; the next reward refreshes the unit."""
        moments.discount(state, k, factor)
        regression.discount(state, k, self.features, run, self.ridge, factor)
        run[LAST_REFRESH] = 0.0

    @always_inline
    def posterior(self, state: State, k: int, run: Run) -> tuple[float, float]:
        """Shape and rate of the Gamma posterior of the precision."""
        unit = run[UNIT] if self.pooled else 1.0
        return self.shape + 0.5 * state[k, COUNT], self.rate * unit + 0.5 * state[k, RESIDUAL]

    @always_inline
    def all_equal(self, state: State, k: int) -> bool:
        """Whether all rewards of the arm were equal, so that they say nothing about its variance."""
        return self.pooled and state[k, COUNT] >= 2.0 and state[k, RESIDUAL] == 0.0

    def feature_count(self) -> int:
        """Those besides the constant."""
        return self.features

    def first_pulls(self) -> int:
        """One, which sets the intercept."""
        return 1

    def width(self) -> int:
        """The moments of the rewards, and the regression."""
        return moments.WIDTH + regression.columns(self.features)

    def invalid(self) -> tuple[str, str, object] | None:
        """The posterior must exist after the first pull, and its factors have room."""
        if not 0 <= self.features <= MOST_FEATURES:
            return ("The 'features' parameter of LinearNGTS", f"from 0 to {MOST_FEATURES}", self.features)
        if self.shape <= -0.5:
            return ("The 'shape' parameter of LinearNGTS", "greater than -1/2", self.shape)
        return None


@jitable
def pooled_variance(state: State, features: int) -> float:
    """The geometric mean over arms of the residual variance, where any has one; else the variance of all rewards.

    An arm has one if it has more than d + 1 rewards, and not all of them lie on the plane.
    """
    largest = 0.0
    for k in range(state.shape[0]):
        largest = max(largest, residual_variance(state, k, features))
    # Logarithms of ratios rather than of variances: they do not change with the unit of the rewards.
    total = 0.0
    arms = 0
    for k in range(state.shape[0]):
        ratio = residual_variance(state, k, features) / largest if largest > 0.0 else 0.0
        if ratio > 0.0:
            total += math.log(ratio)
            arms += 1
    return largest * math.exp(total / arms) if arms > 0 else total_variance(state)


@jitable
def residual_variance(state: State, k: int, features: int) -> float:
    """S/(T - d - 1), or 0 for an arm with too few rewards."""
    freedom = state[k, COUNT] - features - 1.0
    return state[k, RESIDUAL] / freedom if freedom >= 1.0 else 0.0


@jitable
def total_variance(state: State) -> float:
    """The sample variance of the rewards of all arms together."""
    count = 0.0
    mean = 0.0
    squares = 0.0
    for k in range(state.shape[0]):
        if state[k, COUNT] > 0.0:
            away = state[k, MEAN] - mean
            both = count + state[k, COUNT]
            squares += state[k, SQUARES] + count * (state[k, COUNT] / both) * away * away
            mean += state[k, COUNT] / both * away
            count = both
    return squares / (count - 1.0) if count > 1.0 else squares
