"""What policies did on one problem, run by run: all that a comparison keeps of its traces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from riskbandits.metrics.locking import locked, settled
from riskbandits.metrics.regrets import exact_pseudo_regret
from riskbandits.simulation.trace import Trace


class Outcome(NamedTuple):
    """Arrays (policies, runs). Run r of each policy met the same rewards if `paired`."""

    labels: tuple[str, ...]
    middle: np.ndarray  # exact pseudo-regret at half the horizon
    final: np.ndarray  # and at the horizon
    locked: np.ndarray  # on no best arm in the second half
    steps: tuple[int, int]
    paired: bool
    settled: np.ndarray | None = None  # on a wrong arm; not known of files of earlier versions

    def of(self, label: str) -> int:
        """The row of a policy; -1 if it does not serve the problem."""
        return self.labels.index(label) if label in self.labels else -1

    def settled_of(self, row: int) -> np.ndarray | None:
        """Which runs of a policy settled on a wrong arm, if that was kept."""
        return None if self.settled is None else self.settled[row]

    @property
    def growth(self) -> np.ndarray:
        """Growth of the regret per unit of ln n over the last factor of two, (policies, runs)."""
        return (self.final - self.middle) / np.log(self.steps[1] / self.steps[0])


def outcome(traces: Sequence[Trace], paired: bool) -> Outcome:
    """The outcome of several policies' traces on one problem; checkpoints are half the horizon and the horizon."""
    regrets = np.stack([exact_pseudo_regret(trace) for trace in traces])
    first = traces[0]
    return Outcome(
        labels=tuple(trace.label for trace in traces),
        middle=regrets[:, :, -2],
        final=regrets[:, :, -1],
        locked=np.stack([locked(trace) for trace in traces]),
        steps=(int(first.checkpoints[-2]), first.horizon),
        paired=paired,
        settled=np.stack([settled(trace) for trace in traces]),
    )
