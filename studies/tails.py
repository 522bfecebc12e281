"""How large the regret of a policy with a small mean regret can get: its tail, with and without a known horizon.

`python -m studies.tails` simulates it and prints the numbers of docs/studies/tails.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits import (
    UCB1,
    UCBV,
    BernoulliArms,
    GaussianArms,
    GaussianTS,
    HorizonUCB,
    Mean,
    Problem,
    Result,
    simulate,
)
from riskbandits.metrics import exact_pseudo_regret, locked
from studies import panels

if TYPE_CHECKING:
    import pandas as pd

SEED = 1
HORIZONS = (1_000, 4_000)
LARGE = 10.0  # times the median: a regret that nobody expects


class Setting(NamedTuple):
    """Policies on a problem; the horizons at which they are played are those of the study."""

    problem: Problem
    policies: tuple[Any, ...]


SETTINGS = {
    # The bonus of UCB1 is made for a variance of 1/4; with 1 it is the smallest that is still optimal in the mean.
    "Gaussian": Setting(
        Problem(GaussianArms([1.0, 0.0], [1.0, 1.0]), Mean()),
        (UCB1(), UCB1(1.5), GaussianTS(), HorizonUCB()),
    ),
    # Rewards of 0 or 1: the constants of the authors of UCB-V, and a quarter of them.
    "Bernoulli": Setting(
        Problem(BernoulliArms([0.6, 0.3]), Mean()),
        (UCBV(), UCBV(exploration=0.3), UCB1(0.4), HorizonUCB(0.4)),
    ),
}


def play(setting: Setting, horizon: int, runs: int, **how: Any) -> Result:
    """One horizon; policies that do not know it are played anew as well, so that all runs are independent."""
    return simulate(setting.problem, setting.policies, horizon=horizon, runs=runs, seed=SEED, **how)


def tails(result: Result) -> pd.DataFrame:
    """One row per policy: mean, median and far quantiles of regret, the share of large regrets and of locked runs."""
    import pandas as pd

    rows = []
    for trace in result.traces:
        regrets = exact_pseudo_regret(trace)[:, -1]
        median = float(np.median(regrets))
        rows.append(
            {
                "policy": trace.label,
                "mean": regrets.mean(),
                "median": median,
                "99.9 %": np.quantile(regrets, 0.999),
                "largest": regrets.max(),
                "large": (regrets > LARGE * median).mean(),
                "locked": locked(trace).mean(),
            }
        )
    return pd.DataFrame(rows)


def main() -> None:
    """Simulate and print."""
    chosen = panels.arguments("studies.tails", "How large the regret of a good policy can get.", runs=50_000)
    for name, setting in SETTINGS.items():
        for horizon in HORIZONS:
            found = play(setting, horizon, chosen.runs, workers=chosen.workers, store=chosen.store)
            print(f"\n{name} arms, {horizon} steps, {chosen.runs} runs")
            print(tails(found).to_string(index=False, float_format="{:.4g}".format))


if __name__ == "__main__":
    main()
