"""A Dask cluster: the client that is running, or the scheduler at an address."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from riskbandits.core.errors import EngineError
from riskbandits.simulation.engines.base import RemoteEngine
from riskbandits.simulation.engines.cluster_watch import Watch, within

SECONDS_TO_WAIT = 30
SECONDS_TO_ANSWER = 10
INSTALL = "engine='dask' needs dask.distributed: pip install 'riskbandits[dask]'."
# How often a piece may be on a worker that dies before it is given up.
RETRIES = 3


class Dask(RemoteEngine):
    """Pieces as Dask tasks. The scheduler runs those of a worker that died on another one."""

    name = "dask"
    _watch: Any = None
    _pool: Any = None

    def __init__(self, address: str | None = None, client: Any = None) -> None:
        try:
            import distributed
        except ImportError:
            raise EngineError(INSTALL) from None
        self.worker_lost = (distributed.scheduler.KilledWorker,)
        self._own_client = client is None and address is not None
        self._client = client or (_connect(address) if address is not None else _running_client())
        try:
            self.workers = max(1, within(SECONDS_TO_WAIT + SECONDS_TO_ANSWER, self._first_cores))
        except TimeoutError:
            self.close(finished=False)
            raise EngineError(
                f"The Dask cluster had no worker, or did not answer, for {SECONDS_TO_WAIT} seconds: start workers, "
                "or use engine='threads'."
            ) from None
        self._watch = Watch("Dask", lambda: len(self._client.ncores()))
        self._pool = self._client.get_executor(pure=False, retries=RETRIES)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = self._pool.submit(function, *arguments)
        return future

    def check(self, seconds_idle: float) -> None:
        """Raise if the scheduler is silent or has no workers."""
        self._watch.check(seconds_idle)

    def close(self, finished: bool) -> None:
        """Cancel what is left; a client that was running before goes on."""
        if self._watch is not None:
            self._watch.end()
        with suppress(Exception):  # of a cluster that is gone there is nothing to let go of
            within(SECONDS_TO_ANSWER, self._let_go)

    def _first_cores(self) -> int:
        self._client.wait_for_workers(1, timeout=SECONDS_TO_WAIT)
        return int(sum(self._client.ncores().values()))

    def _let_go(self) -> bool:
        if self._pool is not None:
            self._pool.shutdown(wait=False)
        if self._own_client:
            self._client.close()
        return True


def _connect(address: str) -> Any:
    from distributed import Client

    try:  # its own limit does not hold for a scheduler that takes the call and says nothing
        return within(
            SECONDS_TO_WAIT + SECONDS_TO_ANSWER,
            lambda: Client(address, timeout=SECONDS_TO_WAIT, set_as_default=False),
        )
    except (OSError, TimeoutError, ValueError) as error:
        problem = str(error) or "it does not answer"
        raise EngineError(f"There is no Dask scheduler at {address!r}: {problem}.") from error


def _running_client() -> Any:
    from distributed import get_client

    try:
        return get_client()
    except ValueError:
        raise EngineError(
            "engine='dask' needs a running dask.distributed.Client, or an address such as "
            "engine='dask://127.0.0.1:8786'. Got neither."
        ) from None
