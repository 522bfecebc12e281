"""The ledger: all claims of the field, and their verdicts.

A group of claims is a file of this room with a tuple CLAIMS, and a name in PARTS below.
"""

from __future__ import annotations

from collections.abc import Iterable

from riskbandits.core.errors import unknown_name
from riskbandits.field import any_risk, cvar, naming, ratios_and_variances, tails
from riskbandits.field.bench import Bench
from riskbandits.field.claim import Claim, Decision
from riskbandits.field.claim import decide as decide_one

PARTS = (cvar, naming, tails, ratios_and_variances, any_risk)
CLAIMS: dict[str, Claim] = {claim.name: claim for part in PARTS for claim in part.CLAIMS}


def chosen(names: Iterable[str] | None = None) -> list[Claim]:
    """The claims by those names, or all."""
    wanted = list(CLAIMS) if names is None else list(names)
    for name in wanted:
        if name not in CLAIMS:
            raise unknown_name("claim of the field", name, CLAIMS)
    return [CLAIMS[name] for name in wanted]


def decide(bench: Bench, names: Iterable[str] | None = None) -> list[Decision]:
    """Decide claims by simulation.

    >>> decide(Bench(), ["bcvts-asymptotically-optimal"])[0].verdict
    'cannot be decided'
    """
    return [decide_one(claim, bench) for claim in chosen(names)]
