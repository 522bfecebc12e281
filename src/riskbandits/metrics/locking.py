"""Runs that did not end on a best arm: those that settled on a wrong one, and those that still explore."""

from __future__ import annotations

import numpy as np

from riskbandits.core.errors import must_be
from riskbandits.simulation.kernel import BEST_ARM, GAP, MEAN, MEAN_SQUARED
from riskbandits.simulation.trace import Trace, check_trace

SETTLED = 0.95  # the share of the second half that one arm must have


def locked(trace: Trace) -> np.ndarray:
    """Per run, whether less than half of the pulls in its second half went to arms with Delta = 0.

    Such a run has settled on a wrong arm, or is still exploring. The second half begins after step n // 2, which must
    be a checkpoint (it is one by default).
    """
    best, steps = _second_half(trace)[:, BEST_ARM], trace.horizon - trace.horizon // 2
    return np.asarray(2.0 * best < steps)


def settled(trace: Trace) -> np.ndarray:
    """Per run, whether it settled on a wrong arm: in its second half, 95 % of pulls of that arm and none of a best one.

    A run that returned to a best arm in that half, if only once, is still exploring. A policy whose index of an arm
    that is left alone grows without limit (`MVLCB`, `UCB1`, `KLUCBMV`, `IMEDMV` and the like, which say so with
    `returns_to_all`) returns to every arm, sooner or later, and no run of it counts, even if its next return lies
    beyond the horizon.

    A trace keeps pulls per arm only at the horizon: of the second half it keeps sums over pulls of gaps, means and
    their squares and the number of pulls of best arms. A run counts if these sums are what 95 % of pulls of that arm
    imply, with as many pulls of it in the whole run.
    """
    problem, steps = check_trace(trace).problem, trace.horizon - trace.horizon // 2
    found = np.zeros(trace.runs, dtype=bool)
    if trace.returns_to_all or problem.has_features:  # which arm is wrong depends on the features
        return found
    halves = _second_half(trace) / steps
    means = problem.means - problem.means[problem.best_arm]
    for arm in np.flatnonzero(problem.gaps > 0.0):
        others = 1.0 - SETTLED + 1e-9
        away = halves[:, MEAN_SQUARED] - 2.0 * means[arm] * halves[:, MEAN] + means[arm] ** 2
        close_in_mean = away <= others * ((means - means[arm]) ** 2).max() + 1e-12 * (1.0 + means[arm] ** 2)
        apart = np.abs(problem.gaps - problem.gaps[arm]).max()
        close_in_gap = np.abs(halves[:, GAP] - problem.gaps[arm]) <= others * apart
        enough = trace.pulls[:, arm] >= SETTLED * steps
        found |= enough & close_in_mean & close_in_gap & (halves[:, BEST_ARM] == 0.0)
    return found


def exploring(trace: Trace) -> np.ndarray:
    """Per run, whether it ended neither on a best arm nor on a wrong one: it still tries several."""
    return locked(trace) & ~settled(trace)


def _second_half(trace: Trace) -> np.ndarray:
    """The sums of each run over its second half, (runs, sums)."""
    half = check_trace(trace).horizon // 2
    place = int(np.searchsorted(trace.checkpoints, half))
    if half > 0 and trace.checkpoints[place] != half:
        raise must_be(
            "The checkpoints of a trace", f"such that half the horizon ({half}) is one of them", trace.checkpoints
        )
    before = trace.sums[:, place] if half > 0 else np.zeros_like(trace.sums[:, -1])
    return np.asarray(trace.sums[:, -1] - before)
