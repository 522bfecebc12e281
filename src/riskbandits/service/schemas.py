"""The schemas of requests and answers, as in the OpenAPI description."""

from __future__ import annotations

from typing import Annotated, Any, Self

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from riskbandits.service import ids
from riskbandits.service.errors import phrase
from riskbandits.service.specs import (
    BANDIT_NAME,
    LONGEST_LEASE,
    LONGEST_NAME,
    LONGEST_WORDS,
    MOST_ARMS,
    MOST_PROPENSITY_ARMS,
)

MOST_DECISIONS = 1000  # in one request
MOST_REWARDS = 5000
MOST_EVENTS = 1_000_000
LONGEST_KEY = 200
EXACT = 2**53


ArmName = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
Words = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_WORDS)]
DecisionId = Annotated[str, StringConstraints(min_length=1, max_length=ids.LONGEST)]
# In JSON 3.0 is a whole number too.
WholeNumber = BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)
Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e140, le=1e140)]


class RequestModel(BaseModel):
    """Requests must match the schema exactly."""

    model_config = ConfigDict(extra="forbid", strict=True)


class FeatureRequest(RequestModel):
    """A feature of decisions: a number with its scale, or one of several levels."""

    name: ArmName
    scale: Annotated[float | None, Field(gt=0.0, allow_inf_nan=False, description="Numbers are divided by it.")] = None
    levels: Annotated[list[ArmName] | None, Field(min_length=2, max_length=500)] = None


class BanditRequest(RequestModel):
    """The specification of a new bandit."""

    arms: Annotated[list[ArmName], Field(min_length=1, max_length=MOST_ARMS, json_schema_extra={"uniqueItems": True})]
    policy: Annotated[Words, Field(description="By name, as in `riskbandits list policies`: `bcvts(upper=2)`.")]
    risk: Annotated[Words, Field(description="By name, as in `riskbandits list risks`: `mean-variance:1`.")]
    seed: Annotated[
        Annotated[int, Field(ge=0, le=EXACT), WholeNumber] | None,
        Field(description="The same seed and requests give the same choices."),
    ] = 0
    horizon: Annotated[
        Annotated[int, Field(ge=1, le=EXACT), WholeNumber] | None,
        Field(description="The total number of decisions, if known."),
    ] = None
    lease_seconds: Annotated[
        float | None, Field(ge=0.001, le=LONGEST_LEASE, description="How long to wait for a reward, in seconds.")
    ] = 86400
    features: Annotated[
        list[FeatureRequest] | None,
        Field(max_length=500, description="Those of each decision, for a policy that uses them: `linear-ngts`."),
    ] = None
    propensity: Annotated[
        bool,
        Field(
            description="Log the probability with which each arm was chosen, for `riskbandits evaluate`. For at most "
            f"{MOST_PROPENSITY_ARMS} arms; a decision then takes milliseconds."
        ),
    ] = False
    amounts: Annotated[
        dict[ArmName, Number] | None,
        Field(max_length=MOST_ARMS, description="What a sale of an arm pays, where that is known: for `hurdle-ts`."),
    ] = None

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


class ChangeRequest(RequestModel):
    """What is to be changed of a bandit; what is missing or null stays as it is."""

    policy: Annotated[Words | None, Field(description="It learns from the rewards in the log.")] = None
    risk: Annotated[Words | None, Field(description="The same evidence, another goal.")] = None
    paused: Annotated[bool | None, Field(description="While paused, only the baseline is chosen, if any.")] = None
    baseline: Annotated[ArmName | None, Field(description="An arm, with `paused`.")] = None
    archived: Annotated[bool | None, Field(description="No more decisions, and left out of lists.")] = None

    model_config = ConfigDict(json_schema_extra={"example": {"risk": "mean-variance:2"}})

    @model_validator(mode="after")
    def _check_change(self) -> Self:
        if all(value is None for value in dict(self).values()):
            raise PydanticCustomError("empty_change", "one that names what is to be changed")
        if self.baseline is not None and self.paused is not True:
            raise PydanticCustomError("baseline_alone", 'one with "paused": true where it has a baseline')
        return self


