"""Work in a thread of its own: signal handlers raise in the main thread, between any two of its instructions.

Locks, conditions and pools of Python's own library do not survive that: an exception that comes just after a lock was
taken leaves it taken for ever, and the next one who asks for it waits for ever. So everything that uses them runs in a
thread of its own, and the main thread waits for one thing that is safe to wait for.
"""

from __future__ import annotations

import _thread
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

Found = TypeVar("Found")
Stopped = Callable[[], bool]

SECONDS_BETWEEN_CHECKS = 0.005
# A signal wakes the main thread only if it arrives there, and while it sleeps: one that another thread received, or
# that came on the way to sleep, is noticed when the main thread wakes by itself.
SECONDS_ASLEEP = 0.1
SECONDS_TO_END = 5.0  # kernels look at a flag several times per second; a compilation cannot be stopped


class StoppedError(Exception):
    """Raised in work that was asked to stop; whoever asked has an error of their own."""


def never() -> bool:
    """What work asks that nobody stops."""
    return False


def in_background(work: Callable[[Stopped], Found]) -> Found:
    """What `work(stopped)` gives, or the error that it raises.

    Whatever a signal handler raises meanwhile is raised here: `stopped()` then says so to the work, which has a while
    to put things in order. A second one is raised at once.
    """
    if threading.current_thread() is not threading.main_thread():
        return work(never)  # no handler runs here
    ended: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
    asked: list[bool] = []
    life: list[str] = []  # of the work: "begun", "over"

    def run() -> None:
        life.append("begun")
        try:
            if not asked:
                ended.put((work(lambda: bool(asked)), None))
        except BaseException as error:
            ended.put((None, error))
        finally:
            life.append("over")

    try:
        _thread.start_new_thread(run, ())
        found, error = _awaited(ended)
    except BaseException:
        asked.append(True)
        end = time.monotonic() + SECONDS_TO_END
        while life == ["begun"] and time.monotonic() < end:
            time.sleep(SECONDS_BETWEEN_CHECKS)
        raise
    if error is not None:
        raise error
    return found


def _awaited(ended: queue.SimpleQueue[Found]) -> Found:
    while True:
        try:
            return ended.get(timeout=SECONDS_ASLEEP)
        except queue.Empty:
            continue
