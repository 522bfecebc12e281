"""Runs that settled on a wrong arm."""

from __future__ import annotations

import numpy as np

from riskbandits.core.errors import must_be
from riskbandits.simulation.kernel import BEST_ARM
from riskbandits.simulation.trace import Trace, check_trace


def locked(trace: Trace) -> np.ndarray:
    """Per run, whether less than half of the pulls in its second half went to arms with Delta = 0.

    The second half begins after step n // 2, which must be a checkpoint (it is one by default).
    """
    half = check_trace(trace).horizon // 2
    place = int(np.searchsorted(trace.checkpoints, half))
    if half > 0 and trace.checkpoints[place] != half:
        raise must_be("The checkpoints of a trace", f"such that half the horizon ({half}) is one", trace.checkpoints)
    best = trace.sums[:, :, BEST_ARM]
    before = best[:, place] if half > 0 else 0.0
    return np.asarray(2.0 * (best[:, -1] - before) < trace.horizon - half)
