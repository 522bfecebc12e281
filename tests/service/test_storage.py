"""What lies in the database: the schema, its guarantees, snapshots, restarts; and what the library does not import."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, insert, select

from riskbandits.service import bandit_state, specs, writer
from riskbandits.service.audit import audit_bandit
from riskbandits.service.db.engine import for_writing
from riskbandits.service.db.statements import matching_pairs, open_storage
from riskbandits.service.db.tables import events, metadata, snapshots
from riskbandits.service.metrics import Metrics
from riskbandits.service.operations import MakeDecisions, RecordReward
from riskbandits.testing import check_storage
from serving.running import FUNDS, Running

SERVICE = ["fastapi", "starlette", "uvicorn", "pydantic", "sqlalchemy", "alembic", "psycopg", "prometheus_client"]


def test_the_library_imports_none_of_the_services_packages(run_python):
    code = f"""
import sys, riskbandits as rb
for name in rb.__all__:
    getattr(rb, name)
import riskbandits.cli.app
print(sorted({{*{SERVICE!r}}} & set(sys.modules)), 'riskbandits.service' in sys.modules)
"""
    assert run_python(code).strip() == "[] False"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/test.db"
    return request.getfixturevalue("postgresql").new()


def test_the_migrations_make_the_schema(url):
    storage = open_storage(url)
    with storage.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    storage.close()


def test_several_instances_may_start_at_once(url):
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(open_storage, [url] * 4))
    for storage in opened:
        assert is_empty(storage)
        storage.close()


def test_a_new_file_that_another_process_holds_is_waited_for(tmp_path):
    path = tmp_path / "test.db"
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN EXCLUSIVE")  # as another instance does while it turns the write-ahead log on
    threading.Timer(0.5, holder.rollback).start()
    storage = open_storage(f"sqlite:///{path}")
    assert is_empty(storage)
    storage.close()
    holder.close()


def is_empty(storage):
    with storage.reading() as transaction:
        return transaction.bandits_after("", 1) == []


def test_the_contract(url):
    storage = open_storage(url)
    check_storage(storage, lambda: open_storage(url))
    storage.close()


@pytest.mark.parametrize("column", ["key", "settles"])
def test_what_was_is_found_by_an_index(tmp_path, column):
    storage = open_storage(f"sqlite:///{tmp_path}/test.db")
    with storage.engine.connect() as connection:
        plan = connection.exec_driver_sql(
            f"EXPLAIN QUERY PLAN {matching_pairs(column, 2)}", {"b0": 1, "v0": 1, "b1": 1, "v1": 2}
        )
        steps = [row[3] for row in plan]
    assert f"SEARCH events USING INDEX events_{column} (bandit_id=? AND {column}=?)" in steps
    storage.close()


def test_a_restart_goes_on_from_a_snapshot(tmp_path, monkeypatch):
    monkeypatch.setattr(bandit_state, "SNAPSHOT_EVERY", 20)
    url = f"sqlite:///{tmp_path}/test.db"
    running = Running(url)
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    for step in range(32):
        [decision] = running.decide("funds")
        if step % 5:
            running.reward(decision["id"], 0.1 * step)
    before = running.ask("GET", "/v1/bandits/funds").json()
    running.stop()
    played = []
    play = bandit_state.BanditState.apply_event
    monkeypatch.setattr(
        bandit_state.BanditState, "apply_event", lambda self, *event: (played.append(event), play(self, *event))
    )
    running = Running(url)
    assert running.ask("GET", "/v1/bandits/funds").json() == before
    assert len(played) < 40
    with running.storage.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(snapshots)).scalar() == 1
        assert connection.execute(select(func.count()).select_from(events)).scalar() == before["sequence"]
    assert audit_bandit(running.storage, "funds").equal
    running.stop()


def test_a_damaged_snapshot_costs_time_alone(small):
    writer = small.service.writer
    for step in range(10):
        small.reward(small.decide("funds")[0]["id"], 0.1 * step)
    before = small.ask("GET", "/v1/bandits/funds").json()
    with for_writing(small.storage.engine).begin() as connection:
        content = {**writer._loaded[1].snapshot(), "learner": '{"format": "nonsense"}'}
        connection.execute(insert(snapshots).values(content))
    writer._loaded.clear()
    small.service._answers.clear()
    assert small.ask("GET", "/v1/bandits/funds").json() == before


def test_a_log_that_cannot_be_played_holds_up_nobody_else(small):
    small.ask("PUT", "/v1/bandits/other", FUNDS)
    small.decide("funds", 3)
    with for_writing(small.storage.engine).begin() as connection:
        connection.execute(events.update().where(events.c.sequence == 1).values(arm="nobody"))
    small.service.writer._loaded.clear()
    refused = small.ask("POST", "/v1/bandits/funds/decisions")
    assert (refused.status_code, "riskbandits audit" in refused.json()["detail"]) == (500, True)
    assert len(small.decide("other", 2)) == 2


def test_a_policy_that_fails_in_the_middle_leaves_memory_as_the_log_has_it(small, monkeypatch):
    first = small.decide("funds", 2)
    decide = small.service.writer._loaded[1].learner.decide
    calls = []

    def fail(**named):
        calls.append(decide(**named))  # the state has moved on
        raise ArithmeticError("All scores were NaN.")

    monkeypatch.setattr(small.service.writer._loaded[1].learner, "decide", fail)
    refused = small.ask("POST", "/v1/bandits/funds/decisions", {"count": 2})
    assert (refused.status_code, "All scores were NaN." in refused.json()["detail"]) == (409, True)
    assert len(calls) == 1
    again = small.decide("funds")
    assert again[0]["arm"] == calls[0].arm
    assert [event["id"] for event in small.log("funds")] == [one["id"] for one in [*first, *again]]
    assert audit_bandit(small.storage, "funds").equal


def test_many_requests_share_a_commit(tmp_path):
    storage = open_storage(f"sqlite:///{tmp_path}/test.db")
    metrics = Metrics()
    made = writer.Writer(storage, metrics)

    async def run():
        made._loop = asyncio.get_running_loop()
        spec = specs.make_spec(FUNDS["arms"], FUNDS["policy"], FUNDS["risk"])
        waiting = [made.create("funds", spec)]
        waiting += [made.submit("funds", MakeDecisions(1, None, f"key-{number // 2}")) for number in range(100)]
        made.start()
        answers = await asyncio.gather(*waiting)
        await made.stop()
        return answers[1:]

    answers = asyncio.run(run())
    assert len({answer.body for answer in answers}) == 50  # each key was sent twice, in the same commit
    text = metrics.text().decode()
    commits = float(text.split("riskbandits_commit_requests_count ")[1].split()[0])
    assert commits <= 101 / writer.SMALLEST_BATCH + 1
    storage.close()


@pytest.mark.full
def test_a_bandit_with_a_million_events_starts_in_two_seconds(tmp_path):
    url = f"sqlite:///{tmp_path}/test.db"
    running = Running(url)
    running.ask("PUT", "/v1/bandits/funds", FUNDS)
    asyncio.run_coroutine_threadsafe(_live(running.service, 500_000), running.service.writer._loop).result()
    assert running.ask("GET", "/v1/bandits/funds").json()["sequence"] == 1_000_000
    running.stop()
    begun = time.perf_counter()
    running = Running(url)
    [decision] = running.decide("funds")
    seconds = time.perf_counter() - begun
    print(f"the first decision of a bandit with 10^6 events: {seconds:.2f} s after the start")
    assert seconds < 2.0
    assert running.reward(decision["id"], 1.0).status_code == 200
    running.stop()


async def _live(service, decisions):
    import json

    for first in range(0, decisions, 5000):
        answers = await asyncio.gather(
            *(
                service.submit("funds", MakeDecisions(1000, None, None))
                for _ in range(min(5, (decisions - first) // 1000))
            )
        )
        made = [one for answer in answers for one in json.loads(answer.body)["decisions"]]
        numbers = [(one["id"], *map(int, one["id"].split("-")[:2])) for one in made]
        await asyncio.gather(
            *(service.submit(bandit, RecordReward(id, number, 0.1 * (number % 9))) for id, bandit, number in numbers)
        )
