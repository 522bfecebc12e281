"""Ctrl-C while policies are compiled ends it at once, with a word, and leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from interrupting import SECONDS_TO_STOP, started

# Starts the command, and interrupts it as soon as it waits for the processes that compile; prints when that was.
WATCH = """
import os, signal, sys, threading, time
from riskbandits.playground import compiling
def interrupt():
    print(time.monotonic(), flush=True)
    os.kill(os.getpid(), signal.SIGINT)
real, timer = compiling._Worker.answer, threading.Timer(0.5, interrupt)
lock = threading.Lock()
def answer(self):
    with lock:
        if timer.ident is None:
            timer.start()
    return real(self)
compiling._Worker.answer = answer
sys.argv = ["riskbandits", "playground", "--out", sys.argv[1]]
from riskbandits.cli import main
main()
"""


def test_an_interrupt_ends_compiling(tmp_path):
    pytest.importorskip("ziglang")
    command = [sys.executable, "-c", WATCH, str(tmp_path / "page.html")]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        out, err = process.communicate(timeout=120)
    assert time.monotonic() - float(out) < SECONDS_TO_STOP  # all of it takes a minute or more
    assert process.returncode in (130, -signal.SIGINT)
    assert err.strip() == "Stopped."
    assert list(tmp_path.iterdir()) == []
