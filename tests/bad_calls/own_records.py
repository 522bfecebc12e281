"""Records of one's own whose methods raise, give the wrong thing, never end or ask for too much."""

from __future__ import annotations

import functools
import itertools
import linecache
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import riskbandits as rb
from bad_calls.call import Call
from riskbandits import testing
from riskbandits.arms.gaussian import Normal
from riskbandits.identification import Decision, SuccessiveRejects
from riskbandits.numerics import history, moments

# The methods of each kind of record: what they take, and what right ones say.
ARMS = {
    "draw": ("k, rng", "0.5 * k + rng.standard_normal()"),
    "mean": ("k", "0.5 * k"),
    "variance": ("k", "1.0"),
    "size": ("", "3"),
    "distribution": ("k", "Normal(0.5 * k, 1.0)"),
}
MORE_ARMS = {
    "binary": ("", "False"),
    "invalid": ("", "None"),
    "draw_next": ("k, rng, memory", "0.5 * k + rng.standard_normal()"),
}
RISK = {"value": ("mean, variance", "mean - variance")}
MORE_RISK = {
    "sample_value": ("values, weights", "values[0]"),
    "exact_value": ("distribution", "1.0 * distribution.mean"),
    "charges_switching": ("", "False"),
    "admits": ("mean, variance", "True"),
    "invalid": ("", "None"),
}
POLICY = {
    "score": ("state, k, run, risk, rng", "rng.standard_normal()"),
    "learn": ("state, k, run, reward", "moments.add(state, k, reward)"),
}
MORE_POLICY = {
    "prepare": ("state, run, risk, rng", "None"),
    "chosen": ("state, k, run", "None"),
    "measure": ("state, run, risk", "risk"),
    "first_pulls": ("", "1"),
    "width": ("", "3"),
    "history": ("", "0"),
    "needs_horizon": ("", "False"),
    "refuses": ("risk, arms", "None"),
    "rejects": ("reward", "None"),
    "bounds": ("risk", "None"),
    "rises": ("", "False"),
    "invalid": ("", "None"),
}
RULE = {"choose": ("samples, risk, budget, confidence", "Decision(0 if samples.first(0, 5).sum() < 99.0 else 1)")}
MORE_RULE = {"fixed_confidence": ("", "False"), "refuses": ("risk, arms", "None"), "invalid": ("", "None")}

# What bad ones say. Where an answer is allowed after all, it is the one of the expression beside it.
BAD = {
    "raise ZeroDivisionError": "1 / 0",
    "raise KeyError": "{}['x']",
    "raise many lines": "wail()",
    "misspell": "maths.sqrt(2.0)",
    "recurse": "self.{name}({args})",
    "allocate": "np.zeros(10**13)",
    "None": "None",
    "text": "'x'",
    "bytes": "b'x'",
    "list": "[1.0]",
    "array": "np.zeros(2)",
    "array of one": "np.ones(1)",
    "complex": "1j",
    "nan": "math.nan",
    "inf": "math.inf",
    "-inf": "-math.inf",
    "-1": "-1",
    "-1.0": "-1.0",
    "huge": "10**400",
    "2**63": "2**63",
    "1e300": "1e300",
    "True": "True",
    "object": "object()",
    "class": "int",
    "tuple": "(1, 2)",
    "timedelta": "np.timedelta64(1, 's')",
}
LATE = {
    "raise late": "        if rng.random() < 0.1:;             raise ValueError('late');         return 1.0",
    "nan now and then": "1.0 if rng.random() < 0.9 else math.nan",
    "inf now and then": "1.0 if rng.random() < 0.9 else math.inf",
    "huge now and then": "1.0 if rng.random() < 0.9 else 1e200",
}


def wail() -> None:
    raise RuntimeError("first line\nsecond line\n" + "x" * 5000)


numbers = itertools.count()


def made(methods: dict[str, tuple[str, str]], kind: str) -> Any:
    """A record of a class of its own with these methods, as if written in a file."""
    lines = [f"class {kind}(NamedTuple):", '    """A record."""', "    weight: float = 1.0"]
    for name, (args, body) in methods.items():
        listed = f"self, {args}" if args else "self"
        says = body.replace("{name}", name).replace("{args}", args)
        lines += [
            f"    def {name}({listed}):",
            *(says.split("; ") if says.startswith("    ") else [f"        return {says}"]),
        ]
    source = "\n".join(lines) + "\n"
    file = f"own_{next(numbers)}.py"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    space = {"NamedTuple": NamedTuple, "math": math, "np": np, "Normal": Normal, "moments": moments, "wail": wail}
    space |= {"Decision": Decision, "history": history, "__name__": "own_records_of_bad_calls"}
    exec(compile(source, file, "exec"), space)
    return space[kind]()


MEASURE = rb.MeanVariance(1.0)
PROBLEM = rb.Problem(rb.GaussianArms([0.0, 0.5, 1.0], [1.0, 1.0, 1.0]), MEASURE)


def with_arms(arms: Any, risk: Any = MEASURE) -> Any:
    return rb.simulate(rb.Problem(arms, risk), [rb.UniformRandom()], horizon=30, runs=2, progress=False)


def with_tail(arms: Any) -> Any:
    return rb.Problem(arms, rb.CVaR(0.5))


def with_risk(risk: Any) -> Any:
    return rb.simulate(PROBLEM.with_risk(risk), [rb.UniformRandom(), rb.MVTS()], horizon=30, runs=2, progress=False)


def with_policy(policy: Any) -> Any:
    return rb.simulate(PROBLEM, [policy], horizon=30, runs=2, progress=False)


