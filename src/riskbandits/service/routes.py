"""The endpoints for admins and readers, by FastAPI."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from riskbandits.service import ids, schemas, specs
from riskbandits.service.auth import LIMITED, require_role
from riskbandits.service.fast_routes import json_response, read_body
from riskbandits.service.operations import AddArm, Answer, ForgetDecision, RetireArm
from riskbandits.service.schemas import ArmInPath, BanditName, DecisionIdInPath, problems
from riskbandits.service.service import BanditService

ROUTES = APIRouter()


def _body(model: type[schemas.RequestModel], required: bool = True) -> dict[str, Any]:
    """The description of a body that an endpoint reads itself."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}}
    return {"requestBody": {"required": required, "content": content}}


class NdjsonResponse(StreamingResponse):
    """Lines of JSON."""

    media_type = "application/x-ndjson"


class PrometheusResponse(Response):
    """Prometheus's text format."""

    media_type = "text/plain; version=0.0.4"


def service_of(request: Request) -> BanditService:
    """The instance that serves a request."""
    found: BanditService = request.app.state.service
    return found


@ROUTES.put(
    "/v1/bandits/{name}",
    status_code=201,
    response_model=schemas.SpecResponse,
    responses={
        200: {"model": schemas.SpecResponse, "description": "It already exists."},
        **problems(409, 413, 422),
    },
    dependencies=[require_role("admin"), LIMITED],
    openapi_extra=_body(schemas.BanditRequest),
    tags=["bandits"],
    summary="Create or confirm a bandit",
)
async def create(request: Request, name: BanditName) -> Any:
    """Repeating the same body confirms the bandit (200); a different one is refused (409).

    Needs a key with the role `admin`.
    """
    # FastAPI would read the body before it looks at the key.
    body = await read_body(request, schemas.BanditRequest)
    return json_response(await service_of(request).create(name, body))


@ROUTES.patch(
    "/v1/bandits/{name}",
    response_model=schemas.SpecResponse,
    responses=problems(404, 409, 413, 422),
    dependencies=[require_role("admin"), LIMITED],
    openapi_extra=_body(schemas.ChangeRequest),
    tags=["bandits"],
    summary="Change a bandit",
)
async def change(request: Request, name: BanditName) -> Any:
    """Another risk measure or policy, a pause, or the archive: each is an event of the log. A paused bandit chooses
    its `baseline` alone or, without one, refuses to decide (409); an archived one refuses for good (410). Rewards are
    recorded all the same. A policy can be changed as long as the log is whole. Needs a key with the role `admin`.
    """
    body = await read_body(request, schemas.ChangeRequest)
    return json_response(await service_of(request).change(name, body))


@ROUTES.get(
    "/v1/bandits/{name}",
    response_model=schemas.BanditResponse,
    responses=problems(404, 422),
    dependencies=[require_role("read"), LIMITED],
    tags=["bandits"],
    summary="The state of a bandit",
)
async def bandit(request: Request, name: BanditName, query: Annotated[schemas.BanditQuery, Query()]) -> Any:
    """Its arms, the best one with its probability, and its open decisions; with `risk`, for another goal; with
    `features`, for a decision that has them. A bandit with features has no best arm without.

    Needs a key with the role `read`.
    """
    return json_response(Answer(200, await service_of(request).bandit(name, query.risk, query.features)))


@ROUTES.get(
    "/v1/bandits",
    response_model=schemas.BanditsResponse,
    responses=problems(422),
    dependencies=[require_role("read")],
    tags=["bandits"],
    summary="All bandits",
)
async def bandits(request: Request, query: Annotated[schemas.BanditsQuery, Query()]) -> Any:
    """Bandits in the order of their names. Needs a key with the role `read`."""
    found = await service_of(request).bandits(request.scope["role"], query.after, query.limit, query.archived)
    return json_response(Answer(200, found))


@ROUTES.get(
    "/v1/bandits/{name}/probabilities",
    response_model=schemas.ProbabilitiesResponse,
    responses=problems(404, 409, 422),
    dependencies=[require_role("read"), LIMITED],
    tags=["bandits"],
    summary="Probabilities of being chosen next",
)
async def probabilities(request: Request, name: BanditName, query: Annotated[schemas.FeaturesQuery, Query()]) -> Any:
    """Of each arm, by simulation of the policy, with standard errors; a bandit with features needs those of the
    decision. Needs a key with the role `read`.
    """
    return json_response(Answer(200, await service_of(request).probabilities(name, query.features)))


@ROUTES.get(
    "/v1/bandits/{name}/weights",
    response_model=schemas.WeightsResponse,
    responses=problems(404, 409, 410, 422),
    dependencies=[require_role("read"), LIMITED],
    tags=["bandits"],
    summary="Shares of traffic",
)
async def weights(request: Request, name: BanditName, query: Annotated[schemas.FeaturesQuery, Query()]) -> Any:
    """For platforms that split traffic themselves: the probability that each arm is chosen next, computed at most
    every ten seconds, with its time; a bandit with features needs those of the traffic. Needs a key with the role
    `read`.
    """
    return json_response(Answer(200, await service_of(request).weights(name, query.features)))


