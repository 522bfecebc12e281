"""Reading from and writing to the database: one set of statements for SQLite and PostgreSQL."""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, TextClause, bindparam, delete, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite

from riskbandits.core.errors import RiskBanditsError
from riskbandits.service.bandit_state import Bandit, Event, Row
from riskbandits.service.db.tables import bandits, events, snapshots

log = logging.getLogger("riskbandits.service")

MOST_PAIRS = 1024  # looked for at a time
PAGE = 2000  # events read at a time

_BY_NAME = select(bandits).where(bandits.c.name == bindparam("wanted"))
_BY_ID = select(bandits).where(bandits.c.id == bindparam("wanted"))
_LOCKED = (
    select(bandits.c.id, bandits.c.version, bandits.c.origin)
    .where(bandits.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(bandits.c.id)
    .with_for_update()
)
_EVENTS = (
    select(events)
    .where(events.c.bandit_id == bindparam("wanted"), events.c.sequence > bindparam("after"))
    .order_by(events.c.sequence)
    .limit(bindparam("most"))
)
_NEWEST = (
    select(snapshots).where(snapshots.c.bandit_id == bindparam("wanted")).order_by(snapshots.c.sequence.desc()).limit(1)
)
_TYPES = {column.name: column.type.compile(postgresql.dialect()) for column in events.columns}
_INSERT_ROWS = str(insert(events).compile(dialect=sqlite.dialect(paramstyle="named")))
_INSERT_COLUMNS = f"""
WITH new AS (
    INSERT INTO events ({", ".join(f'"{name}"' for name in _TYPES)})
    SELECT * FROM unnest({", ".join(f"%({name})s::{kind}[]" for name, kind in _TYPES.items())})
)
UPDATE bandits SET version = changed.version
FROM unnest(%(ids)s::integer[], %(new)s::bigint[]) AS changed (id, version) WHERE bandits.id = changed.id
"""
_SET_VERSION = update(bandits).where(bandits.c.id == bindparam("wanted")).values(version=bindparam("new"))


def row_named(connection: Connection, name: str) -> Row | None:
    """A bandit by its name."""
    return _row(connection.execute(_BY_NAME, {"wanted": name}).mappings().first())


def row_of(connection: Connection, number: int) -> Row | None:
    """A bandit by its id."""
    return _row(connection.execute(_BY_ID, {"wanted": number}).mappings().first())


def rows_after(connection: Connection, name: str, most: int) -> list[Row]:
    """Bandits in the order of their names, from those after a name on."""
    wanted = select(bandits).where(bandits.c.name > name).order_by(bandits.c.name).limit(most)
    return [row for row in map(_row, connection.execute(wanted).mappings()) if row is not None]


def locked(connection: Connection, numbers: Iterable[int]) -> dict[int, tuple[int, int | None]]:
    """The last event of each bandit, and where its log begins; nobody changes that until the transaction ends."""
    found = connection.execute(_LOCKED, {"ids": list(numbers)})
    return {number: (version, origin) for number, version, origin in found}


def create(connection: Connection, values: dict[str, Any]) -> int:
    """Insert a bandit, and return its id."""
    made = connection.execute(insert(bandits).values(values)).inserted_primary_key
    assert made is not None
    return int(made[0])


def read_events(connection: Connection, number: int, after: int, most: int | None = None) -> Iterator[Any]:
    """The events of a bandit from a position on, in pages: a long log is never in memory as a whole."""
    while most is None or most > 0:
        wanted = PAGE if most is None else min(PAGE, most)
        page = connection.execute(_EVENTS, {"wanted": number, "after": after, "most": wanted}).mappings().all()
        yield from page
        if len(page) < wanted:
            return
        after = page[-1]["sequence"]
        most = None if most is None else most - len(page)


def keyed(connection: Connection, pairs: list[tuple[int, str]]) -> dict[tuple[int, str], Any]:
    """The first decisions of the requests with these bandits and Idempotency-Keys."""
    return {(row["bandit_id"], row["key"]): row for row in _matching(connection, "key", pairs)}


def settled(connection: Connection, pairs: list[tuple[int, int]]) -> dict[tuple[int, int], tuple[str, float | None]]:
    """How these decisions (bandit and number) were settled, of those that were."""
    found = _matching(connection, "settles", pairs)
    return {(row["bandit_id"], row["settles"]): (row["kind"], row["reward"]) for row in found}


def _matching(connection: Connection, column: str, pairs: Sequence[tuple[int, Any]]) -> Iterator[Any]:
    """The events with these bandits and values of a column, by its index."""
    for first in range(0, len(pairs), MOST_PAIRS):
        part = pairs[first : first + MOST_PAIRS]
        size = 1 << (len(part) - 1).bit_length()  # few sizes, so few statements; the last pair fills what is left
        values = {}
        for place in range(size):
            values[f"b{place}"], values[f"v{place}"] = part[min(place, len(part) - 1)]
        seen = set()
        for row in connection.execute(_matching_pairs(column, size), values).mappings():
            if (row["bandit_id"], row[column]) not in seen:
                seen.add((row["bandit_id"], row[column]))
                yield row


@functools.cache
def _matching_pairs(column: str, size: int) -> TextClause:
    """A join, since SQLite looks through all events for `(bandit_id, key) IN (...)`."""
    rows = ", ".join(f"(:b{place}, :v{place})" for place in range(size))
    on = f'events.bandit_id = wanted.column1 AND events."{column}" = wanted.column2'
    return text(f"SELECT events.* FROM (VALUES {rows}) AS wanted JOIN events ON {on}")


def load(connection: Connection, row: Row) -> Bandit:
    """A bandit as it is now: its newest snapshot, and what has happened since."""
    found = newest_snapshot(connection, row.id)
    try:
        bandit = Bandit(row) if found is None else Bandit.restored(row, found)
    except RiskBanditsError as error:  # damaged, or of another version: the log has it all
        log.warning("a snapshot cannot be used", extra={"bandit": row.name, "error": str(error)})
        bandit = beginning(connection, row)
    catch_up(connection, bandit)
    return bandit


def beginning(connection: Connection, row: Row) -> Bandit:
    """A bandit before the first event of its log."""
    return Bandit(row) if row.origin is None else Bandit.restored(row, snapshot_at(connection, row.id, row.origin))


def newest_snapshot(connection: Connection, number: int) -> Any:
    """The last snapshot of a bandit, or None."""
    return connection.execute(_NEWEST, {"wanted": number}).mappings().first()


def catch_up(connection: Connection, bandit: Bandit) -> None:
    """Apply events of a bandit that were written by another instance."""
    for event in read_events(connection, bandit.id, bandit.sequence):
        bandit.play(event)


def append(connection: Connection, new: list[Event], changed: dict[int, int]) -> None:
    """Write events, and the new version of each bandit that has them.

    The statements are `insert(events)` and an update, for all rows at once and without SQLAlchemy's look at every
    value: SQLite takes the rows one by one, which is fast within a process; to PostgreSQL they go together, as columns.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_INSERT_ROWS, new)
        connection.execute(_SET_VERSION, [{"wanted": number, "new": version} for number, version in changed.items()])
    else:
        columns = {name: [event[name] for event in new] for name in _TYPES}
        connection.exec_driver_sql(_INSERT_COLUMNS, {**columns, "ids": list(changed), "new": list(changed.values())})


def keep_snapshot(connection: Connection, bandit: Bandit) -> int:
    """Write a snapshot in place of the older ones, except the one where the log begins; return its size."""
    content = bandit.snapshot()
    _, keep = locked(connection, [bandit.id])[bandit.id]
    older = delete(snapshots).where(snapshots.c.bandit_id == bandit.id, snapshots.c.sequence <= bandit.sequence)
    if keep is not None:
        older = older.where(snapshots.c.sequence != keep)
    if bandit.sequence != keep:
        connection.execute(older)
        connection.execute(insert(snapshots).values(content))
    return len(content["learner"]) + len(content["rest"])


def snapshot_at(connection: Connection, number: int, sequence: int) -> Any:
    """One snapshot of a bandit."""
    wanted = select(snapshots).where(snapshots.c.bandit_id == number, snapshots.c.sequence == sequence)
    return connection.execute(wanted).mappings().one()


def _row(found: Any) -> Row | None:
    if found is None:
        return None
    return Row(**{**found, "spec": json.loads(found["spec"])})
