"""Nothing that was acknowledged is lost or counted twice, whenever the process or the database is killed."""

from __future__ import annotations

import asyncio

import pytest

from serving.instances import InstanceStarter
from serving.killing import Harness


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
    running = InstanceStarter(tmp_path_factory.mktemp("starter") / "log")
    yield running
    running.close()


def check(harness, capsys, kills, database_kills=0, server=None, stops=0):
    try:
        asyncio.run(harness.run(kills, database_kills, server, stops))
        harness.compare()
        harness.audit()
    finally:
        harness.storage.close()
    with capsys.disabled():
        print(f"\n{kills} kills on {harness.url.split(':')[0]}: {harness.report()}")
    counts = harness.counts
    for thing in ("decisions", "rewards"):
        assert counts[f"{thing} lost"] == 0
        assert counts[f"{thing} counted twice"] == 0
        assert counts[f"{thing} acknowledged"] > 0
    assert counts["audits equal"] == 3
    assert kills == 0 or counts["committed and not yet answered when killed"] > 0


def test_seven_kills_on_sqlite(starter, tmp_path, capsys):
    check(Harness(starter, f"sqlite:///{tmp_path}/test.db", seed=1), capsys, 7, stops=1)


def test_three_kills_on_postgresql_one_of_the_database(starter, postgresql, capsys):
    check(Harness(starter, postgresql.new(), seed=2), capsys, 3, 1, postgresql)


def test_two_instances_never_fork_a_bandit(starter, postgresql, capsys):
    check(Harness(starter, postgresql.new(), seed=3, instances=2), capsys, 0)


@pytest.mark.full
def test_two_processes_on_one_sqlite_file_never_fork_a_bandit(starter, tmp_path, capsys):
    check(Harness(starter, f"sqlite:///{tmp_path}/test.db", seed=7, instances=2), capsys, 3)


@pytest.mark.full
def test_200_kills_on_sqlite(starter, tmp_path, capsys):
    check(Harness(starter, f"sqlite:///{tmp_path}/test.db", seed=4), capsys, 200, stops=10)


@pytest.mark.full
def test_50_kills_on_postgresql_10_of_the_database(starter, postgresql, capsys):
    check(Harness(starter, postgresql.new(), seed=5), capsys, 50, 10, postgresql)


@pytest.mark.full
def test_30_kills_of_one_of_two_instances(starter, postgresql, capsys):
    check(Harness(starter, postgresql.new(), seed=6, instances=2), capsys, 30)
