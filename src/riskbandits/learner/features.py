"""Named features of decisions: what they are called, how they become numbers, and what is known of arms given them.

A feature is a number, divided by its declared scale; or one of several declared levels, each of which becomes a number
that is 1 for it and 0 for the others. Scales are declared, or taken from a warm start (the standard deviation there);
they are never learned later, since that would change what earlier rewards meant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core import seeds
from riskbandits.core.checks import as_number, listed, text
from riskbandits.core.errors import ParameterError, RefusalError, must_be, unknown_name
from riskbandits.learner.decisions import number_of
from riskbandits.learner.posterior import Beliefs, elementwise
from riskbandits.numerics import regression
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.cells import FEATURES
from riskbandits.policies.linear_ngts import MOST_FEATURES, LinearNGTS, total_variance
from riskbandits.policies.support import contract
from riskbandits.policies.support.fitting import innermost

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure

LARGEST = 1e9  # of a scaled feature: products of such numbers still have digits
SMALLEST = 0.05  # standard deviation of a scaled feature: the ridge of `LinearNGTS` hides what is smaller for long
DRAWS = 4000  # of the values of arms from their posterior
NONE = np.zeros((1, 0))


class FeatureCoding:
    """The features of a learner's decisions, as declared: names, or records with a name and a scale or levels."""

    def __init__(self, declared: Any, data: Any = None) -> None:
        what = 'a list of names, or of records such as {"name": "basket", "scale": 10}'
        given = [] if declared is None else listed("features", what, declared, ordered=True)
        self.records = [_record(one, what) for one in given]
        self.names = [record["name"] for record in self.records]
        if len(set(self.names)) < len(self.names):
            twice = next(name for place, name in enumerate(self.names) if name in self.names[:place])
            raise must_be("The names of features", "different from each other", twice)
        for record in self.records:
            if "levels" not in record and "scale" not in record:
                record["scale"] = _scale(record["name"], data)
        self.count = sum(len(record.get("levels", [0])) for record in self.records)
        if self.count > MOST_FEATURES:
            raise must_be("features", f"at most {MOST_FEATURES} numbers, with a number per level", self.count)

    def fill_in(self, policy: Any) -> Any:
        """The policy with its number of features; one that uses none is refused where features were declared."""
        if self.records and not contract.uses_features(policy):
            raise RefusalError(
                f"{type(policy).__name__} uses no features of decisions: leave features= out, or use LinearNGTS()."
            )
        return contract.with_features(policy, self.count)

    def complaint(self, policy: Any, state: np.ndarray) -> str | None:
        """The warning about the scale of a feature that is too large for the numbers seen so far, if any is.

        Not where they have added up to what a single 1 among zeros would: a rare flag may look like small numbers.
        """
        if not self.records or not isinstance(inner := innermost(policy), LinearNGTS):
            return None
        known = state[state[:, COUNT] > 0.0]
        count, place = known[:, COUNT].sum(), 0
        for record in self.records:
            place += len(record.get("levels", [0]))
            if "scale" not in record:
                continue
            row = known[:, regression.diagonal(inner.features, place) - place :][:, : place + 1]
            squares = float((row[:, 1:] ** 2).sum()) - len(known) * inner.ridge
            rounding = 1e-12 * float((row**2).sum())
            if rounding < squares < min(0.9, SMALLEST**2 * count):
                return (
                    f"The feature {record['name']!r} varies by less than {SMALLEST:g} of its scale, "
                    f"{record['scale']:g}, and is hardly learned from: declare a scale near its standard deviation."
                )
        return None

    def encode(self, features: Any) -> np.ndarray:
        """The numbers of one decision, (1, count); a sentence if something is missing, unknown or no number."""
        if not self.records:
            if features is not None:
                raise ParameterError(
                    "No features are declared here: leave them out, or declare them when the learner or bandit is made."
                )
            return NONE
        if not isinstance(features, Mapping):
            raise must_be("features", f"a dictionary with {', '.join(map(repr, self.names))}", features)
        for name in features:
            if name not in self.names:
                raise unknown_name("feature", name, self.names)
        numbers: list[float] = []
        for record in self.records:
            name = record["name"]
            if name not in features:
                raise ParameterError(f"The feature {name!r} is missing: every decision needs all features.")
            numbers += _numbers(record, features[name])
        return np.array([numbers])

    def encode_many(self, features: Any, count: int) -> np.ndarray:
        """The numbers of several decisions, (count, numbers), from a list of dictionaries."""
        if not self.records:
            self.encode(features)
            return np.zeros((count, 0))
        what = "a list of dictionaries, one per reward"
        if getattr(features, "ndim", 1) != 1:  # of a table one would go through the names of its columns
            raise must_be("features", what, features)
        rows = listed("features", what, features, ordered=True)
        if len(rows) != count:
            raise must_be("features", f"{what} ({count})", len(rows))
        return np.vstack([self.encode(row) for row in rows]) if rows else np.zeros((0, self.count))


