"""The posterior distribution of the arms' values, given the rewards told, as draws from it.

Which arm is chosen next depends on earlier rewards, so the samples are adaptive. That leaves a posterior unchanged:
given the rewards, it is the same whoever chose the arms. The model is hierarchical:

- Rewards 0 and 1: success probabilities have a Beta distribution, whose mean and weight are unknown too.
- A measure that needs the rewards themselves, which the policy keeps: Dirichlet weights over them (a Bayesian
  bootstrap).
- All others: arms are Gaussian; their means come from one Gaussian, their precisions from one Gamma distribution, and
  the parameters of both are unknown and drawn too (a Gibbs sampler). So the estimate of the best of many arms with few
  rewards is shrunk towards the others, and an arm without rewards may be anything that the others are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core import checks, seeds
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
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


class ArmSample(NamedTuple):
    """The rewards told of an arm: their moments, and where they are kept themselves, ascending, with counts."""

    moments: Sequence[float]
    rewards: tuple[np.ndarray, np.ndarray] | None = None


def draw_values(risk: RiskMeasure, arms: Sequence[ArmSample]) -> np.ndarray:
    """Draws of the arms' values: a row per draw, a column per arm.

    The same evidence gives the same draws, in whatever order the arms are.
    """
    sums = np.array([one.moments for one in arms], dtype=np.float64)
    order = np.lexsort(sums.T)
    drawn = _draw_values(risk, [arms[k] for k in order], sums[order])
    return drawn[:, np.argsort(order)]


def _draw_values(risk: RiskMeasure, arms: Sequence[ArmSample], sums: np.ndarray) -> np.ndarray:
    rng = seeds.generator(0, seeds.BELIEFS)
    chains = max(LEAST_CHAINS, min(CHAINS, MOST_DRAWN_VALUES // (20 * len(arms))))
    kept = max(1, min(KEPT, MOST_DRAWN_VALUES // (chains * len(arms))))
    with np.errstate(all="ignore"):  # of rewards near the largest that are taken
        if are_binary(sums):
            scratch = np.zeros(TWO_POINT_CELLS)
            return elementwise(lambda p: binary_value(risk, p, scratch), _draw_probabilities(sums, rng, chains * kept))
        if not is_of_moments(risk) and all(one.rewards is not None for one in arms if one.moments[COUNT] > 0):
            return _draw_bootstrap(risk, arms, rng, min(BOOTSTRAP_DRAWS, chains * kept))
        return elementwise(risk.value, *_draw_moments(sums, rng, chains, kept))


def are_binary(sums: np.ndarray) -> bool:
    """Whether all rewards were 0 or 1, some of each: their sum is then that of their squares."""
    count, mean, squares = sums[:, COUNT], sums[:, MEAN], sums[:, SQUARES]
    told = (count > 0.0) & (mean >= 0.0) & (mean <= 1.0)
    same = np.isclose(squares, count * mean * (1.0 - mean), rtol=1e-9, atol=1e-9)
    whole = np.isclose(count * mean, np.round(count * mean), rtol=1e-9, atol=1e-9)
    mixed = float((count * mean).sum()) not in (0.0, float(count.sum()))
    return bool(((told & same & whole) | (count == 0.0)).all()) and mixed


def _draw_probabilities(sums: np.ndarray, rng: Any, draws: int) -> np.ndarray:
    """Draws of success probabilities: first the Beta distribution that they come from, then each of them."""
    from scipy.special import betaln

    count, wins = sums[:, COUNT], np.round(sums[:, COUNT] * sums[:, MEAN])
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
    size = (chains, arms)
    first_rate = np.where(known, squares, within) / 2.0 + within / 20.0
    precision = rng.gamma(np.maximum(count, 1.0) / 2.0, size=size) / first_rate
    middle, between = np.zeros((chains, 1)), np.ones((chains, 1))  # of the arms' means: their mean and variance
    shape, scale = np.full((chains, 1), 2.0), np.full((chains, 1), within)  # of the precisions
    found_means, found_variances = [], []
    for step in range(BURN_IN + kept):
        weight = count * precision + 1.0 / between
        means = (count * precision * mean + middle / between) / weight + rng.standard_normal(size) / np.sqrt(weight)
        rate = shape * scale + (squares + count * (mean - means) ** 2) / 2.0
        precision = rng.gamma(shape + count / 2.0, size=size) / rate
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


def _draw_bootstrap(risk: RiskMeasure, arms: Sequence[ArmSample], rng: Any, draws: int) -> np.ndarray:
    """Draws of values by random weights. An arm with less than two rewards takes those of the others."""
    found = np.full((draws, len(arms)), math.nan)
    known = [k for k, one in enumerate(arms) if one.moments[COUNT] >= 2]
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
