"""The storage contract in SQL: one set of statements for SQLite and PostgreSQL."""

from __future__ import annotations

import functools
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    ExceptionContext,
    TextClause,
    bindparam,
    delete,
    event,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from riskbandits.core.errors import FileError
from riskbandits.service.db.engine import for_writing, is_sqlite, open_engine, shown_url
from riskbandits.service.db.files import DatabaseFiles
from riskbandits.service.db.storage import (
    BanditRow,
    DuplicateError,
    Event,
    KeyRow,
    Settlement,
    Storage,
    StorageError,
    Transaction,
)
from riskbandits.service.db.tables import bandits, events, keys, snapshots

PAIRS_AT_ONCE = 1024
EVENTS_AT_ONCE = 500

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
    .limit(bindparam("limit"))
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


def open_storage(url: str, must_exist: bool = False, patience: float = 0.0) -> SqlStorage:
    """The storage at a URL, with its schema as this version needs it; made if there is none.

    With `must_exist` a SQLite file that is not there is refused: nobody audits or exports what is not there. `patience`
    is for how many seconds to wait for a server that is just starting.
    """
    return SqlStorage(open_engine(url, must_exist, patience))


class SqlStorage(Storage):
    """A SQLite file or a PostgreSQL database."""

    def __init__(self, engine: Engine) -> None:
        event.listen(engine, "handle_error", _translate_error)
        self.engine = engine
        # Whoever reads sees one moment, as in SQLite.
        self._reading = engine if is_sqlite(engine) else engine.execution_options(isolation_level="REPEATABLE READ")
        self._writing = for_writing(engine)
        self._check_files: Callable[[Connection], None] = _nothing
        if is_sqlite(engine):
            files = DatabaseFiles(str(engine.url.database))
            self._check_files = lambda connection: files.check(lambda: _bytes(connection))
            event.listen(engine, "engine_disposed", lambda engine: files.closed())

    def reading(self) -> Any:
        """A transaction that only reads."""
        return _transaction(self._reading, self._check_files)

    def writing(self) -> Any:
        """A transaction that may write; in SQLite they wait for each other when they begin."""
        return _transaction(self._writing, self._check_files)

    def close(self) -> None:
        """Give back all connections."""
        self.engine.dispose()

    @property
    def address(self) -> str:
        """Its URL without the password."""
        return shown_url(self.engine.url)


def _nothing(connection: Connection) -> None:
    """A server looks after its files itself."""


def _bytes(connection: Connection) -> int:
    """The size that SQLite takes its file to have, or to get."""
    pages, size = (connection.exec_driver_sql(f"PRAGMA page_{what}").scalar() for what in ("count", "size"))
    return int(pages) * int(size)  # type: ignore[arg-type]


@contextmanager
def _transaction(engine: Engine, check_files: Callable[[Connection], None]) -> Iterator[SqlTransaction]:
    try:
        with engine.connect() as connection:
            check_files(connection)
            yield SqlTransaction(connection, check_files)
    except SQLAlchemyError as error:  # no connection became free in time, say
        raise StorageError(_reason(error)) from error


def _translate_error(context: ExceptionContext) -> None:
    """Errors of the database as the contract has them."""
    error = context.sqlalchemy_exception
    if isinstance(error, IntegrityError):
        raise DuplicateError("There is such a row already.") from error
    if error is not None:
        raise StorageError(_reason(error)) from error


