"""Six public routing workloads, rebuilt from their description: ours beside the rules that their authors name.

    python -m studies.routing_workloads --runs 30

vllm-project/semantic-router describes six bandit workloads in bench/mab_comparison, all with rewards of 0 and 1: three
arms far apart, five close ones, a flip after 5000 of 10 000 steps, a gradual drift, two contexts with different best
arms, and a start with a prior, which is right; a wrong one is added here. Their production rule is Beta-Bernoulli
Thompson sampling (`BernoulliTS`), the academic one `UCB1`. The write-up is in docs/studies/routing-workloads.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

import riskbandits as rb

HORIZON = 10_000
PIECES = 100  # of the gradual drift
POLICIES: dict[str, Any] = {
    "BernoulliTS": rb.BernoulliTS(),
    "UCB1": rb.UCB1(),
    "Restarting(BernoulliTS)": rb.Restarting(rb.BernoulliTS(), binary=True),
    "Discounted(BernoulliTS, 500)": rb.Discounted(rb.BernoulliTS(), half_life=500),
}
APART, FLIPPED = [0.9, 0.5, 0.1], [0.1, 0.5, 0.9]
CLUSTERS = ([0.85, 0.5, 0.15], [0.15, 0.5, 0.85])
RIGHT = {0: [1, 1], 1: [0, 1], 2: [0, 0]}  # what a prior saw of each arm; theirs has the weight of two rewards
WRONG = {0: [0, 0, 0, 0, 0, 1], 1: [0, 1, 0, 1, 0, 1], 2: [1, 1, 1, 1, 1, 0]}


def workloads() -> dict[str, tuple[Any, int]]:
    """Arms and steps of the workloads that need neither context nor prior."""
    pieces = []
    for piece in range(PIECES):
        progress = (piece + 0.5) / PIECES
        arms = rb.BernoulliArms([0.9 - 0.6 * progress, 0.5, 0.1 + 0.6 * progress])
        pieces.append((1 + piece * HORIZON // PIECES, arms))
    flip = [(1, rb.BernoulliArms(APART)), (HORIZON // 2 + 1, rb.BernoulliArms(FLIPPED))]
    return {
        "stationary, 3 arms": (rb.BernoulliArms(APART), HORIZON),
        "stationary, 5 close arms": (rb.BernoulliArms([0.62, 0.60, 0.58, 0.56, 0.54]), 2 * HORIZON),
        "flip at 5000": (rb.PiecewiseArms(flip), HORIZON),
        "gradual drift": (rb.PiecewiseArms(pieces), HORIZON),
    }


def simulated(arms: Any, steps: int, runs: int) -> dict[str, tuple[float, float]]:
    """Regret of the mean and its standard error, by policy."""
    problem = rb.Problem(arms, rb.Mean())
    table = rb.simulate(problem, POLICIES, horizon=steps, runs=runs, seed=1, progress=False).final()
    name = "dynamic_regret" if "dynamic_regret_mean" in table.columns else "pseudo_regret"
    return {row["policy"]: (row[f"{name}_mean"], row[f"{name}_se"]) for row in table.to_dict(orient="records")}


def played(policy: Any, seed: int, data: Any, clusters: bool, aware: bool) -> float:
    """Regret of one run of learners: with a prior, or with two contexts that it knows of or does not."""
    rng = np.random.default_rng((seed, 9))
    learners = [rb.Learner(policy, 3, rb.Mean(), seed=(seed + 1) * 10 + k, data=data) for k in range(2 if aware else 1)]
    regret = 0.0
    for _ in range(HORIZON):
        context = int(rng.integers(2)) if clusters else 0
        means = CLUSTERS[context] if clusters else APART
        learner = learners[context if aware else 0]
        arm = int(learner.ask())
        regret += max(means) - means[arm]
        learner.tell(arm, float(rng.random() < means[arm]))
    return regret


def study(runs: int) -> dict[str, dict[str, tuple[float, float]]]:
    """Regrets by workload and policy."""
    found = {name: simulated(arms, steps, runs) for name, (arms, steps) in workloads().items()}
    cases = {
        "two contexts, not seen": (None, True, False),
        "two contexts, a learner each": (None, True, True),
        "a right prior": (RIGHT, False, False),
        "a wrong prior": (WRONG, False, False),
    }
    for name, (data, clusters, aware) in cases.items():
        found[name] = {}
        for label, policy in POLICIES.items():
            regrets = np.array([played(policy, seed, data, clusters, aware) for seed in range(max(3, runs // 10))])
            found[name][label] = (regrets.mean(), regrets.std(ddof=1) / np.sqrt(len(regrets)))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m studies.routing_workloads", description="Six public routing workloads, rebuilt."
    )
    parser.add_argument("--runs", type=int, default=30, help="runs; a tenth of them with learners (default: 30)")
    found = study(parser.parse_args(arguments).runs)
    print(f"| workload | {' | '.join(POLICIES)} |\n|---|{'---|' * len(POLICIES)}")
    for name, row in found.items():
        cells = (f"{mean:.0f} ± {error:.0f}" for mean, error in (row[label] for label in POLICIES))
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
