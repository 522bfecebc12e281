"""Compacting a bandit's log, and importing and exporting bandits as learner files."""

from __future__ import annotations

import os
from typing import Any

from sqlalchemy import Engine, delete, insert, update
from sqlalchemy.exc import IntegrityError

from riskbandits.core.errors import ParameterError
from riskbandits.learner import Learner
from riskbandits.learner.decisions import REMEMBERED, id_number
from riskbandits.service import allowed_names, database, ids, specs, storage, times
from riskbandits.service.audit import found
from riskbandits.service.fold import Bandit, Open, Row
from riskbandits.service.schema import bandits, events, snapshots

HOUR = 3600 * 1_000_000
HOURS_DECISIONS_KEPT = 24  # a request may be repeated for so long


def compact(engine: Engine, name: str) -> tuple[int, int]:
    """Keep a snapshot of a bandit as it is now and only the log after it; returns the events removed and kept.

    Decisions stay for a day, so that requests with an Idempotency-Key can be repeated, but are no longer in the log.
    """
    with database.writing(engine).begin() as connection:
        row = found(connection, name)
        storage.locked(connection, [row.id])
        row = found(connection, name)
        bandit = storage.load(connection, row)
        latest = times.now() - HOURS_DECISIONS_KEPT * HOUR
        old = delete(events).where(events.c.bandit_id == row.id, events.c.sequence <= bandit.sequence)
        gone = connection.execute(old.where(events.c.decides.is_(None) | (events.c.at < latest))).rowcount
        connection.execute(delete(snapshots).where(snapshots.c.bandit_id == row.id))
        connection.execute(insert(snapshots).values(bandit.snapshot()))
        connection.execute(update(bandits).where(bandits.c.id == row.id).values(origin=bandit.sequence))
    return gone, row.version - bandit.sequence


def export(engine: Engine, name: str, path: str | os.PathLike[str]) -> Learner:
    """Write a bandit to a learner file for `Learner.load`; the bandit itself continues."""
    with engine.connect() as connection:
        learner = storage.load(connection, found(connection, name)).learner
    learner._decision_log.remember = REMEMBERED  # there is no log any more that does
    learner.save(path)
    return learner


def take_in(url: str, name: str, path: str | os.PathLike[str], lease_seconds: float) -> tuple[Row, list[str]]:
    """Create a bandit from a learner file; returns the new ids of its open decisions.

    The database is created if it does not exist, but not for a file that is refused.
    """
    learner = Learner.load(path)
    unnamed = [arm for arm in learner.arms if not isinstance(arm, str)]
    if unnamed:
        raise ParameterError(f"The names of a bandit's arms must be strings. Got {unnamed[0]!r} instead.")
    spec = specs.of_learner(learner, lease_seconds)
    values = {"name": allowed_names.bandit(name), "spec": specs.written_down(spec), "secret": ids.new_secret()}
    try:
        with database.writing(database.opened(url)).begin() as connection:
            storage.create(connection, {**values, "version": 0, "origin": 0, "created": times.now()})
            row = found(connection, name)
            bandit = _bandit(row, learner)
            connection.execute(insert(snapshots).values(bandit.snapshot()))
    except IntegrityError:
        raise ParameterError(f"There is already a bandit {name!r} in this database.") from None
    return row, [bandit.id_of(number) for number in bandit.open]


def _bandit(row: Row, learner: Any) -> Bandit:
    bandit = Bandit(row, learner)
    bandit.at = row.created
    for one in learner.open_decisions():
        bandit.open[id_number(one.id)] = Open(str(one.arm), row.created + bandit.lease)
    return bandit
