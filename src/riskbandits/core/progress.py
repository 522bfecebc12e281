"""A progress bar with the time left, on standard error or in a notebook, for anything longer than a second."""

from __future__ import annotations

import html
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

QUIET_SECONDS = 1.0
SECONDS_BETWEEN_LINES = 10.0
SECONDS_BETWEEN_BARS = 0.2


@contextmanager
def reporting(title: str, total: float, show: bool) -> Iterator[Callable[[float], None] | None]:
    """Give a function to call with the amount done so far: a bar on a terminal, a line now and then elsewhere.

    The first call says what was done before (by a simulation that this one resumes); the pace counts from there.
    """
    if not show or sys.stderr is None:  # closed
        yield None
        return
    if in_notebook():
        with _notebook_bar(title, total) as report:
            yield report
        return
    if not sys.stderr.isatty():
        yield _line_reporter(title, total)
        return
    with _bar(title, total) as report:
        yield report


@contextmanager
def _bar(title: str, total: float) -> Iterator[Callable[[float], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(title, total=total)
    begun = False

    def report(done: float) -> None:
        nonlocal begun
        if not begun:
            bar.reset(task, completed=int(done))  # forgets the jump to there, which is not part of the pace
            begun = True
        bar.update(task, completed=done)

    try:
        with _later(bar.start):
            yield report
    finally:
        bar.stop()


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook, which shows more than text."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and hasattr(shell, "kernel")


@contextmanager
def _notebook_bar(title: str, total: float) -> Iterator[Callable[[float], None]]:
    """A bar in the cell's output, which goes away in the end; drawn by the browser alone, without widgets."""
    from IPython.display import HTML, display

    started, due, begun, handle = 0.0, 0.0, -1.0, None

    def report(done: float) -> None:
        nonlocal started, due, begun, handle
        now = time.monotonic()
        if begun < 0.0:
            begun, started, due = done, now, now + QUIET_SECONDS
        if now < due:
            return
        due = now + SECONDS_BETWEEN_BARS
        left = f"about {(now - started) * (total - done) / (done - begun):.0f} s left" if done > begun else ""
        bar = f'<progress value="{done:g}" max="{total:g}" style="width: 20em"></progress>'
        shown = HTML(f"<div>{html.escape(title)} {bar} {done / total:.0%} {left}</div>")
        if handle is None:
            handle = display(shown, display_id=True)
        else:
            handle.update(shown)

    try:
        yield report
    finally:
        if handle is not None:
            handle.update(HTML(""))


@contextmanager
def notice(text: str, show: bool) -> Iterator[None]:
    """Say on standard error what is going on if it takes longer than a second."""
    if not show or sys.stderr is None:
        yield
        return
    with _later(lambda: print(text, file=sys.stderr, flush=True)):
        yield


@contextmanager
def _later(call: Callable[[], None]) -> Iterator[None]:
    """Call something in a second, unless the block has ended before."""
    timer = threading.Timer(QUIET_SECONDS, call)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _line_reporter(title: str, total: float) -> Callable[[float], None]:
    before, started, due = -1.0, 0.0, 0.0

    def report(done: float) -> None:
        nonlocal due, before, started
        now = time.monotonic()
        if before < 0.0:
            before, started, due = done, now, now + QUIET_SECONDS  # compiling is not part of it
        if now < due or done <= before or done >= total:
            return
        due = now + SECONDS_BETWEEN_LINES
        left = (now - started) * (total - done) / (done - before)
        print(f"{title}: {100.0 * done / total:.0f} % done, about {left:.0f} s left", file=sys.stderr, flush=True)

    return report
