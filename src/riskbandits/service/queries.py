"""Read-only operations on a bandit, done when everything before them is on disk."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

from riskbandits.service.bandit_state import Bandit, Event, Row
from riskbandits.service.operations import Answer, Desk, Operation, decisions_made


class Touch(Operation):
    """Changes nothing except to expire leases."""

    def apply(self, bandit: Bandit, desk: Desk) -> tuple[Answer, list[Event]]:
        """No more than that."""
        return Answer(200, b"{}"), []


class Seen(NamedTuple):
    """A copy of a bandit at one moment."""

    row: Row
    learner: str  # JSON
    sequence: int
    open: int
    counts: dict[str, int]


class Look(Touch):
    """A copy of the bandit as it is on disk, without the learner if that is `known` already."""

    def __init__(self, known: Callable[[Bandit], bool] = lambda bandit: False) -> None:
        self._known = known

    def result(self, bandit: Bandit, answer: Answer) -> Seen:
        """The copy."""
        learner = "" if self._known(bandit) else bandit.learner.to_json()
        return Seen(bandit.row, learner, bandit.sequence, len(bandit.open), dict(bandit.counts))


class Owed(Touch):
    """The open decisions, up to a maximum number."""

    def __init__(self, most: int) -> None:
        self._most = most

    def result(self, bandit: Bandit, answer: Answer) -> Answer:
        """The decisions as JSON, oldest first."""
        owed = itertools.islice(bandit.open.items(), self._most)
        rows = [{"decides": number, "arm": one.arm, "at": one.expires - bandit.lease} for number, one in owed]
        return decisions_made(bandit, rows)._replace(status=200)
