"""The schemas of requests and answers, as in the OpenAPI description."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from riskbandits.service import allowed_names, ids
from riskbandits.service.specs import LONGEST_LEASE, LONGEST_WORDS, MOST_ARMS

MOST_DECISIONS = 1000  # in one request
MOST_REWARDS = 5000
MOST_EVENTS = 1_000_000
LONGEST_KEY = 200
MOST_STEPS = 5000  # of a rehearsal
MOST_RUNS = 200
EXACT = 2**53


ArmName = Annotated[str, StringConstraints(min_length=1, max_length=allowed_names.LONGEST_ARM)]
Words = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_WORDS)]
DecisionId = Annotated[str, StringConstraints(min_length=1, max_length=ids.LONGEST)]
# In JSON 3.0 is a whole number too.
WHOLE = BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)
Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e140, le=1e140)]


class Shape(BaseModel):
    """Requests must match the schema exactly."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewBandit(Shape):
    """The specification of a new bandit."""

    arms: Annotated[list[ArmName], Field(min_length=1, max_length=MOST_ARMS, json_schema_extra={"uniqueItems": True})]
    policy: Annotated[Words, Field(description="By name, as in `riskbandits list policies`: `bcvts(upper=2)`.")]
    risk: Annotated[Words, Field(description="By name, as in `riskbandits list risks`: `mean-variance:1`.")]
    seed: Annotated[
        Annotated[int, Field(ge=0, le=EXACT), WHOLE] | None,
        Field(description="The same seed and requests give the same choices."),
    ] = 0
    horizon: Annotated[
        Annotated[int, Field(ge=1, le=EXACT), WHOLE] | None,
        Field(description="The total number of decisions, if known."),
    ] = None
    lease_seconds: Annotated[
        float | None, Field(ge=0.001, le=LONGEST_LEASE, description="How long to wait for a reward, in seconds.")
    ] = 86400

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "arms": ["bond", "stock"],
                "policy": "switching-aware",
                "risk": "mean-variance:1",
                "seed": 7,
                "horizon": None,
                "lease_seconds": 86400,
            }
        }
    )


class BanditSpec(BaseModel):
    """The specification of a bandit."""

    name: str
    arms: list[str]
    policy: str
    risk: str
    seed: int | None
    horizon: int | None
    lease_seconds: float
    created: str


class DecisionsWanted(Shape):
    """The number of decisions, and the arms to choose from."""

    count: Annotated[int, Field(ge=1, le=MOST_DECISIONS), WHOLE] = 1
    available: Annotated[
        list[ArmName] | None,
        Field(min_length=1, max_length=MOST_ARMS, description="Restrict this choice to these arms."),
    ] = None

    model_config = ConfigDict(json_schema_extra={"example": {"count": 1, "available": None}})


class DecisionMade(BaseModel):
    """A decision: play this arm, and send its reward under this id until it expires."""

    id: str
    arm: str
    expires: str


class DecisionsMade(BaseModel):
    """The decisions, in the order in which they were made."""

    decisions: list[DecisionMade]

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "decisions": [{"id": "1-17-ac814ad3a74145d5", "arm": "bond", "expires": "2026-01-31T12:00:00.000000Z"}]
            }
        }
    )


class RewardSent(Shape):
    """What the arm paid."""

    reward: Number

    model_config = ConfigDict(json_schema_extra={"example": {"reward": 0.02}})


class RewardBooked(BaseModel):
    """Whether the reward was recorded now; false if the same reward was already recorded."""

    booked: bool


class OneReward(Shape):
    """The reward of one decision."""

    id: DecisionId
    reward: Number


class RewardsSent(Shape):
    """Rewards of decisions of one bandit."""

    rewards: Annotated[list[OneReward], Field(max_length=MOST_REWARDS)]

    model_config = ConfigDict(
        json_schema_extra={"example": {"rewards": [{"id": "1-17-ac814ad3a74145d5", "reward": 0.02}]}}
    )


class RewardsBooked(BaseModel):
    """How many rewards were recorded now, and how many already had been."""

    booked: int
    repeated: int


class Forgotten(BaseModel):
    """Whether the decision was forgotten now; false if it already had been."""

    forgotten: bool


class ArmChanged(BaseModel):
    """An arm, and whether anything has changed."""

    arm: str
    changed: bool


class ArmSeen(BaseModel):
    """What is known about an arm; unknown numbers are null."""

    name: str
    rewards: int
    mean: float | None
    variance: float | None
    value: float | None
    low: float | None
    high: float | None
    share: float | None
    outstanding: int
    retired: bool


class BestArm(BaseModel):
    """The arm that is most probably the best, with its probability."""

    arm: str
    probability: float | None
    value: float | None
    low: float | None
    high: float | None


class BanditSeen(BaseModel):
    """A bandit as it is now."""

    name: str
    arms: list[ArmSeen]
    best: Annotated[BestArm | None, Field(description="Null while too little is known.")]
    notice: Annotated[str | None, Field(description="A warning if the rewards do not suit the policy.")]
    decisions: int
    rewards: int
    open: int
    forgotten: int
    expired: int
    policy: str
    risk: str
    rho: float | None
    seed: int | None
    horizon: int | None
    lease_seconds: float
    created: str
    sequence: int


class BanditListed(BaseModel):
    """A bandit in the list."""

    name: str
    policy: str
    risk: str
    arms: int
    events: int
    created: str


class BanditsListed(BaseModel):
    """Bandits by name."""

    bandits: list[BanditListed]


class RehearsalWanted(Shape):
    """What to simulate: another goal, policy or horizon. Omitted fields stay as they are."""

    rho: Annotated[float | None, Field(ge=0, le=1e9, allow_inf_nan=False)] = None
    risk: Words | None = None
    policy: Words | None = None
    horizon: Annotated[int, Field(ge=1, le=MOST_STEPS, description="Steps into the future."), WHOLE] = 200
    runs: Annotated[int, Field(ge=1, le=MOST_RUNS), WHOLE] = 20
    seed: Annotated[int, Field(ge=0, le=EXACT), WHOLE] = 0

    model_config = ConfigDict(json_schema_extra={"example": {"rho": 2.0, "horizon": 200, "runs": 20}})


class RehearsedArm(BaseModel):
    """How often an arm was chosen in the simulation, and how often it was the best arm."""

    name: str
    share: float
    share_se: float
    best: float


class Rehearsed(BaseModel):
    """The simulated future, given what is known."""

    policy: str
    risk: str
    horizon: int
    runs: int
    mean: float | None
    mean_se: float | None
    variance: float | None
    value: float | None
    arms: list[RehearsedArm]
    steps: list[int]
    shares: list[list[float]]


class Health(BaseModel):
    """That the service is running."""

    status: str

    model_config = ConfigDict(json_schema_extra={"example": {"status": "ok"}})


class Problem(BaseModel):
    """What went wrong (RFC 9457): `detail` is a sentence."""

    type: str
    title: str
    status: int
    detail: str

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "about:blank",
                "title": "Not found",
                "status": 404,
                "detail": "There is no bandit 'fund'.",
            }
        }
    )


def problem(status: int, title: str, detail: str) -> dict[str, Any]:
    """The problem as data."""
    return {"type": "about:blank", "title": title, "status": status, "detail": detail}
