"""Where an upper bound lies below the lower bound, and why that is no contradiction: the policy is not consistent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from riskbandits.arms import GaussianArms
from riskbandits.problem import Problem
from riskbandits.theory.bound import Bound
from riskbandits.theory.lower_bounds import lower_bound
from riskbandits.theory.mvts_rate import mvts_rate
from riskbandits.theory.theorems import theorem_1, theorem_2, theorem_3

# Two bounds that are the same number in theory differ by less than this in doubles.
ROUNDING = 1e-9

_TOO_RARELY = (
    "MTS and MVTS are not consistent on all Gaussian problems, so the lower bound for all of them does not bind them: "
    "they draw means with variance 1/T whatever the variance of the rewards, and come back too rarely to a best arm of "
    "variance above 1 (wrong pulls grow like a power of n). The lower bound for variances <= 1 is the "
    "one to hold against MVTS; MTS, which never draws a variance, is not consistent on that class either."
)
NOT_CONSISTENT = {
    "MTS": _TOO_RARELY,
    "MVTS": _TOO_RARELY,
    "VTS": (
        "VTS is not consistent on all Gaussian problems, whatever rho > 0, so no lower bound binds it: it never draws "
        "a mean, and a low sample mean can shut the best arm out for good (wrong pulls then grow like n)."
    ),
}


class Below(NamedTuple):
    """An upper bound that allows some arms fewer pulls than the lower bound requires."""

    bound: str
    policy: str
    arms: tuple[int, ...]
    applies: bool  # whether its assumptions hold for all of these arms
    sentence: str  # what is so
    reason: str  # why the policy may do it, the same for all bounds of a policy


def below_lower_bound(problem: Problem, rho: float | None = None) -> tuple[Below, ...]:
    """The upper bounds of this package that lie below `lower_bound` for some arm of a problem, each with the reason.

    Under their assumptions those of MTS and MVTS never lie below the bound for variances <= 1.

    >>> import riskbandits as rb
    >>> found = below_lower_bound(rb.Problem(rb.GaussianArms([2, 0], [0.05, 1.0]), rb.MeanVariance(20.0)))
    >>> [(one.bound, one.arms, one.applies) for one in found][:2]
    [('MVTS rate', (1,), True), ('Theorem 1 (MTS)', (1,), True)]
    """
    if not isinstance(problem.arms, GaussianArms):
        return ()  # Theorem 4 follows from Pinsker's inequality and is nowhere below the lower bound.
    least = lower_bound(problem, rho)
    upper = (
        ("MVTS", mvts_rate(problem, rho)),
        ("MTS", theorem_1(problem, rho)),
        ("VTS", theorem_2(problem, rho)),
        ("MVTS", theorem_3(problem, rho)),
    )
    found = (_below(policy, bound, least) for policy, bound in upper)
    return tuple(one for one in found if one is not None)


def _below(policy: str, bound: Bound, least: Bound) -> Below | None:
    fewer: Any = bound.pulls < (1.0 - ROUNDING) * least.pulls
    arms = tuple(np.flatnonzero(fewer).tolist())
    if not arms:
        return None
    failing = [arm for arm in arms if not bound.holds[arm]]
    sentence = f"{bound.name} allows fewer pulls of {_listed(arms)} than the lower bound"
    if failing:
        sentence += f"; for {_listed(failing)} its assumptions fail, and its formula is no bound"
    return Below(bound.name, policy, arms, not failing, f"{sentence}.", NOT_CONSISTENT[policy])


def _listed(arms: Sequence[int]) -> str:
    return f"arm {arms[0]}" if len(arms) == 1 else f"arms {', '.join(map(str, arms))}"
