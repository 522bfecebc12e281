"""What rare disasters may add to the means of a comparison: policies that settle on a wrong arm now and then."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from riskbandits.inference.rare import TAIL, Rare, guard
from riskbandits.problem import Problem
from riskbandits.results.kept import KeptRuns, logs
from riskbandits.theory.locking import known_share


class Rises(NamedTuple):
    """How far the means of policies may be above those of their runs, (policies,); 0 for those that do not lock."""

    final: np.ndarray
    log_final: np.ndarray  # the same for the logarithm
    growth: np.ndarray


def unseen(problem: Problem, kept: KeptRuns, policies: Mapping[str, Mapping[str, Any]] | None = None) -> Rises:
    """For each policy of a problem, if it is known to settle on wrong arms or was seen to.

    `policies` are the policies as plain data, by label; without, or for labels that are not there, the label is read.
    """
    gap = max(float(piece.gaps.max()) for _, piece in problem.pieces)
    half, horizon = kept.steps
    worst_growth = (horizon - half) * gap / math.log(horizon / half)
    final, growth = np.zeros(len(kept.labels)), np.zeros(len(kept.labels))
    for row, label in enumerate(kept.labels):
        share = locking_share(label, problem, (policies or {}).get(label))
        if kept.settled[row].any():
            share = 1.0  # whatever is known of runs that never end
        if share == 0.0:
            continue
        final[row] = _rise(guard(kept.final[row], horizon * gap, share * horizon * gap))
        growth[row] = _rise(guard(kept.growth[row], worst_growth, share * worst_growth))
    means = kept.final.mean(axis=1)
    return Rises(final, logs(means + final) - logs(means), growth)


def locking_share(label: str, problem: Problem, policy: Mapping[str, Any] | None = None) -> float:
    """At most which share of a policy's runs can settle on a wrong arm for good, by its data or by its label."""
    named = re.findall(r"[A-Za-z]+", label)
    free = "anchor_free" in label or "use_anchor=False" in label
    read = [{"class": name, "fields": {"use_anchor": not free}} for name in named]
    return max((known_share(one, problem) for one in (read if policy is None else [policy])), default=0.0)


def _rise(rare: Rare | None) -> float:
    return 0.0 if rare is None else rare.rise(TAIL)
