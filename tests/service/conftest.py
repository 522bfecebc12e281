"""What the tests of the service need: an instance, and a PostgreSQL server where one is installed."""

from __future__ import annotations

import pytest

from serving import postgres
from serving.running import FUNDS, Running


@pytest.fixture(scope="session")
def postgresql():
    """A PostgreSQL server, started once."""
    if postgres.find() is None:
        pytest.skip(postgres.MISSING)
    running = postgres.Postgres()
    yield running
    running.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def served(request, tmp_path_factory):
    """An instance on either database, with a bandit called funds."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('service')}/test.db"
    else:
        url = request.getfixturevalue("postgresql").new()
    running = Running(url)
    assert running.ask("PUT", "/v1/bandits/funds", FUNDS).status_code == 201
    yield running
    running.stop()


@pytest.fixture
def small(tmp_path):
    """An instance on SQLite, for one test."""
    running = Running(f"sqlite:///{tmp_path}/test.db")
    assert running.ask("PUT", "/v1/bandits/funds", FUNDS).status_code == 201
    yield running
    running.stop()
