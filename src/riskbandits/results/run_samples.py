"""Samples of a comparison: what is kept of policies' runs on one problem, and bootstrap means of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskbandits.inference.bootstrap import REPLICATES, weights
from riskbandits.metrics.locking import locked, settled
from riskbandits.metrics.metric import METRICS, main_metric
from riskbandits.simulation.trace import Trace

if TYPE_CHECKING:
    import pandas as pd

    from riskbandits.suites import Case
    from riskbandits.types import Rng

FLOOR = 1e-300  # regrets of 0 have no logarithm
PARTS = 2  # runs are drawn again within even and within odd ones


class RunSamples(NamedTuple):
    """Regrets and outcomes of runs on one problem, arrays (policies, runs); run r met the same rewards if `paired`."""

    labels: tuple[str, ...]
    middle: np.ndarray  # exact pseudo-regret at half the horizon
    final: np.ndarray  # and at the horizon
    locked: np.ndarray  # on no best arm in the second half
    steps: tuple[int, int]
    paired: bool
    settled: np.ndarray  # on a wrong arm

    def of(self, label: str) -> int:
        """The row of a policy; -1 if it does not serve the problem."""
        return self.labels.index(label) if label in self.labels else -1

    @property
    def growth(self) -> np.ndarray:
        """Growth of the regret per unit of ln n over the last factor of two, (policies, runs)."""
        return (self.final - self.middle) / np.log(self.steps[1] / self.steps[0])


def sample_runs(traces: Sequence[Trace], paired: bool) -> RunSamples:
    """What a comparison keeps of several policies' traces on one problem, taken at half the horizon and at its end."""
    metric = METRICS[main_metric(traces[0].problem)]
    regrets = np.stack([metric.of(trace) for trace in traces])
    first = traces[0]
    return RunSamples(
        labels=tuple(trace.label for trace in traces),
        middle=regrets[:, :, -2],
        final=regrets[:, :, -1],
        locked=np.stack([locked(trace) for trace in traces]),
        steps=(int(first.checkpoints[-2]), first.horizon),
        paired=paired,
        settled=np.stack([settled(trace) for trace in traces]),
    )


def run_table(cases: Sequence[Case], kept: Sequence[RunSamples]) -> pd.DataFrame:
    """One row per problem, policy and run."""
    import pandas as pd

    parts = []
    for case, one in zip(cases, kept, strict=True):
        best = max(float(one.final.mean(axis=1).min()), FLOOR)
        for row, label in enumerate(one.labels):
            regret = one.final[row]
            columns = {"problem": case.name, "policy": label, "run": np.arange(len(regret))}
            regrets = {"exact_pseudo_regret": regret, "relative": regret / best, "settled": one.settled[row]}
            parts.append(pd.DataFrame({**columns, **regrets}))
    return pd.concat(parts, ignore_index=True)


class ResampledMeans(NamedTuple):
    """Means over the runs and over bootstrap resamples of them, (policies, 1 + replicates)."""

    halves: tuple[np.ndarray, np.ndarray]  # of the final regret over even and over odd runs
    final: np.ndarray
    growth: np.ndarray


def resample_means(kept: RunSamples, rng: Rng, replicates: int = REPLICATES) -> ResampledMeans:
    """Draw runs with replacement, within even and within odd runs; the same for all policies if runs are paired."""
    policies, runs = kept.final.shape
    parts = [np.arange(runs) % 2 == odd for odd in (0, 1)]
    finals, growths = [], []
    for part in parts:
        size = int(part.sum())
        if kept.paired:
            shared = weights(rng, size, replicates)
            finals.append(kept.final[:, part] @ shared)
            growths.append(kept.growth[:, part] @ shared)
        else:
            own = [weights(rng, size, replicates) for _ in range(policies)]
            finals.append(np.stack([row @ each for row, each in zip(kept.final[:, part], own, strict=True)]))
            growths.append(np.stack([row @ each for row, each in zip(kept.growth[:, part], own, strict=True)]))
    shares = [part.mean() for part in parts]
    return ResampledMeans(
        halves=(finals[0], finals[1]),
        final=shares[0] * finals[0] + shares[1] * finals[1],
        growth=shares[0] * growths[0] + shares[1] * growths[1],
    )


def log_regrets(means: np.ndarray) -> np.ndarray:
    """Logarithms of regrets."""
    return np.log(np.maximum(means, FLOOR))
