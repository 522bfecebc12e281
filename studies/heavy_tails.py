"""Which policies survive heavy tails: Student t with 3 degrees of freedom beside Gaussian arms with the same moments.

`python -m studies.heavy_tails` simulates it, prints the numbers and draws the figure of
docs/studies/heavy-tails.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from riskbandits import (
    IMEDMV,
    KLUCBMV,
    MVLCB,
    MVTS,
    NGTS,
    NPTS,
    UCB1,
    CVaR,
    GaussianArms,
    GaussianTS,
    MaRaB,
    Mean,
    MeanVariance,
    Problem,
    Result,
    RobustUCB,
    StudentTArms,
    plotting,
)
from studies import panels
from studies.panels import Experiment

SEED = 1
FREEDOM = 3.0  # the variance exists, the fourth moment does not: sample variances converge slower than 1/sqrt(T)
GAUSSIAN = math.inf

# E X^2 <= 1 in every arm, so that the constants of UCB1 and of both forms of RobustUCB hold as they stand.
MEAN_ARMS = ((-0.4, -0.2, 0.0, 0.2, 0.4), (0.75,) * 5)
# The calmer the arm, the less it pays.
RISK_ARMS = ((0.0, 0.1, 0.2, 0.3, 0.4), (0.1, 0.3, 0.5, 0.7, 0.9))


def arms_with(moments: tuple[tuple[float, ...], tuple[float, ...]], freedom: float) -> Any:
    """Arms with these means and variances: Student's t, or Gaussian for infinitely many degrees of freedom.

    >>> round(arms_with(RISK_ARMS, 3.0).variance(1), 9), arms_with(RISK_ARMS, GAUSSIAN).variance(1)
    (0.3, 0.3)
    """
    means, variances = moments
    if math.isinf(freedom):
        return GaussianArms(list(means), list(variances))
    scales = [math.sqrt(variance * (freedom - 2.0) / freedom) for variance in variances]
    return StudentTArms(list(means), scales, [freedom] * len(means))


def problems(moments: tuple[tuple[float, ...], tuple[float, ...]], risk: Any) -> Callable[[float], Problem]:
    """The problem for a number of degrees of freedom: what varies here in place of rho."""
    return lambda freedom: Problem(arms_with(moments, freedom), risk)


EXPERIMENTS = {
    "mean": Experiment(
        title="mean",
        make_problem=problems(MEAN_ARMS, Mean()),
        values=(GAUSSIAN, FREEDOM),
        policies=(UCB1(), GaussianTS(), RobustUCB(), RobustUCB.median_of_means(), NPTS.anchor_free()),
    ),
    "mean-variance": Experiment(
        title="mean less variance",
        make_problem=problems(RISK_ARMS, MeanVariance(1.0)),
        values=(GAUSSIAN, FREEDOM),
        policies=(MVTS(), NGTS(), NGTS.honda_takemura(), IMEDMV(), KLUCBMV(), MVLCB(), NPTS.anchor_free()),
    ),
    "cvar": Experiment(
        title="CVaR at 5 %",
        make_problem=problems(RISK_ARMS, CVaR(0.05)),
        values=(GAUSSIAN, FREEDOM),
        policies=(MVTS(), NGTS(), MaRaB(), NPTS.anchor_free()),
    ),
}


def cases(
    experiments: dict[str, Experiment] = EXPERIMENTS,
    workers: int | None = None,
    progress: bool = True,
    store: Any = None,
) -> dict[str, dict[str, Result]]:
    """Simulate. Per experiment, the results of both kinds of arms by what they are called in the figure."""
    how: dict[str, Any] = {"seed": SEED, "workers": workers, "progress": progress, "store": store}
    return {
        name: {
            f"{experiments[name].title}, {'Gaussian' if math.isinf(freedom) else 'Student t'}": outcome.at(freedom)
            for freedom in experiments[name].values
        }
        for name, outcome in ((name, one.run(**how)) for name, one in experiments.items())
    }


def draw(results: dict[str, dict[str, Result]]) -> Any:
    """Regret over time: a row per goal, Gaussian arms at the left, heavy tails at the right."""
    title = f"Arms with the same means and variances: Gaussian, and Student t with {FREEDOM:g} degrees of freedom"
    return panels.draw(list(results.values()), title, with_runs=True)


def main() -> None:
    """Simulate, print and draw."""
    chosen = panels.arguments("studies.heavy_tails", "Which policies survive heavy tails.")
    sized = {name: settings._replace(runs=chosen.runs) for name, settings in EXPERIMENTS.items()}
    results = cases(sized, chosen.workers, store=chosen.store)
    panels.show(panels.ends({case: result for row in results.values() for case, result in row.items()}))
    with plotting.style():
        panels.save(draw(results), chosen.out / "heavy-tails.svg")


if __name__ == "__main__":
    main()
