"""Files and pairs of options that do not go together, on the command line; and what people pass in Python."""

from __future__ import annotations

import contextlib
import itertools
import math
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import riskbandits as rb
from bad_calls.call import Call
from bad_calls.commands import command

FILES = {
    "r.csv": "date,bond,stock\n2020-01-01,0.5,0.25\n2020-01-02,0.1,0.2\n2020-01-03,0.2,0.3\n",
    "short.json": '{"means": [0, 1], "variances": [1]}',
    "words.json": '{"means": [0, "a"], "variances": [1, 1]}',
    "negative.json": '{"means": [0, 1], "variances": [1, -1]}',
    "twins.csv": "mean,variance,name\n0,1,a\n1,1,a\n",
    "suite.json": '{"problems": [{"name": "a", "means": [0, 1], "variances": [1, 2], "rho": "x"}]}',
    "imports.py": "import nothing_like_this\n",
    "syntax.py": "def f(:\n",
    "ends.py": "raise SystemExit(0)\n",
    "choices.csv": "arm,clicks,views\n0,3,10\n1,5,20\n",
    "gap.csv": "arm,reward\na,1\n,0\na,1\n",
    "returns.csv": "date,price,return\n2020-01-01,100.5,0.1\n2020-01-02,99.5,-0.01\n",
    "rows.csv": ",0,1,2\nbond,0.1,0.2,0.3\nstock,0.4,0.5,0.6\n",
    "commas.csv": "0,5\n0,7\n",
    "dollars.csv": "a,b\n$0.5,0.25\n$0.1,0.2\n",
    "kurse.csv": "Datum;Erster;Hoch;Tief;Schlusskurs\n31.12.2020;1,5;2;1;1,25\n01.01.2021;1,5;2;1;1,5\n",
    "other.py": "class A:\n    pass\n",
    "months.csv": "Year,Jan,Feb,Mar\n2019,0.1,0.2,0.3\n2020,0.1,0.2,0.3\n",
    "codes.csv": "a,b\n12.5,1.5\n-99.99,2.5\n-31.5,0.5\n",
    "packed.csv.gz": "no gzip at all",
    "units.csv": "a (bps),b\n5,0.1\n7,0.2\n",
    "currencies.csv": "a (EUR),b (USD)\n5,1\n7,2\n",
    "volume.csv": "date,a,volume\n2020-01-01,0.1,1000\n2020-01-02,0.2,1500\n",
    "elapsed.csv": "elapsed,a,b\n" + "".join(f"{k / 2},0.{k},0.{9 - k}\n" for k in range(8)),
    "numbered.csv": "arm,value\n0,0.5\n1,0.25\n0,0.1\n",
    "sums.csv": "a,b\n0.5,0.1\n0.2,0.4\n-0.1,0.2\n0.3,-0.4\n0.9,0.3\n",
}
SMALL = ("--runs=2", "--horizon=20", "--policies=uniform-random")
SIMULATE = (
    "--arms=short.json",
    "--arms=words.json",
    "--arms=negative.json",
    "--arms=twins.csv",
    "--arms=r.csv",
    "--arms=data:r.csv:0",
    "--arms=data:r.csv:abc",
    "--arms=data:none.csv.gz",
    "--arms=data:packed.csv.gz",
    "--arms=data:months.csv",
    "--arms=data:codes.csv",
    "--arms=data:currencies.csv",
    "--arms=data:volume.csv",
    "--arms=data:sums.csv",
    "--arms=data:suite.json",
    "--arms=data:choices.csv",
    "--arms=data:gap.csv",
    "--arms=data:returns.csv",
    "--arms=data:rows.csv",
    "--arms=data:commas.csv",
    "--arms=data:dollars.csv",
    "--arms=data:kurse.csv",
    "--arms=data:C:\\none.csv",
    "--policies=ends.py:A",
    "--store=",
    "--policies=imports.py:A",
    "--policies=syntax.py:A",
    "--policies=other.py:A",
    "--policies=other.py:B",
    "--policies=a=mvts,a=vts",
    "--policies==mvts",
    "--policies=mvts,,vts",
    "--risk=cvar:",
    "--risk=mean-variance:1:2",
    "--rho=1 --risk=cvar:0.2",
    "--plot=runs",
    "--plot=bars --figure=f.png",
    "--figure=f.bmp",
    "--figure=no/such/f.png",
    "--out=.",
    "--out=o.xlsx",
    "--store=r.csv",
    "--delay=-3",
    "--delay=geometric:0",
    "--delay=geometric:",
    "--checkpoints=5,100",
    "--checkpoints=1.5",
    "--engine=cuda --dry-run",
    "extra",
)
OTHERS = (
    "sweep --rhos=1:0:3",
    "sweep --rhos=1,1",
    "sweep --rhos=1e-3:1e3:1000000",
    "sweep --rhos=1:2:99999999999999999999",
    "sweep --risk=cvar --values=0.1:0.9:20000 --dry-run",
    "frontier units.csv",
    "frontier currencies.csv",
    "frontier volume.csv",
    "frontier elapsed.csv",
    "frontier numbered.csv",
    "frontier sums.csv",
    "frontier choices.csv",
    "frontier returns.csv",
    "frontier rows.csv",
    "frontier zhu-tan-gaussian --block=5",
    "sweep --risk=cvar:0.2 --values=0.1,0.5 --policies=uniform-random --runs=2 --horizon=20",
    "replay choices.csv",
    "replay gap.csv",
    "replay kurse.csv",
    "replay units.csv",
    "replay elapsed.csv",
    "replay numbered.csv",
    "sweep --rhos=",
    "sweep --risk=mean",
    "sweep --risk=cvar --values=0.1,2",
    "sweep --parameter=nope",
    "identify --budget=50 --confidence=0.9",
    "identify --rule=va-lucb --confidence=0.9",
    "identify --confidence=2",
    "compare --suite=suite.json",
    "compare --runs=1 --horizon=10",
    "compare --horizon=10,1000",
    "frontier r.csv --resamples=1",
    "frontier r.csv --block=0",
    "frontier r.csv --rho=-1",
    "frontier r.csv --out=o.json",
    "frontier months.csv",
    "frontier none.csv",
    "replay r.csv --rho=nan",
    "replay r.csv --runs=0",
    "replay r.csv --policies=bmvts",
    "replay months.csv",
    "replay .",
    "reproduce figure-9",
    "reproduce figure-4 --quick --horizon=0",
    "reproduce figure-4 --quick --runs=3",
    "reproduce figure-4 --out=r.csv",
    "bounds --horizon=0",
    "bounds --policies=mvts",
    "bounds --arms=data:r.csv",
    "Simulate",
)
PROBLEM = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.MeanVariance(1.0))
TABLE = pd.DataFrame({"a": [0.5, 0.25], "b": [0.1, 0.2]})
PYTHON: dict[str, Callable[[], object]] = {
    "frontier of words": lambda: rb.frontier(pd.DataFrame({"a": ["x", "y"]})),
    "frontier of one row": lambda: rb.frontier(TABLE.head(1)),
    "frontier of dates": lambda: rb.frontier(pd.DataFrame({"a": pd.date_range("2020", periods=3)})),
    "frontier of infinity": lambda: rb.frontier(pd.DataFrame({"a": [0.1, math.inf], "b": [0.1, 0.2]})),
    "frontier of an array": lambda: rb.frontier(np.zeros((3, 2))),
    "replay of an array": lambda: rb.replay(rb.MVTS(), np.zeros((3, 2)), rb.MeanVariance(1.0)),
    "replay of nothing": lambda: rb.replay(rb.MVTS(), TABLE.head(0), rb.MeanVariance(1.0)),
    "replay with arms for a risk": lambda: rb.replay(rb.MVTS(), TABLE, PROBLEM.arms),
    "two rewards of an arm on a day": lambda: rb.DataArms.from_table(
        pd.DataFrame({"date": ["2020-01-01"] * 2 + ["2020-01-02"], "arm": ["a", "a", "b"], "r": [0.1, 0.2, 0.3]})
    ),
    "a column of totals": lambda: rb.DataArms.from_table(
        pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.1], "total": [0.4, 0.3]})
    ),
    "a column twice": lambda: rb.DataArms.from_table(pd.concat([TABLE, TABLE], axis=1)),
    "loading a folder": lambda: rb.load("."),
    "loading a table of returns": lambda: rb.load("data.csv"),
    "a plot of nothing": lambda: rb.simulate(PROBLEM, [rb.UniformRandom()], horizon=5, runs=1).plot(""),
    "problem and arms exchanged": lambda: rb.simulate(PROBLEM.arms, [rb.MVTS()], horizon=5, runs=1),
    "a class for a policy": lambda: rb.simulate(PROBLEM, [rb.MVTS], horizon=5, runs=1),
    "a risk for arms": lambda: rb.Problem(rb.CVaR(0.1), rb.CVaR(0.1)),
    "one name for two arms": lambda: rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0], names=["a"]), rb.Mean()),
    "a name twice": lambda: rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0], names=["a", "a"]), rb.Mean()),
    "an empty label": lambda: rb.simulate(PROBLEM, {"": rb.MVTS()}, horizon=5, runs=1),
    "a number for a label": lambda: rb.simulate(PROBLEM, {3: rb.MVTS()}, horizon=5, runs=1),
    "a label on two lines": lambda: rb.simulate(PROBLEM, {"a\nb": rb.MVTS()}, horizon=5, runs=1),
    "a label with a space behind": lambda: rb.simulate(PROBLEM, {"a ": rb.MVTS()}, horizon=5, runs=1),
    "a sweep over a million values": lambda: rb.sweep(
        rb.problems.zhu_tan_gaussian, np.geomspace(1e-3, 1e3, 10**6), [rb.MVTS()], horizon=5, runs=1
    ),
    "a sweep without end": lambda: rb.sweep(
        rb.problems.zhu_tan_gaussian, itertools.count(1), [rb.MVTS()], horizon=5, runs=1
    ),
    "checkpoints without end": lambda: rb.simulate(
        PROBLEM, [rb.MVTS()], horizon=5, runs=1, checkpoints=itertools.count(1)
    ),
    "policies without end": lambda: rb.simulate(PROBLEM, itertools.repeat(rb.MVTS()), horizon=5, runs=1),
    "settled of a result": lambda: rb.metrics.settled(rb.simulate(PROBLEM, [rb.UniformRandom()], horizon=5, runs=1)),
    "numbers of arms or an arm": lambda: rb.DataArms.from_table(
        pd.DataFrame({"arm": [0, 1, 0], "value": [0.5, 1.0, 2.0]})
    ),
    "blocks of arms": lambda: rb.frontier(rb.DataArms.from_table(TABLE), block=2),
    "a log of prices and returns": lambda: rb.DataArms.from_table(
        pd.DataFrame({"price": [100.5, 99.5], "return": [0.1, -0.01]})
    ),
    "a plot by half its name": lambda: rb.identify(PROBLEM, budget=20, runs=2, progress=False).plot("run"),
    "no policies": lambda: rb.simulate(PROBLEM, {}, horizon=5, runs=1),
}


def mistaken(words: str) -> str:
    """What a command prints beside these files."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, text in FILES.items():
            Path(name).write_text(text)
        return command(*words.split(" "))


def calls() -> Iterator[Call]:
    for words in SIMULATE:
        yield Call(f"$ simulate {words}", lambda words=words: mistaken(" ".join(("simulate", *SMALL, words))))
    for words in OTHERS:
        yield Call(f"$ {words} (files)", lambda words=words: mistaken(words))
    for name, call in PYTHON.items():
        yield Call(name, call)
