"""Specifications of bandits: parsed, compared with existing ones, and turned into a learner."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from riskbandits import risk as risks
from riskbandits.api import parsing
from riskbandits.core import seeds
from riskbandits.core.checks import number, whole
from riskbandits.core.errors import RiskBanditsError, must_be
from riskbandits.core.known_classes import classes_in
from riskbandits.core.records import canonical, rebuilt
from riskbandits.learner import Learner
from riskbandits.policies.support.naming import public_policies
from riskbandits.service import allowed_names
from riskbandits.service.shared import SharedLearner

MOST_ARMS = 10_000
LONGEST_WORDS = 500  # of a policy or a risk measure
LONGEST_LEASE = 10 * 366 * 86400  # seconds
DAY = 86400

# Settled decisions are remembered by the log, all of them.
REMEMBERED_BY_LEARNER = 0


def made(
    arms: list[str],
    policy: str,
    risk: str,
    seed: int | None = 0,
    horizon: int | None = None,
    lease_seconds: float | None = DAY,
) -> dict[str, Any]:
    """The specification of a bandit, checked."""
    if not 1 <= len(arms) <= MOST_ARMS:
        raise must_be("arms", f"a list of 1 to {MOST_ARMS} names", arms)
    allowed_names.arms(arms)
    for thing, words in (("The policy", policy), ("The risk measure", risk)):
        if not 1 <= len(words) <= LONGEST_WORDS:
            raise must_be(thing, f"a text of 1 to {LONGEST_WORDS} characters", words)
    lease = DAY if lease_seconds is None else lease_seconds
    return {
        "arms": list(arms),
        "policy": policy,
        "risk": risk,
        "seed": seeds.check_seed(0 if seed is None else seed),
        "horizon": None if horizon is None else whole("The horizon", horizon),
        "lease_seconds": number("lease_seconds", lease, f"between 0.001 and {LONGEST_LEASE}", _is_lease),
        # The records themselves: what a name means may change with a later version, a bandit does not.
        "records": {"policy": canonical(parsing.policy(policy)), "risk": canonical(parsing.risk_measure(risk))},
    }


def of_learner(learner: Learner, lease_seconds: float = DAY) -> dict[str, Any]:
    """The specification of a bandit that continues from a learner."""
    names = [str(name) for name in learner.arms]
    return {
        "arms": allowed_names.arms(names),
        "policy": repr(learner.policy),
        "risk": repr(learner.risk),
        "seed": None,
        "horizon": learner.horizon,
        "lease_seconds": number("lease_seconds", lease_seconds, f"between 0.001 and {LONGEST_LEASE}", _is_lease),
        "records": {"policy": canonical(learner.policy), "risk": canonical(learner.risk)},
    }


def learner_of(spec: dict[str, Any]) -> SharedLearner:
    """A learner as it was before its first decision."""
    records = spec["records"]
    policy = rebuilt(records["policy"], public_policies(), "policy")
    risk = rebuilt(records["risk"], classes_in(risks), "risk")
    return SharedLearner(policy, spec["arms"], risk, spec["horizon"], spec["seed"], remember=REMEMBERED_BY_LEARNER)


def warm_up(rows: Iterable[dict[str, Any]]) -> None:
    """Compile what these bandits need, and the recommended policy, before anyone waits for it."""
    usual = made(["a"], "switching-aware", "mean-variance:1")
    for spec in {json.dumps(one["records"]): one for one in [usual, *rows]}.values():
        try:
            learner_of({**spec, "arms": ["a"], "seed": 0})
        except RiskBanditsError:  # the bandit itself says what is wrong, when it is asked
            continue


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two specifications mean the same, however their policies are spelled."""
    words = ("policy", "risk")
    return _without(one, words) == _without(other, words)


def written_down(spec: dict[str, Any]) -> str:
    """The specification as text for the database."""
    return json.dumps(spec, allow_nan=False)


def _without(spec: dict[str, Any], names: tuple[str, ...]) -> Any:
    # By way of JSON, from which the stored one has come too.
    return json.loads(json.dumps({name: value for name, value in spec.items() if name not in names}))


def _is_lease(seconds: float) -> bool:
    return 0.001 <= seconds <= LONGEST_LEASE
