"""Nothing that was acknowledged is lost or counted twice, whenever the process or the database is killed."""

from __future__ import annotations

import asyncio

import pytest

from serving.instances import InstanceStarter
from serving.killing import BANDITS, Harness


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
    assert not faults.get("service") or counts["committed and not yet answered when killed"] > 0


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
