"""One instance of the service: the database, the writer, the keys, and what the endpoints ask of them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import Engine

from riskbandits.core.errors import shown
from riskbandits.service import ids, rehearsal, schemas, specs, times, views
from riskbandits.service.auth import Keyring
from riskbandits.service.bandit_state import Event, Row
from riskbandits.service.db import statements
from riskbandits.service.errors import Refusal, not_now
from riskbandits.service.metrics import Metrics
from riskbandits.service.operations import Answer, Operation
from riskbandits.service.queries import Look, Seen, Touch
from riskbandits.service.rates import Rates
from riskbandits.service.writer import Writer

VIEWS_KEPT = 100
EVENTS_IN_A_PART = 2000

log = logging.getLogger("riskbandits.service")


class House:
    """A running instance."""

    def __init__(self, engine: Engine, rates: Rates | None = None, logs_all: bool = False) -> None:
        self.engine = engine
        self.metrics = Metrics()
        self.keyring = Keyring(engine)
        self.rates = Rates() if rates is None else rates
        self.logs_all = logs_all
        self.writer = Writer(engine, self.metrics)
        self.metrics.watch("riskbandits_bandits_loaded", "Bandits in memory.", lambda: self.writer.loaded)
        # What takes long (a rehearsal, a summary, something to compile) has threads of its own.
        self._thinkers = ThreadPoolExecutor(2, thread_name_prefix="thinker")
        self._views: OrderedDict[tuple[int, int, str | None], bytes] = OrderedDict()

    def start(self) -> None:
        """Start accepting requests."""
        self.writer.start()

    async def stop(self) -> None:
        """Answer waiting requests, and stop."""
        await self.writer.stop()
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self.engine.dispose()

    async def submit(self, bandit: str | int, operation: Operation) -> Any:
        """Run an operation; it is on disk when this returns."""
        return await self.writer.submit(bandit, operation)

    async def by_id(self, id: str, make: Any) -> Any:
        """Run an operation on a decision."""
        bandit, number = ids.split(id)
        return await self.submit(bandit, make(number))

    async def create(self, name: str, body: schemas.NewBandit) -> Answer:
        """Create a bandit, or confirm it."""
        spec = await self._think(_checked_spec, body)
        row, new = await self.writer.create(name, spec)
        if not new and not specs.same(row.spec, spec):
            raise Refusal(409, f"The bandit {name!r} already exists, created with a different body.")
        if new:
            log.info("a bandit was created", extra={"bandit": name})
        return Answer(201 if new else 200, json.dumps(views.of_spec(row)).encode())

    async def view(self, name: str, risk: str | None) -> bytes:
        """The state of a bandit, cached until something changes."""
        seen: Seen = await self.submit(name, Look(lambda bandit: (bandit.id, bandit.sequence, risk) in self._views))
        key = (seen.row.id, seen.sequence, risk)
        found = self._views.get(key)
        if found is None:
            if not seen.learner:  # forgotten meanwhile
                seen = await self.submit(name, Look())
            found = self._views[key] = await self._think(views.of_bandit, seen, risk)
            while len(self._views) > VIEWS_KEPT:
                self._views.popitem(last=False)
        return found

    async def rehearse(self, name: str, body: schemas.RehearsalWanted) -> bytes:
        """A simulation of the future for another goal, policy or horizon."""
        seen: Seen = await self.submit(name, Look())
        return await self._think(rehearsal.rehearsed, self.engine, seen, body)

    async def listed(self, after: str, limit: int) -> bytes:
        """Bandits by name."""

        def read() -> list[Row]:
            with self.engine.connect() as connection:
                return statements.rows_after(connection, after, limit)

        return json.dumps({"bandits": [views.in_list(row) for row in await asyncio.to_thread(read)]}).encode()

    async def log_of(self, name: str, after: int, limit: int | None) -> AsyncIterator[bytes]:
        """The events of a bandit after a position, as lines of JSON, up to its last event when requested."""
        await self.submit(name, Touch())

        def begin() -> tuple[Row, int]:
            with self.engine.connect() as connection:
                row = statements.row_named(connection, name)
                assert row is not None
                return row, row.version

        row, end = await asyncio.to_thread(begin)
        return self._lines(row, max(after, row.origin or 0), end if limit is None else min(end, after + limit))

    async def _lines(self, row: Row, after: int, end: int) -> AsyncIterator[bytes]:
        def read(first: int) -> tuple[bytes, int]:
            with self.engine.connect() as connection:
                part = list(statements.read_events(connection, row.id, first, min(EVENTS_IN_A_PART, end - first)))
            return b"".join(_line(row, event) for event in part), part[-1]["sequence"] if part else end

        while after < end:
            lines, after = await asyncio.to_thread(read, after)
            yield lines

    async def ready(self) -> None:
        """Raise unless the writer is running and the database responds."""
        if not self.writer.is_alive:
            raise not_now("The service is stopping.")

        def read() -> None:
            with self.engine.connect() as connection:
                statements.rows_after(connection, "", 1)

        await asyncio.to_thread(read)

    def log_request(self, method: str, path: str, status: int, seconds: float, key: int) -> None:
        """A log line for a request: its path and status, without its content."""
        said = {"method": method, "path": shown(path), "status": status, "ms": round(seconds * 1e3, 2), "key": key}
        log.log(logging.ERROR if status >= 500 else logging.INFO, "request", extra=said)

    async def _think(self, function: Any, *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thinkers, function, *arguments)


def _checked_spec(body: schemas.NewBandit) -> dict[str, Any]:
    """Check a specification by compiling it; raises if that fails."""
    spec = specs.made(**dict(body))
    specs.learner_of(spec)
    return spec


def _line(row: Row, event: Event) -> bytes:
    """An event as public data: together with the bandit's specification, enough to replay it."""
    number = event["settles"] if event["decides"] is None else event["decides"]
    line = {
        "sequence": event["sequence"],
        "kind": event["kind"],
        "id": None if number is None else ids.made(row.secret, row.id, number),
        "arm": event["arm"],
        "reward": event["reward"],
        "at": times.isoformat(event["at"]),
    }
    if event["available"] is not None:
        line["available"] = json.loads(event["available"])
    return json.dumps(line).encode() + b"\n"
