"""What rare disasters may add to the means of a comparison: policies that settle on a wrong arm now and then."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np

from riskbandits.inference.rare import Rare, guard
from riskbandits.problem import Problem
from riskbandits.results.kept import KeptRuns, logs
from riskbandits.theory.locking import NEVER_DRAWN, lock_share

TAIL = 0.025  # of a 95 % interval


class Rises(NamedTuple):
    """How far the means of policies may be above those of their runs, (policies,); 0 for those that do not lock."""

    final: np.ndarray
    log_final: np.ndarray  # the same for the logarithm
    growth: np.ndarray


def unseen(problem: Problem, kept: KeptRuns) -> Rises:
    """For each policy of a problem, if it is known to settle on wrong arms or was seen to."""
    gap = max(float(piece.gaps.max()) for _, piece in problem.pieces)
    half, horizon = kept.steps
    worst_growth = (horizon - half) * gap / math.log(horizon / half)
    final, growth = np.zeros(len(kept.labels)), np.zeros(len(kept.labels))
    for row, label in enumerate(kept.labels):
        share = locking_share(label, problem)
        marks = kept.settled_of(row)
        if share == 0.0 and (marks is None or not marks.any()):
            continue
        share = share or 1.0
        final[row] = _rise(guard(kept.final[row], horizon * gap, share * horizon * gap))
        growth[row] = _rise(guard(kept.growth[row], worst_growth, share * worst_growth))
    means = kept.final.mean(axis=1)
    return Rises(final, logs(means + final) - logs(means), growth)


def locking_share(label: str, problem: Problem) -> float:
    """At most which share of a policy's runs can settle on a wrong arm for good: 0 unless it is known to do so.

    The policy may be wrapped in another one: what the inner one never draws, the outer one does not either.
    """
    known = [name for name in re.findall(r"[A-Za-z]+", label) if name in NEVER_DRAWN]
    return lock_share(known[0], problem) if known else 0.0


def _rise(rare: Rare | None) -> float:
    return 0.0 if rare is None else rare.rise(TAIL)
