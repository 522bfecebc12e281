"""How work is to be done: engine, workers, method, precision, store, progress; resolved once, for every door."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

from riskbandits import progress as progress_bars
from riskbandits.checks import flag, path, whole
from riskbandits.errors import RefusalError
from riskbandits.simulation.cuts import PIECES_PER_WORKER
from riskbandits.simulation.engines import check_engine, open_engine, usable_cores
from riskbandits.simulation.jobs import check_memory
from riskbandits.simulation.methods import METHODS, checked_on, method_on
from riskbandits.simulation.parcel import packed
from riskbandits.simulation.runner import Job, collect, run_jobs
from riskbandits.simulation.trace import Trace
from riskbandits.store import Store

MOST_WORKERS = 10_000


class Execution(NamedTuple):
    """Everything about a piece of work but what it is: `method` is what its jobs are planned with."""

    engine: Any = "threads"
    workers: int = 1
    method: Any = "auto"
    store: str | None = None  # a folder, which is made when the work begins: bad input leaves nothing behind
    progress: bool = True
    checked: bool = False  # whether indices outside arrays are looked for

    @property
    def on_gpu(self) -> bool:
        """Whether a GPU does the work."""
        return self.method in METHODS and METHODS[self.method].precision is not None

    def run(self, jobs: Sequence[Job], title: str) -> list[Trace]:
        """Run jobs with one progress bar, and return a trace per job."""
        if not jobs:
            return []
        check_memory(jobs, self.workers)
        store = None if self.store is None else Store(self.store)
        total = float(sum(job.runs * job.horizon for job in jobs))
        with progress_bars.reporting(title, total, self.progress) as report:
            return run_jobs(jobs, self.workers, report, self.engine, store)

    def map(
        self, function: Callable[..., Any], work: Any, classes: tuple[type, ...], runs: int, title: str
    ) -> list[Any]:
        """What `function(work, first, last)` gives for ranges of runs, in their order: for work in plain Python.

        Where workers share nothing with this process `work`, records of these classes, reaches the function as bytes
        that `parcel.unpacked` opens.
        """
        if self.on_gpu:
            raise RefusalError("engine='cuda' only plays simulations: use another engine.")
        with (
            progress_bars.reporting(title, float(runs), self.progress) as report,
            open_engine(self.engine, self.workers) as engine,
        ):
            count = min(runs, engine.workers * PIECES_PER_WORKER)
            edges = [runs * k // count for k in range(count + 1)]
            sent = packed(title, work, classes) if engine.remote else work
            found: list[Any] = [None] * count

            def book(number: int, result: Any) -> float:
                found[number] = result
                return float(edges[number + 1] - edges[number])

            def start(number: int) -> Future[Any]:
                return engine.call(function, sent, edges[number], edges[number + 1])

            collect(engine, count, start, book, report)
        return found

    def check_common_rewards(self) -> None:
        """Raise if policies cannot meet the same rewards this way."""
        if self.on_gpu:
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
        store=None if store is None else path("The folder of a store", store),
        progress=flag("progress", progress),
        checked=checked_on(engine, check),
    )
