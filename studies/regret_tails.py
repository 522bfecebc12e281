"""How large the regret of a policy with a small mean regret can get: its tail, with and without a known horizon.

`python -m studies.regret_tails` simulates it and prints the numbers of docs/studies/tails.md.
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
HORIZON = 2_000
LARGE = 100.0  # about ten times what a good policy loses here
DEVIATIONS = (0.4, 0.6, 0.8, 1.0, 1.5)  # how much the bonus is worth; 1 is what the theory of the mean asks for
EXPLORATIONS = (0.03, 0.1, 0.3, 1.2)  # the last is that of the authors of UCB-V


class Setting(NamedTuple):
    """Policies on a problem."""

    problem: Problem
    policies: tuple[Any, ...]


SETTINGS = {
    "Gaussian": Setting(
        Problem(GaussianArms([1.0, 0.0], [1.0, 1.0]), Mean()),
        (
            *(UCB1(deviation) for deviation in DEVIATIONS),
            *(HorizonUCB(deviation) for deviation in DEVIATIONS),
            GaussianTS(),
        ),
    ),
    "Bernoulli": Setting(
        Problem(BernoulliArms([0.6, 0.3]), Mean()),
        tuple(UCBV(exploration=exploration) for exploration in EXPLORATIONS),
    ),
}


def play(setting: Setting, runs: int, **how: Any) -> Result:
    """Play all policies of a setting."""
    return simulate(setting.problem, setting.policies, horizon=HORIZON, runs=runs, seed=SEED, **how)


def tails(result: Result) -> pd.DataFrame:
    """One row per policy: mean, median and a far quantile of regret, the share of large regrets and of locked runs."""
    import pandas as pd

    rows = []
    for trace in result.traces:
        regrets = exact_pseudo_regret(trace)[:, -1]
        rows.append(
            {
                "policy": trace.label,
                "mean": regrets.mean(),
                "median": np.median(regrets),
                "99.9 %": np.quantile(regrets, 0.999),
                f"above {LARGE:g}": (regrets > LARGE).mean(),
                "locked": locked(trace).mean(),
            }
        )
    return pd.DataFrame(rows)


def main() -> None:
    """Simulate and print."""
    about = "How large the regret of a good policy can get."
    chosen = panels.arguments("studies.regret_tails", about, runs=20_000, figure=False)
    for name, setting in SETTINGS.items():
        found = play(setting, chosen.runs, workers=chosen.workers, store=chosen.store)
        print(f"\n{name} arms, {HORIZON} steps, {chosen.runs} runs")
        print(tails(found).to_string(index=False, float_format="{:.4g}".format))


if __name__ == "__main__":
    main()
