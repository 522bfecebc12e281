"""The ways to simulate a run: same law, other paths. Which one serves a policy is decided here, in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from riskbandits.errors import RefusalError, unknown_name
from riskbandits.guards import truth
from riskbandits.policies.contract import LAZY_METHODS, history_entries, prepares
from riskbandits.simulation import kernel, lazy, rising

KERNELS: dict[str, Callable[..., int]] = {
    "lazy": lazy.play_run,  # samples only the arms that can matter
    "rising": rising.play_run,  # scores only the arms that can win; the very path of "plain"
    "plain": kernel.play_run,  # scores every arm at every step: the oracle
}

# The plain kernel on a GPU, with streams of its own: methods by the precision of their numbers.
DEVICE_METHODS = {"cuda": "float64", "cuda-float32": "float32"}


def resolve_method(policy: Any, method: Any, risk: Any, arms: Any = None) -> str:
    """The method that `simulate(..., method=...)` means for a policy; "auto" is the fastest that serves it.

    "lazy" means either of the two that leave out arms: a policy that draws nothing has one of its own.
    """
    if not isinstance(method, str):  # what cannot be looked up in a table
        raise unknown_name("simulation method", method, ["auto", *KERNELS])
    if method in DEVICE_METHODS:
        check_device_serves(policy, arms)
        return str(method)
    if method not in ("auto", *KERNELS):
        raise unknown_name("simulation method", method, ["auto", *KERNELS])
    fastest = next(name for name in KERNELS if serves(name, policy, risk))
    if method == "auto" or (method == "lazy" and fastest != "plain"):
        return fastest
    if not serves(method, policy, risk):
        raise RefusalError(
            f"{type(policy).__name__} cannot be simulated with method={method!r} for {type(risk).__name__}: "
            "use method='auto' or method='plain'."
        )
    return str(method)


def method_on(engine: Any, method: Any, precision: Any) -> Any:
    """The method by which an engine simulates: a GPU has its own, elsewhere the one that was asked for."""
    precisions = list(DEVICE_METHODS.values())
    if not isinstance(method, str):
        raise unknown_name("simulation method", method, ["auto", *KERNELS])
    if not isinstance(precision, str) or precision not in precisions:
        raise unknown_name("precision", precision, precisions)
    if not (isinstance(engine, str) and engine == "cuda"):
        if precision != precisions[0]:
            raise RefusalError(f"precision={precision!r} is for engine='cuda' only: elsewhere all numbers are float64.")
        if method in DEVICE_METHODS:
            raise RefusalError(f"method={method!r} is what engine='cuda' does: ask for the engine instead.")
        return method
    if method not in ("auto", "plain"):
        raise RefusalError(f"engine='cuda' scores every arm at every step: method={method!r} is for other engines.")
    return next(name for name, number in DEVICE_METHODS.items() if number == precision)


def check_device_serves(policy: Any, arms: Any) -> None:
    """Raise for what needs memory that grows with the run: a thread on a GPU has a fixed share."""
    if history_entries(policy):
        raise RefusalError(
            f"{type(policy).__name__} keeps a history of rewards, which a GPU has no room for: use another engine."
        )
    if hasattr(arms, "draw_next"):
        raise RefusalError(
            f"{type(arms).__name__} remember earlier rewards, which a GPU has no room for: use another engine."
        )


def serves(method: str, policy: Any, risk: Any) -> bool:
    """Whether a method can simulate the policy under this risk measure."""
    if method == "plain":
        return True
    if prepares(policy):
        return False
    if method == "rising":
        # With a measure of its own a score changes otherwise than by STEP alone.
        return truth(policy, "rises") and not hasattr(policy, "measure")
    if not all(hasattr(policy, name) for name in LAZY_METHODS):
        return False
    return truth(policy, "lazy_for", risk, default=True)
