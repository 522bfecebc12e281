"""Choosing a fund from recorded daily returns: what a cautious policy gives up, and what it avoids.

`python -m studies.markets returns.csv` reads a table with a column of daily returns in percent per
fund, prints the numbers and draws the figures of docs/markets.md.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import rich.progress

from riskbandits import (
    NGTS,
    NPTS,
    CVaR,
    DataArms,
    GaussianTS,
    Learner,
    Mean,
    MeanVariance,
    Problem,
    RiskBanditsError,
    Sharpe,
    metrics,
    plotting,
    simulate,
)
from riskbandits.data import read_table
from studies import panels

if TYPE_CHECKING:
    import pandas as pd

SEED = 1
BLOCK = 20  # trading days: about a month of the order of the records is kept
SHOWN = ("mean", "CVaR at 5 %")  # the bold and the cautious one, in the figure over time
WORST = CVaR(0.05)  # the mean of the worst day in twenty


class Investor(NamedTuple):
    """A goal, and the policy that pursues it."""

    name: str
    risk: Any
    policy: Any


INVESTORS = (
    Investor("mean", Mean(), GaussianTS(deviation=2.0)),
    Investor("mean-variance", MeanVariance(1.0), NGTS()),
    Investor("CVaR at 5 %", WORST, NPTS.anchor_free()),
    Investor("Sharpe", Sharpe(), NGTS()),
)


def funds(returns: pd.DataFrame) -> pd.DataFrame:
    """A row per fund: moments of its daily returns, their worst days, and what became of 1 unit.

    >>> import pandas as pd
    >>> funds(pd.DataFrame({"up and down": [10.0, -50.0, 10.0]}))[["growth", "drawdown"]].round(3).values.tolist()
    [[0.605, -50.0]]
    """
    return _described({str(name): returns[name].to_numpy() for name in returns.columns})


def in_percent(path: Path) -> pd.DataFrame:
    """The returns in a file, in percent, on those days on which all funds have one; it says what it understood."""
    reading = read_table(path)
    for line in reading.about():
        print(line, file=sys.stderr)
    scale = 100.0 if reading.unit.startswith("fractions") else 1.0
    return scale * reading.table.dropna()


def shares(returns: pd.DataFrame, runs: int = 50, investors: Sequence[Investor] = INVESTORS, **options: Any) -> Any:
    """The share of days each investor spends in each fund, over as many days as were recorded, drawn in blocks.

    A row per investor and fund: the mean share over runs, and whether the fund is the best by that investor's goal.
    """
    import pandas as pd

    rows = []
    arms = DataArms.from_table(returns, block=BLOCK)
    for investor in investors:
        problem = Problem(arms, investor.risk)
        result = simulate(problem, [investor.policy], horizon=len(returns), runs=runs, seed=SEED, **options)
        mean = result.traces[0].pulls.mean(axis=0) / len(returns)
        for k, fund in enumerate(returns.columns):
            best = bool(problem.gaps[k] == 0.0)
            rows.append({"investor": investor.name, "fund": str(fund), "share": mean[k], "best": best})
    return pd.DataFrame(rows)


def replayed(returns: pd.DataFrame, investor: Investor, seed: int) -> np.ndarray:
    """What an investor earned each day of the records as they came, seeing the chosen fund alone."""
    days = returns.to_dict("records")
    learner = Learner(investor.policy, arms=list(returns.columns), risk=investor.risk, horizon=len(days), seed=seed)
    earned = np.empty(len(days))
    for t, day in enumerate(days):
        fund = learner.ask()
        earned[t] = day[fund]
        learner.tell(fund, earned[t])
    return earned


def replays(
    returns: pd.DataFrame, seeds: int = 10, investors: Sequence[Investor] = INVESTORS, progress: bool = True
) -> dict[str, np.ndarray]:
    """The daily returns of several lives of every investor, (seeds, days): they differ by the policy's draws alone."""
    lives = {investor.name: np.empty((seeds, len(returns))) for investor in investors}
    pairs = list(itertools.product(investors, range(seeds)))
    for investor, seed in rich.progress.track(pairs, "Replaying", disable=not progress):
        lives[investor.name][seed] = replayed(returns, investor, SEED + seed)
    return lives


