"""Times: the sweep of Figure 6, many runs of one problem, and how cost grows with arms and runs."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from lanes import lane_of, seconds_of

import riskbandits as rb
from riskbandits.paper.experiments import GAUSSIAN_RHOS

RHOS = list(GAUSSIAN_RHOS)
FIGURE_5 = [rb.MTS(), rb.VTS(), rb.MVTS(), rb.MVLCB(), rb.MVLCB.sani(), rb.MVLCB.vakili()]
PRECISIONS = ("float64", "float32")
REPEATS = 3
# Arms and steps that are scored; the steps before them, one per arm, are taken off.
SIZES = {15: 3000, 100: 600, 1000: 60}
RUNS = (100, 1_000, 10_000, 100_000, 1_000_000)
LARGEST = 1 << 36  # bytes of one batch


def tables(quick: bool) -> dict[str, list[dict[str, Any]]]:
    return {
        "Figure 6: 6 policies x 13 rho x 500 runs x 30 000 steps, 15 arms": _figure_6(quick),
        "100 000 runs of MVTS, 30 000 steps, 15 arms": _many_runs(quick),
        "MVTS, ns per run and step": _scaling(quick),
    }


def _best(call: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times)


def _rows(ways: dict[str, tuple[Callable[[], object], int, float]]) -> list[dict[str, Any]]:
    """A row per way of doing the same: seconds, the best of some repeats, scaled to the whole."""
    rows = []
    for name, (call, repeats, scale) in ways.items():
        seconds = scale * _best(call, repeats)
        rows.append(
            {"way": name, "seconds": seconds, "measured on": f"1/{scale:g} of the runs" if scale != 1 else "all"}
        )
        print(rows[-1], flush=True)
    for row in rows:
        row["times the first"] = row["seconds"] / rows[0]["seconds"]
    return rows


def _figure_6(quick: bool) -> list[dict[str, Any]]:
    runs, horizon = (1, 20) if quick else (500, 30_000)

    def sweep(runs: int, **how: Any) -> Callable[[], object]:
        return lambda: rb.sweep(
            rb.problems.zhu_tan_gaussian, RHOS, FIGURE_5, horizon=horizon, runs=runs, seed=7, progress=False, **how
        )

    ways = {}
    for precision in PRECISIONS:
        rb.sweep(
            rb.problems.zhu_tan_gaussian,
            RHOS[:1],
            FIGURE_5,
            horizon=20,
            runs=1,
            engine="cuda",
            precision=precision,
            progress=False,
        )
        ways[f"GPU, {precision}"] = (sweep(runs, engine="cuda", precision=precision), REPEATS, 1.0)
    few = max(1, runs // 10)
    for method in ("auto", "plain"):
        rb.sweep(rb.problems.zhu_tan_gaussian, RHOS[:1], FIGURE_5, horizon=20, runs=1, method=method, progress=False)
    ways["CPU, 2 threads, fastest method"] = (sweep(few, workers=2), 1, runs / few)
    ways["CPU, 2 threads, plain method"] = (sweep(few, workers=2, method="plain"), 1, runs / few)
    return _rows(ways)


def _many_runs(quick: bool) -> list[dict[str, Any]]:
    runs, horizon = (2, 20) if quick else (100_000, 30_000)
    problem = rb.problems.zhu_tan_gaussian(1)

    def simulate(runs: int, **how: Any) -> Callable[[], object]:
        return lambda: rb.simulate(problem, [rb.MVTS()], horizon=horizon, runs=runs, seed=7, progress=False, **how)

    ways = {f"GPU, {one}": (simulate(runs, engine="cuda", precision=one), 2, 1.0) for one in PRECISIONS}
    few = max(1, runs // 100)
    ways["CPU, 2 threads, fastest method"] = (simulate(few, workers=2), 1, runs / few)
    ways["CPU, 2 threads, plain method"] = (simulate(few, workers=2, method="plain"), 1, runs / few)
    return _rows(ways)


def _scaling(quick: bool) -> list[dict[str, Any]]:
    rows = []
    for arms, scored in SIZES.items():
        rng = np.random.default_rng(1)
        problem = rb.Problem(rb.GaussianArms(rng.random(arms), rng.random(arms)), rb.MeanVariance(1.0))
        for runs in (2,) if quick else RUNS:
            for method in ("cuda", "cuda-float32"):
                horizon = arms + (2 if quick else scored)
                if runs * arms * 40 > LARGEST:
                    continue
                forced = _kernel_seconds(problem, arms, runs, method)
                seconds = _kernel_seconds(problem, horizon, runs, method)
                cost = (seconds - forced) / (runs * (horizon - arms)) * 1e9
                rows.append({"arms": arms, "runs": runs, "method": method, "seconds": seconds, "ns": cost})
                print(rows[-1], flush=True)
    return rows


def _kernel_seconds(problem: rb.Problem, horizon: int, runs: int, method: str) -> float:
    """The better of two, of launches alone."""
    return min(seconds_of(lane_of(rb.MVTS(), problem, horizon, runs, method)) for _ in range(2))
