"""Asymptotics that are seen: regret over ln n and its growth by decades, up to 10^12 steps, beside what theory says."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskbandits.paper import asymptotics
from riskbandits.paper.experiments import Outcomes
from riskbandits.paper.report.content import Cell, Column, Table
from riskbandits.paper.report.formatting import mean_and_half, number_cell, rho_cell, text_cell

if TYPE_CHECKING:
    import pandas as pd

LINES = {"lower_bound": "lower bound", "mvts_rate": "MVTS's rate", "theorem": "theorem allows"}
RARE = "†"
SHOWN_STEPS = 6  # powers of ten at which the ratio to ln n is shown


def tables(outcomes: Outcomes) -> tuple[Table, ...]:
    """Ratios to ln n on the paper's arms, and slopes for each family of problems that was simulated."""
    found = asymptotics.table(outcomes)
    if not len(found):
        return ()
    made = []
    for name in dict.fromkeys(found["experiment"]):
        rows = found[found["experiment"] == name]
        title = asymptotics.FAMILIES[name].title
        made += [_ratios(name, title, rows), _slopes(name, title, rows)]
    return tuple(made)


def _ratios(name: str, title: str, rows: pd.DataFrame) -> Table:
    """The mean over ln n, as far as it was simulated."""
    steps = _powers(rows)
    columns = (Column("rho"), Column("policy", numeric=False), Column("runs"), *_heads(rows), *map(_power, steps))
    return Table(
        f"asymptotics-{name}",
        f"{title}: {rows['quantity'].iloc[0]} over ln n.",
        columns,
        tuple(
            (*_who(part), *_said(rows, part), *(_at(part, step, "per_ln_n") for step in steps)) for part in _parts(rows)
        ),
    )


def _slopes(name: str, title: str, rows: pd.DataFrame) -> Table:
    """The growth per unit of ln n between powers of ten, with standard errors, and how far it was simulated."""
    steps = [step for step in _powers(rows, many=True) if step > rows["step"].min()]
    columns = (
        Column("rho"),
        Column("policy", numeric=False),
        Column("runs"),
        *_heads(rows),
        *(_power(step, "to ") for step in steps),
        Column("steps"),
        Column("changes of arm, at most"),
    )
    made = []
    for part in _parts(rows):
        last = part.iloc[-1]
        ends = (number_cell(last["step"], 1), number_cell(last["changes_at_most"], 2))
        made.append((*_who(part), *_said(rows, part), *(_slope(part, step) for step in steps), *ends))
    caption = f"{title}: growth of {rows['quantity'].iloc[0]} per unit of ln n, ± standard error."
    notes = (
        "From one power of ten to the next that is shown. A logarithm has one slope; for a power of n the slope "
        f"increases from decade to decade. {RARE}: the policy can settle on a wrong arm for good, or one run carries "
        "more than half of the variance; failures too rare to be seen in these runs may outweigh the others, and the "
        "standard error does not include them."
    )
    return Table(f"asymptotics-{name}-slopes", caption, columns, tuple(made), notes)


def _parts(rows: pd.DataFrame) -> list[pd.DataFrame]:
    return [part for _, part in rows.groupby(["rho", "policy"], sort=False)]


def _powers(rows: pd.DataFrame, many: bool = False) -> list[int]:
    """The powers of ten among the steps; every second one, the last among them, unless `many`."""
    steps = [step for step in sorted(set(rows["step"])) if math.log10(step).is_integer()] or sorted(set(rows["step"]))
    return steps if many else steps[::-1][::2][:SHOWN_STEPS][::-1]


def _power(step: int, before: str = "") -> Column:
    power = math.log10(step)
    return Column(f"{before}$10^{{{round(power)}}}$" if power.is_integer() else f"{before}{step:,}")


def _heads(rows: pd.DataFrame) -> list[Column]:
    return [Column(words) for column, words in LINES.items() if column in rows and rows[column].notna().any()]


def _said(rows: pd.DataFrame, part: pd.DataFrame) -> list[Cell]:
    """What theory says, in the columns of `_heads`."""
    present = [column for column in LINES if column in rows and rows[column].notna().any()]
    return [number_cell(part[column].iloc[0]) for column in present]


def _who(part: pd.DataFrame) -> tuple[Cell, Cell, Cell]:
    first = part.iloc[0]
    return rho_cell(first["rho"]), text_cell(first["policy"]), number_cell(first["runs"])


def _at(part: pd.DataFrame, step: int, column: str) -> Cell:
    found = part[part["step"] == step]
    return number_cell(found[column].iloc[0] if len(found) else math.nan)


def _slope(part: pd.DataFrame, step: int) -> Cell:
    """The slope up to a step, from the step before that is a power of ten too."""
    found: Any = part[part["step"] == step]
    if not len(found) or not math.isfinite(found["slope"].iloc[0]):
        return number_cell(math.nan)
    slope, error = float(found["slope"].iloc[0]), float(found["slope_se"].iloc[0])
    text = mean_and_half(slope, error)
    return Cell(f"{text} {RARE}" if found["rare_disasters"].iloc[0] else text, slope)
