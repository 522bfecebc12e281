"""Signals and child processes: what tests that send the one and start the other share."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGALRM", "SIGTERM") if hasattr(signal, name))
SECONDS_TO_STOP = 40.0  # after an interrupt: it takes less than one, and a busy machine needs slack


def heed_interrupts() -> None:
    """Let SIGINT raise KeyboardInterrupt in this process, and end the children that it starts.

    A shell lets what it starts in the background ignore SIGINT, and what is ignored stays so in all children.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def started(command: Sequence[Any], **how: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process that is killed when the block ends, with all that it has started."""
    with subprocess.Popen(command, start_new_session=True, **how) as process:
        try:
            yield process
        finally:
            process.kill()
            if hasattr(os, "killpg"):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def interrupt(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Send SIGINT, and return what the process wrote until it ended, which it must do soon."""
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=SECONDS_TO_STOP)


class InterruptedError(BaseException):
    """What the handler raises."""


class Interrupts:
    """One interrupt of a call at a random moment; outside of such calls signals do nothing."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.longest = 1e-4  # seconds; becomes about twice what the call takes, so that every moment has its turn
        self.armed = False
        self.hits = 0
        for number in SIGNALS:
            signal.signal(number, self.handle)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    def handle(self, number: int, frame: Any) -> None:
        if self.armed:
            self.armed = False
            raise InterruptedError

    def during(self, call: Callable[[], Any]) -> bool:
        """Whether the call was interrupted: the handler raised before it returned."""
        interrupted = False
        try:
            self.armed = True
            signal.setitimer(signal.ITIMER_REAL, self.random.uniform(1e-6, self.longest))
            call()
        except InterruptedError:
            interrupted = True
        except SystemError as error:
            # Python 3.11 calls a handler while what another one raised is on its way out of os.lstat, and wonders.
            if not isinstance(error.__cause__, InterruptedError):
                raise
            interrupted = True
        finally:
            self.armed = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        self.hits += interrupted
        self.longest *= 1.05 if interrupted else 0.95
        return interrupted


def in_a_child(work: Callable[[], None], signals: tuple[int, ...] = (), pause: float = 0.002) -> int:
    """Run work in a forked child and return how it ended: 0, an exit status, or minus the signal it died of.

    As long as it runs, it is sent one of the `signals` after every pause, of random length.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)  # until the child has its handlers
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # later versions of Python warn of forks beside threads
        child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    moments, end = random.Random(child), time.monotonic() + 240.0
    ended = 0
    try:
        while time.monotonic() < end:
            time.sleep(moments.uniform(0.0, 2.0 * pause))
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            if signals:
                os.kill(child, moments.choice(signals))
        raise TimeoutError("the child hangs")
    finally:
        if not ended:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
