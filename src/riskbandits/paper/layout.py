"""Where `reproduce` puts things, under the folder that it is given.

figures/figure-3.png, .svg, .pdf          the figure in the paper's axes
figures/figure-3-ours.png, ...            with bands, all presets, the exact pseudo-regret
figures/figure-3-runs.png, ...            run by run
tables/figure-3.csv, .parquet             the numbers of the first two
tables/figure-3-runs.csv, .parquet        the numbers of the third
tables/asymptotics.csv, .parquet          regret up to 10^12 steps, beside the bounds
tables/summary.csv, .parquet              policies ranked, per figure and rho
store/                                    finished runs: what a second call reuses
report.html                               all of it on one page
playground.html                           made by `riskbandits playground` alone; if it is there the report links it
manifest.json                             which content each file was made from
part/                                     figures, tables, report and manifest of a job in part (some figures, or a
                                          preview), if those of the whole paper are there: they are left alone; also of
                                          some figures, if a preview of all is there
"""

from __future__ import annotations

from pathlib import Path

PICTURES = ("png", "svg", "pdf")
NUMBERS = ("csv", "parquet")
SUMMARY = "summary"


def picture(out: Path, figure: str, view: str = "paper", suffix: str = "png") -> Path:
    """The file of a figure in one view."""
    return out / "figures" / f"{figure}{'' if view == 'paper' else f'-{view}'}.{suffix}"


def table(out: Path, figure: str, name: str = "", suffix: str = "csv") -> Path:
    """The file of one of a figure's tables."""
    return out / "tables" / f"{figure}{f'-{name}' if name else ''}.{suffix}"


def part(out: Path) -> Path:
    """The folder of a job in part beside a whole one."""
    return out / "part"


def store(out: Path) -> Path:
    """The folder of finished runs."""
    return out / "store"


def report(out: Path) -> Path:
    """The page that shows everything."""
    return out / "report.html"


def manifest(out: Path) -> Path:
    """The file that says from which content each file was made."""
    return out / "manifest.json"
