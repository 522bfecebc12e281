"""Ray: the cluster that this process is connected to, one at an address, or a local one for the time of the job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

from riskbandits.core.errors import EngineError
from riskbandits.simulation.engines.base import RemoteEngine
from riskbandits.simulation.engines.cluster_watch import WHAT_TO_DO, Watch, within
from riskbandits.simulation.job import Job
from riskbandits.simulation.replications import Play

SECONDS_TO_ANSWER = 30
INSTALL = "engine='ray' needs Ray: pip install 'riskbandits[ray]'."


class Ray(RemoteEngine):
    """Pieces as Ray tasks, which Ray runs again when a worker dies."""

    name = "ray"

    def __init__(self, workers: int, address: str | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise EngineError(INSTALL) from None
        self._ray: Any = ray
        self._own_cluster = not ray.is_initialized()
        if self._own_cluster:
            quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
            local = {"num_cpus": workers, "include_dashboard": False}
            try:
                ray.init(**quiet, **({"address": address} if address is not None else local))
            except (ConnectionError, RuntimeError, ValueError) as error:
                raise EngineError(f"Ray could not be started or reached: {error}") from error
        self.worker_lost = (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError)
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._remote: dict[Callable[..., Any], Any] = {}
        self._tasks: list[Any] = []
        self._watch = Watch("Ray", lambda: int(ray.cluster_resources().get("CPU", 0)))

    def load(self, jobs: Sequence[Job], plays: Sequence[Play], pieces: int) -> None:
        """Pack the jobs and put them where all workers find them."""
        super().load(jobs, plays, pieces)
        self.payloads = [self._ray.put(payload) for payload in self.payloads]

    def call(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        if function not in self._remote:
            self._remote[function] = self._ray.remote(function)
        task = self._remote[function].remote(*arguments)
        self._tasks.append(task)
        future: Future[Any] = task.future()
        return future

    def unwrapped(self, error: BaseException) -> BaseException:
        """Ray puts the traceback into the message; the cause has the sentence. Without one the cluster has failed."""
        cause = getattr(error, "cause", None)
        if isinstance(cause, BaseException):
            return cause
        if isinstance(error, self._ray.exceptions.RayError):
            return EngineError(
                f"The Ray cluster lost its work ({type(error).__name__}): see whether it still runs, {WHAT_TO_DO}."
            )
        return error

    def check(self, seconds_idle: float) -> None:
        """Raise if the cluster is silent or has no workers."""
        self._watch.check(seconds_idle)

    def close(self, finished: bool) -> None:
        """Kill what is running, and the cluster if it was started for this job."""
        self._watch.end()
        with suppress(Exception):  # of a cluster that is gone there is nothing to let go of
            within(SECONDS_TO_ANSWER, partial(self._let_go, finished))

    def _let_go(self, finished: bool) -> bool:
        if not finished and not self._own_cluster:
            for task in self._tasks:
                self._ray.cancel(task, force=True)
        if self._own_cluster:
            self._ray.shutdown()
        return True
