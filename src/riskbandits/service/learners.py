"""Learners of the service: they share compiled code, and their decisions have numbers in place of ids.

Thousands of bandits use a handful of policies, all of the package, whose code does not change.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from riskbandits.core.records import canonical
from riskbandits.learner import Learner
from riskbandits.learner.decisions import REMEMBERED, format_id, id_number
from riskbandits.learner.inspection import FIRST_CHECK
from riskbandits.learner.kernels import CompiledPolicy
from riskbandits.learner.state import TOLD
from riskbandits.policies import hurdle_ts
from riskbandits.service.errors import ProblemError

if TYPE_CHECKING:
    from riskbandits.types import Policy

_lock = threading.Lock()
_compiled: dict[str, CompiledPolicy] = {}


class ServiceLearner(Learner):
    """A learner whose decisions are known by their numbers: the service has ids of its own."""

    ids_with_tokens = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._scale_monitor.next_check = math.inf  # a warning would go to nobody: see `notice`

    def decide_next(
        self, available: Sequence[str] | None, features: dict[str, Any] | None = None
    ) -> tuple[int, str, float | None]:
        """Number and arm of the next decision, and with `propensity` the probability of the arm."""
        made = self.decide(available=available, features=features)
        return id_number(made.id), str(made.arm), made.probability

    @property
    def uses_features(self) -> bool:
        """Whether its decisions have features."""
        return bool(self._coding.records)

    def check_reward(self, arm: str, reward: float) -> float:
        """The reward as a number that the policy takes, or raise."""
        return self._check_reward.of_arm(arm, reward)

    def record(self, number: int, arm: str, reward: float) -> None:
        """Record the reward, already checked, of an open decision."""
        with self._lock:
            self._scale_monitor.note(self._state, arm, reward, 0)
            self._record_answer(self._committed_state(), format_id(number), number, arm, reward)

    def check_amount(self, arm: str, amount: float) -> None:
        """Raise unless a sale of the arm may be said to pay that amount: it is new, or that was known."""
        _, known = hurdle_ts.known_amounts(self.policy, [arm], {arm: amount})
        row = self._state.rows.get(arm)
        before = self._state.policy_state[row] if row is not None else None
        if before is None and arm in self._state.retired:
            before = self._state.retired[arm].state
        if before is not None and before[hurdle_ts.AMOUNT] != known[arm]:
            raise ProblemError(409, f"The amount of the arm {arm!r} must be as it was: {before[hurdle_ts.AMOUNT]:g}.")

    def add_with(self, arm: str, amount: float | None) -> None:
        """Add an arm whose sales pay that amount, if it is known and the policy uses it."""
        self.add(arm, amount=amount if hurdle_ts.hurdle_inside(self.policy) is not None else None)

    def has_retired(self, arm: str) -> bool:
        """Whether the arm was retired (and not so long ago that it is forgotten)."""
        return arm in self._state.retired

    def forget_number(self, number: int) -> None:
        """Stop waiting for the reward of a decision."""
        self.forget(format_id(number))

    def open_numbers(self) -> dict[int, str]:
        """The arms of the open decisions, by number."""
        return {id_number(one.id): str(one.arm) for one in self.open_decisions()}

    def exported(self) -> Learner:
        """A learner to go on with outside the service: it remembers settled decisions itself."""
        learner = Learner.from_json(self.to_json())
        learner._decision_log.remember = REMEMBERED
        return learner

    @property
    def reward_count(self) -> int:
        """All rewards told, of arms retired long ago too."""
        return int(self._state.total_count(TOLD))

    def notice(self) -> str | None:
        """The warning that a learner would give, if any."""
        monitor = self._scale_monitor
        return monitor.warning(self._state) if self.reward_count >= FIRST_CHECK else monitor.other_amount

    def _compile(self, policy: Policy) -> CompiledPolicy:
        named = json.dumps([canonical(policy), canonical(self.risk)])
        found = _compiled.get(named)
        if found is not None:  # the lock may be held for seconds, by somebody who compiles
            return found
        with _lock:
            return _compiled.setdefault(named, _compiled.get(named) or CompiledPolicy(policy, self.risk))