class SpecResponse(BaseModel):
    """The specification of a bandit, with its settings as they are now."""

    name: str
    arms: list[str]
    policy: str
    risk: str
    seed: int | None
    horizon: int | None
    lease_seconds: float
    propensity: bool
    amounts: dict[str, float] | None = None
    features: list[dict[str, Any]] | None = None
    paused: bool
    baseline: str | None
    archived: bool
    created: str


class ArmRequest(RequestModel):
    """What is known of a new arm."""

    amount: Annotated[Number | None, Field(description="What a sale of it pays, if known: for `hurdle-ts`.")] = None

    model_config = ConfigDict(json_schema_extra={"example": {"amount": None}})


class DecisionsRequest(RequestModel):
    """The number of decisions, and the arms to choose from."""

    count: Annotated[int, Field(ge=1, le=MOST_DECISIONS), WholeNumber] = 1
    available: Annotated[
        list[ArmName] | None,
        Field(min_length=1, max_length=MOST_ARMS, description="Restrict this choice to these arms."),
    ] = None

    features: Annotated[
        dict[str, Any] | None,  # what each must be depends on the bandit
        Field(
            max_length=500,
            description="Those of the decisions, for a bandit that has some: numbers, and levels as text.",
            json_schema_extra={"additionalProperties": {"type": ["number", "string", "boolean"]}},
        ),
    ] = None

    model_config = ConfigDict(json_schema_extra={"example": {"count": 1, "available": None}})


class DecisionItem(BaseModel):
    """A decision: play this arm, and send its reward under this id until it expires."""

    id: str
    arm: str
    expires: str
    probability: Annotated[float, Field(description="With which it was chosen; only with `propensity`.")] | None = None


class DecisionsResponse(BaseModel):
    """The decisions, in the order in which they were made."""

    decisions: list[DecisionItem]

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "decisions": [{"id": "1-17-ac814ad3a74145d5", "arm": "bond", "expires": "2026-01-31T12:00:00.000000Z"}]
            }
        }
    )


class RewardRequest(RequestModel):
    """What the arm paid."""

    reward: Number

    model_config = ConfigDict(json_schema_extra={"example": {"reward": 0.02}})


class RewardResponse(BaseModel):
    """Whether the reward was recorded now; false if the same reward was already recorded."""

    booked: bool


class RewardItem(RequestModel):
    """The reward of one decision."""

    id: DecisionId
    reward: Number


class RewardsRequest(RequestModel):
    """Rewards of decisions of one bandit."""

    rewards: Annotated[list[RewardItem], Field(max_length=MOST_REWARDS)]
    each: Annotated[bool, Field(description="Whether the answer says it of each reward.")] = False

    model_config = ConfigDict(
        json_schema_extra={"example": {"rewards": [{"id": "1-17-ac814ad3a74145d5", "reward": 0.02}]}}
    )


class RewardsResponse(BaseModel):
    """How many rewards were recorded now, and how many already had been."""

    booked: int
    repeated: int
    each: Annotated[list[bool] | None, Field(description="Of each reward, whether it was recorded now.")] = None


class ForgetResponse(BaseModel):
    """Whether the decision was forgotten now; false if it already had been."""

    forgotten: bool


class ArmResponse(BaseModel):
    """An arm, and whether anything has changed."""

    arm: str
    changed: bool


class ArmSummary(BaseModel):
    """What is known about an arm; unknown numbers are null."""

    name: str
    rewards: int
    mean: float | None
    variance: float | None
    value: float | None
    valued_as: str
    low: float | None
    high: float | None
    assured: Annotated[bool, Field(description="Whether there are enough rewards for the interval, not too skewed.")]
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
    assured: bool


