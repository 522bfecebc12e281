"""Learners that share compiled code: thousands of bandits use a handful of policies."""

from __future__ import annotations

import json
import math
import threading
from typing import TYPE_CHECKING, Any

from riskbandits.core.records import canonical
from riskbandits.learner import Learner
from riskbandits.learner.inspection import CHECK_AT
from riskbandits.learner.kernels import CompiledPolicy
from riskbandits.policies.cells import REWARD_COUNT

if TYPE_CHECKING:
    from riskbandits.types import Policy

_lock = threading.Lock()
_known: dict[str, CompiledPolicy] = {}


class SharedLearner(Learner):
    """A learner of the service. Its policy and risk measure belong to the package, whose code does not change."""

    ids_with_tokens = False  # the service has ids of its own

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._scale_monitor.next_check = math.inf  # a warning would go to nobody: see `notice`

    def notice(self) -> str | None:
        """The warning that a learner would give, if any."""
        return self._scale_monitor.warning(self._state) if self._state.run[REWARD_COUNT] >= CHECK_AT[0] else None

    def _compile(self, policy: Policy) -> CompiledPolicy:
        named = json.dumps([canonical(policy), canonical(self.risk)])
        found = _known.get(named)
        if found is not None:  # the lock may be held for seconds, by somebody who compiles
            return found
        with _lock:
            return _known.setdefault(named, _known.get(named) or CompiledPolicy(policy, self.risk))
