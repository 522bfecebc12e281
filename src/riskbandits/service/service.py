"""One instance of the service: the storage, the writer, the keys, and what the endpoints ask of them."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

from riskbandits.core.errors import RiskBanditsError, shown
from riskbandits.service import ids, queries, schemas, specs
from riskbandits.service.auth import Keyring, RateLimiter
from riskbandits.service.bandit_state import rebuild_learner
from riskbandits.service.db.storage import BanditRow, Storage, StorageError
from riskbandits.service.errors import ProblemError, service_unavailable
from riskbandits.service.metrics import Metrics
from riskbandits.service.operations import (
    AddArm,
    Answer,
    Change,
    ChangeBandit,
    Operation,
    PreparedLearner,
    RetireArm,
    check_whole_log,
    spec_answer,
)
from riskbandits.service.queries import ExpireLeases, GetSnapshot, ListOpenDecisions, Snapshot
from riskbandits.service.writer import Writer

ANSWERS_CACHED = 100
EVENTS_AT_ONCE = 200  # each may be limited to thousands of arms
BYTES_AT_ONCE = 1 << 20
SECONDS_FOR_READING = 6.0  # after which the database is said not to answer
SECONDS_WEIGHTS_KEPT = 10.0

log = logging.getLogger("riskbandits.service")


class BanditService:
    """A running instance."""

    def __init__(self, storage: Storage, rate_limiter: RateLimiter | None = None, log_requests: bool = False) -> None:
        self.storage = storage
        self.metrics = Metrics()
        self.keyring = Keyring(storage)
        self.rate_limiter = RateLimiter() if rate_limiter is None else rate_limiter
        self.log_requests = log_requests
        self.questions: Counter[int] = Counter()  # that are being answered, by key
        self.writer = Writer(storage, self.metrics)
        self.metrics.watch("riskbandits_bandits_loaded", "Bandits in memory.", lambda: self.writer.loaded)
        # What takes long (a summary, something to compile) has threads of its own.
        self._executor = ThreadPoolExecutor(2, thread_name_prefix="compute")
        self._changing = asyncio.Lock()
        self._weights: OrderedDict[tuple[str, str | None], tuple[float, asyncio.Task[bytes]]] = OrderedDict()
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
            archived = " It is archived." if specs.current_settings(row).archived else ""
            raise ProblemError(409, f"The bandit {name!r} already exists, created with a different body.{archived}")
        if new:
            log.info("a bandit was created", extra={"bandit": name})
        return spec_answer(201 if new else 200, row, specs.current_settings(row))

    async def change(self, name: str, body: schemas.ChangeRequest) -> Answer:
        """Change the settings of a bandit."""
        change = Change(**body.model_dump())
        # A learner with another policy takes long to make: whoever repeats the request waits for the first one.
        async with self._changing if change.policy is not None else nullcontext():
            row = await self._read(self._row, name)
            prepared = await self._run_in_executor(_prepare_change, self.storage, row, change)
            answer: Answer = await self.submit(name, ChangeBandit(change, prepared))
        self._drop_weights(name)
        return answer

    async def change_arms(self, name: str, operation: AddArm | RetireArm) -> Answer:
        """Add an arm or retire one."""
        answer: Answer = await self.submit(name, operation)
        self._drop_weights(name)
        return answer

    def _drop_weights(self, name: str) -> None:
        for key in [key for key in self._weights if key[0] == name]:
            del self._weights[key]

    def _row(self, name: str) -> BanditRow:
        row = None
        if specs.is_bandit_name(name):
            with self.storage.reading() as transaction:
                row = transaction.bandit_named(name)
        if row is None:
            raise ProblemError(404, f"There is no bandit {shown(name)}.")
        return row

    async def bandit(self, name: str, risk: str | None, features: str | None = None) -> bytes:
        """The state of a bandit, cached until something changes."""
        return await self._cached(name, queries.bandit_answer, risk, features)

    async def probabilities(self, name: str, features: str | None = None) -> bytes:
        """How probably each arm is chosen next, cached until something changes."""
        return await self._cached(name, queries.probabilities_answer, features)

    async def weights(self, name: str, features: str | None) -> bytes:
        """The share of traffic that each arm should have, with its time, kept for some seconds."""
        key = name, features
        made, task = self._weights.get(key, (-math.inf, None))
        if task is None or time.monotonic() - made > SECONDS_WEIGHTS_KEPT or _has_failed(task):
            self._weights.pop(key, None)
            task = asyncio.ensure_future(self._compute_weights(name, features))
            self._weights[key] = time.monotonic(), task
            while len(self._weights) > ANSWERS_CACHED:
                self._weights.popitem(last=False)
        return await asyncio.shield(task)  # others wait for it too

    async def _compute_weights(self, name: str, features: str | None) -> bytes:
        snapshot = await self.submit(name, GetSnapshot())
        found: bytes = await self._run_in_executor(queries.weights_answer, snapshot, features)
        return found

    async def learner(self, name: str) -> bytes:
        """The bandit as a learner file."""
        return await self._run_in_executor(queries.learner_answer, await self.submit(name, GetSnapshot()))

    async def open_decisions(self, name: str, after: str | None, limit: int) -> Answer:
        """A part of the open decisions."""
        number = 0 if after is None else ids.parse_id(after)[1]
        found = await self.submit(name, ListOpenDecisions(number, limit))
        return Answer(200, await self._run_in_executor(queries.decisions_json, found))

    async def bandits(self, role: str, after: str, limit: int, archived: bool = False) -> bytes:
        """Bandits by name, archived ones only if wanted; and the role of who asks."""

        def read() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = []
            last = after
            with self.storage.reading() as transaction:
                while len(found) < limit and (rows := transaction.bandits_after(last, limit)):
                    found += [one for one in map(queries.list_item, rows) if archived or not one["archived"]]
                    last = rows[-1].name
            return found[:limit]

        return json.dumps({"bandits": await self._read(read), "role": role}).encode()

    async def log_lines(self, name: str, after: int, limit: int | None) -> AsyncIterator[bytes]:
        """The events of a bandit after a position, as lines of JSON, up to its last event when requested."""
        await self.submit(name, ExpireLeases())

        def begin() -> BanditRow:
            with self.storage.reading() as transaction:
                row = transaction.bandit_named(name)
                assert row is not None
                return row

        row = await self._read(begin)
        after = max(after, row.origin or 0)
        return self._lines(row, after, row.version if limit is None else min(row.version, after + limit))

    async def _lines(self, row: BanditRow, after: int, end: int) -> AsyncIterator[bytes]:
        def read(first: int) -> tuple[bytes, int]:
            lines, size, last = [], 0, end
            with self.storage.reading() as transaction:
                part = transaction.events_after(row.id, first, min(EVENTS_AT_ONCE, end - first))
                for event in queries.with_available(transaction, row.id, part):
                    lines.append(queries.log_line(row, event))
                    size, last = size + len(lines[-1]), event["sequence"]
                    if size > BYTES_AT_ONCE:
                        break
            return b"".join(lines), last

        while after < end:
            lines, after = await self._read(read, after)
            yield lines

    async def check_ready(self) -> None:
        """Raise unless the writer is running and the database can be read and written to."""
        if not self.writer.is_alive:
            raise service_unavailable("The service is stopping.")
        if self.writer.trouble is not None:
            raise service_unavailable(f"Nothing can be written: {self.writer.trouble.rstrip('.')}.")
        await self.bandits("read", "", 1)

    async def _read(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function reads from the database, if that answers."""
        try:
            async with asyncio.timeout(SECONDS_FOR_READING):
                return await asyncio.to_thread(function, *arguments)
        except TimeoutError:
            raise service_unavailable("The database does not answer.") from None

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
    spec = specs.make_spec(**{**dict(body), "features": [one.model_dump() for one in body.features or ()]})
    specs.build_learner(spec)
    return spec


def _prepare_change(storage: Storage, row: BanditRow, change: Change) -> PreparedLearner | None:
    """Check a change by compiling what it needs; for another policy, the learner as of the last event."""
    before = specs.current_settings(row)
    settings = change.changed(before)
    spec = specs.with_settings(row.spec, settings)
    if settings.records == before.records:
        return None
    specs.build_learner({**spec, "arms": ["a"], "seed": 0})
    if settings.records["policy"] == before.records["policy"]:
        return None
    check_whole_log(row)
    try:
        with storage.reading() as transaction:
            learner = rebuild_learner(spec, transaction.events_after(row.id, 0, row.version))
    except StorageError:
        raise
    except RiskBanditsError as error:
        raise ProblemError(409, f"The policy of {row.name!r} cannot be changed: {error}") from None
    return PreparedLearner(learner, settings.records, row.version)


def _has_failed(task: asyncio.Task[Any]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
