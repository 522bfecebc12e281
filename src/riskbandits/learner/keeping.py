"""A learner as a text, a file, a pickle or a copy, and for another goal."""

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
    """The part of a `Learner` that keeps it."""

    policy: Any
    risk: Any
    _lock: threading.RLock

    def to_json(self) -> str:
        """Everything as a text, from which `from_json` goes on exactly: answers outstanding are part of it."""
        with self._lock:
            return saved.text(self)

    @classmethod
    def from_json(cls: type[Kept], text: str, policy: Any = None, risk: RiskMeasure | None = None) -> Kept:
        """Go on from what `to_json` gave. As for `load`, a policy or risk measure of your own is passed as a class."""
        _check_own(policy, risk)
        return saved.from_text(text, "The text of a learner", cls, policy, risk)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to a small JSON file, at once or not at all; when it returns, the file is on the disk."""
        path = checks.path("The file of a learner", path)
        with self._lock:
            saved.write(path, self)
        return Path(path)

    @classmethod
    def load(
        cls: type[Kept], path: str | os.PathLike[str], policy: Any = None, risk: RiskMeasure | None = None
    ) -> Kept:
        """Go on from a saved file: the choices continue exactly as if it had never stopped.

        A policy or risk measure of your own is passed here as a class: a file never makes Python import anything.
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
