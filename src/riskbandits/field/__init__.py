"""The field's ledger: claims from the literature on risk-aware bandits, tested by simulation.

from riskbandits import field

for decision in field.decide(field.Bench(share=0.1)):
    print(decision.claim.name, decision.verdict, decision.sentence)

A group of claims is a module of this package with a tuple CLAIMS, and a name in PARTS below.
"""

from __future__ import annotations

from collections.abc import Iterable

from riskbandits.field import any_risk_claims, cvar_claims, judging, naming_claims, ratio_claims, tail_claims
from riskbandits.field.bench import Bench
from riskbandits.inference.claims import FAILS, HOLDS, OPEN, PARTLY, SYMBOLS, Claim, Decision, chosen

__all__ = ["CLAIMS", "FAILS", "HOLDS", "OPEN", "PARTLY", "SYMBOLS", "VERDICTS", "Bench", "Claim", "Decision", "decide"]

VERDICTS = (HOLDS, PARTLY, FAILS, OPEN)
PARTS = (cvar_claims, naming_claims, tail_claims, ratio_claims, any_risk_claims)
CLAIMS: dict[str, Claim] = {claim.name: claim for part in PARTS for claim in part.CLAIMS}


def decide(bench: Bench, names: Iterable[str] | None = None) -> list[Decision]:
    """Decide claims by simulation.

    >>> decide(Bench(), ["bcvts-asymptotically-optimal"])[0].verdict
    'cannot be decided'
    """
    return [judging.decide(claim, bench) for claim in chosen(CLAIMS, names, "claim of the field")]
