"""Speed of the simulation: lazy, plain, delayed and NumPy, policies, threads, and variates against NumPy and SciPy.

    python benchmarks/run.py [--quick] [--out DIR] [--only WORDS] [--publish]

prints Markdown tables while it goes and writes them, with the numbers as JSON, to results/bench after every
measurement: whatever ends it, what was measured is kept. Progress goes to standard error.
"""

import argparse
import json
import os
import platform
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import costs
import delays
import leaps
import numba
import numpy as np
import running
import scipy
import tables
import variates
from headline import in_short, markdown, publish

import riskbandits as rb
from riskbandits.core.files import replacing

ABOUT = """\
Nanoseconds of one thread's processor time per run and step (per variate in that table), all ways taking turns in one
process; medians over turns. plain: every arm is scored at every step. lazy: arms that cannot matter are not; the same
law (for MVLCB: the same path). Both are whole runs; where "plain steps" is less than the horizon, plain is the first
so many steps, its cost per step being the same later. reward: drawing the reward of one arm and nothing else. numpy:
the policy written in NumPy, "numpy runs" side by side from a fresh start, over their first "numpy steps": what first
pulls cost and what later steps cost, weighted as in a whole run; see benchmarks/vectorised.py. Columns a/b: how often
b goes into a, the median over turns. On a busy machine only these ratios mean something. The paper's arms are those of
Zhu & Tan; with other numbers of arms than 15 they are spread evenly.
"""
TABLES = {**tables.TABLES, **leaps.TABLES, **costs.TABLES, **delays.TABLES, **running.TABLES, **variates.TABLES}


def report(found: dict[str, list[dict[str, Any]]]) -> str:
    """All tables, the short one first."""
    short = ["## In short\n\n" + in_short(found[tables.HEADLINE])] if found.get(tables.HEADLINE) else []
    return "\n".join([ABOUT, *short, *(markdown(title, rows) for title, rows in found.items())])


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer turns, no 1000 arms, no more than 30 000 steps")
    parser.add_argument("--out", type=Path, default=Path("results/bench"))
    parser.add_argument("--only", default="", help="only measurements whose 'table: name' holds these words")
    parser.add_argument("--publish", action="store_true", help="also to benchmarks/results/ and docs/benchmarks.md")
    options = parser.parse_args()
    cells = [
        (title, cell)
        for title, make in TABLES.items()
        for cell in make(options.quick)
        if options.only in f"{title}: {cell.name}"
    ]
    if not cells:
        parser.error(f"--only must be words of a table or a measurement. Got {options.only!r}.")
    if options.publish and sum(title == tables.HEADLINE for title, _ in cells) < len(tables.headline(options.quick)):
        parser.error("--publish needs all of the first table: choose other words for --only, or none.")
    versions = {module.__name__: module.__version__ for module in (np, scipy, numba, rb)}
    content: dict[str, Any] = {
        "versions": {"python": platform.python_version(), "processor": platform.machine(), **versions},
        "cores": os.cpu_count(),
        "quick": options.quick,
        "finished": False,
        "seconds": 0,
        "tables": {},
    }
    print(ABOUT, flush=True)
    started = time.perf_counter()
    guessed, total = 0.0, sum(cell.seconds for _, cell in cells)
    try:
        for number, (title, cell) in enumerate(cells):
            spent = time.perf_counter() - started
            left = f", about {spent * (total - guessed) / guessed:.0f} s left" if guessed else ""
            print(f"{guessed / total:4.0%}{left}: {title}: {cell.name}", file=sys.stderr, flush=True)
            content["tables"].setdefault(title, []).extend(interruptible(cell.measure))
            guessed += cell.seconds
            content["finished"] = number + 1 == len(cells)
            write(options.out, content, started)
            if number + 1 == len(cells) or cells[number + 1][0] != title:
                print(markdown(title, content["tables"][title]), flush=True)
    except KeyboardInterrupt:
        print(f"Stopped; what was measured is in {options.out}/bench.md and bench.json.", file=sys.stderr)
        sys.exit(130)
    if content["tables"].get(tables.HEADLINE):
        print("## In short\n\n" + in_short(content["tables"][tables.HEADLINE]))
    if options.publish:
        write(Path("benchmarks/results"), content, started)
        publish(Path("docs/benchmarks.md"), content["tables"][tables.HEADLINE])
    print(f"{content['seconds']} s; written to {options.out}/bench.md and bench.json")


def interruptible(call: Callable[[], Any]) -> Any:
    """Call in a thread of its own: this one then hears Ctrl-C while compiled code runs."""
    future: Future[Any] = Future()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return future.result()


def write(folder: Path, content: dict[str, Any], started: float) -> None:
    """Both files, whole or not at all."""
    content["seconds"] = round(time.perf_counter() - started)
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"bench.json": json.dumps(content, indent=1) + "\n", "bench.md": report(content["tables"])}
    for name, text in texts.items():
        with replacing(folder / name) as temporary:
            Path(temporary).write_text(text)


if __name__ == "__main__":
    main()
