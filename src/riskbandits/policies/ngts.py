"""Thompson sampling from the Normal-Gamma posterior."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, NamedTuple

from riskbandits.bounds.ngts_bounds import NGTSBounds
from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.core.records import Finite, Limits, NonNegative
from riskbandits.numerics import moments, pooled
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
from riskbandits.numerics.variates import gamma
from riskbandits.policies.cells import HORIZON, REWARD_COUNT, SCRATCH, STEP
from riskbandits.risk import MeanVariance
from riskbandits.risk.charged import ChargedMeanVariance

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run, State

# Columns of the state that are refreshed now and then.
SCALE = moments.WIDTH  # the arm's unit
USED_SHARE = moments.WIDTH + 1  # the share of its draws that it no longer has; the same for all arms
LAST_REFRESH = SCRATCH  # a cell of the run: the number of rewards at the last refresh
REFRESH_AFTER = 1.125  # times as many rewards
MOST_DRAWS = 1000.0  # per arm and step
FASTER = 3.0  # the power with which draws become fewer than the steps to come
NOT_KNOWN = -1.0  # in that cell: too few variances were known, refresh at the next reward


class NGTS(NamedTuple):
    """Thompson sampling from the true posterior of a Gaussian arm: the variance just drawn sets the spread of the mean.

    Use it for Gaussian-like rewards in place of `MVTS`: the mean of an arm of small variance is drawn from a narrow
    distribution instead of one with variance 1/T, so less is spent on exploring what is already known. Its draws
    concentrate at the rate of the lower bound (`riskbandits.theory.lower_bound`).

    Each step, for each arm: tau ~ Gamma(shape + T/2, rate V + S/2), then theta ~ N(m, 1/(T tau)); play the largest
    value of (theta, 1/tau), that is rho theta - 1/tau, or in any other measure the value of N(theta, 1/tau). An arm's
    score is the best of several such draws, and at least the value of the estimates themselves (see `optimism`).
    `plays_first` pulls of every arm come first. V is the unit of the rate: 1, or if `pooled` an estimate of the scale
    from all arms. It is updated, as is the number of draws, whenever the number of rewards has grown by an eighth. In
    between, the scores of arms that are not played keep their distribution, as lazy simulation requires.

    | preset | shape | rate | plays_first | pooled | optimism | source |
    |---|---|---|---|---|---|---|
    | `scale_free()` (default) | 0 | 1/2 | 1 | yes | 80 | reference posterior Gamma((T-1)/2, S/2) and one reward more |
    | `paper()` | 1/2 | 1/2 | 1 | no | 0 | the prior of Zhu & Tan (2020), for rewards of a scale near 1 |
    | `honda_takemura()` | -1 | 0 | 4 | no | 0 | Honda & Takemura (2014), a = -1/2; free of the rewards' scale |

    The default prior counts as one reward whose squared deviation is V: (T - 1)/2 + 1/2 and S/2 + V/2. It treats
    rewards in cents as it treats rewards in euros. *Choosing V so that no arm is abandoned for good.* An arm that
    started badly comes back with a probability per step that must not be summable over the steps. This probability
    falls like exp(-V/2c) if V exceeds c, the variance that the arm must draw to look best; and like (S + V)^(T/2) if
    its first rewards happen to lie close together in a wrong place, which has a probability of order S^((T-1)/2). So a
    V that is too large is penalised exponentially, and one that is too small (or proportional to S alone) like a square
    root. V is the geometric mean G of the arms' sample variances, at most twice the arm's own, and at least G
    sqrt(2K/t) after t rewards of K arms. G needs the sample variances of two arms: until two are known, arms are pulled
    a second time.

    *Rewards that were all equal* (a price that nobody has paid yet) say nothing about the variance, however many they
    are: with T/2 in the shape such an arm would soon look certain and be shut out for good. While S = 0 its draws
    therefore have the shape of the first pulls alone, shape + plays_first/2, and its estimate, below which no score
    falls, stays what it is: so a constant arm that is best is played as before. With `optimism` 0 there is no estimate,
    and such draws would keep the policy from a constant arm that is best; then, and without `pooled`, the prior alone
    counts. While all rewards of all arms are equal V is next to nothing, and chance decides.

    *How optimistic.* With one draw per arm the best arm waits for about exp(T D) steps after a bad start of T rewards,
    where D is their divergence from looking best: too long with few arms. m draws divide the wait by m; the price is
    that each of the K - 1 others is explored as if the run were m times as long, ln m/D pulls more. So the more arms,
    the fewer draws. Late exploration has little time to pay off, so the number of draws falls towards the end: each
    arm gets

        m = optimism/(K - 1)^(3/2) (1 - t/n)^3

    draws, one more with the probability by which m exceeds a whole number. At the start that is 80 with two arms, 3
    with ten, and with fifty about one in four steps. Without a horizon (in a `Learner` without one) and with `anytime`
    the second factor is 1; where evidence was forgotten, 1 - t/n is (n - t)/(n - t + the rewards that still count);
    beyond a horizon that was too short it is 1 - n/t. The two powers and the 80 were chosen on random problems
    (`docs/studies/better-than-mvts.md`).

    Scores never fall below the value of the estimates (the sample mean and the variance (rate V + S/2)/(shape + T/2)):
    exploring is for arms that may be better, not for a leader that may be worse. With `optimism` 0 a score is one draw;
    the most is 1000, because a score takes as long as its draws.

    References: Honda & Takemura, *Optimality of Thompson Sampling for Gaussian Bandits Depends on Priors*, 2014;
    Agrawal & Jia, 2017, for several draws; May, Korda, Lee & Leslie, 2012, for scores not below the estimates.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> rb.simulate(problem, [NGTS.honda_takemura()], horizon=90, runs=2, seed=1, progress=False).labels
    ['NGTS:honda_takemura']
    """

    shape: Finite = 0.0
    rate: NonNegative = 0.5
    plays_first: int = 1
    pooled: bool = True
    optimism: Annotated[float, Limits(low=0.0, high=MOST_DRAWS)] = 80.0
    anytime: bool = False

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The best of several draws and of the estimates."""
        if self.pooled and state[k, SCALE] == math.inf:  # a second reward is needed before anything can be said
            return math.inf
        if self.optimism == 0.0:
            return self.draw(state, k, risk, rng)
        best = self.estimate(state, k, risk)
        draws = self.expected_draws(state, k)
        whole = int(draws)
        if draws > whole and rng.random() < draws - whole:
            whole += 1
        for _ in range(whole):
            drawn = self.draw(state, k, risk, rng)
            best = drawn if drawn > best else best  # NaN compares as false
        return best

    @always_inline
    def expected_draws(self, state: State, k: int) -> float:
        """How many draws the arm has at a step, on average over steps."""
        rivals = state.shape[0] - 1.0
        if self.optimism == 0.0 or rivals == 0.0:
            return 1.0
        left = 1.0 - state[k, USED_SHARE]
        if not 0.0 <= left <= 1.0:  # in a file that was tampered with: no number of draws may be endless
            left = 0.0
        return self.optimism * left / (rivals * math.sqrt(rivals))

    @always_inline
    def draw(self, state: State, k: int, risk: RiskMeasure, rng: Rng) -> float:
        """The value of a drawn variance and of a mean drawn given that variance."""
        alpha, beta = self.posterior(state, k)
        if self.all_equal(state, k):
            alpha = self.shape + 0.5 * self.plays_first
        variance = beta / gamma(rng, alpha)
        mean = state[k, MEAN] + rng.standard_normal() * math.sqrt(variance / state[k, COUNT])
        return risk.value(mean, variance)

    @always_inline
    def estimate(self, state: State, k: int, risk: RiskMeasure) -> float:
        """The value of the sample mean and of the variance that belongs to the mean precision."""
        alpha, beta = self.posterior(state, k)
        return risk.value(state[k, MEAN], beta / alpha)

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Update the moments; and now and then the units that they give to all arms, and the number of draws."""
        moments.add(state, k, reward)
        if self.has_pooled_state() and run[REWARD_COUNT] >= REFRESH_AFTER * run[LAST_REFRESH]:
            self.refresh_pooled(state, run)

    @always_inline
    def has_pooled_state(self) -> bool:
        """Whether some columns are the same estimate for all arms, refreshed now and then."""
        return self.pooled or self.optimism > 0.0

    def refresh_pooled(self, state: State, run: Run) -> None:
        """Estimate anew what all arms share: the unit of the prior, and the share of draws that is used up."""
        known = not self.pooled or pooled.share(state, SCALE, run[REWARD_COUNT])
        run[LAST_REFRESH] = run[REWARD_COUNT] if known else NOT_KNOWN
        if self.optimism > 0.0 and not self.anytime:
            used = 1.0 - remaining_share(state, run) ** FASTER
            for j in range(state.shape[0]):
                state[j, USED_SHARE] = used

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        """The moments fade; the next reward refreshes what arms share."""
        if factor == 0.0 and state[k, SQUARES] == 0.0:
            state[k, MEAN] = 0.0  # or rounding would make equal rewards look different after it
        moments.discount(state, k, factor)
        run[LAST_REFRESH] = 0.0

    @always_inline
    def posterior(self, state: State, k: int) -> tuple[float, float]:
        """Shape and rate of the Gamma posterior of the precision."""
        unit = state[k, SCALE] if self.pooled else 1.0
        return self.shape + 0.5 * state[k, COUNT], self.rate * unit + 0.5 * state[k, SQUARES]

    @always_inline
    def all_equal(self, state: State, k: int) -> bool:
        """Whether all rewards of the arm were equal, so that only the first ones count in draws of its variance."""
        same = state[k, SQUARES] == 0.0 and state[k, COUNT] > self.plays_first
        return same and self.pooled and self.optimism > 0.0

    def first_pulls(self) -> int:
        """As many as the prior needs for the posterior to exist."""
        return self.plays_first

    def needed(self) -> int:
        """As many as the arm's own variance needs, where evidence fades."""
        return max(self.plays_first, 2) if self.pooled else self.plays_first

    def width(self) -> int:
        """The moments, the unit and the draws."""
        return USED_SHARE + 1

    def invalid(self) -> tuple[str, str, object] | None:
        """The posterior must exist after the first pulls."""
        if self.plays_first >= 1 and self.shape + 0.5 * self.plays_first > 0.0:
            return None
        wanted = "given plays_first >= 1 and shape + plays_first/2 > 0"
        return ("NGTS", wanted, f"plays_first={self.plays_first}, shape={self.shape}")

    # Acceleration. When the formula of a score or of learning changes, bounds/ngts_bounds.py, ngts_upper.py,
    # ngts_lower.py and regions.py must be derived again as well; until then let `bounds` return None, which is always
    # right.

    def bounds(self, risk: RiskMeasure) -> NGTSBounds | None:
        """For rho theta - 1/tau, which a charge can only lower."""
        return NGTSBounds(self) if isinstance(risk, (MeanVariance, ChargedMeanVariance)) else None

    def learn_many(self, state: State, k: int, run: Run, count: float, mean: float, squares: float) -> None:
        """Update the moments by many rewards, up to the next refresh."""
        moments.add_many(state, k, count, mean, squares)

    def all_changed(self, run: Run) -> bool:
        """Whether the last reward refreshed what arms share."""
        return self.has_pooled_state() and (run[LAST_REFRESH] == run[REWARD_COUNT] or run[LAST_REFRESH] == NOT_KNOWN)

    def unchanged_for(self, run: Run) -> float:
        """Up to the last reward before the next refresh."""
        return (
            math.ceil(REFRESH_AFTER * run[LAST_REFRESH]) - 1.0 - run[REWARD_COUNT]
            if self.has_pooled_state()
            else math.inf
        )

    @classmethod
    def scale_free(cls) -> NGTS:
        """With a prior in the unit of the arms' own variances."""
        return cls()

    @classmethod
    def paper(cls) -> NGTS:
        """With the prior of Zhu & Tan (2020)."""
        return cls(shape=0.5, rate=0.5, plays_first=1, pooled=False, optimism=0.0)

    @classmethod
    def honda_takemura(cls) -> NGTS:
        """With the prior that Honda & Takemura (2014) show to be optimal when the variance is unknown."""
        return cls(shape=-1.0, rate=0.0, plays_first=4, pooled=False, optimism=0.0)


@jitable
def remaining_share(state: State, run: Run) -> float:
    """The share (n - t)/(n - t + E) of steps to come, E the rewards that the moments of all arms are made of.

    It is 1 - t/n where nothing was forgotten, and 1 if n is unknown. Beyond a horizon that was too short, it rises
    again from 0, as 1 - n/t.
    """
    horizon = run[HORIZON]
    if horizon == math.inf:
        return 1.0
    evidence = 0.0
    for k in range(state.shape[0]):
        evidence += state[k, COUNT]
    away = abs(horizon - run[STEP])
    return away / (away + min(evidence, horizon)) if away > 0.0 else 0.0
