"""The command line: words that people mistype."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from bad_calls.call import Call
from bad_calls.harness import Ended

OWN = '''
import math
from typing import NamedTuple

class Late(NamedTuple):
    """It fails after a while."""
    after: float = 20.0
    def score(self, state, k, run, risk, rng):
        if run[0] > self.after:
            raise ValueError("too late")
        return rng.standard_normal()
    def learn(self, state, k, run, reward):
        state[k, 0] += 1.0

class LateRule(NamedTuple):
    """It names no arm."""
    arm: int = -1
    def choose(self, samples, risk, budget, confidence):
        samples.first(0, 10)
        if self.arm == -2:
            raise KeyError("nothing")
        return self.arm, True

class RareNaN(NamedTuple):
    """Now and then a reward is no number."""
    share: float = 0.1
    def draw(self, k, rng):
        return math.nan if rng.random() < self.share else 1.0 * k
    def mean(self, k):
        return 1.0 * k
    def variance(self, k):
        return 0.0
    def size(self):
        return 2

class Negative(NamedTuple):
    """A negative variance."""
    share: float = 0.1
    def draw(self, k, rng):
        return 1.0 * k
    def mean(self, k):
        return 1.0 * k
    def variance(self, k):
        return -1.0
    def size(self):
        return 2

class Broken(NamedTuple):
    """A measure that cannot be computed."""
    weight: float = 1.0
    def value(self, mean, variance):
        return mean / (self.weight - self.weight)

no_class = 3
'''
NUMBERS = (
    "",
    "abc",
    "nan",
    "inf",
    "-1",
    "0",
    "1.5",
    "1e400",
    "9" * 30,
    str(2**63),
    "9" * 400,
    "1,2",
    "[1]",
    "None",
    "0x1f",
)
WORDS = (
    "",
    " ",
    "abc",
    "nan",
    "none",
    "mvts,",
    "mvts()",
    "mvts(",
    "mvts)",
    "mvts(shape=)",
    "mvts(shape=-1)",
    "mvts(shape=nan)",
    "mvts(shape='a')",
    "mvts(shape=[1])",
    "mvts(shape=1e999)",
    "mvts(nonsense=1)",
    "mvts(1,2,3,4,5,6,7)",
    "mvts:nothing",
    "no.py:Late",
    "own.py:nothing",
    "own.py:no_class",
    "own.py:",
    "own.py:Late(after=x)",
    "own.py:Late(5)",
    "own.py:LateRule",
    "bcvts(upper=2",
    "switching-aware(policy=nothing)",
    "switching-aware(policy=switching-aware())",
    "()" * 500,
    "(" * 3000 + ")" * 3000,
)
ARMS = (
    "",
    "abc",
    "no.json",
    "no.csv",
    "no.parquet",
    "data:no.csv",
    "data:",
    "own.py:RareNaN",
    "own.py:Negative",
    "own.py:Late",
    "gaussian(means=[0,1])",
    "gaussian(means=[0,1],variances=[1,-1])",
    "gaussian(means=0,variances=1)",
    "gaussian([],[])",
    "gaussian(means=[0,1e308],variances=[1,1])",
    "beta(alphas=[0],betas=[1])",
    "uniform(lows=[1],highs=[0])",
    "data:.",
    "../",
    "/dev/null",
    "zhu-tan",
)
RISKS = (
    "",
    "abc",
    "cvar:0",
    "cvar:2",
    "cvar:nan",
    "cvar:a",
    "mean-variance:-1",
    "mean-variance:inf",
    "sharpe(weight=)",
    "own.py:Broken",
    "own.py:Late",
    "own.py:nothing",
    "entropic:0",
)
SMALL = (
    "--horizon",
    "12",
    "--runs",
    "2",
    "--arms",
    "gaussian(means=[0,1],variances=[1,1])",
    "--policies",
    "uniform-random",
)


def command(*words: str) -> str:
    """What the command prints, if it ends well."""
    from riskbandits.cli import main

    Path("own.py").write_text(OWN)
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["riskbandits", *words]
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        finally:
            os.unlink("own.py")
    if code:
        raise Ended(code, err.getvalue())
    return out.getvalue()


def changed(words: tuple[str, ...], option: str, word: str) -> tuple[str, ...]:
    if option in words:
        place = words.index(option)
        words = words[:place] + words[place + 2 :]
    return (*words, f"{option}={word}")


def lines() -> Iterator[tuple[str, tuple[str, ...]]]:
    for number in NUMBERS:
        for option in ("--horizon", "--runs", "--seed", "--threads", "--checkpoints", "--rho"):
            fine = {
                "--seed": ("0", "9" * 30, str(2**63)),
                "--rho": ("0", "1.5", "9" * 30, str(2**63)),
                "--checkpoints": ("1,2",),
            }
            if number not in fine.get(option, ()) and not (option == "--threads" and number in ("1.5e9",)):
                yield f"simulate {option}={number[:20]}", ("simulate", *changed(SMALL, option, number))
    for word in WORDS:
        if word not in ("mvts()", "mvts,", "own.py:Late(5)"):
            yield f"simulate --policies={word[:45]}", ("simulate", *changed(SMALL, "--policies", word))
    yield "simulate late", ("simulate", *changed(changed(SMALL, "--policies", "own.py:Late"), "--horizon", "100"))
    for word in ARMS:
        yield f"simulate --arms={word}", ("simulate", *changed(SMALL, "--arms", word))
        yield f"identify --arms={word}", ("identify", "--budget", "40", "--runs", "2", "--arms", word)
    for word in RISKS:
        yield f"simulate --risk={word}", ("simulate", *SMALL, "--risk", word)
    for option in ("--method", "--engine", "--precision"):
        for word in ("", "abc", "[]", "None", "cuda-float32", "float31", "tcp", "ray:", "\0"):
            if not (option == "--engine" and word == "ray:"):
                yield f"simulate {option}={word!r}", ("simulate", *SMALL, f"{option}={word}")
    for option, words in {
        "--out": ("", "x", "x.txt", "no/such/x.csv", "/dev/null/x.csv", "/", "x" * 5000 + ".csv"),
        "--store": ("/dev/null/x", "/proc/x", "\0"),
        "--nonsense": ("1",),
    }.items():
        for word in words:
            yield f"simulate {option}={word[:30]!r}", ("simulate", *SMALL, f"{option}={word}")
    rule = ("identify", "--arms", "gaussian(means=[0,1],variances=[1,1])", "--runs", "2")
    for word in (
        "",
        "abc",
        "own.py:LateRule",
        "own.py:LateRule(arm=5)",
        "own.py:LateRule(arm=-2)",
        "own.py:Late",
        "successive-rejects(1)",
    ):
        yield f"identify --rule={word}", (*rule, "--rule", word, "--budget", "40")
    for number in NUMBERS:
        yield f"identify --budget={number[:20]}", (*rule, f"--budget={number}")
        if number != "0.5":
            yield (
                f"identify --confidence={number[:20]}",
                (*rule, "--rule", "mean-variance-elimination", f"--confidence={number}"),
            )
    for name in ("sweep", "compare", "bounds"):
        for number in NUMBERS[:11]:
            option = {"sweep": "--rhos", "compare": "--horizon", "bounds": "--rho"}[name]
            more = {
                "sweep": SMALL,
                "compare": ("--suite", "quick", "--policies", "uniform-random", "--runs", "4"),
                "bounds": (),
            }[name]
            good = number in ("0", "1.5", "9" * 30, str(2**63)) and name != "compare"
            if not good:
                yield f"{name} {option}={number[:20]}", (name, *more, f"{option}={number}")
    for word in (
        "",
        "abc",
        "mvts:nothing",
        "mvts(shape=-1)",
        "no.py:Late",
        "own.py:no_class",
        "npts:anchor-free",
        "ucb1",
    ):
        yield f"playground --policy={word}", ("playground", "--out", "page.html", "--policy", word)
    for word in ("", "/", "page", "no/such/page.html", "/dev/null/x.html", "\0"):
        yield f"playground --out={word!r}", ("playground", f"--out={word}")
    for word in ("", "abc", "no.json", "own.py", "/", "\0"):
        yield (
            f"compare --suite={word!r}",
            ("compare", "--suite", word, "--policies", "uniform-random", "--runs", "4", "--horizon", "20"),
        )
        yield f"list {word!r}", ("list", word)
        yield f"{word!r}", (word,)
        yield f"claims {word!r}", ("claims", word)


def calls() -> Iterator[Call]:
    for name, words in lines():
        yield Call(f"$ {name}", lambda words=words: command(*words))
