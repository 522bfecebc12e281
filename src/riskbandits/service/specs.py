"""Specifications of bandits: names and values checked, compared with existing ones, and turned into a learner."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, NamedTuple

from riskbandits import risk as risks
from riskbandits.api import parsing
from riskbandits.core import seeds
from riskbandits.core.checks import number, whole
from riskbandits.core.errors import ParameterError, RiskBanditsError, must_be
from riskbandits.core.records import canonical, classes_in, rebuilt
from riskbandits.learner import Learner
from riskbandits.learner.features import FeatureCoding
from riskbandits.numerics import regression
from riskbandits.policies import hurdle_ts
from riskbandits.policies.support import contract
from riskbandits.policies.support.naming import public_policies
from riskbandits.service.db.storage import BanditRow
from riskbandits.service.learners import ServiceLearner

BANDIT_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$"
LONGEST_NAME = 100
MOST_ARMS = 10_000
MOST_NUMBERS = 1_000_000  # of the regressions of all arms: they are in memory, and in every snapshot
MOST_PROPENSITY_ARMS = 50  # their next choice is simulated a thousand times for every decision
LONGEST_WORDS = 500  # of a policy or a risk measure
LONGEST_LEASE = 10 * 366 * 86400  # seconds
DAY = 86400

# Settled decisions are remembered by the log, all of them.
REMEMBERED_BY_LEARNER = 0


class Settings(NamedTuple):
    """What can be changed of a bandit after its creation."""

    policy: str
    risk: str
    records: dict[str, Any]  # of both
    paused: bool = False
    baseline: str | None = None  # the only arm chosen while paused; None: no decisions are made then
    archived: bool = False


def is_bandit_name(name: str) -> bool:
    """Whether this is an allowed name for a bandit."""
    return re.fullmatch(BANDIT_NAME[1:-1], name, re.ASCII) is not None


def check_bandit_name(name: str) -> str:
    """The name of a bandit, checked: plain letters, so that no two look alike and none is a path."""
    if not is_bandit_name(name):
        what = "1 to 100 letters (a-z, A-Z), digits, '-', '_' or '.', the first a letter or digit"
        raise must_be("The name of a bandit", what, name)
    return name


def check_arm_name(name: str) -> str:
    """The name of an arm, checked: any language, but only visible characters in normal form."""
    if not 1 <= len(name) <= LONGEST_NAME:
        raise must_be("The name of an arm", f"a text of 1 to {LONGEST_NAME} characters", name)
    if not name.isprintable() or name != name.strip() or not name.strip("."):
        raise must_be("The name of an arm", "printable, without spaces at its ends, and more than dots", name)
    if "\ufffd" in name:  # what stands in a path for bytes that are no text
        raise must_be("The name of an arm", "a text in UTF-8", name)
    if unicodedata.normalize("NFKC", name) != name:
        raise must_be("The name of an arm", "in Unicode's normal form NFKC", name)
    return name


def make_spec(
    arms: list[str],
    policy: str,
    risk: str,
    seed: int | None = 0,
    horizon: int | None = None,
    lease_seconds: float | None = DAY,
    amounts: dict[str, float] | None = None,
    propensity: bool = False,
    features: list[Any] | None = None,
) -> dict[str, Any]:
    """The specification of a bandit, checked."""
    if not 1 <= len(arms) <= MOST_ARMS:
        raise must_be("arms", f"a list of 1 to {MOST_ARMS} names", arms)
    if propensity and len(arms) > MOST_PROPENSITY_ARMS:
        raise must_be("arms", f"at most {MOST_PROPENSITY_ARMS} names with propensity", arms)
    record, known = policy_record(policy), dict[str, float]()
    if amounts is not None or _of_hurdle(record):
        made, known = hurdle_ts.known_amounts(rebuilt(record, public_policies(), "policy"), arms, amounts)
        record = canonical(made)
    spec = {
        "arms": [check_arm_name(arm) for arm in arms],
        "policy": policy,
        "risk": risk,
        "seed": seeds.check_seed(0 if seed is None else seed),
        "horizon": None if horizon is None else whole("The horizon", horizon),
        "lease_seconds": _check_lease(DAY if lease_seconds is None else lease_seconds),
        # The records themselves: what a name means may change with a later version, a bandit does not.
        "records": {"policy": record, "risk": risk_record(risk)},
        **({"amounts": known} if known else {}),
        **({"features": _checked_features(features, record, len(arms))} if features else {}),
    }
    return {**spec, "propensity": True} if propensity else spec


def _checked_features(features: list[Any], record: Any, arms: int) -> list[dict[str, Any]]:
    """The records of features, for a policy that uses them."""
    coding = FeatureCoding(features)
    coding.fill_in(rebuilt(record, public_policies(), "policy"))
    if arms > most_arms(coding.count):
        raise must_be(
            "arms", f"at most {most_arms(coding.count)} names where features are {coding.count} numbers", arms
        )
    return coding.records


def most_arms(features: int) -> int:
    """How many arms a bandit may have if the features of its decisions are so many numbers."""
    return min(MOST_ARMS, MOST_NUMBERS // regression.columns(features))


def _of_hurdle(record: Any) -> bool:
    """Whether the record of a policy is that of `HurdleTS`, or of one that holds it."""
    return hurdle_ts.hurdle_inside(rebuilt(record, public_policies(), "policy")) is not None


def policy_record(words: str) -> Any:
    """The record of a policy that is given by name."""
    return canonical(parsing.policy(_check_words("The policy", words)))


def changed_policy_record(words: str) -> Any:
    """The record of the policy with which a bandit is to go on: what sales of its arms pay is known without it."""
    record = policy_record(words)
    hurdle = hurdle_ts.hurdle_inside(rebuilt(record, public_policies(), "policy"))
    if hurdle is not None and hurdle_ts.has_amounts(hurdle):
        raise ParameterError("The amounts of arms are those with which they were created: the policy must have none.")
    return record


def risk_record(words: str) -> Any:
    """The record of a risk measure that is given by name."""
    return canonical(parsing.risk_measure(_check_words("The risk measure", words)))


def first_settings(spec: dict[str, Any]) -> Settings:
    """The settings with which a bandit was created."""
    return Settings(spec["policy"], spec["risk"], spec["records"])


def current_settings(row: BanditRow) -> Settings:
    """The settings of a bandit as the database has them."""
    return first_settings(row.spec) if row.settings is None else Settings(**row.settings)


def with_settings(spec: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """The specification of a bandit that would have been created with these settings."""
    return {**spec, "policy": settings.policy, "risk": settings.risk, "records": settings.records}


def change_settings(settings: Settings, data: dict[str, Any]) -> Settings:
    """Settings with another policy or risk measure (or both), as the data of a `changed` event has them."""
    words = {name: data[name] for name in ("policy", "risk") if name in data}
    return settings._replace(**words, records={**settings.records, **data["records"]})


def build_risk(records: dict[str, Any]) -> Any:
    """The risk measure of these records."""
    return rebuilt(records["risk"], classes_in(risks), "risk")


def spec_from_learner(learner: Learner, lease_seconds: float = DAY) -> dict[str, Any]:
    """The specification of a bandit that continues from a learner."""
    spec: dict[str, Any] = {
        "arms": [check_arm_name(str(name)) for name in learner.arms],
        "policy": repr(learner.policy),
        "risk": repr(learner.risk),
        "seed": None,
        "horizon": learner.horizon,
        "lease_seconds": _check_lease(lease_seconds),
        "records": {"policy": canonical(learner.policy), "risk": canonical(learner.risk)},
    }
    spec |= {"features": learner.features} if learner.features else {}
    return {**spec, "propensity": True} if learner.propensity else spec


def build_learner(spec: dict[str, Any]) -> ServiceLearner:
    """A learner as it was before its first decision."""
    records = spec["records"]
    policy = rebuilt(records["policy"], public_policies(), "policy")
    risk = build_risk(records)
    # A bandit whose policy was changed may have amounts that the new one does not use.
    amounts = {arm: amount for arm, amount in spec.get("amounts", {}).items() if arm in spec["arms"]}
    return ServiceLearner(
        policy,
        spec["arms"],
        risk,
        spec["horizon"],
        spec["seed"],
        remember=REMEMBERED_BY_LEARNER,
        propensity=spec.get("propensity", False),
        amounts=amounts if hurdle_ts.hurdle_inside(policy) is not None else None,
        features=spec.get("features") if contract.uses_features(policy) else None,
    )


def compile_ahead(specs: Iterable[dict[str, Any]]) -> None:
    """Compile what these bandits need, and the recommended policy, before anyone waits for it."""
    usual = make_spec(["a"], "switching-aware", "mean-variance:1")
    for spec in {json.dumps(one["records"]): one for one in [usual, *specs]}.values():
        try:
            build_learner({**spec, "arms": ["a"], "seed": 0})
        except RiskBanditsError:  # the bandit itself says what is wrong, when it is asked
            continue


def same_spec(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two specifications mean the same, however their policies are spelled."""
    return _without_words(one) == _without_words(other)


def dump_spec(spec: dict[str, Any]) -> str:
    """The specification as text for the database."""
    return json.dumps(spec, allow_nan=False)


def _without_words(spec: dict[str, Any]) -> Any:
    # By way of JSON, from which the stored one has come too.
    return json.loads(json.dumps({name: value for name, value in spec.items() if name not in ("policy", "risk")}))


def _check_words(thing: str, words: str) -> str:
    if not 1 <= len(words) <= LONGEST_WORDS:
        raise must_be(thing, f"a text of 1 to {LONGEST_WORDS} characters", words)
    return words


def _check_lease(seconds: float) -> float:
    what = f"between 0.001 and {LONGEST_LEASE}"
    return number("lease_seconds", seconds, what, lambda found: 0.001 <= found <= LONGEST_LEASE)
