"""The measurements behind docs/choosing.md: relative regret of policies on the problems of two suites.

    python -m studies.choosing             the page and the figure from studies/data/choosing.csv
    python -m studies.choosing --measure   simulate first (long; goes on where it stopped), and write that file

A row of the file is a policy on all problems of a suite, or on one family of them, at one horizon, with the commit of
the code that measured it.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

import riskbandits as rb

DOCS = Path("docs")
DATA = Path("studies/data/choosing.csv")
PAGE = DOCS / "studies" / "choosing.md"
FIGURE = DOCS / "figures" / "choosing.svg"
ALL = "all"
SHORT, LONG = 1_000, 10_000
RESOLVED = 2.0  # both ends of the interval of a finding lie within this factor of it
POLICIES = {
    "MTS": rb.MTS(),
    "VTS": rb.VTS(),
    "MVTS": rb.MVTS(),
    "MVLCB": rb.MVLCB(),
    "MVLCB:sani": rb.MVLCB.sani(),
    "NGTS": rb.NGTS(),
    "NGTS:honda_takemura": rb.NGTS.honda_takemura(),
    "IMEDMV": rb.IMEDMV(),
    "KLUCBMV": rb.KLUCBMV(),
    "SwitchingAware": rb.SwitchingAware(),
    "BMVTS": rb.BMVTS(),
    "SwitchingAware:bernoulli": rb.SwitchingAware.bernoulli(),
    "BernoulliLCB:tight": rb.BernoulliLCB.tight(),
}
# Runs of these leap: the others are asked at every step and would take hours.
BATCHED = ("MTS", "VTS", "MVTS", "NGTS", "NGTS:honda_takemura", "SwitchingAware", "BMVTS", "SwitchingAware:bernoulli")
FOR_MEASURES = {
    "NGTS": rb.NGTS(),
    "MVTS": rb.MVTS(),
    "NPTS": rb.NPTS(),
    "NPTS:anchor_free": rb.NPTS.anchor_free(),
    "GaussianTS": rb.GaussianTS(),
    "UCB1": rb.UCB1(),
    "UCBV": rb.UCBV(),
    "SRTS": rb.SRTS(),
    "UCBRSSR": rb.UCBRSSR(),
    "BCVTS": rb.BCVTS(),
    "CVaRUCB": rb.CVaRUCB(),
    "UUCB": rb.UUCB(),
    "MaRaB": rb.MaRaB(),
    "RAUCB": rb.RAUCB(),
}


class Comparison(NamedTuple):
    """Policies on a suite, for so many steps."""

    suite: str
    horizon: int
    runs: int
    policies: dict[str, Any]
    common_rewards: bool = True


_LEAPING = {label: POLICIES[label] for label in BATCHED}
COMPARISONS = (
    Comparison("full", SHORT, 200, POLICIES),
    Comparison("full", LONG, 100, POLICIES),
    Comparison("full", 100_000, 40, _LEAPING, False),
    Comparison("full", 1_000_000, 20, _LEAPING, False),
    Comparison("full", 10_000_000, 10, _LEAPING, False),
    Comparison("measures", LONG, 50, FOR_MEASURES),
)
COLUMNS = [f"{name}{end}" for name in ("relative", "settled", "exploring") for end in ("", "_low", "_high")]

INTRODUCTION = """\
# Measurements behind "Which policy to use"

Written by `make choosing` from `studies/data/choosing.csv`, which names the commit of every measurement. [Which
policy to use](../choosing.md) draws the conclusions.

*Relative regret* is the ratio of a policy's mean exact pseudo-regret to that of the best of these policies on the
same problem; over several problems it is the geometric mean. The best policy is selected on one half of the runs and
the ratio measured on the other. Square brackets contain 95 % intervals, over other problems of the population where
problems were drawn at random, and over other runs elsewhere. A ratio is given only where both ends of its interval
lie within a factor of {factor:g} of it; the rest was **not resolved** by so few runs, and is left out.

A run has *settled on a wrong arm* if in its second half a single suboptimal arm received 95 % of the pulls and an
optimal one none; it is *still exploring* if it has not settled and optimal arms received less than half of those
pulls.
"""


def measure(comparisons: Sequence[Comparison] = COMPARISONS, **how: Any) -> pd.DataFrame:
    """Simulate comparisons: a row per policy on all problems and on each family; `how` are arguments of `compare`."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    parts = []
    for one in comparisons:
        suite = rb.suites.named(one.suite)
        found = rb.compare(
            suite, one.policies, horizon=one.horizon, runs=one.runs, common_rewards=one.common_rewards, **how
        )
        for table in (found.leaderboard().assign(family=ALL), found.by_family()):
            rows = table[["family", "policy", "problems", *COLUMNS]].rename(columns={"family": "part"})
            rows.insert(0, "runs", one.runs)
            rows.insert(0, "horizon", one.horizon)
            rows.insert(0, "suite", one.suite)
            rows.insert(0, "commit", commit.stdout.strip())
            parts.append(rows)
    return pd.concat(parts, ignore_index=True)


