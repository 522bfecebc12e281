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
from riskbandits.learner.inspection import CHECK_AT
from riskbandits.learner.kernels import CompiledPolicy
from riskbandits.learner.state import TOLD

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

    def decide_next(self, available: Sequence[str] | None) -> tuple[int, str]:
        """Number and arm of the next decision."""
        made = self.decide(available=available)
        return id_number(made.id), str(made.arm)

    def check_reward(self, arm: str, reward: float) -> float:
        """The reward as a number that the policy takes, or raise."""
        return self._check_reward.of_arm(arm, reward)

    def record(self, number: int, arm: str, reward: float) -> None:
        """Record the reward, already checked, of an open decision."""
        with self._lock:
            self._record_answer(self._committed_state(), format_id(number), number, arm, reward)

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
        return self._scale_monitor.warning(self._state) if self.reward_count >= CHECK_AT[0] else None

    def _compile(self, policy: Policy) -> CompiledPolicy:
        named = json.dumps([canonical(policy), canonical(self.risk)])
        found = _compiled.get(named)
        if found is not None:  # the lock may be held for seconds, by somebody who compiles
            return found
        with _lock:
            return _compiled.setdefault(named, _compiled.get(named) or CompiledPolicy(policy, self.risk))