def _reason(error: SQLAlchemyError) -> str:
    """Why the database cannot be used, in words that anybody may read: no address, no statement."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause) if isinstance(cause, sqlite3.Error) else type(cause).__name__


class SqlTransaction(Transaction):
    """A transaction of either database."""

    def __init__(self, connection: Connection, check_files: Callable[[Connection], None]) -> None:
        self.connection = connection
        self._check_files = check_files

    def commit(self) -> None:
        """Keep what was changed."""
        self.connection.commit()
        self._check_files(self.connection)  # now, since until now they might have been replaced

    def touch(self) -> None:
        """Write the version of the schema as it is."""
        self.connection.execute(text("UPDATE alembic_version SET version_num = version_num"))

    def bandit_named(self, name: str) -> BanditRow | None:
        """A bandit by its name."""
        return _bandit_row(self.connection.execute(_BY_NAME, {"wanted": name}).mappings().first())

    def bandit_numbered(self, bandit_id: int) -> BanditRow | None:
        """A bandit by its id."""
        return _bandit_row(self.connection.execute(_BY_ID, {"wanted": bandit_id}).mappings().first())

    def bandits_after(self, name: str, limit: int) -> list[BanditRow]:
        """Bandits in the order of their names."""
        # By code point, whatever language the server speaks: names are ASCII.
        column = bandits.c.name.collate("BINARY" if self._is_sqlite else "C")
        wanted = select(bandits).where(column > name).order_by(column).limit(limit)
        return [row for row in map(_bandit_row, self.connection.execute(wanted).mappings()) if row is not None]

    def create_bandit(self, name: str, spec: str, secret: bytes, created: int, origin: int | None) -> BanditRow | None:
        """A new bandit, or None if there is one of that name."""
        row = {"name": name, "spec": spec, "secret": secret, "version": 0, "origin": origin, "created": created}
        try:
            with self.connection.begin_nested():
                self.connection.execute(insert(bandits).values(row))
        except DuplicateError:
            return None
        return self.bandit_named(name)

    def lock_bandits(self, bandit_ids: Iterable[int]) -> dict[int, tuple[int, int | None]]:
        """Version and origin of each, which nobody else changes now."""
        found = self.connection.execute(_LOCKED, {"ids": list(bandit_ids)})
        return {number: (version, origin) for number, version, origin in found}

    def set_secret(self, bandit_id: int, secret: bytes) -> None:
        """The secret of a bandit from now on."""
        self.connection.execute(update(bandits).where(bandits.c.id == bandit_id).values(secret=secret))

    def set_origin(self, bandit_id: int, sequence: int) -> None:
        """The log goes on from the snapshot after this event."""
        self.connection.execute(update(bandits).where(bandits.c.id == bandit_id).values(origin=sequence))

    def set_settings(self, bandit_id: int, settings: str) -> None:
        """What was changed of a bandit."""
        self.connection.execute(update(bandits).where(bandits.c.id == bandit_id).values(settings=settings))

    def append_events(self, new: Sequence[Event], versions: Mapping[int, int]) -> None:
        """Write events and versions.

        The statements are `insert(events)` and an update, for all rows at once and without SQLAlchemy's look at every
        value: SQLite takes the rows one by one, which is fast within a process; to PostgreSQL they go together, as
        columns.
        """
        rows = [one if one["data"] is None else {**one, "data": json.dumps(one["data"])} for one in new]
        if self._is_sqlite:
            self.connection.exec_driver_sql(_INSERT_ROWS, rows)
            self.connection.execute(_SET_VERSION, [{"wanted": one, "new": last} for one, last in versions.items()])
        else:
            columns: dict[str, Any] = {name: [row[name] for row in rows] for name in _TYPES}
            columns |= {"ids": list(versions), "new": list(versions.values())}
            self.connection.exec_driver_sql(_INSERT_COLUMNS, columns)

    def events_after(self, bandit_id: int, sequence: int, limit: int | None = None) -> Iterator[Mapping[str, Any]]:
        """The events of a bandit from a position on, read in parts."""
        while limit is None or limit > 0:
            most = EVENTS_AT_ONCE if limit is None else min(EVENTS_AT_ONCE, limit)
            wanted = {"wanted": bandit_id, "after": sequence, "limit": most}
            part: Any = self.connection.execute(_EVENTS, wanted).mappings().all()
            yield from part
            if len(part) < most:
                return
            sequence = part[-1]["sequence"]
            limit = None if limit is None else limit - len(part)

    def events_by_key(self, pairs: Sequence[tuple[int, str]]) -> dict[tuple[int, str], Mapping[str, Any]]:
        """The first decisions of requests."""
        return {(row["bandit_id"], row["key"]): row for row in self._matching("key", pairs)}

    def settlements(self, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Settlement]:
        """How decisions were settled."""
        found = self._matching("settles", pairs)
        return {(row["bandit_id"], row["settles"]): (row["kind"], row["reward"]) for row in found}

    def _matching(self, column: str, pairs: Sequence[tuple[int, Any]]) -> Iterator[Mapping[str, Any]]:
        """The events with these bandits and values of a column, by its index."""
        for first in range(0, len(pairs), PAIRS_AT_ONCE):
            part = pairs[first : first + PAIRS_AT_ONCE]
            size = 1 << (len(part) - 1).bit_length()  # few sizes, so few statements; the last pair fills what is left
            values = {}
            for place in range(size):
                values[f"b{place}"], values[f"v{place}"] = part[min(place, len(part) - 1)]
            found: Any = self.connection.execute(matching_pairs(column, size), values).mappings()
            yield from found

    def remove_events(self, bandit_id: int, until: int, keyed_since: int) -> int:
        """Remove events, except decisions of late."""
        old = delete(events).where(events.c.bandit_id == bandit_id, events.c.sequence <= until)
        return self.connection.execute(old.where(events.c.decides.is_(None) | (events.c.at < keyed_since))).rowcount

    def newest_snapshot(self, bandit_id: int) -> Mapping[str, Any] | None:
        """The last snapshot."""
        found: Any = self.connection.execute(_NEWEST, {"wanted": bandit_id}).mappings().first()
        return found

    def snapshot_at(self, bandit_id: int, sequence: int) -> Mapping[str, Any] | None:
        """One snapshot."""
        wanted = select(snapshots).where(snapshots.c.bandit_id == bandit_id, snapshots.c.sequence == sequence)
        found: Any = self.connection.execute(wanted).mappings().first()
        return found

    def write_snapshot(self, snapshot: Mapping[str, Any], keep: int | None) -> None:
        """Write a snapshot in place of the older ones but one."""
        older = delete(snapshots).where(
            snapshots.c.bandit_id == snapshot["bandit_id"], snapshots.c.sequence <= snapshot["sequence"]
        )
        if keep is not None:
            older = older.where(snapshots.c.sequence != keep)
        self.connection.execute(older)
        self.connection.execute(insert(snapshots).values(snapshot))

    def add_key(self, role: str, note: str, digest: bytes, created: int) -> int:
        """A new access key."""
        values = {"role": role, "note": note, "digest": digest, "created": created, "revoked": None}
        made = self.connection.execute(insert(keys).values(values)).inserted_primary_key
        assert made is not None
        return int(made[0])

    def access_keys(self) -> list[KeyRow]:
        """All access keys."""
        wanted = select(*[keys.c[name] for name in KeyRow._fields]).order_by(keys.c.id)
        return [KeyRow(*row)._replace(digest=bytes(row.digest)) for row in self.connection.execute(wanted)]

    def revoke_key(self, key_id: int, revoked: int) -> bool | None:
        """Revoke an access key."""
        if self.connection.execute(select(keys.c.id).where(keys.c.id == key_id)).first() is None:
            return None
        valid = update(keys).where(keys.c.id == key_id, keys.c.revoked.is_(None)).values(revoked=revoked)
        return self.connection.execute(valid).rowcount == 1

    @property
    def _is_sqlite(self) -> bool:
        return self.connection.dialect.name == "sqlite"


@functools.cache
def matching_pairs(column: str, size: int) -> TextClause:
    """A join, since SQLite looks through all events for `(bandit_id, key) IN (...)`."""
    rows = ", ".join(f"(:b{place}, :v{place})" for place in range(size))
    on = f'events.bandit_id = wanted.column1 AND events."{column}" = wanted.column2'
    return text(f"SELECT events.* FROM (VALUES {rows}) AS wanted JOIN events ON {on}")


def _bandit_row(found: Any) -> BanditRow | None:
    if found is None:
        return None
    try:
        settings = None if found["settings"] is None else json.loads(found["settings"])
        return BanditRow(**{**found, "spec": json.loads(found["spec"]), "settings": settings})
    except ValueError as error:
        raise FileError(f"The row of the bandit {found['name']!r} in the database is damaged: {error}.") from None
