"""Theory, metrics, money and figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import riskbandits as rb
from bad_calls import values as of
from bad_calls.call import Function, Value
from bad_calls.right import GAUSSIAN, MIXED, PROBLEM, value
from riskbandits import inference, metrics, plotting, theory

BERNOULLI = rb.Problem(rb.BernoulliArms([0.25, 0.5]), rb.MeanVariance(0.5))


def rhos() -> list[Any]:
    """A number or a list of numbers >= 0."""
    alone = [
        one
        for one in of.numbers(lambda x: 0.0 <= x <= 1e308, 0.5)
        if one.name not in ("None", "[1]", "array([1.0])", "array(1.0)", "generator", "Series")
    ]
    odd = [[0.5, None], [0.5, "a"], [0.5, np.nan], [0.5, -1.0], [[0.5], [1.0]], [0.5, True], [0.5, 1j], ["0.5"]]
    return [*alone, *(value(f"{one!r}", one) for one in odd), value("right tuple", (0.5, 1.0), [0.5, 1.0])]


def theory_functions() -> Iterator[Function]:
    problems = of.only(of.records(*MIXED[:4], rb.Problem(rb.UniformArms([0.0, 0.5], [1.0, 1.0]), rb.Mean())), 4)
    asymptotic = ("lower_bound", "k_inf", "mvts_rate", "theorem_1", "theorem_2", "theorem_3", "theorem_4")
    for number, name in enumerate(asymptotic):
        right = BERNOULLI if name == "theorem_4" else PROBLEM
        slots = {"rho": of.only(rhos(), 3, number % 3), "problem": of.only(problems, 2, number % 2)}
        yield Function(f"theory.{name}", getattr(theory, name), {"problem": right, "rho": 1.0}, slots)
    for number, name in enumerate(("theorem_s1", "theorem_s2", "theorem_s3", "theorem_s4")):
        right = BERNOULLI if name == "theorem_s4" else PROBLEM
        steps = [
            one for one in of.numbers(lambda x: x > 1.0, 30.0) if one.name not in ("[1]", "generator", "array([1.0])")
        ]
        yield Function(
            f"theory.{name}", getattr(theory, name), {"problem": right, "n": 100}, {"n": of.only(steps, 2, number % 2)}
        )
    for name in ("remark_3_large_rho", "remark_3_small_rho", "lemma_1"):
        yield Function(f"theory.{name}", getattr(theory, name), {"problem": PROBLEM}, {"problem": problems})
    regrets = [
        one
        for one in of.numbers(lambda x: True, 0.5)
        if one.name not in ("array([1.0])", "array(1.0)", "array([[1.0]])", "Series", "3-d", "empty array")
    ]
    yield Function("theory.lemma_1", theory.lemma_1, {"problem": PROBLEM}, {"pseudo_regret": of.only(regrets, 2)})
    wait = {"policy": "VTS", "variance": 0.5, "rho": 1.0, "pulls": 2, "epsilon": 0.1, "steps": 10.0}
    slots = {
        "policy": of.only(of.names(), 2),
        "variance": of.only(of.numbers(lambda x: 0.0 < x <= 10_000.0, 0.5), 4),
        "pulls": of.only(of.wholes(lambda n: 1 <= n < 2**53, 2), 3),
    }
    yield Function("theory.expected_wait", theory.expected_wait, wait, slots)
    slots = {"policy": of.only(of.names(), 2, 1), "problem": of.only(of.fails(), 4)}
    yield Function("theory.lock_share", theory.lock_share, {"policy": "VTS", "problem": PROBLEM}, slots)
    yield Function(
        "theory.best_mixture", theory.best_mixture, {"problem": PROBLEM}, {"problem": of.only(of.fails(), 4, 1)}
    )
    slots = {"problem": of.only(of.fails(), 4, 2), "weights": of.only(of.fails(), 3)}
    yield Function("theory.mixture_value", theory.mixture_value, {"problem": PROBLEM, "weights": [0.5, 0.5]}, slots)
    risks = {"risk": of.only(of.records(rb.MVTS(), GAUSSIAN), 3)}
    yield Function("theory.single_arm_is_best", theory.single_arm_is_best, {"risk": rb.Mean()}, risks)


def metric_functions() -> Iterator[Function]:
    result = rb.simulate(PROBLEM, [rb.UniformRandom()], horizon=12, runs=3, progress=False, method="plain")
    trace = result.traces[0]
    junk = of.only(of.fails(), 4)
    for name in (
        "regret",
        "pseudo_regret",
        "exact_pseudo_regret",
        "best_arm_share",
        "gap_sum",
        "switching_cost",
        "locked",
    ):
        yield Function(f"metrics.{name}", getattr(metrics, name), {"trace": trace}, {"trace": of.only(junk, 3)})
    yield Function(
        "metrics.local_slopes",
        metrics.local_slopes,
        {"traces": [trace]},
        {
            "traces": junk,
            "steps": [one for one in of.only(of.fails(), 3) if one.name != "None"],
            "metric": of.only(of.fails("lambda"), 4),
        },
    )
    returns = of.only(of.fails("empty array", "3-d"), 2)
    fine = [
        one
        for one in returns
        if one.name not in ("[]", "()", "[1]", "array([1.0])", "array([[1.0]])", "array(1.0)", "Series")
    ]
    yield Function("metrics.wealth", metrics.wealth, {"returns": [1.0, 2.0]}, {"returns": fine})
    yield Function("metrics.drawdowns", metrics.drawdowns, {"worth": [1.0, 2.0]}, {"worth": fine[::2]})
    yield Function(
        "metrics.clopper_pearson",
        metrics.clopper_pearson,
        {"successes": 1, "trials": 3},
        {"successes": of.only(of.wholes(lambda n: False), 4), "trials": of.only(of.wholes(lambda n: False), 4, 1)},
    )
    samples = {"above": [1.0, 2.0], "below": [1.0, 3.0]}
    no_samples = {name: of.only(_no_sample(), 3, k) for k, name in enumerate(samples)}
    yield Function("inference.of_means", inference.of_means, samples, no_samples)
    yield Function("inference.of_paired", inference.of_paired, samples, no_samples)
    yield Function("inference.mean_interval", inference.mean_interval, {"sample": [1.0]}, {"sample": _no_sample()})
    table = result.table()
    yield Function(
        "plot_over_time",
        plotting.plot_over_time,
        {"table": table},
        {
            "table": junk,
            "metric": of.only(of.names(), 3),
            "ax": [one for one in of.only(of.fails(), 5) if one.name != "None"],
        },
    )


def _no_sample() -> list[Value]:
    numbers = ("[1]", "array([1.0])", "Series")
    return [one for one in of.only(of.fails(), 2) if one.name not in numbers]


def functions() -> Iterator[Function]:
    """All of them."""
    for some in (theory_functions(), metric_functions()):
        yield from some
