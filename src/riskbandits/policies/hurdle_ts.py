"""Thompson sampling for rewards that are often exactly zero: a sale or nothing, and the amount of a sale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.compiling.jit import always_inline
from riskbandits.core import checks
from riskbandits.core.errors import RefusalError, must_be, unknown_name
from riskbandits.core.records import Numbers
from riskbandits.numerics.variates import beta, gamma
from riskbandits.policies.cells import SCRATCH

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State

# Columns of the state. Squared deviations are from the known amount, where it is known, and else from the mean.
PULLS, SALES, MEAN, SQUARES, AMOUNT = range(5)
WIDTH = 5
SPREAD, PAYING = SCRATCH, SCRATCH + 1  # cells of the run: c^2, and the number of arms whose amounts have been seen
MOST_SPREAD = 0.9  # of c^2, which would be 1 for amounts whose mean is 0
WIDE = 1.5  # the standard deviation of the logarithm of an amount that was never seen, from one that was
UNKNOWN = (0.0,)
ROUNDING = 1e-9  # of a known amount: what a sale may differ from it by
LARGEST = 1e140  # of a known amount, as of a reward


class HurdleTS(NamedTuple):
    """Thompson sampling for rewards that are often exactly zero: the chance of a sale, and the amount it pays.

    Use it for a sale or nothing, a click with an amount, a claim, a refund: wherever most rewards are the number 0. To
    a policy for Gaussian rewards a run of zeros looks like an arm without risk.

    Each step, for each arm: p ~ Beta(1 + W, 1 + T - W), with W of its T rewards not 0, an amount with mean m and
    variance v, and the value of a reward with mean p m and variance p v + p (1 - p) m^2: rho mean - variance, or that
    of any measure for a Gaussian with these. No forced pulls.

    *Known amounts.* If a sale of arm k always pays the same, say so: `HurdleTS(amounts=[9.99, 12.99])`, in the order of
    the arms; 0 stands for an amount that is not known. A `Learner` takes amounts by arm name:
    `Learner(..., amounts={"a": 9.99})`, `add("c", amount=5.0)`. Then m is the amount, and v is 0 as long as every sale
    paid it; after others v ~ S/chi^2_W, with S the sum of squared deviations from the amount, which stays m: leave out
    an amount that sales do not pay on average. With all amounts 1 this is `BMVTS`.

    *Unknown amounts.* After W sales of mean amount a and squared deviations S

        v ~ (S + 2 c^2 q)/chi^2_(W + 2),  m ~ N(a, v/W),

    with q the arm's mean squared amount and c^2 = (1/4 + sum S/q)/(1 + sum (W - 1)), sums over the arms that paid: two
    more amounts with the relative spread of all. (Relative to q, not to a^2: refunds may bring a near 0.)
    An arm that never paid takes the mean amount of a random arm that did, times exp(1.5 Z) with Z standard normal, and
    v = m^2 c^2/(1 - c^2). While no arm has paid, the largest p is played.

    How often it shuts the best arm out, and its regret compared with `NGTS`: `docs/how-to/rewards-often-zero.md`.

    >>> import riskbandits as rb
    >>> arms = rb.HurdleArms(probabilities=[0.2, 0.05], means=[10, 100], variances=[0, 0])
    >>> problem = rb.Problem(arms, rb.MeanVariance(1000))
    >>> policies = [HurdleTS(), HurdleTS(amounts=[10, 100])]
    >>> rb.simulate(problem, policies, horizon=90, runs=2, seed=1, progress=False).labels
    ['HurdleTS', 'HurdleTS(amounts=[10, 100])']
    """

    amounts: Numbers = UNKNOWN

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """What the arms tell about each other: the relative spread of amounts, and whose have been seen."""
        above = 0.25
        below = 1.0
        paying = 0.0
        for k in range(state.shape[0]):
            amount = self.known(state, k)
            if amount != 0.0:
                paying += 1.0
            elif state[k, SALES] > 0.0:
                paying += 1.0
                square = mean_square(state, k)
                above += state[k, SQUARES] / square if square > 0.0 else 0.0
                below += max(0.0, state[k, SALES] - 1.0)
        run[SPREAD] = min(MOST_SPREAD, above / below)
        run[PAYING] = paying

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The value of a sale's drawn probability and of its known or drawn amount."""
        sales = state[k, SALES]
        p = beta(rng, 1.0 + sales, 1.0 + max(0.0, state[k, PULLS] - sales))
        amount = self.known(state, k)
        if amount != 0.0:
            variance = state[k, SQUARES]
            if variance > 0.0:
                variance /= 2.0 * gamma(rng, 0.5 * max(1.0, sales))
            return hurdle_value(risk, p, amount, variance)
        if run[PAYING] == 0.0:
            return p
        if sales > 0.0:
            scale = state[k, SQUARES] + 2.0 * run[SPREAD] * mean_square(state, k)
            variance = scale / (2.0 * gamma(rng, 0.5 * sales + 1.0))
            mean = state[k, MEAN] + rng.standard_normal() * math.sqrt(variance / max(1.0, sales))
            return hurdle_value(risk, p, mean, variance)
        mean = self.other_amount(state, run, rng) * math.exp(WIDE * rng.standard_normal())
        return hurdle_value(risk, p, mean, mean * mean * run[SPREAD] / (1.0 - run[SPREAD]))

    @always_inline
    def known(self, state: State, k: int) -> float:
        """The known amount of an arm, or 0: in its row, or in a simulation in the record."""
        amount = state[k, AMOUNT]
        if amount == 0.0 and k < len(self.amounts):
            amount = self.amounts[k]
        return amount

    @always_inline
    def other_amount(self, state: State, run: Run, rng: Rng) -> float:
        """The known or mean amount of a random arm whose amounts have been seen."""
        left = math.floor(run[PAYING] * rng.random())
        found = 0.0
        for k in range(state.shape[0]):
            amount = self.known(state, k)
            if amount == 0.0 and state[k, SALES] > 0.0:
                amount = state[k, MEAN]
            if amount != 0.0 or state[k, SALES] > 0.0:
                if left == 0.0:
                    found = amount
                left -= 1.0
        return found

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Count the reward and, if it is not 0, take its amount into the moments of amounts."""
        state[k, PULLS] += 1.0
        if reward == 0.0:
            return
        sales = state[k, SALES] + 1.0
        deviation = reward - state[k, MEAN]
        amount = self.known(state, k)
        if amount != 0.0:
            state[k, SQUARES] += (reward - amount) * (reward - amount)
        else:
            state[k, SQUARES] += state[k, SALES] / sales * deviation * deviation
        state[k, MEAN] += deviation / sales
        state[k, SALES] = sales

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        """Counts and squared deviations fade; mean, variance and known amount of a sale stay."""
        state[k, PULLS] *= factor
        state[k, SALES] *= factor
        state[k, SQUARES] *= factor

    def width(self) -> int:
        return WIDTH

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """Another number of amounts than of arms."""
        return None if arms is None else wrong_number(self, arms.size())


@always_inline
def mean_square(state: State, k: int) -> float:
    """The mean squared amount of an arm that has paid."""
    return state[k, SQUARES] / state[k, SALES] + state[k, MEAN] * state[k, MEAN]


@always_inline
def hurdle_value(risk: RiskMeasure, p: float, mean: float, variance: float) -> float:
    """The value of a reward that is, with probability p, an amount with that mean and variance, and else 0."""
    return risk.value(p * mean, p * variance + p * (1.0 - p) * mean * mean)


def has_amounts(policy: HurdleTS) -> bool:
    """Whether some amount is known."""
    return any(amount != 0.0 for amount in policy.amounts)


def wrong_number(policy: HurdleTS, arms: int) -> str | None:
    """A sentence about another number of amounts than of arms."""
    if not has_amounts(policy) or len(policy.amounts) == arms:
        return None
    return f"HurdleTS was given {len(policy.amounts)} amounts for {arms} arms: give one per arm, or none."


def pays_otherwise(row: Any) -> bool:
    """Whether sales of an arm whose amount is known have paid something else."""
    return bool(row[SQUARES] > (ROUNDING * row[AMOUNT]) ** 2 * row[SALES] and row[AMOUNT] != 0.0)


def hurdle_inside(policy: Any) -> HurdleTS | None:
    """The policy itself or the one within its wrappers, if that is HurdleTS."""
    while hasattr(policy, "policy"):
        policy = policy.policy
    return policy if isinstance(policy, HurdleTS) else None


def without_amounts(policy: Any) -> Any:
    """The same policy, in its wrappers, with amounts unknown to the record: a learner's rows have them."""
    if hasattr(policy, "policy"):
        return policy._replace(policy=without_amounts(policy.policy))
    return HurdleTS()


