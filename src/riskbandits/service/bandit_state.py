"""The state of a bandit: its learner and its open decisions, as its events made them.

An event is applied by the same methods when it happens and when the log is replayed.
"""

from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from riskbandits.core.errors import RiskBanditsError
from riskbandits.learner.features import FeatureCoding
from riskbandits.service import ids, specs
from riskbandits.service.db.digests import bandit_digest, event_digest, secret_digest
from riskbandits.service.db.storage import BanditRow, Event, StorageError, Transaction
from riskbandits.service.learners import ServiceLearner
from riskbandits.service.specs import Settings

DECISION, REWARD, FORGOTTEN, EXPIRED = "decision", "reward", "forgotten", "expired"
ARM_ADDED, ARM_RETIRED = "arm-added", "arm-retired"
CHANGED, PAUSED, RESUMED, ARCHIVED = "changed", "paused", "resumed", "archived"
SETTING_KINDS = (CHANGED, PAUSED, RESUMED, ARCHIVED)
RESTORED = "restored"
KINDS = (DECISION, REWARD, FORGOTTEN, EXPIRED, ARM_ADDED, ARM_RETIRED, *SETTING_KINDS, RESTORED)

SNAPSHOT_EVERY = 5000  # events; each is replayed in about 20 microseconds when a bandit is loaded
EXPIRED_AT_ONCE = 5000  # decisions in one commit
CLOCK_TOLERANCE = 60_000_000  # microseconds by which the clocks of two instances may differ
BYTES_PER_EVENT = 100  # of a large snapshot: it is written the less often

log = logging.getLogger("riskbandits.service")


class ReplayError(RiskBanditsError):
    """The log disagrees with the learner, or with its digests, which must never happen."""


