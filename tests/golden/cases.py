"""The cases: names, and what each computes with the public interface alone.

What a case returns are pulls, regrets and choices, never an interval: those follow SciPy. Ids of decisions are no
numbers either.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import riskbandits as rb

from .digest import digest

Arrays = list[Any]


class Case(NamedTuple):
    """A function of the number of workers that returns arrays."""

    arrays: Callable[[int], Arrays]
    equal_rewards: bool  # whether an arm may pay the same reward several times
    quick: bool  # whether it is part of the default suite


CASES: dict[str, Case] = {}


def case(name: str, function: Callable[..., Arrays], *args: Any, equal: bool = False, quick: bool = False) -> None:
    """Add a case: a function of these arguments and of the workers."""
    assert name not in CASES, name
    CASES[name] = Case(functools.partial(function, *args), equal, quick)


def digest_of(name: str, workers: int = 1) -> str:
    """The digest of a case, computed now."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rb.errors.ScaleWarning)
        return digest(CASES[name].arrays(workers))


# Simulations


def played(result: Any) -> Arrays:
    """Pulls at the horizon, and regrets at all checkpoints, per run."""
    arrays: Arrays = []
    for label in result.labels:
        trace = result.trace(label)
        arrays.append(np.asarray(result.pulls(label)))
        if hasattr(trace.problem.arms, "pieces"):
            arrays.append(rb.metrics.dynamic_regret(trace))
        else:
            arrays += [rb.metrics.regret(trace), rb.metrics.pseudo_regret(trace), rb.metrics.exact_pseudo_regret(trace)]
        arrays.append(rb.metrics.best_arm_share(trace))
    return arrays


