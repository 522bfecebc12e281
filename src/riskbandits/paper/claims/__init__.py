"""The paper's claims: each statement, how it is decided, and the verdict of the data.

from riskbandits.paper import claims
from riskbandits.paper import experiments

outcomes = experiments.run(claims.experiments_needed())
for decision in claims.decide(outcomes):
    print(decision.claim.name, decision.text, decision.effect)
"""

from riskbandits.inference.claims import FAILS, HOLDS, HOLDS_ONLY, NOT_REFUTED, OPEN, SYMBOLS, Claim, Decision
from riskbandits.paper.claims.decisions import CLAIMS, decide, experiments_needed, multiplicity

VERDICTS = (HOLDS, NOT_REFUTED, HOLDS_ONLY, FAILS, OPEN)

__all__ = [
    "CLAIMS",
    "FAILS",
    "HOLDS",
    "HOLDS_ONLY",
    "NOT_REFUTED",
    "OPEN",
    "SYMBOLS",
    "VERDICTS",
    "Claim",
    "Decision",
    "decide",
    "experiments_needed",
    "multiplicity",
]
