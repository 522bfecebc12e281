"""Requests of all kinds made from the OpenAPI description: never a 5xx, never an answer that contradicts it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from serving.running import FUNDS, Running

schemathesis = pytest.importorskip("schemathesis", reason="the package schemathesis is not installed")

from schemathesis.specs.openapi.checks import positive_data_acceptance  # noqa: E402

PHASES = [phase for phase in Phase if phase is not Phase.explain]


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """An instance with something in it, and its description."""
    running = Running(f"sqlite:///{tmp_path_factory.mktemp('description')}/test.db")
    assert running.ask("PUT", "/v1/bandits/funds", FUNDS).status_code == 201
    text = running.ask("GET", "/openapi.json", key=None).json()
    yield running, schemathesis.openapi.from_dict(text)
    running.stop()


def operations(schema):
    return {f"{one.ok().method.upper()} {one.ok().path}": one.ok() for one in schema.get_all_operations()}


NAMES = [
    "POST /v1/bandits/{name}/decisions",
    "GET /v1/bandits/{name}/decisions",
    "PUT /v1/decisions/{id}/reward",
    "POST /v1/bandits/{name}/rewards",
    "DELETE /v1/decisions/{id}",
    "PUT /v1/bandits/{name}",
    "PATCH /v1/bandits/{name}",
    "GET /v1/bandits/{name}",
    "GET /v1/bandits",
    "GET /v1/bandits/{name}/log",
    "PUT /v1/bandits/{name}/arms/{arm}",
    "DELETE /v1/bandits/{name}/arms/{arm}",
    "GET /v1/bandits/{name}/probabilities",
    "GET /v1/bandits/{name}/weights",
    "GET /v1/bandits/{name}/learner",
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
]


# What the description cannot say: which policies, risk measures, features and arms there are, and what names of arms
# look like.
NOT_ALL_TAKEN = (
    "POST /v1/bandits/{name}/decisions",
    "PUT /v1/bandits/{name}",
    "PATCH /v1/bandits/{name}",
    "GET /v1/bandits/{name}",
    "PUT /v1/bandits/{name}/arms/{arm}",
    "GET /v1/bandits/{name}/probabilities",
    "GET /v1/bandits/{name}/weights",
)


def check(described, name, examples):
    running, schema = described
    operation = operations(schema)[name]
    running.ask("PATCH", "/v1/bandits/funds", {"paused": False, "archived": False})  # whatever was asked before
    ids = st.sampled_from([None, *(one["id"] for one in running.decide("funds", 20))])
    usual = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=PHASES,
        suppress_health_check=list(HealthCheck),
    )
    ask = {"base_url": running.address, "headers": {"Authorization": f"Bearer {running.key}"}, "timeout": 120}

    @usual
    @given(case=operation.as_strategy(), known=st.booleans(), id=ids)
    def as_described(case, known, id):
        if known and "name" in case.path_parameters and not name.startswith("PUT /v1/bandits/{name}"):
            case.path_parameters["name"] = "funds"  # else nearly all would be about bandits that are not there
        if id is not None and "id" in case.path_parameters:
            case.path_parameters["id"] = id
        case.call_and_validate(**ask, excluded_checks=[positive_data_acceptance] if name in NOT_ALL_TAKEN else [])

    @usual
    @given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE))
    def not_as_described(case):
        response = case.call(**ask)
        if response.status_code == 413:  # a body that is too large: a refusal, which the check does not count as one
            assert response.json()["title"] == "Content Too Large"
            return
        try:
            case.validate_response(response, excluded_checks=[positive_data_acceptance])
        except schemathesis.core.failures.FailureGroup as found:
            # What was wrong may have been the key, in whose place we put a right one.
            forgiven = ("at /properties/Authorization", "(was Authorization)")
            if not all(any(words in str(one) for words in forgiven) for one in found.exceptions):
                raise

    as_described()
    if operation.body or operation.path_parameters or operation.query:
        not_as_described()


def test_these_are_all(described):
    assert sorted(operations(described[1])) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_few_requests_of_each_kind(described, name):
    check(described, name, 6)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_requests_of_each_kind(described, name):
    check(described, name, 1000)
