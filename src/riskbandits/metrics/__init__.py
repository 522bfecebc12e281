"""Regret and related metrics from a trace, per run and summarised over runs."""

from riskbandits.inference.intervals import clopper_pearson
from riskbandits.metrics.growth import growth_table, local_slopes, wrong_pulls
from riskbandits.metrics.identity import ExpectationIdentity, expectation_identity, lemma_1_margin, low_noise_regret
from riskbandits.metrics.locking import exploring, locked, settled
from riskbandits.metrics.metric import METRICS, Metric, main_metric
from riskbandits.metrics.ranking import arm_table, ranking
from riskbandits.metrics.regrets import (
    best_arm_share,
    contextual_regret,
    decomposition,
    dynamic_regret,
    exact_pseudo_regret,
    gap_sum,
    pseudo_regret,
    regret,
    switching_cost,
)
from riskbandits.metrics.summary import (
    decomposition_table,
    final_table,
    marked_runs,
    run_table,
    runs_over_time,
    summary_table,
)
from riskbandits.metrics.wealth import drawdowns, wealth

__all__ = [
    "METRICS",
    "ExpectationIdentity",
    "Metric",
    "arm_table",
    "best_arm_share",
    "clopper_pearson",
    "contextual_regret",
    "decomposition",
    "decomposition_table",
    "drawdowns",
    "dynamic_regret",
    "exact_pseudo_regret",
    "expectation_identity",
    "exploring",
    "final_table",
    "gap_sum",
    "growth_table",
    "lemma_1_margin",
    "local_slopes",
    "locked",
    "low_noise_regret",
    "main_metric",
    "marked_runs",
    "pseudo_regret",
    "ranking",
    "regret",
    "run_table",
    "runs_over_time",
    "settled",
    "summary_table",
    "switching_cost",
    "wealth",
    "wrong_pulls",
]
