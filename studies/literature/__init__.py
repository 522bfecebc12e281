"""Claims from the literature on risk-aware bandits, decided by simulation; docs/systems.md has the verdicts.

    python -m studies.literature
    python -m studies.literature bcvts-beats-confidence-bounds --share 0.1

A group of claims is a module of this package with a tuple CLAIMS, listed in GROUPS below.
"""

from __future__ import annotations

from riskbandits.inference.claims import Claim
from studies.literature import any_measure, cvar, identification, regret_tails, sharpe_and_variance

GROUPS = (cvar, identification, regret_tails, sharpe_and_variance, any_measure)
CLAIMS: dict[str, Claim] = {claim.name: claim for group in GROUPS for claim in group.CLAIMS}
