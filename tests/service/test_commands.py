"""The commands that work on a database: keys, audit, compact, export, import."""

from __future__ import annotations

import re
import socket

import pytest
from sqlalchemy import select, text, update

import riskbandits as rb
from riskbandits.service import auth, bandit_state
from riskbandits.service.db.engine import for_writing
from riskbandits.service.db.statements import open_storage
from riskbandits.service.db.tables import bandits, events, snapshots
from serving.running import FUNDS, Running


def test_keys(command, tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path}/new.db"
    code, out, err = command("keys", "add", "--db", url, "--role", "admin", "--note", "for a test")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"rb_1_[A-Za-z0-9_-]{43}\n", out)
    code, out, _ = command("keys", "list", "--db", url)
    assert ("admin" in out, "for a test" in out, "rb_1_" in out) == (True, True, False)
    assert "is revoked" in command("keys", "revoke", "1", "--db", url)[1]
    assert "was already revoked" in command("keys", "revoke", "1", "--db", url)[1]
    for wrong, sentence in (
        (("keys", "revoke", "7", "--db", url), "There is no key 7."),
        (("keys", "add", "--db", url, "--role", "king"), "The role must be one of read, decide, admin."),
        (("keys", "list", "--db", f"sqlite:///{tmp_path}/none.db"), "There is no file"),
        (("keys", "add", "--db", "mysql://x/y"), "--db must be a URL such as"),
        (("keys", "add", "--db", f"sqlite:///{tmp_path}/no/where.db"), "There is no folder"),
    ):
        code, out, err = command(*wrong)
        assert (code, out) == (2, "")
        assert sentence in err
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("words", [("keys", "add", "--role", "king"), ("import", "funds", "no-file.json")])
def test_what_is_refused_creates_no_database(command, tmp_path, words):
    code, _, err = command(*words, "--db", f"sqlite:///{tmp_path}/new.db")
    assert (code, err.count("\n")) == (2, 1)
    assert list(tmp_path.iterdir()) == []


