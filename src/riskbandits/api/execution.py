"""What all entry points that simulate share: `RunOptions` as they were given, and `Execution`, how the work is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, NamedTuple

from riskbandits.core import progress as progress_bars
from riskbandits.core.checks import flag, path, whole
from riskbandits.core.errors import RefusalError
from riskbandits.simulation.background import Stopped, in_background
from riskbandits.simulation.engines import check_engine, open_engine, usable_cores
from riskbandits.simulation.methods import LEAP, METHODS, checked_on, method_on
from riskbandits.simulation.payload import serialized
from riskbandits.simulation.plan import check_memory
from riskbandits.simulation.runner import Job, collect, run_jobs
from riskbandits.simulation.store import Store
from riskbandits.simulation.trace import Trace

MOST_WORKERS = 10_000
# Plain Python cannot be stopped within a piece: they are short.
SHORT_PIECES = 2_000


class Execution(NamedTuple):
    """Everything about how a job is executed, but not the job itself; `method` is used when planning it."""

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
        total = float(sum(job.runs * job.work_per_run for job in jobs))
        with progress_bars.reporting(title, total, self.progress) as report:
            return in_background(partial(run_jobs, jobs, self.workers, report, self.engine, store))

    def map(
        self, function: Callable[..., Any], here: Any, parts: Any, classes: tuple[type, ...], runs: int, title: str
    ) -> list[Any]:
        """What `function(here, first, last)` gives for ranges of runs, in their order: for work in plain Python.

        If workers share no memory with this process, the function receives, in place of `here`, the `parts`, records of
        these classes, as bytes that `payload.deserialized` opens.
        """
        if self.on_gpu:
            raise RefusalError("engine='cuda' runs only simulations: use another engine.")
        found: list[Any] = [None] * min(runs, SHORT_PIECES)
        edges = [runs * k // len(found) for k in range(len(found) + 1)]

        def book(number: int, result: Any) -> float:
            found[number] = result
            return float(edges[number + 1] - edges[number])

        with progress_bars.reporting(title, float(runs), self.progress) as report:

            def work(stopped: Stopped) -> None:
                with open_engine(self.engine, self.workers) as engine:
                    sent = serialized(title, parts, classes) if engine.remote else here

                    def start(number: int) -> Future[Any]:
                        return engine.call(function, sent, edges[number], edges[number + 1])

                    collect(engine, len(found), start, book, report, 0.0, stopped)

            in_background(work)
        return found

    def check_common_rewards(self) -> None:
        """Raise if common rewards are not possible this way."""
        if self.on_gpu:
            raise RefusalError("engine='cuda' draws separate rewards for every policy: pass common_rewards=False.")
        if self.method == LEAP:
            raise RefusalError(f"method={LEAP!r} draws rewards of its own for every policy: pass common_rewards=False.")


class RunOptions(NamedTuple):
    """The arguments that `simulate`, `sweep`, `compare` and `identify` share, as they were given."""

    horizon: Any = 30_000
    runs: Any = 500
    seed: Any = 0
    checkpoints: Any = None
    method: Any = "auto"
    delay: Any = None
    engine: Any = "threads"
    workers: Any = None  # all cores this process may use
    precision: Any = "float64"
    store: Any = None
    progress: Any = True
    check: Any = False

    def execution(self) -> Execution:
        """How the work is done, checked before anything runs."""
        check_engine(self.engine)
        cores = self.workers
        return Execution(
            engine=self.engine,
            workers=usable_cores() if cores is None else whole("The number of workers", cores, most=MOST_WORKERS),
            method=method_on(self.engine, self.method, self.precision),
            store=None if self.store is None else path("The folder of a store", self.store),
            progress=flag("progress", self.progress),
            checked=checked_on(self.engine, self.check),
        )
