"""Rewards that are often exactly zero: how often the best arm is shut out, and what that costs.

    python -m studies.hurdle --problems 30 --runs 200

draws problems from a seed: arms that pay an amount with probability p and otherwise nothing. Prints, per horizon and
policy, the share of runs that play the best arm less than 5 % of the time, on average over problems and for the worst
of them; and the regret as a share of that of uniform play, and relative to that of `NGTS`. The write-up is in
docs/how-to/rewards-often-zero.md.

- `shops`: 2 to 6 arms, p from 1 % to 60 %, amounts from 1 to 1000, the best arm worth at least 1.15 times the next.
- `wide`: 2 to 30 arms, p from 0.1 % to 60 %, a third of the arms with refunds, whose amounts are negative or of either
  sign; any gap.
- `coins`: 2 to 6 arms that pay 1 with probabilities from 0.1 % to 30 %; with the policies for rewards 0 and 1.

The risk tolerance is 2 to 1000 times the typical amount, of `coins` 0.1 to 1000.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from riskbandits import (
    BMVTS,
    NGTS,
    BernoulliArms,
    HurdleArms,
    HurdleTS,
    MeanVariance,
    Problem,
    SwitchingAware,
    simulate,
)
from riskbandits.errors import ScaleWarning

HORIZONS = {"shops": (3000, 30_000), "wide": (300, 3000, 100_000), "coins": (1000, 10_000)}
SHUT_OUT = 0.05  # of the pulls: a run with fewer of the best arm has shut it out
LEAD = 1.15
MOST_SCORES = 1_000_000  # arms x steps: longer runs of many arms are cut
SEED = 20_261_118


class Found(NamedTuple):
    """What one policy did on one problem."""

    shut_out: float  # the share of runs
    regret: float  # sum of gaps over pulls, as a share of uniform play's


def shop(rng: np.random.Generator) -> Problem:
    """Prices or baskets; the best is worth at least 1.15 times the next."""
    while True:
        size = int(rng.integers(2, 7))
        probabilities = np.exp(rng.uniform(np.log(0.01), np.log(0.6), size))
        means = 10.0 ** rng.uniform(0.0, 3.0, size)
        spread = rng.choice([0.0, 0.1, 0.5])
        problem = _problem(rng, probabilities, means, spread * means)
        best, second = np.sort(problem.values)[::-1][:2]
        if best > 0.0 and second < best / LEAD:
            return problem


def wide(rng: np.random.Generator) -> Problem:
    """Any number of arms, rare sales, refunds."""
    size = int(rng.choice([2, 3, 6, 12, 30]))
    probabilities = np.exp(rng.uniform(np.log(0.001), np.log(0.6), size))
    means = 10.0 ** rng.uniform(0.0, 3.0, size)
    means = np.where(rng.random(size) < 1.0 / 3.0, -rng.uniform(0.0, 1.0, size) * means, means)
    return _problem(rng, probabilities, means, rng.choice([0.0, 0.1, 0.5, 2.0], size) * np.abs(means))


def coins(rng: np.random.Generator) -> Problem:
    """Rewards 0 and 1."""
    probabilities = np.exp(rng.uniform(np.log(0.001), np.log(0.3), int(rng.integers(2, 7))))
    return Problem(BernoulliArms(probabilities), MeanVariance(float(rng.choice([0.1, 2.0, 10.0, 1000.0]))))


def _problem(rng: np.random.Generator, p: np.ndarray, means: np.ndarray, deviations: np.ndarray) -> Problem:
    typical = float(np.exp(np.log(np.abs(means)).mean()))
    rho = typical * float(rng.choice([2.0, 10.0, 100.0, 1000.0]))
    return Problem(HurdleArms(p, means, deviations**2), MeanVariance(rho))


MAKE = {"shops": shop, "wide": wide, "coins": coins}


def policies_for(problem: Problem) -> dict[str, Any]:
    """What is compared; known amounts are the arms' means."""
    if isinstance(problem.arms, BernoulliArms):
        both = {"SwitchingAware": SwitchingAware(), "SwitchingAware:bernoulli": SwitchingAware.bernoulli()}
        return {"NGTS": NGTS(), "BMVTS": BMVTS(), **both}
    return {
        "NGTS": NGTS(),
        "SwitchingAware": SwitchingAware(),
        "HurdleTS": HurdleTS(),
        "HurdleTS, known amounts": HurdleTS(amounts=problem.arms.means),
    }


def measure(problem: Problem, horizon: int, runs: int, seed: int, workers: int | None = None) -> dict[str, Found]:
    """Every policy on one problem."""
    horizon = min(horizon, MOST_SCORES // problem.size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScaleWarning)
        result = simulate(
            problem, policies_for(problem), horizon=horizon, runs=runs, seed=seed, workers=workers, progress=False
        )
    uniform = horizon * problem.gaps.mean()
    return {
        trace.label: Found(
            float((trace.pulls[:, problem.best_arm] < SHUT_OUT * horizon).mean()),
            float((trace.pulls @ problem.gaps).mean() / uniform),
        )
        for trace in result.traces
    }


def study(kind: str, horizon: int, problems: int, runs: int, workers: int | None = None) -> list[dict[str, Found]]:
    """A list with what was found on each problem."""
    rng = np.random.default_rng([SEED, sorted(MAKE).index(kind)])
    made = [MAKE[kind](rng) for _ in range(problems)]
    return [
        measure(problem, horizon, runs, number, workers)
        for number, problem in track(list(enumerate(made)), f"{kind}, {horizon} steps", transient=True)
    ]


def lines(found: Sequence[Mapping[str, Found]]) -> list[tuple[str, float, float, float, float, float]]:
    """Per policy: shut out on average and at most, regret, regret relative to NGTS's, and the mean of logarithms."""
    made = []
    usual = np.array([one["NGTS"].regret for one in found])
    for label in found[0]:
        shut = np.array([one[label].shut_out for one in found])
        regret = np.array([one[label].regret for one in found])
        some = (regret > 0.0) & (usual > 0.0)
        ratio = float(np.exp(np.log(regret[some] / usual[some]).mean()))
        made.append(
            (label, float(shut.mean()), float(shut.max()), float(regret.mean()), regret.mean() / usual.mean(), ratio)
        )
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kinds", default="shops,wide,coins")
    parser.add_argument("--problems", type=int, default=30)
    parser.add_argument("--runs", type=int, default=200, help="at the shortest horizon; fewer at longer ones")
    parser.add_argument("--workers", type=int, default=None)
    options = parser.parse_args(arguments)
    console = Console(width=110)
    for kind in options.kinds.split(","):
        for horizon in HORIZONS[kind]:
            runs = max(20, options.runs * HORIZONS[kind][0] // horizon)
            table = Table("policy", "shut out", "at most", "regret", "of NGTS's", "geometric", title="")
            table.title = f"{kind}, {horizon} steps, {options.problems} problems, {runs} runs"
            for label, *numbers in lines(study(kind, horizon, options.problems, runs, options.workers)):
                shut, worst, regret, relative, ratio = numbers
                table.add_row(
                    label, f"{100 * shut:.1f} %", f"{100 * worst:.0f} %", f"{regret:.3f}", f"{relative:.2f}",
                    f"{ratio:.2f}",
                )  # fmt: skip
            console.print(table)


if __name__ == "__main__":
    main()
