"""From what was simulated, decided and drawn to the content of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from riskbandits.core.display import counted
from riskbandits.paper import asymptotics
from riskbandits.paper.claims import Decision, multiplicity
from riskbandits.paper.claims.decisions import STUDIED
from riskbandits.paper.experiments import BERNOULLI_RHOS, BETTER, EXPERIMENTS, GAUSSIAN_RHOS, Outcomes
from riskbandits.paper.report import bound_tables, comparison_tables, errata, growth_tables, verdicts
from riskbandits.paper.report.comparison_tables import Standing
from riskbandits.paper.report.content import Cell, Column, Content, Fact, Figure, Table
from riskbandits.paper.report.differences import differences
from riskbandits.paper.report.findings import findings
from riskbandits.paper.report.formatting import rho_text, text_cell
from riskbandits.results.sweep_result import SweepResult

Standings = Mapping[str, Sequence[Standing]]

INTRODUCTION = (
    "A bandit chooses again and again among options, called arms, whose rewards follow distributions that it does not "
    "know: every play earns something and teaches something. A **mean-variance** bandit is judged by rho times the "
    "mean of what it collected, less its variance: the risk tolerance **rho** says how much variance a unit of reward "
    "may cost.",
    "Zhu & Tan (ICML 2020) proposed Thompson sampling for it: draw a plausible mean and a plausible variance for every "
    "arm, play the best draw. This page repeats their experiments and says which of their claims the runs bear out. "
    "**Regret** is what is lost against somebody who knows the best arm; smaller is better.",
)


def build(
    outcomes: Outcomes,
    decisions: Sequence[Decision],
    draw_figures: Callable[[Standings], Sequence[Figure]],
    settings: Mapping[str, Any],
    versions: Mapping[str, str],
    seconds: Mapping[str, float] | None = None,
) -> Content:
    """The content of the report.

    `draw_figures` is given the standings and returns figures (see `pictures.figures`), `settings` are shown as they
    are, `seconds` is the time that was taken, by what it was spent on; nothing else on the page depends on when or
    where it was made.
    """
    compared = {name: one for name, one in outcomes.items() if name in EXPERIMENTS}
    standings = {name: comparison_tables.standings(outcome) for name, outcome in compared.items()}
    introduction, groups = errata.read(errata.data())
    return Content(
        introduction=INTRODUCTION,
        extent=_extent(compared),
        findings=findings(decisions, {EXPERIMENTS[name].title: rows for name, rows in standings.items()}),
        verdicts=verdicts.verdicts(decisions),
        multiplicity=multiplicity(decisions),
        facts=_facts(settings, versions),
        experiments=_experiments(outcomes),
        figures=tuple(draw_figures(standings)),
        claims=tuple(verdicts.claim(decision) for decision in decisions),
        comparisons=tuple(
            comparison_tables.table(name, EXPERIMENTS[name].title, standings[name], *_size(outcome))
            for name, outcome in compared.items()
        ),
        better=comparison_tables.better_tables(outcomes),
        growth=growth_tables.tables(outcomes),
        bounds=bound_tables.tables(GAUSSIAN_RHOS, BERNOULLI_RHOS),
        bounds_notes=bound_tables.notes(GAUSSIAN_RHOS),
        differences=differences(outcomes),
        errata_introduction=introduction,
        errata=groups,
        seconds=", ".join(f"{name} {taken:.0f} s" for name, taken in (seconds or {}).items()),
    )


def _extent(outcomes: Outcomes) -> str:
    """What was run, in a sentence."""
    parts = [
        f"{len(outcome.labels)} policies at {counted(len(outcome.values), 'value')} of rho on "
        f"{outcome.results[0].problem.size} {EXPERIMENTS[name].title}, "
        f"{counted(runs, 'run')} of {counted(horizon, 'step')} each"
        for name, outcome in outcomes.items()
        for horizon, runs in [_size(outcome)]
    ]
    return f"[What was run](#run): {'; '.join(parts)}." if parts else "Nothing was simulated."


def _facts(settings: Mapping[str, Any], versions: Mapping[str, str]) -> tuple[Fact, ...]:
    shown = {name: value for name, value in settings.items() if value is not None}
    facts = [
        Fact(name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in shown.items()
    ]
    return (*facts, Fact("versions", ", ".join(f"{name} {number}" for name, number in versions.items())))


def _experiments(outcomes: Outcomes) -> Table:
    """What was simulated."""
    columns = (
        Column("experiment", numeric=False),
        Column("arms"),
        Column("values of rho", numeric=False),
        Column("policies", numeric=False),
        Column("steps"),
        Column("runs each"),
    )
    rows = tuple(_experiment(name, outcome) for name, outcome in outcomes.items())
    return Table(
        "experiments", "What was simulated: every policy at every rho, each run on rewards of its own.", columns, rows
    )


def _experiment(name: str, outcome: SweepResult) -> tuple[Cell, ...]:
    horizon, runs = _size(outcome)
    arms = outcome.results[0].problem.size
    titled = STUDIED | BETTER | asymptotics.EXPERIMENTS
    return (
        text_cell(titled[name].title if name in titled else name),
        Cell(str(arms), arms),
        Cell(", ".join(map(rho_text, outcome.values)), len(outcome.values)),
        text_cell(", ".join(outcome.labels)),
        Cell(f"{horizon:,}", horizon),
        Cell(f"{runs:,}", runs),
    )


def _size(outcome: SweepResult) -> tuple[int, int]:
    first = outcome.results[0].traces[0]
    return first.horizon, first.runs
