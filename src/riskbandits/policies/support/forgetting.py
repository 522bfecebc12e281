"""What policies that forget have in common: which policies they can wrap, and when forgetting is too fast."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskbandits.arms.contract import size_of
from riskbandits.core.records import classes_of, is_record
from riskbandits.policies.support import contract

if TYPE_CHECKING:
    from riskbandits.types import Arms, Policy

FORGETTING = ("Discounted", "Restarting")


def complaint(wrapper: Any) -> tuple[str, str, object] | str | None:
    """What is wrong with the policy inside one that forgets, if anything is."""
    name, policy = type(wrapper).__name__, wrapper.policy
    methods = all(callable(getattr(policy, method, None)) for method in contract.POLICY_METHODS)
    if not is_record(policy) or not methods:
        return (f"The 'policy' parameter of {name}", "a policy such as NGTS()", policy)
    if forgets(policy):
        return (f"The 'policy' parameter of {name}", "a policy that does not forget by itself", policy)
    if not contract.defines(policy, "fade"):
        return f"{name} needs a policy that can forget, and {type(policy).__name__} has no method 'fade'."
    return None


def forgets(policy: Any) -> bool:
    """Whether a policy, or one inside it, forgets by itself."""
    return any(cls.__name__ in FORGETTING for cls in classes_of(policy))


def refuse_haste(policy: Policy, arms: Arms, half_life: float) -> str | None:
    """The refusal of a half-life so short that trying all arms in turn would take all steps.

    Each of K arms, played every K steps, weighs q/(1 - q) before its next turn, q = 2^(-K/half_life): it must be more
    than the pulls that the policy needs.
    """
    needed = contract.needed(policy)
    if arms is None or needed == 0:
        return None
    size = size_of(arms)
    least = size / math.log2(1.0 + 1.0 / needed)
    if size == 1 or half_life > least:
        return None
    return (
        f"A half-life of {half_life:g} steps is too short for {size} arms: their evidence would fade before all are "
        f"tried again. {type(policy).__name__} needs more than {least:.3g}."
    )


def refuse_short_interval(arms: Arms, every: float) -> str | None:
    """The refusal of looks at all arms that would take all steps."""
    if arms is None or every == 0.0 or every > size_of(arms):
        return None
    return (
        f"Playing each of {size_of(arms)} arms every {every:g} steps leaves no step for the best one: 'every' of "
        f"Restarting must be more than {size_of(arms)}, or 0."
    )
