"""Speed of the simulation: lazy against plain against NumPy, and each variate against NumPy and SciPy.

    python benchmarks/run.py [--quick] [--out DIR] [--only WORD]

prints Markdown tables while it goes and writes them, with the numbers as JSON, to results/bench.
"""

import argparse
import json
import platform
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import scipy
import tables
import variates

import riskbandits as rb

ABOUT = """\
Nanoseconds of one thread's processor time per run and step (per variate in the last table), all ways taking turns in
one process. plain: every arm is scored at every step. lazy: arms that cannot matter are not; the same law (for MVLCB:
the same path). reward: drawing the reward of one arm and nothing else. numpy: the policy written in NumPy, "numpy
runs" side by side, each a whole run from a fresh start, and the mean over it; see benchmarks/vectorised.py. Columns
a/b: how often b goes into a, the median over turns. On a busy machine only these ratios mean something.
"""


def markdown(title: str, rows: list[dict[str, Any]]) -> str:
    """A table."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [f"## {title}", "", "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(str(row.get(name, "")) for name in columns) + " |" for row in rows]
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer turns, no 1000 arms, NumPy for MVTS only")
    parser.add_argument("--out", type=Path, default=Path("results/bench"))
    parser.add_argument("--only", default="", help="only tables whose titles hold this word")
    options = parser.parse_args()
    started = time.perf_counter()
    makers = {title: make for title, make in {**tables.TABLES, **variates.TABLES}.items() if options.only in title}
    found: dict[str, list[dict[str, Any]]] = {}
    text = ABOUT
    print(text, flush=True)
    for title, make in makers.items():
        found[title] = make(options.quick)
        text += "\n" + markdown(title, found[title])
        print(markdown(title, found[title]), flush=True)
    versions = {
        "python": platform.python_version(),
        "processor": platform.machine(),
        **{module.__name__: module.__version__ for module in (np, scipy, numba, rb)},
    }
    options.out.mkdir(parents=True, exist_ok=True)
    content = {"versions": versions, "quick": options.quick, "tables": found}
    (options.out / "bench.json").write_text(json.dumps(content, indent=1))
    (options.out / "bench.md").write_text(text)
    print(f"{time.perf_counter() - started:.0f} s; written to {options.out}/bench.md and bench.json")


if __name__ == "__main__":
    main()
