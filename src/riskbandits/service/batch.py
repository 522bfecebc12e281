"""Jobs waiting for the writer, and what it looks up for all of them at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from riskbandits.service import times
from riskbandits.service.bandit_state import Bandit, Event
from riskbandits.service.db import statements
from riskbandits.service.operations import Operation, Settled


class Job:
    """An operation on a bandit (by name or by id), and the future for its reply."""

    __slots__ = ("bandit", "future", "operation", "reply")

    def __init__(self, bandit: str | int, operation: Operation, future: asyncio.Future[Any] | None) -> None:
        self.bandit, self.operation, self.future = bandit, operation, future
        self.reply: Any = None


class Create(Operation):
    """Make a bandit."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec


class Batch:
    """What the operations of one commit may look up."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.at = times.now()
        self.keyed: dict[tuple[int, str], Any] = {}
        self.settled: dict[tuple[int, int], Settled] = {}
        self.new: list[Event] = []

    def events(self, bandit: Bandit, first: int, count: int) -> Sequence[Any]:
        """Events of the bandit, from the log or of this batch."""
        found = list(statements.read_events(self.connection, bandit.id, first - 1, count))
        mine = [one for one in self.new if one["bandit_id"] == bandit.id and first <= one["sequence"] < first + count]
        return [*found, *mine]

    def look_up(self, jobs: dict[int, list[Job]], bandits: dict[int, Bandit]) -> None:
        """Look up everything the operations will need, all at once."""
        keys, numbers = [], []
        for number, bandit in bandits.items():
            for job in jobs[number]:
                key = job.operation.key()
                if key is not None:
                    keys.append((number, key))
                numbers += [(number, one) for one in job.operation.numbers() if one not in bandit.open]
        self.keyed = statements.keyed(self.connection, keys)
        self.settled = statements.settled(self.connection, numbers)
        for one in self.new:  # what has expired just now is not in the database yet
            self.settled[one["bandit_id"], one["settles"]] = (one["kind"], None)
