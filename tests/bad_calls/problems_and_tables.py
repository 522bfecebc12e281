"""Named things, suites, tables of rewards, the conformance kits, and the problem itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

import riskbandits as rb
from bad_calls import values as of
from bad_calls.call import Function, Value
from bad_calls.right import (
    GAUSSIAN,
    MIXED,
    NOT_ARMS,
    NOT_POLICIES,
    NOT_RISKS,
    PROBLEM,
    SUITE,
    value,
    without_long,
)
from riskbandits import testing
from riskbandits.data import read_frame
from riskbandits.suites import Suite, draw, find, named
from riskbandits.theory import lower_bound


def functions() -> Iterator[Function]:
    """Named things, tables of rewards, the kits."""
    names = of.names()
    yield Function("suites.named", named, {"name": "paper"}, {"name": names})
    yield Function("suites.find", find, {"suite": "paper"}, {"suite": of.only(names, 2)})
    yield Function("problems.named", rb.problems.named, {"name": "zhu-tan-gaussian"}, {"name": [*names, value("0", 0)]})
    for problem in (rb.problems.zhu_tan_gaussian, rb.problems.zhu_tan_bernoulli):
        yield Function(problem.__name__, problem, {"rho": 1.0}, {"rho": of.numbers(lambda x: 0.0 <= x <= 1e308, 0.5)})
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
    yield Function("suites.draw", draw, {"family": "uniform", "arms": 2, "number": 1}, slots)
    yield Function(
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
    yield Function(
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
    yield Function(
        "DataArms.from_table",
        lambda table, block=1.0: rb.Problem(rb.DataArms.from_table(table, block), rb.Mean()),
        {"table": good},
        {"table": tables, "block": of.numbers(lambda x: x >= 1.0, 2.0)},
    )
    fewer = [one for one in of.only(tables, 3) if one.name != "huge"]
    yield Function("data.read_frame", read_frame, {"table": good}, {"table": fewer})
    yield Function(
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
    yield Function("check_risk", testing.check_risk, {"risk": rb.Mean()}, {"risk": of.only(of.records(*NOT_RISKS), 2)})
    yield Function("check_arms", testing.check_arms, {"arms": GAUSSIAN}, {"arms": of.only(of.records(*NOT_ARMS), 2, 1)})
    yield Function(
        "Problem",
        rb.Problem,
        {"arms": GAUSSIAN, "risk": rb.Mean()},
        {"arms": of.records(*NOT_ARMS), "risk": of.records(*NOT_RISKS)},
    )
    yield Function(
        "Problem.with_risk", PROBLEM.with_risk, {"risk": rb.Mean()}, {"risk": of.only(of.records(*NOT_RISKS), 3)}
    )
    yield Function("lower_bound of", lower_bound, {"problem": PROBLEM}, {"problem": of.only(of.records(*MIXED[:4]), 2)})


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
