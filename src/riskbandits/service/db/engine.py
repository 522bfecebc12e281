"""SQLAlchemy engines: the URL of a database, opening it, and migrating its schema."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from riskbandits.core import files
from riskbandits.core.errors import FileError, ParameterError, must_be, shown

DEFAULT = "sqlite:///riskbandits.db"
MIGRATIONS = Path(__file__).parent / "migrations"
SECONDS_TO_WAIT = 10  # for another process that writes
SECONDS_BETWEEN_TRIES = 0.2
# A server, a network or another instance that hangs is an error, not a wait. Keepalives notice a server that is gone.
POSTGRESQL_LIMITS = "-c lock_timeout=4s -c idle_in_transaction_session_timeout=10s -c statement_timeout=30s"
POSTGRESQL_SETTINGS = {
    "application_name": "riskbandits",
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}
NO_LIMITS = (
    "SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0"
)
TEMPORARY = ("refused", "starting up", "shutting down", "recovery", "closed the connection", "terminat")
HEAD = "0003"  # the last migration
MIGRATION_LOCK = 7_247_301  # for PostgreSQL: one instance at a time changes the schema
DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg", "sqlite": "sqlite+pysqlite"}


def open_engine(where: str, must_exist: bool = False, patience: float = 0.0) -> Engine:
    """A SQLAlchemy engine for the database at a URL, migrated; see `open_storage`."""
    until = time.monotonic() + patience
    url = _parse_url(where)
    engine = _sqlite_engine(url, must_exist) if url.get_backend_name() == "sqlite" else _postgresql_engine(url)
    while True:
        try:
            _migrate(engine)
            return engine
        except DBAPIError as error:
            engine.dispose()
            if time.monotonic() > until or not any(word in str(error.orig) for word in TEMPORARY):
                raise _cannot_open(url, error) from None
        time.sleep(SECONDS_BETWEEN_TRIES)


@contextmanager
def replacing_database(where: str, backup: str | os.PathLike[str]) -> Iterator[str]:
    """The URL of a copy of a backup, which is put in the place of a SQLite file that nobody uses."""
    url = _parse_url(where)
    if url.get_backend_name() != "sqlite":
        raise ParameterError("A backup file can be restored to a SQLite file. To PostgreSQL use its own tools first.")
    if not os.path.isfile(backup):
        raise FileError(f"There is no file {shown(os.fspath(backup))}.")
    path = os.path.realpath(str(url.database))  # beside which its write-ahead log is
    _check_unused(path)
    with files.replacing(path) as temporary:
        try:
            with (
                closing(sqlite3.connect(f"{Path(backup).absolute().as_uri()}?mode=ro", uri=True)) as source,
                closing(sqlite3.connect(temporary)) as copy,
            ):
                source.backup(copy)
                if not copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
                    raise FileError(f"{shown(os.fspath(backup))} must be a copy of a database of bandits. It is not.")
        except sqlite3.Error as error:
            raise FileError(f"{shown(os.fspath(backup))} could not be read: {error}.") from None
        os.chmod(temporary, 0o600)
        yield f"sqlite:///{temporary}"
        for leftover in (f"{path}-wal", f"{path}-shm"):
            with suppress(FileNotFoundError):
                os.remove(leftover)


def _check_unused(path: str) -> None:
    """Raise if another process uses the SQLite file: then it cannot leave the write-ahead log."""
    if not os.path.exists(path):
        return
    try:
        with closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise FileError(f"The database {shown(path)} is in use: stop the service first.") from None
    except sqlite3.Error:  # damaged: one more reason to restore it
        pass


def is_sqlite(engine: Engine) -> bool:
    """Whether it is a SQLite file."""
    return engine.dialect.name == "sqlite"


def shown_url(where: str | URL) -> str:
    """A database's URL without the password."""
    return make_url(where).render_as_string(hide_password=True)


def _cannot_open(url: URL, error: DBAPIError) -> FileError:
    """The error for a database that cannot be opened."""
    reason = " ".join(str(error.orig).split())
    if url.password:
        reason = reason.replace(str(url.password), "***")
    return FileError(f"The database {shown_url(url)!r} could not be opened: {reason}.".replace("..", "."))


def _parse_url(where: str) -> URL:
    try:
        url = make_url(where)
    except ArgumentError:
        url = None
    what = "a URL such as sqlite:///riskbandits.db or postgresql://user@host/name"
    if url is None or url.drivername.split("+")[0] not in DRIVERS:
        raise must_be("--db", what, where if url is None else shown_url(url))
    url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
    if url.get_backend_name() == "sqlite" and (url.host or not url.database or url.database == ":memory:"):
        raise must_be("--db", "the URL of a file, as in sqlite:///riskbandits.db or sqlite:////folder/file.db", where)
    return url


def _sqlite_engine(url: URL, must_exist: bool) -> Engine:
    path = Path(str(url.database))
    try:
        if must_exist and not path.is_file():
            raise FileError(f"There is no file {shown(os.fspath(path))}.")
        if not path.parent.is_dir():
            raise FileError(f"There is no folder {shown(os.fspath(path.parent))}.")
        if not (path.exists() and path.stat().st_size):
            if os.path.exists(f"{path}-wal"):
                raise FileError(
                    f"There is a write-ahead log of {shown(os.fspath(path))}, but nothing else: the database was "
                    "removed. `riskbandits restore` puts a backup in its place."
                )
            path.touch(mode=0o600)  # hashes of keys, and whatever the rewards tell
    except OSError as error:
        raise FileError(f"{shown(os.fspath(path))} could not be opened: {error.strerror or error}.") from None
    engine = create_engine(
        url, paramstyle="named", connect_args={"timeout": SECONDS_TO_WAIT, "check_same_thread": False}
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, record: tuple[Any, ...]) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        _set_write_ahead_log(connection)
        # Committed means on disk, whatever happens to the machine afterwards.
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _set_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Readers do not wait for a writer then. SQLite itself never waits for the lock that this change needs."""
    until = time.monotonic() + SECONDS_TO_WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
        time.sleep(SECONDS_BETWEEN_TRIES)


def _postgresql_engine(url: URL) -> Engine:
    try:
        import psycopg  # noqa: F401 - SQLAlchemy would say it less well
    except ImportError:
        raise ParameterError("PostgreSQL needs the package 'psycopg': pip install 'riskbandits[service]'.") from None
    limits = f"{POSTGRESQL_LIMITS} {url.query.get('options', '')}"  # those of the URL count more
    settings = {**POSTGRESQL_SETTINGS, "options": limits}
    engine = create_engine(url, connect_args=settings, isolation_level="READ COMMITTED")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if not connection.get_execution_options().get("writes", False):  # an audit takes long, and holds up nobody
            connection.exec_driver_sql(NO_LIMITS)

    return engine


def for_writing(engine: Engine) -> Engine:
    """The same database, for transactions that write: in SQLite they wait for each other when they begin."""
    return engine.execution_options(writes=True)


def _migrate(engine: Engine) -> None:
    """Bring the schema up to date; Alembic, which takes long to import, only if there is something to do."""
    with engine.connect() as connection:
        known = inspect(connection).has_table("alembic_version")
        if known and connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == HEAD:
            return
    from alembic import command
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", os.fspath(MIGRATIONS).replace("%", "%%"))
    with for_writing(engine).connect() as connection, connection.begin():
        if not is_sqlite(engine):
            connection.execute(text(NO_LIMITS))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, HEAD)
        except CommandError as error:
            raise ParameterError(
                f"The database {shown_url(engine.url)!r} was written by another version of riskbandits: {error}"
            ) from None
