"""Rare events: how far runs that settle on a wrong arm, too rare to be seen, may shift the means of a comparison."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from riskbandits.inference.rare import TAIL, Rare, guard
from riskbandits.problem import Problem
from riskbandits.results.run_samples import RunSamples, log_regrets
from riskbandits.theory.locking import known_share


class MeanShift(NamedTuple):
    """How far the means of policies may be above those of their runs, (policies,); 0 for those that do not lock."""

    final: np.ndarray
    log_final: np.ndarray  # the same for the logarithm
    growth: np.ndarray


def mean_shift(
    problem: Problem, kept: RunSamples, policies: Mapping[str, Mapping[str, Any]] | None = None
) -> MeanShift:
    """The shift for each policy of a problem; 0 unless it is known to settle on wrong arms or was seen to.

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
        final[row] = _shift(guard(kept.final[row], horizon * gap, share * horizon * gap))
        growth[row] = _shift(guard(kept.growth[row], worst_growth, share * worst_growth))
    means = kept.final.mean(axis=1)
    return MeanShift(final, log_regrets(means + final) - log_regrets(means), growth)


def locking_share(label: str, problem: Problem, policy: Mapping[str, Any] | None = None) -> float:
    """At most which share of a policy's runs can settle on a wrong arm for good, by its data or by its label."""
    named = re.findall(r"[A-Za-z]+", label)
    free = "anchor_free" in label or "use_anchor=False" in label
    read = [{"class": name, "fields": {"use_anchor": not free}} for name in named]
    return max((known_share(one, problem) for one in (read if policy is None else [policy])), default=0.0)


def _shift(rare: Rare | None) -> float:
    return 0.0 if rare is None else rare.rise(TAIL)
