"""The posterior distribution of the arms' values, given the rewards told, as draws from it.

Which arm is chosen next depends on earlier rewards, so the samples are adaptive. That leaves a posterior unchanged:
given the rewards, it is the same whoever chose the arms. The model is hierarchical:

- Rewards 0 and 1: success probabilities have a Beta distribution, whose mean and weight are unknown too.
- A measure that needs the rewards themselves, which the policy keeps: Dirichlet weights over them (a Bayesian
  bootstrap).
- Rewards that are often 0 (at least half of an arm's, ten or more; or the policy is `HurdleTS`): the chance of a sale
  has a Beta(1, 1) prior; amounts are known, as long as sales pay them, or Gaussian, as in `HurdleTS`.
- All others: arms are Gaussian; their means come from one Gaussian, their precisions from one Gamma distribution, and
  the parameters of both are unknown and drawn too (a Gibbs sampler). So the estimate of the best of many arms with few
  rewards is shrunk towards the others, and an arm without rewards may be anything that the others are. Rewards of an
  arm that were all equal say where its mean is, and count once as evidence on its variance.

*Skewed rewards.* A Gaussian posterior takes the variance of a sample variance to be 2 s^4/T; with skewed rewards it is
more, and intervals of 95 % may hold half of the time. In the last two cases the distribution of a value is therefore
widened, from ten rewards or sales on, to the hull of three: the posterior, value -+ t se, and Hall's interval (1992),
at every level. With psi the influence function of the value, a d + b (d^2 - s^2) for a reward with deviation d (for
rho mean - variance a is rho and b is -1), se^2 = E psi^2/T and Hall's ends follow the skewness E psi^3/(E psi^2)^(3/2);
for both the moments of the rewards up to the sixth are kept (`reward_sums`). An interval is *assured* from 100 rewards
on, if psi is about as skewed as the posterior's own model has it. No check finds all others: extremes that are rarer
than the rewards are many have not been seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core import checks, seeds
from riskbandits.numerics import reward_sums
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
from riskbandits.numerics.reward_sums import AMOUNT, AMOUNT_SQUARES, PAID, SIXTH, THIRD
from riskbandits.policies.hurdle_ts import MOST_SPREAD, ROUNDING
from riskbandits.risk.contract import TWO_POINT_CELLS, binary_value, is_of_moments, sample_value

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure

CHAINS, BURN_IN, KEPT = 100, 30, 30  # of the Gibbs sampler: how many at once, steps that are thrown away, steps kept
LEAST_CHAINS = 4  # where there are very many arms
MOST_DRAWN_VALUES = 4_000_000  # draws times arms
BOOTSTRAP_DRAWS = 400  # draws of weights over rewards: each takes long
GAMMA_SHAPES = 2.0 ** np.arange(-1.0, 8.0)  # how alike the arms' variances are: shapes of the Gamma distribution
# How alike success probabilities are: pseudo-counts of the Beta distribution.
BETA_WEIGHTS = 2.0 ** np.arange(-1.0, 11.0)
BETA_MEANS = np.linspace(0.025, 0.975, 39)
MOST_POINTS = 128  # of a history: more of them are merged
ENOUGH = 10  # rewards of an arm (sales, where they are often 0) that show what they are like
ASSURED_FROM = 100  # rewards
ASSURED_SKEWNESS = 0.15  # of the estimate, beyond what the model of the posterior has
STEP = 1e-3  # of derivatives of a measure, in standard deviations


class ArmSample(NamedTuple):
    """The rewards told of an arm: their sums, and where they are kept themselves, ascending, with counts."""

    sums: Sequence[float]  # a row of `reward_sums`, or of `moments` where no more is known
    rewards: tuple[np.ndarray, np.ndarray] | None = None
    amount: float = 0.0  # what a sale pays, if that is known


class Beliefs(NamedTuple):
    """What is believed of the arms' values: draws, a row each, with a column per arm."""

    drawn: np.ndarray  # from the posterior
    widened: np.ndarray  # from the hull of it and of intervals that hold for skewed rewards
    is_assured: np.ndarray  # per arm, whether its distribution may be relied upon
    is_bounded: bool  # False while no two rewards differ: anything may come


def beliefs(risk: RiskMeasure, arms: Sequence[ArmSample], often_zero: bool = False) -> Beliefs:
    """Draws of the arms' values. The same evidence gives the same draws, in whatever order the arms are.

    `often_zero` says that rewards are taken to be often 0, whatever was seen.
    """
    sums = np.full((len(arms), reward_sums.WIDTH), math.nan)
    for row, one in zip(sums, arms, strict=True):
        row[: len(one.sums)] = one.sums
    order = np.lexsort(sums[:, : SQUARES + 1].T)
    found = _beliefs(risk, [arms[k] for k in order], sums[order], often_zero)
    back = np.argsort(order)
    return Beliefs(found.drawn[:, back], found.widened[:, back], found.is_assured[back], found.is_bounded)


