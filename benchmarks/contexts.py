"""What a step and a learner's decision cost with features: 10 arms, 20 features; processor time, in microseconds.

python benchmarks/contexts.py
"""

import statistics
import time
from typing import Any

import numpy as np
from measure import one_run

import riskbandits as rb
from riskbandits.policies.support.contract import with_features
from riskbandits.policies.support.naming import label

ARMS, FEATURES, STEPS, DECISIONS, TURNS = 10, 20, 20_000, 2_000, 7
RISK = rb.MeanVariance(1.0)


def step(policy: Any) -> float:
    """A step of a simulation."""
    coefficients = np.random.default_rng(1).normal(0.0, 0.3, (ARMS, FEATURES))
    problem = rb.Problem(rb.LinearArms(coefficients, np.ones(ARMS)), RISK)
    play = one_run(with_features(policy, FEATURES), problem, "plain", STEPS)
    return statistics.median(play(turn) for turn in range(TURNS)) / 1e3


def decision(policy: Any, names: list[str]) -> float:
    """`decide` and `answer` of a learner."""
    learner = rb.Learner(policy, ARMS, RISK, features=names)
    rows = np.random.default_rng(1).normal(size=(DECISIONS, len(names))).tolist()
    given = [dict(zip(names, row, strict=True)) if names else None for row in rows]
    times = []
    for _ in range(TURNS):
        start = time.thread_time()
        for turn, features in enumerate(given):
            learner.answer(learner.decide(features=features).id, 0.1 * (turn % 10))
        times.append((time.thread_time() - start) / DECISIONS * 1e6)
    return statistics.median(times)


if __name__ == "__main__":
    print("| policy | a step | decide and answer |\n|---|---|---|")
    for policy in (rb.LinearNGTS(), rb.Discounted(rb.LinearNGTS()), rb.NGTS()):
        names = [] if isinstance(policy, rb.NGTS) else [f"x{k}" for k in range(FEATURES)]
        print(f"| {label(policy)} | {step(policy):.2f} | {decision(policy, names):.1f} |")
