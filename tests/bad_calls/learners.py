"""The learner and its methods."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import riskbandits as rb
from bad_calls import values as of
from bad_calls.call import Function, Value
from bad_calls.right import (
    LIVE,
    NOT_POLICIES,
    NOT_RISKS,
    value,
)


class Numbered(rb.Learner):
    """A learner whose ids are known beforehand."""

    ids_with_tokens = False


def after(method: str, *args: Any) -> Any:
    """The learner after a method was called with arguments."""

    def call(first: Any, second: Any = None) -> Any:
        learner = Numbered(**LIVE)
        for arm in ("a", "b", "a"):
            learner.tell(arm, 1.0)
        if method in ("answer", "forget"):
            learner.decide(count=2)
        found = getattr(learner, method)(*([first] if second is None else [first, second]))
        return [found if not isinstance(found, pathlib.Path) else None, learner]

    return call


def functions() -> Iterator[Function]:
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
        "remember": of.wholes(lambda n: 0 <= n < 2**53, 7),
        "propensity": [one for one in of.fails() if one.name not in ("True", "False", "np.True_")],
        "data": [one for one in of.fails("{'a': 1}", "{}", "NaN frame") if one.name != "None"],
        "seed": [
            *(one for one in of.wholes(lambda n: n >= 0, 5) if one.name != "None"),
            value("Philox", np.random.Generator(np.random.Philox(1))),
            value("RandomState", np.random.RandomState(1)),
            value("module", np.random),
        ],
    }
    yield Function("Learner", rb.Learner, {**LIVE, "remember": 7, "propensity": False, "data": None}, slots)
    few = {name: of.only(found, 9) for name, found in slots.items() if name in LIVE}
    yield Function("Learner compiled", rb.Learner, LIVE, few, True)
    odd_arms = [
        *of.fails("[]", "()", "set()", "empty array", "{'a': 1}", "texts", "NaN frame"),
        value("right texts", np.array(["a", "b"]), ["a", "b"]),
        *(value(repr(x)[:30], x) for x in (0, 1, 1.0, 2.5, -1, 10**30, "c", ["a", "c"], ["a", None], [["a"]])),
    ]
    rewards = of.numbers(lambda x: abs(x) < 1.3e154, 0.5)
    flag = [value("True", True, 1.0), value("np.True_", np.True_, 1.0), value("False", False, 0.0)]
    rewards = [one for one in rewards if one.name not in ("True", "False", "np.True_")] + flag
    yield Function(
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
    yield Function("tell both", after("tell"), {"first": ["a", "b"], "second": [1.0, 2.0]}, {"second": batches})
    available = [one for one in odd_arms if one.name != "None"]
    yield Function(
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
    yield Function("fade", after("fade"), {"first": 0.5}, {"first": of.numbers(lambda x: 0.0 <= x <= 1.0, 0.5)})
    yield Function("forget", after("forget"), {"first": "a"}, {"first": of.only(odd_arms, 3)})
    wrong_ids = ("a", "decision-1", "decision-6", "decision-04", "4", 4, ["decision-4"], -4.0, "decision-" + "9" * 5000)
    ids = [*of.fails("[]", "()", "set()", "empty array"), *(value(repr(x)[:30], x) for x in wrong_ids)]
    yield Function("answer", after("answer"), {"first": "decision-4", "second": 1.0},
               {"first": ids, "second": [one for one in rewards if one.name != "None"]})  # fmt: skip
    yield Function("answer both", after("answer"), {"first": ["decision-4", "decision-5"], "second": [1.0, 2.0]},
               {"second": batches})  # fmt: skip
    yield Function("forget by id", after("forget"), {"first": "decision-4"}, {"first": of.only(ids, 3)})
    counts = [one for one in of.wholes(lambda n: 1 <= n <= 100_000, 2) if one.name != "None"]
    yield Function("decide", after("decide"), {"first": 2}, {"first": of.only(counts, 2)})
    levels = of.numbers(lambda x: 0.0 < x < 1.0, 0.5)
    yield Function("best", after("best"), {"first": 0.5}, {"first": of.only(levels, 3)})
    yield Function("with_risk", after("with_risk"), {"first": rb.Mean()}, {"first": of.records(*NOT_RISKS)})
    yield Function("from_json", rb.Learner.from_json, {"text": ""}, {"text": of.only(of.fails(), 2)})
    yield Function("retire", after("retire"), {"first": "a"}, {"first": of.only(odd_arms, 3, 1)})
    taken = [
        one
        for one in odd_arms
        if one.name not in ("'abc'", "'1'", "'nan'", "'a\\nb'", "'\\x00'", "'\\ud800'", "'c'", "0", "1", "-1")
    ]
    yield Function(
        "add", after("add"), {"first": "c"}, {"first": of.only([one for one in taken if len(one.name) < 25], 2)}
    )
    named_files = ("'abc'", "'1'", "'nan'", "'a\\nb'")
    yield Function(
        "save", after("save"), {"first": "x"}, {"first": [one for one in of.paths() if one.name not in named_files]}
    )
