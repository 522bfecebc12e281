"""The algorithms of the field as records: what each is called here, what is proved about it, and where it is tried.

What a record knows is taken from the record: the source is the line "Reference:" of its docstring, and the measures and
arms are those that it does not refuse (`survey_table`).
"""

from __future__ import annotations

from riskbandits.field.survey_absent import ABSENT
from riskbandits.field.survey_entry import (
    ABSTRACT,
    MEAN_VARIANCE,
    NAMING,
    OTHER,
    OURS,
    SCRIPTS,
    TAILS,
    TEXT,
    UNCHECKED,
    Entry,
)
from riskbandits.identification import (
    VALUCB,
    MeanVarianceElimination,
    MeanVarianceLUCB,
    QuantileElimination,
    SequentialHalving,
    SuccessiveRejects,
    TruncatedRejects,
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
    SRTS,
    UCBRSSR,
    UUCB,
    VTS,
    BernoulliLCB,
    CVaRTS,
    CVaRUCB,
    ExpExp,
    MaRaB,
    ModifiedGRAUCB,
)

HERE = (
    Entry("MV-LCB", MEAN_VARIANCE, "O(log^2 n), bounded rewards", UNCHECKED, MVLCB.sani(), "mean-variance"),
    Entry(
        "MV-UCB",
        MEAN_VARIANCE,
        "O(log n), the best possible order; sub-Gaussian rewards",
        ABSTRACT,
        MVLCB.vakili(),
        "mean-variance",
    ),
    Entry(
        "ExpExp", MEAN_VARIANCE, "O(n^(2/3)) whatever the gaps, bounded rewards", UNCHECKED, ExpExp(), "mean-variance"
    ),
    Entry(
        "MV-DSEE",
        MEAN_VARIANCE,
        "O(n^(2/3)) whatever the gaps, the best possible order",
        ABSTRACT,
        MVDSEE(),
        "mean-variance",
    ),
    Entry(
        "MTS",
        MEAN_VARIANCE,
        "O(log n) for Gaussian rewards and large rho (see the errata)",
        TEXT,
        MTS(),
        "mean-variance",
    ),
    Entry(
        "VTS",
        MEAN_VARIANCE,
        "O(log n) as printed; in fact linear for every rho > 0 (see the errata)",
        TEXT,
        VTS(),
        "mean-variance",
    ),
    Entry("MVTS", MEAN_VARIANCE, "O(log n) for Gaussian rewards (see the errata)", TEXT, MVTS(), "mean-variance"),
    Entry("BMVTS", MEAN_VARIANCE, "O(log n) for 0/1 rewards", TEXT, BMVTS(), "mean-variance, 0 or 1"),
    Entry("LCB for 0/1 rewards", MEAN_VARIANCE, "none stated", OURS, BernoulliLCB.tight(), "mean-variance, 0 or 1"),
    Entry(
        "MaRaB",
        TAILS,
        "none for CVaR; only its limit, which maximises the smallest reward, is analysed",
        ABSTRACT,
        MaRaB(),
        "CVaR",
    ),
    Entry("U-UCB", TAILS, "O(log n), bounded rewards", UNCHECKED, UUCB(), "CVaR"),
    Entry(
        "CVaR-UCB",
        TAILS,
        "O(sqrt(n log n)) whatever the gaps, rewards bounded above",
        UNCHECKED,
        CVaRUCB(),
        "CVaR",
    ),
    Entry("B-CVTS", TAILS, "asymptotically optimal, bounded rewards", ABSTRACT, BCVTS(), "CVaR"),
    Entry("M-CVTS", TAILS, "asymptotically optimal, finitely many values", ABSTRACT, MCVTS(), "CVaR, 0 or 1"),
    Entry(
        "CVaR-TS",
        TAILS,
        "regret bounds that approach the lower bound in some regimes, Gaussian rewards",
        ABSTRACT,
        CVaRTS(threshold=-1.0),
        "mean under a condition",
    ),
    Entry(
        "rho-NPTS",
        OTHER,
        "asymptotically optimal for continuous measures, bounded rewards (Chang 2026; in 2022 for finitely many "
        "values)",
        ABSTRACT,
        NPTS(),
        "CVaR",
    ),
    Entry(
        "RA-UCB",
        OTHER,
        "a bound on the regret that holds with high probability, rewards with exponential moments",
        ABSTRACT,
        RAUCB(),
        "entropic",
    ),
    Entry("UCB-RSSR", OTHER, "O(log n) for the squared Sharpe ratio", ABSTRACT, UCBRSSR(), "squared Sharpe ratio"),
    Entry("Modified-GRA-UCB", OTHER, "none known", SCRIPTS, ModifiedGRAUCB(), "squared Sharpe ratio"),
    Entry("SRTS", OTHER, "O(log n) for the Sharpe ratio, Gaussian rewards", ABSTRACT, SRTS(), "squared Sharpe ratio"),
    Entry(
        "CVaR-SR",
        NAMING,
        "a bound on the error probability, light-tailed rewards",
        ABSTRACT,
        SuccessiveRejects(),
        "naming: CVaR, budget 1 500",
    ),
    Entry(
        "max-quantile elimination",
        NAMING,
        "error at most delta, any rewards",
        OURS,
        QuantileElimination(),
        "naming: quantile",
    ),
    Entry(
        "VA-LUCB",
        NAMING,
        "error at most delta, bounded rewards; number of samples optimal up to a logarithm",
        ABSTRACT,
        VALUCB(),
        "naming: variance below a limit",
    ),
    Entry(
        "mean-variance elimination",
        NAMING,
        "error at most delta, Gaussian rewards",
        OURS,
        MeanVarianceElimination(),
        "naming: Gaussian",
    ),
    Entry(
        "mean-variance LUCB",
        NAMING,
        "error at most delta, bounded rewards",
        OURS,
        MeanVarianceLUCB(),
        "naming: 0 or 1",
    ),
    Entry(
        "distribution-oblivious successive rejects",
        NAMING,
        "asymptotically near-optimal among rules that know nothing about the tails, rewards with a moment of order "
        "above 1",
        ABSTRACT,
        TruncatedRejects(),
        "naming: CVaR, budget 1 500",
    ),
    Entry(
        "SHSR, SHVV",
        NAMING,
        "error falls exponentially with the budget over log(K) H (SHVV, the largest variance)",
        ABSTRACT,
        SequentialHalving(),
        "naming: largest variance",
    ),
)

ENTRIES = HERE + ABSENT
