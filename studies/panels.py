"""What studies beside the paper share: the numbers at the horizon, and a page of panels with regret over time."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits import Problem, Result, plotting, sweep
from riskbandits.inference import standard_error
from riskbandits.metrics import best_arm_share, exact_pseudo_regret, locked, marked_runs

if TYPE_CHECKING:
    import pandas as pd

FIRST_STEP = 20  # before it every policy tries every arm


class Experiment(NamedTuple):
    """Policies on problems made from the values of a parameter."""

    title: str
    make_problem: Callable[[Any], Problem]
    values: tuple[Any, ...]
    policies: tuple[Any, ...]
    horizon: int = 10_000
    runs: int = 200

    def run(self, **how: Any) -> Any:
        """Simulate it; `how` are further arguments of `sweep`."""
        return sweep(self.make_problem, self.values, self.policies, horizon=self.horizon, runs=self.runs, **how)


def ends(cases: Mapping[str, Result]) -> pd.DataFrame:
    """One row per case and policy, at the horizon.

    `regret` is the mean exact pseudo-regret and `se` its standard error. `growth` is its ratio to that at half the
    horizon: 2 if every step costs as much as before, near 1 if mistakes have become rare. `best` and `locked` are
    shares: of pulls of the best arm, and of runs that ended on a wrong arm.
    """
    import pandas as pd

    rows = []
    for case, result in cases.items():
        for trace in result.traces:
            regrets = exact_pseudo_regret(trace)
            half = int(np.searchsorted(trace.checkpoints, trace.horizon // 2))
            rows.append(
                {
                    "case": case,
                    "policy": trace.label,
                    "regret": regrets[:, -1].mean(),
                    "se": standard_error(regrets[:, -1]),
                    "growth": regrets[:, -1].mean() / regrets[:, half].mean(),
                    "best": best_arm_share(trace)[:, -1].mean(),
                    "locked": locked(trace).mean(),
                }
            )
    return pd.DataFrame(rows)


def draw(rows: Sequence[Mapping[str, Result]], title: str, with_runs: bool = False) -> Any:
    """A page with a row of panels per entry of `rows`: regret over time in each of its cases, on shared axes.

    With `with_runs` a row ends with a dot per run of its last case.
    """
    figure = plotting.page(plotting.FULL_WIDTH, 0.3 + 2.7 * len(rows))
    figure.suptitle(title)
    for part, cases in zip(figure.subfigures(len(rows), 1, squeeze=False)[:, 0], rows, strict=True):
        ratios = [1.0] * len(cases) + [1.1] * with_runs
        panels = part.subplots(1, len(ratios), squeeze=False, width_ratios=ratios)[0]
        for ax, (case, result) in zip(panels, cases.items(), strict=False):
            ax.sharex(panels[0])
            ax.sharey(panels[0])
            table = result.table()
            plotting.plot_over_time(table[table["step"] >= FIRST_STEP], ax=ax)
            ax.set_title(case)
            ax.label_outer()
        plotting.legend_below(part, panels[0])
        for ax in panels[1 : len(cases)]:
            ax.get_legend().remove()
        if with_runs:
            case, result = list(cases.items())[-1]
            plotting.plot_runs(marked_runs(result.traces), panels[-1])
            for dots in panels[-1].lines:
                dots.set_rasterized(True)  # thousands of them would make most of the file
            panels[-1].set_title(f"{case}: runs, settled")
    return figure


def save(figure: Any, path: Path) -> None:
    """Write a figure, and say where it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    plotting.save(figure, [path])
    print(path)


def arguments(module: str, about: str, runs: int = 200, figure: bool = True) -> argparse.Namespace:
    """The options that every study has on the command line."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about)
    if figure:
        parser.add_argument("--out", type=Path, default=Path("results/studies"), help="folder for the figure")
    parser.add_argument("--runs", type=int, default=runs, help=f"runs per policy (default {runs})")
    parser.add_argument("--workers", type=int, default=None, help="workers (default: all cores)")
    parser.add_argument("--store", type=Path, default=None, help="folder that keeps finished runs")
    return parser.parse_args()


def show(table: pd.DataFrame) -> None:
    """Print the numbers as the documents have them."""
    places = {"regret": "{:.1f}".format, "se": "{:.1f}".format, "growth": "{:.2f}".format, "best": "{:.2f}".format}
    print(table.to_string(index=False, formatters={**places, "locked": "{:.3f}".format}))
