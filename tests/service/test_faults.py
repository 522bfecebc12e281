"""Faults around the service: files that vanish, databases that hang, backups, clocks, and logs that were changed."""

from __future__ import annotations

import json
import logging
import os
import shutil
import socket
import sqlite3
import threading
import time
from contextlib import closing

import pytest
from sqlalchemy import text, update

from riskbandits.core.errors import FileError
from riskbandits.service import bandit_state, times, transfer
from riskbandits.service.audit import audit_bandit
from riskbandits.service.db import statements
from riskbandits.service.db.engine import for_writing
from riskbandits.service.db.statements import open_storage
from riskbandits.service.db.storage import StorageError
from riskbandits.service.db.tables import bandits, events, snapshots
from serving.running import FUNDS, Running, wait_for

HISTORY = {**FUNDS, "policy": "bcvts", "risk": "cvar:0.5"}


# What an audit finds


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """A database in which two bandits have lived, with snapshots; the policy of one keeps a history."""
    path = tmp_path_factory.mktemp("lived") / "test.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bandit_state, "SNAPSHOT_EVERY", 30)
        running = Running(f"sqlite:///{path}")
        running.ask("PUT", "/v1/bandits/funds", FUNDS)
        running.ask("PUT", "/v1/bandits/h", HISTORY)
        for step in range(25):
            for name in ("funds", "h"):
                made = running.decide(name, 2, available=["bond", "stock"], idempotency_key=f"key-{step}")
                running.reward(made[0]["id"], 0.01 * (step % 11))
            running.service.writer._loaded.clear()  # as a restart does: from the snapshot and the log
        running.stop()
    return path