class BrokenStateError(RiskBanditsError):
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
        self.settings = specs.first_settings(row.spec)
        self.learner = specs.build_learner(row.spec) if learner is None else learner
        self.coding = FeatureCoding(row.spec.get("features"))  # of all decisions, also while a policy uses none
        self.arms = {str(name) for name in self.learner.arms}  # those that can be chosen
        self.sequence = 0
        self.own_digest = bandit_digest(row.id, row.name, row.spec, row.secret, row.created)
        self.digest = self.own_digest  # of the last event
        self.last_snapshot, self.snapshot_due = 0, SNAPSHOT_EVERY  # events after which one was, and will be, made
        self.at = 0  # of the last event
        self.open: dict[int, OpenDecision] = {}  # in the order in which they were made, and so of their ends
        self._renewed: dict[int, int] = {}  # ends of decisions from a time that has not come: the clock was set back
        self.counts = dict.fromkeys(KINDS, 0)
        self._limited: list[str] | None = None  # the arms of the request that is being replayed

    def decide(
        self,
        available: list[str] | None,
        at: int,
        key: str | None = None,
        count: int | None = None,
        before: int = 0,
        features: dict[str, Any] | None = None,
    ) -> Event:
        """Make one decision, the first of a request or (`before`) one that comes so many events after it.

        The first one has the key, the count, and the arms to which all are limited: others have this number for them.
        """
        paused = self.settings.paused
        open_to = [self.settings.baseline] if paused else available
        used = features if self.learner.uses_features else None
        number, arm, probability = self._change(self.learner.decide_next, open_to, used)
        limited = None if available is None else json.dumps(before or available)
        beside = {"probability": probability, "features": features}
        data = {name: value for name, value in beside.items() if value is not None} or None
        event = self._event(DECISION, arm, at, decides=number, available=limited, key=key, count=count, data=data)
        self.open[number] = OpenDecision(arm, event["at"] + self.lease)
        return event

    def reward(self, number: int, reward: float, at: int) -> Event:
        """Record the reward, already checked, of an open decision."""
        arm = self.open[number].arm
        self._change(self.learner.record, number, arm, reward)
        self._close(number)
        return self._event(REWARD, arm, at, settles=number, reward=reward)

    def forget(self, number: int, at: int, kind: str = FORGOTTEN) -> Event:
        """Stop waiting for the reward of an open decision."""
        self._change(self.learner.forget_number, number)
        return self._event(kind, self._close(number), at, settles=number)

    def _close(self, number: int) -> str:
        """Take a decision from those that are open; its arm."""
        self._renewed.pop(number, None)
        return self.open.pop(number).arm

    def expire(self, at: int) -> list[Event]:
        """Forget decisions whose lease has expired: the oldest ones, if there are very many."""
        late = list(itertools.islice(self._late(at), EXPIRED_AT_ONCE))
        return [self.forget(number, at, EXPIRED) for number in late]

    def has_late(self, at: int) -> bool:
        """Whether there are decisions whose lease has expired."""
        return next(self._late(at), None) is not None

    def is_late(self, number: int, at: int) -> bool:
        """Whether the lease of an open decision has expired."""
        return self.expires(number) <= at

    def _late(self, at: int) -> Iterator[int]:
        """The decisions whose lease has expired, the oldest first.

        Those made when the clock was ahead would stay open until their time has come. Their lease begins anew when the
        clock is found to be behind them: with the next event or, until there is one, from now on.
        """
        for number, one in self.open.items():
            if one.expires - self.lease > at + CLOCK_TOLERANCE:
                self._renewed.setdefault(number, at + self.lease)
            elif one.expires > at and number not in self._renewed:
                return
            if self.is_late(number, at):
                yield number

    def _renew_leases(self, at: int) -> None:
        """Begin the leases of decisions anew that were made before the clock was set back: a replay does the same."""
        for number, one in reversed(self.open.items()):
            if one.expires - self.lease <= at + CLOCK_TOLERANCE:
                break
            self.open[number] = one._replace(expires=at + self.lease)
        self._renewed.clear()

    def expires(self, number: int) -> int:
        """When the lease of an open decision ends."""
        return self._renewed.get(number, self.open[number].expires)

    def add_arm(self, arm: str, at: int, amount: float | None = None) -> Event:
        """Add an arm, whose sales may pay a known amount, or bring it back."""
        self._change(self.learner.add_with, arm, amount)
        self.arms.add(arm)
        return self._event(ARM_ADDED, arm, at, data=None if amount is None else {"amount": amount})

    def retire_arm(self, arm: str, at: int) -> Event:
        """Stop choosing an arm until it is brought back."""
        self._change(self.learner.retire, arm)
        self.arms.discard(arm)
        return self._event(ARM_RETIRED, arm, at)

    def change(self, settings: Settings, learner: ServiceLearner, at: int) -> list[Event]:
        """Go on with other settings, and with the learner that they need: one event for each that differs."""
        old, self.settings, self.learner = self.settings, settings, learner
        new = []
        if settings.records != old.records:
            names = [name for name in ("policy", "risk") if settings.records[name] != old.records[name]]
            data = {name: getattr(settings, name) for name in names}
            records = {name: settings.records[name] for name in names}
            new.append(self._event(CHANGED, None, at, data={**data, "records": records}))
        if (settings.paused, settings.baseline) != (old.paused, old.baseline):
            new.append(self._event(PAUSED if settings.paused else RESUMED, settings.baseline, at))
        if settings.archived != old.archived:
            kind = ARCHIVED if settings.archived else RESUMED
            new.append(self._event(kind, None, at, data=None if settings.archived else {"archived": False}))
        return new

    def restore(self, at: int) -> Event:
        """Note that the bandit goes on from a backup: its next decisions have ids by another part of its secret."""
        part = ids.secret_after(self.secret, self.counts[RESTORED] + 1)
        return self._event(RESTORED, None, at, data={"secret": secret_digest(part)})

    def _replay_change(self, row: Mapping[str, Any], transaction: Transaction) -> None:
        """Replay an event that changes settings."""
        kind, data, settings, learner = row["kind"], row["data"], self.settings, self.learner
        if kind == CHANGED:
            settings = specs.change_settings(settings, data)
            if "policy" in data:
                before = transaction.events_after(self.id, 0, row["sequence"] - 1)
                learner = self._change(rebuild_learner, specs.with_settings(self.row.spec, settings), before)
            else:
                learner = self._change(learner.with_risk, specs.build_risk(settings.records))
        elif kind == PAUSED:
            settings = settings._replace(paused=True, baseline=row["arm"])
        elif kind == RESUMED and data is None:
            settings = settings._replace(paused=False, baseline=None)
        else:
            settings = settings._replace(archived=kind == ARCHIVED)
        self.change(settings, learner, row["at"])

    def apply_event(self, row: Mapping[str, Any], transaction: Transaction) -> None:
        """Replay an event of the log; raises if the learner does something else."""
        kind, at, sequence = row["kind"], row["at"], row["sequence"]
        if sequence != self.sequence + 1:
            raise ReplayError(f"Event {self.sequence + 1} is missing: {sequence} comes next.")
        before = self.digest
        if kind == DECISION:
            limited = None if row["available"] is None else json.loads(row["available"])
            self._limited = self._limited if isinstance(limited, int) else limited
            made = self.decide(self._limited, at, features=features_of(row))
            if (made["arm"], made["decides"]) != (row["arm"], row["decides"]):
                logged = f"decision {row['decides']} for {row['arm']!r}"
                now = f"decision {made['decides']} for {made['arm']!r}"
                raise ReplayError(f"Event {sequence} is {logged} in the log. The learner makes {now}.")
            if made["data"] != row["data"]:
                raise ReplayError(f"Event {sequence} has {row['data']} in the log. The learner makes {made['data']}.")
        elif kind == ARM_ADDED:
            self.add_arm(row["arm"], at, (row["data"] or {}).get("amount"))
        elif kind == ARM_RETIRED:
            self.retire_arm(row["arm"], at)
        elif kind in SETTING_KINDS:
            self._replay_change(row, transaction)
        elif kind == RESTORED:
            if self.restore(at)["data"] != row["data"]:
                raise ReplayError(
                    f"Event {sequence} does not fit the secret of the bandit, which was changed afterwards."
                )
        elif kind not in KINDS:
            raise ReplayError(f"Event {sequence} is of the kind {kind!r}, which this version does not know.")
        elif row["settles"] not in self.open or self.open[row["settles"]].arm != row["arm"]:
            raise ReplayError(f"Event {sequence} settles decision {row['settles']}, which is not open.")
        elif kind == REWARD:
            reward = self._change(self.learner.check_reward, row["arm"], row["reward"])
            self.reward(row["settles"], reward, at)
        else:
            self.forget(row["settles"], at, kind)
        if self.sequence != sequence:
            raise ReplayError(f"Event {sequence} changes nothing.")
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
            "bandit": self.own_digest,  # nothing else tells an audit as long as a compacted log is empty
            "settings": self.settings._asdict(),
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
        if "settings" in rest:  # snapshots written before there were any have none
            state.settings = Settings(**rest["settings"])
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
        except StorageError:  # nothing has changed, and nothing is wrong with the log
            raise
        except Exception as error:
            raise BrokenStateError(str(error)) from error

    def _event(self, kind: str, arm: str | None, at: int, **others: Any) -> Event:
        self.sequence += 1
        if at < self.at - CLOCK_TOLERANCE:
            self._renew_leases(at)
        self.at = at
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


