"""What is said of records that reach outside their arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from riskbandits.core.errors import ContractError
from riskbandits.core.records import is_record
from riskbandits.simulation.job import Job
from riskbandits.simulation.methods import played_by

SCORES_TO_REPEAT = 2_000_000  # some seconds of plain Python


def outside_arrays(
    job: Job, replication: int, step: int, error: IndexError, play_range: Callable[..., Any]
) -> Exception:
    """The sentence. Compiled code cannot say where it was; the same run in plain Python can, if it is short."""
    place = _place(error)
    if place is None and job.horizon * job.problem.size <= SCORES_TO_REPEAT:
        signals = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        try:
            with np.errstate(all="ignore"):
                play_range(job, played_by(job).play, replication, replication + 1, *signals)
        except ContractError as told:
            return told
        except Exception:  # something else stopped it first
            pass
    who, where = place or (job.label, "")
    return ContractError(f"{who} reached outside an array in step {step} of run {replication}: {error}{where}.")


def _place(error: BaseException) -> tuple[str, str] | None:
    """The innermost method of a record that was at work, and the line that it had come to."""
    found, seen = None, error.__traceback__
    while seen is not None:
        frame = seen.tb_frame
        owner = frame.f_locals.get("self")
        if is_record(owner) and not isinstance(owner, Job):
            found = (
                f"{type(owner).__name__}.{frame.f_code.co_name}",
                f" ({frame.f_code.co_filename}, line {seen.tb_lineno})",
            )
        seen = seen.tb_next
    return found
