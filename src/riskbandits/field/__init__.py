"""What the literature on risk-aware bandits claims, decided by simulation.

from riskbandits import field

for decision in field.decide(field.Bench(share=0.1)):
    print(decision.claim.name, decision.verdict, decision.sentence)
"""

from riskbandits.field.bench import Bench
from riskbandits.field.deciding import CLAIMS, decide
from riskbandits.inference.claims import FAILS, HOLDS, OPEN, PARTLY, SYMBOLS, Claim, Decision

VERDICTS = (HOLDS, PARTLY, FAILS, OPEN)

__all__ = ["CLAIMS", "FAILS", "HOLDS", "OPEN", "PARTLY", "SYMBOLS", "VERDICTS", "Bench", "Claim", "Decision", "decide"]
