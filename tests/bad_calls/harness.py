"""Every call in a child of its own, forked from a process in which all is warm; what becomes of it is one of six.

    sentence         an error of the package, on one line (or Python's own about the arguments of a call)
    harmless         an answer that equals, to the last digit, that of the right call
    traceback        any other error
    silently wrong   any other answer, or a refusal that left a file behind
    hang             no end in time
    crash            death by a signal

Only the first two are allowed.
"""

from __future__ import annotations

import gc
import os
import pickle
import re
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from bad_calls import answers
from bad_calls.call import Call

OUTCOMES = ("sentence", "harmless", "traceback", "silently wrong", "hang", "crash")
ALLOWED = OUTCOMES[:2]
# What a call may take beyond what the parent holds: an attempt to take all there is must not end this machine.
MEMORY = 3 << 30
# Python's own sentences about how a function may be called.
BINDING = re.compile(r"\w+\(\) (missing|got an unexpected keyword|takes|got multiple values)|descriptor|unbound")


class Outcome(NamedTuple):
    """What became of a call."""

    name: str
    outcome: str
    words: str


class Ended(Exception):
    """The command line ended with an exit code and what it had to say."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(code, words)
        self.code, self.words = code, words


def run(calls: Sequence[Call], workers: int) -> list[Outcome]:
    """All calls, so many at a time."""
    gc.collect()
    gc.freeze()  # a child that looks for garbage copies all that it shares with its parent
    waiting = list(reversed(calls))
    running: dict[int, tuple[Call, int, float, bytearray]] = {}
    found: dict[str, Outcome] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            call = waiting.pop()
            reading, child = _fork(call)
            running[reading] = (call, child, time.monotonic() + call.seconds, bytearray())
        ready, _, _ = select.select(list(running), [], [], 0.5)
        for reading, (call, child, until, data) in list(running.items()):
            if reading in ready:
                part = os.read(reading, 1 << 16)
                data += part
                if part:
                    continue
            elif time.monotonic() < until:
                continue
            late = reading not in ready
            if late:
                os.kill(child, signal.SIGKILL)
            os.close(reading)
            _, status = os.waitpid(child, 0)
            del running[reading]
            found[call.name] = _judged(call, status, bytes(data), late)
    return [found[call.name] for call in calls]


def _fork(call: Call) -> tuple[int, int]:
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        os.close(writing)
        return reading, child
    os.close(reading)
    code = 1
    try:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(pickle.dumps(_in_child(call)))
        code = 0
    finally:
        os._exit(code)


def _in_child(call: Call) -> tuple[str, str]:
    gc.disable()
    resource.setrlimit(resource.RLIMIT_AS, (_size() + MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    if not call.compiled:
        from riskbandits.compiling import jit

        jit.entry = lambda function, *classes, **how: function  # type: ignore[assignment]
    folder = tempfile.mkdtemp(dir=os.getcwd())
    os.chdir(folder)
    try:
        answer = answers.seen(call.wrong())
    except BaseException as error:
        left = [one for one in os.listdir(folder) if one != "__pycache__"]  # Python's own, of a file that it imported
        return ("silently wrong", f"left {left}") if left else _of_error(error)
    if call.right is None:
        return "silently wrong", f"an answer: {answer!r}"[:300]
    os.chdir(tempfile.mkdtemp(dir=os.path.dirname(folder)))
    try:
        right = answers.seen(call.right())
    except BaseException as error:
        return "silently wrong", f"the right call fails: {error!r}"[:300]
    if answer != right:
        return "silently wrong", f"{answer!r} instead of {right!r}"[:600]
    return "harmless", ""


def _of_error(error: BaseException) -> tuple[str, str]:
    from riskbandits import RiskBanditsError

    if isinstance(error, Ended):
        lines = [line for line in error.words.strip().splitlines() if line.strip()]
        spoken = any(line.startswith(("Error: ", "Usage: ")) for line in lines)
        if error.code == 2 and spoken and "Traceback" not in error.words:
            return "sentence", lines[-1]
        return "traceback", f"exit code {error.code}: {error.words[-500:]}"
    try:
        words = str(error)
    except BaseException as other:
        return "traceback", f"{type(error).__name__} that cannot be shown: {other!r}"
    if isinstance(error, RiskBanditsError):
        good = bool(words.strip()) and "\n" not in words and len(words) < 1000
        return ("sentence" if good else "traceback"), words
    if isinstance(error, TypeError) and BINDING.search(words):
        return "sentence", words
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{os.path.basename(f.filename)}:{f.lineno}" for f in reversed(frames[-6:]))
    return "traceback", f"{type(error).__name__}: {words[:200]} ({places})"


def _judged(call: Call, status: int, data: bytes, late: bool) -> Outcome:
    if late:
        return Outcome(call.name, "hang", f"more than {call.seconds} s")
    if os.WIFSIGNALED(status):
        return Outcome(call.name, "crash", f"signal {os.WTERMSIG(status)}")
    if os.WEXITSTATUS(status) or not data:
        return Outcome(call.name, "crash", f"the process ended with {os.WEXITSTATUS(status)}")
    return Outcome(call.name, *pickle.loads(data))


def _size() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def share(calls: Sequence[Call], number: int, shares: int) -> list[Call]:
    """One of so many shares of all calls, chosen by their names."""
    return [call for call in calls if zlib.crc32(call.name.encode(errors="replace")) % shares == number]


def counts(found: Sequence[Outcome]) -> dict[str, int]:
    """How many calls had which outcome."""
    counted: Any = Counter(one.outcome for one in found)
    return {outcome: counted[outcome] for outcome in OUTCOMES}
