"""The ways to simulate a run: same law, other paths. Which one serves a policy is decided here, in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riskbandits.errors import RefusalError, unknown_name
from riskbandits.simulation import kernel, lazy

KERNELS: dict[str, Callable[..., int]] = {"plain": kernel.play_run, "lazy": lazy.play_run}

LAZY_METHODS = ("watch", "tail", "draw_above")


def resolve_method(policy: Any, method: Any, risk: Any) -> str:
    """The method that `simulate(..., method=...)` means for a policy; "auto" is the fastest that serves it."""
    if method == "auto":
        return "lazy" if can_be_lazy(policy, risk) else "plain"
    if method not in KERNELS:
        raise unknown_name("simulation method", method, ["auto", *KERNELS])
    if method == "lazy" and not can_be_lazy(policy, risk):
        raise RefusalError(
            f"{type(policy).__name__} cannot be simulated lazily with {type(risk).__name__}: "
            "use method='auto' or method='plain'."
        )
    return str(method)


def can_be_lazy(policy: Any, risk: Any) -> bool:
    """Whether the policy has the methods that lazy sampling needs, and they hold for this risk measure."""
    if not all(hasattr(policy, name) for name in LAZY_METHODS) or hasattr(policy, "prepare"):
        return False
    serves = getattr(policy, "lazy_for", None)
    return bool(serves(risk)) if serves is not None else True
