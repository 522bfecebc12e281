"""User objects with `select` and `update`, run in plain Python by `method="python"`."""

from __future__ import annotations

import copy
import inspect
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.core.checks import as_number, is_whole
from riskbandits.core.errors import ContractError, ParameterError, shown
from riskbandits.core.records import is_record
from riskbandits.core.user_calls import guarded
from riskbandits.policies.cells import HORIZON, STEP

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure, Rng, Run, State

METHODS = ("select", "update")


class Chooser:
    """An object with `select` and `update`, and the copy of it that plays the run of each thread.

    A policy is a record, which must not change. What changes is here: every run begins with a new copy of the object.
    """

    def __init__(self, thing: Any) -> None:
        self.thing = thing
        self.name = type(thing).__name__
        self.takes_rng = _parameters(thing.select) > 0
        self._playing: dict[int, Any] = {}

    @property
    def as_data(self) -> str:
        """What names it in a file, and in the key of its streams: its class, and its plain numbers and texts."""
        found = getattr(self.thing, "__dict__", {})
        known = {
            key: value for key, value in sorted(found.items()) if as_number(value) is not None or isinstance(value, str)
        }
        return f"{self.name}({', '.join(f'{key}={value!r}' for key, value in known.items())})"

    def begin(self, arms: int, horizon: float, rng: Rng) -> None:
        """A new copy, for the run that this thread begins; `reset(arms, horizon, rng)` tells it what there is."""
        self._playing[threading.get_ident()] = fresh = copy.deepcopy(self.thing)
        if hasattr(fresh, "reset"):
            guarded(f"{self.name}.reset", fresh.reset, *(arms, horizon, rng)[: _parameters(fresh.reset)])

    def select(self, arms: int, rng: Rng) -> int:
        """The arm that it chooses."""
        playing = self._playing[threading.get_ident()]
        arm = guarded(f"{self.name}.select", playing.select, *((rng,) if self.takes_rng else ()))
        if not is_whole(arm) or not 0 <= arm < arms:
            raise ContractError(
                f"{self.name}.select must return the number of an arm, 0 to {arms - 1}. Got {shown(arm)}."
            )
        return int(arm)

    def update(self, arm: int, reward: float) -> None:
        """Tell it a reward."""
        guarded(f"{self.name}.update", self._playing[threading.get_ident()].update, arm, reward)

    def __repr__(self) -> str:
        return self.as_data


class PythonObject(NamedTuple):
    """A policy made of an object with `select() -> arm` and `update(arm, reward)`, for `method="python"` alone.

    `select` may ask for the random generator of the run, `select(rng)`; `reset(arms, horizon, rng)`, or fewer of
    these, is called when a run begins.
    """

    chooser: Any

    def own_label(self) -> str:
        """The name of the object's class."""
        return str(self.chooser.name)

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Let the object choose."""
        if run[STEP] == 1.0:
            self.chooser.begin(len(state), run[HORIZON], rng)
        state[:, 0] = 0.0
        state[self.chooser.select(len(state), rng), 0] = 1.0

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """1 for the arm it chose, 0 for the others."""
        return float(state[k, 0])

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Tell it the reward."""
        self.chooser.update(k, reward)


def is_object(policy: Policy) -> bool:
    """Whether a thing is no record but can choose: it has `select` and `update`."""
    return not isinstance(policy, type) and not is_record(policy) and makes_objects(type(policy))


def makes_objects(cls: Any) -> bool:
    """Whether instances of a class can choose."""
    return all(callable(getattr(cls, name, None)) for name in METHODS)


def wrapped(policies: Any) -> Any:
    """The policies, of which objects with `select` and `update` have become records."""
    if is_object(policies):
        policies = [policies]
    if isinstance(policies, Mapping):
        return {label: record(policy) for label, policy in policies.items()}
    if not isinstance(policies, (list, tuple)) or is_record(policies) or not any(is_object(one) for one in policies):
        return policies
    labels = [type(policy).__name__ for policy in policies if is_object(policy)]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise ParameterError(f"Several policies are {twice} objects: give them labels, as in {{'one': {twice}(...)}}.")
    return [record(policy) for policy in policies]


def record(policy: Policy) -> Any:
    """The record that an object becomes; a record stays as it is."""
    if not is_object(policy):
        return policy
    guarded(f"{type(policy).__name__}, copied for a run,", copy.deepcopy, policy)
    return PythonObject(Chooser(policy))


def refuse_objects(policies: Any) -> None:
    """Raise for objects where records alone will do."""
    several = isinstance(policies, (list, tuple)) and not is_record(policies)
    found = policies.values() if isinstance(policies, Mapping) else policies if several else [policies]
    for policy in found:
        if is_object(policy):
            raise ContractError(
                f"{type(policy).__name__} is an object with select and update, which cannot be compiled: "
                "method='python' (or --method python) runs it in plain Python, slowly."
            )


def _parameters(method: Any) -> int:
    """How many arguments a method takes by place."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in kinds for one in inspect.signature(method).parameters.values())
