"""What a learner believes of its arms, when rewards are skewed and the policy itself chose what was seen.

    python -m studies.beliefs --runs 60

Random problems of five arms, rho = 1, 2000 decisions of a `Learner` with a horizon. After 50, 200 and 2000 of them
prints how often the 95 % interval of the arm that `best()` names holds its true value, how often it is said to be
assured and holds then, how often the intervals of all arms hold, and how often the named arm is the best when this is
given a probability above 0.95. All with standard errors, over the policies together; and how often normal rewards are
said not to be assured. The write-up is in docs/studies/beliefs.md.

Rewards have means from N(0, 0.3^2) and variances from 0.05 to 1, and are normal; lognormal gains or losses, shifted and
scaled, of sigma 0.35 or 0.9; or normal with rare losses (one in 50, 6 standard deviations deep). `hurdle` pays amounts
around 1 to 5 with a probability from 2 % to 50 % and otherwise 0.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from riskbandits import KLUCBMV, MVLCB, MVTS, NGTS, HurdleTS, Learner, MeanVariance, SwitchingAware
from riskbandits.errors import ScaleWarning

ARMS = 5
RHO = 1.0
ANSWERS = (50, 200, 2000)
POLICIES = (SwitchingAware(), NGTS(), MVTS(), KLUCBMV(), MVLCB())
FOR_ZEROS = (SwitchingAware(), NGTS(), MVTS(), KLUCBMV(), HurdleTS())
RARE, DEPTH = 0.02, 6.0
SEED = 20_261_118

Draw = Callable[[int], float]


class Found(NamedTuple):
    """After so many answers of one run."""

    answers: int
    holds: bool  # the interval of the arm named
    assured: bool
    all_hold: float  # the share of the arms' intervals
    probability: float
    right: bool  # it is the best


def _lognormal(sigma: float, sign: float, rng: np.random.Generator) -> float:
    """A lognormal number with mean 0 and variance 1, or its negative."""
    grown = math.exp(sigma * sigma)
    return sign * (math.exp(sigma * rng.standard_normal()) - math.sqrt(grown)) / math.sqrt(grown * (grown - 1.0))


def _rare_loss(rng: np.random.Generator) -> float:
    """A normal number, one in 50 of them 6 standard deviations deeper, with mean 0 and variance 1."""
    lost = DEPTH * (rng.random() < RARE) - RARE * DEPTH
    return float((rng.standard_normal() - lost) / math.sqrt(1.0 + RARE * (1.0 - RARE) * DEPTH * DEPTH))


SHAPES: dict[str, Callable[[np.random.Generator], float]] = {
    "normal": lambda rng: float(rng.standard_normal()),
    "lognormal gains, 0.35": partial(_lognormal, 0.35, 1.0),
    "lognormal losses, 0.35": partial(_lognormal, 0.35, -1.0),
    "lognormal gains, 0.9": partial(_lognormal, 0.9, 1.0),
    "lognormal losses, 0.9": partial(_lognormal, 0.9, -1.0),
    "rare losses": _rare_loss,
}
KINDS = (*SHAPES, "hurdle")


def problem(kind: str, rng: np.random.Generator) -> tuple[Draw, np.ndarray]:
    """What draws the rewards of an arm, and the arms' true values."""
    if kind == "hurdle":
        p, means = np.exp(rng.uniform(np.log(0.02), np.log(0.5), ARMS)), rng.uniform(1.0, 5.0, ARMS)
        spread = 0.2 * means
        values = RHO * p * means - (p * spread**2 + p * (1.0 - p) * means**2)
        return lambda k: float((rng.random() < p[k]) * (means[k] + spread[k] * rng.standard_normal())), values
    means = 0.3 * rng.standard_normal(ARMS)
    deviations = np.sqrt(np.exp(rng.uniform(np.log(0.05), 0.0, ARMS)))
    shape = SHAPES[kind]
    return lambda k: float(means[k] + deviations[k] * shape(rng)), RHO * means - deviations**2


