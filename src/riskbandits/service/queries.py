"""Questions that change nothing, asked of a bandit when everything before them is on disk, and their answers."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from riskbandits.api import parsing
from riskbandits.risk import MeanVariance
from riskbandits.service import ids, times
from riskbandits.service.bandit_state import EXPIRED, FORGOTTEN, BanditState
from riskbandits.service.db.storage import BanditRow, Event
from riskbandits.service.learners import ServiceLearner
from riskbandits.service.operations import Answer, BatchContext, Operation, decisions_answer


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


class GetSnapshot(ExpireLeases):
    """A copy of the bandit as it is on disk, without the learner if the answer is `cached` already."""

    def __init__(self, cached: Callable[[BanditState], bool] = lambda bandit: False) -> None:
        self._cached = cached

    def result(self, bandit: BanditState, answer: Answer) -> Snapshot:
        """The copy."""
        learner = "" if self._cached(bandit) else bandit.learner.to_json()
        return Snapshot(bandit.row, learner, bandit.sequence, len(bandit.open), dict(bandit.counts))


class ListOpenDecisions(ExpireLeases):
    """The open decisions after one of them, up to a maximum number."""

    def __init__(self, after: int, limit: int) -> None:
        self._after, self._limit = after, limit

    def result(self, bandit: BanditState, answer: Answer) -> Answer:
        """The decisions as JSON, oldest first."""
        later = ((number, one) for number, one in bandit.open.items() if number > self._after)
        rows = [
            {"decides": number, "arm": one.arm, "at": one.expires - bandit.lease}
            for number, one in itertools.islice(later, self._limit)
        ]
        return decisions_answer(bandit, rows)._replace(status=200)


def bandit_answer(snapshot: Snapshot, risk: str | None = None) -> bytes:
    """The state of a bandit as JSON; for another risk measure, if given."""
    learner: Any = ServiceLearner.from_json(snapshot.learner)
    if risk is not None:
        learner = learner.with_risk(parsing.risk_measure(risk))
    spec = snapshot.row.spec
    found = {
        "name": snapshot.row.name,
        "arms": [_arm_summary(line) for line in learner.summary().to_dict(orient="records")],
        "notice": learner.notice(),
        "best": _best_arm(learner.best()),
        "decisions": learner.decisions,
        "rewards": learner.reward_count,
        "open": snapshot.open,
        "forgotten": snapshot.counts[FORGOTTEN],
        "expired": snapshot.counts[EXPIRED],
        "policy": spec["policy"],
        "risk": spec["risk"] if risk is None else risk,
        "rho": learner.risk.rho if isinstance(learner.risk, MeanVariance) else None,
        "seed": spec["seed"],
        "horizon": spec["horizon"],
        "lease_seconds": spec["lease_seconds"],
        "created": times.isoformat(snapshot.row.created),
        "sequence": snapshot.sequence,
    }
    return json.dumps(found, allow_nan=False).encode()


def probabilities_answer(snapshot: Snapshot) -> bytes:
    """How probably each arm is chosen next, as JSON."""
    table = ServiceLearner.from_json(snapshot.learner).probabilities()
    return json.dumps({"probabilities": table.to_dict(orient="records")}).encode()


def learner_answer(snapshot: Snapshot) -> bytes:
    """The learner as JSON, for `Learner.from_json`."""
    return ServiceLearner.from_json(snapshot.learner).exported().to_json().encode()


def spec_answer(row: BanditRow) -> bytes:
    """What a bandit was created with, as JSON."""
    spec = {name: value for name, value in row.spec.items() if name != "records"}
    return json.dumps({"name": row.name, **spec, "created": times.isoformat(row.created)}).encode()


def list_item(row: BanditRow) -> dict[str, Any]:
    """A bandit in the list of all."""
    return {
        "name": row.name,
        "policy": row.spec["policy"],
        "risk": row.spec["risk"],
        "arms": len(row.spec["arms"]),
        "events": row.version,
        "created": times.isoformat(row.created),
    }


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
    }


def _best_arm(best: Any) -> dict[str, Any] | None:
    if best is None:  # too little is known
        return None
    return {
        "arm": str(best.arm),
        **{name: _number(getattr(best, name)) for name in ("probability", "value", "low", "high")},
    }
