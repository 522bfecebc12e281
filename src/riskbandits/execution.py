"""How work is to be done: engine, workers, method, precision, store, progress; resolved once, for every door."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from riskbandits import progress as progress_bars
from riskbandits.checks import flag, whole
from riskbandits.errors import RefusalError
from riskbandits.simulation.engines import check_engine, usable_cores
from riskbandits.simulation.jobs import check_memory
from riskbandits.simulation.methods import METHODS, checked_on, method_on
from riskbandits.simulation.runner import Job, run_jobs
from riskbandits.simulation.trace import Trace
from riskbandits.store import Store

MOST_WORKERS = 10_000


class Execution(NamedTuple):
    """Everything about a piece of work but what it is: `method` is what its jobs are planned with."""

    engine: Any = "threads"
    workers: int = 1
    method: Any = "auto"
    store: Store | None = None
    progress: bool = True
    checked: bool = False  # whether indices outside arrays are looked for

    def run(self, jobs: Sequence[Job], title: str) -> list[Trace]:
        """Run jobs with one progress bar, and return a trace per job."""
        if not jobs:
            return []
        check_memory(jobs, self.workers)
        total = float(sum(job.runs * job.horizon for job in jobs))
        with progress_bars.reporting(title, total, self.progress) as report:
            return run_jobs(jobs, self.workers, report, self.engine, self.store)

    def check_common_rewards(self) -> None:
        """Raise if policies cannot meet the same rewards this way."""
        if self.method in METHODS and METHODS[self.method].precision is not None:
            raise RefusalError("engine='cuda' draws rewards of its own for every policy: pass common_rewards=False.")


def resolve(
    *,
    engine: Any = "threads",
    workers: Any = None,
    method: Any = "auto",
    precision: Any = "float64",
    store: Any = None,
    progress: bool = True,
    check: bool = False,
) -> Execution:
    """Check how work is to be done, before anything runs; `workers=None` means all cores this process may use."""
    check_engine(engine)
    return Execution(
        engine=engine,
        workers=usable_cores() if workers is None else whole("The number of threads", workers, most=MOST_WORKERS),
        method=method_on(engine, method, precision),
        store=None if store is None else Store(store),
        progress=flag("progress", progress),
        checked=checked_on(engine, check),
    )
