"""The doors that run or read something: simulate, sweep, compare, identify, the learner, files."""

from __future__ import annotations

import functools
import os
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import riskbandits as rb
from bad_calls import values as of
from bad_calls.call import Call, Door, Value, calls_of
from riskbandits import testing
from riskbandits.arms.recorded import split
from riskbandits.comparison import Comparison
from riskbandits.identification import SuccessiveRejects
from riskbandits.suites import Case, Suite, draw, find, named, read_suite
from riskbandits.theory import lower_bound

GAUSSIAN = rb.GaussianArms([0.0, 0.5, 1.0], [1.0, 0.5, 2.0])
PROBLEM = rb.Problem(GAUSSIAN, rb.MeanVariance(1.0))
RUN = {"problem": PROBLEM, "policies": [rb.MVTS()], "horizon": 12, "runs": 4, "progress": False}
LIVE = {"policy": rb.MVTS(), "arms": ["a", "b"], "risk": rb.MeanVariance(1.0), "horizon": 100, "seed": 0}
SUITE = {"one": PROBLEM, "two": PROBLEM.with_risk(rb.MeanVariance(2.0))}
MIXED = [rb.MVTS, rb.MeanVariance(1.0), rb.GaussianArms, GAUSSIAN, PROBLEM]
MADE = ("None", "'abc'", "'1'", "'nan'", "'a\\nb'", "folder", "'no/such/folder/x'")  # folders that a store may be
NOT_POLICIES = [rb.MVTS, rb.MeanVariance(1.0), GAUSSIAN, PROBLEM, SuccessiveRejects()]
NOT_RISKS = [rb.MeanVariance, rb.MVTS(), GAUSSIAN, PROBLEM]
NOT_ARMS = [rb.GaussianArms, rb.MVTS(), rb.MeanVariance(1.0), PROBLEM]


def value(name: str, thing: Any, plain: Any = of.NOTHING) -> Value:
    return Value(name, lambda: thing, plain)


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
        value("dict of policies", {"a": rb.MVTS()}),
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


def without_long(values: list[Value]) -> list[Value]:
    """Without a number of steps that could be meant, and takes its time."""
    return [one for one in values if not one.name.startswith("2.15e+09")]


def run_slots(**more: Any) -> dict[str, Any]:
    """The arguments that all doors to a simulation share."""
    return {
        "horizon": without_long(of.wholes(lambda n: False, 12)),
        "runs": of.wholes(lambda n: False, 4),
        "seed": of.wholes(lambda n: n >= 0, 5),
        "threads": [one for one in of.wholes(lambda n: n >= 1, 2) if one.name != "None"],
        "progress": of.flags(),
        "method": of.names(),
        "engine": of.names(),
        "store": [one for one in of.paths() if one.name not in MADE],
        **more,
    }


