"""What a live learner costs: asking and telling, with ids and without, and saving.

    python benchmarks/learner.py                     # this version
    python benchmarks/learner.py --against OTHER/src # beside another one, in turn, so that both meet the same machine

Times are those of the thread, in microseconds per decision and its answer, on the fifteen arms of the paper's size; the
save is timed by the clock, since most of it is the disk, and so is the least that any save must do: the same bytes
written, synced and put in place.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS, DECISIONS, ARMS = 15, 4_000, 15


def worker() -> None:
    """Answer each line of standard input with a line of times: without ids, with ids; a save, and its least, in ms."""
    import riskbandits as rb

    plain, known = (rb.Learner(rb.MVTS(), ARMS, rb.MeanVariance(1.0)) for _ in range(2))
    has_ids = hasattr(known, "decide")
    folder = tempfile.mkdtemp()
    for _ in sys.stdin:
        start = time.thread_time()
        for turn in range(DECISIONS):
            plain.tell(plain.ask(), 0.1 * (turn % 10))
        middle = time.thread_time()
        for turn in range(DECISIONS if has_ids else 0):
            known.answer(known.decide().id, 0.1 * (turn % 10))
        end = time.thread_time()
        before = time.perf_counter()
        known.save(Path(folder) / "learner.json")
        saved = time.perf_counter() - before
        least = bare_save(Path(folder), (Path(folder) / "learner.json").read_bytes())
        numbers = ((middle - start) / DECISIONS * 1e6, (end - middle) / DECISIONS * 1e6, saved * 1e3, least * 1e3)
        print(*numbers, flush=True)


def bare_save(folder: Path, content: bytes) -> float:
    """Seconds that a disk takes for a file that replaces another."""
    before = time.perf_counter()
    with open(folder / "new", "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(folder / "new", folder / "old")
    place = os.open(folder, os.O_RDONLY)
    os.fsync(place)
    os.close(place)
    return time.perf_counter() - before


def started(source: str | None) -> subprocess.Popen[str]:
    environment = dict(os.environ) if source is None else {**os.environ, "PYTHONPATH": source}
    command = [sys.executable, __file__, "--worker"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def times(process: subprocess.Popen[str]) -> list[float]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return [float(one) for one in process.stdout.readline().split()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", help="the src folder of another version")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        worker()
        return
    processes = [started(None), *([started(given.against)] if given.against else [])]
    rows = [[times(process) for process in processes] for _ in range(ROUNDS + 1)][1:]  # the first one compiles
    plain, known, saved, least = (statistics.median(row[0][k] for row in rows) for k in range(4))
    print(f"ask and tell       {plain:7.2f} us")
    print(f"decide and answer  {known:7.2f} us, {statistics.median(r[0][1] / r[0][0] for r in rows):.2f} times as much")
    print(f"save, synced       {saved:7.2f} ms by the clock, at best {min(row[0][2] for row in rows):.2f}")
    print(f"the disk alone     {least:7.2f} ms by the clock, at best {min(row[0][3] for row in rows):.2f}")
    if given.against:
        print(f"ask and tell there {statistics.median(row[1][0] for row in rows):7.2f} us")
        for name, k in (("ask and tell", 0), ("decide and answer", 1)):
            print(f"{name} / ask and tell there: {statistics.median(row[0][k] / row[1][0] for row in rows):.2f}")
    for process in processes:
        process.stdin.close()  # type: ignore[union-attr]
        process.wait()


if __name__ == "__main__":
    main()
