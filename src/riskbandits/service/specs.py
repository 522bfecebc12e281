"""Specifications of bandits: names and values checked, compared with existing ones, and turned into a learner."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from riskbandits import risk as risks
from riskbandits.api import parsing
from riskbandits.core import seeds
from riskbandits.core.checks import number, whole
from riskbandits.core.errors import RiskBanditsError, must_be
from riskbandits.core.records import canonical, classes_in, rebuilt
from riskbandits.learner import Learner
from riskbandits.policies.support.naming import public_policies
from riskbandits.service.learners import ServiceLearner

BANDIT_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$"
LONGEST_NAME = 100
MOST_ARMS = 10_000
LONGEST_WORDS = 500  # of a policy or a risk measure
LONGEST_LEASE = 10 * 366 * 86400  # seconds
DAY = 86400

# Settled decisions are remembered by the log, all of them.
REMEMBERED_BY_LEARNER = 0


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
) -> dict[str, Any]:
    """The specification of a bandit, checked."""
    if not 1 <= len(arms) <= MOST_ARMS:
        raise must_be("arms", f"a list of 1 to {MOST_ARMS} names", arms)
    for thing, words in (("The policy", policy), ("The risk measure", risk)):
        if not 1 <= len(words) <= LONGEST_WORDS:
            raise must_be(thing, f"a text of 1 to {LONGEST_WORDS} characters", words)
    return {
        "arms": [check_arm_name(arm) for arm in arms],
        "policy": policy,
        "risk": risk,
        "seed": seeds.check_seed(0 if seed is None else seed),
        "horizon": None if horizon is None else whole("The horizon", horizon),
        "lease_seconds": _check_lease(DAY if lease_seconds is None else lease_seconds),
        # The records themselves: what a name means may change with a later version, a bandit does not.
        "records": {"policy": canonical(parsing.policy(policy)), "risk": canonical(parsing.risk_measure(risk))},
    }


def spec_from_learner(learner: Learner, lease_seconds: float = DAY) -> dict[str, Any]:
    """The specification of a bandit that continues from a learner."""
    return {
        "arms": [check_arm_name(str(name)) for name in learner.arms],
        "policy": repr(learner.policy),
        "risk": repr(learner.risk),
        "seed": None,
        "horizon": learner.horizon,
        "lease_seconds": _check_lease(lease_seconds),
        "records": {"policy": canonical(learner.policy), "risk": canonical(learner.risk)},
    }


def build_learner(spec: dict[str, Any]) -> ServiceLearner:
    """A learner as it was before its first decision."""
    records = spec["records"]
    policy = rebuilt(records["policy"], public_policies(), "policy")
    risk = rebuilt(records["risk"], classes_in(risks), "risk")
    return ServiceLearner(policy, spec["arms"], risk, spec["horizon"], spec["seed"], remember=REMEMBERED_BY_LEARNER)


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


def _check_lease(seconds: float) -> float:
    what = f"between 0.001 and {LONGEST_LEASE}"
    return number("lease_seconds", seconds, what, lambda found: 0.001 <= found <= LONGEST_LEASE)
