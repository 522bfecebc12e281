"""Which runs ended on a wrong arm: a mean over runs does not show them."""

from __future__ import annotations

import numpy as np

from riskbandits.errors import must_be
from riskbandits.simulation.kernel import BEST_ARM
from riskbandits.simulation.trace import Trace


def locked(trace: Trace) -> np.ndarray:
    """Per run, whether less than half of the pulls in its second half went to arms with gap 0.

    The second half is what follows step n // 2, which must be among the checkpoints (it is by default).
    """
    best, steps = trace.sums[:, :, BEST_ARM], trace.checkpoints
    half = trace.horizon // 2
    if half == 0:
        first_half = np.zeros(trace.runs)
    elif half in steps:
        first_half = best[:, np.searchsorted(steps, half)]
    else:
        raise must_be("The checkpoints of a trace asked for locked runs", f"a list with {half} in it", steps.tolist())
    return np.asarray(best[:, -1] - first_half < 0.5 * (trace.horizon - half))
