"""Captions: what a text of the gallery or of the lecture says of its picture is computed again from the same runs."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import riskbandits as rb

ROOT = Path(__file__).parents[2]
LECTURE = ROOT / "examples" / "4-a-lecture-in-twenty-minutes.ipynb"
FAR = 4.0  # standard errors


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """Pictures are drawn into an empty folder, and open no window."""
    import matplotlib

    monkeypatch.chdir(tmp_path)
    matplotlib.use("svg")


def drawn(script: str) -> SimpleNamespace:
    """What a script of the gallery leaves behind."""
    return SimpleNamespace(**runpy.run_path(str(ROOT / "examples" / "gallery" / script)))


def switching_parts(result: rb.results.result.Result) -> dict[str, Any]:
    """Losses by wrong arms and by switching, at the horizon, from pulls alone: arrays over runs, by label."""
    problem, parts = result.problem, {}
    for trace in result.traces:
        pulls = trace.pulls.astype(float)
        mean = (pulls * problem.means).sum(axis=1, keepdims=True) / trace.horizon
        parts[trace.label] = (pulls * problem.gaps).sum(axis=1), (pulls * (problem.means - mean) ** 2).sum(axis=1)
    return parts


def assert_slopes_near_the_bound(result, bound: float, line: float) -> None:
    """NGTS stays close to the bound and not below it, MVTS grows by about half as much again as NGTS."""
    assert line == pytest.approx(bound)
    rows = rb.metrics.local_slopes(result.traces, steps=[1000, 10**7]).set_index("policy")
    near, far = rows.loc["NGTS(anytime=True)"], rows.loc["MVTS"]
    for row in (near, far):
        assert row["slope"] > bound - FAR * row["slope_se"]
    assert near["slope"] < 1.2 * bound
    assert 1.4 < far["slope"] / near["slope"] < 1.7


def lower_bound_by_hand(problem) -> float:
    """Losses over the least divergence to a Gaussian whose mean-variance exceeds the best, by a grid of variances."""
    rho, total = problem.risk.rho, 0.0
    for k in np.flatnonzero(problem.gaps > 0.0):
        mean, variance = problem.means[k], problem.variances[k]
        others = variance * np.geomspace(1e-3, 3.0, 400_001)
        needed = np.maximum(mean, (problem.values.max() + others) / rho)
        divergence = 0.5 * ((variance + (needed - mean) ** 2) / others - 1.0 + np.log(others / variance))
        loss = problem.gaps[k] + (mean - problem.means[problem.best_arm]) ** 2  # the stream is at the best arm's mean
        total += loss / divergence.min()
    return float(total)


def test_two_calm_arms_are_worth_more_than_the_stream_of_both():
    left = drawn("06_switching.py")
    worth = {name: rewards.mean() - rewards.var() for name, rewards in left.streams.items()}
    assert 0.1 - 0.1**2 == pytest.approx(1.0 - 0.91) == pytest.approx(0.09)
    assert worth["in turn"] < min(worth["first arm only"], worth["second arm only"])
    average = np.mean([left.low.var(), left.high.var()])
    assert left.streams["in turn"].var() > average


def test_the_parts_of_regret_are_those_that_the_text_says(capsys):
    left = drawn("07_parts.py")
    values = left.problem.values
    assert values[0] == pytest.approx(values[1])
    assert values[2] < values[0]
    parts, printed = switching_parts(left.result), capsys.readouterr().out
    for label, gaps, moves in zip(left.result.labels, left.gaps, left.moves, strict=True):
        assert (gaps, moves) == pytest.approx([part.mean() for part in parts[label]])
        assert f"{label:15} lost {gaps:.0f} by wrong arms and {moves:.0f} by switching" in printed
    settled = left.result.trace("SwitchingAware").pulls[:, :2] / left.result.traces[0].horizon
    assert np.mean(settled.max(axis=1) > 0.9) > 0.9
    ours = sum(parts["SwitchingAware"])
    for label in ("NGTS", "MVTS", "MTS"):
        gaps, moves = parts[label]
        assert moves.mean() > 0.9 * (gaps + moves).mean()
        error = np.hypot(*(part.std() / len(part) ** 0.5 for part in (ours, gaps + moves)))
        assert (gaps + moves).mean() > ours.mean() + FAR * error


def test_slopes_of_the_gallery_are_those_of_its_text():
    left = drawn("10_lower_bound.py")
    assert_slopes_near_the_bound(left.result, lower_bound_by_hand(left.problem), left.bound["lower bound"])


def test_policies_that_forget_adapt_to_arms_that_change():
    left = drawn("11_drift.py")
    before, after = left.before.means, left.after.means
    assert np.argmax(before) == np.argmin(after)
    table = left.result.table().set_index(["policy", "step"])["dynamic_regret_mean"].unstack("policy")
    pulls_of_the_worst = (table.loc[3000] - table.loc[2000]) / 0.5  # each costs the difference of the means
    assert pulls_of_the_worst["NGTS"] > 500
    for label in left.result.labels[1:]:
        assert pulls_of_the_worst[label] < 100


def test_two_crops_are_alike_on_average_and_differ_in_bad_years():
    left = drawn("12_cvar.py")
    draws = [np.sort([left.problem.arms.draw(k, left.rng) for _ in range(20_000)]) for k in range(2)]
    means, worst = [one.mean() for one in draws], [one[:2000].mean() for one in draws]
    assert means == pytest.approx(left.problem.means, abs=0.01)
    assert worst == pytest.approx(left.problem.values, abs=0.01)
    assert abs(means[0] - means[1]) < 0.1 * means[0]
    assert worst[0] > 1.5 * worst[1]


def test_the_lecture_shows_what_it_says(capsys):
    """Straight lines at minute 6, what switching costs at minute 13, and the bound at minute 17."""
    names: dict[str, Any] = {}
    results = []
    for cell in json.loads(LECTURE.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
            results.append(names.get("result"))
    first, last = next(one for one in results if one is not None), names["result"]
    table = first.table().set_index(["policy", "step"])["exact_pseudo_regret_mean"].unstack("policy")
    early, late = table.index[len(table) // 2], table.index[-1]
    powers = np.log(table.loc[late] / table.loc[early]) / np.log(late / early)
    assert powers["at random"] == pytest.approx(1.0, abs=0.05)
    assert powers["Thompson sampling"] < 0.3 < powers["explore, then commit"] < 0.9
    moves = {label: part[1].mean() for label, part in switching_parts(names["both"]).items()}
    assert moves["NGTS"] > 5 * moves["SwitchingAware"]
    printed = capsys.readouterr().out
    assert all(f"lost 0.0 by wrong arms and {cost:.1f} by switching" in printed for cost in moves.values())
    assert_slopes_near_the_bound(last, lower_bound_by_hand(names["problem"]), names["bound"]["lower bound"])