OF_FUNDS = "WHERE bandit_id = 1 AND sequence ="
CHANGES = {
    "arm": f"UPDATE events SET arm = CASE arm WHEN 'bond' THEN 'stock' ELSE 'bond' END {OF_FUNDS} 40",
    "last reward": f"UPDATE events SET reward = 1000.0 {OF_FUNDS} 72",
    "key": "UPDATE events SET key = 'key-x' WHERE bandit_id = 1 AND key = 'key-3'",
    "order of arms": "UPDATE events SET available = '[\"stock\", \"bond\"]' WHERE bandit_id = 1 AND key = 'key-3'",
    "removed": f"DELETE FROM events {OF_FUNDS} 75",
    "removed, and numbers closed up": [
        f"DELETE FROM events {OF_FUNDS} 72",
        *[f"UPDATE events SET sequence = {one - 1} {OF_FUNDS} {one}" for one in (73, 74, 75)],
        "UPDATE bandits SET version = 74 WHERE id = 1",
    ],
    "inserted": [
        "INSERT INTO events SELECT bandit_id, 76, kind, decides, settles + 1, arm, reward, at, available, key, count, "
        f"data, digest FROM events {OF_FUNDS} 75",
        "UPDATE bandits SET version = 76 WHERE id = 1",
    ],
    "swapped": [
        f"UPDATE events SET sequence = {new} {OF_FUNDS} {old}" for old, new in ((72, 1000), (75, 72), (1000, 75))
    ],
    "cut before the snapshot": [
        "DELETE FROM events WHERE bandit_id = 1 AND sequence > 10",
        "UPDATE bandits SET version = 10 WHERE id = 1",
    ],
    "version": "UPDATE bandits SET version = 74",
    "words of the policy": """UPDATE bandits SET spec = replace(spec, '"switching-aware"', '"switching_aware"')""",
    "policy": "UPDATE bandits SET spec = replace(spec, 'SwitchingAware', 'SwitchingUnaware')",
    "lease": "UPDATE bandits SET spec = replace(spec, '86400', '86401')",
    "secret": "UPDATE bandits SET secret = zeroblob(32)",
    "renewed secret": "UPDATE bandits SET secret = CAST(secret || randomblob(40) AS BLOB)",
    "counts of the snapshot": """UPDATE snapshots SET rest = replace(rest, '"reward": 2', '"reward": 3')""",
    "place of the snapshot": "UPDATE snapshots SET sequence = -sequence",
}
COLUMNS = [column for table in (events, bandits, snapshots) for column in table.columns if column.name != "bandit_id"]
# Any row, and any other value.
CHANGES |= {
    f"{column}": f"""UPDATE {column.table} SET "{column.name}" = CASE typeof("{column.name}")
    WHEN 'null' THEN 1000 WHEN 'text' THEN substr("{column.name}", 2) WHEN 'blob' THEN zeroblob(32)
    ELSE "{column.name}" + 1 END WHERE {"id" if column.table is bandits else "bandit_id"} = 1
    {"AND sequence = 75" if column.table is events else ""}"""
    for column in COLUMNS
    if column not in (bandits.c.id, bandits.c.name)  # by which it is found
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_audit_finds(change, lived, tmp_path):
    shutil.copy(lived, tmp_path / "test.db")
    storage = open_storage(f"sqlite:///{tmp_path}/test.db")
    assert audit_bandit(storage, "funds").equal
    with for_writing(storage.engine).begin() as connection:
        for statement in [CHANGES[change]] if isinstance(CHANGES[change], str) else CHANGES[change]:
            assert connection.exec_driver_sql(statement).rowcount > 0
    found = audit_bandit(storage, "funds")
    storage.close()
    assert not found.equal, found.sentence
    assert " NOT " in found.sentence


def test_an_audit_finds_another_baseline_though_nothing_was_decided_meanwhile(small):
    small.ask("PATCH", "/v1/bandits/funds", {"paused": True, "baseline": "bond"})
    small.ask("PATCH", "/v1/bandits/funds", {"paused": False})
    assert audit_bandit(small.storage, "funds").equal
    with for_writing(small.storage.engine).begin() as connection:
        connection.execute(text("UPDATE events SET arm = 'stock' WHERE kind = 'paused'"))
    assert not audit_bandit(small.storage, "funds").equal


def test_a_policy_with_a_history_is_equal_after_many_restarts(lived):
    storage = open_storage(f"sqlite:///{lived}")
    with storage.reading() as transaction:
        assert transaction.newest_snapshot(2) is not None
    assert audit_bandit(storage, "h").equal
    storage.close()


def test_an_audit_does_not_see_an_end_that_was_cut_off_as_the_documentation_says(lived, tmp_path):
    shutil.copy(lived, tmp_path / "test.db")
    storage = open_storage(f"sqlite:///{tmp_path}/test.db")
    with for_writing(storage.engine).begin() as connection:
        connection.execute(text("DELETE FROM events WHERE bandit_id = 1 AND sequence > 73"))
        connection.execute(update(bandits).where(bandits.c.id == 1).values(version=73))
    assert audit_bandit(storage, "funds").equal
    storage.close()


def test_a_bandit_whose_snapshot_is_damaged_goes_on_from_its_log(lived, tmp_path):
    shutil.copy(lived, tmp_path / "test.db")
    running = Running(f"sqlite:///{tmp_path}/test.db")
    with for_writing(running.storage.engine).begin() as connection:
        connection.execute(text("UPDATE snapshots SET rest = substr(rest, 2)"))
    assert len(running.decide("funds")) == 1
    running.stop()


def test_a_database_that_fails_while_a_policy_is_rebuilt_is_none_of_these(small, monkeypatch):
    assert small.ask("PATCH", "/v1/bandits/funds", {"policy": "ngts"}).status_code == 200
    small.decide("funds")  # now there is a snapshot, which would spare the rebuilding

    def fail(*_):
        raise StorageError("the connection was closed")

    with small.storage.engine.begin() as connection:
        connection.execute(text("DELETE FROM snapshots"))
    small.service.writer._loaded.clear()
    with monkeypatch.context() as patch:
        patch.setattr(bandit_state, "rebuild_learner", fail)
        assert small.ask("POST", "/v1/bandits/funds/decisions").status_code == 503
        with pytest.raises(StorageError):
            audit_bandit(small.storage, "funds")
    assert len(small.decide("funds")) == 1


def test_a_compacted_log_whose_beginning_is_missing_is_not_equal(small):
    small.decide("funds", 5)
    transfer.compact(small.storage, "funds")
    small.decide("funds", 5)
    with for_writing(small.storage.engine).begin() as connection:
        connection.execute(text("DELETE FROM snapshots"))
    found = audit_bandit(small.storage, "funds")
    assert (found.equal, "where the log begins, is missing" in found.sentence) == (False, True)


def test_arms_of_a_request_are_stored_once_and_shown_with_every_decision(small):
    small.decide("funds", 3, available=["stock", "bond", "stock"])
    log = small.log("funds")
    assert [line["available"] for line in log] == [["stock", "bond"]] * 3
    assert small.log("funds", after=2) == log[2:]
    with small.storage.reading() as transaction:
        stored = [event["available"] for event in transaction.events_after(1, 0)]
    assert stored == [json.dumps(["stock", "bond"]), "1", "2"]
    small.service.writer._loaded.clear()
    assert len(small.decide("funds")) == 1
    assert audit_bandit(small.storage, "funds").equal


# Files under a running service


def copy_database(path, backup):
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(backup)) as copy:
        source.backup(copy)


