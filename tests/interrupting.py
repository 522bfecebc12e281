"""Signals at random moments, in children forked from a warmed parent: what the tests of interrupts share."""

from __future__ import annotations

import os
import random
import signal
import time
import traceback
import warnings
from collections.abc import Callable
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGALRM, signal.SIGTERM)


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
    while True:
        time.sleep(moments.uniform(0.0, 2.0 * pause))
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise TimeoutError("the child hangs")
        if signals:
            os.kill(child, moments.choice(signals))