def ends_of(lives: dict[str, np.ndarray]) -> pd.DataFrame:
    """A row per investor: the median over lives of what `funds` shows of a fund."""
    import pandas as pd

    tables = {name: _described({str(n): life for n, life in enumerate(found)}) for name, found in lives.items()}
    return pd.DataFrame({name: table.drop(columns="name").median() for name, table in tables.items()}).T


def _described(series: dict[str, np.ndarray]) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for name, daily in series.items():
        wealth = metrics.wealth(daily)
        rows.append(
            {
                "name": name,
                "mean": daily.mean(),
                "variance": daily.var(),
                "cvar": WORST.sample_value(np.sort(daily), np.ones(len(daily))),
                "worst day": daily.min(),
                "growth": wealth[-1],
                "drawdown": metrics.drawdowns(wealth).min(),
            }
        )
    return pd.DataFrame(rows)


def draw_shares(returns: pd.DataFrame, found: pd.DataFrame) -> Any:
    """Where the investors spent their days: a panel each."""
    figure = plotting.page(plotting.FULL_WIDTH, 5.4)
    names = list(dict.fromkeys(found["investor"]))
    axes = figure.subplots(-(-len(names) // 2), 2, sharex=True, sharey=True, squeeze=False).ravel()
    table = funds(returns)
    for place, (ax, name) in enumerate(zip(axes, names, strict=False)):
        plotting.plot_funds(table, found[found["investor"] == name], ax, place)
        ax.set_title(f"judged by {name}")
        ax.label_outer()
    figure.supxlabel("discs: share of days in a fund; black edge: the best fund by that goal", fontsize=8.0)
    return figure


def draw_lives(returns: pd.DataFrame, lives: dict[str, np.ndarray]) -> Any:
    """What became of 1 unit, and how far it fell on the way."""
    figure = plotting.page(plotting.FULL_WIDTH, 5.4)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[1.5, 1.0])
    held = {str(name): returns[name].to_numpy() for name in returns.columns}
    shown = {name: lives[name] for name in SHOWN}
    plotting.plot_wealth(returns.index, shown, held, above)
    plotting.plot_drawdowns(returns.index, shown, below)
    plotting.legend_below(figure, above, "median over lives and where 90 % of them lie; grey: funds that were held")
    return figure


def main() -> None:
    """Read a table, print and draw."""
    parser = argparse.ArgumentParser(prog="python -m studies.markets", description=__doc__)
    parser.add_argument(
        "table", type=Path, help="a .csv file with a column of returns in percent per fund, and one of dates"
    )
    parser.add_argument("--out", type=Path, default=Path("results/studies"), help="folder for the figures")
    parser.add_argument("--runs", type=int, default=50, help="simulated lives (default 50)")
    parser.add_argument("--seeds", type=int, default=10, help="lives through the records as they were (default 10)")
    parser.add_argument("--workers", type=int, default=None, help="workers (default: all cores)")
    chosen = parser.parse_args()
    if not chosen.table.is_file():
        parser.error(f"there is no file {str(chosen.table)!r}")
    try:
        returns = in_percent(chosen.table)
    except RiskBanditsError as error:
        parser.error(str(error))
    print(funds(returns).round(3).to_string(index=False))
    found = shares(returns, chosen.runs, workers=chosen.workers)
    print(found.pivot(index="investor", columns="fund", values="share").round(2).to_string())
    lives = replays(returns, chosen.seeds)
    print(ends_of(lives).round(3).to_string())
    with plotting.style():
        panels.save(draw_shares(returns, found), chosen.out / "markets-shares.svg")
        panels.save(draw_lives(returns, lives), chosen.out / "markets-lives.svg")


if __name__ == "__main__":
    main()