def features_of(event: Mapping[str, Any]) -> dict[str, Any] | None:
    """The features of a decision in the log, if it has any."""
    return (event["data"] or {}).get("features")


def load_bandit(transaction: Transaction, row: BanditRow) -> BanditState:
    """A bandit as it is now: its newest snapshot, and what has happened since."""
    snapshot = transaction.newest_snapshot(row.id)
    try:
        state = BanditState(row) if snapshot is None else BanditState.from_snapshot(row, snapshot)
    except (RiskBanditsError, LookupError, TypeError, ValueError) as error:  # damaged, or of another version
        log.warning("a snapshot cannot be used", extra={"bandit": row.name, "error": str(error)})
        state = first_state(transaction, row)  # the log has it all
    try:
        catch_up(transaction, state)
    except (BrokenStateError, ReplayError) as error:
        raise ReplayError(f"The log of {row.name!r} cannot be replayed: {error}") from error
    return state


def first_state(transaction: Transaction, row: BanditRow) -> BanditState:
    """A bandit before the first event of its log."""
    if row.origin is None:
        return BanditState(row)
    snapshot = transaction.snapshot_at(row.id, row.origin)
    if snapshot is None:
        raise ReplayError(f"The snapshot after event {row.origin}, where the log begins, is missing.")
    return BanditState.from_snapshot(row, snapshot)


def catch_up(transaction: Transaction, state: BanditState) -> None:
    """Apply the events that are not in memory yet, such as those of another instance."""
    for event in transaction.events_after(state.id, state.sequence):
        if event["kind"] == RESTORED:  # the secret is another one now
            row = transaction.bandit_numbered(state.id)
            assert row is not None
            state.row, state.secret = row, row.secret
        state.apply_event(event, transaction)


def rebuild_learner(spec: dict[str, Any], events: Iterable[Mapping[str, Any]]) -> ServiceLearner:
    """The learner of a specification after events that another one has made: the same choices and rewards."""
    return follow_events(specs.build_learner(spec), events)


def follow_events(learner: ServiceLearner, events: Iterable[Mapping[str, Any]]) -> ServiceLearner:
    """Let a learner make the choices and take the rewards of these events."""
    for event in events:
        kind, arm = event["kind"], event["arm"]
        if kind == DECISION:
            learner.decide_next([arm], features_of(event) if learner.uses_features else None)
        elif kind == REWARD:
            learner.record(event["settles"], arm, learner.check_reward(arm, event["reward"]))
        elif kind in (FORGOTTEN, EXPIRED):
            learner.forget_number(event["settles"])
        elif kind == ARM_ADDED:
            learner.add_with(arm, (event["data"] or {}).get("amount"))
        elif kind == ARM_RETIRED:
            learner.retire(arm)
    return learner
