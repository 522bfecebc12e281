"""How close to the best policy of every problem a single policy can be: a lower bound for two arms.

    python -m studies.limits --runs 400

A policy can be made for a problem: one that happens to stay with the right arm has hardly any regret there, and a large
one elsewhere. So no policy is close to the best of several on all problems, and this computes how close is possible.
The write-up is in docs/studies/better-than-mvts.md.

*The bound.* One arm is calm, and everything is known about it; of the other one, whose rewards have variance 1,
everything is known but its lead over the calm arm, which is one of a few. Only rewards of this wild arm say anything
about its lead, and the exact pseudo-regret depends on the numbers of plays alone. So it does not matter when the calm
arm is played, and a policy is a rule that says after every reward of the wild arm whether to go on to the next one.
With weights w_i that sum to 1 and targets b_i, such as the regret of the best of several policies,

    max_i R_i / b_i >= sum_i w_i R_i / b_i >= the least such sum of all rules,

and the last is a problem of optimal stopping, solved backwards from the horizon. It holds for every policy, since one
that knows less cannot do better.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track

from riskbandits import NGTS, GaussianArms, MeanVariance, Problem, SwitchingAware, simulate
from riskbandits.metrics import exact_pseudo_regret
from studies.fresh import DEFAULT, HOLD_EVERYWHERE, POLICIES

CELLS_PER_DEVIATION = 4  # of a step of the random walk: with four times as many, sums change by less than 0.1 %
DEVIATIONS = 7.0  # how far the walk is followed
STEPS_WHILE_SEARCHING = 150  # for good weights; the bound itself looks after every reward
ROUNDS = 40
BOLDER = "optimism 320"


class Duel(NamedTuple):
    """A calm arm and a wild one, of variance 1, that is better by one of the leads (worse where they are negative)."""

    rho: float
    calm: float  # the variance of the calm arm, whose mean is 0
    horizon: int
    leads: tuple[float, ...]

    def problem(self, lead: float) -> Problem:
        """The problem with this lead.

        >>> Duel(rho=2.0, calm=0.5, horizon=100, leads=()).problem(0.25).values.round(9).tolist()
        [-0.5, -0.25]
        """
        return Problem(GaussianArms([0.0, self.distance(lead)], [self.calm, 1.0]), MeanVariance(self.rho))

    def distance(self, lead: float) -> float:
        """The mean of the wild arm."""
        return (1.0 - self.calm + lead) / self.rho

    def regrets(self, lead: float) -> np.ndarray:
        """The exact pseudo-regret by the number of plays of the wild arm, from none to all."""
        wild = np.arange(self.horizon + 1.0)
        calm = self.horizon - wild
        return np.where(lead > 0.0, lead * calm, -lead * wild) + wild * calm / self.horizon * self.distance(lead) ** 2


def least(duel: Duel, costs: np.ndarray, every: int = 1) -> np.ndarray:
    """The expected cost under each lead of the rule whose costs have the least sum.

    `costs` has a row per lead and a column per number of plays of the wild arm. A rule is asked after every so many
    plays, a divisor of the horizon; only with 1 is it the best of all rules.

    >>> duel = Duel(rho=1.0, calm=0.5, horizon=20, leads=(0.5,))
    >>> least(duel, duel.regrets(0.5)[np.newaxis]).round(9).tolist()  # what is certain costs nothing
    [0.0]
    """
    means = np.array(duel.leads) / duel.rho  # of the rewards, less what they would be without a lead
    far = DEVIATIONS * math.sqrt(duel.horizon)
    cell = math.sqrt(every) / CELLS_PER_DEVIATION
    cells = np.arange(
        math.floor((means.min() * duel.horizon - far) / cell), math.ceil((means.max() * duel.horizon + far) / cell)
    )
    total = cell * cells
    taps = np.arange(-int(DEVIATIONS * CELLS_PER_DEVIATION), int(DEVIATIONS * CELLS_PER_DEVIATION) + 1)
    kernel = np.exp(-0.5 * (cell * taps) ** 2 / every)
    kernel /= kernel.sum()

    def stopped(plays: int) -> np.ndarray:
        # Expectations are those without a lead, times the likelihood ratio.
        return costs[:, plays, np.newaxis] * np.exp(np.outer(means, total) - 0.5 * plays * means[:, np.newaxis] ** 2)

    found = stopped(duel.horizon)
    for plays in range(duel.horizon - every, -1, -every):
        further = np.array([_mean_after(row, kernel) for row in found])
        now = stopped(plays)
        found = np.where(now.sum(axis=0) <= further.sum(axis=0), now, further)
    start: np.ndarray = found[:, -cells[0]]
    return start


def _mean_after(values: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    width = len(kernel) // 2
    return np.convolve(np.pad(values, width, mode="edge"), kernel, mode="valid")


def bound(duel: Duel, targets: Sequence[float]) -> tuple[float, np.ndarray]:
    """What the largest ratio of regret to target is at least, for every policy; and the weights that show it.

    Any weights do. Those here follow from a search: leads on which the rule comes off badly gain weight.
    """
    ratios = np.array([duel.regrets(lead) / target for lead, target in zip(duel.leads, targets, strict=True)])
    weights = best = np.full(len(duel.leads), 1.0 / len(duel.leads))
    most = 0.0
    every = max(1, duel.horizon // STEPS_WHILE_SEARCHING)
    while duel.horizon % every:
        every -= 1
    for round_number in range(ROUNDS):
        parts = least(duel, weights[:, np.newaxis] * ratios, every)
        if parts.sum() > most:
            most, best = parts.sum(), weights
        shares = parts / weights / max(parts.sum(), 1e-12)
        weights = weights * np.exp(np.clip(shares - 1.0, -2.0, 2.0) / math.sqrt(1.0 + round_number))
        weights = np.maximum(weights / weights.sum(), 1e-6)
        weights = weights / weights.sum()
    return float(least(duel, best[:, np.newaxis] * ratios).sum()), best


def measured(duel: Duel, lead: float, runs: int, seed: int = 0) -> dict[str, tuple[float, float]]:
    """Mean regret of each policy on the problem with this lead, and its standard error."""
    policies: dict[str, Any] = POLICIES | {BOLDER: SwitchingAware(NGTS(optimism=320.0))}
    result = simulate(duel.problem(lead), policies, horizon=duel.horizon, runs=runs, seed=seed, progress=False)
    found = {}
    for trace in result.traces:
        regret = exact_pseudo_regret(trace)[:, -1]
        found[trace.label] = float(regret.mean()), float(regret.std(ddof=1) / math.sqrt(runs))
    return found


def targets_of(measurements: Sequence[dict[str, tuple[float, float]]], labels: Sequence[str]) -> list[float]:
    """The regret of the best of these policies under each lead, and two standard errors: not to gain by their luck."""
    return [min(one[label][0] + 2.0 * one[label][1] for label in labels) for one in measurements]


DUELS = tuple(
    Duel(rho, 0.005, horizon, (lead, -lead, -2.0 * lead, -4.0 * lead))
    for rho, horizon, lead in ((6.7, 3000, 0.083), (10.0, 3000, 0.2), (8.0, 10_000, 0.1), (4.1, 10_000, 0.064))
)


def row(duel: Duel, runs: int) -> dict[str, Any]:
    """A line of the table."""
    measurements = [measured(duel, lead, runs) for lead in duel.leads]
    four, everybody = targets_of(measurements, list(HOLD_EVERYWHERE)), targets_of(measurements, list(POLICIES))
    ours = {
        label: max(one[label][0] / best for one, best in zip(measurements, four, strict=True))
        for label in (DEFAULT, BOLDER)
    }
    return {
        "rho": duel.rho,
        "n": duel.horizon,
        "leads": ", ".join(f"{lead:g}" for lead in duel.leads),
        "best of the four": ", ".join(f"{one:.3g}" for one in four),
        "best of all": ", ".join(f"{one:.3g}" for one in everybody),
        "of the four >=": bound(duel, four)[0],
        "of all >=": bound(duel, everybody)[0],
    } | ours


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate the duels and print the bounds."""
    import pandas as pd

    parser = argparse.ArgumentParser(
        prog="python -m studies.limits",
        description="How close to the best policy of every problem a single policy can be.",
        epilog="Example: python -m studies.limits --runs 50",
    )
    parser.add_argument("--runs", type=int, default=400, help="runs per policy and problem (default: 400)")
    given = parser.parse_args(arguments)
    rows = [row(duel, given.runs) for duel in track(DUELS, "Duels", console=Console(stderr=True))]
    print(pd.DataFrame(rows).to_string(index=False, float_format=lambda value: f"{value:.3g}"))


if __name__ == "__main__":
    main()