def simulations() -> Iterator[Door]:
    simulate = functools.partial(rb.simulate)
    slots = run_slots(
        problem=of.records(*MIXED[:4], SUITE),
        policies=lists_of_policies(),
        checkpoints=checkpoints(),
        precision=of.names(),
    )
    yield Door("simulate", simulate, RUN, slots)
    yield Door("simulate", simulate, RUN, {"nonsense": of.only(of.JUNK, 9)})
    compiled = {name: of.only(slots[name], 7, 3) for name in ("horizon", "runs", "seed", "checkpoints", "policies")}
    yield Door("simulate compiled", simulate, RUN, compiled, compiled=True)
    over = {"problem_for_rho": rb.problems.zhu_tan_gaussian, "rhos": [0.5, 1.0], **RUN}
    del over["problem"]
    fewer = {name: of.only(found, 6, 1) for name, found in run_slots(policies=lists_of_policies()).items()}
    rhos = of.fails(
        "{'a': 1}", "Silent", "[1]", "array([1.0])", "Series", "generator", "masked", "complex array", "structured"
    )
    yield Door(
        "sweep",
        rb.sweep,
        over,
        {
            **fewer,
            "problem_for_rho": [
                *of.fails("lambda"),
                value("lambda", lambda rho: None),
                value("raises", lambda rho: 1 / 0),
            ],
            "rhos": [
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
    yield Door(
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


def identifications() -> Iterator[Door]:
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
    slots["confidence"] = [one for one in slots["confidence"] if one.name != "None"]
    yield Door("identify", rb.identify, right, slots)
    goal = {**right, "rule": sure, "confidence": 0.75, "budget": 400}
    yield Door("identify sure", rb.identify, goal, {"confidence": of.numbers(lambda p: 0.0 < p < 1.0, 0.5)})
    for rule in (rb.MeanVarianceElimination, rb.QuantileElimination):
        risk = rb.MeanVariance(1.0) if rule is rb.MeanVarianceElimination else rb.ValueAtRisk(0.5)

        def within(within: Any, rule: Any = rule, risk: Any = risk) -> Any:
            return rb.identify(PROBLEM.with_risk(risk), rule(within), 400, 0.75, 2, 1, False)

        limits = of.only(of.numbers(lambda x: x >= 0.0, 0.5), 2)
        yield Door(rule.__name__, within, {"within": 0.0}, {"within": limits})


def told(learner: Any, arm: Any, reward: Any) -> Any:
    learner.tell(arm, reward)
    return learner


def after(method: str, *args: Any) -> Any:
    """The learner after a method was called with arguments."""

    def call(first: Any, second: Any = None) -> Any:
        learner = rb.Learner(**LIVE)
        for arm in ("a", "b", "a"):
            learner.tell(arm, 1.0)
        found = getattr(learner, method)(*([first] if second is None else [first, second]))
        return [found if not isinstance(found, pathlib.Path) else None, learner]

    return call


def learners() -> Iterator[Door]:
    arms = [
        *of.fails("[1]", "array([[1.0]])", "generator", "texts", "{'a': 1}", "NaN frame"),
        value("columns", pd.DataFrame({"a": [1], "b": [2]}, index=[0]), ["a", "b"]),
        *(value(f"['a', {one.name}]", ["a", one.make()]) for one in (*of.JUNK, *of.NOT_FINITE, *of.BOOLS, *of.LISTS)),
        *(value(f"{n:.3g}", n) for n in (0, -1, 2**63, 10**30, 10**9, 10**12)),
        value("2.5", 2.5),
        value("['a', 'a']", ["a", "a"]),
        value("['a', '']", ["a", ""]),
        value("right tuple", ("a", "b"), ["a", "b"]),
        value("right array", np.array(["a", "b"]), ["a", "b"]),
        value("right range", range(2), 2),
        value("right np.int64", np.int64(2), 2),
        Value("right generator", lambda: iter("ab"), ["a", "b"]),
    ]
    slots = {
        "policy": of.records(*NOT_POLICIES),
        "arms": arms,
        "risk": of.records(*NOT_RISKS),
        "horizon": [one for one in of.wholes(lambda n: n >= 1 and n < 2**53, 100) if one.name != "None"],
        "seed": [
            *of.wholes(lambda n: n >= 0, 5),
            value("Philox", np.random.Generator(np.random.Philox(1))),
            value("RandomState", np.random.RandomState(1)),
            value("module", np.random),
        ],
    }
    yield Door("Learner", rb.Learner, LIVE, slots)
    yield Door("Learner compiled", rb.Learner, LIVE, {name: of.only(found, 9) for name, found in slots.items()}, True)
    odd_arms = [
        *of.fails("[]", "()", "set()", "empty array", "{'a': 1}", "texts", "NaN frame"),
        value("right texts", np.array(["a", "b"]), ["a", "b"]),
        *(value(repr(x)[:30], x) for x in (0, 1, 1.0, 2.5, -1, 10**30, "c", ["a", "c"], ["a", None], [["a"]])),
    ]
    rewards = of.numbers(lambda x: abs(x) < 1.3e154, 0.5)
    flag = [value("True", True, 1.0), value("np.True_", np.True_, 1.0), value("False", False, 0.0)]
    rewards = [one for one in rewards if one.name not in ("True", "False", "np.True_")] + flag
    yield Door(
        "tell",
        after("tell"),
        {"first": "a", "second": 1.0},
        {"first": odd_arms, "second": [one for one in rewards if one.name != "None"]},
    )
    batches = [
        value("right tuple", (1.0, 2.0), [1.0, 2.0]),
        value("right array", np.array([1.0, 2.0]), [1.0, 2.0]),
        value("right Series", pd.Series([1.0, 2.0], index=[0, 0]), [1.0, 2.0]),
        *(value(f"[1.0, {one.name}]", [1.0, one.make()]) for one in (*of.JUNK, *of.TEXTS, *of.NOT_FINITE, *of.LISTS)),
        *(one for one in of.fails("masked") if one.name not in ("None", "generator")),
        value("masked", np.ma.masked_array([1.0, 2.0], mask=[True, False])),
        value("[1.0]", [1.0]),
        value("2-d", [[1.0], [2.0]]),
        value("{}", {1.0, 2.0}),
        value("dict", {1.0: 1, 2.0: 2}),
    ]
    yield Door("tell both", after("tell"), {"first": ["a", "b"], "second": [1.0, 2.0]}, {"second": batches})
    available = [one for one in odd_arms if one.name != "None"]
    yield Door(
        "ask",
        after("ask"),
        {"first": ["a", "b"]},
        {
            "first": [
                *available,
                value("right tuple", ("a", "b"), ["a", "b"]),
                value("right array", np.array(["a", "b"]), ["a", "b"]),
            ]
        },
    )
    yield Door("forget", after("forget"), {"first": "a"}, {"first": of.only(odd_arms, 3)})
    yield Door("retire", after("retire"), {"first": "a"}, {"first": of.only(odd_arms, 3, 1)})
    taken = [
        one
        for one in odd_arms
        if one.name not in ("'abc'", "'1'", "'nan'", "'a\\nb'", "'\\x00'", "'\\ud800'", "'c'", "0", "1", "-1")
    ]
    yield Door("add", after("add"), {"first": "c"}, {"first": of.only([one for one in taken if len(one.name) < 25], 2)})
    named_files = ("'abc'", "'1'", "'nan'", "'a\\nb'")
    yield Door(
        "save", after("save"), {"first": "x"}, {"first": [one for one in of.paths() if one.name not in named_files]}
    )


def file_doors(folder: str) -> Iterator[Door]:
    """What reads and writes files; `folder` holds some that were written in the right way."""
    result, live = os.path.join(folder, "result.parquet"), os.path.join(folder, "learner.json")
    others = {name: os.path.join(folder, name) for name in sorted(os.listdir(folder))}
    wrong = [value(name, path) for name, path in others.items()]
    classes = of.only(
        [
            *of.fails("None", "[]", "()", "set()", "empty array", "{}"),
            value("[1]", [1]),
            value("[None]", [None]),
            value("0", 0),
        ],
        2,
    )
    doors: list[tuple[str, Any, str]] = [
        ("load", rb.load, "result.parquet"),
        ("Learner.load", rb.Learner.load, "learner.json"),
        ("Comparison.load", Comparison.load, "comparison.parquet"),
        ("read_suite", read_suite, "suite.json"),
        ("DataArms.from_file", rb.DataArms.from_file, "data.csv"),
    ]
    for name, call, right in doors:
        kept = [one for one in wrong if one.name != right and not (right == "data.csv" and one.name == "data.parquet")]
        same = [value("right Path", pathlib.Path(others[right]), others[right])]
        yield Door(name, call, {"path": others[right]}, {"path": [*of.paths(), *kept, *same]})
        if name in ("load", "Comparison.load", "read_suite"):
            yield Door(name, call, {"path": others[right]}, {"classes": classes})
    yield Door(
        "Learner.load",
        rb.Learner.load,
        {"path": live},
        {"policy": of.only(of.records(rb.UCB1(), 3)[1:], 2), "risk": of.only(of.records(rb.Mean(), 3)[1:], 2)},
    )
    found = rb.load(result)
    targets = [one for one in of.paths() if one.name not in ("'abc'", "'1'", "'nan'", "'a\\nb'")]
    yield Door("Result.save", found.save, {"path": "x.parquet"}, {"path": targets})
    yield Door("Suite.save", Suite.of(SUITE).save, {"path": "x.json"}, {"path": of.only(targets, 2)})
    yield Door(
        "Comparison.save",
        Comparison.load(others["comparison.parquet"]).save,
        {"path": "x.parquet"},
        {"path": of.only(of.paths(), 2, 1)},
    )
    words = of.names()
    for method in ("trace", "pulls"):
        yield Door(f"Result.{method}", getattr(found, method), {"label": "MVTS"}, {"label": of.only(words, 2)})
    yield Door(
        "Result.plot",
        found.plot,
        {"metric": "regret"},
        {"metric": words, "ax": [one for one in of.fails() if one.name != "None"]},
    )
    against = Comparison.load(others["comparison.parquet"])
    yield Door(
        "Comparison.plot",
        against.plot,
        {"kind": "families"},
        {"kind": words, "ax": [one for one in of.only(of.fails(), 2) if one.name != "None"]},
    )
    yield Door(
        "Comparison.paired",
        against.paired,
        {"a": "MVTS", "b": "UCB"},
        {"a": of.only(words, 3), "b": of.only(words, 3, 1)},
    )
    yield Door(
        "Comparison.only",
        against.only,
        {"keep": bool},
        {"keep": [*of.only(of.fails("lambda", "int"), 2), value("raises", lambda case: 1 / 0)]},
    )


def small_doors() -> Iterator[Door]:
    """Named things, tables of rewards, the kits."""
    names = of.names()
    yield Door("suites.named", named, {"name": "paper"}, {"name": names})
    yield Door("suites.find", find, {"suite": "paper"}, {"suite": of.only(names, 2)})
    yield Door("problems.named", rb.problems.named, {"name": "zhu-tan-gaussian"}, {"name": [*names, value("0", 0)]})
    for problem in (rb.problems.zhu_tan_gaussian, rb.problems.zhu_tan_bernoulli):
        yield Door(problem.__name__, problem, {"rho": 1.0}, {"rho": of.numbers(lambda x: 0.0 <= x <= 1e308, 0.5)})
    slots = {"family": names, "arms": of.wholes(lambda n: False, 3), "number": of.wholes(lambda n: False, 3)}
    slots = {
        name: [
            one
            for one in found
            if not one.name.startswith(("2.15e+09", "9.01e+15", "9.22e+18", "1.84e+19", "1e+18", "1e+30", "10**400"))
        ]
        if name == "number"
        else found
        for name, found in slots.items()
    }
    slots["number"] = [one._replace(plain=0) if one.name == "0:int" else one for one in slots["number"]]
    yield Door("suites.draw", draw, {"family": "uniform", "arms": 2, "number": 1}, slots)
    yield Door(
        "Suite.of",
        Suite.of,
        {"problems": SUITE},
        {
            "problems": [*of.fails("lambda"), value("Problem", PROBLEM), value("policy", rb.MVTS())],
            "name": [
                one for one in of.only(of.fails(), 2) if one.name not in ("'abc'", "'1'", "'nan'", "'a\\nb'", "''")
            ],
        },
    )
    yield Door(
        "Suite.from_data", Suite.from_data, {"data": Suite.of(SUITE).to_data()}, {"data": [*of.fails(), *_bad_suites()]}
    )
    good = pd.DataFrame({"a": [1.0, 2.0], "b": [0.5, 0.0]})
    tables = [
        *of.fails("NaN frame"),
        value("two names", pd.DataFrame([[1.0, 2.0]], columns=["a", "a"])),
        value("text", good.assign(a=["x", "y"])),
        value("inf", good.assign(a=[1.0, np.inf])),
        value("all NaN", good.assign(a=[np.nan, np.nan])),
        value("complex", good.assign(a=[1j, 2.0])),
        value("objects", good.assign(a=[object(), 2.0])),
        value("no rows", good.iloc[:0]),
        value("right booleans", good.assign(a=[True, False]), good.assign(a=[1.0, 0.0])),
        value("timedeltas", good.assign(a=pd.to_timedelta([1, 2], unit="s"))),
        value("intervals", good.assign(a=pd.arrays.IntervalArray.from_breaks([0, 1, 2]))),
        value("categories", good.assign(a=pd.Categorical(["u", "v"]))),
        value("huge", good.assign(a=[1e300, 1.0])),
        value("Decimals as they are", good.astype(object), good),
        value("right float32", good.astype("float32"), good),
        value("right Float64", good.convert_dtypes(), good),
    ]
    yield Door(
        "DataArms.from_table",
        lambda table, block=1.0: rb.Problem(rb.DataArms.from_table(table, block), rb.Mean()),
        {"table": good},
        {"table": tables, "block": of.numbers(lambda x: x >= 1.0, 2.0)},
    )
    fewer = [one for one in of.only(tables, 3) if one.name != "huge"]
    yield Door("recorded.split", split, {"table": good}, {"table": fewer})
    yield Door(
        "check_policy",
        testing.check_policy,
        {"policy": rb.UniformRandom()},
        {
            "policy": of.records(*NOT_POLICIES),
            "problem": of.only([one for one in of.fails() if one.name != "None"], 2),
            "horizon": of.only(without_long(of.wholes(lambda n: False, 20)), 2),
            "seed": of.only(of.wholes(lambda n: n >= 0, 2), 3),
        },
    )
    yield Door("check_risk", testing.check_risk, {"risk": rb.Mean()}, {"risk": of.only(of.records(*NOT_RISKS), 2)})
    yield Door("check_arms", testing.check_arms, {"arms": GAUSSIAN}, {"arms": of.only(of.records(*NOT_ARMS), 2, 1)})
    yield Door(
        "Problem",
        rb.Problem,
        {"arms": GAUSSIAN, "risk": rb.Mean()},
        {"arms": of.records(*NOT_ARMS), "risk": of.records(*NOT_RISKS)},
    )
    yield Door(
        "Problem.with_risk", PROBLEM.with_risk, {"risk": rb.Mean()}, {"risk": of.only(of.records(*NOT_RISKS), 3)}
    )
    yield Door("lower_bound of", lower_bound, {"problem": PROBLEM}, {"problem": of.only(of.records(*MIXED[:4]), 2)})


def _bad_suites() -> Iterator[Value]:
    entry = {"name": "a", "means": [0, 1], "variances": [1, 1], "rho": 1}
    for key, bad in (
        ("means", None),
        ("means", []),
        ("means", "ab"),
        ("means", [0, "a"]),
        ("means", [0, None]),
        ("variances", [1, -1]),
        ("variances", [1]),
        ("rho", None),
        ("rho", -1),
        ("rho", "1"),
        ("rho", [1]),
        ("rho", 10**400),
        ("nonsense", 1),
        ("name", None),
        ("name", []),
    ):
        yield value(
            f"{key}={bad!r}"[:40],
            {"problems": [{**entry, key: bad}]},
            {"problems": [{**entry, "name": str(bad)}]} if key == "name" else of.NOTHING,
        )
    full = Suite.of(SUITE).to_data()["problems"][0]
    for key, bad in (
        ("arms", None),
        ("arms", {}),
        ("arms", {"class": "GaussianArms"}),
        ("arms", {"class": [], "fields": {}}),
        ("arms", []),
        ("arms", {"class": "GaussianArms", "fields": []}),
        ("arms", {"class": "GaussianArms", "fields": {"means": [1]}}),
        ("arms", {"class": "MVTS", "fields": {}}),
        ("arms", {"class": "MeanVariance", "fields": {"rho": 1}}),
        ("risk", 3),
        ("risk", {"class": "MeanVariance", "fields": {"rho": {"class": "MeanVariance", "fields": {"rho": 1}}}}),
        ("risk", {"class": None, "fields": None}),
        ("risk", {"class": "MeanVariance", "fields": {"rho": {}}}),
        ("family", {}),
    ):
        if key != "family":
            yield value(f"{key}={bad!r}"[:70], {"problems": [{**full, key: bad}]})
    for bad in (None, [], [None], [1], ["a"], {"a": 1}, [[]], 3):
        yield value(f"problems={bad!r}", {"problems": bad})


def calls(folder: str) -> Iterator[Call]:
    """All of them."""
    for doors in (simulations(), identifications(), learners(), file_doors(folder), small_doors()):
        for door in doors:
            yield from calls_of(door)
