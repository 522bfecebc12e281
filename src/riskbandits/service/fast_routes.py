"""The three endpoints that products use all day, as plain Starlette routes: FastAPI's would halve the throughput.

Their descriptions for OpenAPI stand below them.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Header
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from riskbandits.core.errors import must_be
from riskbandits.service import ids, schemas
from riskbandits.service.auth import authorize, require_role
from riskbandits.service.errors import ProblemError, object_of_different_names, validation_error
from riskbandits.service.operations import Answer, MakeDecisions, RecordReward, RecordRewards
from riskbandits.service.schemas import BanditName, DecisionIdInPath, problems

LARGEST_BODY = 1 << 20  # bytes
LARGEST_DRAINED = 1 << 26  # of a body that is refused: whoever sends it then reads why

Model = TypeVar("Model", bound=BaseModel)


async def make_decisions(request: Request) -> Response:
    """POST /v1/bandits/{name}/decisions."""
    await authorize(request, "decide")
    body = await read_body(request, schemas.DecisionsRequest, default=b"{}")
    operation = MakeDecisions(body.count, body.available, _idempotency_key(request), body.features)
    return json_response(await request.app.state.service.submit(request.path_params["name"], operation))


async def record_reward(request: Request) -> Response:
    """PUT /v1/decisions/{id}/reward."""
    await authorize(request, "decide")
    id = request.path_params["id"]
    body = await read_body(request, schemas.RewardRequest)
    bandit, number = ids.parse_id(id)
    return json_response(await request.app.state.service.submit(bandit, RecordReward(id, number, body.reward)))


async def record_rewards(request: Request) -> Response:
    """POST /v1/bandits/{name}/rewards."""
    await authorize(request, "decide")
    body = await read_body(request, schemas.RewardsRequest)
    operation = RecordRewards([(one.id, *ids.parse_id(one.id), one.reward) for one in body.rewards], body.each)
    return json_response(await request.app.state.service.submit(request.path_params["name"], operation))


ROUTES = [
    Route("/v1/bandits/{name}/decisions", make_decisions, methods=["POST"]),
    Route("/v1/decisions/{id}/reward", record_reward, methods=["PUT"]),
    Route("/v1/bandits/{name}/rewards", record_rewards, methods=["POST"]),
]


def json_response(answer: Answer) -> Response:
    """An answer of the writer."""
    return Response(answer.body, answer.status, media_type="application/json")


async def read_body(request: Request, model: type[Model], default: bytes = b"") -> Model:
    """The body of a request, checked."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size <= LARGEST_BODY:
            parts.append(part)
        elif size > LARGEST_DRAINED:
            break
    if size > LARGEST_BODY:
        raise ProblemError(413, f"The body must be at most {LARGEST_BODY} bytes. It is longer.")
    text = b"".join(parts) or default
    try:
        found = model.model_validate_json(text)
    except ValidationError as error:
        raise validation_error(error.errors(include_url=False)) from None
    json.loads(text, object_pairs_hook=object_of_different_names)  # of which Pydantic would take the last
    return found


def _idempotency_key(request: Request) -> str | None:
    keys = request.headers.getlist("idempotency-key")
    if not keys:
        return None
    if len(keys) > 1 or not (1 <= len(keys[0]) <= schemas.LONGEST_KEY and keys[0].isascii() and keys[0].isprintable()):
        what = f"one text of 1 to {schemas.LONGEST_KEY} printable ASCII characters"
        raise must_be("The Idempotency-Key", what, keys[0])
    return keys[0]


# The same endpoints for OpenAPI alone: nobody calls these functions.

DESCRIPTIONS = APIRouter(tags=["decisions"], dependencies=[require_role("decide")])
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="The same key always returns the same decisions; with a different body it is refused.",
        min_length=1,
        max_length=schemas.LONGEST_KEY,
        pattern="^[ -~]+$",
        examples=["6f1c0a52"],
    ),
]


@DESCRIPTIONS.post(
    ROUTES[0].path,
    status_code=201,
    response_model=schemas.DecisionsResponse,
    responses=problems(404, 409, 413, 422),
    summary="Make decisions",
)
def _decisions(name: BanditName, body: schemas.DecisionsRequest | None = None, key: IdempotencyKey = None) -> Any:
    """Which arm to play, once or `count` times, each with an id for its reward.

    A decision whose reward has not come when it expires is given up. Needs a key with the role `decide`.
    """


@DESCRIPTIONS.put(
    ROUTES[1].path,
    response_model=schemas.RewardResponse,
    responses=problems(404, 409, 410, 413, 422),
    summary="Record a reward",
)
def _reward(id: DecisionIdInPath, body: schemas.RewardRequest) -> Any:
    """Sending the same reward again changes nothing (`booked` is false); a different reward is refused.

    Needs a key with the role `decide`.
    """


@DESCRIPTIONS.post(
    ROUTES[2].path,
    response_model=schemas.RewardsResponse,
    responses=problems(404, 409, 410, 413, 422),
    summary="Record many rewards, all or none",
)
def _rewards(name: BanditName, body: schemas.RewardsRequest) -> Any:
    """Rewards of decisions of this bandit. If one of them is refused, none is recorded.

    Needs a key with the role `decide`.
    """
