"""One instance of the service: the storage, the writer, the keys, and what the endpoints ask of them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from riskbandits.service import ids, queries, schemas, specs
from riskbandits.service.auth import Keyring, RateLimiter
from riskbandits.service.db.storage import BanditRow, Storage
from riskbandits.service.errors import ProblemError, service_unavailable
from riskbandits.service.metrics import Metrics
from riskbandits.service.operations import Answer, Operation
from riskbandits.service.queries import ExpireLeases, GetSnapshot, ListOpenDecisions, Snapshot
from riskbandits.service.writer import Writer

ANSWERS_CACHED = 100
EVENTS_AT_ONCE = 2000

log = logging.getLogger("riskbandits.service")


class BanditService:
    """A running instance."""

    def __init__(self, storage: Storage, rate_limiter: RateLimiter | None = None, log_requests: bool = False) -> None:
        self.storage = storage
        self.metrics = Metrics()
        self.keyring = Keyring(storage)
        self.rate_limiter = RateLimiter() if rate_limiter is None else rate_limiter
        self.log_requests = log_requests
        self.writer = Writer(storage, self.metrics)
        self.metrics.watch("riskbandits_bandits_loaded", "Bandits in memory.", lambda: self.writer.loaded)
        # What takes long (a summary, something to compile) has threads of its own.
        self._executor = ThreadPoolExecutor(2, thread_name_prefix="compute")
        self._answers: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()

    def start(self) -> None:
        """Start accepting requests."""
        self.writer.start()

    async def stop(self) -> None:
        """Answer waiting requests, and stop."""
        await self.writer.stop()
        self._executor.shutdown(wait=False, cancel_futures=True)
        self.storage.close()

    async def submit(self, bandit: str | int, operation: Operation) -> Any:
        """Run an operation; it is on disk when this returns."""
        return await self.writer.submit(bandit, operation)

    async def create(self, name: str, body: schemas.BanditRequest) -> Answer:
        """Create a bandit, or confirm it."""
        name = specs.check_bandit_name(name)
        spec = await self._run_in_executor(_checked_spec, body)
        row, new = await self.writer.create(name, spec)
        if not new and not specs.same_spec(row.spec, spec):
            raise ProblemError(409, f"The bandit {name!r} already exists, created with a different body.")
        if new:
            log.info("a bandit was created", extra={"bandit": name})
        return Answer(201 if new else 200, queries.spec_answer(row))

    async def bandit(self, name: str, risk: str | None) -> bytes:
        """The state of a bandit, cached until something changes."""
        return await self._cached(name, queries.bandit_answer, risk)

    async def probabilities(self, name: str) -> bytes:
        """How probably each arm is chosen next, cached until something changes."""
        return await self._cached(name, queries.probabilities_answer)

    async def learner(self, name: str) -> bytes:
        """The bandit as a learner file."""
        return await self._run_in_executor(queries.learner_answer, await self.submit(name, GetSnapshot()))

    async def open_decisions(self, name: str, after: str | None, limit: int) -> Answer:
        """A part of the open decisions."""
        number = 0 if after is None else ids.parse_id(after)[1]
        answer: Answer = await self.submit(name, ListOpenDecisions(number, limit))
        return answer

    async def bandits(self, after: str, limit: int) -> bytes:
        """Bandits by name."""

        def read() -> list[BanditRow]:
            with self.storage.reading() as transaction:
                return transaction.bandits_after(after, limit)

        return json.dumps({"bandits": [queries.list_item(row) for row in await asyncio.to_thread(read)]}).encode()

    async def log_lines(self, name: str, after: int, limit: int | None) -> AsyncIterator[bytes]:
        """The events of a bandit after a position, as lines of JSON, up to its last event when requested."""
        await self.submit(name, ExpireLeases())

        def begin() -> BanditRow:
            with self.storage.reading() as transaction:
                row = transaction.bandit_named(name)
                assert row is not None
                return row

        row = await asyncio.to_thread(begin)
        end = row.version if limit is None else min(row.version, after + limit)
        return self._lines(row, max(after, row.origin or 0), end)

    async def _lines(self, row: BanditRow, after: int, end: int) -> AsyncIterator[bytes]:
        def read(first: int) -> tuple[bytes, int]:
            with self.storage.reading() as transaction:
                part = list(transaction.events_after(row.id, first, min(EVENTS_AT_ONCE, end - first)))
            return b"".join(queries.log_line(row, event) for event in part), part[-1]["sequence"] if part else end

        while after < end:
            lines, after = await asyncio.to_thread(read, after)
            yield lines

    async def check_ready(self) -> None:
        """Raise unless the writer is running and the database responds."""
        if not self.writer.is_alive:
            raise service_unavailable("The service is stopping.")
        await self.bandits("", 1)

    async def _cached(self, name: str, answer: Callable[..., bytes], *arguments: Any) -> bytes:
        def key(bandit_id: int, sequence: int) -> tuple[Any, ...]:
            return answer.__name__, arguments, bandit_id, sequence

        cached = GetSnapshot(lambda bandit: key(bandit.id, bandit.sequence) in self._answers)
        snapshot: Snapshot = await self.submit(name, cached)
        found = self._answers.get(key(snapshot.row.id, snapshot.sequence))
        if found is None:
            if not snapshot.learner:  # dropped from the cache meanwhile
                snapshot = await self.submit(name, GetSnapshot())
            found = await self._run_in_executor(answer, snapshot, *arguments)
            self._answers[key(snapshot.row.id, snapshot.sequence)] = found
            while len(self._answers) > ANSWERS_CACHED:
                self._answers.popitem(last=False)
        return found

    async def _run_in_executor(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._executor, function, *arguments)


def _checked_spec(body: schemas.BanditRequest) -> dict[str, Any]:
    """Check a specification by compiling it; raises if that fails."""
    spec = specs.make_spec(**dict(body))
    specs.build_learner(spec)
    return spec
