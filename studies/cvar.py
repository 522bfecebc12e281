"""B-CVTS against CVaR-UCB and U-UCB on mixtures of truncated Gaussians, at three levels of CVaR.

`python -m studies.cvar` simulates it, prints the numbers and draws the figure of docs/studies/cvar.md.
"""

from __future__ import annotations

from typing import Any

from riskbandits import BCVTS, NPTS, UUCB, CVaR, CVaRUCB, Problem, Result, TruncatedGaussianMixtureArms, plotting
from studies import panels
from studies.panels import Experiment

SEED = 1
LEVELS = (0.05, 0.2, 0.8)

ARMS = TruncatedGaussianMixtureArms(
    weights=[[0.5, 0.5], [0.88, 0.12], [0.8, 0.2], [0.5, 0.5], [0.6, 0.4]],
    locations=[[0.42, 0.50], [0.65, 0.20], [0.75, 0.25], [0.80, 0.30], [0.35, 0.60]],
    scales=[[0.06, 0.06], [0.10, 0.08], [0.10, 0.10], [0.15, 0.10], [0.05, 0.20]],
    lows=[0.0] * 5,
    highs=[1.0] * 5,
)


def at_level(level: float) -> Problem:
    """The five arms judged by CVaR. The calm arm is best at small levels, the one with the largest mean at 0.8.

    >>> [at_level(level).best_arm for level in LEVELS]
    [0, 0, 2]
    """
    return Problem(ARMS, CVaR(level))


EXPERIMENTS = {
    "cvar": Experiment(
        title="CVaR of truncated Gaussian mixtures",
        make_problem=at_level,
        values=LEVELS,
        policies=(BCVTS(), NPTS(), CVaRUCB(), UUCB()),
    ),
}


def cases(
    settings: Experiment = EXPERIMENTS["cvar"], workers: int | None = None, progress: bool = True, store: Any = None
) -> dict[str, Result]:
    """Simulate, and name each result by its level."""
    outcome = settings.run(seed=SEED, workers=workers, progress=progress, store=store)
    return {f"level {level:g}": outcome.at(level) for level in settings.values}


def draw(results: dict[str, Result]) -> Any:
    """Regret over time, a panel per level."""
    return panels.draw([results], "CVaR of mixtures of truncated Gaussians")


def main() -> None:
    """Simulate, print and draw."""
    chosen = panels.arguments("studies.cvar", "B-CVTS against confidence bounds for CVaR.")
    results = cases(EXPERIMENTS["cvar"]._replace(runs=chosen.runs), chosen.workers, store=chosen.store)
    panels.show(panels.ends(results))
    with plotting.style():
        panels.save(draw(results), chosen.out / "cvar.svg")


if __name__ == "__main__":
    main()
