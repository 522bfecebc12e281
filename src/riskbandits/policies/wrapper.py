"""What a policy around another policy hands on to it: everything that it does not do itself.

    @wrapper
    class Loud(NamedTuple):
        policy: Any

        def score(self, state, k, run, risk, rng): ...

The class then has every method of a policy's contract. Those that it does not define ask `self.policy`, or the default of
the contract if that has no such method. `bounds` is the exception: those of the policy inside hold for its own scores, so a
wrapper that changes nothing about them says so itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from riskbandits.compiled import inlined
from riskbandits.policies import contract

Class = TypeVar("Class", bound=type)

HANDED_ON: dict[str, Callable[..., Any]] = {}


def wrapper(cls: Class) -> Class:
    """Give a record class with a field `policy` all methods of the contract that it lacks."""
    for name, method in HANDED_ON.items():
        if name not in vars(cls):
            setattr(cls, name, method)
    return cls


def _handed_on(method: Callable[..., Any]) -> Callable[..., Any]:
    method.__handed_on__ = True  # type: ignore[attr-defined]  (what `contract.defines` asks)
    HANDED_ON[method.__name__] = method
    return method


@_handed_on
@inlined
def score(self: Any, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
    return self.policy.score(state, k, run, risk, rng)


@_handed_on
@inlined
def learn(self: Any, state: Any, k: int, run: Any, reward: float) -> None:
    self.policy.learn(state, k, run, reward)


@_handed_on
@inlined
def measure(self: Any, state: Any, run: Any, risk: Any) -> Any:
    return contract.measure(self.policy, state, run, risk)


@_handed_on
@inlined
def prepare(self: Any, state: Any, run: Any, risk: Any, rng: Any) -> None:
    contract.prepare(self.policy, state, run, risk, rng)


@_handed_on
@inlined
def chosen(self: Any, state: Any, k: int, run: Any) -> None:
    contract.chosen(self.policy, state, k, run)


@_handed_on
@inlined
def all_changed(self: Any, run: Any) -> bool:
    return contract.all_changed(self.policy, run)


@_handed_on
def rises(self: Any) -> bool:
    return contract.rises(self.policy)


@_handed_on
def first_pulls(self: Any) -> int:
    return contract.first_pulls(self.policy)


@_handed_on
def width(self: Any) -> int:
    return contract.width(self.policy)


@_handed_on
def history(self: Any) -> int:
    return contract.history_entries(self.policy)


@_handed_on
def needs_horizon(self: Any) -> bool:
    return contract.needs_horizon(self.policy)


@_handed_on
def refuses(self: Any, risk: Any, arms: Any) -> str | None:
    return contract.refusal(self.policy, risk, arms)


@_handed_on
def rejects(self: Any, reward: float) -> str | None:
    return contract.reward_complaint(self.policy, reward)
