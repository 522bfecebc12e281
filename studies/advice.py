"""The numbers behind the advice on the page about choosing a policy, on problems drawn from a seed.

    python -m studies.advice --problems 20 --runs 60

Prints, for each piece of advice, the mean regret of policies relative to another's: the geometric mean over problems
with its 95 % interval (bootstrap over problems), and on how many problems it is larger. Regret is the exact
pseudo-regret, under drift the dynamic regret. The write-up is in docs/choosing.md.

- `coins`: rewards 0 and 1, success probabilities from 0.001 to 0.3, 2 to 30 arms.
- `rare`: Gaussian rewards with rare large losses, 2 to 10 arms (the family `rare-losses` of `riskbandits compare`).
- `wild`: two Gaussian arms of which the better one has 5 to 100 times the other's deviation.
- `unknown`: the problems of `studies.fresh`, with the horizon unknown.
- `drift`: one jump of one of five arms, which was not played and becomes the best.
- `ties`: two almost equal success probabilities, in both orders of the arms.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from riskbandits import (
    KLUCBMV,
    NGTS,
    BernoulliArms,
    Discounted,
    GaussianArms,
    MeanVariance,
    PiecewiseArms,
    Problem,
    Restarting,
    SwitchingAware,
    simulate,
)
from riskbandits.errors import ScaleWarning
from riskbandits.metrics import dynamic_regret, exact_pseudo_regret
from riskbandits.suites import families
from studies import fresh

SEED = 20_261_119
RESAMPLES = 4000
Drawn = tuple[Problem, int]


class Advice(NamedTuple):
    """What is compared on which problems; the first policy is the one that others are relative to."""

    draw: Callable[[np.random.Generator, int], Drawn]
    policies: Mapping[str, Any]


def coins(rng: np.random.Generator, number: int) -> Drawn:
    """Rewards 0 and 1."""
    arms = int(rng.choice([2, 3, 5, 10, 30]))
    p = np.exp(rng.uniform(np.log(0.001), np.log(0.3), arms))
    return Problem(BernoulliArms(p), MeanVariance(10.0 ** rng.uniform(-2.0, 2.0))), int(rng.choice([1000, 10_000]))


def rare(rng: np.random.Generator, number: int) -> Drawn:
    """Rare large losses."""
    return families.draw("rare-losses", int(rng.choice([2, 3, 5, 10])), 100 + number), int(rng.choice([1000, 10_000]))


def wild(rng: np.random.Generator, number: int) -> Drawn:
    """Two arms, of which the better one varies by far the most."""
    rho, calm = 10.0 ** rng.uniform(-1.0, 1.0), 10.0 ** rng.uniform(-2.0, -1.0)
    deviation = calm * 10.0 ** rng.uniform(0.7, 2.0)
    mean = (deviation**2 - calm**2 + 10.0 ** rng.uniform(-1.0, 0.3) * deviation**2) / rho
    order = rng.permutation(2)
    arms = GaussianArms(np.array([mean, 0.0])[order], np.array([deviation**2, calm**2])[order])
    return Problem(arms, MeanVariance(rho)), int(rng.choice([1000, 10_000]))


def unknown(rng: np.random.Generator, number: int) -> Drawn:
    """Any Gaussian problem."""
    _, problem, horizon = fresh.draw(SEED, number)
    return problem, min(horizon, 10_000)


def drift(rng: np.random.Generator, number: int) -> Drawn:
    """One arm, which was the worst, jumps and is the best from then on."""
    means, variances = rng.random(5), rng.uniform(0.05, 1.0, 5)
    risk = MeanVariance(1.0)
    values = means - variances
    k = int(values.argmin())
    moved = means.copy()
    moved[k] += values.max() - values[k] + rng.uniform(0.3, 1.0)
    arms = PiecewiseArms([(1, GaussianArms(means, variances)), (3001, GaussianArms(moved, variances))])
    return Problem(arms, risk), 10_000


def ties(rng: np.random.Generator, number: int) -> Drawn:
    """The better arm first in problems of even number, second in those of odd number."""
    p = [0.0067, 0.0064]
    return Problem(BernoulliArms(p[:: 1 - 2 * (number % 2)]), MeanVariance(1.0)), 10_000


def both(policy: Any) -> dict[str, Any]:
    """The default and another policy."""
    return {"SwitchingAware": SwitchingAware(), **policy}


ALL = {
    "coins": Advice(
        coins, both({"SwitchingAware:bernoulli": SwitchingAware.bernoulli(), "NGTS": NGTS(), "KLUCBMV": KLUCBMV()})
    ),
    "rare": Advice(rare, both({"NGTS": NGTS(), "KLUCBMV": KLUCBMV()})),
    "wild": Advice(
        wild,
        both(
            {
                "SwitchingAware(NGTS(optimism=320))": SwitchingAware(NGTS(optimism=320)),
                "NGTS(optimism=320)": NGTS(optimism=320),
                "NGTS": NGTS(),
                "KLUCBMV": KLUCBMV(),
            }
        ),
    ),
    "unknown": Advice(
        unknown,
        {"SwitchingAware:guessing": SwitchingAware.guessing(), "NGTS(anytime=True)": NGTS(anytime=True)}
        | both({"NGTS": NGTS()}),
    ),
    "drift": Advice(
        drift,
        both(
            {
                "Restarting": Restarting(),
                "Restarting(together=True)": Restarting(together=True),
                "Discounted(half_life=1000)": Discounted(half_life=1000),
            }
        ),
    ),
    "ties": Advice(ties, both({"KLUCBMV": KLUCBMV(), "NGTS": NGTS()})),
}


def regrets(name: str, problems: int, runs: int) -> dict[str, np.ndarray]:
    """The mean regret of each policy on each problem."""
    draw, policies = ALL[name]
    found: dict[str, list[float]] = {label: [] for label in policies}
    for number in track(range(problems), name, transient=True):
        problem, horizon = draw(np.random.default_rng([SEED, sorted(ALL).index(name), number]), number)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ScaleWarning)
            result = simulate(problem, dict(policies), horizon=horizon, runs=runs, seed=number, progress=False)
        for trace in result.traces:
            regret = dynamic_regret(trace) if name == "drift" else exact_pseudo_regret(trace)
            found[trace.label].append(float(regret[:, -1].mean()))
    return {label: np.array(rows) for label, rows in found.items()}


def lines(found: Mapping[str, np.ndarray]) -> list[tuple[str, float, float, float, int]]:
    """Per policy but the first: geometric mean of its ratios with both ends of the interval, and how often above 1."""
    first, *others = found
    made = []
    for label in others:
        logs = np.log(found[label] / found[first])
        places = np.random.default_rng(0).integers(len(logs), size=(RESAMPLES, len(logs)))
        low, high = np.quantile(logs[places].mean(axis=1), [0.025, 0.975])
        made.append((label, *(float(np.exp(one)) for one in (logs.mean(), low, high)), int((logs > 0.0).sum())))
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--parts", default=",".join(ALL))
    parser.add_argument("--problems", type=int, default=20)
    parser.add_argument("--runs", type=int, default=60)
    options = parser.parse_args(arguments)
    console = Console(width=110)
    for name in options.parts.split(","):
        found = regrets(name, 2 if name == "ties" else options.problems, options.runs)
        if name == "ties":
            for label, (first, second) in found.items():
                console.print(f"ties: {label} {first:.3g} with the better arm first, {second:.3g} with it second")
            continue
        table = Table("policy", f"regret relative to {next(iter(found))}", "larger on", title=name)
        for label, ratio, low, high, larger in lines(found):
            table.add_row(label, f"{ratio:.2f} [{low:.2f}, {high:.2f}]", f"{larger} of {options.problems}")
        console.print(table)


if __name__ == "__main__":
    main()
