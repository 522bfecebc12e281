"""A bandit in memory: its learner and the decisions that are owed an answer, as its events made them.

Whatever happens goes through the methods here, when it happens and when the log is played again: there is one fold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from riskbandits.learner import Learner
from riskbandits.learner.decisions import format_id, id_number
from riskbandits.service import ids, specs
from riskbandits.service.shared import SharedLearner

DECISION, REWARD, FORGOTTEN, EXPIRED = "decision", "reward", "forgotten", "expired"
ADDED, RETIRED = "arm-added", "arm-retired"

SNAPSHOT_EVERY = 5000  # events; each is played again in about 20 microseconds when a bandit is loaded
BYTES_PER_EVENT = 100  # of a large snapshot: it is written the less often

Event = dict[str, Any]  # a row of the table of events


class DifferentError(Exception):
    """The log disagrees with the learner, which must never happen."""


class BrokenError(Exception):
    """The learner failed halfway: memory no longer matches the log and must be rebuilt."""


class Open(NamedTuple):
    """An open decision."""

    arm: str
    expires: int


class Row(NamedTuple):
    """A bandit as the database has it."""

    id: int
    name: str
    spec: dict[str, Any]
    secret: bytes
    version: int
    origin: int | None
    created: int


class Bandit:
    """The state of a bandit after its event number `sequence`."""

    def __init__(self, row: Row, learner: Learner | None = None) -> None:
        self.row, self.id, self.name, self.secret = row, row.id, row.name, row.secret
        self.lease = round(row.spec["lease_seconds"] * 1e6)
        self.learner: Learner = specs.learner_of(row.spec) if learner is None else learner
        self.arms = {str(name) for name in self.learner.arms}  # those that can be chosen
        self.sequence = 0
        self.last_snapshot, self.snapshot_due = 0, SNAPSHOT_EVERY  # events after which one was, and will be, made
        self.at = 0  # of the last event: time does not go backwards within a bandit
        self.open: dict[int, Open] = {}  # in the order in which they were made, and so of their ends
        self.counts = {DECISION: 0, REWARD: 0, FORGOTTEN: 0, EXPIRED: 0, ADDED: 0, RETIRED: 0}

    def decide(self, available: list[str] | None, at: int, key: str | None = None, count: int | None = None) -> Event:
        """One decision."""
        made = self._ask(self.learner.decide, available=available)
        number, arm = id_number(made.id), str(made.arm)
        limited = None if available is None else json.dumps(available)
        event = self._event(DECISION, arm, at, decides=number, available=limited, key=key, count=count)
        self.open[number] = Open(arm, event["at"] + self.lease)
        return event

    def reward(self, number: int, reward: float, at: int) -> Event:
        """The answer to an open decision."""
        self._ask(self.learner.answer, format_id(number), reward)
        return self._event(REWARD, self.open.pop(number).arm, at, settles=number, reward=reward)

    def give_up(self, number: int, at: int, kind: str = FORGOTTEN) -> Event:
        """Forget an open decision."""
        self._ask(self.learner.forget, format_id(number))
        return self._event(kind, self.open.pop(number).arm, at, settles=number)

    def expire(self, at: int) -> list[Event]:
        """Forget the decisions whose lease has expired."""
        late = []
        for number, one in self.open.items():
            if one.expires > at:
                break
            late.append(number)
        return [self.give_up(number, at, EXPIRED) for number in late]

    def add(self, arm: str, at: int) -> Event:
        """Add an arm, or bring it back."""
        self._ask(self.learner.add, arm)
        self.arms.add(arm)
        return self._event(ADDED, arm, at)

    def retire(self, arm: str, at: int) -> Event:
        """Stop choosing an arm until it is brought back."""
        self._ask(self.learner.retire, arm)
        self.arms.discard(arm)
        return self._event(RETIRED, arm, at)

    def play(self, row: Mapping[str, Any]) -> None:
        """Apply an event of the log; raises if the learner does something else."""
        kind, at = row["kind"], row["at"]
        if row["sequence"] != self.sequence + 1:
            raise DifferentError(f"Event {self.sequence + 1} is missing: {row['sequence']} comes next.")
        if kind == DECISION:
            limited = None if row["available"] is None else json.loads(row["available"])
            made = self.decide(limited, at)
            if (made["arm"], made["decides"]) != (row["arm"], row["decides"]):
                said = f"decision {row['decides']} for {row['arm']!r}"
                now = f"decision {made['decides']} for {made['arm']!r}"
                raise DifferentError(f"Event {row['sequence']} is {said} in the log. The learner makes {now}.")
        elif kind in (ADDED, RETIRED):
            (self.add if kind == ADDED else self.retire)(row["arm"], at)
        elif row["settles"] not in self.open or self.open[row["settles"]].arm != row["arm"]:
            raise DifferentError(f"Event {row['sequence']} ends decision {row['settles']}, which is not open.")
        elif kind == REWARD:
            self.reward(row["settles"], row["reward"], at)
        else:
            self.give_up(row["settles"], at, kind)

    def id_of(self, number: int) -> str:
        """The public id of a decision."""
        return ids.made(self.secret, self.id, number)

    def snapshot(self) -> dict[str, Any]:
        """Everything needed to continue from here."""
        rest = {
            "at": self.at,
            "counts": self.counts,
            "open": [(number, one.expires) for number, one in self.open.items()],
        }
        return {
            "bandit_id": self.id,
            "sequence": self.sequence,
            "learner": self.learner.to_json(),
            "rest": json.dumps(rest),
        }

    @classmethod
    def restored(cls, row: Row, snapshot: Mapping[str, Any]) -> Bandit:
        """The bandit as it was when the snapshot was made."""
        made = cls(row, SharedLearner.from_json(snapshot["learner"]))
        rest = json.loads(snapshot["rest"])
        made.sequence, made.at, made.counts = snapshot["sequence"], rest["at"], rest["counts"]
        arms = {id_number(one.id): str(one.arm) for one in made.learner.open_decisions()}
        made.open = {number: Open(arms[number], expires) for number, expires in rest["open"]}
        made.set_snapshot_due(made.sequence, len(snapshot["learner"]) + len(snapshot["rest"]))
        return made

    def set_snapshot_due(self, sequence: int, size: int) -> None:
        """A snapshot of that size was made after that event."""
        self.last_snapshot, self.snapshot_due = sequence, sequence + max(SNAPSHOT_EVERY, size // BYTES_PER_EVENT)

    def _ask(self, method: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        try:
            return method(*arguments, **named)
        except Exception as error:
            raise BrokenError from error

    def _event(self, kind: str, arm: str, at: int, **others: Any) -> Event:
        self.sequence += 1
        self.at = max(self.at, at)
        self.counts[kind] += 1
        return {
            "bandit_id": self.id,
            "sequence": self.sequence,
            "kind": kind,
            "decides": None,
            "settles": None,
            "arm": arm,
            "reward": None,
            "at": self.at,
            "available": None,
            "key": None,
            "count": None,
            **others,
        }
