"""How fast a quantity grows with ln n, as asymptotic bounds describe it: local slopes, never ratios to ln n.

A quantity a + b ln n has the slope b everywhere, while its ratio to ln n approaches b only as a/ln n vanishes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.checks import array
from riskbandits.core.errors import must_be
from riskbandits.core.user_calls import guarded
from riskbandits.inference.intervals import standard_error
from riskbandits.metrics.regrets import exact_pseudo_regret
from riskbandits.metrics.summary import summarise
from riskbandits.simulation.kernel import BEST_ARM
from riskbandits.simulation.trace import Trace, check_traces

if TYPE_CHECKING:
    import pandas as pd


def wrong_pulls(trace: Trace) -> np.ndarray:
    """Pulls of arms that are not best, (runs, checkpoints). With two arms: those of the wrong one."""
    return trace.checkpoints - trace.sums[:, :, BEST_ARM]


def local_slopes(
    traces: Sequence[Trace],
    metric: Callable[[Trace], np.ndarray] = exact_pseudo_regret,
    steps: Sequence[int] | None = None,
) -> pd.DataFrame:
    """One row per policy and interval between checkpoints: the mean growth per unit of ln n, and its standard error.

    `steps` selects the checkpoints (default: all). Growth is computed run by run, so that everything before
    the interval cancels.
    """
    import pandas as pd

    parts = []
    for trace in check_traces(traces):
        columns = _columns(trace, steps)
        chosen = trace.checkpoints[columns]
        growth = np.diff(_measured(metric, trace)[:, columns], axis=1) / np.diff(np.log(chosen))
        error = standard_error(growth)
        parts.append(
            pd.DataFrame(
                {
                    "policy": trace.label,
                    "from_step": chosen[:-1],
                    "to_step": chosen[1:],
                    "runs": trace.runs,
                    "slope": growth.mean(axis=0),
                    "slope_se": error,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def growth_table(traces: Sequence[Trace], metric: Callable[[Trace], np.ndarray] = exact_pseudo_regret) -> pd.DataFrame:
    """One row per policy and checkpoint: mean and standard error of a metric over runs."""
    import pandas as pd

    parts = []
    for trace in check_traces(traces):
        columns = summarise("m", _measured(metric, trace))
        parts.append(
            pd.DataFrame(
                {"policy": trace.label, "step": trace.checkpoints, "mean": columns["m_mean"], "se": columns["m_se"]}
            )
        )
    return pd.concat(parts, ignore_index=True)


def _measured(metric: Any, trace: Trace) -> np.ndarray:
    """What a metric gives for a trace, (runs, checkpoints)."""
    if not callable(metric):
        raise must_be("The metric", "a function from a trace to an array", metric)
    found = guarded("The metric", metric, trace)
    if not isinstance(found, np.ndarray) or found.shape != trace.sums.shape[:2]:
        raise must_be("What the metric gives", "an array (runs, checkpoints)", found)
    return found


def _columns(trace: Trace, steps: Sequence[int] | None) -> np.ndarray:
    what = "two or more checkpoints of the trace"
    wanted = trace.checkpoints if steps is None else array("The steps of a slope", what, steps, axes=(1,))
    missing = np.setdiff1d(wanted, trace.checkpoints)
    if missing.size or len(wanted) < 2:
        raise must_be("The steps of a slope", what, wanted.tolist())
    return np.searchsorted(trace.checkpoints, np.unique(wanted))