def test_an_address_that_is_taken(command, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = command("serve", "--db", f"sqlite:///{tmp_path}/test.db", "--port", str(port))
    assert code == 2
    assert f"The address 127.0.0.1:{port} cannot be used" in err
    assert list(tmp_path.iterdir()) == []  # nor a key that nobody was shown


def test_a_password_is_not_shown(command):
    code, _, err = command("keys", "list", "--db", "postgresql://me:secret@127.0.0.1:9/none")
    assert code == 2
    assert "could not be opened" in err
    assert "secret" not in err


@pytest.fixture
def lived(tmp_path):
    """A database with a bandit that has lived a little."""
    url = f"sqlite:///{tmp_path}/test.db"
    running = Running(url)
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    for step in range(30):
        [decision] = running.decide("funds", idempotency_key=f"key-{step}")
        if step != 3:
            running.reward(decision["id"], 0.1 * (step % 7))
    yield running
    running.stop()


def test_an_audit_finds_what_was_changed(command, lived):
    code, out, _ = command("audit", "--db", lived.url, "funds")
    assert code == 0
    assert out.splitlines() == [
        "Equal: every choice of 'funds' is the same, bit for bit.",
        "59 events, 30 decisions, 29 rewards.",
    ]
    assert command("audit", "--db", lived.url, "none")[0] == 2
    engine = for_writing(lived.storage.engine)
    [arm] = [event["arm"] for event in lived.log("funds") if event["sequence"] == 40]
    for changes, words in (
        ({"arm": {"bond": "stock", "stock": "bond"}[arm]}, "NOT equal"),
        ({"arm": arm}, "Equal"),
    ):
        with engine.begin() as connection:
            connection.execute(update(events).where(events.c.sequence == 40).values(**changes))
        code, out, _ = command("audit", "--db", lived.url, "funds")
        assert words in out
        assert code == (0 if words == "Equal" else 3)
    with engine.begin() as connection:
        connection.execute(events.delete().where(events.c.sequence == 59))
    code, out, _ = command("audit", "--db", lived.url, "funds")
    assert (code, "NOT complete" in out) == (3, True)


@pytest.mark.parametrize("since_compacted", [None, 0, 2])
@pytest.mark.parametrize("change", [{"secret": b"another"}, {"created": 1}, {"spec": "lease"}])
def test_an_audit_finds_a_changed_bandit(command, lived, since_compacted, change):
    if since_compacted is not None:
        assert command("compact", "--db", lived.url, "funds")[0] == 0
        if since_compacted:
            lived.decide("funds", since_compacted)
        assert command("audit", "--db", lived.url, "funds")[0] == 0
    with for_writing(lived.storage.engine).begin() as connection:
        if "spec" in change:
            change = {"spec": connection.execute(select(bandits.c.spec)).scalar().replace("86400", "86401")}
        connection.execute(update(bandits).values(**change))
    code, out, _ = command("audit", "--db", lived.url, "funds")
    assert (code, "NOT equal" in out) == (3, True)


def test_an_audit_of_a_policy_with_a_history_after_restarts(command, lived, monkeypatch):
    monkeypatch.setattr(bandit_state, "SNAPSHOT_EVERY", 50)
    assert lived.ask("PUT", "/v1/bandits/h", {**FUNDS, "policy": "bcvts", "risk": "cvar:0.5"}).status_code == 201
    for _ in range(3):
        for step in range(60):
            lived.reward(lived.decide("h")[0]["id"], 0.01 * (step % 37))
        lived.service.writer._loaded.clear()  # as a restart does: from the snapshot and the log
    assert command("audit", "--db", lived.url, "h")[0] == 0
    with for_writing(lived.storage.engine).begin() as connection:
        connection.execute(
            update(snapshots)
            .where(snapshots.c.bandit_id == 2)
            .values(rest=text("replace(rest, '\"at\": 1', '\"at\": 2')"))
        )
    code, out, _ = command("audit", "--db", lived.url, "h")
    assert (code, "holds a different state" in out) == (3, True)


def test_compacting_forgets_the_past_and_nothing_else(command, lived):
    outstanding = lived.ask("GET", "/v1/bandits/funds/decisions").json()["decisions"]
    log = lived.log("funds")
    code, out, _ = command("compact", "--db", lived.url, "funds")
    assert (code, out) == (0, "29 events of 'funds' are now a snapshot.\n")  # those with keys of today stay
    assert lived.log("funds") == []
    assert lived.decide("funds", idempotency_key="key-7")[0]["id"] == log[13]["id"]
    assert lived.reward(outstanding[0]["id"], 0.3).json() == {"booked": True}
    refused = lived.reward(log[0]["id"], 0.0)
    assert (refused.status_code, "has been removed" in refused.json()["detail"]) == (410, True)
    lived.decide("funds", 5)
    assert [event["sequence"] for event in lived.log("funds")] == list(range(60, 66))
    code, out, _ = command("audit", "--db", lived.url, "funds")
    assert code == 0
    assert "since the snapshot after event 59" in out
    # And once more, for a log that begins with a snapshot already.
    assert command("compact", "--db", lived.url, "funds")[0] == 0
    assert command("audit", "--db", lived.url, "funds")[0] == 0


def test_a_bandit_moves_to_a_learner_and_back(command, lived, tmp_path):
    file = tmp_path / "funds.json"
    code, out, _ = command("export", "--db", lived.url, "funds", file)
    assert (code, "after 30 decisions" in out) == (0, True)
    learner = rb.Learner.load(file)
    assert len(learner.open_decisions()) == 1
    assert [learner.decide().arm for _ in range(10)] == [one["arm"] for one in lived.decide("funds", 10)]
    learner.answer(learner.open_decisions()[-1].id, 2.0)
    learner.save(file)
    code, out, err = command("import", "--db", lived.url, "back", file)
    assert code == 0, err
    ids = out.splitlines()[1:]
    assert len(ids) == len(learner.open_decisions()) == 10
    assert lived.ask("GET", "/v1/bandits/back").json()["decisions"] == 40
    assert lived.reward(ids[-1], 3.0).json() == {"booked": True}
    learner.answer(learner.open_decisions()[-1].id, 3.0)
    assert [learner.decide().arm for _ in range(10)] == [one["arm"] for one in lived.decide("back", 10)]
    code, out, _ = command("audit", "--db", lived.url, "back")
    assert code == 0, out
    code, _, err = command("import", "--db", lived.url, "back", file)
    assert (code, "There is already a bandit 'back'" in err) == (2, True)


def test_a_database_of_a_later_version_is_refused(command, tmp_path):
    url = f"sqlite:///{tmp_path}/test.db"
    storage = open_storage(url)
    auth.add_key(storage, "admin")
    with for_writing(storage.engine).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    storage.close()
    code, _, err = command("keys", "list", "--db", url)
    assert (code, "was written by another version of riskbandits" in err) == (2, True)
