"""The benches on which the algorithms of the survey are tried, and what was measured there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from riskbandits import problems
from riskbandits.arms import BernoulliArms, BetaArms, GaussianArms
from riskbandits.core.files import replacing
from riskbandits.core.version import __version__
from riskbandits.field.bench import Bench, final
from riskbandits.field.cvar_claims import HARVESTS
from riskbandits.field.ratio_claims import CALM_TO_WILD, UNIT
from riskbandits.field.survey import ENTRIES
from riskbandits.field.survey_entry import Entry
from riskbandits.inference.ratios import of_means
from riskbandits.policies import BCVTS, BMVTS, MVTS, NPTS
from riskbandits.policies.support import naming
from riskbandits.problem import Problem
from riskbandits.risk import (
    CVaR,
    Entropic,
    LargestVariance,
    MeanVariance,
    Sharpe,
    ValueAtRisk,
    VarianceConstrained,
)

HORIZON, RUNS = 5_000, 100
NAMING_RUNS = 200
STORED = "survey.json"


class Trial(NamedTuple):
    """A problem on which several algorithms are tried; `beside` are further policies for comparison.

    Rules for best-arm identification have a goal instead.
    """

    problem: Problem
    words: str
    goal: Mapping[str, Any] = {}
    beside: tuple[Any, ...] = ()


BENCHES = {
    "mean-variance": Trial(problems.zhu_tan_gaussian(1.0), "the paper's 15 Gaussian arms, rho = 1"),
    "mean-variance, 0 or 1": Trial(problems.zhu_tan_bernoulli(4 / 9), "the paper's Bernoulli arms, rho = 4/9"),
    "CVaR": Trial(Problem(HARVESTS, CVaR(0.25)), "three mixtures in [0, 1], level 0.25"),
    "CVaR, 0 or 1": Trial(
        Problem(BernoulliArms([0.8, 0.9, 0.95]), CVaR(0.25)),
        "three Bernoulli arms, level 0.25",
        beside=(BCVTS(), BMVTS()),
    ),
    # The arm with the best mean has a CVaR of -4.2 at level 0.05, and a variance of 9: it breaks either condition.
    "mean under a condition": Trial(
        Problem(GaussianArms([0.5, 0.9, 2.0], [0.1, 0.3, 9.0]), VarianceConstrained(1.0)),
        "three Gaussian arms, one of which breaks the condition",
        beside=(MVTS(),),
    ),
    "entropic": Trial(
        Problem(BetaArms([2, 6, 1], [2, 5, 0.8]), Entropic(3.0)), "three Beta arms, aversion 3", beside=(NPTS(),)
    ),
    "squared Sharpe ratio": Trial(Problem(UNIT, Sharpe.squared()), "three uniform arms in [0, 1]"),
    "naming: CVaR, budget 1 500": Trial(
        Problem(HARVESTS, CVaR(0.25)), "three mixtures in [0, 1], level 0.25", {"budget": 1_500}
    ),
    "naming: quantile": Trial(
        Problem(HARVESTS, ValueAtRisk(0.5)), "three mixtures in [0, 1], the median", {"confidence": 0.95}
    ),
    "naming: variance below a limit": Trial(
        Problem(BernoulliArms([0.05, 0.15, 0.5]), VarianceConstrained(0.19)),
        "three Bernoulli arms, variance at most 0.19",
        {"confidence": 0.95},
    ),
    "naming: Gaussian": Trial(
        Problem(GaussianArms([0.2, 0.5, 0.9], [0.1, 0.2, 1.0]), MeanVariance(1.0)),
        "three Gaussian arms, rho = 1",
        {"confidence": 0.95},
    ),
    "naming: 0 or 1": Trial(
        Problem(BernoulliArms([0.5, 0.7, 0.95]), MeanVariance(1.0)),
        "three Bernoulli arms, rho = 1",
        {"confidence": 0.95},
    ),
    "naming: largest variance": Trial(
        Problem(CALM_TO_WILD, LargestVariance()), "eight uniform arms of growing width", {"budget": 1_600}
    ),
}


def label_of(entry: Entry) -> str:
    """The name of a record, with its preset or parameters."""
    return naming.label(entry.here)


def measure(bench: Bench) -> dict[str, Any]:
    """Try everything that is here: for each record the bench, the measurement and its 95 % interval."""
    rows: dict[str, Any] = {}
    for name, trial in BENCHES.items():
        tried = {label_of(one): one.here for one in ENTRIES if one.bench == name}
        listed = list(tried)
        tried |= {naming.label(one): one for one in trial.beside}
        if trial.goal:
            for label, rule in tried.items():
                found = bench.identify(trial.problem, rule, NAMING_RUNS, **trial.goal)
                low, high = found.interval
                rows[label] = {"bench": name, "error": found.error_probability, "low": low, "high": high}
                rows[label]["cost"] = float(found.cost.mean())
            continue
        result = bench.simulate(trial.problem, tried, HORIZON, RUNS)
        regrets = {label: final(result, label) for label in tried}
        best = min(regrets.values(), key=lambda one: float(np.mean(one)))
        for label in listed:
            values = regrets[label]
            ratio = of_means(values, best)
            low, high = (1.0, 1.0) if values is best else ratio.interval()
            row = {"bench": name, "regret": float(values.mean()), "ratio": ratio.value, "low": low, "high": high}
            rows[label] = {**row, "tried": len(tried)}
    settings = {"horizon": HORIZON, "runs": bench.runs(RUNS), "naming_runs": bench.runs(NAMING_RUNS)}
    return {"settings": {**settings, "seed": bench.seed, "version": __version__}, "rows": rows}


def write(measured: dict[str, Any], path: Path) -> None:
    """Write what was measured to a file."""
    with replacing(path) as temporary:
        Path(temporary).write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


def stored() -> dict[str, Any]:
    """What was measured when the page was last made."""
    found: dict[str, Any] = json.loads(files("riskbandits.field").joinpath(STORED).read_text(encoding="utf-8"))
    return found