def remove_file(path):
    path.unlink()


def remove_log(path):
    path.with_name(path.name + "-wal").unlink()


def overwrite_log(path):
    log = path.with_name(path.name + "-wal")
    with log.open("rb+") as file:
        file.write(bytes(log.stat().st_size))


def remove_index(path):
    path.with_name(path.name + "-shm").unlink()


def copy_over(path):
    """What `cp` does with an older backup: the file stays the same one."""
    path.write_bytes(path.with_name("older.db").read_bytes())


def cut_short(path):
    os.truncate(path, 4096)


def replace_file(path):
    backup = path.with_name("backup.db")
    copy_database(path, backup)
    os.replace(backup, path)


def leave_a_link(path):
    """A restart would look for the write-ahead log beside what the link leads to."""
    path.rename(path.with_name("moved.db"))
    path.symlink_to("moved.db")


FAULTS = [
    remove_file, remove_log, overwrite_log, remove_index, replace_file, leave_a_link, copy_over, cut_short,
]  # fmt: skip


@pytest.mark.parametrize(("fault", "linked"), [*((fault, False) for fault in FAULTS), (remove_log, True)])
def test_a_file_that_goes_under_a_running_service(fault, linked, tmp_path, caplog):
    path = opened = tmp_path / "test.db"
    if linked:
        (tmp_path / "elsewhere").mkdir()
        path = tmp_path / "elsewhere" / "real.db"
        opened.symlink_to(path)
    running = Running(f"sqlite:///{opened}")
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    id = running.decide("funds")[0]["id"]
    copy_database(path, path.with_name("older.db"))
    for _ in range(3):
        running.decide("funds", 1000)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint")  # all that was acknowledged is in the file
    assert running.ask("GET", "/readyz").status_code == 200
    fault(path)
    refused = running.ask("POST", "/v1/bandits/funds/decisions")
    assert refused.status_code == 503
    assert running.reward(id, 1.0).status_code == 503
    ready = running.ask("GET", "/readyz")
    assert ready.status_code == 503
    wait_for(lambda: "nothing can be written" in caplog.text)
    running.stop()


@pytest.mark.skipif(not hasattr(os, "SEEK_HOLE"), reason="Windows does not tell what was never written")
@pytest.mark.parametrize(
    ("share", "when"),
    [(0.0, "before a commit"), (0.9999, "before a commit"), (0.0, "while it is made"), (0.5, "while it is made")],
)
def test_a_write_ahead_log_that_is_cut_short(share, when, tmp_path, caplog, monkeypatch):
    path = tmp_path / "test.db-wal"
    running = Running(f"sqlite:///{tmp_path}/test.db")
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    for _ in range(5):
        running.decide("funds", 10)
    append = statements.SqlTransaction.append_events

    def cut():
        os.truncate(path, int(path.stat().st_size * share))

    def cut_and_append(self, new, versions):
        cut()
        append(self, new, versions)

    if when == "before a commit":
        cut()
    else:
        monkeypatch.setattr(statements.SqlTransaction, "append_events", cut_and_append)
    assert running.ask("POST", "/v1/bandits/funds/decisions").status_code == 503
    ready = running.ask("GET", "/readyz")
    assert (ready.status_code, "write-ahead log was cut short" in ready.json()["detail"]) == (503, True)
    assert "nothing can be written" in caplog.text
    running.stop()


