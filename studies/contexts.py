"""When features of decisions pay: `LinearNGTS` against `NGTS` and linear Thompson sampling for the mean.

python -m studies.contexts [problems] [runs]

Random problems with 6 arms and 5 standard normal features: coefficients of a standard deviation, variances spread
evenly in their logarithm. Regrets at 4000 steps, means over problems and runs.
"""

from __future__ import annotations

import math
import sys
from typing import Any, NamedTuple

import numpy as np

import riskbandits as rb

MEAN = rb.Mean()
ARMS, FEATURES, STEPS = 6, 5, 4000
KINDS = {  # the standard deviation of coefficients, and the least and largest variance
    "0.5, 0.05 to 2": (0.5, 0.05, 2.0),
    "0.05, 0.05 to 2": (0.05, 0.05, 2.0),
    "0.5, 0.4 to 0.6": (0.5, 0.4, 0.6),
}


class Variant(NamedTuple):
    """`LinearNGTS` with the best of several draws per arm, as `NGTS` has; or for another goal than the problem's."""

    policy: Any = rb.LinearNGTS()
    draws: int = 1
    for_the_mean: bool = False

    def score(self, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
        """The best draw."""
        best = -math.inf
        for _ in range(self.draws):
            if self.for_the_mean:
                best = max(best, self.policy.score(state, k, run, MEAN, rng))
            else:
                best = max(best, self.policy.score(state, k, run, risk, rng))
        return best

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        """As the policy."""
        self.policy.learn(state, k, run, reward)

    def feature_count(self) -> int:
        """Those of the policy."""
        return int(self.policy.features)

    def first_pulls(self) -> int:
        """One."""
        return 1

    def width(self) -> int:
        """That of the policy."""
        return int(self.policy.width())


def problem(rng: np.random.Generator, deviation: float, low: float, high: float) -> rb.Problem:
    """A random problem."""
    variances = np.exp(rng.uniform(np.log(low), np.log(high), ARMS))
    return rb.Problem(rb.LinearArms(rng.normal(0.0, deviation, (ARMS, FEATURES)), variances), rb.MeanVariance(1.0))


def main(problems: int = 20, runs: int = 5) -> None:
    """Print the table."""
    policies = {
        "LinearNGTS": rb.LinearNGTS(),
        "for the mean": Variant(for_the_mean=True),
        "without features": rb.NGTS(),
        "3 draws": Variant(draws=3),
    }
    print(f"| coefficients, variances | {' | '.join(policies)} |")
    print(f"|---|{'---|' * len(policies)}")
    for name, kind in KINDS.items():
        rng, totals = np.random.default_rng(2026), dict.fromkeys(policies, 0.0)
        for number in range(problems):
            result = rb.simulate(
                problem(rng, *kind), policies, horizon=STEPS, runs=runs, seed=number, checkpoints=[STEPS],
                progress=False,
            )  # fmt: skip
            for row in result.final().to_dict(orient="records"):
                totals[row["policy"]] += row["contextual_regret_mean"]
        print(f"| {name} | {' | '.join(f'{total / problems:.0f}' for total in totals.values())} |", flush=True)


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:3]))
