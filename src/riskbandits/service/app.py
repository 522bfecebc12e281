"""The application: the endpoints and their descriptions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import FastAPI, Header, Path, Query
from starlette.exceptions import HTTPException
from starlette.responses import Response

from riskbandits.core.version import __version__
from riskbandits.service import allowed_names, description, ids, page, schemas
from riskbandits.service.description import problems
from riskbandits.service.door import Door, Page, needs
from riskbandits.service.front import nowhere
from riskbandits.service.operations import MOST_OPEN, AddArm, Answer, Decide, Forget, RetireArm, Reward, Rewards
from riskbandits.service.queries import Owed
from riskbandits.service.service import House

ABOUT = """Decisions that count exactly once: every decision and every reward is on disk before it is acknowledged.

Send `Authorization: Bearer KEY`. Keys have a role: `read` may look, `decide` may also ask for decisions and send
rewards, `admin` may also create bandits and change their arms. Errors are problem details (RFC 9457) whose `detail` is
a sentence.
"""

Name = Annotated[
    str, Path(description="The name of a bandit.", pattern=allowed_names.BANDIT, examples=["funds"], max_length=100)
]
ArmInPath = Annotated[str, Path(description="The name of an arm.", min_length=1, max_length=100, examples=["gold"])]
Id = Annotated[
    str, Path(description="The id of a decision.", min_length=1, max_length=60, examples=["1-17-ac814ad3a74145d5"])
]
Key = Annotated[
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
Position = Annotated[int, Query(ge=0, le=schemas.EXACT, description="Events after this one.")]
MostEvents = Annotated[int | None, Query(ge=1, le=schemas.MOST_EVENTS, description="The maximum number to return.")]
MostOpen = Annotated[int, Query(ge=1, le=MOST_OPEN, description="The maximum number to return.")]
MostBandits = Annotated[int, Query(ge=1, le=1000, description="The maximum number to return.")]
AfterName = Annotated[str, Query(max_length=100, pattern="^[ -~]*$", description="Bandits after this name.")]
RiskInQuery = Annotated[
    str | None, Query(min_length=1, max_length=500, description="Evaluate for this goal instead: `mean-variance:2`.")
]

ONE_DECISION, AS_IT_IS = schemas.DecisionsWanted(), schemas.RehearsalWanted()  # a request without a body


def made(house: House) -> FastAPI:
    """The application of an instance."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        house.start()
        yield
        await house.stop()

    app = FastAPI(
        title="riskbandits",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    app.router.route_class = Door
    app.state.house = house
    # The doors that are used most come first: they are looked through in this order.
    _decisions(app, house)
    _bandits(app, house)
    _operation(app, house)
    page.add(app)
    app.add_exception_handler(HTTPException, nowhere)
    return app


class _Lines(Response):
    media_type = "application/x-ndjson"


class _Plain(Response):
    media_type = "text/plain"


def _decisions(app: FastAPI, house: House) -> None:
    @app.post(
        "/v1/bandits/{name}/decisions",
        status_code=201,
        response_model=schemas.DecisionsMade,
        responses=problems(404, 409, 413, 422, 429),
        tags=["decisions"],
        summary="Make decisions",
    )
    @needs("decide")
    async def decide(name: Name, body: schemas.DecisionsWanted = ONE_DECISION, idempotency_key: Key = None) -> Any:
        """Which arm to play, once or `count` times, each with an id for its reward.

        A decision whose reward has not come when it expires is given up.
        """
        return await house.submit(name, Decide(body.count, body.available, idempotency_key))

    @app.put(
        "/v1/decisions/{id}/reward",
        response_model=schemas.RewardBooked,
        responses=problems(404, 409, 410, 413, 422),
        tags=["decisions"],
        summary="Record a reward",
    )
    @needs("decide")
    async def reward(id: Id, body: schemas.RewardSent) -> Any:
        """Sending the same reward again changes nothing (`booked` is false); a different reward is refused."""
        return await house.by_id(id, lambda number: Reward(id, number, body.reward))

    @app.post(
        "/v1/bandits/{name}/rewards",
        response_model=schemas.RewardsBooked,
        responses=problems(404, 409, 410, 413, 422),
        tags=["decisions"],
        summary="Record many rewards, all or none",
    )
    @needs("decide")
    async def rewards(name: Name, body: schemas.RewardsSent) -> Any:
        """Rewards of decisions of this bandit. If one of them is refused, none is recorded."""
        sent = [(one.id, *ids.split(one.id), one.reward) for one in body.rewards]
        return await house.submit(name, Rewards(sent))

    @app.delete(
        "/v1/decisions/{id}",
        response_model=schemas.Forgotten,
        responses=problems(404, 409),
        tags=["decisions"],
        summary="Give up a decision",
    )
    @needs("decide")
    async def forget(id: Id) -> Any:
        """For a reward that will never arrive. (Otherwise its lease expires.)"""
        return await house.by_id(id, lambda number: Forget(id, number))

    @app.get(
        "/v1/bandits/{name}/decisions",
        response_model=schemas.DecisionsMade,
        responses=problems(404, 422),
        tags=["decisions"],
        summary="Open decisions",
    )
    @needs("read")
    async def owed(name: Name, limit: MostOpen = 1000) -> Any:
        """The decisions whose rewards have not arrived yet, oldest first."""
        return await house.submit(name, Owed(limit))


def _bandits(app: FastAPI, house: House) -> None:
    @app.put(
        "/v1/bandits/{name}",
        status_code=201,
        response_model=schemas.BanditSpec,
        responses={
            200: {"model": schemas.BanditSpec, "description": "It already exists."},
            **problems(409, 413, 422),
        },
        tags=["bandits"],
        summary="Create or confirm a bandit",
    )
    @needs("admin")
    async def create(name: Name, body: schemas.NewBandit) -> Any:
        """Repeating the same body confirms the bandit (200); a different one is refused (409)."""
        return await house.create(allowed_names.bandit(name), body)

    @app.get(
        "/v1/bandits/{name}",
        response_model=schemas.BanditSeen,
        responses=problems(404, 422),
        tags=["bandits"],
        summary="The state of a bandit",
    )
    @needs("read")
    async def look(name: Name, risk: RiskInQuery = None) -> Any:
        """Its arms, the best one with its probability, and its open decisions; with `risk`, for another goal."""
        return Answer(200, await house.view(name, risk))

    @app.get(
        "/v1/bandits",
        response_model=schemas.BanditsListed,
        responses=problems(422),
        tags=["bandits"],
        summary="All bandits",
    )
    @needs("read")
    async def listed(after: AfterName = "", limit: MostBandits = 1000) -> Any:
        """Bandits in the order of their names."""
        return Answer(200, await house.listed(after, limit))

    @app.get(
        "/v1/bandits/{name}/log",
        response_class=_Lines,
        responses=problems(404, 422),
        tags=["bandits"],
        summary="The event log",
    )
    @needs("read")
    async def log(name: Name, after: Position = 0, limit: MostEvents = None) -> Any:
        """Events, one JSON object per line: `sequence`, `kind`, `id`, `arm`, `reward`, `at`, and `available` for
        decisions that were limited to some arms. Kinds: decision, reward, forgotten, expired, arm-added, arm-retired.
        With what the bandit was created with this is enough to play its whole life again.
        """
        return Page(b"application/x-ndjson", await house.log_of(name, after, limit))

    @app.put(
        "/v1/bandits/{name}/arms/{arm:path}",
        status_code=201,
        response_model=schemas.ArmChanged,
        responses={
            200: {"model": schemas.ArmChanged, "description": "It already exists."},
            **problems(404, 422, 429),
        },
        tags=["bandits"],
        summary="Add an arm or bring it back",
    )
    @needs("admin")
    async def add_arm(name: Name, arm: ArmInPath) -> Any:
        """A retired arm comes back with everything known about it."""
        return await house.submit(name, AddArm(allowed_names.arm(arm)))

    @app.delete(
        "/v1/bandits/{name}/arms/{arm:path}",
        response_model=schemas.ArmChanged,
        responses=problems(404),
        tags=["bandits"],
        summary="Retire an arm",
    )
    @needs("admin")
    async def retire_arm(name: Name, arm: ArmInPath) -> Any:
        """It is not chosen again until it is brought back; rewards of its open decisions are still recorded."""
        return await house.submit(name, RetireArm(arm))

    @app.post(
        "/v1/bandits/{name}/rehearse",
        response_model=schemas.Rehearsed,
        responses=problems(404, 409, 413, 422),
        tags=["bandits"],
        summary="Simulate the future",
    )
    @needs("read")
    async def rehearse(name: Name, body: schemas.RehearsalWanted = AS_IT_IS) -> Any:
        """Simulate this bandit from its current state, for another rho, policy or horizon. Nothing is changed."""
        return Answer(200, await house.rehearse(name, body))


def _operation(app: FastAPI, house: House) -> None:
    @app.get("/healthz", response_model=schemas.Health, tags=["operation"], summary="Liveness")
    @needs(None)
    async def healthz() -> Any:
        """Needs no key."""
        return Answer(200, b'{"status":"ok"}')

    @app.get(
        "/readyz",
        response_model=schemas.Health,
        responses=problems(503),
        tags=["operation"],
        summary="Readiness",
    )
    @needs(None)
    async def readyz() -> Any:
        """Whether the database responds. Needs no key."""
        await house.ready()
        return Answer(200, b'{"status":"ok"}')

    @app.get("/metrics", response_class=_Plain, responses=problems(), tags=["operation"], summary="Prometheus metrics")
    @needs("read")
    async def metrics() -> Any:
        """Counts and timings, without names of bandits."""
        return Page(b"text/plain; version=0.0.4; charset=utf-8", house.metrics.text())

    @app.get("/openapi.json", include_in_schema=False)
    @needs(None)
    async def openapi() -> Any:
        """The OpenAPI description."""
        return Page(b"application/json", description.text(app))
