"""Questions that change nothing, asked of a bandit when everything before them is on disk, and their answers."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from riskbandits.api import parsing
from riskbandits.core.errors import must_be
from riskbandits.risk import MeanVariance
from riskbandits.service import ids, specs, times
from riskbandits.service.bandit_state import EXPIRED, FORGOTTEN, BanditState
from riskbandits.service.db.storage import BanditRow, Event, Transaction
from riskbandits.service.errors import ProblemError, object_of_different_names
from riskbandits.service.learners import ServiceLearner
from riskbandits.service.operations import (
    Answer,
    BatchContext,
    Operation,
    check_decides,
    no_arm,
)
from riskbandits.service.specs import Settings


class ExpireLeases(Operation):
    """Changes nothing except that leases expire, as before every operation."""

    def apply(self, bandit: BanditState, context: BatchContext) -> tuple[Answer, list[Event]]:
        """No more than that."""
        return Answer(200, b"{}"), []


class Snapshot(NamedTuple):
    """A copy of a bandit at one moment."""

    row: BanditRow
    learner: str  # JSON
    sequence: int
    open: int
    counts: dict[str, int]
    settings: Settings
    notice: str | None = None


class GetSnapshot(ExpireLeases):
    """A copy of the bandit as it is on disk, without the learner if the answer is `cached` already."""

    def __init__(self, cached: Callable[[BanditState], bool] = lambda bandit: False) -> None:
        self._cached = cached

    def result(self, bandit: BanditState, answer: Answer) -> Snapshot:
        """The copy."""
        learner = "" if self._cached(bandit) else bandit.learner.to_json()
        counts = dict(bandit.counts)
        notice = bandit.learner.notice() if learner else None
        return Snapshot(bandit.row, learner, bandit.sequence, len(bandit.open), counts, bandit.settings, notice)


class ListOpenDecisions(ExpireLeases):
    """The open decisions after one of them, up to a maximum number."""

    def __init__(self, after: int, limit: int) -> None:
        self._after, self._limit = after, limit

    def result(self, bandit: BanditState, answer: Answer) -> list[Any]:
        """The decisions, oldest first."""
        later = ((number, one) for number, one in bandit.open.items() if number > self._after)
        return [
            {"id": bandit.public_id(number), "arm": one.arm, "expires": times.isoformat(bandit.expires(number))}
            for number, one in itertools.islice(later, self._limit)
        ]


def decisions_json(decisions: list[Any]) -> bytes:
    """Open decisions as JSON."""
    return json.dumps({"decisions": decisions}).encode()


def bandit_answer(snapshot: Snapshot, risk: str | None = None, features: str | None = None) -> bytes:
    """The state of a bandit as JSON; for another risk measure and for decisions with these features, if given."""
    learner: Any = ServiceLearner.from_json(snapshot.learner)
    if risk is not None:
        learner = learner.with_risk(parsing.risk_measure(risk))
    given = _parsed(features, snapshot, learner)
    unknown = learner.features and given is None  # which arm is best depends on the features
    table = learner.summary() if unknown else learner.summary(features=given)
    spec, settings = snapshot.row.spec, snapshot.settings
    found = {
        "name": snapshot.row.name,
        "arms": [_arm_summary(line) for line in table.to_dict(orient="records")],
        "notice": snapshot.notice,
        "best": None if unknown else _best_arm(learner.best(features=given)),
        "features": learner.features or None,
        "decisions": learner.decisions,
        "rewards": learner.reward_count,
        "open": snapshot.open,
        "forgotten": snapshot.counts[FORGOTTEN],
        "expired": snapshot.counts[EXPIRED],
        "policy": settings.policy,
        "risk": settings.risk if risk is None else risk,
        "paused": settings.paused,
        "baseline": settings.baseline,
        "archived": settings.archived,
        "rho": learner.risk.rho if isinstance(learner.risk, MeanVariance) else None,
        "seed": spec["seed"],
        "horizon": spec["horizon"],
        "lease_seconds": spec["lease_seconds"],
        "created": times.isoformat(snapshot.row.created),
        "sequence": snapshot.sequence,
    }
    return json.dumps(found, allow_nan=False).encode()


def _parsed(features: str | None, snapshot: Snapshot, learner: ServiceLearner) -> Any:
    """Features in a query, which are an object in JSON; None for a policy that uses none of those of its bandit."""
    if features is None:
        return None
    try:
        given = json.loads(features, object_pairs_hook=object_of_different_names)
    except (ValueError, RecursionError):
        raise must_be("features", 'an object in JSON, such as {"basket": 12}', features) from None
    return given if learner.uses_features or "features" not in snapshot.row.spec else None


def probabilities_answer(snapshot: Snapshot, features: str | None = None) -> bytes:
    """How probably each arm is chosen next, as JSON; for a decision with these features."""
    learner = ServiceLearner.from_json(snapshot.learner)
    table = learner.probabilities(features=_parsed(features, snapshot, learner))
    return json.dumps({"probabilities": table.to_dict(orient="records")}).encode()


def weights_answer(snapshot: Snapshot, features: str | None = None) -> bytes:
    """The share of traffic (with these features) that each arm should have, as JSON: how probably it is chosen next."""
    check_decides(snapshot.row.name, snapshot.settings)
    at, learner = times.isoformat(times.now()), ServiceLearner.from_json(snapshot.learner)
    if not learner.arms:
        raise no_arm(snapshot.row.name)
    given = _parsed(features, snapshot, learner)
    if snapshot.settings.paused:
        weights = [{"arm": str(arm), "weight": float(arm == snapshot.settings.baseline)} for arm in learner.arms]
    else:
        if learner.uses_features and given is None:
            why = "are chosen by features: there are no shares for all. Ask for those of some features."
            raise ProblemError(409, f"The arms of {snapshot.row.name!r} {why}")
        lines = learner.probabilities(features=given).to_dict(orient="records")
        weights = [{"arm": str(one["arm"]), "weight": float(one["probability"])} for one in lines]
    return json.dumps({"at": at, "weights": weights}).encode()


def learner_answer(snapshot: Snapshot) -> bytes:
    """The learner as JSON, for `Learner.from_json`."""
    return ServiceLearner.from_json(snapshot.learner).exported().to_json().encode()


def list_item(row: BanditRow) -> dict[str, Any]:
    """A bandit in the list of all."""
    settings = specs.current_settings(row)
    return {
        "name": row.name,
        "policy": settings.policy,
        "risk": settings.risk,
        "paused": settings.paused,
        "archived": settings.archived,
        "arms": len(row.spec["arms"]),
        "events": row.version,
        "created": times.isoformat(row.created),
    }


def with_available(transaction: Transaction, bandit_id: int, events: Iterable[Any]) -> Iterator[Any]:
    """Events with the arms to which a decision was limited, which stand with the first decision of its request."""
    known: tuple[int, str | None] = (0, None)
    for event in events:
        limited = event["available"]
        if limited is not None and not limited.startswith("["):
            first = event["sequence"] - int(limited)
            if known[0] != first:
                [found] = transaction.events_after(bandit_id, first - 1, 1)
                known = first, found["available"]
            event = {**event, "available": known[1]}
        yield event


def log_line(row: BanditRow, event: Any) -> bytes:
    """An event as public data: together with the bandit's specification, enough to replay it."""
    number = event["settles"] if event["decides"] is None else event["decides"]
    line = {
        "sequence": event["sequence"],
        "kind": event["kind"],
        "id": None if number is None else ids.make_id(row.secret, row.id, number),
        "arm": event["arm"],
        "reward": event["reward"],
        "at": times.isoformat(event["at"]),
    }
    if event["available"] is not None:
        line["available"] = json.loads(event["available"])
    if event["data"] is not None:
        line["data"] = event["data"]
    return json.dumps(line).encode() + b"\n"


def _number(value: Any) -> float | None:
    """A number for JSON, which has neither NaN nor infinity."""
    return float(value) if value is not None and math.isfinite(value) else None


def _arm_summary(line: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": str(line["arm"]),
        "rewards": int(line["told"]),
        "valued_as": line["valued_as"],
        "outstanding": int(line["outstanding"]),
        "retired": bool(line["retired"]),
        **{name: _number(line[name]) for name in ("mean", "variance", "value", "low", "high", "share")},
        "assured": bool(line["assured"]),
    }


def _best_arm(best: Any) -> dict[str, Any] | None:
    if best is None:  # too little is known
        return None
    return {
        "arm": str(best.arm),
        **{name: _number(getattr(best, name)) for name in ("probability", "value", "low", "high")},
        "assured": best.assured,
    }