@ROUTES.get(
    "/v1/bandits/{name}/learner",
    response_model=dict[str, Any],
    responses=problems(404),
    dependencies=[require_role("read"), LIMITED],
    tags=["bandits"],
    summary="The bandit as a learner file",
)
async def learner(request: Request, name: BanditName) -> Any:
    """For `riskbandits.Learner.from_json`. Needs a key with the role `read`."""
    return json_response(Answer(200, await service_of(request).learner(name)))


@ROUTES.get(
    "/v1/bandits/{name}/log",
    response_class=NdjsonResponse,
    responses=problems(404, 422),
    dependencies=[require_role("read")],
    tags=["bandits"],
    summary="The event log",
)
async def log(request: Request, name: BanditName, query: Annotated[schemas.LogQuery, Query()]) -> Any:
    """Events, one JSON object per line: `sequence`, `kind`, `id`, `arm`, `reward`, `at`; for decisions that were
    limited to some arms also `available`, and where there is more to say `data`. Kinds: decision, reward, forgotten,
    expired, arm-added, arm-retired, changed, paused, resumed, archived, restored. With what the bandit was
    created with this is enough to replay its whole life. Needs a key with the role `read`.
    """
    return NdjsonResponse(await service_of(request).log_lines(name, query.after, query.limit))


@ROUTES.put(
    "/v1/bandits/{name}/arms/{arm:path}",
    status_code=201,
    response_model=schemas.ArmResponse,
    responses={
        200: {"model": schemas.ArmResponse, "description": "It already exists."},
        **problems(404, 409, 413, 422),
    },
    dependencies=[require_role("admin")],
    openapi_extra=_body(schemas.ArmRequest, required=False),
    tags=["bandits"],
    summary="Add an arm or bring it back",
)
async def add_arm(request: Request, name: BanditName, arm: ArmInPath) -> Any:
    """A retired arm comes back with everything known about it. `amount`, with `hurdle-ts`, is what a sale of a new one
    pays. Needs a key with the role `admin`.
    """
    body = await read_body(request, schemas.ArmRequest, default=b"{}")
    operation = AddArm(specs.check_arm_name(arm), body.amount)
    return json_response(await service_of(request).change_arms(name, operation))


@ROUTES.delete(
    "/v1/bandits/{name}/arms/{arm:path}",
    response_model=schemas.ArmResponse,
    responses=problems(404),
    dependencies=[require_role("admin")],
    tags=["bandits"],
    summary="Retire an arm",
)
async def retire_arm(request: Request, name: BanditName, arm: ArmInPath) -> Any:
    """It is not chosen again until it is brought back; rewards of its open decisions are still recorded.

    Needs a key with the role `admin`.
    """
    return json_response(await service_of(request).change_arms(name, RetireArm(arm)))


@ROUTES.get(
    "/v1/bandits/{name}/decisions",
    response_model=schemas.DecisionsResponse,
    responses=problems(404, 422),
    dependencies=[require_role("read"), LIMITED],
    tags=["decisions"],
    summary="Open decisions",
)
async def open_decisions(request: Request, name: BanditName, query: Annotated[schemas.DecisionsQuery, Query()]) -> Any:
    """The decisions whose rewards have not arrived yet, oldest first. Needs a key with the role `read`."""
    return json_response(await service_of(request).open_decisions(name, query.after, query.limit))


@ROUTES.delete(
    "/v1/decisions/{id}",
    response_model=schemas.ForgetResponse,
    responses=problems(404, 409),
    dependencies=[require_role("decide")],
    tags=["decisions"],
    summary="Give up a decision",
)
async def forget(request: Request, id: DecisionIdInPath) -> Any:
    """For a reward that will never arrive. (Otherwise its lease expires.) Needs a key with the role `decide`."""
    bandit_id, number = ids.parse_id(id)
    return json_response(await service_of(request).submit(bandit_id, ForgetDecision(id, number)))


@ROUTES.get("/healthz", response_model=schemas.HealthResponse, tags=["operation"], summary="Liveness")
async def healthz() -> Any:
    """Needs no key."""
    return json_response(Answer(200, b'{"status":"ok"}'))


@ROUTES.get(
    "/readyz",
    response_model=schemas.HealthResponse,
    responses={503: problems()[503]},
    tags=["operation"],
    summary="Readiness",
)
async def readyz(request: Request) -> Any:
    """Whether the database responds. Needs no key."""
    await service_of(request).check_ready()
    return json_response(Answer(200, b'{"status":"ok"}'))


@ROUTES.get(
    "/metrics",
    response_class=PrometheusResponse,
    responses=problems(),
    dependencies=[require_role("read")],
    tags=["operation"],
    summary="Prometheus metrics",
)
async def metrics(request: Request) -> Any:
    """Counts and timings, without names of bandits. Needs a key with the role `read`."""
    return PrometheusResponse(service_of(request).metrics.text())
