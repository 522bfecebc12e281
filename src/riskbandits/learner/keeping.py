"""A learner as JSON, a file, a pickle or a copy, and for another goal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from riskbandits.core import checks
from riskbandits.core.known_classes import check_classes
from riskbandits.core.records import canonical, checked, is_record
from riskbandits.learner import restoring, saved
from riskbandits.risk.contract import RISK_METHODS

if TYPE_CHECKING:
    import threading

    from riskbandits.types import RiskMeasure

Kept = TypeVar("Kept", bound="Keeping")


class Keeping:
    """The part of a `Learner` that saves and copies it."""

    policy: Any
    risk: Any
    _lock: threading.RLock

    def to_json(self) -> str:
        """Everything as JSON text, from which `from_json` continues exactly, including outstanding rewards."""
        with self._lock:
            return saved.text(self)

    @classmethod
    def from_json(cls: type[Kept], text: str, policy: Any = None, risk: RiskMeasure | None = None) -> Kept:
        """Continue from the output of `to_json`. As for `load`, pass your own policy or risk measure as a class."""
        _check_own(policy, risk)
        return saved.from_text(text, "The text of a learner", cls, policy, risk)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to a small JSON file, atomically; when it returns, the file is on disk."""
        path = checks.path("The file of a learner", path)
        with self._lock:
            saved.write(path, self)
        return Path(path)

    @classmethod
    def load(
        cls: type[Kept], path: str | os.PathLike[str], policy: Any = None, risk: RiskMeasure | None = None
    ) -> Kept:
        """Continue from a saved file: the choices continue exactly as if it had never stopped.

        Pass your own policy or risk measure as a class: a file never makes Python import anything.
        """
        path = checks.path("The file of a learner", path)
        _check_own(policy, risk)
        return saved.read(path, cls, policy, risk)

    def with_risk(self: Kept, risk: Any) -> Kept:
        """Another learner with the same evidence and open decisions, for another goal."""
        goal = checked(risk, "risk measure", RISK_METHODS)
        with self._lock:
            content = saved.content_of(self)
        content["risk"] = canonical(goal)
        for line in content["retired"]:
            line.pop("value", None)  # what it was worth for the old goal
        return restoring.make(content, type(self), self.policy, goal)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(), self.policy, self.risk)


def _check_own(*own: Any) -> None:
    for one in own:
        if one is not None and not is_record(one):
            check_classes([one])
