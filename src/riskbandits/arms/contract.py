"""What a set of arms is: a record with the four methods below, and the optional ones whose defaults are defined here.

    draw(k, rng) -> float     one reward of arm k, from `rng.standard_normal()` and `rng.random()`
    mean(k), variance(k)      the true mean and variance of arm k; a variance may be infinite
    size() -> int             the number of arms

Everything below is optional:

    distribution(k) -> Distribution
        the distribution of arm k's rewards (`riskbandits.arms.distribution`): needed by risk measures that are not
        functions of mean and variance
    draw_next(k, rng, memory) -> float
        as `draw`, for rewards that depend on the arm's earlier ones: `memory` has a row of MEMORY_CELLS cells per arm,
        0 when a run begins
    pieces() -> [(first step, arms), ...]
        for arms that change over time: the arms from each step on, the first from step 1. `draw_next` is
        called once per step and finds the step with `tick`; all other methods then speak of step 1
    draw_features(rng, memory, run, count), book_gap(k, risk, memory), booked_gaps(memory) -> gaps, best
        for arms with features (`LinearArms`), three at once, and feature_count() -> int: draw those of the next
        decision into the shared row of the memory, and show the first `count` to the policy in `run`; book by how much
        arm k is worse than the best arm for them; the sum of all that was booked, and how often it was 0
    binary() -> bool
        whether all rewards are 0 or 1, so that policies for Bernoulli arms may be used (default no)
    names: ArmNames = ""
        a field: the names of the arms, a list of strings; affects no number, and compiled code does not see it

    draw_many(k, count, rng) -> mean, squares
        the mean of `count` rewards and the sum of their squared deviations from it, in one draw; and with it
    mean_exponent(k, slack, side) -> r
        some r with E exp(r (side (x - mu) - slack)) <= 1 for a reward x of arm k, mu its mean and slack > 0
        (`riskbandits.numerics.lundberg`), and
    square_exponent(k, level) -> r
        some r with E exp(r ((x - mu)^2 - level)) <= 1, for a level above the variance: rewards of a leader can then be
        drawn many at once in a simulation, a *leap*. Without these three, rewards are drawn one by one.

`draw`, `draw_next`, what concerns features and the methods of leaps, for which `mean` and `variance` are compiled as
well, are compiled; the others are plain Python and may import what they like.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.arms.distribution import Distribution
from riskbandits.arms.gaussian import Normal
from riskbandits.compiling.jit import always_inline, optional_method
from riskbandits.core.checks import is_whole
from riskbandits.core.errors import ContractError, RefusalError, must_be, shown
from riskbandits.core.memory import refuse_beyond
from riskbandits.core.user_calls import guarded, name_of, real, truth

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng

ARMS_METHODS = ("draw", "mean", "variance", "size")
LEAP_METHODS = ("draw_many", "mean_exponent", "square_exponent")
ENDS = ("low", "high")

MEMORY_CELLS = 2
MOST_LOOKED_AT = 1000  # arms, for a warning
MOST_PIECES = 100_000  # each is a problem of its own, with its best arm and gaps
BYTES_PER_ARM = 200  # what a problem keeps of an arm, and a run of it


def _draw(arms: Arms, k: int, rng: Rng, memory: np.ndarray) -> float:
    return arms.draw(k, rng)


def _draw_many(arms: Arms, k: int, count: float, rng: Rng) -> tuple[float, float]:
    return math.nan, math.nan


def _draw_features(arms: Arms, rng: Rng, memory: np.ndarray, run: np.ndarray, count: int) -> None:
    pass


def _book_gap(arms: Arms, k: int, risk: RiskMeasure, memory: np.ndarray) -> None:
    pass


def _booked_gaps(arms: Arms, memory: np.ndarray) -> tuple[float, float]:
    return 0.0, 0.0


draw_features = optional_method("draw_features", _draw_features, inline=True)  # of the next decision
book_gap = optional_method("book_gap", _book_gap, inline=True)  # of arm k, where that depends on features
booked_gaps = optional_method("booked_gaps", _booked_gaps)  # their sum, and the number of those that were 0
draw_many = optional_method("draw_many", _draw_many)  # rewards of arm k in a leap
draw_next = optional_method("draw_next", _draw)  # the next reward of arm k in a run


def new_memory(size: int, features: int = 0) -> Any:
    """What `draw_next` remembers of a run that has not begun: a row per arm, and one that all share.

    The shared row is of arms that change, and of those with features, which stand there after the other cells.
    """
    return np.zeros((size + 1, MEMORY_CELLS + features))


@always_inline
def tick(memory: np.ndarray) -> tuple[float, int]:
    """Count a step in the shared row of the memory; give its number, from 1, and the whole number kept beside it."""
    shared = memory.shape[0] - 1
    memory[shared, 0] += 1.0
    return memory[shared, 0], int(memory[shared, 1])


def drifts(arms: Arms) -> bool:
    """Whether the arms change over time."""
    return hasattr(arms, "pieces")


def has_features(arms: Any) -> bool:
    """Whether rewards depend on features of the decision."""
    return hasattr(arms, "draw_features")


def feature_count(arms: Any) -> int:
    """The number of features of a decision."""
    return int(guarded(name_of(arms, "feature_count"), arms.feature_count)) if has_features(arms) else 0


def pieces_of(arms: Any) -> list[tuple[int, Any]]:
    """The arms of each piece of time with its first step, or a sentence about `pieces`; one piece if they stay."""
    if not drifts(arms):
        return [(1, arms)]
    name = name_of(arms, "pieces")
    found = guarded(name, lambda: [(first, piece) for first, piece in arms.pieces()])
    if len(found) > MOST_PIECES:
        raise ContractError(f"{name}() must return at most {MOST_PIECES} pieces. Got {len(found)} instead.")
    starts = [first for first, _ in found]
    rising = all(is_whole(one) for one in starts) and starts == sorted(set(starts)) and starts[:1] == [1]
    if not rising:
        raise ContractError(f"{name}() must return pairs whose first steps rise from 1. Got {shown(starts)} instead.")
    if len({size_of(piece) for _, piece in found}) > 1 or size_of(found[0][1]) != size_of(arms):
        raise ContractError(f"{name}() must return sets of as many arms as there are, {size_of(arms)}.")
    return [(int(first), piece) for first, piece in found]


def refuse_drift(arms: Arms, what: str) -> None:
    """Raise if arms change or depend on features, for what only makes sense where they stay."""
    if has_features(arms):
        raise RefusalError(f"{what} is for arms without features. Got {type(arms).__name__} instead.")
    if drifts(arms):
        raise RefusalError(f"{what} is for arms that do not change. Got {type(arms).__name__} instead.")


def size_of(arms: Any) -> int:
    """The number of arms, or a sentence about `size`."""
    name = name_of(arms, "size")
    size = guarded(name, arms.size)
    if not is_whole(size) or size < 1:
        raise ContractError(f"{name}() must return a whole number >= 1. Got {shown(size)} instead.")
    refuse_beyond(BYTES_PER_ARM * int(size), f"{shown(int(size))} arms", "there are too many of them")
    return int(size)


def names_of(arms: Arms) -> list[str]:
    """What people call the arms: their names, or arm 0, arm 1 and so on."""
    size = size_of(arms)
    found = getattr(arms, "names", None)
    lines = found.split("\n") if isinstance(found, str) and found else []
    if lines and len(lines) != size:
        raise must_be(f"The 'names' parameter of {type(arms).__name__}", f"given one name per arm ({size})", len(lines))
    return lines or [f"arm {k}" for k in range(size)]


def mean_of(arms: Any, k: int) -> float:
    """The mean of arm k, or a sentence about `mean`."""
    name = name_of(arms, "mean")
    return real(name, guarded(name, arms.mean, k))


def variance_of(arms: Any, k: int) -> float:
    """The variance of arm k, which may be infinite, or a sentence about `variance`."""
    name = name_of(arms, "variance")
    return real(name, guarded(name, arms.variance, k), finite=False, least=0.0)


def draws_many(arms: Arms) -> bool:
    """Whether rewards of an arm can be drawn many at once: by methods that are of the same class as `draw`."""
    own = [cls for cls in type(arms).__mro__ if "draw" in vars(cls)][:1]
    return not hasattr(arms, "draw_next") and all(name in vars(cls) for cls in own for name in LEAP_METHODS)


def is_binary(arms: Any) -> bool:
    """Whether all rewards are 0 or 1."""
    return truth(arms, "binary")


def distribution_of(arms: Any, k: int) -> Any:
    """The distribution of arm k, or a sentence about `distribution`."""
    return guarded(name_of(arms, "distribution"), arms.distribution, k)


def repeated_reward(arms: Any) -> float | None:
    """A number that at least half of an arm's rewards are, but not all: 0, a part of a mixture, or one of few."""
    if not hasattr(arms, "distribution"):
        return None
    name = name_of(arms, "distribution")

    def share_up_to(one: Any, number: float) -> float:
        return real(name, guarded(name, lambda: float(one.cdf(number))))

    for k in range(min(size_of(arms), MOST_LOOKED_AT)):
        one = distribution_of(arms, k)
        if not isinstance(one, Distribution) or isinstance(one, Normal):
            continue
        parts = [part.mean for part in getattr(one, "parts", ())]
        values = getattr(one, "values", None)  # of finitely many rewards
        for number in (0.0, *parts, *([] if values is None else [float(guarded(name, one.quantile, 0.5))])):
            if 0.5 <= share_up_to(one, number) - share_up_to(one, math.nextafter(number, -math.inf)) < 1.0:
                return float(number)
    return None


def reward_range(arms: Any) -> tuple[float, float]:
    """The smallest and the largest reward that any arm can pay, infinite when that is not known."""
    if not hasattr(arms, "distribution"):
        return -math.inf, math.inf
    all_arms = [distribution_of(piece, k) for _, piece in pieces_of(arms) for k in range(size_of(piece))]
    name = name_of(arms, "distribution")
    lows, highs = ([real(f"{name}.{end}", guarded(name, getattr, one, end), False) for one in all_arms] for end in ENDS)
    return min(lows), max(highs)


def highest_reward(arms: Arms) -> float:
    """The largest reward that any arm can pay, infinite when that is not known."""
    return reward_range(arms)[1]