def run(kind: str, policy: Any, answers: Sequence[int], number: int) -> list[Found]:
    """One run, on a problem of its own."""
    rng = np.random.default_rng((SEED, KINDS.index(kind), number))
    draw, values = problem(kind, rng)
    learner = Learner(policy, ARMS, MeanVariance(RHO), horizon=answers[-1], seed=number)
    found = []
    for step in range(1, answers[-1] + 1):
        arm = learner.ask()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ScaleWarning)  # rewards that do not fit a policy are part of the study
            learner.tell(arm, draw(arm))
        if step in answers:
            best, table = learner.best(), learner.summary()
            holds = (table["low"] <= values) & (values <= table["high"])
            named = int(best.arm)
            found.append(
                Found(
                    step, bool(holds[named]), best.assured, float(holds.mean()), best.probability,
                    named == int(values.argmax()),
                )
            )  # fmt: skip
    return found


def study(kind: str, runs: int, answers: Sequence[int] = ANSWERS, workers: int = 1) -> list[Found]:
    """What was found in so many runs of each policy."""
    policies = FOR_ZEROS if kind == "hurdle" else POLICIES
    tasks = [(policies[number % len(policies)], number) for number in range(runs * len(policies))]
    if workers == 1:
        return [one for policy, number in tasks for one in run(kind, policy, answers, number)]
    with ProcessPoolExecutor(workers) as pool:
        made = pool.map(partial(run, kind), *zip(*((policy, answers, number) for policy, number in tasks), strict=True))
        return [one for found in made for one in found]


def not_assured(rewards: int, learners: int = 20) -> float:
    """The share of arms with so many normal rewards each of which it is said that their interval is not assured."""
    rng, told = np.random.default_rng((SEED, rewards)), [arm for arm in range(100) for _ in range(rewards)]
    found = []
    for rho in np.repeat([0.0, 0.1, 1.0, 10.0], learners // 4):
        learner = Learner(NGTS(), 100, MeanVariance(float(rho)))
        learner.tell(told, rng.standard_normal(len(told)))
        found.append(1.0 - learner.summary()["assured"].mean())
    return float(np.mean(found))


def share(rows: Sequence[bool | float]) -> str:
    """A share in per cent with its standard error."""
    if not rows:
        return "-"
    mean = float(np.mean(rows))
    return f"{100.0 * mean:.0f} ± {100.0 * math.sqrt(mean * (1.0 - mean) / len(rows)):.1f}"


def line(found: Sequence[Found]) -> tuple[str, ...]:
    """The cells of the table: named arm, assured, assured ones that hold, all arms, and stated probabilities."""
    return (
        share([one.holds for one in found]),
        share([one.assured for one in found]),
        share([one.holds for one in found if one.assured]),
        f"{100.0 * np.mean([one.all_hold for one in found]):.0f}",
        share([one.probability > 0.95 for one in found]),
        share([one.right for one in found if one.probability > 0.95]),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kinds", default=";".join(KINDS), help="separated by semicolons")
    parser.add_argument("--runs", type=int, default=60, help="of each of five policies")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    table = Table(
        "rewards", "answers", "named arm's interval holds", "assured", "assured ones hold", "all arms'", "P > 0.95",
        "right then", title=f"per cent, {options.runs} runs of each policy",
    )  # fmt: skip
    for kind in options.kinds.split(";"):
        found = study(kind, options.runs, workers=options.workers)
        for answers in ANSWERS:
            table.add_row(kind, str(answers), *line([one for one in found if one.answers == answers]))
    console = Console(width=130)
    console.print(table)
    for rewards in (100, 300):
        console.print(f"{rewards} normal rewards of an arm: not assured in {100.0 * not_assured(rewards):.1f} %")


if __name__ == "__main__":
    main()
