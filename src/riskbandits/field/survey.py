"""The algorithms of the field as records: what each is here, what is proved of it, and the bench that it is tried on.

What a record can say itself is asked of it: the source is the line "Reference:" of its docstring, measures and arms are
those that it does not refuse (`survey_table`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from riskbandits.identification import (
    VALUCB,
    MeanVarianceElimination,
    MeanVarianceLUCB,
    QuantileElimination,
    SuccessiveRejects,
)
from riskbandits.policies import (
    BCVTS,
    BMVTS,
    MCVTS,
    MTS,
    MVDSEE,
    MVLCB,
    MVTS,
    NPTS,
    RAUCB,
    UUCB,
    VTS,
    BernoulliLCB,
    CVaRTS,
    CVaRUCB,
    ExpExp,
    MaRaB,
)

MEAN_VARIANCE, TAILS, OTHER, NAMING = "Mean-variance", "CVaR", "Other measures", "Naming the best arm"
GROUPS = (MEAN_VARIANCE, TAILS, OTHER, NAMING)


class Entry(NamedTuple):
    """An algorithm of the literature."""

    name: str
    group: str
    guarantee: str  # what is proved, for which rewards
    here: Any = None  # the record that it is here
    bench: str = ""  # what it is tried on: a name in `survey_bench.BENCHES`
    source: str = ""  # where nothing is here to be asked


ENTRIES = (
    Entry("MV-LCB", MEAN_VARIANCE, "O(log^2 n), bounded rewards", MVLCB.sani(), "mean-variance"),
    Entry("MV-UCB", MEAN_VARIANCE, "O(log n), sub-Gaussian rewards", MVLCB.vakili(), "mean-variance"),
    Entry("ExpExp", MEAN_VARIANCE, "O(n^(2/3)) whatever the gaps, bounded rewards", ExpExp(), "mean-variance"),
    Entry("MV-DSEE", MEAN_VARIANCE, "O(n^(2/3)) whatever the gaps, the best order possible", MVDSEE(), "mean-variance"),
    Entry("MTS", MEAN_VARIANCE, "O(log n) for Gaussian rewards and large rho (errata.md)", MTS(), "mean-variance"),
    Entry(
        "VTS",
        MEAN_VARIANCE,
        "as printed O(log n); in fact linear for every rho > 0 (errata.md)",
        VTS(),
        "mean-variance",
    ),
    Entry("MVTS", MEAN_VARIANCE, "O(log n) for Gaussian rewards (errata.md)", MVTS(), "mean-variance"),
    Entry("BMVTS", MEAN_VARIANCE, "O(log n) for rewards 0 and 1", BMVTS(), "mean-variance, 0 or 1"),
    Entry("LCB for 0 and 1", MEAN_VARIANCE, "O(log n)", BernoulliLCB.tight(), "mean-variance, 0 or 1"),
    Entry("MaRaB", TAILS, "none for CVaR", MaRaB(), "CVaR"),
    Entry("U-UCB", TAILS, "O(log n), bounded rewards", UUCB(), "CVaR"),
    Entry("CVaR-UCB", TAILS, "O(sqrt(n log n)) whatever the gaps, rewards bounded above", CVaRUCB(), "CVaR"),
    Entry("B-CVTS", TAILS, "asymptotically optimal, bounded rewards", BCVTS(), "CVaR"),
    Entry("M-CVTS", TAILS, "asymptotically optimal, finitely many values", MCVTS(), "CVaR, 0 or 1"),
    Entry(
        "CVaR-TS",
        TAILS,
        "O(log n) pulls of arms that are worse or infeasible, Gaussian rewards",
        CVaRTS(threshold=-1.0),
        "mean under a condition",
    ),
    Entry("rho-NPTS", OTHER, "asymptotically optimal for continuous measures, bounded rewards", NPTS(), "CVaR"),
    Entry("RA-UCB", OTHER, "O(log n) for exponential moments", RAUCB(), "entropic"),
    Entry(
        "CVaR-SR",
        NAMING,
        "error falls exponentially with the budget",
        SuccessiveRejects(),
        "naming: CVaR, budget 1 500",
    ),
    Entry(
        "max-quantile elimination",
        NAMING,
        "error at most delta, any rewards",
        QuantileElimination(),
        "naming: quantile",
    ),
    Entry(
        "VA-LUCB",
        NAMING,
        "error at most delta, bounded rewards; number of samples optimal up to a logarithm",
        VALUCB(),
        "naming: variance below a limit",
    ),
    Entry(
        "mean-variance elimination",
        NAMING,
        "error at most delta, Gaussian",
        MeanVarianceElimination(),
        "naming: Gaussian",
    ),
    Entry("mean-variance LUCB", NAMING, "error at most delta, bounded rewards", MeanVarianceLUCB(), "naming: 0 or 1"),
    Entry(
        "phi-LCB",
        MEAN_VARIANCE,
        "O(log n) for continuous functions of mean and variance",
        source="Zimin, Ibsen-Jensen & Chatterjee, Generalized Risk-Aversion in Stochastic Multi-Armed Bandits, 2014.",
    ),
    Entry(
        "revised CVaR-UCB",
        TAILS,
        "O(log n)",
        source="Khajonchotpanya, Xue & Rujeerapaiboon, A Revised Approach for Risk-Averse Multi-Armed Bandits under "
        "CVaR Criterion, 2021.",
    ),
    Entry(
        "W-UCB",
        OTHER,
        "sublinear, for distorted probabilities (cumulative prospect theory)",
        source="Gopalan, Prashanth, Fu & Marcus, Weighted Bandits or: How Bandits Learn Distorted Values That Are Not "
        "Expected, AAAI 2017.",
    ),
    Entry(
        "bounds by Wasserstein distance",
        OTHER,
        "logarithmic for spectral measures and shortfall risk, sub-Gaussian rewards",
        source="Prashanth & Bhat, A Wasserstein Distance Approach for Concentration of Empirical Risk Estimates, 2022.",
    ),
    Entry(
        "QPAC, Q-SAR",
        NAMING,
        "quantiles: error at most delta; error falls exponentially with the budget",
        source="Szorenyi, Busa-Fekete, Weng & Hullermeier, Qualitative Multi-Armed Bandits: A Quantile-Based Approach, "
        "ICML 2015; Zhang & Ong, Quantile Bandits for Best Arms Identification, ICML 2021.",
    ),
    Entry(
        "PAC bandits with risk constraints",
        NAMING,
        "error at most delta, up to given tolerances",
        source="David, Szorenyi, Ghavamzadeh, Mannor & Shimkin, PAC Bandits with Risk Constraints, 2018.",
    ),
    Entry(
        "distribution-oblivious CVaR",
        NAMING,
        "error falls with the budget, whatever the tails",
        source="Kagrecha, Nair & Jagannathan, Distribution Oblivious, Risk-Aware Algorithms for Multi-Armed Bandits "
        "with Unbounded Rewards, NeurIPS 2019.",
    ),
    Entry(
        "track and stop for tail risk",
        NAMING,
        "number of samples asymptotically optimal, CVaR and quantiles of heavy tails",
        source="Agrawal, Koolen & Juneja, Optimal Best-Arm Identification Methods for Tail-Risk Measures, NeurIPS "
        "2021.",
    ),
    Entry(
        "RAMGapE",
        NAMING,
        "finds the mean-variance Pareto set, with a fixed budget or a fixed confidence",
        source="Nonaga, Tabata, Mizuno & Komatsuzaki, Risk-Averse Best Arm Set Identification with Fixed Budget and "
        "Fixed Confidence, arXiv 2506.22253.",
    ),
)
