"""Nothing that was acknowledged is lost or counted twice, whenever the process or the database is killed."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import threading
import time

import psycopg
import pytest

from riskbandits.service import auth, ids
from riskbandits.service.audit import audit_bandit
from riskbandits.service.db.statements import open_storage
from serving.instances import InstanceStarter
from serving.killing import BANDITS, SPEC, Harness
from serving.ports import free_port
from serving.running import wait_for


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
    running = InstanceStarter(tmp_path_factory.mktemp("starter") / "log")
    yield running
    running.close()


def check(harness, capsys, server=None, **faults):
    try:
        asyncio.run(harness.run(faults, server))
        harness.compare()
        harness.audit()
    finally:
        harness.storage.close()
    with capsys.disabled():
        print(f"\n{sum(faults.values())} faults on {harness.url.split(':')[0]}: {harness.report()}")
    counts = harness.counts
    for thing in ("decisions", "rewards"):
        assert counts[f"{thing} lost"] == 0
        assert counts[f"{thing} counted twice"] == 0
        assert counts[f"{thing} acknowledged"] > 0
    assert counts["audits equal"] == len(BANDITS)
    assert counts["changes acknowledged"] > 0
    assert counts["decisions with other features"] == 0
    assert counts["bandits whose changes are not as acknowledged"] == 0
    assert not faults.get("service") or counts["requests committed but not yet answered when killed"] > 0


def test_faults_on_sqlite(starter, tmp_path, capsys):
    check(
        Harness(starter, f"sqlite:///{tmp_path}/test.db", seed=1, flaky=True),
        capsys,
        service=5,
        stop=1,
        freeze=1,
        clock=2,
    )


def test_faults_on_postgresql(starter, postgresql, capsys):
    harness = Harness(starter, postgresql.new(), seed=2, flaky=True)
    check(harness, capsys, postgresql, service=2, database=1, cut=2, clock=1)


def test_two_instances_never_fork_a_bandit(starter, postgresql, capsys):
    check(Harness(starter, postgresql.new(), seed=3, instances=2), capsys)


@pytest.mark.full
def test_two_processes_on_one_sqlite_file_never_fork_a_bandit(starter, tmp_path, capsys):
    check(Harness(starter, f"sqlite:///{tmp_path}/test.db", seed=7, instances=2), capsys, service=3, freeze=3)


@pytest.mark.full
def test_200_faults_on_sqlite(starter, tmp_path, capsys):
    harness = Harness(starter, f"sqlite:///{tmp_path}/test.db", seed=4, flaky=True)
    check(harness, capsys, service=120, stop=10, freeze=40, clock=30)


@pytest.mark.full
def test_100_faults_of_two_instances_on_postgresql(starter, postgresql, capsys):
    harness = Harness(starter, postgresql.new(), seed=5, instances=2, flaky=True)
    check(harness, capsys, postgresql, service=40, database=8, freeze=17, clock=10, cut=22, **{"long freeze": 3})


class Asker:
    """A client of one instance: statuses, and how long each took."""

    def __init__(self, port, key):
        self.port, self.key, self.statuses, self.longest, self.ids = port, key, [], 0.0, []

    def ask(self, method, path, body=None):
        begun = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, json.dumps(body), {"Authorization": f"Bearer {self.key}"})
            answer = connection.getresponse()
            text = answer.read()
        except OSError:
            return 0
        finally:
            connection.close()
        self.longest = max(self.longest, time.monotonic() - begun)
        self.statuses.append(answer.status)
        if answer.status == 201 and method == "POST":
            self.ids += [one["id"] for one in json.loads(text)["decisions"]]
        return answer.status

    def decide(self, name):
        return self.ask("POST", f"/v1/bandits/{name}/decisions", {})


HOLDS_A_LOCK = """
SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE relation = 'bandits'::regclass AND mode = 'RowShareLock' AND state = 'idle in transaction'
"""


@pytest.mark.full
def test_an_instance_that_is_stopped_while_it_holds_a_lock(starter, postgresql, capsys):
    url = postgresql.new()
    storage = open_storage(url)
    key = auth.add_key(storage, "admin")
    ports = [free_port(), free_port()]
    frozen = starter.start(url, ports[0])
    starter.start(url, ports[1])
    first, other = Asker(ports[0], key), Asker(ports[1], key)
    for one in (first, other):
        wait_for(lambda one=one: one.ask("GET", "/readyz") == 200, 60.0)
    for name in ("one", "two"):
        assert other.ask("PUT", f"/v1/bandits/{name}", SPEC) == 201
    stop = threading.Event()

    def load():
        while not stop.is_set():
            first.decide("one")

    crowd = [threading.Thread(target=load) for _ in range(4)]
    for thread in crowd:
        thread.start()
    with psycopg.connect(url, autocommit=True) as asking:
        for _ in range(1000):
            os.kill(frozen, signal.SIGSTOP)
            if asking.execute(HOLDS_A_LOCK).fetchone()[0]:
                time.sleep(0.2)  # unless its commit was on the way
                if asking.execute(HOLDS_A_LOCK).fetchone()[0]:
                    break
            os.kill(frozen, signal.SIGCONT)
            time.sleep(0.02)
        else:
            raise AssertionError("it never holds a lock")
    begun, other.longest, other.statuses, last = time.monotonic(), 0.0, [], {}
    while time.monotonic() < begun + 16.0:
        for name in ("one", "two"):
            last[name] = other.decide(name)
        other.ask("GET", "/readyz")
    longest = other.longest
    assert set(other.statuses) <= {200, 201, 503}
    assert 503 in other.statuses
    assert last == {"one": 201, "two": 201}  # while the first is still frozen
    assert longest < 10.0
    os.kill(frozen, signal.SIGCONT)
    wait_for(lambda: first.decide("one") == 201, 30.0)
    stop.set()
    for thread in crowd:
        thread.join()
    for name in ("one", "two"):
        assert audit_bandit(storage, name).equal
    made = [*first.ids, *other.ids]
    assert len(set(made)) == len(made)
    with storage.reading() as transaction:
        rows = [transaction.bandit_named(name) for name in ("one", "two")]
        events = [(row, event) for row in rows for event in transaction.events_after(row.id, 0)]
    assert set(made) <= {ids.make_id(row.secret, row.id, event["decides"]) for row, event in events}
    storage.close()
    with capsys.disabled():
        print(f"\nAn instance stopped for 16 s with a lock: the other answered within {longest:.1f} s.")
