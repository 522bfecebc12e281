"""Wrapper policies: everything that a wrapper does not define itself is forwarded to the wrapped policy.

    @wrapper
    class Loud(NamedTuple):
        policy: Any

        def score(self, state, k, run, risk, rng): ...

The class then has every method of a policy's contract. Those that it does not define call `self.policy`, or the default
of the contract if that has no such method. `bounds` is the exception: those of the wrapped policy hold for its own
scores, so a wrapper that does not change the scores must say so itself. And a wrapper with its own `learn` does not
receive many rewards at once unless it defines `learn_many`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from riskbandits.compiling.jit import always_inline
from riskbandits.policies.support import contract

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State

Class = TypeVar("Class", bound=type)
Method = TypeVar("Method", bound=Callable[..., Any])


def wrapper(cls: Class) -> Class:
    """Give a record class with a field `policy` all methods of the contract that it lacks."""
    own = {name for name, method in vars(cls).items() if not getattr(method, "__handed_on__", False)}
    for name, method in HANDED_ON.items():
        # What the policy inside makes of many rewards is not what this one makes of each of them.
        if name not in own and not (name == "learn_many" and "learn" in own):
            setattr(cls, name, method)
    return cls


def handed_on(method: Method) -> Method:
    """For a method that a class only spells out so that type checkers know of it."""
    return HANDED_ON[method.__name__]  # type: ignore[return-value]


class _Wrapped:
    policy: Any

    @always_inline
    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        return self.policy.score(state, k, run, risk, rng)

    @always_inline
    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        self.policy.learn(state, k, run, reward)

    @always_inline
    def measure(self, state: State, run: Run, risk: RiskMeasure) -> Any:
        return contract.measure(self.policy, state, run, risk)

    @always_inline
    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        contract.prepare(self.policy, state, run, risk, rng)

    @always_inline
    def chosen(self, state: State, k: int, run: Run) -> None:
        contract.chosen(self.policy, state, k, run)

    @always_inline
    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        contract.fade(self.policy, state, k, run, factor)

    @always_inline
    def evidence(self, state: State, k: int) -> float:
        return contract.evidence(self.policy, state, k)

    @always_inline
    def needed(self) -> int:
        return contract.needed(self.policy)

    @always_inline
    def feature_count(self) -> int:
        return contract.feature_count(self.policy)

    @always_inline
    def all_changed(self, run: Run) -> bool:
        return contract.all_changed(self.policy, run)

    @always_inline
    def learn_many(self, state: State, k: int, run: Run, count: float, mean: float, squares: float) -> None:
        contract.learn_many(self.policy, state, k, run, count, mean, squares)

    @always_inline
    def unchanged_for(self, run: Run) -> float:
        return contract.unchanged_for(self.policy, run)

    def rises(self) -> bool:
        return contract.rises(self.policy)

    def first_pulls(self) -> int:
        return contract.first_pulls(self.policy)

    def width(self) -> int:
        return contract.width(self.policy)

    def history(self) -> int:
        return contract.history_entries(self.policy)

    def needs_horizon(self) -> bool:
        return contract.needs_horizon(self.policy)

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        return contract.refusal(self.policy, risk, arms)

    def returns_to_all(self, risk: RiskMeasure, arms: Arms) -> bool:
        return contract.returns_to_all(self.policy, risk, arms)

    def rejects(self, reward: float) -> str | None:
        return contract.reward_complaint(self.policy, reward)


HANDED_ON = {name: method for name, method in vars(_Wrapped).items() if isinstance(method, FunctionType)}
for _method in HANDED_ON.values():
    _method.__handed_on__ = True  # type: ignore[attr-defined]  # what `contract.defines` asks
