"""The writer: one thread that takes all waiting requests, folds them, commits once, and only then answers."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections import OrderedDict
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from riskbandits.core.errors import shown
from riskbandits.service import allowed_names, ids, specs, times
from riskbandits.service.bandit_state import Bandit, BrokenError, Row
from riskbandits.service.batch import Batch, Create, Job
from riskbandits.service.db import engine as database
from riskbandits.service.db import statements
from riskbandits.service.errors import Refusal, not_now
from riskbandits.service.metrics import Metrics
from riskbandits.service.operations import Answer, Operation
from riskbandits.service.queries import Touch

# Requests in one commit: about as many as the web server handles during a commit, so that it has something to do
# meanwhile. If all were taken, it would wait for the disk and the disk for it.
LEAST_TOGETHER, MOST_TOGETHER = 32, 500
SECONDS_PER_REQUEST = 70e-6
MEMORY = 0.9  # of the average time of a commit
MOST_LOADED = 20_000  # bandits in memory
SECONDS_BETWEEN_LOOKS = 1.0  # at leases
WORTH_A_SNAPSHOT = 500  # events since the last one, when the writer stops

log = logging.getLogger("riskbandits.service")


class Writer:
    """All changes to bandits go through here, one after the other."""

    def __init__(self, engine: Engine, metrics: Metrics) -> None:
        self._engine = database.writing(engine)
        self._metrics = metrics
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._again: list[Job] = []
        self._ids: dict[str, int] = {}
        self._loaded: OrderedDict[int, Bandit] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._stopping = False
        self._commit_seconds = 0.0

    def start(self) -> None:
        """Start; answers go to the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Answer waiting requests, accept no more, and stop."""
        self._stopping = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def submit(self, bandit: str | int, operation: Operation) -> asyncio.Future[Any]:
        """Run an operation; the answer comes once it is on disk."""
        assert self._loop is not None
        future: asyncio.Future[Any] = self._loop.create_future()
        if self._stopping:
            future.set_exception(not_now("The service is stopping."))
        else:
            self._queue.put(Job(bandit, operation, future))
        return future

    def create(self, name: str, spec: dict[str, Any]) -> asyncio.Future[tuple[Row, bool]]:
        """The bandit of that name, and whether it is new."""
        return self.submit(name, Create(spec))

    @property
    def loaded(self) -> int:
        """How many bandits are in memory."""
        return len(self._loaded)

    def _run(self) -> None:
        next_look = time.monotonic() + SECONDS_BETWEEN_LOOKS
        ended = False
        while not ended:
            jobs, ended = self._take(max(0.0, next_look - time.monotonic()))
            if time.monotonic() >= next_look:
                jobs += self._leases()
                next_look = time.monotonic() + SECONDS_BETWEEN_LOOKS
            while jobs:
                self._do(jobs)
                jobs, self._again = self._again, []
        self._keep_snapshots(list(self._loaded.values()), WORTH_A_SNAPSHOT)

    @property
    def is_alive(self) -> bool:
        """Whether requests are being processed."""
        return self._thread.is_alive() and not self._stopping

    def _take(self, seconds: float) -> tuple[list[Job], bool]:
        """The waiting requests, or those arriving within this many seconds; and whether they are the last."""
        jobs: list[Job] = []
        most = min(MOST_TOGETHER, max(LEAST_TOGETHER, round(self._commit_seconds / SECONDS_PER_REQUEST)))
        try:
            one = self._queue.get(timeout=seconds)
            while one is not None:
                jobs.append(one)
                if len(jobs) >= most:
                    return jobs, False
                one = self._queue.get_nowait()
            return jobs, True
        except queue.Empty:
            return jobs, False

    def _leases(self) -> list[Job]:
        now = times.now()
        late = [one.id for one in self._loaded.values() if one.open and next(iter(one.open.values())).expires <= now]
        return [Job(number, Touch(), None) for number in late]

    def _do(self, jobs: list[Job]) -> None:
        """One commit for all of them."""
        begun = time.perf_counter()
        touched: dict[int, Bandit] = {}
        try:
            with self._engine.connect() as connection:
                self._write(connection, jobs, touched)
        except SQLAlchemyError as error:
            # Whether it was committed may be unknown: memory is made anew from what the database says.
            for number in touched:
                self._loaded.pop(number, None)
            log.error("a commit failed", extra={"error": type(error).__name__, "requests": len(jobs)})
            for job in jobs:
                job.reply = not_now("The database is unavailable.")
            self._again = []
        except Exception:
            self._loaded.clear()
            log.exception("the writer failed")
            for job in jobs:
                job.reply = Refusal(500, "Internal error: see the log of the service.")
            self._again = []
        again = set(map(id, self._again))
        self._answer([job for job in jobs if id(job) not in again])
        self._metrics.committed(len(jobs), time.perf_counter() - begun)
        self._keep_snapshots([one for one in touched.values() if one.sequence >= one.snapshot_due], 0)

    def _write(self, connection: Connection, jobs: list[Job], touched: dict[int, Bandit]) -> None:
        """Fold the requests, and commit."""
        made = [self._create(connection, job) for job in jobs if isinstance(job.operation, Create)]
        by_bandit = self._sorted(connection, [job for job in jobs if not isinstance(job.operation, Create)])
        batch = Batch(connection)
        if by_bandit:
            self._fold(batch, by_bandit, touched)
        if batch.new:
            statements.append(connection, batch.new, {one["bandit_id"]: one["sequence"] for one in batch.new})
        if batch.new or any(made):
            begun = time.perf_counter()
            connection.commit()
            self._commit_seconds += (1.0 - MEMORY) * (time.perf_counter() - begun - self._commit_seconds)
        for number, bandit in touched.items():
            for job in by_bandit[number]:
                if isinstance(job.reply, Answer):
                    job.reply = job.operation.result(bandit, job.reply)

    def _create(self, connection: Connection, job: Job) -> bool:
        """Create a bandit unless one with this name exists; returns whether it was created."""
        assert isinstance(job.operation, Create)
        name, spec = str(job.bandit), job.operation.spec
        row = statements.row_named(connection, name)
        if row is None:
            new = {"name": name, "spec": specs.written_down(spec), "secret": ids.new_secret()}
            try:
                with connection.begin_nested():
                    statements.create(connection, {**new, "version": 0, "origin": None, "created": times.now()})
            except IntegrityError:  # another instance was faster
                pass
            else:
                job.reply = statements.row_named(connection, name), True
                return True
            row = statements.row_named(connection, name)
        job.reply = row, False
        return False

    def _fold(self, batch: Batch, by_bandit: dict[int, list[Job]], touched: dict[int, Bandit]) -> None:
        locked = statements.locked(batch.connection, by_bandit)
        for number, mine in by_bandit.items():
            bandit = self._current(batch.connection, number, locked.get(number), mine)
            if bandit is not None:
                touched[number] = bandit
                batch.new += bandit.expire(batch.at)
        batch.look_up(by_bandit, touched)
        for number, bandit in touched.items():
            self._apply(bandit, by_bandit[number], batch)

    def _sorted(self, connection: Connection, jobs: list[Job]) -> dict[int, list[Job]]:
        """The jobs of each bandit in the order in which they came."""
        found: dict[int, list[Job]] = {}
        for job in jobs:
            number = job.bandit if isinstance(job.bandit, int) else self._id(connection, job.bandit)
            if number is None:
                job.reply = Refusal(404, f"There is no bandit {shown(job.bandit)}.")
            else:
                found.setdefault(number, []).append(job)
        return found

    def _id(self, connection: Connection, name: str) -> int | None:
        number = self._ids.get(name)
        if number is None:
            # Other names are none of ours, and some are such that a database refuses to look.
            row = statements.row_named(connection, name) if allowed_names.is_bandit(name) else None
            if row is None:
                return None
            number = self._ids[name] = row.id  # for ever: bandits keep their names
        return number

    def _current(self, connection: Connection, number: int, found: Any, jobs: list[Job]) -> Bandit | None:
        """The bandit as in the database, locked against changes."""
        try:
            bandit = self._loaded.get(number)
            version, origin = found or (-1, None)
            if bandit is not None and bandit.sequence <= version:
                self._loaded.move_to_end(number)
                if bandit.row.origin != origin:  # it was compacted
                    bandit.row = bandit.row._replace(origin=origin)
                if bandit.sequence < version:  # another instance was at work
                    statements.catch_up(connection, bandit)
                return bandit
            row = statements.row_of(connection, number)
            if row is None:
                raise Refusal(404, "There is no such decision.")
            bandit = self._loaded[number] = statements.load(connection, row)
            while len(self._loaded) > MOST_LOADED:
                self._loaded.popitem(last=False)
            return bandit
        except SQLAlchemyError:
            raise
        except Exception as error:  # the others go on
            self._loaded.pop(number, None)
            refusal = error
            if not isinstance(error, Refusal):
                log.error("a log cannot be played", extra={"bandit": number, "error": str(error)}, exc_info=error)
                refusal = Refusal(500, "The log of this bandit cannot be replayed: run `riskbandits audit`.")
            for job in jobs:
                job.reply = refusal
            return None

    def _apply(self, bandit: Bandit, jobs: list[Job], batch: Batch) -> None:
        for place, job in enumerate(jobs):
            try:
                job.reply, new = job.operation.apply(bandit, batch)
                batch.new += new
            except BrokenError as error:
                # What was done before stands; the rest is done when the bandit is made anew.
                self._loaded.pop(bandit.id, None)
                job.reply = Refusal(409, f"The policy failed: {error.__cause__}")
                self._again += jobs[place + 1 :]
                return
            except Exception as error:
                job.reply = error

    def _answer(self, jobs: list[Job]) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(_tell, jobs)
        except RuntimeError:  # the loop has ended: nobody waits any more
            log.warning("nobody to answer")

    def _keep_snapshots(self, bandits: list[Bandit], least: int) -> None:
        for bandit in bandits:
            if bandit.id not in self._loaded or bandit.sequence < least + bandit.last_snapshot:
                continue
            try:
                with self._engine.begin() as connection:
                    size = statements.keep_snapshot(connection, bandit)
                bandit.set_snapshot_due(bandit.sequence, size)
            except IntegrityError:  # another instance has just made the same
                bandit.set_snapshot_due(bandit.sequence, 0)
            except Exception:  # it is made again when the next one is due; nothing is lost without it
                bandit.set_snapshot_due(bandit.sequence, 0)
                log.exception("a snapshot could not be written", extra={"bandit": bandit.name})


def _tell(jobs: list[Job]) -> None:
    for job in jobs:
        if job.future is None or job.future.done():  # whoever asked may have gone
            continue
        if isinstance(job.reply, Exception):
            job.future.set_exception(job.reply)
        else:
            job.future.set_result(job.reply)