def check_amount(thing: str, amount: Any) -> float:
    """An amount that is known, or raise."""
    what = f"a number other than 0, from -{LARGEST:g} to {LARGEST:g}"
    return checks.number(thing, amount, what, lambda one: one != 0.0 and abs(one) <= LARGEST)


def known_amounts(policy: Any, arms: Sequence[Any], amounts: Any) -> tuple[Any, dict[Any, float]]:
    """A learner's policy, and the amounts that are known, by arm: given as such, or in order in the policy itself."""
    hurdle = hurdle_inside(policy)
    if hurdle is None:
        if amounts is not None:
            raise RefusalError(f"Only HurdleTS uses known amounts. Got {type(policy).__name__} instead.")
        return policy, {}
    if (words := wrong_number(hurdle, len(arms))) is not None:
        raise RefusalError(words)
    if amounts is not None and not isinstance(amounts, Mapping):
        raise must_be("amounts", "a dictionary from arms to amounts", amounts)
    in_order = {arm: amount for arm, amount in zip(arms, hurdle.amounts, strict=False) if amount != 0.0}
    given = {**in_order, **(amounts or {})}
    for arm in given:
        if arm not in arms:
            raise unknown_name("arm", arm, list(arms))
    found = {arm: check_amount(f"The amount of the arm {arm!r}", amount) for arm, amount in given.items()}
    return without_amounts(policy), found
