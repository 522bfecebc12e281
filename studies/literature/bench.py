"""Where claims are tested: `simulate` and `identify` with the same seed, store and scale for all."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskbandits import Identification, Problem, Result, identify, simulate
from riskbandits.inference.ratios import Ratio, of_means
from riskbandits.metrics import METRICS, main_metric

if TYPE_CHECKING:
    from riskbandits.types import Policy, Rule


class Bench(NamedTuple):
    """How claims are tested. `share` scales all numbers of runs, down to at least 2."""

    share: float = 1.0
    seed: int = 0
    workers: int | None = None
    engine: str = "threads"
    store: str | os.PathLike[str] | None = None
    progress: bool = True

    def runs(self, full: int) -> int:
        """The number of runs at this scale."""
        return max(2, round(full * self.share))

    def simulate(
        self,
        problem: Problem,
        policies: Sequence[Policy] | Mapping[str, Policy],
        horizon: int,
        runs: int,
        checkpoints: Sequence[int] | None = None,
    ) -> Result:
        """Simulate policies; only the horizon is kept unless other checkpoints are given."""
        return simulate(
            problem,
            policies,
            horizon=horizon,
            runs=self.runs(runs),
            seed=self.seed,
            checkpoints=[horizon] if checkpoints is None else checkpoints,
            workers=self.workers,
            engine=self.engine,
            store=self.store,
            progress=self.progress,
        )

    def identify(
        self, problem: Problem, rule: Rule, runs: int, budget: int | None = None, confidence: float | None = None
    ) -> Identification:
        """Identify the best arm with a rule."""
        return identify(
            problem,
            rule,
            budget=budget,
            confidence=confidence,
            runs=self.runs(runs),
            seed=self.seed,
            workers=self.workers,
            engine="threads" if self.engine == "cuda" else self.engine,  # rules are plain Python
            progress=self.progress,
        )


def final(result: Result, label: str) -> np.ndarray:
    """The regret of every run at the horizon, in the main metric of the risk measure."""
    return METRICS[main_metric(result.problem)].of(result.trace(label))[:, -1]


def regret_ratio(result: Result, rival: str, own: str) -> Ratio:
    """The regret of one policy as a multiple of that of another."""
    return of_means(final(result, rival), final(result, own))
