"""What comes from outside: files of every kind, names, objects of people's own, figures that cannot be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import riskbandits as rb
from bad_calls import values as of
from bad_calls.call import Call, Function, calls_of
from bad_calls.commands import NUMBERS, SMALL, command
from bad_calls.right import value
from riskbandits.simulation.trace import Trace
from table_files.exports import REFUSED_TOO
from table_files.files import REFUSED

NAMES: tuple[Any, ...] = (
    ["a"],
    ["a", "a"],
    ["a", ""],
    ["a", " "],
    ["a", 2],
    ["a", None],
    [None, None],
    [["a"], ["b"]],
    ["a", "b", "c"],
    "ab",
    3,
    2.5,
    {"a": 1},
    {"a", "b"},
    [b"a", b"b"],
    ["a\0", "b"],
    object(),
)
FIGURES = ("", "x", "x.jpeg", "x.txt", "no/such/x.png", "/dev/null/x.png", "/", "x" * 5000 + ".png")
PARAMETERS = {
    "one head twice": "mean,means,variance\n0,1,1\n",
    "no numbers": "mean,variance\nx,1\n",
    "a short row": "mean,variance\n0\n",
    "a long row": "mean;variance\n0,5;1;2\n",
    "both decimal marks": "mean;variance\n0,5;0.5\n",
    "a date": "mean,variance\n2020-01-01,1\n",
    "percent here alone": "mean,variance\n1%,0.5\n",
    "one name twice": "name,mean,variance\na,0,1\na,1,1\n",
    "no name": "name,mean,variance\n,0,1\nb,1,1\n",
    "names twice": "name,arm,mean,variance\na,b,0,1\n",
    "no family": "family,mean,variance\nnothing,0,1\n",
    "two families": "family,mean,variance\ngaussian,0,1\nbeta,1,1\n",
    "a negative variance": "mean,variance\n0,-1\n",
    "another parameter": "mean,variance,skewness\n0,1,1\n",
    "heads alone": "mean,variance\n",
    "nothing": "",
    "no text": "mean,variance\n0\0,1\n",
    "infinity": "mean,variance\ninf,1\n",
    "missing": "mean,variance\n0,\n",
    "recorded rewards": "bond,stock\n0.5,0.25\n0.1,0.2\n",
}


class Chooser:
    """An object that may go wrong in every way."""

    def __init__(self, select: Any = 0, update: Any = None, reset: Any = None) -> None:
        self.answer, self.told, self.begun = select, update, reset

    def reset(self, arms: int) -> None:
        """Begin."""
        if self.begun is not None:
            raise self.begun

    def select(self) -> Any:
        """An arm, or something else."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def update(self, arm: int, reward: float) -> None:
        """Take in a reward."""
        if self.told is not None:
            raise self.told


def files() -> Iterator[Call]:
    """Every file that is refused, at every function that reads it."""
    for kind, (text, _, _) in {**REFUSED, **REFUSED_TOO}.items():
        yield Call(f"DataArms.from_file({kind})", lambda text=text: read(rb.DataArms.from_file, text))
        yield Call(f"frontier({kind})", lambda text=text: read(rb.frontier, text))
        yield Call(
            f"$ simulate --arms data:{kind}",
            lambda text=text: on_file(text, "simulate", *SMALL, "--arms", "data:f.csv"),
        )
        yield Call(f"$ frontier {kind}", lambda text=text: on_file(text, "frontier", "data:f.csv"))
    for kind, text in PARAMETERS.items():
        yield Call(f"$ simulate --arms {kind}", lambda text=text: on_file(text, "simulate", *SMALL, "--arms", "f.csv"))
        yield Call(f"$ bounds --arms {kind}", lambda text=text: on_file(text, "bounds", "--arms", "f.csv"))


def read(function: Any, text: str) -> Any:
    """What a function makes of a file with that text."""
    Path("f.csv").write_bytes(text.encode())
    try:
        return function("f.csv")
    finally:
        Path("f.csv").unlink()


def on_file(text: str, *words: str) -> str:
    """What a command makes of it."""
    return str(read(lambda _: command(*words), text))


