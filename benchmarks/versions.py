"""Two versions of the package against each other, cell by cell, in one process tree.

    python benchmarks/versions.py OTHER/src [--rounds 3] [--only WORDS] [--start] [--plain]

Each version is served by a process of its own; they take turns at every cell, so that a busy machine slows both. A cell
is a `simulate` by its public functions, in seconds of processor time; printed is this version's over the other's, the
median of the rounds, and the geometric mean over all cells. With --start: what the import, the first compilation and
the start of a run take instead. With --plain: how many times as fast this version's own choice of method is as the
other's plain method, every arm scored at every step.
"""

from __future__ import annotations

import argparse
import inspect
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1] / "src"
SECONDS_PER_TURN = 0.4

GAUSSIAN = (
    "MVTS()",
    "VTS()",
    "MTS()",
    "MVLCB()",
    "NGTS()",
    "SwitchingAware()",
    "IMEDMV()",
    "KLUCBMV()",
    "NGTS.paper()",
)
BERNOULLI = ("BMVTS()", "BernoulliLCB()", "SwitchingAware.bernoulli()")


def cells() -> dict[str, tuple[str, str, str, int]]:
    """Name -> (problem, policy, method, horizon), as expressions in which `rb` is the package."""
    found = {}
    for method in ("plain", "auto"):
        for rho in (0.001, 1, 1000):
            for policy in GAUSSIAN:
                problem = f"rb.problems.zhu_tan_gaussian({rho})"
                found[f"{policy} rho={rho} {method}"] = (problem, f"rb.{policy}", method, 30_000)
        for rho in (0.001, 0.444, 0.889):
            for policy in BERNOULLI:
                problem = f"rb.problems.zhu_tan_bernoulli({rho})"
                found[f"{policy} rho={rho} {method}"] = (problem, f"rb.{policy}", method, 30_000)
        two = "rb.Problem(rb.GaussianArms([0.1, 0.5], [0.1, 0.3]), rb.MeanVariance(1.0))"
        crowd = "rb.Problem(rb.GaussianArms([1.0] + [0.0] * 99, [0.2] * 100), rb.MeanVariance(1.0))"
        for policy in ("MVTS()", "MVLCB()"):
            found[f"{policy} two arms {method}"] = (two, f"rb.{policy}", method, 30_000)
            found[f"{policy} one clear best of 100 {method}"] = (crowd, f"rb.{policy}", method, 30_000)
    return found


def one_worker(rb: Any) -> dict[str, int]:
    """One worker, as either version spells it: the first called workers threads."""
    return {"workers" if "workers" in inspect.signature(rb.simulate).parameters else "threads": 1}


def serve() -> None:
    """Read cells, one line of JSON each, and answer with the seconds that they take."""
    import riskbandits as rb

    for line in sys.stdin:
        problem, policy, method, horizon, runs = json.loads(line)
        settings = {"horizon": horizon, "runs": runs, "method": method, **one_worker(rb), "progress": False, "seed": 7}
        names: dict[str, Any] = {"rb": rb}
        started = time.process_time()
        rb.simulate(eval(problem, names), [eval(policy, names)], **settings)
        print(time.process_time() - started, flush=True)


class Version:
    """A process that runs one version of the package."""

    def __init__(self, source: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(source)}
        self._process = subprocess.Popen(
            [sys.executable, __file__, "serve"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, *cell: Any) -> float:
        """What a cell takes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(cell) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


def compare(other: Path, rounds: int, only: str) -> None:
    """Print a line per cell, and the geometric mean."""
    versions = {"this": Version(HERE), "other": Version(other)}
    ratios = {}
    for name, cell in cells().items():
        if only not in name:
            continue
        for version in versions.values():
            version.seconds(*cell, 1)  # compiles
        runs = max(1, round(SECONDS_PER_TURN / max(1e-4, versions["other"].seconds(*cell, 2) / 2)))
        turns = []
        for turn in range(rounds):
            order = list(versions)[:: 1 if turn % 2 else -1]
            taken = {which: versions[which].seconds(*cell, runs) for which in order}
            turns.append(taken["this"] / taken["other"])
        ratios[name] = statistics.median(turns)
        print(f"{ratios[name]:.3f}  {name}  ({runs} runs)", flush=True)
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios.values()))
    print(f"geometric mean {mean:.3f}, largest {max(ratios.values()):.3f}, over {len(ratios)} cells")


def compare_with_plain(other: Path, rounds: int) -> None:
    """Print how often this version's time goes into that of the other's plain method."""
    this, that = Version(HERE), Version(other)
    for rho in (0.001, 1, 1000):
        cell = (f"rb.problems.zhu_tan_gaussian({rho})", "rb.MVTS()")
        this.seconds(*cell, "auto", 30_000, 1)  # compiles
        that.seconds(*cell, "plain", 30_000, 1)
        turns = [
            that.seconds(*cell, "plain", 30_000, 40) / this.seconds(*cell, "auto", 30_000, 40) for _ in range(rounds)
        ]
        print(f"{statistics.median(turns):.2f}  MVTS() rho={rho}, 30 000 steps", flush=True)


START = {
    "import": "import riskbandits as rb",
    "first compilation, MVTS plain": "import riskbandits as rb; simulate('MVTS()', 'plain', 10, 1)",
    "first compilation, MVTS lazy": "import riskbandits as rb; simulate('MVTS()', 'lazy', 10, 1)",
    "first compilation, MVLCB": "import riskbandits as rb; simulate('MVLCB()', 'auto', 10, 1)",
    "5000 starts of a run, compiled": "import riskbandits as rb; simulate('MVTS()', 'lazy', 1, 5000)",
}
START_CODE = """
import inspect, time
def simulate(policy, method, horizon, runs):
    problem = rb.problems.zhu_tan_gaussian(1)
    policies = [eval("rb." + policy)]
    name = "workers" if "workers" in inspect.signature(rb.simulate).parameters else "threads"
    rb.simulate(problem, policies, horizon=horizon, runs=runs, method=method, progress=False, **{name: 1})
"""


def compare_starts(other: Path, rounds: int) -> None:
    """Processor time of whole processes with an empty compile cache, or a warm one where the name says so."""
    for name, code in START.items():
        turns = []
        with tempfile.TemporaryDirectory() as warm:
            for turn in range(rounds + 1):
                taken = {}
                for which, source in (("this", HERE), ("other", other)):
                    cache = Path(warm) / (which if "compiled" in name else f"{which}{turn}")
                    environment = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(cache)}
                    before = os.times()
                    subprocess.run([sys.executable, "-c", START_CODE + code], env=environment, check=True)
                    after = os.times()
                    taken[which] = sum(after[2:4]) - sum(before[2:4])
                turns.append(taken)
        used = turns[1:]
        ratio = statistics.median(turn["this"] / turn["other"] for turn in used)
        print(f"{ratio:.3f}  {name}  ({statistics.median(turn['this'] for turn in used):.2f} s)", flush=True)


def main() -> None:
    """Compare."""
    if sys.argv[1:] == ["serve"]:
        serve()
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="the src folder of the other version")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="only cells whose names hold these words")
    parser.add_argument("--start", action="store_true", help="import, compilation and start of a run instead")
    parser.add_argument(
        "--plain", action="store_true", help="this version's own choice against the other's plain method"
    )
    options = parser.parse_args()
    if options.plain:
        compare_with_plain(options.other, options.rounds)
    elif options.start:
        compare_starts(options.other, options.rounds)
    else:
        compare(options.other, options.rounds, options.only)


if __name__ == "__main__":
    main()
