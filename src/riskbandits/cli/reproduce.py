"""`riskbandits reproduce`: the paper in one command."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riskbandits.cli.options import Engine, Seed, Workers, folder, number
from riskbandits.cli.output import show_grid
from riskbandits.cli.parsing import POLICIES_HELP, read_policies
from riskbandits.core import files
from riskbandits.core.checks import whole
from riskbandits.core.display import ROUNDING, Grid, counted, filled, format_number, format_share, rounded_by
from riskbandits.core.errors import must_be
from riskbandits.paper import asymptotics, layout, reproduction
from riskbandits.paper import experiments as zhu_tan
from riskbandits.paper.experiments import FILES_MEGABYTES, estimate_cost
from riskbandits.paper.figures import choose
from riskbandits.simulation.engines import usable_cores

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskbandits.paper.experiments import Experiment
    from riskbandits.paper.reproduction import Reproduction

FIGURES_HELP = (
    "Figures by their numbers in print: figure-4, figure-s1 (`riskbandits list figures`), or asymptotics: regret up to "
    "10^12 steps; all if omitted."
)


OWN_HELP = f"With named figures: policies to draw beside the paper's. {POLICIES_HELP}"


def reproduce(
    figures: Annotated[list[str] | None, typer.Argument(metavar="FIGURE", help=FIGURES_HELP)] = None,
    runs: Annotated[
        int | None,
        number("Runs per policy and rho.", show_default="500, the paper's"),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="A quick preview: 50 runs, only the figures and the better policies, only PNG."),
    ] = False,
    seed: Seed = 0,
    out: Annotated[Path, folder("Folder for figures, tables, and the store of finished runs.")] = Path("results"),
    workers: Workers = None,
    engine: Engine = "threads",
    horizon: Annotated[
        int | None,
        number("Steps per run; fewer are faster.", show_default="30000, the paper's"),
    ] = None,
    policies: Annotated[str | None, typer.Option(help=OWN_HELP, show_default=False)] = None,
) -> None:
    """Reproduce the paper: its figures, its claims tested, and a report; or single figures, with your own policy.

    Every experiment is simulated, every figure drawn in its axes and in clearer ones, and the policies are ranked;
    report.html is a page with the figures, the verdicts on the paper's claims, bounds and errata. With named figures,
    only these are simulated and drawn, and no report is written.

    Simulated runs are kept and reused, so an interrupted command is resumable. If the folder already contains a full
    reproduction, single figures and previews do not touch it: they go to part/ in it.

    **A policy of your own in a figure:** `riskbandits reproduce figure-4 --policies mine.py:Mine`

    **Example:** `riskbandits reproduce --quick` or `riskbandits reproduce figure-4 figure-s2 --runs 1000 --out results`
    """
    if quick and runs is not None:
        raise must_be("--quick", f"given without --runs (it means {reproduction.QUICK_RUNS} runs)", f"--runs {runs}")
    if policies is not None and not figures:
        raise must_be("--policies", "given with figures, such as figure-4", policies)
    own = () if policies is None else read_policies(policies)
    files.check_folder(out)
    formats = reproduction.QUICK_FORMATS if quick else layout.PICTURES
    number = reproduction.QUICK_RUNS if quick else reproduction.RUNS if runs is None else runs
    started = time.perf_counter()
    # With figure names only these are simulated; a preview has the better policies too, and the whole paper also what
    # is behind the claims.
    part = bool(figures) or quick
    further = None if figures else zhu_tan.BETTER
    if not part:
        from riskbandits.paper import claims

        further = claims.experiments_needed() | zhu_tan.BETTER | asymptotics.EXPERIMENTS
        announce(reproduction.plan(choose(None), number, horizon, further), out, workers, engine)
    try:
        done = reproduction.reproduce(
            out, figures, number, seed, workers, True, engine, horizon, further, formats, part, own
        )
    except KeyboardInterrupt:
        print(f"Finished runs are kept in {layout.store(out)}: the same command resumes from there.", file=sys.stderr)
        raise
    show(done)
    page = None if figures else _report(done)
    lines = [
        f"{time.perf_counter() - started:.0f} s ({done.seconds['simulating']:.0f} s simulating). "
        f"{len(done.made)} files written, {len(done.kept)} unchanged: {_folders(done)}."
    ]
    if done.out != out:
        lines.append(f"The full reproduction in {out} is left untouched: this partial one is in {done.out}.")
    if quick:
        lines.append(
            f"This was a preview: without --quick there are {reproduction.RUNS} runs, figures also as SVG and PDF"
            + ("." if figures else ", and the experiments that only the claims need.")
        )
    print(filled("\n".join(lines)))
    if page is not None:
        print(f"Report: {page}")


def _report(done: Reproduction) -> Path:
    from riskbandits.paper import report

    return report.report(done)


def _folders(done: Reproduction) -> str:
    """Where the files are, and in which formats: some figures have no tables."""
    endings: dict[Path, set[str]] = {}
    for path in (*done.made, *done.kept):
        endings.setdefault(path.parent, set()).add(path.suffix.removeprefix("."))
    order = (*layout.PICTURES, *layout.NUMBERS)
    return ", ".join(f"{folder} ({', '.join(sorted(found, key=order.index))})" for folder, found in endings.items())


def announce(planned: Mapping[str, Experiment], out: Path, workers: int | None, engine: str) -> None:
    """Print what a job will take, before it starts."""
    cores = usable_cores() if workers is None else whole("The number of workers", workers)
    expected, store = estimate_cost(planned, cores), layout.store(out)
    kept = expected.stored_megabytes
    text = (
        f"The whole paper: {expected.steps:,} steps{_time_on(cores, expected.seconds, engine)}; runs already in "
        f"{store} are not simulated again. It writes about {kept + FILES_MEGABYTES:.0f} MB to {out}, "
        f"{kept:.0f} of them to {store}. To free the space, delete {store}: figures, tables "
        "and report stay, and only what you request later has to be simulated again."
    )
    print(filled(text), flush=True)


def _time_on(cores: int, seconds: float, engine: str) -> str:
    if engine not in ("threads", "processes"):  # nothing is known of how fast a cluster or a GPU is
        return ""
    time_taken = f"{seconds / 60.0:.0f} minutes" if seconds > 90.0 else f"{seconds:.0f} seconds"
    return f", about {time_taken} on {cores} core{'s' if cores > 1 else ''} and a minute to compile the first time"


def show(done: Reproduction) -> None:
    """The policies of each figure, ranked."""
    for name, figure in done.figures.items():
        if figure.experiment is None:
            continue
        rows = done.ranking[done.ranking["figure"] == name]
        labels = done.outcomes[figure.experiment].labels
        print(f"{figure.number}: {figure.title}")
        show_grid(_ranking(rows) if len(figure.rhos) == 1 else _rankings(rows, labels))
    if len(done.ranking):
        first = done.ranking.iloc[0]
        steps, runs = counted(first["step"], "step"), counted(first["runs"], "run")
        print(
            filled(
                f"Pseudo-regret after {steps}: mean over {runs} ± 95 % interval, and the share of runs that settled on "
                "a wrong arm. Where the upper side of an interval is longer, it allows for failures too rare to be "
                "seen in these runs."
            )
        )


def _ranking(rows: Any) -> Grid:
    """One rho: a row per policy, the best first."""
    records = rows.to_dict(orient="records")
    cells = [[str(row["rank"]), row["policy"], _regret(row), format_share(row["settled_share"])] for row in records]
    return Grid("", ["", "policy", "pseudo-regret ± 95 %", "settled"], cells, left=2)


def _rankings(rows: Any, labels: list[str]) -> Grid:
    """Many rhos: a row per rho, a column per policy."""
    cells = []
    for rho, part in rows.groupby("rho", sort=True):
        by_label = {row["policy"]: row for row in part.to_dict(orient="records")}
        cells.append([format_number(rho), *(_cell(by_label[label]) for label in labels)])
    return Grid("", ["rho", *labels], cells, ["* marks the smallest of a row."])


def _cell(row: dict[str, Any]) -> str:
    settled = f" ({format_share(row['settled_share'], 0)})" if row["settled_share"] else ""
    return f"{_regret(row)}{settled}{' *' if row['rank'] == 1 else '  '}"


def _regret(row: dict[str, Any]) -> str:
    """A mean and its 95 % interval, as one number after ± or, if one side is longer, as two."""
    mean, low, high = (row[f"exact_pseudo_regret_{name}"] for name in ("mean", "low", "high"))
    if math.isnan(high) or high - low <= ROUNDING * abs(mean):  # one run, or runs that are all alike
        return format_number(mean, 5)
    middle, below, above = rounded_by((mean, mean - low, high - mean), mean - low)
    return f"{middle} ± {above}" if below == above else f"{middle} -{below} +{above}"
