"""Exporting a bandit as a learner file, importing one, compacting a bandit's log, and restoring a backup."""

from __future__ import annotations

import os

from riskbandits.core.errors import ParameterError
from riskbandits.learner import Learner
from riskbandits.service import ids, specs, times
from riskbandits.service.audit import bandit_names, get_bandit_row
from riskbandits.service.bandit_state import BanditState, OpenDecision, load_bandit
from riskbandits.service.db.engine import replacing_database
from riskbandits.service.db.statements import open_storage
from riskbandits.service.db.storage import Storage
from riskbandits.service.learners import ServiceLearner

HOUR = 3600 * 1_000_000
HOURS_DECISIONS_KEPT = 24  # a request may be repeated for so long


def compact(storage: Storage, name: str) -> int:
    """Keep a snapshot of a bandit as it is now and only the log after it; returns how many events were removed.

    Decisions stay for a day, so that requests with an Idempotency-Key can be repeated, but are no longer in the log.
    """
    with storage.writing() as transaction:
        transaction.lock_bandits([get_bandit_row(transaction, name).id])
        row = get_bandit_row(transaction, name)
        bandit = load_bandit(transaction, row)
        removed = transaction.remove_events(row.id, bandit.sequence, times.now() - HOURS_DECISIONS_KEPT * HOUR)
        transaction.write_snapshot(bandit.snapshot(), keep=None)
        transaction.set_origin(row.id, bandit.sequence)
        transaction.commit()
    return removed


def restore(url: str, backup: str | os.PathLike[str] | None) -> list[str]:
    """Let the bandits of a restored database give new ids to their next decisions; returns the names of the bandits.

    A SQLite file is put in its place first, if a backup is given. Decisions that were made after the backup have ids
    that are then unknown, so that no reward of theirs is taken for that of another decision.
    """
    if backup is None:
        return _renew_secrets(open_storage(url, must_exist=True))
    with replacing_database(url, backup) as copy:
        return _renew_secrets(open_storage(copy, must_exist=True))


def _renew_secrets(storage: Storage) -> list[str]:
    names = []
    try:
        with storage.writing() as transaction:
            for name in bandit_names(storage):
                transaction.lock_bandits([get_bandit_row(transaction, name).id])
                row = get_bandit_row(transaction, name)
                bandit = load_bandit(transaction, row)
                bandit.secret = ids.renewed_secret(row.secret, bandit.learner.decisions + 1)
                transaction.set_secret(row.id, bandit.secret)
                event = bandit.restore(times.now())
                transaction.append_events([event], {row.id: event["sequence"]})
                names.append(name)
            transaction.commit()
    finally:
        storage.close()
    return names


def export_learner(storage: Storage, name: str, path: str | os.PathLike[str]) -> Learner:
    """Write a bandit to a learner file for `Learner.load`; the bandit itself continues."""
    with storage.reading() as transaction:
        learner = load_bandit(transaction, get_bandit_row(transaction, name)).learner.exported()
    learner.save(path)
    return learner


def import_learner(url: str, name: str, path: str | os.PathLike[str], lease_seconds: float) -> list[str]:
    """Create a bandit from a learner file; returns the new ids of its open decisions.

    The database is created if it does not exist, but not for a file that is refused.
    """
    learner = ServiceLearner.load(path)
    unnamed = [arm for arm in learner.arms if not isinstance(arm, str)]
    if unnamed:
        raise ParameterError(f"The names of a bandit's arms must be strings. Got {unnamed[0]!r} instead.")
    spec = specs.dump_spec(specs.spec_from_learner(learner, lease_seconds))
    name = specs.check_bandit_name(name)
    with open_storage(url).writing() as transaction:
        row = transaction.create_bandit(name, spec, ids.new_secret(), times.now(), origin=0)
        if row is None:
            raise ParameterError(f"There is already a bandit {name!r} in this database.")
        bandit = BanditState(row, learner)
        bandit.at = row.created
        for number, arm in learner.open_numbers().items():
            bandit.open[number] = OpenDecision(arm, row.created + bandit.lease)
        transaction.write_snapshot(bandit.snapshot(), keep=None)
        transaction.commit()
    return [bandit.public_id(number) for number in bandit.open]
