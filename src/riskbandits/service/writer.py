"""The writer: one thread that takes all waiting requests, applies them, commits once, and only then answers."""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from typing import Any

from riskbandits.core.errors import shown
from riskbandits.service import ids, specs, times
from riskbandits.service.bandit_state import SETTING_KINDS, BanditState, BrokenStateError, catch_up, load_bandit
from riskbandits.service.db.storage import (
    BanditRow,
    DuplicateError,
    Event,
    Settlement,
    Storage,
    StorageError,
    Transaction,
)
from riskbandits.service.errors import ProblemError, service_unavailable
from riskbandits.service.metrics import Metrics
from riskbandits.service.operations import Answer, Operation
from riskbandits.service.queries import ExpireLeases

# Requests in one commit: about as many as the web server handles during a commit, so that it has something to do
# meanwhile. If all were taken, it would wait for the disk and the disk for it.
SMALLEST_BATCH, LARGEST_BATCH = 32, 500
SECONDS_PER_REQUEST = 70e-6
SMOOTHING = 0.9  # of the average time of a commit
MOST_LOADED = 20_000  # bandits in memory
SECONDS_BETWEEN_CHECKS = 0.5  # of leases, of the database, and of the clock
SECONDS_OF_WORK = 0.25  # in one commit: what is left waits for the next one, behind other bandits
SECONDS_UNTIL_STALLED = 6.0  # for which a commit may take: then nobody waits for it any longer
SECONDS_UNTIL_NOT_READY = 3.0
LARGEST_STEP_OF_CLOCK = 10.0  # seconds, more than which it is reported
EVENTS_AT_STOP = 500  # since the last snapshot, for which one is written when the writer stops

NOT_ANSWERING = "The database does not answer."

log = logging.getLogger("riskbandits.service")


class Job:
    """An operation on a bandit (by name or by id), and the future for its reply."""

    __slots__ = ("bandit", "future", "operation", "reply")

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for the answer; nobody does for what the writer asks of itself."""
        return self.future is None or not self.future.done()

    def __init__(self, bandit: str | int, operation: Operation, future: asyncio.Future[Any] | None) -> None:
        self.bandit, self.operation, self.future = bandit, operation, future
        self.reply: Any = None


class CreateBandit(Operation):
    """Create a bandit, unless there is one of that name."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec


