"""The ways to simulate a run: same law, other paths. Which one serves a policy is decided here, in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riskbandits.errors import unknown_name
from riskbandits.simulation import kernel

KERNELS: dict[str, Callable[..., int]] = {"plain": kernel.play_run}


def resolve_method(policy: Any, method: Any) -> str:
    """The method that `simulate(..., method=...)` means for a policy; "auto" is the fastest that serves it."""
    if method == "auto":
        return "plain"
    if method not in KERNELS:
        raise unknown_name("simulation method", method, ["auto", *KERNELS])
    return str(method)