def _beliefs(risk: RiskMeasure, arms: Sequence[ArmSample], sums: np.ndarray, often_zero: bool) -> Beliefs:
    rng = seeds.generator(0, seeds.BELIEFS)
    chains = max(LEAST_CHAINS, min(CHAINS, MOST_DRAWN_VALUES // (20 * len(arms))))
    kept = max(1, min(KEPT, MOST_DRAWN_VALUES // (chains * len(arms))))
    enough = sums[:, COUNT] >= ASSURED_FROM
    if not sums[:, COUNT].any():  # all were forgotten
        nothing = np.zeros((1, len(arms)))
        return Beliefs(nothing, nothing, enough, False)
    with np.errstate(all="ignore"):  # of rewards near the largest that are taken
        if are_binary(sums) and not any(one.amount for one in arms):
            scratch = np.zeros(TWO_POINT_CELLS)
            chances = _draw_probabilities(sums, rng, chains * kept)
            drawn = elementwise(lambda p: binary_value(risk, p, scratch), chances)
            return Beliefs(drawn, drawn, enough, True)
        if not is_of_moments(risk) and all(one.rewards is not None for one in arms if one.sums[COUNT] > 0):
            drawn = _draw_bootstrap(risk, arms, rng, min(BOOTSTRAP_DRAWS, chains * kept))
            return Beliefs(drawn, drawn, enough, True)
        amounts = np.array([one.amount for one in arms])
        paid, zeros = sums[:, PAID], sums[:, COUNT] - sums[:, PAID]
        hurdle = np.full(len(arms), often_zero)
        if not often_zero and ((sums[:, COUNT] >= ENOUGH) & (zeros >= paid)).any():
            hurdle = (zeros > 0.0) | (sums[:, COUNT] == 0.0)
        if np.isnan(paid).any():  # not known, of an arm from a file of an older version
            hurdle[:] = False
        drawn = np.empty((chains * kept, len(arms)))
        if not hurdle.all():
            drawn[:, ~hurdle] = elementwise(risk.value, *_draw_moments(sums[~hurdle], rng, chains, kept))
        is_bounded = bool(sums[~hurdle, SQUARES].any() or len(set(sums[~hurdle & (sums[:, COUNT] > 0.0), MEAN])) > 1)
        if hurdle.any():
            payer = paid + amounts != 0.0
            is_bounded = bool(payer.any())
            chances = rng.beta(1.0 + paid, 1.0 + zeros, size=drawn.shape)[:, hurdle]
            if is_bounded:
                mean, variance = (one[:, hurdle] for one in _draw_amounts(sums, amounts, rng, len(drawn)))
                variance = chances * variance + chances * (1.0 - chances) * mean * mean
                drawn[:, hurdle] = elementwise(risk.value, chances * mean, variance)
            else:
                drawn[:, hurdle] = chances
        widened, is_assured = _widened(risk, sums, hurdle, drawn)
        return Beliefs(drawn, widened, is_assured & is_of_moments(risk), is_bounded)


def are_binary(sums: np.ndarray) -> bool:
    """Whether all rewards were 0 or 1, some of each: their sum is then that of their squares."""
    count, mean, squares = sums[:, COUNT], sums[:, MEAN], sums[:, SQUARES]
    told = (count > 0.0) & (mean >= 0.0) & (mean <= 1.0)
    same = np.isclose(squares, count * mean * (1.0 - mean), rtol=1e-9, atol=1e-9)
    mixed = 0.0 < float(_wins(sums).sum()) < float(count.sum())
    return bool(((told & same) | (count == 0.0)).all()) and mixed


def _wins(sums: np.ndarray) -> np.ndarray:
    """How many rewards were 1; where they have faded, that need not be a whole number."""
    wins: np.ndarray = sums[:, COUNT] * sums[:, MEAN]
    whole = np.round(wins)
    return np.where(np.isclose(wins, whole, rtol=1e-9, atol=1e-9), whole, wins)


def _draw_probabilities(sums: np.ndarray, rng: Any, draws: int) -> np.ndarray:
    """Draws of success probabilities: first the Beta distribution that they come from, then each of them."""
    from scipy.special import betaln

    count, wins = sums[:, COUNT], _wins(sums)
    a, b = (BETA_WEIGHTS[:, None] * part for part in (BETA_MEANS, 1.0 - BETA_MEANS))
    likely = sum(betaln(a + won, b + n - won) - betaln(a, b) for n, won in zip(count, wins, strict=True))
    chances = np.exp(likely - np.max(likely)).ravel()
    place = rng.choice(chances.size, size=draws, p=chances / chances.sum())
    a, b = a.ravel()[place][:, None], b.ravel()[place][:, None]
    return np.asarray(rng.beta(a + wins, b + count - wins))


def _draw_moments(sums: np.ndarray, rng: Any, chains: int, kept: int) -> tuple[np.ndarray, np.ndarray]:
    """Draws of means and variances, in the unit of the rewards."""
    from scipy.special import gammaln

    count, arms = sums[:, COUNT], len(sums)
    centre = float(np.average(sums[:, MEAN], weights=count))
    spread = math.sqrt(float((sums[:, SQUARES] + count * (sums[:, MEAN] - centre) ** 2).sum() / count.sum()))
    unit = spread if 0.0 < spread < math.inf else max(abs(centre) * 1e-6, 1e-12)
    mean = np.where(count > 0.0, (sums[:, MEAN] - centre) / unit, 0.0)
    squares = sums[:, SQUARES] / unit / unit

    known = count >= 2.0
    within = squares[known].sum() / max(1.0, (count[known] - 1.0).sum()) if known.any() else 1.0
    within = within if within > 0.0 else 1.0
    # Equal rewards are as one that was seen that often: they say nothing about how far rewards spread.
    pieces = np.where((count >= 2.0) & (squares == 0.0), 1.0, count)
    size = (chains, arms)
    first_rate = np.where(known, squares, within) / 2.0 + within / 20.0
    precision = rng.gamma(np.maximum(pieces, 1.0) / 2.0, size=size) / first_rate
    middle, between = np.zeros((chains, 1)), np.ones((chains, 1))  # of the arms' means: their mean and variance
    shape, scale = np.full((chains, 1), 2.0), np.full((chains, 1), within)  # of the precisions
    found_means, found_variances = [], []
    for step in range(BURN_IN + kept):
        weight = count * precision + 1.0 / between
        means = (count * precision * mean + middle / between) / weight + rng.standard_normal(size) / np.sqrt(weight)
        rate = shape * scale + (squares + count * (mean - means) ** 2) / 2.0
        precision = rng.gamma(shape + pieces / 2.0, size=size) / rate
        middle = means.mean(axis=1, keepdims=True) + rng.standard_normal((chains, 1)) * np.sqrt(between / arms)
        # A half-Cauchy prior of the deviation between arms, whose scale is that of all rewards.
        apart = ((means - middle) ** 2).sum(axis=1, keepdims=True)
        helper = (1.0 + 1.0 / between) / rng.standard_exponential((chains, 1))
        between = (apart / 2.0 + 1.0 / helper) / rng.gamma((arms + 1.0) / 2.0, size=(chains, 1))
        total, logs = precision.sum(axis=1, keepdims=True), np.log(precision).sum(axis=1, keepdims=True)
        scale = rng.gamma(arms * shape, size=(chains, 1)) / (shape * total)
        constants = GAMMA_SHAPES * np.log(GAMMA_SHAPES * scale) - gammaln(GAMMA_SHAPES)
        likely = arms * constants + GAMMA_SHAPES * (logs - scale * total)
        shape = GAMMA_SHAPES[np.argmax(likely + rng.gumbel(size=likely.shape), axis=1)][:, None]
        if step >= BURN_IN:
            found_means.append(means)
            found_variances.append(1.0 / precision)
    return centre + unit * np.vstack(found_means), unit * unit * np.vstack(found_variances)


def _draw_amounts(sums: np.ndarray, amounts: np.ndarray, rng: Any, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """Draws of mean and variance of what a sale pays, as in `HurdleTS`; some arm has paid or its amount is known.

    The amount of an arm that never paid is that of a random other one, give or take a factor of e. One that was said to
    be known is no longer, once a sale has paid something else.
    """
    paid, mean, squares = sums[:, PAID], sums[:, AMOUNT], sums[:, AMOUNT_SQUARES]
    away, size = squares + paid * (mean - amounts) ** 2, (draws, len(sums))
    known = (amounts != 0.0) & (away <= paid * (ROUNDING * amounts) ** 2)
    seen = (paid > 0.0) & ~known
    square = np.where(seen, squares / np.maximum(paid, 1.0) + mean * mean, amounts * amounts)
    spread = (0.25 + (squares[seen] / square[seen]).sum()) / (1.0 + (paid[seen] - 1.0).sum())
    spread = min(MOST_SPREAD, float(spread))
    variance = (squares + 2.0 * spread * square) / rng.chisquare(paid + 2.0, size=size)
    found = mean + rng.standard_normal(size) * np.sqrt(variance / np.maximum(paid, 1.0))
    found, variance = np.where(known, amounts, found), np.where(known, 0.0, variance)
    places = np.flatnonzero(seen | known)
    other, factor = rng.choice(places, size=size), np.exp(rng.standard_normal(size))
    never = ~(seen | known)
    found = np.where(never, np.where(known, amounts, mean)[other] * factor, found)
    # Of its squares, not of the mean, which refunds may bring near 0.
    return found, np.where(never, spread * square[other] * factor**2, variance)


def _widened(
    risk: RiskMeasure, sums: np.ndarray, hurdle: np.ndarray, drawn: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Draws from the hull of the posterior, value -+ t se and Hall's interval, at every level; and what is assured."""
    from scipy.special import stdtrit

    count = sums[:, COUNT]
    told = np.maximum(count, 2.0)
    deviation = np.sqrt(sums[:, SQUARES] / told)
    powers = deviation[:, None] ** np.arange(2.0, 7.0)
    value, slopes = _linearised(risk, sums[:, MEAN], deviation)
    central = np.column_stack([sums[:, SQUARES], sums[:, THIRD : SIXTH + 1]]) / told[:, None]
    spread, skewness = _influence_moments(slopes, central / powers)
    modelled = _influence_moments(slopes, _model_moments(sums, hurdle) / powers)[1]
    seen = (sums[:, SIXTH] > 0.0) & np.isfinite(value) & np.isfinite(spread) & np.isfinite(skewness)
    seen &= np.where(hurdle, sums[:, PAID], count) >= ENOUGH
    is_assured = seen & (count >= ASSURED_FROM)
    is_assured &= np.abs(skewness - modelled) <= ASSURED_SKEWNESS * np.sqrt(told)
    # A half of the levels: the other ones are their mirror image.
    levels = (np.arange((len(drawn) + 1) // 2) + 0.5) / len(drawn)
    order = np.argsort(drawn, axis=0)
    ranked = np.take_along_axis(drawn, order, axis=0)
    reach = -stdtrit(told - 1.0, levels[:, None])[:, seen]
    error, bend = spread[seen] / np.sqrt(told[seen]), skewness[seen] / np.sqrt(told[seen])
    low, high = (value[seen] - error * side * reach for side in (1.0, -1.0))
    low = np.fmin(low, value[seen] - error * _bent(reach, bend))
    high = np.fmax(high, value[seen] - error * _bent(-reach, bend))
    half = len(levels)
    ranked[:half, seen] = np.fmin(ranked[:half, seen], low)
    ranked[len(ranked) - half :, seen] = np.fmax(ranked[len(ranked) - half :, seen], high[::-1])
    widened = np.empty_like(drawn)
    np.put_along_axis(widened, order, ranked, axis=0)
    return widened, is_assured


def _bent(reach: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Hall's g^-1, for an estimate of skewness a; the identity where a is 0."""
    bent = 3.0 / np.where(a == 0.0, 1.0, a) * (np.cbrt(1.0 + a * (reach - a / 6.0)) - 1.0)
    return np.where(np.abs(a) < 1e-6, reach, bent)


def _linearised(
    risk: RiskMeasure, mean: np.ndarray, deviation: np.ndarray
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """The values of such moments, and how they change with mean and variance, in the unit of the deviation."""
    step, variance = STEP * deviation, deviation * deviation
    part = STEP * variance
    around = [(mean, variance), (mean + step, variance), (mean - step, variance), (mean, variance + part)]
    value, up, down, wider, calmer = (elementwise(risk.value, *one) for one in [*around, (mean, variance - part)])
    return value, ((up - down) / (2.0 * STEP), (wider - calmer) / (2.0 * STEP))


def _influence_moments(slopes: tuple[np.ndarray, np.ndarray], central: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standard deviation and skewness of psi = a d + b (d^2 - s^2), from the moments 2 to 6 of d, in its own unit."""
    a, b = slopes
    m2, m3, m4, m5, m6 = central.T
    squared = a * a * m2 + 2.0 * a * b * m3 + b * b * (m4 - m2 * m2)
    third = a**3 * m3 + 3.0 * a * a * b * (m4 - m2 * m2) + 3.0 * a * b * b * (m5 - 2.0 * m2 * m3)
    third += b**3 * (m6 - 3.0 * m2 * m4 + 2.0 * m2**3)
    spread = np.sqrt(np.maximum(squared, 0.0))
    return spread, np.where(spread > 0.0, third / spread**3, math.nan)


def _model_moments(sums: np.ndarray, hurdle: np.ndarray) -> np.ndarray:
    """Central moments 2 to 6 of the model of each arm: Gaussian, or sales of Gaussian amounts."""
    told, paid = np.maximum(sums[:, COUNT], 1.0), np.where(hurdle, sums[:, PAID], sums[:, COUNT])
    p = np.where(hurdle, paid / told, 1.0)
    away = np.where(hurdle, sums[:, AMOUNT] - sums[:, MEAN], 0.0)
    v = np.where(hurdle, sums[:, AMOUNT_SQUARES], sums[:, SQUARES]) / np.maximum(paid, 1.0)
    amounts = [
        away**2 + v,
        away**3 + 3.0 * away * v,
        away**4 + 6.0 * away**2 * v + 3.0 * v**2,
        away**5 + 10.0 * away**3 * v + 15.0 * away * v**2,
        away**6 + 15.0 * away**4 * v + 45.0 * away**2 * v**2 + 15.0 * v**3,
    ]
    powers = zip(amounts, range(2, 7), strict=True)
    return np.column_stack([p * one + (1.0 - p) * (-sums[:, MEAN]) ** j for one, j in powers])


def _draw_bootstrap(risk: RiskMeasure, arms: Sequence[ArmSample], rng: Any, draws: int) -> np.ndarray:
    """Draws of values by random weights. An arm with less than two rewards takes those of the others."""
    found = np.full((draws, len(arms)), math.nan)
    known = [k for k, one in enumerate(arms) if one.sums[COUNT] >= 2]
    for k in known:
        rewards, counts = _merge_neighbours(*arms[k].rewards)  # type: ignore[misc]
        for draw, weights in enumerate(rng.gamma(counts, size=(draws, len(counts)))):
            found[draw, k] = sample_value(risk, rewards, weights)
    for k in set(range(len(arms))) - set(known):
        if known:
            found[:, k] = found[rng.permutation(draws), rng.choice(known, size=draws)]
    return found


def _merge_neighbours(rewards: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most MOST_POINTS rewards with counts: neighbours are merged into their mean."""
    if len(rewards) <= MOST_POINTS:
        return rewards, counts
    group = np.minimum((np.cumsum(counts) - counts) / counts.sum() * MOST_POINTS, MOST_POINTS - 1).astype(int)
    totals = np.bincount(group, weights=counts)
    means = np.bincount(group, weights=counts * rewards)[totals > 0.0] / totals[totals > 0.0]
    return means, totals[totals > 0.0]


def elementwise(value: Any, *arrays: np.ndarray) -> np.ndarray:
    """A function of numbers applied to arrays, at once where it is mere arithmetic, otherwise element by element."""
    try:
        found = np.asarray(value(*arrays), dtype=np.float64)
        if found.shape == arrays[0].shape:
            return found
    except Exception:  # it compares numbers, or asks `math` for a root
        pass
    flat = [value(*numbers) for numbers in zip(*(array.ravel().tolist() for array in arrays), strict=True)]
    return np.array(flat, dtype=np.float64).reshape(arrays[0].shape)


def intervals(believed: Beliefs, values: Sequence[float], level: float) -> tuple[np.ndarray, np.ndarray]:
    """As `credible_intervals`, and from minus to plus infinity while no two rewards differ."""
    if believed.is_bounded:
        return credible_intervals(believed.widened, values, level)
    return np.full(len(values), -math.inf), np.full(len(values), math.inf)


def credible_intervals(drawn: np.ndarray, values: Sequence[float], level: float) -> tuple[np.ndarray, np.ndarray]:
    """Per arm, the interval in which its value lies with this probability.

    Intervals contain the value of the sample too, which may be improbable: of two rewards that happen to lie close
    together.
    """
    low, high = np.quantile(drawn, [(1.0 - level) / 2.0, (1.0 + level) / 2.0], axis=0)
    return np.fmin(low, values), np.fmax(high, values)


def probabilities_of_being_best(drawn: np.ndarray) -> np.ndarray:
    """Per arm, the probability that none is better."""
    ranked = np.where(np.isnan(drawn), -math.inf, drawn)
    return np.bincount(ranked.argmax(axis=1), minlength=drawn.shape[1]) / len(drawn)


def check_level(level: Any) -> float:
    """A level as a number between 0 and 1, or raise."""
    return checks.number("level", level, "a number between 0 and 1, such as 0.95", lambda one: 0.0 < one < 1.0)