class WaitingJobs:
    """The requests that wait, by bandit: a batch takes some of each, so that none waits for the crowd of another."""

    def __init__(self) -> None:
        self._by_bandit: OrderedDict[str | int, deque[Job]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._by_bandit)

    def add(self, job: Job) -> None:
        """Put a request at the end of its bandit's."""
        self._by_bandit.setdefault(job.bandit, deque()).append(job)

    def put_back(self, jobs: Iterable[Job]) -> None:
        """Put requests, in their order, before the others of their bandits."""
        for job in reversed(list(jobs)):
            self._by_bandit.setdefault(job.bandit, deque()).appendleft(job)

    def take(self, most: int) -> list[Job]:
        """The next requests: about as many of each bandit, the oldest first."""
        taken: list[Job] = []
        while self._by_bandit and len(taken) < most:
            share = max(1, (most - len(taken)) // len(self._by_bandit))
            bandit, jobs = self._by_bandit.popitem(last=False)
            taken += [jobs.popleft() for _ in range(min(share, len(jobs)))]
            if jobs:
                self._by_bandit[bandit] = jobs
        return [job for job in taken if job.is_awaited]


class Batch:
    """The requests of one commit: what their operations may look up, and the events they make."""

    def __init__(self, transaction: Transaction) -> None:
        self.transaction = transaction
        self.at = times.now()
        self._until = time.monotonic() + SECONDS_OF_WORK
        self.keyed: dict[tuple[int, str], Any] = {}
        self.settled: dict[tuple[int, int], Settlement] = {}
        self.new: list[Event] = []

    @property
    def is_over(self) -> bool:
        """Whether enough was done for one commit."""
        return time.monotonic() > self._until

    def events(self, bandit: BanditState, first: int, count: int) -> Sequence[Any]:
        """Events of the bandit, from the log or of this batch."""
        found = list(self.transaction.events_after(bandit.id, first - 1, count))
        mine = [one for one in self.new if one["bandit_id"] == bandit.id and first <= one["sequence"] < first + count]
        return [*found, *mine]

    def look_up(self, jobs: dict[int, list[Job]], bandits: dict[int, BanditState]) -> None:
        """Look up everything the operations will need, all at once."""
        keys, numbers = [], []
        for number, bandit in bandits.items():
            for job in jobs[number]:
                key = job.operation.key()
                if key is not None:
                    keys.append((number, key))
                numbers += [(number, one) for one in job.operation.numbers() if one not in bandit.open]
        self.keyed = dict(self.transaction.events_by_key(keys))
        self.settled = dict(self.transaction.settlements(numbers))
        for one in self.new:  # what has expired just now is not in the database yet
            self.settled[one["bandit_id"], one["settles"]] = (one["kind"], None)


class Writer:
    """All changes to bandits go through here, one after the other."""

    def __init__(self, storage: Storage, metrics: Metrics) -> None:
        self._storage = storage
        self._metrics = metrics
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._waiting = WaitingJobs()
        self._postponed: list[Job] = []
        self._unanswered: set[asyncio.Future[Any]] = set()
        self._busy_since: float | None = None
        self._trouble: str | None = None  # why the last write failed
        self._ids: dict[str, int] = {}
        self._loaded: OrderedDict[int, BanditState] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._watch: asyncio.Task[None] | None = None
        self._stopping = self._ended = False
        self._commit_seconds = 0.0

    def start(self) -> None:
        """Start; answers go to the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        self._watch = self._loop.create_task(self._refuse_while_stalled())

    async def stop(self) -> None:
        """Answer waiting requests, accept no more, and stop."""
        self._stopping = True
        self._queue.put(None)
        while self._thread.is_alive() and not self._is_stalled:
            await asyncio.to_thread(self._thread.join, SECONDS_BETWEEN_CHECKS)
        if self._watch is not None:
            self._watch.cancel()

    def submit(self, bandit: str | int, operation: Operation) -> asyncio.Future[Any]:
        """Run an operation; the answer comes once it is on disk."""
        assert self._loop is not None
        future: asyncio.Future[Any] = self._loop.create_future()
        if self._stopping:
            future.set_exception(service_unavailable("The service is stopping."))
        elif self._is_stalled:
            future.set_exception(service_unavailable(NOT_ANSWERING))
        else:
            self._unanswered.add(future)
            self._queue.put(Job(bandit, operation, future))
        return future

    def create(self, name: str, spec: dict[str, Any]) -> asyncio.Future[tuple[BanditRow, bool]]:
        """The bandit of that name, and whether it is new."""
        return self.submit(name, CreateBandit(spec))

    @property
    def loaded(self) -> int:
        """How many bandits are in memory."""
        return len(self._loaded)

    def _run(self) -> None:
        next_check = time.monotonic() + SECONDS_BETWEEN_CHECKS
        clock = times.ClockMonitor()
        while not self._ended or self._waiting:
            jobs = self._take(max(0.0, next_check - time.monotonic()))
            self._busy_since = time.monotonic()
            if self._busy_since >= next_check:
                self._check_storage()
                step = clock.step()
                if abs(step) > LARGEST_STEP_OF_CLOCK:
                    log.warning("the clock was set", extra={"seconds": round(step, 1)})
                late = self._expiries()
                jobs += late
                next_check = time.monotonic() + (0.0 if late else SECONDS_BETWEEN_CHECKS)
            if jobs:
                self._process(jobs)
                self._waiting.put_back(self._postponed)
                self._postponed = []
            self._busy_since = None
        self._write_snapshots(list(self._loaded.values()), EVENTS_AT_STOP)

    @property
    def is_alive(self) -> bool:
        """Whether requests are being processed."""
        return self._thread.is_alive() and not self._stopping

    @property
    def trouble(self) -> str | None:
        """Why nothing can be written at the moment, if so."""
        return NOT_ANSWERING if self._seconds_busy > SECONDS_UNTIL_NOT_READY else self._trouble

    @property
    def _is_stalled(self) -> bool:
        return self._seconds_busy > SECONDS_UNTIL_STALLED

    @property
    def _seconds_busy(self) -> float:
        since = self._busy_since
        return 0.0 if since is None else time.monotonic() - since

    async def _refuse_while_stalled(self) -> None:
        """Answer those who wait for a database that hangs. What they asked for may happen all the same, once."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_CHECKS / 2)
            self._unanswered = {future for future in self._unanswered if not future.done()}
            if self._is_stalled and self._unanswered:
                log.error("the database does not answer", extra={"requests": len(self._unanswered)})
                for future in self._unanswered:
                    future.set_exception(service_unavailable(NOT_ANSWERING))

    def _take(self, seconds: float) -> list[Job]:
        """The requests for the next commit, of those waiting or arriving within this many seconds."""
        try:
            one = self._queue.get_nowait() if self._waiting or self._ended else self._queue.get(timeout=seconds)
            while True:
                if one is None:
                    self._ended = True
                else:
                    self._waiting.add(one)
                one = self._queue.get_nowait()
        except queue.Empty:
            most = min(LARGEST_BATCH, max(SMALLEST_BATCH, round(self._commit_seconds / SECONDS_PER_REQUEST)))
            return self._waiting.take(most)

    def _check_storage(self) -> None:
        """Whether the database is there, and if the last write failed, whether it can be written to again."""
        try:
            with self._storage.reading() if self._trouble is None else self._storage.writing() as transaction:
                if self._trouble is not None:
                    transaction.touch()
                    transaction.commit()
        except StorageError as error:
            self._note_trouble(error)
        else:
            if self._trouble is not None:
                log.info("the database can be written to again")
            self._trouble = None

    def _note_trouble(self, error: StorageError) -> None:
        if str(error) != self._trouble:
            log.error("nothing can be written", extra={"error": str(error), "cause": str(error.__cause__ or "")})
        self._trouble = str(error)

    def _expiries(self) -> list[Job]:
        now = times.now()
        return [Job(one.id, ExpireLeases(), None) for one in self._loaded.values() if one.has_late(now)]

    def _process(self, jobs: list[Job]) -> None:
        """One commit for all of them."""
        begun = time.perf_counter()
        touched: dict[int, BanditState] = {}
        try:
            with self._storage.writing() as transaction:
                self._write(transaction, jobs, touched)
        except StorageError as error:
            # Whether it was committed may be unknown: memory is rebuilt from the database.
            for number in touched:
                self._loaded.pop(number, None)
            log.error("a commit failed", extra={"error": str(error), "requests": len(jobs)})
            if not isinstance(error, DuplicateError):  # another instance was faster
                self._note_trouble(error)
            for job in jobs:
                job.reply = service_unavailable("The database is unavailable.")
            self._postponed = []
        except Exception:
            self._loaded.clear()
            log.exception("the writer failed")
            for job in jobs:
                job.reply = ProblemError(500, "Internal error: see the log of the service.")
            self._postponed = []
        postponed = set(map(id, self._postponed))
        self._reply([job for job in jobs if id(job) not in postponed])
        self._metrics.committed(len(jobs), time.perf_counter() - begun)
        self._write_snapshots([one for one in touched.values() if one.sequence >= one.snapshot_due], 0)

    def _write(self, transaction: Transaction, jobs: list[Job], touched: dict[int, BanditState]) -> None:
        """Apply the requests, and commit."""
        made = [self._create(transaction, job) for job in jobs if isinstance(job.operation, CreateBandit)]
        by_bandit = self._by_bandit(transaction, [job for job in jobs if not isinstance(job.operation, CreateBandit)])
        batch = Batch(transaction)
        if by_bandit:
            self._apply_all(batch, by_bandit, touched)
        if batch.new:
            transaction.append_events(batch.new, {one["bandit_id"]: one["sequence"] for one in batch.new})
            for number in {one["bandit_id"] for one in batch.new if one["kind"] in SETTING_KINDS}:
                transaction.set_settings(number, json.dumps(touched[number].settings._asdict()))
            for number in {
                one["bandit_id"] for one in batch.new if "policy" in (one["data"] or {})
            } & self._loaded.keys():
                # Nobody has to learn from the whole log again: neither a new start nor another instance.
                touched[number].set_snapshot_due(_write_snapshot(transaction, touched[number]))
        if batch.new or any(made):
            begun = time.perf_counter()
            transaction.commit()
            self._commit_seconds += (1.0 - SMOOTHING) * (time.perf_counter() - begun - self._commit_seconds)
            self._trouble = None
        for number, bandit in touched.items():
            for place, job in enumerate(by_bandit[number]):
                if not isinstance(job.reply, Answer):
                    continue
                if place and batch.is_over and isinstance(job.operation, ExpireLeases):  # a question, asked again
                    self._postponed.append(job)
                else:
                    job.reply = job.operation.result(bandit, job.reply)

    def _create(self, transaction: Transaction, job: Job) -> bool:
        """Create a bandit unless one with this name exists; returns whether it was created."""
        assert isinstance(job.operation, CreateBandit)
        name, new = str(job.bandit), None
        found = transaction.bandit_named(name)
        if found is None:
            spec = specs.dump_spec(job.operation.spec)
            new = transaction.create_bandit(name, spec, ids.new_secret(), times.now(), None)
            found = new or transaction.bandit_named(name)  # another instance was faster
        job.reply = found, new is not None
        return new is not None

    def _apply_all(self, batch: Batch, by_bandit: dict[int, list[Job]], touched: dict[int, BanditState]) -> None:
        locked = batch.transaction.lock_bandits(by_bandit)
        for number, mine in sorted(by_bandit.items(), key=lambda one: len(one[1])):
            if touched and batch.is_over:
                self._postponed += mine
                continue
            bandit = self._up_to_date(batch.transaction, number, locked.get(number), mine)
            if bandit is not None:
                touched[number] = bandit
                batch.new += bandit.expire(batch.at)
        batch.look_up(by_bandit, touched)
        for number, bandit in touched.items():
            self._apply(bandit, by_bandit[number], batch)

    def _by_bandit(self, transaction: Transaction, jobs: list[Job]) -> dict[int, list[Job]]:
        """The jobs of each bandit in the order in which they came."""
        found: dict[int, list[Job]] = {}
        for job in jobs:
            number = job.bandit if isinstance(job.bandit, int) else self._id(transaction, job.bandit)
            if number is None:
                job.reply = ProblemError(404, f"There is no bandit {shown(job.bandit)}.")
            else:
                found.setdefault(number, []).append(job)
        return found

    def _id(self, transaction: Transaction, name: str) -> int | None:
        number = self._ids.get(name)
        if number is None:
            # Other names are none of ours, and some are such that a database refuses to look.
            row = transaction.bandit_named(name) if specs.is_bandit_name(name) else None
            if row is None:
                return None
            number = self._ids[name] = row.id  # for ever: bandits keep their names
        return number

    def _up_to_date(self, transaction: Transaction, number: int, found: Any, jobs: list[Job]) -> BanditState | None:
        """The bandit as in the database, locked against changes."""
        try:
            bandit = self._loaded.get(number)
            version, origin = found or (-1, None)
            if bandit is not None and bandit.sequence <= version and not _has_new_policy(transaction, bandit, version):
                self._loaded.move_to_end(number)
                if bandit.row.origin != origin:  # it was compacted
                    bandit.row = bandit.row._replace(origin=origin)
                if bandit.sequence < version:  # another instance was at work
                    catch_up(transaction, bandit)
                return bandit
            row = transaction.bandit_numbered(number)
            if row is None:
                raise ProblemError(404, "There is no such decision.")
            bandit = self._loaded[number] = load_bandit(transaction, row)
            while len(self._loaded) > MOST_LOADED:
                self._loaded.popitem(last=False)
            return bandit
        except StorageError:
            raise
        except Exception as error:  # the others go on
            self._loaded.pop(number, None)
            problem = error
            if not isinstance(error, ProblemError):
                log.error("a log cannot be replayed", extra={"bandit": number, "error": str(error)}, exc_info=error)
                problem = ProblemError(500, "The log of this bandit cannot be replayed: run `riskbandits audit`.")
            for job in jobs:
                job.reply = problem
            return None

    def _apply(self, bandit: BanditState, jobs: list[Job], batch: Batch) -> None:
        for place, job in enumerate(jobs):
            if place and batch.is_over:
                self._postponed += jobs[place:]
                return
            try:
                job.reply, new = job.operation.apply(bandit, batch)
                batch.new += new
            except BrokenStateError as error:
                # What was done before stands; the rest is done when the bandit is loaded again.
                self._loaded.pop(bandit.id, None)
                job.reply = ProblemError(409, f"The policy failed: {error.__cause__}")
                self._postponed += jobs[place + 1 :]
                return
            except StorageError:
                raise
            except Exception as error:
                job.reply = error

    def _reply(self, jobs: list[Job]) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(self._set_results, jobs)
        except RuntimeError:  # the loop has ended: nobody waits any more
            log.warning("nobody to answer")

    def _set_results(self, jobs: list[Job]) -> None:
        for job in jobs:
            if job.future is None:
                continue
            self._unanswered.discard(job.future)
            if job.future.done():  # whoever asked has gone, or was refused
                continue
            if isinstance(job.reply, Exception):
                job.future.set_exception(job.reply)
            else:
                job.future.set_result(job.reply)

    def _write_snapshots(self, bandits: list[BanditState], least: int) -> None:
        for bandit in bandits:
            if bandit.id not in self._loaded or bandit.sequence < least + bandit.last_snapshot:
                continue
            try:
                with self._storage.writing() as transaction:
                    bandit.set_snapshot_due(_write_snapshot(transaction, bandit))
                    transaction.commit()
            except DuplicateError:  # another instance has just made the same
                bandit.set_snapshot_due(0)
            except Exception:  # it is made again when the next one is due; nothing is lost without it
                bandit.set_snapshot_due(0)
                log.exception("a snapshot could not be written", extra={"bandit": bandit.name})


def _has_new_policy(transaction: Transaction, bandit: BanditState, version: int) -> bool:
    """Whether another instance has changed the policy: it is not learned again, there is a snapshot."""
    row = transaction.bandit_numbered(bandit.id) if bandit.sequence < version else None
    return row is not None and specs.current_settings(row).records["policy"] != bandit.settings.records["policy"]


def _write_snapshot(transaction: Transaction, bandit: BanditState) -> int:
    """Write a snapshot, unless the one where the log begins is the same; returns its size."""
    content = bandit.snapshot()
    _, origin = transaction.lock_bandits([bandit.id])[bandit.id]
    if bandit.sequence != origin:
        transaction.write_snapshot(content, keep=origin)
    return len(content["learner"]) + len(content["rest"])