def commands() -> Iterator[Call]:
    """Figures that cannot be written, numbers that are none."""
    for word in FIGURES:
        for name, more in {
            "simulate": SMALL,
            "sweep": (*SMALL, "--rhos", "1,2"),
            "identify": ("--budget", "40", "--runs", "2"),
            "frontier": ("zhu-tan-gaussian",),
        }.items():
            words = (name, *more, f"--figure={word}")
            yield Call(f"$ {name} --figure={word[:30]!r}", lambda words=words: command(*words))
    for word in ("", "abc", "nothing", "regrets", "[]"):
        words = ("simulate", *SMALL, f"--plot={word}", "--figure=x.png")
        yield Call(f"$ simulate --plot={word!r}", lambda words=words: command(*words))
    for number in NUMBERS:
        for option, fine in {"--rho": ("0", "1.5"), "--resamples": (), "--block": ("1.5",), "--seed": ("0",)}.items():
            large = number in ("9" * 30, str(2**63)) and option in ("--rho", "--block", "--seed")
            if number not in fine and not large:
                words = ("frontier", "zhu-tan-gaussian", f"{option}={number}")
                yield Call(f"$ frontier {option}={number[:20]}", lambda words=words: command(*words))
    for word in ("", "no.csv", "no.tsv", "no.json", "data:", "abc", "/", "no.py:Class", "gaussian(means=[1])", "\0"):
        yield Call(f"$ frontier {word!r}", lambda word=word: command("frontier", word))


def functions() -> Iterator[Function]:
    """Names, frontiers, objects, and what a result is asked to show."""
    named = [value(f"{number}", one) for number, one in enumerate(NAMES)]
    for family, fields in {
        "GaussianArms": {"means": [0.0, 1.0], "variances": [1.0, 1.0]},
        "BernoulliArms": {"probabilities": [0.1, 0.2]},
        "UniformArms": {"lows": [0.0, 0.5], "highs": [1.0, 2.0]},
    }.items():
        make = getattr(rb, family)
        yield Function(
            f"{family} by name",
            lambda make=make, **given: rb.Problem(make(**given), rb.Mean()),
            fields,
            {"names": named},
        )
    arms = rb.GaussianArms([0.0, 1.0], [1.0, 1.0])
    yield Function(
        "frontier",
        rb.frontier,
        {"arms": arms},
        {
            "arms": [
                *of.fails("NaN frame"),
                value("policy", rb.MVTS()),
                value("risk", rb.Mean()),
                value("no file", "no.csv"),
            ],
            "resamples": of.wholes(lambda n: 100 <= n < 10**4, 120),
            "block": of.numbers(lambda x: x >= 1.0, 2.0),
        },
    )
    yield Function("Frontier.best", rb.frontier(arms).best, {"rho": 1.0}, {"rho": of.numbers(lambda x: x >= 0.0, 2.0)})


def objects() -> Iterator[Call]:
    """Objects with select and update that go wrong."""
    wrong = {
        **{f"select {shown!r}": Chooser(shown) for shown in (-1, 2, 1.0, "a", None, [0], True, 10**30)},
        "select raises": Chooser(ValueError("no")),
        "update raises": Chooser(0, KeyError("no")),
        "reset raises": Chooser(0, None, ZeroDivisionError()),
        "a class": Chooser,
        "a number": 3,
        "select alone": type("Half", (), {"select": lambda self: 0})(),
        "a generator in it": _with_generator(),
    }
    for name, thing in wrong.items():
        yield Call(f"python object: {name}", lambda thing=thing: _pulls(thing))
    for more in (
        {"engine": "processes"},
        {"engine": "cuda"},
        {"precision": "float32"},
        {"method": "auto"},
        {"method": "lazy"},
    ):
        yield Call(f"python object: {more}", lambda more=more: _pulls(Chooser(), **more))
    yield Call("python object: two of a kind", lambda: _pulls([Chooser(), Chooser(1)]))


def _with_generator() -> Any:
    thing = Chooser()
    thing.inside = (number for number in range(3))
    return thing


def _pulls(policies: Any, **more: Any) -> Any:
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.Mean())
    given = {"horizon": 5, "runs": 2, "progress": False, "method": "python", "threads": 1, **more}
    found: Trace = rb.simulate(problem, policies if isinstance(policies, list) else [policies], **given).traces[0]
    return found.pulls.tolist()


def calls() -> Iterator[Call]:
    """All of them."""
    yield from files()
    yield from commands()
    yield from objects()
    for function in functions():
        yield from calls_of(function)