def test_a_write_ahead_log_that_was_cut_short_before_does_not_keep_a_service_from_starting(tmp_path):
    open_storage(f"sqlite:///{tmp_path}/test.db").close()
    with (tmp_path / "test.db-wal").open("wb") as log:
        log.truncate(100_000)  # what is left when the first commit after the cut was written behind the end
    running = Running(f"sqlite:///{tmp_path}/test.db")
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    assert len(running.decide("funds")) == 1
    running.stop()


def test_a_file_that_goes_while_a_commit_is_made(tmp_path, monkeypatch):
    running = Running(f"sqlite:///{tmp_path}/test.db")
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    append = statements.SqlTransaction.append_events

    def go_and_append(self, new, versions):
        (tmp_path / "test.db").unlink()
        append(self, new, versions)

    monkeypatch.setattr(statements.SqlTransaction, "append_events", go_and_append)
    assert running.ask("POST", "/v1/bandits/funds/decisions").status_code == 503
    running.stop()


def test_a_vacuum_under_a_running_service_is_none_of_these(tmp_path):
    path = tmp_path / "test.db"
    running = Running(f"sqlite:///{path}")
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    running.decide("funds", 1000)
    transfer.compact(running.storage, "funds")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint")
        size = path.stat().st_size
        connection.execute("DELETE FROM events")  # kept for a day, so that requests can be repeated
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert path.stat().st_size < size
    assert len(running.decide("funds")) == 1
    running.stop()


def test_a_file_that_goes_while_nobody_asks_is_reported(tmp_path, caplog):
    running = Running(f"sqlite:///{tmp_path}/test.db")
    (tmp_path / "test.db").unlink()
    wait_for(lambda: "nothing can be written" in caplog.text)
    ready = running.ask("GET", "/readyz")
    assert (ready.status_code, "was removed while it was in use" in ready.json()["detail"]) == (503, True)
    running.stop()


@pytest.mark.parametrize("left", [None, b""])
def test_a_write_ahead_log_without_its_database_is_refused(left, tmp_path):
    if left is not None:
        (tmp_path / "test.db").write_bytes(left)
    (tmp_path / "test.db-wal").write_bytes(b"what was acknowledged")
    with pytest.raises(FileError, match="the database was removed"):
        open_storage(f"sqlite:///{tmp_path}/test.db")
    assert (tmp_path / "test.db-wal").exists()


def test_readyz_tells_that_nothing_can_be_written(small, monkeypatch):
    def fail(self):
        raise StorageError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(statements.SqlTransaction, "commit", fail)
        assert small.ask("POST", "/v1/bandits/funds/decisions").status_code == 503
        ready = small.ask("GET", "/readyz")
        assert ready.status_code == 503
        assert "Nothing can be written: database or disk is full." in ready.json()["detail"]
    wait_for(lambda: small.ask("GET", "/readyz").status_code == 200, 5.0)  # though nobody asks for anything
    assert len(small.decide("funds")) == 1


# Backups


def test_after_a_restore_ids_of_the_lost_time_are_refused(tmp_path, command):
    path, backup = tmp_path / "test.db", tmp_path / "backup.db"
    running = Running(f"sqlite:///{path}")
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    kept = running.decide("funds", 5)
    copy_database(path, backup)
    lost = running.decide("funds", 5, idempotency_key="lost")
    running.reward(kept[0]["id"], 0.5)
    code, _, err = command("restore", backup, "--db", running.url)
    assert (code, "is in use: stop the service first" in err) == (2, True)
    assert len(running.decide("funds")) == 1  # and nothing has happened to it
    running.stop()
    code, out, err = command("restore", backup, "--db", running.url)
    assert (code, out) == (0, "Restored, with new ids from now on: funds.\n"), err
    assert path.stat().st_mode & 0o077 == 0
    running = Running(f"sqlite:///{path}")
    for one in lost:
        assert running.reward(one["id"], 1.0).status_code == 404
    new = running.decide("funds", 5, idempotency_key="lost")
    assert not {one["id"] for one in new} & {one["id"] for one in lost}
    for one in lost:
        assert running.reward(one["id"], 1.0).status_code == 404
    assert all(running.reward(one["id"], 1.0).json() == {"booked": True} for one in [*kept, *new])
    assert [line["kind"] for line in running.log("funds")][5] == "restored"
    assert {line["id"] for line in running.log("funds")} >= {one["id"] for one in [*kept, *new]}
    assert audit_bandit(running.storage, "funds").equal
    running.stop()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # The part of the secret that came with the restore.
        connection.execute("UPDATE bandits SET secret = CAST(substr(secret, 1, 71) || x'00' AS BLOB)")
    storage = open_storage(f"sqlite:///{path}")
    assert "does not fit the secret" in audit_bandit(storage, "funds").sentence
    storage.close()


