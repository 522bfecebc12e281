"""A database of version 0.2 opens: its bandits go on as they would have, and its audits are equal."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import MetaData, create_engine, insert, select, text, update

from riskbandits.service import times
from riskbandits.service.audit import audit_bandit, bandit_names
from riskbandits.service.db import engine as engines
from riskbandits.service.db.engine import for_writing
from riskbandits.service.db.statements import open_storage
from riskbandits.service.db.tables import events
from serving.running import FUNDS, Running

DUMP = Path(__file__).parent / "data" / "database_0_2.sql"
WRITTEN = 1_795_007_877_000_000  # when the dump was made: its decisions are open for a day


def restore_sqlite(path):
    connection = sqlite3.connect(path)
    connection.executescript(DUMP.read_text(encoding="utf-8"))
    connection.close()
    return f"sqlite:///{path}"


def restore_postgresql(url, path, monkeypatch):
    """The tables by the first migration, the rows from the dump."""
    monkeypatch.setattr(engines, "HEAD", "0001")
    target = engines.open_engine(url)
    monkeypatch.undo()
    source = create_engine(restore_sqlite(path))
    tables = MetaData()
    tables.reflect(target, only=("bandits", "events", "snapshots", "keys"))
    with source.connect() as old, target.begin() as new:
        for table in tables.sorted_tables:
            rows = [dict(row) for row in old.execute(select(table)).mappings()]
            new.execute(insert(table), rows)
        for name in ("bandits", "keys"):
            new.execute(text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))"))
    source.dispose()
    target.dispose()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request, tmp_path, monkeypatch):
    if request.param == "sqlite":
        return restore_sqlite(tmp_path / "old.db")
    return restore_postgresql(request.getfixturevalue("postgresql").new(), tmp_path / "old.db", monkeypatch)


def test_a_database_of_0_2_goes_on(old, monkeypatch):
    now, begun = times.now, times.now()
    monkeypatch.setattr(times, "now", lambda: WRITTEN + now() - begun)
    storage = open_storage(old)
    assert list(bandit_names(storage)) == ["compacted", "funds", "history", "rate"]
    for name in bandit_names(storage):
        assert audit_bandit(storage, name).equal, name
    storage.close()
    running = Running(old)
    before = running.log("funds")
    assert running.ask("PUT", "/v1/bandits/funds", FUNDS).status_code == 200
    assert running.decide("funds", idempotency_key="last")[0]["id"] == before[-1]["id"]
    outstanding = running.ask("GET", "/v1/bandits/funds/decisions").json()["decisions"]
    assert running.reward(outstanding[0]["id"], 0.5).json() == {"booked": True}
    for name in ("funds", "history", "compacted"):
        [made] = running.decide(name)
        assert running.reward(made["id"], 0.25).json() == {"booked": True}
    assert running.log("funds")[: len(before)] == before
    for name in ("funds", "history", "compacted", "rate"):
        found = audit_bandit(running.storage, name)
        assert found.equal, found.sentence
    running.stop()


@pytest.mark.parametrize(
    "change", [{"reward": 0.125}, {"at": 1}, {"data": {"a": 1}}, {"key": "another"}, {"digest": "0" * 32}]
)
def test_the_digests_of_old_events_see_a_change(tmp_path, change):
    storage = open_storage(restore_sqlite(tmp_path / "old.db"))
    # The last reward of all changes no choice that has been made.
    last = select(events.c.sequence).where(events.c.bandit_id == 1, events.c.kind == "reward")
    with for_writing(storage.engine).begin() as connection:
        sequence = max(connection.execute(last).scalars())
        this = update(events).where(events.c.bandit_id == 1, events.c.sequence == sequence)
        connection.execute(this.values(**change))
    found = audit_bandit(storage, "funds")
    assert not found.equal
    assert f"Event {sequence}, or the bandit itself, was changed afterwards" in found.sentence
    storage.close()
