"""All bad calls, and what the parent does once so that its children need not."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import matplotlib
import pandas as pd

import riskbandits as rb
from bad_calls import (
    commands,
    fields,
    foreign,
    learners,
    mistyped,
    own_records,
    problems_and_tables,
    right,
    saved_files,
    simulations,
    theory_and_metrics,
)
from bad_calls.call import Call, Function, calls_of
from bad_calls.harness import Ended
from riskbandits.suites import Suite


def warm_up(folder: str) -> None:
    """Compile what compiled calls need, import what is imported late, and write a file of every kind."""
    matplotlib.use("Agg")
    import scipy.integrate
    import scipy.special
    import scipy.stats  # noqa: F401

    import riskbandits.cli
    import riskbandits.plotting  # noqa: F401

    result = rb.simulate(**{**right.RUN, "workers": 1})
    result.plot()
    result.save(os.path.join(folder, "result.parquet"))
    learner = rb.Learner(**right.LIVE)
    learner.tell(learner.ask(), 1.0)
    learner.save(os.path.join(folder, "learner.json"))
    policies = [rb.MVTS(), rb.UniformRandom()]
    comparison = rb.compare(right.SUITE, policies, horizon=20, runs=4, progress=False, workers=1)
    comparison.save(os.path.join(folder, "comparison.parquet"))
    Suite.of(right.SUITE).save(os.path.join(folder, "suite.json"))
    with contextlib.suppress(Ended):  # what draws an error message on a terminal is imported late
        commands.command("simulate", "--horizon=abc")
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [0.5, 0.0]})
    table.to_csv(os.path.join(folder, "data.csv"), index=False)
    table.to_parquet(os.path.join(folder, "data.parquet"))
    Path(folder, "empty.json").write_text("")
    Path(folder, "empty.csv").write_text("")
    Path(folder, "empty.parquet").write_text("")
    Path(folder, "list.json").write_text("[]")
    Path(folder, "deep.json").write_text("[" * 100_000)
    Path(folder, "bytes.json").write_bytes(bytes(range(256)))
    Path(folder, "half.parquet").write_bytes(Path(folder, "result.parquet").read_bytes()[:500])
    Path(folder, "words.csv").write_text("a,b\nx,y\n")
    Path(folder, "object.json").write_text(json.dumps({"problems": {}}))


# All values for these functions; for others, behind which the same checks stand, one in three.
WHOLLY = ("simulate", "identify", "Learner", "tell", "load", "Learner.load", "Problem")


def of_functions(functions: Iterable[Function]) -> Iterator[Call]:
    """The calls of functions, but for most that would only be repeated."""
    for number, function in enumerate(functions):
        for place, call in enumerate(calls_of(function)):
            if function.name in WHOLLY or "=right" in call.name or (place + number) % 3 == 0:
                yield call


def calls(folder: str, group: str = "") -> Iterator[Call]:
    """Those of all groups, or of one; a name that comes again is left out."""
    groups = {
        "simulations": lambda: of_functions(simulations.functions()),
        "learners": lambda: of_functions(learners.functions()),
        "saved_files": lambda: of_functions(saved_files.functions(folder)),
        "problems_and_tables": lambda: of_functions(problems_and_tables.functions()),
        "fields": lambda: of_functions(fields.functions()),
        "theory_and_metrics": lambda: of_functions(theory_and_metrics.functions()),
        "own_records": own_records.calls,
        "commands": commands.calls,
        "mistyped": mistyped.calls,
        "foreign": foreign.calls,
    }
    seen = set()
    for name, made in groups.items():
        for call in made() if group in ("", name) else ():
            if call.name not in seen:
                seen.add(call.name)
                yield call
