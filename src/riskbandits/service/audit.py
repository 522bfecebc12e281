"""The audit: replays a bandit's full history from its log, without snapshots, comparing each choice bit for bit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from riskbandits.core.errors import RiskBanditsError, UnknownNameError, shown
from riskbandits.service import ids, specs
from riskbandits.service.bandit_state import RESTORED, BanditState, first_state
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
    with storage.reading() as transaction:
        row = get_bandit_row(transaction, name)
        bandit = first_state(transaction, row)
        first = bandit.sequence
        stored = transaction.newest_snapshot(row.id)
        same_snapshot = True
        try:
            # Not what is written meanwhile.
            for event in transaction.events_after(row.id, first, row.version - first):
                bandit.apply_event(event, transaction)
                if stored is not None and stored["sequence"] == bandit.sequence:
                    same_snapshot = is_same_snapshot(stored, bandit.snapshot())
        except StorageError:
            raise
        except Exception as error:  # whatever a changed event leads to
            return _result(False, bandit, first, f"The log of {name!r} is NOT equal: {error.__cause__ or error}")
    if bandit.sequence != row.version:
        sentence = f"it ends with event {bandit.sequence}, and {row.version} were acknowledged."
        return _result(False, bandit, first, f"The log of {name!r} is NOT complete: {sentence}")
    if stored is not None and not same_snapshot:
        sentence = f"the snapshot after event {stored['sequence']} holds a different state."
        return _result(False, bandit, first, f"The log of {name!r} is NOT equal: {sentence}")
    if stored is not None and stored["sequence"] > row.version:
        sentence = f"there is a snapshot after event {stored['sequence']}, and the log ends with event {row.version}."
        return _result(False, bandit, first, f"The log of {name!r} is NOT complete: {sentence}")
    if ids.secret_after(row.secret, bandit.counts[RESTORED]) != row.secret:
        sentence = "its secret was changed without an event."
        return _result(False, bandit, first, f"The log of {name!r} is NOT equal: {sentence}")
    if specs.current_settings(row) != bandit.settings:
        sentence = "its settings were changed without an event."
        return _result(False, bandit, first, f"The log of {name!r} is NOT equal: {sentence}")
    since = "" if row.origin is None else f" since the snapshot after event {row.origin}, where its log begins"
    return _result(True, bandit, first, f"Equal: every choice of {name!r}{since} is the same, bit for bit.")


def is_same_snapshot(stored: Mapping[str, Any], replayed: Mapping[str, Any]) -> bool:
    """Whether a stored snapshot holds the replayed state, on the fields that it has.

    Fields that were added since it was written do not count, nor does how a state lies in memory: both learners are
    made from their texts.
    """
    try:
        learners = [ServiceLearner.from_json(one["learner"]).to_json() for one in (stored, replayed)]
    except RiskBanditsError:
        return False
    one, other = (_content(text) for text in learners)
    known = _content(stored["learner"])
    return _agree(known, one, other) and _agree(*[json.loads(each["rest"]) for each in (stored, stored, replayed)])


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


def _result(equal: bool, bandit: BanditState, first: int, sentence: str) -> AuditResult:
    counts = bandit.counts
    return AuditResult(equal, sentence, bandit.sequence - first, counts["decision"], counts["reward"])
