"""What reads and writes files, and what is made of a file."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator
from typing import Any

import riskbandits as rb
from bad_calls import values as of
from bad_calls.call import Function
from bad_calls.right import (
    SUITE,
    value,
)
from riskbandits.results.comparison import Comparison
from riskbandits.suites import Suite, read_suite


def functions(folder: str) -> Iterator[Function]:
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
    functions: list[tuple[str, Any, str]] = [
        ("load", rb.load, "result.parquet"),
        ("Learner.load", rb.Learner.load, "learner.json"),
        ("Comparison.load", Comparison.load, "comparison.parquet"),
        ("read_suite", read_suite, "suite.json"),
        ("DataArms.from_file", rb.DataArms.from_file, "data.csv"),
    ]
    for name, call, right in functions:
        kept = [one for one in wrong if one.name != right and not (right == "data.csv" and one.name == "data.parquet")]
        if name == "load":  # opens all that we write
            kept = [one for one in kept if one.name not in ("learner.json", "comparison.parquet", "suite.json")]
        same = [value("right Path", pathlib.Path(others[right]), others[right])]
        yield Function(name, call, {"path": others[right]}, {"path": [*of.paths(), *kept, *same]})
        if name in ("load", "Comparison.load", "read_suite"):
            yield Function(name, call, {"path": others[right]}, {"classes": classes})
    yield Function(
        "Learner.load",
        rb.Learner.load,
        {"path": live},
        {"policy": of.only(of.records(rb.UCB1(), 3)[1:], 2), "risk": of.only(of.records(rb.Mean(), 3)[1:], 2)},
    )
    found = rb.load(result)
    targets = [one for one in of.paths() if one.name not in ("'abc'", "'1'", "'nan'", "'a\\nb'")]
    yield Function("Result.save", found.save, {"path": "x.parquet"}, {"path": targets})
    yield Function("Suite.save", Suite.of(SUITE).save, {"path": "x.json"}, {"path": of.only(targets, 2)})
    yield Function(
        "Comparison.save",
        Comparison.load(others["comparison.parquet"]).save,
        {"path": "x.parquet"},
        {"path": of.only(of.paths(), 2, 1)},
    )
    words = of.names()
    for method in ("trace", "pulls"):
        yield Function(f"Result.{method}", getattr(found, method), {"label": "MVTS"}, {"label": of.only(words, 2)})
    yield Function(
        "Result.plot",
        found.plot,
        {"metric": "regret"},
        {"metric": words, "ax": [one for one in of.fails() if one.name != "None"]},
    )
    against = Comparison.load(others["comparison.parquet"])
    yield Function(
        "Comparison.plot",
        against.plot,
        {"kind": "families"},
        {"kind": words, "ax": [one for one in of.only(of.fails(), 2) if one.name != "None"]},
    )
    yield Function(
        "Comparison.paired",
        against.paired,
        {"a": "MVTS", "b": "UCB"},
        {"a": of.only(words, 3), "b": of.only(words, 3, 1)},
    )
    yield Function(
        "Comparison.only",
        against.only,
        {"keep": bool},
        {"keep": [*of.only(of.fails("lambda", "int"), 2), value("raises", lambda case: 1 / 0)]},
    )