def _record(given: Any, what: str) -> dict[str, Any]:
    record = {"name": given} if isinstance(given, str) else given
    if not isinstance(record, Mapping) or not set(record) <= {"name", "scale", "levels"} or "name" not in record:
        raise must_be("A feature", 'a name, or a record with "name" and "scale" or "levels"', given)
    name = text("The name of a feature", record["name"])
    if not name.strip():
        raise must_be("The name of a feature", "a non-empty string", name)
    if record.get("scale") is not None and record.get("levels") is not None:
        raise ParameterError(f"The feature {name!r} has a scale and levels: it can have one alone.")
    if record.get("levels") is not None:
        levels = listed(f"The levels of the feature {name!r}", "a list of texts", record["levels"], ordered=True)
        levels = [text(f"A level of the feature {name!r}", one) for one in levels]
        if len(levels) < 2 or len(set(levels)) < len(levels):
            raise must_be(f"The levels of the feature {name!r}", "two or more different texts", levels)
        return {"name": name, "levels": levels}
    if record.get("scale") is None:
        return {"name": name}
    scale = as_number(record["scale"])
    if scale is None or not 0.0 < scale < math.inf:
        raise must_be(f"The scale of the feature {name!r}", "a number > 0", record["scale"])
    return {"name": name, "scale": scale}


def _scale(name: str, data: Any) -> float:
    """The standard deviation in the table of a warm start; 1 without one, or where it does not vary."""
    if not hasattr(data, "columns") or list(data.columns).count(name) != 1:
        return 1.0
    numbers = [as_number(one) for one in data[name].tolist()]
    known = [one for one in numbers if one is not None and math.isfinite(one)]
    spread = float(np.std(known)) if known else 0.0
    return spread if 0.0 < spread < math.inf else 1.0


def _numbers(record: dict[str, Any], value: Any) -> list[float]:
    name = record["name"]
    if "levels" in record:
        if not isinstance(value, str) or value not in record["levels"]:
            raise unknown_name(f"level of the feature {name!r} called", value, record["levels"])
        return [float(level == value) for level in record["levels"]]
    number = number_of(value)
    if number is None or not math.isfinite(number):
        raise must_be(f"The feature {name!r}", "a finite number", value)
    if abs(number) > LARGEST * record["scale"]:
        raise must_be(f"The feature {name!r}", f"at most {LARGEST:g} times its scale of {record['scale']:g}", value)
    return [number / record["scale"]]


def linear_policy(policy: Any) -> LinearNGTS:
    """The `LinearNGTS` inside all wrappers, whose posterior is known in closed form."""
    inside = innermost(policy)
    if not isinstance(inside, LinearNGTS):
        raise RefusalError(
            f"Intervals for given features are known for LinearNGTS alone. Got {type(inside).__name__} instead."
        )
    return inside


def believed(
    policy: Any, risk: RiskMeasure, states: Sequence[Sequence[float]], run: np.ndarray, features: np.ndarray
) -> tuple[list[tuple[float, float, float]], Beliefs]:
    """For given features, per arm: mean, variance of the rewards and value; and what is believed of the values.

    Draws are from the posterior of the regression, as in `LinearNGTS`. An arm without rewards may be anything that the
    others are: its mean any of their rewards, its variance that of any of them. While no two rewards differ, arms may
    be anything, and all are as good.
    """
    linear, state, run = linear_policy(policy), np.array(states), run.copy()
    run[FEATURES : FEATURES + linear.features] = features[0]
    rng = seeds.generator(0, seeds.BELIEFS)
    estimates, drawn = [(math.nan, math.nan, math.nan)] * len(state), np.full((DRAWS, len(state)), math.nan)
    is_known = state[:, COUNT] > 0.0
    spreads = np.full((DRAWS, len(state)), math.nan)
    posteriors = {k: linear.posterior(state, k, run) for k in np.flatnonzero(is_known).tolist()}
    is_bounded = any(beta > 0.0 for _, beta in posteriors.values())
    for k, (alpha, beta) in posteriors.items():
        mean, spread = regression.predict(state, k, linear.features, run)
        shape = linear.shape + 0.5 if linear.all_equal(state, k) else alpha
        spreads[:, k] = variances = (beta if is_bounded else 1.0) / rng.standard_gamma(shape, DRAWS)
        means = mean + rng.standard_normal(DRAWS) * np.sqrt(variances * spread)
        drawn[:, k] = elementwise(risk.value, means, variances)
        estimates[k] = mean, beta / alpha, float(risk.value(mean, beta / alpha))
    if is_known.any():
        centre = np.average(state[:, MEAN], weights=state[:, COUNT])
        deviation = math.sqrt(total_variance(state))
        for k in np.flatnonzero(~is_known).tolist():
            other = rng.choice(np.flatnonzero(is_known), DRAWS)
            variances = spreads[rng.permutation(DRAWS), other]
            drawn[:, k] = elementwise(risk.value, centre + deviation * rng.standard_normal(DRAWS), variances)
    return estimates, Beliefs(drawn, drawn, np.zeros(len(state), dtype=bool), is_bounded)
