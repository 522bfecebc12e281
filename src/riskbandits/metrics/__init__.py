"""Regret and its relatives from a trace, per run and summarised over runs."""

from riskbandits.metrics.growth import growth_table, local_slopes, wrong_pulls
from riskbandits.metrics.identity import ExpectationIdentity, expectation_identity, lemma_1_margin
from riskbandits.metrics.locking import locked
from riskbandits.metrics.proportions import clopper_pearson
from riskbandits.metrics.regrets import (
    best_arm_share,
    decomposition,
    exact_pseudo_regret,
    pseudo_regret,
    regret,
)
from riskbandits.metrics.summary import decomposition_table, summary_table

__all__ = [
    "ExpectationIdentity",
    "best_arm_share",
    "clopper_pearson",
    "decomposition",
    "decomposition_table",
    "exact_pseudo_regret",
    "expectation_identity",
    "growth_table",
    "lemma_1_margin",
    "local_slopes",
    "locked",
    "pseudo_regret",
    "regret",
    "summary_table",
    "wrong_pulls",
]