def simulated(
    problem: rb.Problem, policy: Any, method: str, horizon: int, runs: int, delay: Any, workers: int
) -> Arrays:
    """One policy on one problem."""
    steps = sorted({max(1, horizon // 50), max(1, horizon // 5), horizon})
    options = {"horizon": horizon, "runs": runs, "seed": 7, "checkpoints": steps, "delay": delay}
    return played(rb.simulate(problem, [policy], method=method, workers=workers, progress=False, **options))


def simulation(
    name: str,
    problem: rb.Problem,
    policy: Any,
    method: str = "plain",
    horizon: int = 600,
    runs: int = 3,
    delay: Any = None,
    **flags: bool,
) -> None:
    """Add a simulation."""
    case(name, simulated, problem, policy, method, horizon, runs, delay, **flags)


MEAN_VARIANCE = rb.MeanVariance(rho=1.0)
FOUR = rb.GaussianArms([0.1, 0.4, 0.6, 0.9], [0.05, 0.3, 0.5, 1.5])
SIX = rb.GaussianArms([0.1, 0.4, 0.6, 0.9, 0.3, 0.5], [0.05, 0.3, 0.5, 1.5, 0.2, 0.1])
COINS = rb.BernoulliArms([0.15, 0.4, 0.6, 0.8])
SIX_COINS = rb.BernoulliArms([0.15, 0.4, 0.6, 0.8, 0.9, 0.35])
BETA = rb.BetaArms([3.0, 6.0, 2.0, 1.5], [2.0, 3.0, 0.7, 1.5])
SIX_BETA = rb.BetaArms([3.0, 6.0, 2.0, 1.5, 4.0, 2.5], [2.0, 3.0, 0.7, 1.5, 4.0, 1.0])
MARKS = rb.DataArms([0.0, 2.0, 2.0, 1.0, 1.0, 2.0, 1.0, 0.0, 2.0], [3, 6, 9])

GAUSSIAN_POLICIES = {
    "SwitchingAware": rb.SwitchingAware(),
    "SwitchingAware.gaussian": rb.SwitchingAware.gaussian(),
    "SwitchingAware.guessing": rb.SwitchingAware.guessing(),
    "SwitchingAware.imed": rb.SwitchingAware.imed(),
    "SwitchingAware(anytime)": rb.SwitchingAware(anytime=True),
    "SwitchingAware(MVTS)": rb.SwitchingAware(rb.MVTS()),
    "ExpExp": rb.ExpExp(),
    "IMEDMV": rb.IMEDMV(),
    "KLUCBMV": rb.KLUCBMV(),
    "MTS": rb.MTS(),
    "MTS.printed": rb.MTS.printed(),
    "MTS(unbiased)": rb.MTS(unbiased=True),
    "MVDSEE": rb.MVDSEE(),
    "MVLCB": rb.MVLCB(),
    "MVLCB.authors": rb.MVLCB.authors(),
    "MVLCB.sani": rb.MVLCB.sani(),
    "MVLCB.vakili": rb.MVLCB.vakili(),
    "MVLCB(unbiased)": rb.MVLCB(unbiased=True),
    "MVTS": rb.MVTS(),
    "MVTS(rate=5)": rb.MVTS(rate=5.0),
    "MVTS(unbiased)": rb.MVTS(unbiased=True),
    "NGTS": rb.NGTS(),
    "NGTS.scale_free": rb.NGTS.scale_free(),
    "NGTS.paper": rb.NGTS.paper(),
    "NGTS.honda_takemura": rb.NGTS.honda_takemura(),
    "NGTS(anytime)": rb.NGTS(anytime=True),
    "NPTS.anchor_free": rb.NPTS.anchor_free(),
    "UniformRandom": rb.UniformRandom(),
    "VTS": rb.VTS(),
    "VTS(unbiased)": rb.VTS(unbiased=True),
    "Discounted.gaussian": rb.Discounted.gaussian(),
    "Restarting.gaussian": rb.Restarting.gaussian(),
}
COIN_POLICIES = {
    "BMVTS": rb.BMVTS(),
    "BernoulliLCB": rb.BernoulliLCB(),
    "BernoulliLCB.authors": rb.BernoulliLCB.authors(),
    "BernoulliLCB.sani": rb.BernoulliLCB.sani(),
    "BernoulliLCB.tight": rb.BernoulliLCB.tight(),
    "IMEDMV.bernoulli": rb.IMEDMV.bernoulli(),
    "KLUCBMV.bernoulli": rb.KLUCBMV.bernoulli(),
    "SwitchingAware.bernoulli": rb.SwitchingAware.bernoulli(),
    "SwitchingAware.imed_bernoulli": rb.SwitchingAware.imed_bernoulli(),
    "Discounted.bernoulli": rb.Discounted.bernoulli(),
    "Restarting.bernoulli": rb.Restarting.bernoulli(),
    # made for other rewards than 0 and 1
    "SwitchingAware": rb.SwitchingAware(),
    "NGTS": rb.NGTS(),
    "MVTS": rb.MVTS(),
    "MVLCB": rb.MVLCB(),
    "NPTS": rb.NPTS(),
}
MEAN_POLICIES = {
    "DSEE": rb.DSEE(),
    "GaussianTS": rb.GaussianTS(),
    "HorizonUCB": rb.HorizonUCB(),
    "RobustUCB.truncated": rb.RobustUCB.truncated(),
    "RobustUCB.median_of_means": rb.RobustUCB.median_of_means(),
    "UCB1": rb.UCB1(),
    "UCBV": rb.UCBV(),
    "CVaRTS": rb.CVaRTS(threshold=-1.0),
}
# A policy, its measure, and arms for each of the two methods.
OTHER_POLICIES = {
    "BernoulliTS": (rb.BernoulliTS(), rb.Mean(), COINS, SIX_COINS),
    "BCVTS": (rb.BCVTS(), rb.CVaR(0.2), BETA, SIX_BETA),
    "CVaRUCB": (rb.CVaRUCB(), rb.CVaR(0.2), BETA, SIX_BETA),
    "MCVTS": (rb.MCVTS([0.0, 1.0, 2.0]), rb.CVaR(0.4), MARKS, MARKS),
    "MaRaB": (rb.MaRaB(), rb.CVaR(0.2), BETA, SIX_BETA),
    "UUCB": (rb.UUCB(), rb.CVaR(0.2), BETA, SIX_BETA),
    "NPTS.anchored": (rb.NPTS.anchored(), rb.CVaR(0.2), BETA, SIX_BETA),
    "RAUCB": (rb.RAUCB(), rb.Entropic(1.5), BETA, SIX_BETA),
    "SRTS": (rb.SRTS(), rb.Sharpe(0.5, 2.0), FOUR, SIX),
    "SharpeUCB": (rb.SharpeUCB(), rb.Sharpe(0.5, 2.0), FOUR, SIX),
    "ModifiedGRAUCB": (rb.ModifiedGRAUCB(), rb.Sharpe.squared(), BETA, SIX_BETA),
    "UCBRSSR": (rb.UCBRSSR(), rb.Sharpe.squared(), BETA, SIX_BETA),
}
HISTORIES = (
    "NPTS",
    "NPTS.anchored",
    "NPTS.anchor_free",
    "BCVTS",
    "CVaRUCB",
    "MaRaB",
    "UUCB",
    "RobustUCB.truncated",
    "RobustUCB.median_of_means",
)  # slow in long runs
QUICK = ("SwitchingAware", "MVTS", "NGTS", "MVLCB", "BMVTS", "NPTS", "NPTS.anchor_free", "UCB1", "Restarting.gaussian")


def add_policies() -> None:
    """Add every policy and preset, by "plain" and by the method that "auto" finds for long runs of six arms."""
    tables = [
        ("gaussian", GAUSSIAN_POLICIES, MEAN_VARIANCE, FOUR, SIX),
        ("coins", COIN_POLICIES, MEAN_VARIANCE, COINS, SIX_COINS),
        ("mean", MEAN_POLICIES, rb.Mean(), FOUR, SIX),
    ]
    rows = [(kind, name, policy, *rest) for kind, policies, *rest in tables for name, policy in policies.items()]
    rows += [("other", name, *row) for name, row in OTHER_POLICIES.items()]
    for kind, name, policy, risk, few, more in rows:
        equal = any(few is one for one in (COINS, MARKS))
        quick = name in QUICK
        simulation(f"plain {kind} {name}", rb.Problem(few, risk), policy, equal=equal, quick=quick)
        long = 1200 if name in HISTORIES else 20_000
        simulation(f"auto {kind} {name}", rb.Problem(more, risk), policy, "auto", long, equal=equal, quick=quick)


def add_rhos() -> None:
    """Add the paper's arms at several rho, by "plain", "walk" and "auto"."""
    policies = {
        "MVTS": rb.MVTS(),
        "NGTS": rb.NGTS(),
        "SwitchingAware": rb.SwitchingAware(),
        "MTS": rb.MTS(),
        "VTS": rb.VTS(),
        "MVLCB": rb.MVLCB(),
    }
    for name, policy in policies.items():
        for rho in (0.0, 0.01, 1.0, 10.0, 1000.0):
            problem = rb.problems.zhu_tan_gaussian(rho)
            simulation(f"auto zhu-tan rho={rho:g} {name}", problem, policy, "auto", 40_000, quick=rho == 1.0)
        simulation(f"auto zhu-tan rho=1 short {name}", rb.problems.zhu_tan_gaussian(1.0), policy, "auto", 3000)
        simulation(f"plain zhu-tan rho=1 {name}", rb.problems.zhu_tan_gaussian(1.0), policy, "plain", 1000)
    for name in ("MVTS", "NGTS", "SwitchingAware"):
        simulation(f"walk zhu-tan rho=1 {name}", rb.problems.zhu_tan_gaussian(1.0), policies[name], "walk", 40_000)
    for name, policy in {"BMVTS": rb.BMVTS(), "SwitchingAware": rb.SwitchingAware.bernoulli()}.items():
        for rho in (0.0, 1.0 / 3.0, 1.0, 5.0):
            problem = rb.problems.zhu_tan_bernoulli(rho)
            simulation(f"auto zhu-tan coins rho={rho:.2g} {name}", problem, policy, "auto", 20_000, equal=True)
        simulation(f"plain zhu-tan coins {name}", rb.problems.zhu_tan_bernoulli(0.5), policy, "plain", 1000, equal=True)
    for name in ("MVTS", "NGTS", "SwitchingAware"):
        problem = rb.problems.zhu_tan_gaussian(1.0)
        simulation(f"a million steps {name}", problem, policies[name], "auto", 10**6, 2, quick=name != "SwitchingAware")
    simulation("a million steps BMVTS", rb.problems.zhu_tan_bernoulli(0.5), rb.BMVTS(), "auto", 10**6, 2, equal=True)


def add_drift() -> None:
    """Add arms that change, and policies that forget."""
    first, second = rb.GaussianArms([0.2, 0.5, 1.0], [0.1, 0.4, 0.9]), rb.GaussianArms([1.0, 0.1, 0.3], [0.2, 0.6, 0.2])
    pieces = rb.PiecewiseArms([(1, first), (401, second), (701, first)])
    coins = rb.PiecewiseArms([(1, rb.BernoulliArms([0.2, 0.5, 0.8])), (501, rb.BernoulliArms([0.9, 0.4, 0.1]))])
    walk = rb.WalkingArms.random([0.1, 0.5, 0.9], [0.1, 0.3, 0.5], steps=1000, every=50, seed=3)
    bases = {"NGTS": rb.NGTS(), "MVTS": rb.MVTS(), "SwitchingAware": rb.SwitchingAware()}
    for name, base in bases.items():
        wrapped = {
            f"Discounted {name}": rb.Discounted(base, half_life=100.0),
            f"Restarting {name}": rb.Restarting(base, every=200.0),
            f"Restarting together {name}": rb.Restarting(base, alarm=0.2, every=100.0, together=True),
        }
        for label, policy in {name: base, **wrapped}.items():
            simulation(f"pieces {label}", rb.Problem(pieces, MEAN_VARIANCE), policy, "auto", 1000, quick=name == "NGTS")
            simulation(f"walking {label}", rb.Problem(walk, MEAN_VARIANCE), policy, "plain", 1000)
            if policy is not base:
                simulation(f"resting {label}", rb.Problem(SIX, MEAN_VARIANCE), policy, "auto", 20_000)
    for label, policy in {
        "Discounted": rb.Discounted.bernoulli(100.0),
        "Restarting": rb.Restarting.bernoulli(),
    }.items():
        simulation(f"coins in pieces {label}", rb.Problem(coins, MEAN_VARIANCE), policy, "auto", 1000, equal=True)


MEASURES = {
    "CVaR": rb.CVaR(0.2),
    "Entropic": rb.Entropic(1.5),
    "LargestVariance": rb.LargestVariance(),
    "Mean": rb.Mean(),
    "MeanCVaR": rb.MeanCVaR(1.0, 0.5, 0.2),
    "MeanVariance": rb.MeanVariance(0.5),
    "Semivariance": rb.Semivariance(0.5),
    "Sharpe": rb.Sharpe(0.5, 2.0),
    "Sharpe.squared": rb.Sharpe.squared(),
    "ValueAtRisk": rb.ValueAtRisk(0.2),
    "Variance": rb.Variance(),
    "VarianceConstrained": rb.VarianceConstrained(0.4),
}


def add_measures() -> None:
    """Add every risk measure with a parametric and a nonparametric policy, and some on 0/1 rewards."""
    for name, risk in MEASURES.items():
        simulation(f"measure {name} MVTS", rb.Problem(FOUR, risk), rb.MVTS(), quick=name in ("CVaR", "Entropic"))
        simulation(f"measure {name} NPTS", rb.Problem(FOUR, risk), rb.NPTS.anchor_free(), horizon=300)
    for name in ("CVaR", "Entropic", "MeanVariance", "Sharpe"):
        simulation(f"measure {name} MVTS auto", rb.Problem(SIX, MEASURES[name]), rb.MVTS(), "auto", 3000)
        simulation(f"measure {name} BMVTS", rb.Problem(COINS, MEASURES[name]), rb.BMVTS(), equal=True)


def add_families() -> None:
    """Add every family of arms, and arms that pay equal rewards."""
    families = {
        "Bernoulli": (COINS, True),
        "Beta": (BETA, False),
        "CorrelatedGaussian": (rb.CorrelatedGaussianArms([0.1, 0.5], [[0.2, 0.1], [0.1, 0.5]]), False),
        "Data": (MARKS, True),
        "Data in blocks": (MARKS._replace(block=2.0), True),
        "Exponential": (rb.ExponentialArms([0.2, 0.5, 0.9]), False),
        "Gaussian": (FOUR, False),
        "Gaussian without noise": (rb.GaussianArms([0.1, 0.5, 0.9], [0.0, 0.0, 0.3]), True),
        "GaussianMixture": (
            rb.GaussianMixtureArms([[0.5, 0.5], [0.2, 0.8]], [[0.0, 1.0], [0.2, 0.7]], [[0.1, 0.3], [0.2, 0.1]]),
            False,
        ),
        "hurdle": (
            rb.GaussianMixtureArms([[0.7, 0.3], [0.5, 0.5]], [[0.0, 2.0], [0.0, 1.5]], [[0.0, 0.3], [0.0, 0.2]]),
            True,
        ),
        "Lognormal": (rb.LognormalArms([-1.0, -0.5], [0.5, 0.4]), False),
        "Poisson": (rb.PoissonArms([0.5, 1.0, 2.0]), True),
        "StudentT": (rb.StudentTArms([0.1, 0.5], [0.5, 0.6], [5.0, 8.0]), False),
        "TruncatedGaussian": (rb.TruncatedGaussianArms([0.1, 0.5], [0.5, 0.6], [0.0, 0.0], [1.0, 1.0]), False),
        "TruncatedGaussianMixture": (
            rb.TruncatedGaussianMixtureArms(
                [[0.5, 0.5], [0.2, 0.8]], [[0.1, 0.8], [0.2, 0.7]], [[0.1, 0.3], [0.2, 0.1]], [0.0, 0.0], [1.0, 1.0]
            ),
            False,
        ),
        "Uniform": (rb.UniformArms([0.0, -0.5, 0.2], [1.0, 2.0, 0.7]), False),
    }
    for name, (arms, equal) in families.items():
        problem = rb.Problem(arms, MEAN_VARIANCE)
        simulation(f"arms {name} NGTS", problem, rb.NGTS(), equal=equal, quick=name in ("hurdle", "Uniform"))
        if name in (
            "Bernoulli",
            "CorrelatedGaussian",
            "Data",
            "Gaussian without noise",
            "hurdle",
            "Poisson",
            "Uniform",
        ):
            simulation(f"arms {name} SwitchingAware auto", problem, rb.SwitchingAware(), "auto", 9000, equal=equal)


DELAYS = {
    "fixed 0": rb.Delay.fixed(0),
    "fixed 25": rb.Delay.fixed(25),
    "geometric 30": rb.Delay.geometric(mean=30),
    "geometric in order": rb.Delay.geometric(mean=30, in_order=True),
    "recorded": rb.Delay.recorded([0, 3, 3, 40, 250]),
    "beyond the end": rb.Delay.recorded([2, 10, 100_000]),
    "nearly all": rb.Delay.fixed(590),
}


def add_delays() -> None:
    """Add rewards that are late, or later than the last step."""
    policies = {
        "NGTS": (rb.NGTS(), FOUR, MEAN_VARIANCE),
        "MVTS": (rb.MVTS(), FOUR, MEAN_VARIANCE),
        "SwitchingAware": (rb.SwitchingAware(), FOUR, MEAN_VARIANCE),
        "MVLCB": (rb.MVLCB(), FOUR, MEAN_VARIANCE),
        "Discounted": (rb.Discounted(half_life=200.0), FOUR, MEAN_VARIANCE),
        "Restarting": (rb.Restarting(every=200.0), FOUR, MEAN_VARIANCE),
        "NPTS": (rb.NPTS.anchor_free(), FOUR, MEAN_VARIANCE),
        "BCVTS": (rb.BCVTS(), BETA, rb.CVaR(0.2)),
        "MaRaB": (rb.MaRaB(), BETA, rb.CVaR(0.2)),
        "CVaRUCB": (rb.CVaRUCB(), BETA, rb.CVaR(0.2)),
        "BMVTS": (rb.BMVTS(), COINS, MEAN_VARIANCE),
    }
    for name, (policy, arms, risk) in policies.items():
        for late, delay in DELAYS.items():
            for method in ("plain", "auto"):
                quick = method == "auto" and (name, late) in (("NGTS", "geometric 30"), ("NPTS", "fixed 25"))
                label, equal = f"delay {late} {method} {name}", arms is COINS
                simulation(label, rb.Problem(arms, risk), policy, method, 600, 2, delay, equal=equal, quick=quick)


# Comparisons, sweeps, recorded rewards, identification


def compared(suite: Any, policies: Sequence[Any], horizon: int, method: str, common: bool, workers: int) -> Arrays:
    """Policies on the problems of a suite: regrets at the horizon, per problem, policy and run."""
    options = {"horizon": horizon, "runs": 4, "seed": 7, "method": method, "common_rewards": common}
    found = rb.compare(suite, policies, workers=workers, progress=False, **options)
    return [found.runs().select_dtypes("number").to_numpy(dtype=float)]


def swept(method: str, workers: int) -> Arrays:
    """Two policies over several rho."""
    rhos = [0.01, 1.0, 100.0]
    policies = [rb.SwitchingAware(), rb.MVTS()]
    options = {"horizon": 2000, "runs": 3, "seed": 7, "method": method, "workers": workers, "progress": False}
    found = rb.sweep(rb.problems.zhu_tan_gaussian, rhos, policies, checkpoints=[100, 1000, 2000], **options)
    return [array for rho in rhos for array in played(found.at(rho))]


def replayed(policy: Any, risk: Any, rounded: bool, workers: int) -> Arrays:
    """A policy on a table with gaps."""
    rng = np.random.default_rng(5)
    rewards = rng.normal([0.1, 0.4, 0.6], [0.2, 0.5, 0.9], size=(300, 3))
    rewards = np.round(rewards, 1) if rounded else rewards
    rewards[rng.random((300, 3)) < 0.1] = np.nan
    found = rb.replay(policy, pd.DataFrame(rewards, columns=["a", "b", "c"]), risk, runs=2, seed=7)
    return [found.chosen, found.rewards, found.values.to_numpy(), found.regret]


def identified(problem: rb.Problem, rule: Any, options: dict[str, Any], workers: int) -> Arrays:
    """A rule on a problem."""
    found = rb.identify(problem, rule, runs=20, seed=7, workers=workers, progress=False, **options)
    return [found.chosen, found.correct, found.finished, found.pulls]


def first_example(workers: int) -> Arrays:
    """The first example of the README."""
    arms = rb.GaussianArms(means=[0.1, 0.5, 0.9], variances=[0.05, 0.2, 1.5], names=["bond", "fund", "stock"])
    problem = rb.Problem(arms, rb.MeanVariance(rho=1.0))
    policies = [rb.SwitchingAware(), rb.MVTS(), rb.MVLCB()]
    result = rb.simulate(problem, policies, horizon=2_000, runs=100, seed=7, workers=workers, progress=False)
    shown = result.runs()[["regret", "pseudo_regret", "exact_pseudo_regret", "best_arm_share"]]
    return [*played(result), shown.to_numpy(dtype=float)]


def add_others() -> None:
    """Add what is built on simulations and learners."""
    case("README, first example", first_example, quick=True)
    policies = [rb.SwitchingAware(), rb.NGTS(), rb.MVTS(), rb.MVLCB(), rb.UniformRandom()]
    problems = {"few": rb.Problem(FOUR, MEAN_VARIANCE), "more": rb.Problem(SIX, rb.MeanVariance(0.3))}
    for common in (True, False):
        for method in ("plain", "auto"):
            name = f"compare {'common' if common else 'own'} rewards {method}"
            case(name, compared, problems, policies, 4000, method, common, quick=common and method == "auto")
    coins = [rb.Problem(COINS, MEAN_VARIANCE), rb.Problem(SIX_COINS, MEAN_VARIANCE)]
    case("compare coins", compared, coins, [rb.BMVTS(), rb.SwitchingAware.bernoulli()], 4000, "auto", True, equal=True)
    case("compare suite paper", compared, "paper", [rb.SwitchingAware(), rb.MVTS(), rb.MVLCB()], 1500, "auto", True)
    case("compare suite quick", compared, "quick", [rb.SwitchingAware(), rb.NGTS()], 1000, "auto", True, equal=True)
    case("sweep auto", swept, "auto", quick=True)
    case("sweep plain", swept, "plain")
    for rounded in (False, True):
        kind = "rounded table" if rounded else "table"
        for name in ("SwitchingAware", "NGTS", "MVTS", "MVLCB", "NPTS.anchor_free", "Restarting.gaussian"):
            policy, quick = GAUSSIAN_POLICIES[name], name == "SwitchingAware"
            case(f"replay {kind} {name}", replayed, policy, MEAN_VARIANCE, rounded, equal=rounded, quick=quick)
        case(f"replay {kind} MaRaB", replayed, rb.MaRaB(), rb.CVaR(0.2), rounded, equal=rounded)

    gaussian, uniform = rb.Problem(FOUR, MEAN_VARIANCE), rb.UniformArms([0.0, 0.2, 0.4], [0.5, 0.8, 1.0])
    budget, sure = {"budget": 400}, {"confidence": 0.9, "budget": 30_000}
    case("identify SuccessiveRejects", identified, gaussian, rb.SuccessiveRejects(), budget, quick=True)
    case("identify SequentialHalving", identified, gaussian, rb.SequentialHalving(), budget)
    cvar = gaussian.with_risk(rb.CVaR(0.2))
    case("identify SuccessiveRejects CVaR", identified, cvar, rb.SuccessiveRejects(), budget)
    case("identify TruncatedRejects", identified, cvar, rb.TruncatedRejects(), budget)
    quantiles = gaussian.with_risk(rb.ValueAtRisk(0.3))
    case("identify QuantileElimination", identified, quantiles, rb.QuantileElimination(), sure)
    case("identify MeanVarianceElimination", identified, gaussian, rb.MeanVarianceElimination(), sure)
    bounded, limited = rb.Problem(uniform, MEAN_VARIANCE), rb.Problem(uniform, rb.VarianceConstrained(0.035))
    case("identify MeanVarianceLUCB", identified, bounded, rb.MeanVarianceLUCB(), sure)
    case("identify VALUCB", identified, limited, rb.VALUCB(), sure)
    case("identify coins", identified, rb.Problem(COINS, MEAN_VARIANCE), rb.SuccessiveRejects(), budget, equal=True)


# Learners

ARMS = ["a", "b", "c", "d"]
MEANS, DEVIATIONS = (
    {"a": 0.1, "b": 0.4, "c": 0.6, "d": 0.9, "e": 0.8},
    {"a": 0.2, "b": 0.5, "c": 0.7, "d": 1.2, "e": 0.3},
)


class Market:
    """Where the rewards of a learner's choices come from, and what was chosen."""

    def __init__(self, kind: str) -> None:
        self.kind, self.rng = kind, np.random.default_rng(11)
        self.chosen: list[int] = []

    def reward(self, arm: Any) -> float:
        """The reward of an arm that was chosen."""
        self.chosen.append(ord(arm) - ord("a"))
        if self.kind == "coins":
            return float(self.rng.random() < MEANS[arm])
        if self.kind == "bounded":
            return float(self.rng.beta(4.0 * MEANS[arm], 1.0 / DEVIATIONS[arm]))
        return float(self.rng.normal(MEANS[arm], DEVIATIONS[arm]))


def readings(learner: rb.Learner) -> Arrays:
    """What a learner knows of its arms."""
    columns = ["told", "outstanding", "mean", "variance", "value"]
    return [learner.summary()[columns].to_numpy(dtype=float)]


def asked(policy: Any, risk: Any, kind: str, horizon: int | None, workers: int) -> Arrays:
    """`ask` and `tell`, now and then among some arms only, and with rewards from elsewhere."""
    learner, market = rb.Learner(policy, ARMS, risk, horizon=horizon, seed=3), Market(kind)
    learner.tell(["a", "d", "d"], [1.0, 0.0, 1.0] if kind == "coins" else [0.3, 0.8, 0.6])
    for step in range(300):
        arm = learner.ask(ARMS[step % 3 :] if step % 7 == 3 else None)
        learner.tell(arm, market.reward(arm))
    return [market.chosen, *readings(learner)]


def decided(policy: Any, risk: Any, kind: str, horizon: int | None, workers: int) -> Arrays:
    """`decide` and `answer`, late and in another order, with arms that come and go, and a file in between."""
    learner, market = rb.Learner(policy, ARMS, risk, horizon=horizon, seed=4), Market(kind)
    clock = np.random.default_rng(12)
    waiting: list[tuple[int, str, float]] = []
    for step in range(160):
        available = ["b", "c", "d"] if step % 9 == 5 else None
        made = learner.decide(3, available=available) if step % 20 == 11 else [learner.decide(available=available)]
        for one in made:
            waiting.append((step + int(clock.integers(0, 12)), one.id, market.reward(one.arm)))
        due = [one for one in waiting if one[0] <= step]
        waiting = [one for one in waiting if one[0] > step]
        for place in clock.permutation(len(due)):
            _, id, reward = due[place]
            learner.answer(id, reward)
            if step % 10 == 0:
                learner.answer(id, reward)  # a second time
        if step == 40:
            learner.retire("a")
        if step == 60:
            learner.add("e")
        if step == 90:
            learner.add("a")
        if step == 100 and waiting:
            learner.forget(waiting.pop(0)[1])
        if step == 120:
            learner = rb.Learner.from_json(learner.to_json())
    learner.answer([id for _, id, _ in waiting[:5]], [reward for _, _, reward in waiting[:5]])
    return [market.chosen, *readings(learner), learner.probabilities(trials=200)["probability"].to_numpy()]


def faded(policy: Any, risk: Any, kind: str, horizon: int | None, workers: int) -> Arrays:
    """Choices of a learner whose evidence fades."""
    learner, market = rb.Learner(policy, ARMS, risk, horizon=horizon, seed=5), Market(kind)
    for step in range(120):
        if step % 30 == 29:
            learner.fade(0.5)
        arm = learner.ask()
        learner.tell(arm, market.reward(arm))
    return [market.chosen, *readings(learner)]


def with_another_goal(policy: Any, risk: Any, goal: Any, workers: int) -> Arrays:
    """Choices of a learner that goes on for another goal."""
    learner, market = rb.Learner(policy, ARMS, risk, seed=6), Market("gaussian")
    for step in range(120):
        if step == 60:
            learner = learner.with_risk(goal)
        one = learner.decide()
        learner.answer(one.id, market.reward(one.arm))
    return [market.chosen, *readings(learner)]


def guarded(policy: Any, propensity: bool, workers: int) -> Arrays:
    """Choices within limits, with a pause."""
    limits = rb.Guarded(policy, least={"a": 0.1}, most={"c": 0.3}, baseline="b")
    learner = rb.Learner(limits, ARMS, MEAN_VARIANCE, horizon=200, seed=8, propensity=propensity)
    market, chances = Market("gaussian"), []
    for step in range(60):
        if step in (30, 40):
            learner.pause() if step == 30 else learner.resume()
        one = learner.decide(available=["a", "c", "d"] if step % 8 == 5 and not 30 <= step < 40 else None)
        learner.answer(one.id, market.reward(one.arm))
        chances.append(np.nan if one.probability is None else one.probability)
    return [market.chosen, chances, *readings(learner)]


def add_learners() -> None:
    """Add live use."""
    policies = {
        **{name: (GAUSSIAN_POLICIES[name], MEAN_VARIANCE, "gaussian") for name in LEARNING},
        "Discounted NGTS": (rb.Discounted(rb.NGTS(), half_life=50.0), MEAN_VARIANCE, "gaussian"),
        "Restarting": (rb.Restarting(every=40.0, alarm=0.2), MEAN_VARIANCE, "gaussian"),
        "NPTS CVaR": (rb.NPTS.anchor_free(), rb.CVaR(0.2), "gaussian"),
        "MaRaB": (rb.MaRaB(), rb.CVaR(0.2), "bounded"),
        "BCVTS": (rb.BCVTS(), rb.CVaR(0.2), "bounded"),
        "BMVTS": (rb.BMVTS(), CLOSE, "coins"),
        "SwitchingAware.bernoulli": (rb.SwitchingAware.bernoulli(), CLOSE, "coins"),
        "NGTS on coins": (rb.NGTS(), CLOSE, "coins"),
    }
    for name, (policy, risk, kind) in policies.items():
        equal, quick = kind == "coins", name in ("SwitchingAware", "NGTS", "NPTS CVaR", "BMVTS")
        for horizon in (None, 400):
            known = "" if horizon is None else " known horizon"
            options = {"equal": equal, "quick": quick and horizon is None}
            case(f"ask {name}{known}", asked, policy, risk, kind, horizon, **options)
            case(f"decide {name}{known}", decided, policy, risk, kind, horizon, **options)
        if name not in CANNOT_FORGET:
            case(f"fade {name}", faded, policy, risk, kind, None, equal=equal, quick=name == "SwitchingAware")
    for name in ("NGTS", "MVTS", "NPTS.anchor_free"):
        policy = GAUSSIAN_POLICIES[name]
        case(f"with_risk {name}", with_another_goal, policy, MEAN_VARIANCE, rb.CVaR(0.3), quick=name == "NGTS")
    case("with_risk SwitchingAware", with_another_goal, rb.SwitchingAware(), MEAN_VARIANCE, rb.MeanVariance(20.0))
    for name in ("SwitchingAware", "NGTS", "MVTS", "MVLCB", "NPTS.anchor_free"):
        policy = GAUSSIAN_POLICIES[name]
        case(f"guarded {name}", guarded, policy, False, quick=name == "NGTS")
        case(f"guarded propensity {name}", guarded, policy, True)


LEARNING = ("SwitchingAware", "NGTS", "MVTS", "MVLCB", "NPTS.anchor_free", "UniformRandom", "SwitchingAware.imed")
CLOSE = rb.MeanVariance(rho=0.02)  # for which the coins "a" and "d" are worth nearly the same
CANNOT_FORGET = ("UniformRandom", "MaRaB", "BCVTS")  # they refuse `fade`

add_policies()
add_rhos()
add_drift()
add_measures()
add_families()
add_delays()
add_others()
add_learners()
