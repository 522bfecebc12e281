"""What a person or a program sees of a result."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from riskbandits.results.result import Result

if TYPE_CHECKING:
    import pandas as pd


def as_data(result: Result) -> dict[str, Any]:
    """A result as one JSON object. JSON has no NaN: the standard error of a single run is null."""
    return {
        "settings": result.settings,
        "versions": result.versions,
        "table": rows(result.table()),
        "pulls": {label: result.pulls(label).mean(axis=0).tolist() for label in result.labels},
    }


def rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """A table as JSON can hold it."""
    records = table.to_dict(orient="records")
    return [{str(name): _plain(value) for name, value in row.items()} for row in records]


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def show_result(result: Result) -> None:
    """The table at the horizon: regrets with standard errors, best-arm share."""
    from rich.table import Table

    table = result.table()
    horizon = int(table["step"].max())
    shown = Table(title=f"{result.problem!r}\n{counted(horizon, 'step')}, {counted(int(table['runs'].iloc[0]), 'run')}")
    shown.add_column("policy")
    for heading in ("regret", "pseudo-regret", "exact pseudo-regret", "5 % .. 95 % of runs", "best-arm share"):
        shown.add_column(heading, justify="right")
    for row in table[table["step"] == horizon].to_dict(orient="records"):
        shown.add_row(
            row["policy"],
            with_error(row, "regret"),
            with_error(row, "pseudo_regret"),
            with_error(row, "exact_pseudo_regret"),
            f"{row['exact_pseudo_regret_q05']:.5g} .. {row['exact_pseudo_regret_q95']:.5g}",
            f"{row['best_arm_share_mean']:.1%}",
        )
    console().print(shown)
    print("Values are means over runs ± one standard error; quantiles are those of the exact pseudo-regret.")


def with_error(row: dict[Any, Any], metric: str) -> str:
    """A mean over runs and its standard error."""
    return format_with_error(row[f"{metric}_mean"], row[f"{metric}_se"])


def format_with_error(mean: float, error: float) -> str:
    """A number and its error, which has two digits that count; the number has no more than the error allows.

    >>> format_with_error(5879.3, 163.2), format_with_error(0.41234, 0.0123), format_with_error(12.0, math.nan)
    ('5879 ± 160', '0.412 ± 0.012', '12')
    """
    if math.isnan(error):
        return f"{mean:.5g}"
    if not 1e-6 < error < 1e7:
        return f"{mean:.5g} ± {error:.2g}"
    places = 1 - math.floor(math.log10(error))
    shown_places = max(0, places)
    return f"{mean:.{shown_places}f} ± {round(error, places):.{shown_places}f}"


def counted(number: int, thing: str) -> str:
    """A number of things: 1 run, 500 runs."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def show_estimate(estimate: dict[str, Any], json_output: bool) -> None:
    """What `--dry-run` prints."""
    if json_output:
        print(json.dumps(estimate))
        return
    policies = ", ".join(f"{policy['label']} ({policy['method']})" for policy in estimate["policies"])
    print(f"Would simulate {policies} on {estimate['problem']}:")
    print(
        f"{counted(estimate['runs'], 'run')} of {counted(estimate['horizon'], 'step')} each, "
        f"{counted(estimate['checkpoints'], 'checkpoint')}, "
        f"seed {estimate['seed']}."
    )
    print(
        f"About {estimate['seconds']:.3g} s on {estimate['workers']} workers, about {estimate['megabytes']:.0f} MB. "
        "Nothing was written."
    )


def console(markup: bool = False) -> Any:
    """Standard output as Rich sees it; wide enough for a table when it is not a terminal.

    Square brackets are what they are, in names that people chose, unless the text says that they are `markup`.
    """
    import sys

    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 160, markup=markup, emoji=False)
