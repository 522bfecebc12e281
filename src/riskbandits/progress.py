"""A progress bar with the time left, on standard error, for anything longer than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

QUIET_SECONDS = 2.0
SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def reporting(title: str, total: float, show: bool) -> Iterator[Callable[[float], None] | None]:
    """Give a function to call with the amount done so far: a bar on a terminal, a line now and then elsewhere."""
    if not show:
        yield None
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
    started = time.monotonic()
    shown = False

    def report(done: float) -> None:
        nonlocal shown
        if not shown and time.monotonic() - started >= QUIET_SECONDS:
            bar.start()
            shown = True
        bar.update(task, completed=done)

    try:
        yield report
    finally:
        if shown:
            bar.stop()


def _line_reporter(title: str, total: float) -> Callable[[float], None]:
    started = time.monotonic()
    due = started + QUIET_SECONDS

    def report(done: float) -> None:
        nonlocal due, started
        if done <= 0:
            started = time.monotonic()  # compiling is not part of the pace
        now = time.monotonic()
        if now < due or done <= 0 or done >= total:
            return
        due = now + SECONDS_BETWEEN_LINES
        left = (now - started) * (total - done) / done
        print(f"{title}: {done / total:.0%} done, about {left:.0f} s left", file=sys.stderr, flush=True)

    return report
