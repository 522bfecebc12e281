"""The recommended policy on problems that nothing was tuned on: eight families, any unit, two to fifty arms.

    python -m studies.fresh --problems 192 --runs 200 --optimism 0,20,320

draws the problems anew from a seed, simulates all policies on each and prints how `SwitchingAware` compares with the
best of them. The write-up is in docs/studies/better-than-mvts.md.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track

from riskbandits import (
    IMEDMV,
    KLUCBMV,
    MTS,
    MVTS,
    NGTS,
    VTS,
    GaussianArms,
    MeanVariance,
    Problem,
    SwitchingAware,
    simulate,
    theory,
)
from riskbandits.errors import ScaleWarning
from riskbandits.metrics import exact_pseudo_regret, locked, settled

if TYPE_CHECKING:
    import pandas as pd

ARMS = (2, 2, 3, 4, 6, 10, 20, 50)
HORIZONS = (300, 1000, 3000, 10_000, 30_000, 100_000)
MOST_SCORES = 1_200_000  # arms x steps: longer runs of many arms are cut
FAR = {"the four": 2.0, "all": 5.0}  # times the best of them
DEFAULT, REFERENCE = "SwitchingAware", "IMEDMV"
HOLD_EVERYWHERE = {
    REFERENCE: IMEDMV(),
    "SwitchingAware:imed": SwitchingAware.imed(),
    "NGTS:honda_takemura": NGTS.honda_takemura(),
    "KLUCBMV": KLUCBMV(),
}
POLICIES = {DEFAULT: SwitchingAware()} | HOLD_EVERYWHERE | {"NGTS": NGTS(), "MVTS": MVTS(), "VTS": VTS(), "MTS": MTS()}

Moments = tuple[np.ndarray, np.ndarray]


class Fresh(NamedTuple):
    """A problem, and for how many steps it is played."""

    family: str
    problem: Problem
    horizon: int


def _free(rng: np.random.Generator, arms: int, rho: float) -> Moments:
    return rng.normal(0.0, 0.5, arms), np.exp(rng.normal(-1.5, 1.2, arms))


def _three_decades(rng: np.random.Generator, arms: int, rho: float) -> Moments:
    return rng.permutation(arms) / arms, np.logspace(-3.0, 0.0, arms)


def _nearly_tied(rng: np.random.Generator, arms: int, rho: float) -> Moments:
    means = rng.random(arms) * math.sqrt(rho + 0.1)
    values = 10.0 ** rng.uniform(-2.0, -0.5) * rng.random(arms)
    return means, rho * (means - means.min()) + 0.1 + values


def _two_clusters(rng: np.random.Generator, arms: int, rho: float) -> Moments:
    calm = rng.random(arms) < 0.5
    variances = np.where(calm, 0.002, 0.5) * (0.5 + rng.random(arms))
    return np.where(calm, 0.0, rng.normal()) + 0.2 * rng.random(arms), variances


def _one_apart(rng: np.random.Generator, arms: int, rho: float) -> Moments:
    means, variances = np.zeros(arms), np.full(arms, 0.3)
    means[0], variances[0] = 10.0 ** rng.uniform(-1.5, 0.0), 0.3 * 10.0 ** rng.uniform(-1.0, 1.0)
    return means, variances


def _wild_best(rng: np.random.Generator, arms: int, rho: float) -> Moments:
    means, variances, best = rng.normal(0.0, 0.5, arms), 0.02 * (1.0 + rng.random(arms)), rng.integers(arms)
    variances[best] = 10.0 ** rng.uniform(-1.0, 1.0)
    means[best] = means.max() + (variances[best] + 0.3 * rng.random()) / rho
    return means, variances


def _exponential(rng: np.random.Generator, arms: int, rho: float) -> Moments:
    return rng.exponential(0.5, arms), 0.3 * rng.exponential(1.0, arms) ** 2 + 0.01


def _two_ahead(rng: np.random.Generator, arms: int, rho: float) -> Moments:
    means, variances = rng.random(arms), 0.2 + 0.8 * rng.random(arms)
    first, second = rng.permutation(arms)[:2]
    means[[first, second]] += 1.0
    lead = 10.0 ** rng.uniform(-2.0, -0.3)
    variances[second] = max(variances[first] + rho * (means[second] - means[first]) + lead, 0.01)
    return means, variances


FAMILIES: dict[str, Callable[[np.random.Generator, int, float], Moments]] = {
    "free": _free,
    "three decades": _three_decades,
    "nearly tied": _nearly_tied,
    "two clusters": _two_clusters,
    "one apart": _one_apart,
    "wild best": _wild_best,
    "exponential": _exponential,
    "two ahead": _two_ahead,
}


def draw(seed: int, number: int) -> Fresh:
    """Problem `number` of a seed: always the same one.

    >>> draw(0, 5).family, draw(0, 5).problem.size == draw(0, 5).problem.size
    ('wild best', True)
    """
    family = list(FAMILIES)[number % len(FAMILIES)]
    rng = np.random.default_rng(np.random.SeedSequence([seed, number]))
    arms, horizon = int(rng.choice(ARMS)), int(rng.choice(HORIZONS))
    unit, rho = 10.0 ** rng.uniform(-3.0, 3.0), 10.0 ** rng.uniform(-1.5, 1.3)
    means, variances = FAMILIES[family](rng, arms, rho)
    while arms * horizon > MOST_SCORES:
        horizon = 3 * horizon // 10
    arms_in_unit = GaussianArms((unit * means).tolist(), (unit**2 * variances).tolist())
    return Fresh(family, Problem(arms_in_unit, MeanVariance(unit * rho)), horizon)


def measure(seed: int, number: int, runs: int, policies: Mapping[str, Any] = POLICIES) -> list[dict[str, Any]]:
    """One row per policy: mean exact pseudo-regret, and the shares of locked and of settled runs."""
    family, problem, horizon = draw(seed, number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScaleWarning)  # units that do not fit are part of the study
        result = simulate(problem, dict(policies), horizon=horizon, runs=runs, seed=seed, progress=False)
    about = {"problem": number, "family": family, "arms": problem.size, "horizon": horizon}
    about["bound"] = theory.lower_bound(problem).total * math.log(horizon)
    rows = []
    for trace in result.traces:
        shares = {"locked": locked(trace).mean(), "settled": settled(trace).mean()}
        rows.append(about | {"policy": trace.label, "regret": exact_pseudo_regret(trace)[:, -1].mean()} | shares)
    return rows


def compared(measured: pd.DataFrame) -> pd.DataFrame:
    """One row per policy: regret relative to the best of those that hold everywhere and to the best of all.

    Beside them the shares of locked and of settled runs, on how many problems they are more than three percentage
    points above those of `IMEDMV`, and the regret relative to that of `IMEDMV` where more runs are locked. Forms of a
    policy that are not in `POLICIES` are never the best.
    """
    import pandas as pd

    regret = measured.pivot(index="problem", columns="policy", values="regret")
    references = {"the four": regret[list(HOLD_EVERYWHERE)].min(axis=1), "all": regret[list(POLICIES)].min(axis=1)}
    rows = []
    for label in regret.columns:
        row: dict[str, Any] = {"policy": label}
        for name, best in references.items():
            far, ratios = FAR[name], regret[label] / best
            row |= {f"of {name}": float(np.exp(np.log(ratios).mean())), f"largest of {name}": ratios.max()}
            row[f"above {far:g} of {name}"] = int((ratios > far).sum())
        for kind in ("locked", "settled"):
            shares = measured.pivot(index="problem", columns="policy", values=kind)
            more = shares[label] - shares[REFERENCE] > 0.03
            row |= {kind: shares[label].mean(), f"more {kind}": int(more.sum())}
            if kind == "locked":
                row["regret there"] = float(np.exp(np.log(regret[label] / regret[REFERENCE])[more].mean()))
        rows.append(row)
    return pd.DataFrame(rows).sort_values("of the four", ignore_index=True)


def far_off(measured: pd.DataFrame, above: float = 3.0) -> pd.DataFrame:
    """The problems on which the default has so many times the regret of the best policy, and who that is.

    `bound / best` is ln n times the lower bound, relative to the best regret: where it is far above 1, the best policy
    explored less than any policy can that is consistent on all Gaussian problems, and was lucky.
    """
    import pandas as pd

    rows = []
    for _, group in measured.groupby("problem"):
        found = group[group["policy"].isin(list(POLICIES))].sort_values("regret").to_dict("records")
        best, ours = found[0], next(one for one in found if one["policy"] == DEFAULT)
        if ours["regret"] > above * best["regret"]:
            about = {name: best[name] for name in ("problem", "family", "arms", "horizon", "policy")}
            ratios = {"ratio": ours["regret"] / best["regret"], "bound / best": best["bound"] / best["regret"]}
            rows.append(about | ratios)
    return pd.DataFrame(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate fresh problems and print how the policies compare."""
    import pandas as pd

    parser = argparse.ArgumentParser(
        prog="python -m studies.fresh",
        description="The recommended policy on problems that nothing was tuned on.",
        epilog="Example: python -m studies.fresh --problems 16 --runs 20 --seed 3",
    )
    parser.add_argument("--problems", type=int, default=192, help="how many (default: 192)")
    parser.add_argument("--runs", type=int, default=100, help="runs per policy and problem (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other problems (default: 0)")
    parser.add_argument("--optimism", help="further values for NGTS inside SwitchingAware, separated by commas")
    given = parser.parse_args(arguments)
    further = [float(word) for word in given.optimism.split(",")] if given.optimism else []
    forms = {f"SwitchingAware, optimism {one:g}": SwitchingAware(NGTS(optimism=one)) for one in further}
    if forms:
        forms["SwitchingAware, as many to the end"] = SwitchingAware(NGTS(anytime=True))
    rows = []
    for number in track(range(given.problems), "Problems", console=Console(stderr=True)):
        rows += measure(given.seed, number, given.runs, POLICIES | forms)
    measured = pd.DataFrame(rows)
    for table in (compared(measured), far_off(measured)):
        print(table.to_string(index=False, float_format=lambda value: f"{value:.3g}"), end="\n\n")


if __name__ == "__main__":
    main()
