"""The field's ledger: claims from the literature on risk-aware bandits, tested by simulation.

from riskbandits import field

for decision in field.decide(field.Bench(share=0.1)):
    print(decision.claim.name, decision.verdict, decision.sentence)
"""

from riskbandits.field.bench import Bench
from riskbandits.field.claim import FAILS, HOLDS, OPEN, PARTLY, SYMBOLS, VERDICTS, Claim, Decision
from riskbandits.field.deciding import CLAIMS, decide

__all__ = ["CLAIMS", "FAILS", "HOLDS", "OPEN", "PARTLY", "SYMBOLS", "VERDICTS", "Bench", "Claim", "Decision", "decide"]
