"""The audit: replays a bandit's full history from its log, without snapshots, comparing each choice bit for bit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from riskbandits.core.errors import RiskBanditsError, UnknownNameError, shown
from riskbandits.service import ids, specs
from riskbandits.service.bandit_state import (
    KINDS,
    RESTORED,
    BanditState,
    BrokenStateError,
    ReplayError,
    first_state,
)
from riskbandits.service.db.storage import BanditRow, Storage, StorageError, Transaction
from riskbandits.service.learners import ServiceLearner


class AuditResult(NamedTuple):
    """What an audit found."""

    equal: bool
    sentence: str
    events: int
    decisions: int
    rewards: int


def audit_bandit(storage: Storage, name: str) -> AuditResult:
    """Replay the log of a bandit, from its first event or from where it was compacted."""
    row: BanditRow | None = None
    bandit: BanditState | None = None
    first = 0
    with storage.reading() as transaction:
        try:
            row = get_bandit_row(transaction, name)
            bandit = first_state(transaction, row)
            first = bandit.sequence
            wrong = _replay(transaction, row, bandit)
        except StorageError:
            raise
        except Exception as error:  # whatever a changed row leads to
            if row is None and isinstance(error, UnknownNameError):
                raise
            wrong = "equal", _reason(error)
        counts = dict.fromkeys(KINDS, 0) if bandit is None else bandit.counts
    if wrong is None:
        assert row is not None
        since = "" if row.origin is None else f" since the snapshot after event {row.origin}, where its log begins"
        sentence = f"Equal: every choice of {name!r}{since} is the same, bit for bit."
    else:
        sentence = f"The log of {name!r} is NOT {wrong[0]}: {wrong[1]}"
    events = 0 if bandit is None else bandit.sequence - first
    return AuditResult(wrong is None, sentence, events, counts["decision"], counts["reward"])


def _replay(transaction: Transaction, row: BanditRow, bandit: BanditState) -> tuple[str, str] | None:
    """Replay all events; what the log is not (equal, complete), and why, if so."""
    stored = transaction.newest_snapshot(row.id)
    same_snapshot = stored is None or (
        stored["sequence"] == bandit.sequence and is_same_snapshot(stored, bandit.snapshot())
    )
    for event in transaction.events_after(row.id, bandit.sequence):
        bandit.apply_event(event, transaction)
        if stored is not None and stored["sequence"] == bandit.sequence:
            same_snapshot = is_same_snapshot(stored, bandit.snapshot())
    if bandit.sequence != row.version:
        return "complete", f"it ends with event {bandit.sequence}, and {row.version} were acknowledged."
    if stored is not None and stored["sequence"] > row.version:
        after = f"there is a snapshot after event {stored['sequence']}, and the log ends with event {row.version}."
        return "complete", after
    if not same_snapshot:
        assert stored is not None
        return "equal", f"the snapshot after event {stored['sequence']} holds a different state."
    if ids.secret_after(row.secret, bandit.counts[RESTORED]) != row.secret:
        return "equal", "its secret was changed without an event."
    if specs.current_settings(row) != bandit.settings:
        return "equal", "its settings were changed without an event."
    return None


def _reason(error: Exception) -> str:
    """What is wrong with a log that cannot be replayed, as a sentence."""
    cause = error.__cause__ if isinstance(error, BrokenStateError) else error
    if isinstance(cause, (ReplayError, RiskBanditsError)):
        return str(cause)
    return f"something in it cannot be read ({cause!r})."


def is_same_snapshot(stored: Mapping[str, Any], replayed: Mapping[str, Any]) -> bool:
    """Whether a stored snapshot holds the replayed state, on the fields that it has.

    Fields that were added since it was written do not count, nor does how a state lies in memory: both learners are
    made from their texts.
    """
    try:
        learners = [ServiceLearner.from_json(one["learner"]).to_json() for one in (stored, replayed)]
        one, other = (_content(text) for text in learners)
        rests = [json.loads(each["rest"]) for each in (stored, stored, replayed)]
        return _agree(_content(stored["learner"]), one, other) and _agree(*rests)
    except (RiskBanditsError, LookupError, TypeError, ValueError):
        return False


def _content(text: str) -> Any:
    """The state in a learner's text, without its checksum."""
    return json.loads(text)["content"]


def _agree(known: Any, one: Any, other: Any) -> bool:
    """Whether two states are equal where a third one has a field."""
    if isinstance(known, dict) and isinstance(one, dict) and isinstance(other, dict):
        return all(_agree(value, one[name], other.get(name)) for name, value in known.items() if name in one)
    if isinstance(known, list) and isinstance(one, list) and isinstance(other, list):
        same = len(known) == len(one) == len(other)
        return all(map(_agree, known, one, other)) if same else one == other
    return bool(one == other)


def bandit_names(storage: Storage) -> Iterator[str]:
    """The names of all bandits."""
    last = ""
    with storage.reading() as transaction:
        while rows := transaction.bandits_after(last, 1000):
            yield from (row.name for row in rows)
            last = rows[-1].name


def get_bandit_row(transaction: Transaction, name: str) -> BanditRow:
    """A bandit by name; raises if there is none."""
    row = transaction.bandit_named(name)
    if row is None:
        raise UnknownNameError(f"There is no bandit {shown(name)} in this database.")
    return row
