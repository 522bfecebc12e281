"""The functions that run something: simulate, sweep, compare, identify."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import riskbandits as rb
from bad_calls import values as of
from bad_calls.call import Function, Value
from bad_calls.right import (
    MADE,
    MIXED,
    PROBLEM,
    RUN,
    SUITE,
    value,
    without_long,
)
from riskbandits.identification import SuccessiveRejects
from riskbandits.suites import Case, Suite


def lists_of_policies() -> list[Value]:
    """A list, a tuple, a generator, a single policy: these are right. All else is not."""
    right = [rb.MVTS()]
    return [
        *of.fails(),
        *(value(f"[{one.name}]", [one.make()]) for one in (*of.JUNK, *of.TEXTS, *of.NOT_FINITE)),
        value("0", 0),
        value("tuple", tuple(right), right),
        Value("generator of policies", lambda: iter([rb.MVTS()]), right),
        value("policy", rb.MVTS(), right),
        value("object array", _object_array(right), right),
        value("dict of policies", {"MVTS": rb.MVTS()}, right),
        value("dict of numbers to policies", {1: rb.MVTS()}),
        value("dict of numbers", {"a": 1}),
        value("Suite", Suite.of(SUITE)),
        value("Problem", PROBLEM),
        value("class", rb.MVTS),
        value("[class]", [rb.MVTS]),
        value("[None, policy]", [None, rb.MVTS()]),
        value("endless text", "m" * 100_000),
    ]


def _object_array(things: list[Any]) -> np.ndarray:
    array = np.empty(len(things), dtype=object)
    array[:] = things
    return array


def checkpoints() -> list[Value]:
    fine = [12.0, np.int64(3), np.array([3, 12]), (3, 12), pd.Series([3, 12])]
    odd = [
        13,
        0,
        -1,
        2.5,
        2**63,
        10**30,
        10**400,
        "3",
        True,
        np.nan,
        [3, None],
        [[3], [5, 6]],
        [3, "a"],
        [2**63],
        {3: 1},
    ]
    return [
        *(
            one
            for one in of.fails(
                "None",
                "[]",
                "()",
                "set()",
                "empty array",
                "generator",
                "[1]",
                "array([1.0])",
                "array([[1.0]])",
                "array(1.0)",
                "Series",
            )
        ),
        *(value(f"right {one!r}"[:50], one, np.ravel(np.asarray(one)).astype(int).tolist()) for one in fine),
        *(value(f"{one!r}"[:50].replace("0" * 20, ""), one) for one in odd),
        *(value(f"[{one!r}]"[:50].replace("0" * 20, ""), [one]) for one in odd),
    ]


def run_slots(**more: Any) -> dict[str, Any]:
    """The arguments that all functions to a simulation share."""
    return {
        "horizon": without_long(of.wholes(lambda n: False, 12)),
        "runs": of.wholes(lambda n: False, 4),
        "seed": of.wholes(lambda n: n >= 0, 5),
        "workers": [one for one in of.wholes(lambda n: n >= 1, 2) if one.name != "None"],
        "progress": of.flags(),
        "method": of.names(),
        "engine": of.names(),
        "store": [one for one in of.paths() if one.name not in MADE],
        **more,
    }


def simulations() -> Iterator[Function]:
    simulate = functools.partial(rb.simulate)
    slots = run_slots(
        problem=of.records(*MIXED[:4], SUITE),
        policies=lists_of_policies(),
        checkpoints=checkpoints(),
        precision=of.names(),
    )
    yield Function("simulate", simulate, RUN, slots)
    yield Function("simulate", simulate, RUN, {"nonsense": of.only(of.JUNK, 9)})
    late = [*of.fails("None"), value("5", 5), value("12 steps", rb.Delay.fixed(12)), value("class", rb.Delay)]
    late += [value("kind", rb.Delay("weekly", [1.0])), value("steps", rb.Delay("fixed", [0.5]))]
    yield Function("simulate late", simulate, {**RUN, "method": "plain"}, {"delay": late})
    yield Function("Delay.fixed", rb.Delay.fixed, {"steps": 3}, {"steps": of.wholes(lambda n: 0 <= n <= 2**53, 3)})
    means = of.numbers(lambda x: 0.0 < x <= 2**53, 2.5)
    yield Function("Delay.geometric", rb.Delay.geometric, {"mean": 2.5}, {"mean": means, "in_order": of.flags()})
    seen = of.vectors([3.0, 0.0], lambda x: 0.0 <= x <= 2**53 and x == int(x))
    seen = [one for one in seen if one.name not in ("too short", "too long")]  # any number of delays is right
    yield Function("Delay.recorded", rb.Delay.recorded, {"steps": [3, 0]}, {"steps": of.only(seen, 2)})
    compiled = {name: of.only(slots[name], 7, 3) for name in ("horizon", "runs", "seed", "checkpoints", "policies")}
    yield Function("simulate compiled", simulate, RUN, compiled, compiled=True)
    over = {"make_problem": rb.problems.zhu_tan_gaussian, "values": [0.5, 1.0], **RUN}
    del over["problem"]
    fewer = {name: of.only(found, 6, 1) for name, found in run_slots(policies=lists_of_policies()).items()}
    rhos = of.fails(
        "{'a': 1}", "Silent", "[1]", "array([1.0])", "Series", "generator", "masked", "complex array", "structured"
    )
    yield Function(
        "sweep",
        rb.sweep,
        over,
        {
            **fewer,
            "make_problem": [
                *of.fails("lambda"),
                value("lambda", lambda rho: None),
                value("raises", lambda rho: 1 / 0),
            ],
            "values": [
                *rhos,
                *(
                    value(f"[0.5, {one.name}]", [0.5, one.make()])
                    for one in (*of.JUNK, *of.TEXTS, *of.NOT_FINITE, *of.LISTS)
                ),
                value("[0.5, 0.5]", [0.5, 0.5]),
                value("[0.5, -1]", [0.5, -1]),
                value("[0.5, 1e300]", [0.5, 1e300], np.array([0.5, 1e300])),
                value("right array", np.array([0.5, 1.0]), [0.5, 1.0]),
                value("right tuple", (0.5, 1.0), [0.5, 1.0]),
                Value("right generator", lambda: (x for x in (0.5, 1.0)), [0.5, 1.0]),
                value("right Series", pd.Series([0.5, 1.0], index=[0, 0]), [0.5, 1.0]),
            ],
            "name": [
                *of.fails("None", "'abc'", "'1'", "'nan'", "'a\\nb'"),
                value("policy", "policy"),
                value("step", "step"),
            ],
        },
    )
    against = {**RUN, "suite": SUITE}
    del against["problem"]
    yield Function(
        "compare",
        rb.compare,
        against,
        {
            **fewer,
            "suite": [
                *of.fails("lambda"),
                value("[None]", [None]),
                value("{'a': None}", {"a": None}),
                value("{None: problem}", {None: PROBLEM}),
                value("Problem", PROBLEM),
                value("no.json", "no.json"),
                value("Path", pathlib.Path("no.json")),
                value("Suite()", Suite("a", "b", ())),
                value("Suite(None)", Suite("a", "b", None)),
                value("Suite((1,))", Suite("a", "b", (1,))),
                value("Case(None)", Suite("a", "b", (Case("x", "y", None),))),
                value("Case(names)", Suite("a", "b", (Case([], {}, PROBLEM),))),
                value("right Suite", Suite.of(SUITE), SUITE),
            ],
            "common_rewards": of.flags(),
            "costs": of.only(of.flags(), 2),
        },
    )


def identifications() -> Iterator[Function]:
    sure = rb.MeanVarianceElimination()
    right = {"problem": PROBLEM, "rule": SuccessiveRejects(), "budget": 60, "runs": 3, "seed": 1, "progress": False}
    slots = {
        "problem": of.only(of.records(*MIXED[:4]), 3),
        "rule": of.records(*MIXED[:4], SuccessiveRejects),
        "budget": [one for one in without_long(of.wholes(lambda n: False, 60)) if one.name != "None"],
        "confidence": of.only(of.numbers(lambda p: False), 3),
        "runs": of.wholes(lambda n: False, 3),
        "seed": of.only(of.wholes(lambda n: n >= 0, 1), 3),
        "progress": of.only(of.flags(), 3),
    }
    # None is no bad value of these: it is what they are if nothing is said.
    for name in ("confidence", "rule"):
        slots[name] = [one for one in slots[name] if one.name != "None"]
    yield Function("identify", rb.identify, right, slots)
    goal = {**right, "rule": sure, "confidence": 0.75, "budget": 400}
    yield Function("identify sure", rb.identify, goal, {"confidence": of.numbers(lambda p: 0.0 < p < 1.0, 0.5)})
    for rule in (rb.MeanVarianceElimination, rb.QuantileElimination):
        risk = rb.MeanVariance(1.0) if rule is rb.MeanVarianceElimination else rb.ValueAtRisk(0.5)

        def within(within: Any, rule: Any = rule, risk: Any = risk) -> Any:
            return rb.identify(
                PROBLEM.with_risk(risk), rule(within), budget=400, confidence=0.75, runs=2, seed=1, progress=False
            )

        limits = of.only(of.numbers(lambda x: x >= 0.0, 0.5), 2)
        yield Function(rule.__name__, within, {"within": 0.0}, {"within": limits})
    bounded = rb.Problem(rb.BernoulliArms([0.1, 0.5]), rb.VarianceConstrained(0.2))
    for rule in (rb.VALUCB, rb.MeanVarianceLUCB):
        problem = bounded if rule is rb.VALUCB else bounded.with_risk(rb.MeanVariance(1.0))

        def between(low: Any, high: Any, rule: Any = rule, problem: Any = problem) -> Any:
            made = rule(low=low, high=high)
            return rb.identify(problem, made, budget=400, confidence=0.75, runs=2, seed=1, progress=False)

        slots = {"low": of.numbers(lambda x: x <= 0.0, -0.5), "high": of.numbers(lambda x: x >= 1.0, 2.0)}
        yield Function(rule.__name__, between, {"low": 0.0, "high": 1.0}, {k: of.only(v, 2) for k, v in slots.items()})


def tables() -> Iterator[Function]:
    arms = rb.CorrelatedGaussianArms([0.0, 0.5], [[1.0, 0.5], [0.5, 2.0]])
    slots = {"steps": of.wholes(lambda n: 0 < n < 1000, 7), "seed": of.wholes(lambda n: n >= 0, 1)}
    yield Function("CorrelatedGaussianArms.table", arms.table, {"steps": 7, "seed": 1}, slots)

    def truncated(growth: Any = 0.5, scale: Any = 1.0) -> Any:
        rule = rb.TruncatedRejects(growth, scale)
        return rb.identify(PROBLEM.with_risk(rb.Mean()), rule, budget=60, runs=2, seed=1, progress=False)

    growths = of.only(of.numbers(lambda x: 0.0 <= x <= 1.0, 0.5), 2)
    scales = of.only(of.numbers(lambda x: x > 0.0, 1.0), 2)
    yield Function("TruncatedRejects", truncated, {}, {"growth": growths, "scale": scales})
    for rule, goal in ((rb.MomentRejects, {}), (rb.TruncatedElimination, {"confidence": 0.75})):

        def moment(order: Any = 2.0, bound: Any = 1.0, rule: Any = rule, goal: Any = goal) -> Any:
            problem = PROBLEM.with_risk(rb.Mean())
            return rb.identify(problem, rule(order, bound), budget=60, runs=2, seed=1, progress=False, **goal)

        orders = of.only(of.numbers(lambda x: 1.0 < x <= 2.0, 1.5), 2)
        yield Function(rule.__name__, moment, {}, {"order": orders, "bound": scales})


def functions() -> Iterator[Function]:
    """All of them."""
    yield from tables()
    yield from simulations()
    yield from identifications()