def live(policy: Any, risk: Any = MEASURE) -> Any:
    learner = rb.Learner(policy, ["a", "b"], risk, 100)
    for reward in (1.0, 0.5, 2.0, 0.0, 1.0):
        learner.tell(learner.ask(), reward)
    return learner


def found(rule: Any) -> Any:
    return rb.identify(PROBLEM, rule, budget=60, confidence=None, runs=3, seed=1, progress=False)


def looked_at(arms: Any) -> Any:
    return rb.identify(
        rb.Problem(arms, MEASURE), SuccessiveRejects(), budget=60, confidence=None, runs=3, seed=1, progress=False
    )


def compared(arms: Any) -> Any:
    return rb.compare(
        {"own": rb.Problem(arms, MEASURE)}, [rb.UniformRandom(), rb.MVTS()], horizon=20, runs=4, progress=False
    )


KINDS: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (
        "Arms",
        ARMS,
        MORE_ARMS,
        {"simulate": with_arms, "CVaR": with_tail, "identify": looked_at, "kit": testing.check_arms},
    ),
    (
        "Risk",
        RISK,
        MORE_RISK,
        {"simulate": with_risk, "Learner": functools.partial(live, rb.MVTS()), "kit": testing.check_risk},
    ),
    ("Policy", POLICY, MORE_POLICY, {"simulate": with_policy, "Learner": live, "kit": testing.check_policy}),
    ("Rule", RULE, MORE_RULE, {"identify": found}),
]

# Answers that are allowed after all: what they mean is said in another way.
MEANING = {"True": "1.0", "1e300": "1e300", "-1": "-1.0", "-1.0": "-1.0", "2**63": "2.0**63"}
MEANT_AS_IT_IS = {
    *(
        ("Policy", method, any_) for method in ("learn", "prepare", "chosen") for any_ in BAD
    ),  # what they give is not used
    ("Policy", "score", "inf"),
    ("Policy", "score", "-inf"),
    *(("Policy", method, "True") for method in ("needs_horizon", "rises")),
    *(("Risk", method, "True") for method in ("charges_switching", "admits")),
    ("Arms", "binary", "True"),
    ("Arms", "variance", "inf"),
    ("Rule", "fixed_confidence", "True"),
    *((kind, "invalid", "None") for kind in ("Arms", "Risk", "Policy", "Rule")),
    *((kind, "refuses", "None") for kind in ("Policy", "Rule")),
    ("Policy", "rejects", "None"),
    ("Policy", "bounds", "None"),
}


def calls() -> Iterator[Call]:
    """A call per kind of record, method, way to be bad, and function."""
    for kind, needed, more, functions in KINDS:
        for method, (args, _) in {**needed, **more}.items():
            for bad, body in BAD.items():
                wrong = {**needed, method: (args, body)}
                # A method that nobody asks can say what it likes: the answer is that of a record with a right one.
                right = {**needed, method: {**needed, **more}[method]}
                if (kind, method, bad) in MEANT_AS_IT_IS:
                    right = wrong
                elif bad in MEANING:
                    right = {**needed, method: (args, MEANING[bad])}
                for place, (function, call) in enumerate(functions.items()):
                    if place and (hash_of(kind + method + bad) + place) % len(functions):
                        continue  # all go through the first function, and some through another one
                    yield _call(f"{function}({kind}.{method}: {bad})", call, wrong, right, kind)
    for bad, body in LATE.items():
        for function, call in {"simulate": with_arms, "identify": looked_at, "compare": compared}.items():
            for method in ("draw", "draw_next"):
                args = ARMS["draw"][0] if method == "draw" else MORE_ARMS["draw_next"][0]
                same = bad == "huge now and then" and function == "identify"
                wrong = {**ARMS, method: (args, body)}
                yield _call(f"{function}(Arms.{method}: {bad})", call, wrong, wrong if same else None, "Arms")
        # Compiled code is made for every such class anew, which takes seconds.
        if not bad.startswith(("inf", "huge")):
            wrong = {**ARMS, "draw": (ARMS["draw"][0], body)}
            yield _call(f"simulate compiled(Arms.draw: {bad})", with_arms, wrong, None, "Arms", compiled=True)
            yield _call(f"identify compiled(Arms.draw: {bad})", looked_at, wrong, None, "Arms", compiled=True)
    late = "        if run[0] > 5.0:;             raise ValueError('late');         return 0.0"
    for function, call in {"simulate compiled": with_policy, "Learner compiled": live}.items():
        wrong = {**POLICY, "score": (POLICY["score"][0], late)}
        yield _call(f"{function}(Policy.score: raise late)", call, wrong, None, "Policy", compiled=True)
    for function, call in {"simulate": with_policy, "Learner": live}.items():
        for method in POLICY:
            for words in ("state[7]", "raised()"):
                args, body = POLICY[method]
                late = f"{body} if run[0] < 4.0 else {'1 // 0' if words == 'raised()' else 'state[0, 0, 0]'}"
                name = f"{function}(Policy.{method}: {words} late)"
                yield _call(name, call, {**POLICY, method: (args, late)}, None, "Policy")


def hash_of(text: str) -> int:
    return sum(map(ord, text))


def _call(name: str, call: Any, wrong: Any, right: Any, kind: str, compiled: bool = False) -> Call:
    return Call(
        name,
        lambda: call(made(wrong, kind)),
        None if right is None else lambda: call(made(right, kind)),
        compiled,
        60.0 if compiled else 30.0,
    )
