"""Random problems from stated families. A problem is named by family, number of arms and a number, and never changes.

Draws use nothing but uniform numbers from a keyed bit generator, whose stream NumPy keeps from version to version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms import (
    BernoulliArms,
    ExponentialArms,
    GaussianArms,
    GaussianMixtureArms,
    HurdleArms,
    LognormalArms,
)
from riskbandits.core import seeds
from riskbandits.core.checks import whole
from riskbandits.core.errors import unknown_name
from riskbandits.core.records import digest
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance
from riskbandits.suites.suite import Case

if TYPE_CHECKING:
    from riskbandits.types import Rng

SEED = 2020  # the suites' own: a suite is the same whatever seed it is simulated with
LOWEST_VARIANCE = 0.05
NEAR = 0.01  # a near tie: this share of the median gap
FAR = 1000.0  # times the variance: a wild arm beside calm ones
CENTS = 100.0
ATTEMPTS = 10_000
LEAST_ARMS, MOST_ARMS = 2, 100_000


class Family(NamedTuple):
    """A population of problems."""

    what: str
    make: Callable[[Any, int], Problem | None]  # (rng, arms) -> a problem, or None to draw again


def _uniform(rng: Rng, low: float, high: float, arms: int | None = None) -> Any:
    numbers = [low + (high - low) * rng.random() for _ in range(arms or 1)]
    return np.array(numbers) if arms else numbers[0]


def _rho(rng: Rng) -> float:
    """Log-uniform between 0.1 and 10, where mean and variance both matter for numbers of order 1."""
    return float(10.0 ** _uniform(rng, -1.0, 1.0))


def _means_and_variances(rng: Rng, arms: int) -> tuple[np.ndarray, np.ndarray]:
    return _uniform(rng, 0.0, 1.0, arms), _uniform(rng, LOWEST_VARIANCE, 1.0, arms)


def _gaussian(means: np.ndarray, variances: np.ndarray, rho: float) -> Problem:
    return Problem(GaussianArms(means, variances), MeanVariance(rho))


def _plain(rng: Rng, arms: int) -> Problem:
    return _gaussian(*_means_and_variances(rng, arms), _rho(rng))


def _dominant(rng: Rng, arms: int) -> Problem:
    means, variances = _means_and_variances(rng, arms)
    best, calmest = int(np.argmax(means)), int(np.argmin(variances))
    variances[[best, calmest]] = variances[[calmest, best]]
    return _gaussian(means, variances, _rho(rng))


def _trade_off(rng: Rng, arms: int) -> Problem | None:
    means = np.sort(_uniform(rng, 0.0, 1.0, arms))
    # Deviations rather than variances grow evenly with the mean: the frontier bends, and its best point lies inside.
    variances = np.sort(_uniform(rng, np.sqrt(LOWEST_VARIANCE), 1.0, arms)) ** 2
    order = np.argsort(_uniform(rng, 0.0, 1.0, arms))
    problem = _gaussian(means[order], variances[order], _uniform(rng, 0.3, 1.8))
    best_place = int(order[problem.best_arm])
    return problem if arms < 3 or 0 < best_place < arms - 1 else None


def _near_tie(rng: Rng, arms: int) -> Problem | None:
    means, variances = _means_and_variances(rng, arms)
    problem = _gaussian(means, variances, _rho(rng))
    others = np.flatnonzero(np.arange(arms) != problem.best_arm)
    rival = int(others[int(rng.random() * len(others))])
    gap = NEAR * float(np.median(problem.gaps[others]))
    variances[rival] = variances[problem.best_arm] - problem.risk.rho * problem.mean_gaps[rival] + gap
    return _gaussian(means, variances, problem.risk.rho) if variances[rival] >= LOWEST_VARIANCE else None


def _equal_means(rng: Rng, arms: int) -> Problem:
    means, variances = _means_and_variances(rng, arms)
    return _gaussian(np.full(arms, means[0]), variances, _rho(rng))


def _equal_variances(rng: Rng, arms: int) -> Problem:
    means, variances = _means_and_variances(rng, arms)
    return _gaussian(means, np.full(arms, variances[0]), _rho(rng))


def _bernoulli(rng: Rng, arms: int) -> Problem:
    return Problem(BernoulliArms(_uniform(rng, 0.02, 0.98, arms)), MeanVariance(_uniform(rng, 0.0, 1.0)))


def _spread(decades: float) -> Callable[[Any, int], Problem]:
    """Variances log-uniform over this many decades; rho is larger where the means matter most."""

    def make(rng: Rng, arms: int) -> Problem:
        means = _uniform(rng, 0.0, 1.0, arms)
        variances = 10.0 ** _uniform(rng, -decades, 0.0, arms)
        return _gaussian(means, variances, float(10.0 ** _uniform(rng, -2.0, 1.0)))

    return make


def _one_apart(factor: float) -> Callable[[Any, int], Problem]:
    """As uniform, except that the variance of one arm is multiplied by a factor."""

    def make(rng: Rng, arms: int) -> Problem:
        means, variances = _means_and_variances(rng, arms)
        variances[int(rng.random() * arms)] *= factor
        return _gaussian(means, variances, _rho(rng))

    return make


def _clusters(rng: Rng, arms: int) -> Problem:
    means, variances = _means_and_variances(rng, arms)
    calm = np.argsort(_uniform(rng, 0.0, 1.0, arms))[: arms // 2]
    variances[calm] /= FAR
    return _gaussian(means, variances, _rho(rng))


def _cents(rng: Rng, arms: int) -> Problem:
    means, variances = _uniform(rng, 0.0, 1.0, arms), 10.0 ** _uniform(rng, -2.0, 0.0, arms)
    return _gaussian(CENTS * means, CENTS**2 * variances, CENTS * _rho(rng))


def _hurdle(rng: Rng, arms: int, spread: float, refunds: bool) -> Problem:
    """Amounts over two decades, with that relative deviation; refunds of a part of an amount, in a third of arms."""
    probabilities = 10.0 ** _uniform(rng, -2.0, -0.3, arms)
    means = 10.0 ** _uniform(rng, 0.0, 2.0, arms)
    if refunds:
        returned = _uniform(rng, 0.0, 1.0, arms) < 1.0 / 3.0
        means = np.where(returned, -_uniform(rng, 0.0, 0.5, arms) * means, means)
    rho = float(10.0 ** _uniform(rng, 1.0, 3.0))
    return Problem(HurdleArms(probabilities, means, (spread * means) ** 2), MeanVariance(rho))


def _conversions(rng: Rng, arms: int) -> Problem:
    return _hurdle(rng, arms, 0.0, False)


def _baskets(rng: Rng, arms: int) -> Problem:
    return _hurdle(rng, arms, 0.5, False)


def _refunds(rng: Rng, arms: int) -> Problem:
    return _hurdle(rng, arms, 0.5, True)


def _lognormal(rng: Rng, arms: int) -> Problem:
    deviations = _uniform(rng, 0.35, 0.9, arms)
    means = _uniform(rng, 0.3, 1.0, arms)
    return Problem(LognormalArms(np.log(means) - 0.5 * deviations**2, deviations), MeanVariance(_rho(rng)))


def _rare_losses(rng: Rng, arms: int) -> Problem:
    """Usual rewards as those of `uniform`, and with a probability of 0.005 to 0.05 a loss of 2 to 5."""
    means, variances = _means_and_variances(rng, arms)
    rare, losses = _uniform(rng, 0.005, 0.05, arms), _uniform(rng, 2.0, 5.0, arms)
    weights = np.stack([1.0 - rare, rare], axis=1)
    tables = np.stack([means, -losses], axis=1), np.stack([variances, variances], axis=1)
    return Problem(GaussianMixtureArms(weights, *tables), MeanVariance(_rho(rng)))


def _exponential(rng: Rng, arms: int) -> Problem:
    return Problem(ExponentialArms(_uniform(rng, 0.2, 1.0, arms)), MeanVariance(_rho(rng)))


FAMILIES = {
    "uniform": Family("means uniform on [0, 1], variances on [0.05, 1], rho log-uniform on [0.1, 10]", _plain),
    "dominant": Family("as uniform; the best arm has the highest mean and the lowest variance", _dominant),
    "trade-off": Family(
        "the higher the mean, the higher the variance; with 3 arms or more the best lies between others", _trade_off
    ),
    "near-tie": Family("as uniform; the gap of the second-best arm is 1 % of the median gap", _near_tie),
    "equal-means": Family("as uniform, with the same mean for all arms: they differ only in variance", _equal_means),
    "equal-variances": Family(
        "as uniform, with the same variance for all arms: the classical bandit", _equal_variances
    ),
    "bernoulli": Family("Bernoulli arms, probabilities uniform on [0.02, 0.98], rho on [0, 1]", _bernoulli),
}
SPREAD = "means uniform on [0, 1], variances log-uniform on [{}, 1], rho on [0.01, 10]"
# Arms whose variances are far apart: what a policy may take from one arm for another is little here.
UNLIKE = {
    "spread-2": Family(SPREAD.format("0.01"), _spread(2.0)),
    "spread-3": Family(SPREAD.format("0.001"), _spread(3.0)),
    "spread-4": Family(SPREAD.format("0.0001"), _spread(4.0)),
    "one-wild": Family("as uniform, with one arm's variance times 1000", _one_apart(FAR)),
    "one-calm": Family("as uniform, with one arm's variance divided by 1000", _one_apart(1.0 / FAR)),
    "clusters": Family("as uniform, with the variances of half of the arms divided by 1000", _clusters),
    "cents": Family("means uniform on [0, 100], variances log-uniform on [100, 10000], rho on [10, 1000]", _cents),
}
SALES = "paid with probability log-uniform on [0.01, 0.5], {} of mean log-uniform on [1, 100], rho on [10, 1000]"
SHOP = {
    "conversions": Family(SALES.format("a price"), _conversions),
    "baskets": Family(SALES.format("amounts") + "; deviations half the mean", _baskets),
    "refunds": Family(SALES.format("amounts") + "; deviations half the mean; a third of the arms refund", _refunds),
}
SKEWED = {
    "lognormal": Family("lognormal rewards, means uniform on [0.3, 1], log-deviations on [0.35, 0.9]", _lognormal),
    "exponential": Family("exponential rewards, means uniform on [0.2, 1]", _exponential),
    "rare-losses": Family("as uniform, and with probability 0.005 to 0.05 a loss of 2 to 5", _rare_losses),
}
ALL = {**FAMILIES, **UNLIKE, **SHOP, **SKEWED}


def draw(family: str, arms: int, number: int) -> Problem:
    """Problem `number` of a family with this many arms: always the same one.

    >>> draw("equal-means", 2, 0) == draw("equal-means", 2, 0), draw("equal-means", 2, 0) == draw("equal-means", 2, 1)
    (True, False)
    """
    if not isinstance(family, str) or family not in ALL:
        raise unknown_name("family of problems", family, ALL)
    arms = whole("The number of arms of a random problem", arms, least=LEAST_ARMS, most=MOST_ARMS)
    number = whole("The number of a random problem", number, least=0)
    rng = seeds.generator(SEED, *digest(family, arms, number))
    for _ in range(ATTEMPTS):
        problem = ALL[family].make(rng, arms)
        if problem is not None:
            return problem
    raise AssertionError(f"no problem of the family {family!r} with {arms} arms was found")


def cases(family: str, arms: int, numbers: range) -> list[Case]:
    """Problems of a family as cases of a suite: draws from one population."""
    source = f"drawn at random: {ALL[family].what}"
    return [
        Case(f"{family}-{arms}-{number}", family, draw(family, arms, number), source, f"{family}-{arms}")
        for number in numbers
    ]