def test_a_restore_in_place_on_postgresql(postgresql):
    url = postgresql.new()
    running = Running(url)
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    before = running.decide("funds", 2)
    running.stop()
    assert transfer.restore(url, None) == ["funds"]
    running = Running(url)
    after = running.decide("funds", 2)
    assert all(running.reward(one["id"], 1.0).json() == {"booked": True} for one in [*before, *after])
    assert audit_bandit(running.storage, "funds").equal
    running.stop()


@pytest.mark.parametrize(
    ("backup", "why"),
    [
        ("none.db", "There is no file"),
        ("text.db", "could not be read"),
        ("empty.db", "must be a copy of a database of bandits"),
        ("other.db", "The log of 'funds' cannot be replayed: Event 40"),
    ],
)
def test_a_restore_that_is_refused_changes_nothing(tmp_path, lived, command, backup, why):
    (tmp_path / "text.db").write_text("this is no database " * 100)
    (tmp_path / "empty.db").touch()
    shutil.copy(lived, tmp_path / "other.db")
    with closing(sqlite3.connect(tmp_path / "other.db", isolation_level=None)) as connection:
        connection.execute("UPDATE events SET at = at + 1 WHERE sequence = 40")
        connection.execute("DELETE FROM snapshots")
    storage = open_storage(f"sqlite:///{tmp_path}/test.db")
    storage.close()
    before = (tmp_path / "test.db").read_bytes()
    code, _, err = command("restore", tmp_path / backup, "--db", storage.address)
    assert (code, why in " ".join(err.split())) == (2, True), err
    assert (tmp_path / "test.db").read_bytes()[100:] == before[100:]
    assert not list(tmp_path.glob(".test.db*"))


def test_a_restore_leaves_nothing_of_a_database_that_a_link_leads_to(tmp_path, lived):
    real, link = tmp_path / "real.db", tmp_path / "test.db"
    link.symlink_to(real)
    shutil.copy(lived, real)
    with closing(sqlite3.connect(real, isolation_level=None)) as connection:
        connection.execute("UPDATE bandits SET created = 0")
        log = real.with_name("real.db-wal").read_bytes()
    real.unlink()
    real.with_name("real.db-wal").write_bytes(log)
    assert transfer.restore(f"sqlite:///{link}", lived) == ["funds", "h"]
    storage = open_storage(f"sqlite:///{link}")
    assert audit_bandit(storage, "funds").equal
    storage.close()


# Clocks


def test_a_clock_that_jumps_ahead_and_back_keeps_no_lease_alive(tmp_path, monkeypatch, caplog):
    clock = [0]
    real = times.now
    monkeypatch.setattr(times, "now", lambda: real() + clock[0])
    month = 30 * 86400 * 10**6
    running = Running(f"sqlite:///{tmp_path}/test.db")
    running.ask("PUT", "/v1/bandits/short", {**FUNDS, "lease_seconds": 2.5})
    clock[0] = month
    ahead = running.decide("short", 2)
    time.sleep(1.1)
    clock[0] = 0
    running.ask("GET", "/v1/bandits/short")
    assert running.reward(ahead[0]["id"], 1.0).json() == {"booked": True}  # it is not given up at once
    back = running.decide("short", 2)
    assert back[0]["expires"] < ahead[0]["expires"]
    wait_for(lambda: running.ask("GET", "/v1/bandits/short").json()["expired"] == 3, 6.0)
    assert running.reward(ahead[1]["id"], 1.0).status_code == 410
    assert "the clock was set" in caplog.text
    running.service.writer._loaded.clear()
    assert running.ask("GET", "/v1/bandits/short").json()["open"] == 0
    assert audit_bandit(running.storage, "short").equal
    running.stop()


