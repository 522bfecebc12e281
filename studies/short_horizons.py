"""What a horizon costs that was given too short: the recommended policy goes on where it thought the run would end.

    python -m studies.short_horizons --runs 40

plays 30 000 steps of which all, half or a tenth were given, with a `Learner`, and prints the regret. The write-up is in
docs/studies/better-than-mvts.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.progress import track

from riskbandits import Learner, Problem, SwitchingAware
from riskbandits.problems import zhu_tan_gaussian
from studies.better_settings import tie

if TYPE_CHECKING:
    import pandas as pd

STEPS = 30_000
SHARES = (1.0, 0.5, 0.1)  # of the steps that are given
PROBLEMS = {"tie 1 0.05 0.03": tie("1 0.05 0.03"), "paper's arms, rho = 0.3": zhu_tan_gaussian(0.3)}


def regret(problem: Problem, steps: int, given: int, seed: int) -> float:
    """The exact pseudo-regret of one run of so many steps, of which the learner was told fewer.

    >>> regret(PROBLEMS["tie 1 0.05 0.03"], 20, 10, seed=1) > 0.0
    True
    """
    rng = np.random.default_rng(seed)
    means, deviations = problem.means, np.sqrt(problem.variances)
    arms = list(range(problem.size))
    learner = Learner(SwitchingAware(), arms=arms, risk=problem.risk, horizon=given, seed=seed)
    plays = np.zeros(problem.size)
    for _ in range(steps):
        arm = learner.ask()
        plays[arm] += 1.0
        learner.tell(arm, float(rng.normal(means[arm], deviations[arm])))
    stream = plays @ means / steps
    return float(plays @ (problem.gaps + (means - stream) ** 2))


def table(runs: int, steps: int = STEPS) -> pd.DataFrame:
    """Mean regret and its standard error, per problem and share of the steps that is given."""
    import pandas as pd

    rows = []
    cases = [(name, share) for name in PROBLEMS for share in SHARES]
    for name, share in track(cases, "Playing", console=Console(stderr=True)):
        found = [regret(PROBLEMS[name], steps, round(share * steps), seed) for seed in range(runs)]
        error = np.std(found, ddof=1) / np.sqrt(runs)
        rows.append({"problem": name, "given": round(share * steps), "regret": np.mean(found), "se": error})
    return pd.DataFrame(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m studies.short_horizons",
        description="What a horizon costs that was given too short.",
        epilog="Example: python -m studies.short_horizons --runs 4",
    )
    parser.add_argument("--runs", type=int, default=40, help="runs per problem and horizon (default: 40)")
    given = parser.parse_args(arguments)
    print(table(given.runs).to_string(index=False, float_format=lambda value: f"{value:.4g}"))


if __name__ == "__main__":
    main()
