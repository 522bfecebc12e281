"""The state of a bandit: its learner and its open decisions, as its events made them.

An event is applied by the same methods when it happens and when the log is replayed.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from riskbandits.core.errors import RiskBanditsError
from riskbandits.service import ids, specs
from riskbandits.service.db.digests import bandit_digest, event_digest
from riskbandits.service.db.storage import BanditRow, Event, Transaction
from riskbandits.service.learners import ServiceLearner

DECISION, REWARD, FORGOTTEN, EXPIRED = "decision", "reward", "forgotten", "expired"
ARM_ADDED, ARM_RETIRED = "arm-added", "arm-retired"
CHANGED, PAUSED, RESUMED, ARCHIVED = "changed", "paused", "resumed", "archived"
KINDS = (DECISION, REWARD, FORGOTTEN, EXPIRED, ARM_ADDED, ARM_RETIRED, CHANGED, PAUSED, RESUMED, ARCHIVED)
KNOWN_HERE = KINDS[:6]  # the others are of a later version

SNAPSHOT_EVERY = 5000  # events; each is replayed in about 20 microseconds when a bandit is loaded
BYTES_PER_EVENT = 100  # of a large snapshot: it is written the less often

log = logging.getLogger("riskbandits.service")


class ReplayError(Exception):
    """The log disagrees with the learner, or with its digests, which must never happen."""


class BrokenStateError(Exception):
    """The learner failed halfway: memory no longer matches the log and must be rebuilt."""


class OpenDecision(NamedTuple):
    """A decision whose reward is outstanding."""

    arm: str
    expires: int


class BanditState:
    """The state of a bandit after its event number `sequence`."""

    def __init__(self, row: BanditRow, learner: ServiceLearner | None = None) -> None:
        self.row, self.id, self.name, self.secret = row, row.id, row.name, row.secret
        self.lease = round(row.spec["lease_seconds"] * 1e6)
        self.learner = specs.build_learner(row.spec) if learner is None else learner
        self.arms = {str(name) for name in self.learner.arms}  # those that can be chosen
        self.sequence = 0
        self.own_digest = bandit_digest(row.id, row.name, row.spec, row.secret, row.created)
        self.digest = self.own_digest  # of the last event
        self.last_snapshot, self.snapshot_due = 0, SNAPSHOT_EVERY  # events after which one was, and will be, made
        self.at = 0  # of the last event: time does not go backwards within a bandit
        self.open: dict[int, OpenDecision] = {}  # in the order in which they were made, and so of their ends
        self.counts = dict.fromkeys(KINDS, 0)

    def decide(self, available: list[str] | None, at: int, key: str | None = None, count: int | None = None) -> Event:
        """Make one decision."""
        number, arm = self._change(self.learner.decide_next, available)
        limited = None if available is None else json.dumps(available)
        event = self._event(DECISION, arm, at, decides=number, available=limited, key=key, count=count)
        self.open[number] = OpenDecision(arm, event["at"] + self.lease)
        return event

    def reward(self, number: int, reward: float, at: int) -> Event:
        """Record the reward, already checked, of an open decision."""
        arm = self.open[number].arm
        self._change(self.learner.record, number, arm, reward)
        del self.open[number]
        return self._event(REWARD, arm, at, settles=number, reward=reward)

    def forget(self, number: int, at: int, kind: str = FORGOTTEN) -> Event:
        """Stop waiting for the reward of an open decision."""
        self._change(self.learner.forget_number, number)
        return self._event(kind, self.open.pop(number).arm, at, settles=number)

    def expire(self, at: int) -> list[Event]:
        """Forget the decisions whose lease has expired."""
        late = []
        for number, one in self.open.items():
            if one.expires > at:
                break
            late.append(number)
        return [self.forget(number, at, EXPIRED) for number in late]

    def add_arm(self, arm: str, at: int) -> Event:
        """Add an arm, or bring it back."""
        self._change(self.learner.add, arm)
        self.arms.add(arm)
        return self._event(ARM_ADDED, arm, at)

    def retire_arm(self, arm: str, at: int) -> Event:
        """Stop choosing an arm until it is brought back."""
        self._change(self.learner.retire, arm)
        self.arms.discard(arm)
        return self._event(ARM_RETIRED, arm, at)

    def apply_event(self, row: Mapping[str, Any]) -> None:
        """Replay an event of the log; raises if the learner does something else."""
        kind, at, sequence = row["kind"], row["at"], row["sequence"]
        if sequence != self.sequence + 1:
            raise ReplayError(f"Event {self.sequence + 1} is missing: {sequence} comes next.")
        before = self.digest
        if kind == DECISION:
            limited = None if row["available"] is None else json.loads(row["available"])
            made = self.decide(limited, at)
            if (made["arm"], made["decides"]) != (row["arm"], row["decides"]):
                logged = f"decision {row['decides']} for {row['arm']!r}"
                now = f"decision {made['decides']} for {made['arm']!r}"
                raise ReplayError(f"Event {sequence} is {logged} in the log. The learner makes {now}.")
        elif kind == ARM_ADDED:
            self.add_arm(row["arm"], at)
        elif kind == ARM_RETIRED:
            self.retire_arm(row["arm"], at)
        elif kind not in KNOWN_HERE:
            raise ReplayError(f"Event {sequence} is of the kind {kind!r}, which this version does not know.")
        elif row["settles"] not in self.open or self.open[row["settles"]].arm != row["arm"]:
            raise ReplayError(f"Event {sequence} settles decision {row['settles']}, which is not open.")
        elif kind == REWARD:
            reward = self._change(self.learner.check_reward, row["arm"], row["reward"])
            self.reward(row["settles"], reward, at)
        else:
            self.forget(row["settles"], at, kind)
        self.digest = event_digest(self.own_digest, before, row)
        if self.digest != row["digest"]:
            raise ReplayError(
                f"Event {sequence}, or the bandit itself, was changed afterwards: the digest does not fit."
            )

    def public_id(self, number: int) -> str:
        """The public id of a decision."""
        return ids.make_id(self.secret, self.id, number)

    def snapshot(self) -> dict[str, Any]:
        """Everything needed to continue from here."""
        rest = {
            "at": self.at,
            "counts": self.counts,
            "open": [(number, one.expires) for number, one in self.open.items()],
            "digest": self.digest,
        }
        learner = self.learner.to_json()
        return {"bandit_id": self.id, "sequence": self.sequence, "learner": learner, "rest": json.dumps(rest)}

    @classmethod
    def from_snapshot(cls, row: BanditRow, snapshot: Mapping[str, Any]) -> BanditState:
        """The bandit as it was when the snapshot was made."""
        state = cls(row, ServiceLearner.from_json(snapshot["learner"]))
        rest = json.loads(snapshot["rest"])
        state.sequence, state.at, state.digest = snapshot["sequence"], rest["at"], rest["digest"]
        state.counts |= rest["counts"]
        arms = state.learner.open_numbers()
        state.open = {number: OpenDecision(arms[number], expires) for number, expires in rest["open"]}
        state.set_snapshot_due(len(snapshot["learner"]) + len(snapshot["rest"]))
        return state

    def set_snapshot_due(self, size: int) -> None:
        """A snapshot of that size was made after the last event."""
        self.last_snapshot = self.sequence
        self.snapshot_due = self.sequence + max(SNAPSHOT_EVERY, size // BYTES_PER_EVENT)

    def _change(self, method: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except Exception as error:
            raise BrokenStateError from error

    def _event(self, kind: str, arm: str, at: int, **others: Any) -> Event:
        self.sequence += 1
        self.at = max(self.at, at)
        self.counts[kind] += 1
        event = {
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
            "data": None,
            **others,
        }
        event["digest"] = self.digest = event_digest(self.own_digest, self.digest, event)
        return event


def load_bandit(transaction: Transaction, row: BanditRow) -> BanditState:
    """A bandit as it is now: its newest snapshot, and what has happened since."""
    snapshot = transaction.newest_snapshot(row.id)
    try:
        state = BanditState(row) if snapshot is None else BanditState.from_snapshot(row, snapshot)
    except RiskBanditsError as error:  # damaged, or of another version: the log has it all
        log.warning("a snapshot cannot be used", extra={"bandit": row.name, "error": str(error)})
        state = first_state(transaction, row)
    catch_up(transaction, state)
    return state


def first_state(transaction: Transaction, row: BanditRow) -> BanditState:
    """A bandit before the first event of its log."""
    if row.origin is None:
        return BanditState(row)
    return BanditState.from_snapshot(row, transaction.snapshot_at(row.id, row.origin))


def catch_up(transaction: Transaction, state: BanditState) -> None:
    """Apply the events that are not in memory yet, such as those of another instance."""
    for event in transaction.events_after(state.id, state.sequence):
        state.apply_event(event)
