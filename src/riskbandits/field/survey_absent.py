"""Algorithms of the field that are not offered here; `docs/systems.md` says which were looked for, and where."""

from __future__ import annotations

from riskbandits.field.survey_entry import ABSTRACT, MEAN_VARIANCE, NAMING, OTHER, TAILS, UNCHECKED, Entry

ABSENT = (
    Entry(
        "phi-LCB",
        MEAN_VARIANCE,
        "O(log n) for continuous functions of mean and variance",
        UNCHECKED,
        source="Zimin, Ibsen-Jensen & Chatterjee, Generalized Risk-Aversion in Stochastic Multi-Armed Bandits, 2014.",
    ),
    Entry(
        "RALCB",
        MEAN_VARIANCE,
        "properties for sub-Gaussian rewards, also of dependent arms",
        ABSTRACT,
        source="Hu, Charpentier, Ghossoub & Schied, The Multi-Armed Bandit Problem Under the Mean-Variance Setting, "
        "arXiv 2212.09192.",
    ),
    Entry(
        "index policy for coherent risk measures",
        TAILS,
        "a convergence rate for the regret per step",
        ABSTRACT,
        source="Xu, Haskell & Ye, Index-Based Policy for Risk-Averse Multi-Armed Bandit, arXiv 1809.05385.",
    ),
    Entry(
        "revised CVaR-UCB",
        TAILS,
        "O(log n)",
        UNCHECKED,
        source="Khajonchotpanya, Xue & Rujeerapaiboon, A Revised Approach for Risk-Averse Multi-Armed Bandits under "
        "CVaR Criterion, 2021.",
    ),
    Entry(
        "W-UCB",
        OTHER,
        "O(log n) for distorted probabilities (cumulative prospect theory), bounded costs; the best possible order",
        ABSTRACT,
        source="Gopalan, Prashanth, Fu & Marcus, Weighted Bandits or: How Bandits Learn Distorted Values That Are Not "
        "Expected, AAAI 2017.",
    ),
    Entry(
        "bounds by Wasserstein distance",
        OTHER,
        "a regret bound for two classes of measures, spectral and shortfall risk among them",
        ABSTRACT,
        source="Prashanth & Bhat, A Wasserstein Distance Approach for Concentration of Empirical Risk Estimates, 2022.",
    ),
    Entry(
        "UCB-VV",
        OTHER,
        "O(log n) for the largest variance, bounded rewards; the best possible order",
        ABSTRACT,
        source="Khurshid, Ghatak & Abdulla, Variance-Optimal Arm Selection, arXiv 2505.11985.",
    ),
    Entry(
        "RS-ETC-M, RS-UCB-M, CE-UCB-M",
        OTHER,
        "regret of order (log n / n)^nu per step, against the best mixture of arms",
        ABSTRACT,
        source="Tatli, Mukherjee, Prashanth, Shanmugam & Tajer, Risk-Sensitive Bandits: Arm Mixture Optimality and "
        "Regret-Efficient Algorithms, arXiv 2503.08896.",
    ),
    Entry(
        "QPAC",
        NAMING,
        "quantiles: error at most delta",
        UNCHECKED,
        source="Szorenyi, Busa-Fekete, Weng & Hullermeier, Qualitative Multi-Armed Bandits: A Quantile-Based Approach, "
        "ICML 2015.",
    ),
    Entry(
        "Q-SAR",
        NAMING,
        "a bound on the error probability, rewards with a non-decreasing hazard rate",
        ABSTRACT,
        source="Zhang & Ong, Quantile Bandits for Best Arms Identification, ICML 2021.",
    ),
    Entry(
        "PAC bandits with risk constraints",
        NAMING,
        "error at most delta up to given tolerances, sub-Gaussian rewards; number of samples optimal up to logarithms",
        ABSTRACT,
        source="David, Szorenyi, Ghavamzadeh, Mannor & Shimkin, PAC Bandits with Risk Constraints, 2018.",
    ),
    Entry(
        "pure exploration under heavy tails",
        NAMING,
        "guarantees for fixed confidence and fixed budget, rewards with a known moment",
        ABSTRACT,
        source="Yu, Shao, Lyu & King, Pure Exploration of Multi-Armed Bandits with Heavy-Tailed Payoffs, UAI 2018.",
    ),
    Entry(
        "track and stop for tail risk",
        NAMING,
        "error at most delta; number of samples asymptotically optimal; CVaR, quantiles and mean-CVaR of heavy tails",
        ABSTRACT,
        source="Agrawal, Koolen & Juneja, Optimal Best-Arm Identification Methods for Tail-Risk Measures, NeurIPS "
        "2021.",
    ),
    Entry(
        "RAMGapE",
        NAMING,
        "correctness of the mean-variance Pareto set, with a fixed budget or a fixed confidence",
        ABSTRACT,
        source="Nonaga, Tabata, Mizuno & Komatsuzaki, Risk-Averse Best Arm Set Identification with Fixed Budget and "
        "Fixed Confidence, ACML 2025 (arXiv 2506.22253).",
    ),
)
