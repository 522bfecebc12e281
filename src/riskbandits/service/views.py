"""A bandit as JSON: its arms, which one is best and with what probability, and its open decisions."""

from __future__ import annotations

import json
import math
from typing import Any

from riskbandits.learner.state import TOLD
from riskbandits.policies.support import written
from riskbandits.risk import MeanVariance
from riskbandits.service import times
from riskbandits.service.fold import EXPIRED, FORGOTTEN, Row
from riskbandits.service.looking import Seen
from riskbandits.service.shared import SharedLearner


def of_bandit(seen: Seen, risk: str | None = None) -> bytes:
    """The state as JSON; for another risk measure, if given."""
    learner: Any = SharedLearner.from_json(seen.learner)
    if risk is not None:
        learner = learner.with_risk(written.risk_measure(risk))
    spec = seen.row.spec
    arms = [_arm(line) for line in learner.summary().to_dict(orient="records")]
    shown = {
        "name": seen.row.name,
        "arms": arms,
        "notice": learner.notice(),
        "best": _best(learner.best()),
        "decisions": learner.decisions,
        "rewards": learner._state.total_count(TOLD),  # of arms retired long ago too
        "open": seen.open,
        "forgotten": seen.counts[FORGOTTEN],
        "expired": seen.counts[EXPIRED],
        "policy": spec["policy"],
        "risk": spec["risk"] if risk is None else risk,
        "rho": learner.risk.rho if isinstance(learner.risk, MeanVariance) else None,
        "seed": spec["seed"],
        "horizon": spec["horizon"],
        "lease_seconds": spec["lease_seconds"],
        "created": times.isoformat(seen.row.created),
        "sequence": seen.sequence,
    }
    return json.dumps(shown, allow_nan=False).encode()


def of_spec(row: Row) -> dict[str, Any]:
    """The specification of a bandit."""
    spec = {name: value for name, value in row.spec.items() if name != "records"}
    return {"name": row.name, **spec, "created": times.isoformat(row.created)}


def in_list(row: Row) -> dict[str, Any]:
    """A bandit in the list of all."""
    return {
        "name": row.name,
        "policy": row.spec["policy"],
        "risk": row.spec["risk"],
        "arms": len(row.spec["arms"]),
        "events": row.version,
        "created": times.isoformat(row.created),
    }


def number(value: Any) -> float | None:
    """A number for JSON, which has neither NaN nor infinity."""
    return float(value) if value is not None and math.isfinite(value) else None


def _arm(line: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": str(line["arm"]),
        "rewards": int(line["told"]),
        "mean": number(line["mean"]),
        "variance": number(line["variance"]),
        "value": number(line["value"]),
        "low": number(line.get("low")),
        "high": number(line.get("high")),
        "share": number(line["share"]),
        "outstanding": int(line["outstanding"]),
        "retired": bool(line["retired"]),
    }


def _best(best: Any) -> dict[str, Any] | None:
    if best is None:  # too little is known
        return None
    return {
        "arm": str(best.arm),
        "probability": number(best.probability),
        "value": number(best.value),
        "low": number(best.low),
        "high": number(best.high),
    }
