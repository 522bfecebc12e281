"""All claims of the field, and their verdicts.

A group of claims is a file of this room with a tuple CLAIMS, and a name in PARTS below.
"""

from __future__ import annotations

from collections.abc import Iterable

from riskbandits.field import any_risk, cvar, naming, ratios_and_variances, tails
from riskbandits.field.bench import Bench
from riskbandits.field.judging import decide as decide_one
from riskbandits.inference.claims import Claim, Decision, chosen

PARTS = (cvar, naming, tails, ratios_and_variances, any_risk)
CLAIMS: dict[str, Claim] = {claim.name: claim for part in PARTS for claim in part.CLAIMS}


def decide(bench: Bench, names: Iterable[str] | None = None) -> list[Decision]:
    """Decide claims by simulation.

    >>> decide(Bench(), ["bcvts-asymptotically-optimal"])[0].verdict
    'cannot be decided'
    """
    return [decide_one(claim, bench) for claim in chosen(CLAIMS, names, "claim of the field")]