def test_leases_from_a_time_that_has_not_come_end_however_often_the_service_restarts(tmp_path, monkeypatch):
    clock = [30 * 86400 * 10**6]
    real = times.now
    monkeypatch.setattr(times, "now", lambda: real() + clock[0])
    running = Running(f"sqlite:///{tmp_path}/test.db")
    running.ask("PUT", "/v1/bandits/short", {**FUNDS, "lease_seconds": 1.0})
    ahead = running.decide("short", 2)
    clock[0] = 0
    shown = running.decide("short")[0]["expires"]
    for _ in range(5):
        running.service.writer._loaded.clear()  # as a restart does
        time.sleep(0.3)
        outstanding = running.ask("GET", "/v1/bandits/short/decisions").json()["decisions"]
        assert {one["expires"] for one in outstanding} <= {shown}
    assert running.reward(ahead[0]["id"], 1.0).status_code == 410
    assert audit_bandit(running.storage, "short").equal
    running.stop()


def test_many_leases_that_end_at_once_end_in_parts(small, monkeypatch):
    monkeypatch.setattr(bandit_state, "EXPIRED_AT_ONCE", 10)
    small.ask("PUT", "/v1/bandits/short", {**FUNDS, "lease_seconds": 0.3})
    made = small.decide("short", 100)
    time.sleep(0.4)
    assert small.reward(made[-1]["id"], 1.0).status_code == 410
    wait_for(lambda: small.ask("GET", "/v1/bandits/short").json()["expired"] == 100)


# A PostgreSQL server that hangs


class SilentProxy:
    """Stands before a server and, when told so, forwards nothing."""

    def __init__(self, port):
        self._target, self.silent = port, False
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                here, _ = self._socket.accept()
            except OSError:
                return
            there = socket.create_connection(("127.0.0.1", self._target))
            for source, target in ((here, there), (there, here)):
                threading.Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source, target):
        try:
            while part := source.recv(65536):
                while self.silent:
                    time.sleep(0.02)
                target.sendall(part)
        except OSError:
            pass
        finally:
            target.close()

    def close(self):
        self._socket.close()


def timed(running, method, path):
    begun = time.monotonic()
    status = running.ask(method, path).status_code
    return status, time.monotonic() - begun


def test_a_silent_network_to_postgresql_is_a_503(postgresql):
    proxy = SilentProxy(postgresql.port)
    running = Running(postgresql.new().replace(str(postgresql.port), str(proxy.port)))
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    running.decide("funds")
    proxy.silent = True
    waits = [timed(running, "POST", "/v1/bandits/funds/decisions") for _ in range(2)]
    waits.append(timed(running, "GET", "/readyz"))
    proxy.silent = False
    assert [status for status, _ in waits] == [503] * 3
    assert max(seconds for _, seconds in waits) < 10.0
    wait_for(lambda: running.ask("GET", "/readyz").status_code == 200)
    assert len(running.decide("funds")) == 1
    assert audit_bandit(running.storage, "funds").equal
    running.stop()
    proxy.close()


# Two that were let in by mistake


def test_two_keys_are_none(small):
    headers = [("Authorization", f"Bearer {small.key}"), ("Authorization", f"Bearer {small.key}")]
    refused = small.client.get("/v1/bandits", headers=headers)
    assert (refused.status_code, "one Authorization header" in refused.json()["detail"]) == (401, True)


def test_ids_are_not_in_the_log_of_requests(small, caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("riskbandits.service"), "propagate", True)  # whoever has served here before
    caplog.set_level("INFO", "riskbandits.service")
    id = small.decide("funds")[0]["id"]
    small.reward(id, 1.0)
    small.reward(id, 2.0)

    def written():
        return str([vars(record) for record in caplog.records if record.name == "riskbandits.service"])

    wait_for(lambda: "/v1/decisions/ID/reward" in written())  # it is logged after it is answered
    assert id not in written()


def test_a_log_that_was_compacted_is_read_in_parts(small):
    small.decide("funds", 5)
    transfer.compact(small.storage, "funds")
    small.decide("funds", 5)
    part = small.ask("GET", "/v1/bandits/funds/log?after=0&limit=2").text.splitlines()
    assert [json.loads(line)["sequence"] for line in part] == [6, 7]
