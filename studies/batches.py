"""What it costs to set shares once per batch: a platform splits traffic by weights, and rewards come all at once.

    python -m studies.batches --runs 10

Three arms, 6000 decisions. At the beginning of every batch a learner's `probabilities()` are the shares by which the
decisions of the batch are drawn, after equal shares in the first; at its end all rewards are told. The regret is the
sum of the gaps of what was chosen, for mean-variance. The write-up is in docs/production.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

import riskbandits as rb

DECISIONS = 6000
BATCHES = (1, 10, 100, 500, 1500)
PROBLEM = rb.Problem(rb.GaussianArms([0.0, 0.3, 0.5], [0.5, 0.5, 1.5]), rb.MeanVariance(1.0))
GAPS = PROBLEM.values.max() - PROBLEM.values


def regret(batch: int, seed: int, decisions: int = DECISIONS) -> float:
    """The sum of gaps of one run."""
    rng = np.random.default_rng((seed, batch))
    learner = rb.Learner(rb.NGTS(), 3, PROBLEM.risk, seed=seed)
    lost = 0.0
    for number in range(decisions // batch):
        if batch == 1:
            arms = [int(learner.ask())]
        else:
            # Before an arm has rewards it is chosen with certainty: a whole batch of it would be wasted.
            shares = np.ones(3) if number == 0 else learner.probabilities(trials=300)["probability"].to_numpy()
            arms = rng.choice(3, size=batch, p=shares / shares.sum()).tolist()
        lost += float(GAPS[arms].sum())
        rewards = rng.normal(PROBLEM.means[arms], np.sqrt(PROBLEM.variances[arms]))
        learner.tell(arms, rewards.tolist())
    return lost


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print the table."""
    parser = argparse.ArgumentParser(prog="python -m studies.batches", description="What batches cost.")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--decisions", type=int, default=DECISIONS)
    given = parser.parse_args(arguments)
    print("| decisions per batch | regret |\n|---|---|")
    for batch in BATCHES:
        found = np.array([regret(batch, seed, given.decisions) for seed in range(given.runs)])
        print(f"| {batch} | {found.mean():.0f} ± {found.std(ddof=1) / np.sqrt(given.runs):.0f} |")
    print(f"\nEqual shares cost {GAPS.mean():.3f} per decision.")


if __name__ == "__main__":
    main()