def is_resolved(row: Any) -> bool:
    """Whether the interval of a relative regret is narrow enough to be a finding."""
    return bool(row.relative_low * RESOLVED >= row.relative and row.relative_high <= row.relative * RESOLVED)


def page(table: pd.DataFrame) -> str:
    """The page in Markdown: what was resolved, per horizon, and for other measures."""
    parts = [INTRODUCTION.format(factor=RESOLVED)]
    for horizon, rows in table[table.suite == "full"].groupby("horizon", sort=True):
        parts.append(f"## {horizon:,} steps, {rows.runs.iloc[0]} runs\n")
        parts.append(_overall(rows[rows.part == ALL]))
        parts.append(_families(rows[rows.part != ALL]))
    rows = table[(table.suite == "measures") & (table.part != ALL)]
    parts.append(f"## Other risk measures, {rows.horizon.iloc[0]:,} steps, {rows.runs.iloc[0]} runs\n")
    parts.append("Families that end in `-bounded` have rewards in [0, 1].\n\n" + _families(rows))
    return "\n".join(parts).rstrip() + "\n"


def _overall(rows: pd.DataFrame) -> str:
    heads = ["policy", "problems", "relative regret", "settled on a wrong arm", "still exploring"]
    cells = []
    for row in rows.itertuples():
        ratio = _ratio(row) if is_resolved(row) else "not resolved"
        cells.append(
            [f"`{row.policy}`", f"{row.problems:.0f}", ratio, _percent(row, "settled"), _percent(row, "exploring")]
        )
    if all(row[2] == "not resolved" for row in cells):
        heads, cells = heads[:2] + heads[3:], [one[:2] + one[3:] for one in cells]
    lines = [heads, ["---"] * len(heads), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _families(rows: pd.DataFrame) -> str:
    """The resolved ratios of each family, the smallest first."""
    lines, unresolved = ["| family | relative regret |", "|---|---|"], 0
    for family, part in rows.groupby("part", sort=False):
        found = [row for row in part.sort_values("relative").itertuples() if is_resolved(row)]
        if found:
            lines.append(f"| {family} | {'; '.join(f'`{row.policy}` {_ratio(row)}' for row in found)} |")
        else:
            unresolved += 1
    if len(lines) == 2:
        return "No relative regret was resolved.\n"
    rest = f"\nNothing was resolved in {unresolved} further families.\n" if unresolved else ""
    return "\n".join(lines) + "\n" + rest


def _ratio(row: Any) -> str:
    return f"{row.relative:.3g} [{row.relative_low:.3g}, {row.relative_high:.3g}]"


def _percent(row: Any, name: str) -> str:
    value, low, high = (100.0 * getattr(row, name + end) for end in ("", "_low", "_high"))
    return f"{value:.2g} % [{low:.2g}, {high:.2g}]"


def draw(table: pd.DataFrame, path: Path) -> None:
    """A dot per policy: relative regret at the short horizon, and wrongly settled runs at the next."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    rows = table[(table.suite == "full") & (table.part == ALL) & (table.problems == table.problems.max())]
    short, long = (rows[rows.horizon == horizon].set_index("policy") for horizon in (SHORT, LONG))
    order = short.sort_values("relative", ascending=False).index
    with mpl.rc_context({"svg.hashsalt": "choosing", "font.size": 9}):
        figure, (left, right) = plt.subplots(1, 2, figsize=(7.5, 3.0), sharey=True, layout="constrained")
        for ax, part, name, factor in ((left, short, "relative", 1.0), (right, long, "settled", 100.0)):
            part = part.loc[order]
            for place, row in enumerate(part.itertuples()):
                color = "0.75" if name == "relative" and not is_resolved(row) else "tab:blue"
                value, low, high = (factor * getattr(row, name + end) for end in ("", "_low", "_high"))
                ax.plot([low, high], [place, place], color=color)
                ax.plot([value], [place], "o", color=color, markersize=4)
            ax.set_yticks(range(len(order)), order)
            ax.spines[["top", "right"]].set_visible(False)
        left.set(xscale="log", xlabel=f"relative regret, {SHORT:,} steps\n(grey: not resolved)")
        left.set_xticks([1, 2, 5], ["1", "2", "5"])
        left.minorticks_off()
        right.set(xlabel=f"runs settled on a wrong arm, %\n({LONG:,} steps)")
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page and the figure, after measuring if asked to."""
    parser = argparse.ArgumentParser(prog="python -m studies.choosing", description=main.__doc__)
    parser.add_argument("--measure", action="store_true", help="simulate, and write studies/data/choosing.csv")
    parser.add_argument("--store", type=Path, default=Path("results/choosing"), help="folder that keeps finished runs")
    options = parser.parse_args(arguments)
    if options.measure:
        measure(store=options.store).to_csv(DATA, index=False, float_format="%.4g", lineterminator="\n")
    table = pd.read_csv(DATA)
    PAGE.write_text(page(table), encoding="utf-8")
    draw(table, FIGURE)
    print(PAGE, FIGURE)


if __name__ == "__main__":
    main()