class BanditResponse(BaseModel):
    """A bandit as it is now."""

    name: str
    arms: list[ArmSummary]
    best: Annotated[BestArm | None, Field(description="Null while too little is known, or features are missing.")]
    features: list[dict[str, Any]] | None = None
    notice: Annotated[str | None, Field(description="A warning if the rewards do not suit the policy.")]
    decisions: int
    rewards: int
    open: int
    forgotten: int
    expired: int
    policy: str
    risk: str
    paused: bool
    baseline: str | None
    archived: bool
    rho: float | None
    seed: int | None
    horizon: int | None
    lease_seconds: float
    created: str
    sequence: int


class BanditItem(BaseModel):
    """A bandit in the list."""

    name: str
    policy: str
    risk: str
    paused: bool
    archived: bool
    arms: int
    events: int
    created: str


class BanditsResponse(BaseModel):
    """Bandits by name, and the role of the key that was used."""

    bandits: list[BanditItem]
    role: str


class ArmProbability(BaseModel):
    """How probably an arm is chosen next, and the standard error of that."""

    arm: str
    probability: float
    se: float


class ProbabilitiesResponse(BaseModel):
    """The probabilities of being chosen next, by simulation of the policy."""

    probabilities: list[ArmProbability]


class ArmWeight(BaseModel):
    """The share of traffic that an arm should have."""

    arm: str
    weight: float


class WeightsResponse(BaseModel):
    """Shares of traffic, and the time for which they were computed."""

    at: str
    weights: list[ArmWeight]


class QueryModel(BaseModel):
    """The parameters of a URL; others are refused."""

    model_config = ConfigDict(extra="forbid")


class FeaturesQuery(QueryModel):
    """For which decision to evaluate."""

    features: Annotated[
        str | None, Field(max_length=4000, description='Evaluate for a decision with these: `{"basket": 12}`.')
    ] = None


class BanditQuery(FeaturesQuery):
    """For which goal and decision to evaluate."""

    risk: Annotated[Words | None, Field(description="Evaluate for this goal instead: `mean-variance:2`.")] = None


class BanditsQuery(QueryModel):
    """A part of the list of bandits."""

    after: Annotated[str, Field(max_length=100, pattern="^[ -~]*$", description="Bandits after this name.")] = ""
    limit: Annotated[int, Field(ge=1, le=1000, description="The maximum number to return.")] = 1000
    archived: Annotated[bool, Field(description="Archived ones too.")] = False


class DecisionsQuery(QueryModel):
    """A part of the list of open decisions."""

    after: Annotated[DecisionId | None, Field(description="Decisions made after this one, by its id.")] = None
    limit: Annotated[int, Field(ge=1, le=MOST_DECISIONS, description="The maximum number to return.")] = MOST_DECISIONS


class LogQuery(QueryModel):
    """A part of the log."""

    after: Annotated[int, Field(ge=0, le=EXACT, description="Events after this one.")] = 0
    limit: Annotated[int | None, Field(ge=1, le=MOST_EVENTS, description="The maximum number to return.")] = None


class HealthResponse(BaseModel):
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
                "title": "Not Found",
                "status": 404,
                "detail": "There is no bandit 'fund'.",
            }
        }
    )


# Parameters in the path. They are described and not checked: a name that cannot be is a bandit that is not there.
BanditName = Annotated[
    str,
    Path(
        description="The name of a bandit.",
        examples=["funds"],
        json_schema_extra={"pattern": BANDIT_NAME, "minLength": 1, "maxLength": LONGEST_NAME},
    ),
]
ArmInPath = Annotated[
    str,
    Path(
        description="The name of an arm.",
        examples=["gold"],
        json_schema_extra={"minLength": 1, "maxLength": LONGEST_NAME},
    ),
]
DecisionIdInPath = Annotated[
    str,
    Path(
        description="The id of a decision.",
        examples=["1-17-ac814ad3a74145d5"],
        json_schema_extra={"minLength": 1, "maxLength": ids.LONGEST},
    ),
]


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problem responses of an endpoint with a key, including those that all of them may give."""
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": phrase(status), "content": content}
        for status in sorted({401, 403, 429, 503, *statuses})
    }
