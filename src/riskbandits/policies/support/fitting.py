"""Whether rewards suit a policy, and a warning if they do not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.policies.discounted import Discounted
from riskbandits.policies.gaussian_ts import GaussianTS
from riskbandits.policies.imed_mv import IMEDMV
from riskbandits.policies.kl_ucb_mv import KLUCBMV
from riskbandits.policies.linear_ngts import LinearNGTS
from riskbandits.policies.mts import MTS
from riskbandits.policies.mv_lcb import MVLCB
from riskbandits.policies.mvts import MVTS
from riskbandits.policies.ngts import NGTS
from riskbandits.policies.npts import NPTS
from riskbandits.policies.restarting import Restarting
from riskbandits.policies.switching_aware import SwitchingAware
from riskbandits.policies.vts import VTS

if TYPE_CHECKING:
    from riskbandits.types import Policy

# Standard deviations: MVTS explores returns of 0.02 by lot for as long as anybody runs it, and spreads much above 1 too
# little.
SMALLEST, LARGEST = 0.05, 10.0


def has_unit_scale(policy: Policy) -> bool:
    """Whether the policy, or the one it wraps, has a prior for rewards on a scale near 1."""
    inner = innermost(policy)
    return isinstance(inner, (MTS, VTS, MVTS)) or (isinstance(inner, NGTS) and not inner.pooled and inner.rate > 0.0)


def form_for_binary(policy: Policy) -> str | None:
    """The policy to use instead of this one, which treats rewards as Gaussian, when they are 0 or 1."""
    if hasattr(policy, "policy"):
        form = form_for_binary(policy.policy)
        if form is None and isinstance(policy, Restarting) and not policy.binary:
            form = f"{type(policy.policy).__name__}(...)"
        return form if form is None else _wrapped(policy, form)
    if isinstance(policy, (IMEDMV, KLUCBMV)):
        return None if policy == type(policy).bernoulli() else f"{type(policy).__name__}.bernoulli()"
    if isinstance(policy, GaussianTS):
        return "BernoulliTS()"
    return "BMVTS()" if isinstance(policy, (MTS, VTS, MVTS, NGTS)) else None


def _wrapped(wrapper: Policy, form: str) -> str:
    """The same wrapper around the form for rewards that are 0 or 1, as a call."""
    if isinstance(wrapper, SwitchingAware):
        return "SwitchingAware.bernoulli()" if form == "BMVTS()" else f"SwitchingAware({form})"
    if isinstance(wrapper, Discounted):
        return f"Discounted({form}, half_life={wrapper.half_life:g})"
    return f"Restarting({form}, binary=True)" if isinstance(wrapper, Restarting) else form


def is_for_spread_rewards(policy: Policy) -> bool:
    """Whether the policy takes rewards to be spread out: one that is paid again and again then looks certain."""
    return form_for_binary(policy) is not None or isinstance(innermost(policy), (LinearNGTS, MVLCB, NPTS))


def form_for_sales(policy: Policy) -> str:
    """The policy to use instead of this one, when most rewards are 0."""
    half_lives = [one.half_life for one in layers(policy) if isinstance(one, Discounted)]
    return f"Discounted(HurdleTS(), half_life={half_lives[0]:g})" if half_lives else "HurdleTS()"


def complaint(policy: Policy, variances: Any, binary: bool, repeated: float | None = None) -> str | None:
    """The warning about rewards with these variances within arms, if any.

    `repeated` is a number that at least half of an arm's rewards are.
    """
    name = type(policy).__name__
    if isinstance(innermost(policy), LinearNGTS):
        often = "0 and 1" if binary else None if repeated is None else f"{repeated:g} for at least half of an arm"
        return often and (
            f"The rewards are {often}, which {name} treats as Gaussian: it takes the arm's variance to be better known "
            f"than it is. {'BMVTS()' if binary else 'HurdleTS()'} is made for such rewards, without features."
        )
    if binary:
        form = form_for_binary(policy)
        return None if form is None else f"The rewards are 0 and 1, which {name} treats as Gaussian: use {form}."
    if repeated is not None and is_for_spread_rewards(policy):  # the same for many policies, so that it is said once
        less = "" if repeated == 0.0 else f" less {repeated:g}"
        if any(isinstance(one, Restarting) for one in layers(policy)):
            return (
                f"At least half of the rewards of an arm are {repeated:g}, and Restarting takes others that follow for "
                f"a change of the arm: use HurdleTS() for the rewards{less}, or Discounted(HurdleTS()) if arms change."
            )
        return (
            f"At least half of the rewards of an arm are {repeated:g}, which most policies take for little risk: use "
            f"{form_for_sales(policy)} for the rewards{less}, with amounts=[...] if it is known what a sale pays."
        )
    known = np.asarray([one for one in variances if 0.0 < one < math.inf], dtype=np.float64)
    if not len(known) or not has_unit_scale(policy):
        return None
    spread = math.exp(0.5 * float(np.log(known).mean()))
    if SMALLEST <= spread <= LARGEST:
        return None
    times = 10.0 ** -round(math.log10(spread))
    return (
        f"{name} is designed for rewards on a scale near 1, and these have a standard deviation of about {spread:.2g}: "
        f"multiply them by {times:g}, or use NGTS() or SwitchingAware(), which adapt to the scale of the rewards."
    )


def layers(policy: Any) -> list[Any]:
    """The policy and those within it, from the outermost one."""
    found = [policy]
    while hasattr(found[-1], "policy"):
        found.append(found[-1].policy)
    return found


def innermost(policy: Policy) -> Any:
    """The policy within wrappers."""
    return layers(policy)[-1]
