"""Reproducing the paper: simulate what figures need, write their tables, and draw them. Finished work is kept."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits import plotting
from riskbandits.api import simulate
from riskbandits.core import files, parquet
from riskbandits.core.checks import whole
from riskbandits.core.errors import must_be, unknown_name
from riskbandits.core.records import is_record, same
from riskbandits.paper import artifacts, asymptotics, experiments, layout
from riskbandits.paper import figures as figures_room
from riskbandits.paper.artifacts import Artifact, Manifest
from riskbandits.paper.experiments import EXPERIMENTS, Experiment
from riskbandits.paper.figures import Figure, choose, needed
from riskbandits.paper.figures.figure import Tables
from riskbandits.paper.figures.figure_tables import rank_policies, selected
from riskbandits.policies.support import naming
from riskbandits.policies.support.contract import check_policies
from riskbandits.results.sweep_result import SweepResult
from riskbandits.simulation.engines import usable_cores

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

RUNS, QUICK_RUNS = 500, 50
QUICK_FORMATS = ("png",)


class Reproduction(NamedTuple):
    """What `reproduce` leaves behind; `layout` says where the files are."""

    out: Path  # the folder that was given, or the one in it for jobs in part
    figures: Mapping[str, Figure]
    outcomes: Mapping[str, SweepResult]  # by experiment, the additional ones included
    tables: Mapping[str, Tables]  # by figure
    ranking: pd.DataFrame  # policies ranked, per figure and rho
    settings: dict[str, Any]
    versions: dict[str, str]
    made: list[Path]  # files written by this call
    kept: list[Path]  # files that were up to date
    seconds: dict[str, float]  # by what they were spent on


def reproduce(
    out: str | os.PathLike[str] = "results",
    figures: Iterable[str] | None = None,
    runs: int = RUNS,
    seed: int = 0,
    workers: int | None = None,
    progress: bool = True,
    engine: object = "threads",
    horizon: int | None = None,
    also: Mapping[str, Experiment] | None = None,
    formats: Iterable[str] = layout.PICTURES,
    part: bool | None = None,
    policies: object = (),
) -> Reproduction:
    """Reproduce figures of Zhu & Tan (2020), all ten by default, into the folder `out`.

    One of the names may be "asymptotics": regret up to 10^12 steps beside the bounds (`riskbandits.paper.asymptotics`).

    Finished runs are kept in a store under `out`: a call that was stopped goes on where it stopped, and one
    with more runs, or other figures, takes what is there. Files that would not change are left alone.

    `also` are further experiments, simulated as part of the same job, with a number of runs that is to theirs as
    `runs` is to 500; their outcomes are returned beside the figures'. Other arguments are those of `simulate`;
    `horizon` (default: the paper's 30 000) is for a faster look, and so are fewer `formats` of the pictures, of
    "png", "svg" and "pdf". Files in other formats that are there already are brought up to date too: those of a
    figure never show different numbers.

    `policies` are further ones, such as your own, in the figures beside the paper's.

    A job in `part` (by default one whose figures are named) leaves alone what a whole one has written, and one whose
    figures are named also a preview of all figures: if that is in `out`, its files go to a folder in it, `part/`.
    Finished runs are shared.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = reproduce(folder, ["figure-1"], progress=False)
    ...     sorted(path.name for path in done.made)[:3]
    ['figure-1-ours.pdf', 'figure-1-ours.png', 'figure-1-ours.svg']
    """
    if not os.fspath(out):
        raise must_be("The folder", "a path ('.' is the current folder)", out)
    names = [figures] if isinstance(figures, str) else list(figures or ())
    own = _further(policies)
    chosen = {name: _with_policies(figure, own) for name, figure in _figures(names).items()}
    if own and all(figure.experiment is None for figure in chosen.values()):
        raise must_be("Policies", "given with a figure that shows some, such as figure-4", names)
    if _extra_targets(names):
        also = {**(also or {}), **asymptotics.EXPERIMENTS}
    in_part = bool(names) if part is None else part
    workers = usable_cores() if workers is None else whole("The number of workers", workers)
    kinds = _known_formats(formats)
    planned = plan(chosen, runs, horizon, also, own)
    started = time.perf_counter()
    store = layout.store(Path(out)) if planned else None
    outcomes = experiments.run(planned, seed, workers=workers, progress=progress, engine=engine, store=store)
    simulated = time.perf_counter()
    tables = {name: figure.tables(figure, outcomes) for name, figure in chosen.items()}
    shown = {name: selected(figure, outcomes) for name, figure in chosen.items() if figure.experiment is not None}
    ranking = rank_policies({name: tables[name] for name in shown}, shown)
    settings = {"figures": [*chosen, *_extra_targets(names)], "runs": runs, "seed": seed, "horizon": horizon}
    folder, manifest = _place(Path(out), in_part, bool(names))
    wanted = _artifacts(folder, chosen, tables, ranking, outcomes, kinds) + _asymptotics_artifacts(folder, outcomes)
    for inside in dict.fromkeys(path.parent for artifact in wanted for path in artifact.paths):
        artifacts.make_folder(inside)
    made = artifacts.make(wanted, manifest, workers, progress)
    return Reproduction(
        out=folder,
        figures=chosen,
        outcomes=outcomes,
        tables=tables,
        ranking=ranking,
        settings=settings,
        versions=versions(),
        made=[path for artifact in made for path in artifact.paths],
        kept=[path for artifact in wanted if artifact not in made for path in artifact.paths],
        seconds={"simulating": simulated - started, "drawing": time.perf_counter() - simulated},
    )


def _figures(names: Sequence[str]) -> Mapping[str, Figure]:
    """The figures among names; all without names, none if only other targets are named."""
    named = [name for name in names if name != asymptotics.NAME]
    return {} if names and not named else choose(named)


def _extra_targets(names: Sequence[str]) -> list[str]:
    """The names that are not figures: "asymptotics"."""
    return [asymptotics.NAME] if asymptotics.NAME in names else []


def _further(policies: Any) -> list[Any]:
    """Policies that are not the paper's, checked."""
    if isinstance(policies, Mapping):
        raise must_be("Policies in the paper's figures", "given without labels of their own", list(policies))
    return check_policies(policies) if is_record(policies) or len(policies) else []


def _with_policies(figure: Figure, policies: Sequence[Any]) -> Figure:
    """A simulated figure in which further policies are drawn beside the paper's."""
    if figure.experiment is None or not policies:
        return figure
    return figure._replace(policies=(*figure.policies, *naming.labels(policies)))


def plan(
    figures: Mapping[str, Figure],
    runs: int,
    horizon: int | None = None,
    also: Mapping[str, Experiment] | None = None,
    policies: Sequence[Any] = (),
) -> dict[str, Experiment]:
    """The experiments to simulate: those of the figures, with further policies, and further ones, in that many runs."""
    whole("The number of runs", runs)
    if horizon is not None:
        whole("The horizon", horizon)
    shown = {
        name: one._replace(policies=(*one.policies, *(new for new in policies if not _is_among(new, one.policies))))
        for name, one in needed(figures, EXPERIMENTS).items()
    }
    planned = sized(shown, runs, horizon)
    return planned | {name: one.smaller(runs / RUNS, horizon) for name, one in (also or {}).items()}


def _is_among(policy: Any, others: Sequence[Any]) -> bool:
    return any(same(policy, one) for one in others)


def _place(out: Path, in_part: bool, named: bool) -> tuple[Path, Manifest]:
    """The folder for files and its manifest."""
    manifest = Manifest(layout.manifest(out))
    if in_part and (manifest.whole or (named and manifest.all_figures)):
        out = layout.part(out)
        manifest = Manifest(layout.manifest(out))
    manifest.whole, manifest.all_figures = not in_part, not named
    return out, manifest


def _known_formats(names: Iterable[str]) -> tuple[str, ...]:
    """Formats of pictures in the order in which they are drawn, or an error for one that is none of them."""
    wanted = [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in layout.PICTURES:
            raise unknown_name("picture format", name, layout.PICTURES)
    return tuple(name for name in layout.PICTURES if name in wanted)


def sized(experiments: Mapping[str, Experiment], runs: int, horizon: int | None) -> dict[str, Experiment]:
    """Experiments with that many runs, and another horizon if one is given."""
    return {
        name: one._replace(runs=runs, horizon=one.horizon if horizon is None else horizon)
        for name, one in experiments.items()
    }


def versions() -> dict[str, str]:
    """The versions on which numbers and pictures may depend."""
    from importlib.metadata import version

    return simulate.versions() | {name: version(name) for name in ("matplotlib", "pandas", "pyarrow")}


def draw(figure: Figure, view: str, tables: Tables, paths: Sequence[Path]) -> None:
    """Draw a figure into files."""
    with plotting.style():
        plotting.save(figure.draw(view, tables), paths)


def write_table(table: pd.DataFrame, about: dict[str, Any], paths: Sequence[Path]) -> None:
    """Write a table as .csv and as .parquet, the latter with what it is about as JSON in its metadata."""
    import pyarrow as pa

    for path in paths:
        with files.replacing(path) as temporary:
            if path.suffix == ".csv":
                table.to_csv(temporary, index=False)
                continue
            parquet.write(pa.Table.from_pandas(table, preserve_index=False), temporary, "riskbandits-figure", about)


def _artifacts(
    folder: Path,
    figures: Mapping[str, Figure],
    tables: Mapping[str, Tables],
    ranking: pd.DataFrame,
    outcomes: Mapping[str, SweepResult],
    formats: Sequence[str],
) -> list[Artifact]:
    """Every file of the figures, with the content that decides it."""
    code = artifacts.sources(*(Path(str(room.__file__)).parent for room in (plotting, figures_room)))
    numbers = versions()
    wanted = []
    for name, figure in figures.items():
        content = artifacts.key_of(code, numbers, *tables[name], *tables[name].values())
        for view in figure.views:
            pictures = {suffix: layout.picture(folder, name, view, suffix) for suffix in layout.PICTURES}
            paths = tuple(path for suffix, path in pictures.items() if suffix in formats or path.exists())
            wanted.append(Artifact(paths, artifacts.key_of(content, view), partial(draw, figure, view, tables[name])))
        about: dict[str, Any] = {"figure": name, "title": figure.title, "versions": numbers}
        if figure.experiment is not None:
            about["settings"] = selected(figure, outcomes).settings
        for part, table in tables[name].items():
            paths = tuple(layout.table(folder, name, part, suffix) for suffix in layout.NUMBERS)
            wanted.append(Artifact(paths, artifacts.key_of(about, table), partial(write_table, table, about)))
    if len(ranking):
        paths = tuple(layout.table(folder, layout.SUMMARY, suffix=suffix) for suffix in layout.NUMBERS)
        about = {"title": "Policies ranked, per figure and rho", "versions": numbers}
        wanted.append(Artifact(paths, artifacts.key_of(about, ranking), partial(write_table, ranking, about)))
    return wanted


def _asymptotics_artifacts(folder: Path, outcomes: Mapping[str, SweepResult]) -> list[Artifact]:
    """The numbers of the asymptotics, if they were simulated."""
    table = asymptotics.table(outcomes)
    if not len(table):
        return []
    about = {"title": "Regret up to 10^12 steps beside the bounds", "versions": versions()}
    paths = tuple(layout.table(folder, asymptotics.NAME, suffix=suffix) for suffix in layout.NUMBERS)
    return [Artifact(paths, artifacts.key_of(about, table), partial(write_table, table, about))]
