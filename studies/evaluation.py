"""How often the intervals of `evaluate` hold the true value: logs of four policies, five kinds of rewards.

    python -m studies.evaluation --runs 200
    python -m studies.evaluation --time
    python -m studies.evaluation --against FOLDER     # the estimates of Open Bandit Pipeline: studies/obp_estimates.py

Two arms; with features there is one, 0 or 1 with equal probability, which moves both arms' rewards, in opposite
directions. The log is made by a policy that chooses each arm with probability 1/2 (uniform), one that chooses the
better arm so far and every fifth time at random (epsilon-greedy), Thompson sampling of the mean, and the same with
probabilities kept within 0.1 and 0.9 (guarded); with features each value of it has a policy of its own. Thompson
sampling draws means from normal distributions, so that the logged probabilities are exact. Targets: always the second
arm; with features also the arm with the feature's number. The write-up is in docs/studies/evaluation.md.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from scipy.special import ndtr

import riskbandits as rb

ROWS = 1000
TRUTH = 2_000_000  # rewards from which true values are computed
MEASURES = {"mean": rb.Mean(), "mean-variance": rb.MeanVariance(1.0), "CVaR(0.2)": rb.CVaR(0.2)}
GUARD = 0.1
EPSILON = 0.2
SEED = 11
ROUNDING = 1e-9  # all rewards of a tail may be the same

Draw = Callable[[np.random.Generator, Any], np.ndarray]
# All with mean 0 and variance 1.
KINDS: dict[str, Draw] = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "lognormal losses": lambda rng, size: -_standard_lognormal(rng, size),
    "lognormal gains": lambda rng, size: _standard_lognormal(rng, size),
    "mostly zero": lambda rng, size: ((rng.random(size) < 0.1) * rng.exponential(size=size) - 0.1) / np.sqrt(0.19),
    "rare losses": lambda rng, size: (0.05 - (rng.random(size) < 0.05)) / np.sqrt(0.05 * 0.95),
}
MEANS = np.array([0.0, 0.2])
EFFECT = 0.3  # of the feature, on the second arm; on the first it has the opposite sign


def _standard_lognormal(rng: np.random.Generator, size: Any, sigma: float = 0.9) -> np.ndarray:
    mean = np.exp(0.5 * sigma**2)
    return (rng.lognormal(0.0, sigma, size) - mean) / (mean * np.sqrt(np.expm1(sigma**2)))


class Logs(NamedTuple):
    """Many logs at once: a row per log, a column per decision."""

    arms: np.ndarray
    rewards: np.ndarray
    probabilities: np.ndarray
    features: np.ndarray


def logs(policy: str, draw: Draw, runs: int, rows: int, featured: bool, rng: np.random.Generator) -> Logs:
    """Let a policy decide."""
    features = (rng.random((runs, rows)) < 0.5).astype(int) if featured else np.zeros((runs, rows), dtype=int)
    noise, uniform = draw(rng, (runs, rows, 2)), rng.random((runs, rows))
    counts, sums, squares = (np.zeros((runs, 2, 2)) for _ in range(3))
    arms, chances = np.zeros((runs, rows), dtype=int), np.zeros((runs, rows))
    rewards = np.zeros((runs, rows))
    every = np.arange(runs)
    for t in range(rows):
        x = features[:, t]
        second = _chance(policy, counts[every, x], sums[every, x], squares[every, x])
        arm = (uniform[:, t] < second).astype(int)
        reward = MEANS[arm] + np.where(arm == 1, EFFECT, -EFFECT) * (2 * x - 1) * featured + noise[every, t, arm]
        arms[:, t], chances[:, t], rewards[:, t] = arm, np.where(arm == 1, second, 1.0 - second), reward
        counts[every, x, arm] += 1.0
        sums[every, x, arm] += reward
        squares[every, x, arm] += reward**2
    return Logs(arms, rewards, chances, features)


def _chance(policy: str, counts: np.ndarray, sums: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """The probability of the second arm."""
    half = np.full(len(counts), 0.5)
    if policy == "uniform":
        return half
    tried = counts.min(axis=1) >= 2.0
    with np.errstate(all="ignore"):
        means = sums / counts
        if policy == "epsilon-greedy":
            return np.where(tried, EPSILON / 2 + (1 - EPSILON) * (means[:, 1] > means[:, 0]), half)
        variances = np.maximum(squares / counts - means**2, 1e-12) / counts
        found = ndtr((means[:, 1] - means[:, 0]) / np.sqrt(variances.sum(axis=1)))
    found = np.where(tried, np.clip(found, 1e-6, 1.0 - 1e-6), half)
    return np.clip(found, GUARD, 1.0 - GUARD) if policy == "guarded" else found


def truths(draw: Draw, featured: bool, rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """The value of each target by each measure."""
    found = {}
    noise = draw(rng, TRUTH)
    x = (rng.random(TRUTH) < 0.5).astype(int)
    targets = {"second": np.ones(TRUTH, dtype=int)} | ({"by feature": x} if featured else {})
    for name, arm in targets.items():
        rewards = MEANS[arm] + np.where(arm == 1, EFFECT, -EFFECT) * (2 * x - 1) * featured + noise
        mean, variance = rewards.mean(), rewards.var()
        tail = np.partition(rewards, TRUTH // 5)[: TRUTH // 5].mean()
        found[name] = {"mean": mean, "mean-variance": mean - variance, "CVaR(0.2)": tail}
    return found


def by_feature(features: dict[str, int]) -> int:
    """The arm with the number of the feature."""
    return features["x"]


def covered(made: Logs, truth: dict[str, dict[str, float]], featured: bool) -> list[dict[str, Any]]:
    """Of each log, target and measure: whether the interval holds the truth, its effective size, and any warning."""
    import pandas as pd

    found = []
    targets = {"second": "1"} | ({"by feature": by_feature} if featured else {})
    for run in range(len(made.arms)):
        table = pd.DataFrame({"arm": made.arms[run], "reward": made.rewards[run]})
        if featured:
            table = table.assign(probability=made.probabilities[run], x=made.features[run])
        for measure, risk in MEASURES.items():
            for name, target in targets.items():
                row = {"target": name, "measure": measure, "held": np.nan, "warned": True, "size": 0.0}
                try:
                    one = rb.evaluate(table, {name: target}, risk)
                except rb.RiskBanditsError:  # an effective size below 30
                    found.append(row)
                    continue
                line = one.table().iloc[0]
                row["held"] = float(line["low"] - ROUNDING <= truth[name][measure] <= line["high"] + ROUNDING)
                found.append({**row, "warned": bool(one.warnings), "size": line["effective_size"]})
    return found


def study(runs: int, rows: int = ROWS) -> Any:
    """Coverage and warnings for every kind of rewards, policy and measure."""
    import pandas as pd

    lines = []
    cases = [(kind, policy, featured) for featured in (False, True) for kind in KINDS for policy in POLICIES]
    for number, (kind, policy, featured) in enumerate(track(cases, "Logs", console=Console(stderr=True))):
        rng = np.random.default_rng((SEED, number))
        truth = truths(KINDS[kind], featured, np.random.default_rng((SEED, 1000 + list(KINDS).index(kind), featured)))
        made = logs(policy, KINDS[kind], runs, rows, featured, rng)
        table = pd.DataFrame(covered(made, truth, featured))
        for measure, part in table.groupby("measure", sort=False):
            enough = part[part["size"] >= 100]
            quiet = enough[~enough["warned"]]
            lines.append(
                {
                    "mode": "weighted" if featured else "by arm",
                    "rewards": kind,
                    "policy": policy,
                    "measure": measure,
                    "logs": len(enough),
                    "held": 100 * enough["held"].mean(),
                    "warned": 100 * enough["warned"].mean(),
                    "held where not warned": 100 * quiet["held"].mean() if len(quiet) >= 20 else np.nan,
                    "refused": 100 * part["held"].isna().mean(),
                }
            )
    return pd.DataFrame(lines)


POLICIES = ("uniform", "epsilon-greedy", "Thompson", "guarded")


def pages(table: Any) -> str:
    """The tables as Markdown: coverage in percent, and the share of intervals with a warning in brackets."""
    lines = []
    for mode, part in table.groupby("mode", sort=False):
        lines += [f"| {mode} | policy | {' | '.join(MEASURES)} |", "|---|---|" + "---|" * len(MEASURES)]
        for (kind, policy), rows in part.groupby(["rewards", "policy"], sort=False):
            cells = []
            for measure in MEASURES:
                row = rows[rows["measure"] == measure].iloc[0]
                cells.append("" if row["logs"] < 20 else f"{row['held']:.0f} ({row['warned']:.0f})")
            lines.append(f"| {kind} | {policy} | {' | '.join(cells)} |")
        lines.append("")
    lines += [f"| weighted, Thompson, no warning | {' | '.join(MEASURES)} |", "|---|" + "---|" * len(MEASURES)]
    for kind, rows in table[(table["mode"] == "weighted") & (table["policy"] == "Thompson")].groupby(
        "rewards", sort=False
    ):
        held = rows.set_index("measure")["held where not warned"]
        lines.append(f"| {kind} | {' | '.join(f'{held[measure]:.0f}' for measure in MEASURES)} |")
    return "\n".join(lines)


def compared(folder: Path) -> str:
    """Values and intervals of `evaluate` beside those of Open Bandit Pipeline, for every case in a folder."""
    import pandas as pd

    lines = [
        "| log | target | value by obp | difference | interval by obp | by `evaluate` |",
        "|---|---|---|---|---|---|",
    ]
    for path in sorted(folder.glob("*.json")):
        theirs = json.loads(path.read_text(encoding="utf-8"))
        log = pd.read_csv(path.with_suffix(".csv"))
        columns = [name for name in log.columns if name.startswith("target_")]

        def target(features: dict[str, float], columns: list[str] = columns) -> dict[str, float]:
            shares = np.array([features[name] for name in columns])
            return {
                name.removeprefix("target_"): share for name, share in zip(columns, shares / shares.sum(), strict=True)
            }

        for label, known, one, value in (
            ("by features", columns, target, "weighted"),
            (f"always {theirs['most']}", [], str(theirs["most"]), "replayed"),
        ):
            row = rb.evaluate(log, {label: one}, rb.Mean(), features=known).table().iloc[0]
            between = f"[{theirs['low']:.4f}, {theirs['high']:.4f}]" if known else ""
            ours = f"[{row['low']:.4f}, {row['high']:.4f}]"
            off = abs(row["value"] - theirs[value])
            lines.append(f"| {path.stem} | {label} | {theirs[value]:.6f} | {off:.0e} | {between} | {ours} |")
    return "\n".join(lines)


def timed(rows: int = 1_000_000) -> str:
    """Seconds of processor time and memory for a large log in a CSV file, with three targets."""
    import pandas as pd

    rng = np.random.default_rng(SEED)
    x = rng.integers(0, 5, rows)
    chance = np.where(x < 2, 0.7, 0.3)
    second = rng.random(rows) < chance
    log = pd.DataFrame({"arm": second.astype(int), "reward": rng.lognormal(size=rows), "x": x})
    log["probability"] = np.where(second, chance, 1.0 - chance)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.csv"
        log.to_csv(path, index=False)
        del log, x, chance, second
        started = time.process_time()
        rb.evaluate(
            path, {"0": 0, "both": {0: 0.5, 1: 0.5}, "by x": lambda features: int(features["x"] < 2)}, rb.CVaR(0.2)
        )
        took = time.process_time() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return f"{rows:,} rows, 3 targets: {took:.0f} s of processor time, {memory:.1f} GB at most"


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the logs, evaluate them, and print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m studies.evaluation",
        description="How often the intervals of evaluate hold the true value.",
        epilog="Example: python -m studies.evaluation --runs 50",
    )
    parser.add_argument("--runs", type=int, default=200, help="logs per policy and kind of rewards (default: 200)")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"decisions per log (default: {ROWS})")
    parser.add_argument("--out", help="write the numbers to this .csv file")
    parser.add_argument("--time", action="store_true", help="time a log of a million rows instead")
    parser.add_argument("--against", type=Path, help="compare with the estimates in this folder instead")
    given = parser.parse_args(arguments)
    if given.time or given.against:
        print(timed() if given.time else compared(given.against))
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rb.errors.IntervalWarning)
        table = study(given.runs, given.rows)
    if given.out:
        table.to_csv(given.out, index=False)
    print(pages(table))


if __name__ == "__main__":
    main()
