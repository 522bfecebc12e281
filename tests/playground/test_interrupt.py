"""Ctrl-C while policies are compiled ends it at once, with a word, and leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

# Starts the command, and interrupts it as soon as it waits for the processes that compile.
WATCH = """
import os, signal, sys, threading
from riskbandits.playground import compiling
real, timer = compiling._Worker.answer, threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
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
    started = time.monotonic()
    command = [sys.executable, "-c", WATCH, str(tmp_path / "page.html")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in (130, -signal.SIGINT)
    assert done.stderr.strip() == "Stopped."
    assert time.monotonic() - started < 30.0  # all of it takes a minute or more
    assert list(tmp_path.iterdir()) == []
