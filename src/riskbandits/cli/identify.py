"""`riskbandits identify`: how often a rule identifies the best arm, and at what cost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riskbandits.api.identify import fitting_rule
from riskbandits.api.identify import identify as find
from riskbandits.cli import output
from riskbandits.cli.options import Figure, Gamma, Json, Rho, TableFlags, WorkFlags, flattened, number, real
from riskbandits.cli.output import check_figure, write_figure
from riskbandits.cli.parsing import ARMS_HELP, RISK_HELP, read_problem, read_rule, rho_of
from riskbandits.core.records import canonical
from riskbandits.problem import Problem
from riskbandits.results.identification import NO_ARM, Identification

if TYPE_CHECKING:
    from riskbandits.types import Rule

RULE_HELP = 'See `riskbandits list rules`; with parameters "va-lucb(high=2)"; or FILE.py:Class, which runs the file.'


@flattened
def identify(
    *,
    arms: Annotated[str, typer.Option(help=ARMS_HELP)] = "zhu-tan-gaussian",
    rho: Rho = None,
    gamma: Gamma = None,
    risk: Annotated[str | None, typer.Option(help=RISK_HELP)] = None,
    rule: Annotated[
        str | None, typer.Option(help=RULE_HELP, show_default="successive-rejects, or one that stops when it is sure")
    ] = None,
    budget: Annotated[
        int | None,
        number("Rewards per run; an upper limit for a rule that stops by itself."),
    ] = None,
    confidence: Annotated[
        float | None, real("For a rule that stops by itself: the required probability of being right.")
    ] = None,
    run: WorkFlags,
    table: TableFlags,
    json_output: Json = False,
    figure: Figure = None,
) -> None:
    """Run a best-arm identification rule many times, and print its error rate and cost.

    **Example:** `riskbandits identify --risk cvar:0.2 --budget 3000`

    **With a required confidence:** `riskbandits identify --arms "gaussian(means=[0, 0.5], variances=[1, 0.2])"
    --confidence 0.95`

    **The best mean among arms with a small enough variance:** `riskbandits identify --arms
    "bernoulli(probabilities=[0.5, 0.9])" --risk variance-constrained:0.2 --rule va-lucb --confidence 0.9`
    """
    check_figure(figure)
    problem = read_problem(arms, rho_of(rho, gamma, risk), risk, table.options())
    chosen = fitting_rule(problem, confidence) if rule is None else read_rule(rule)
    found = find(problem, chosen, budget=budget, confidence=confidence, **run.keywords())
    if json_output:
        settings = {"budget": budget, "confidence": confidence, "runs": run.runs, "seed": run.seed}
        print(json.dumps(_as_data(problem, chosen, found, settings), allow_nan=False))
    else:
        output.show_grid(found.ranking())
    if figure is not None:
        write_figure(figure, lambda ax: found.plot(ax=ax))


def _as_data(problem: Problem, rule: Rule, found: Identification, settings: dict[str, Any]) -> dict[str, Any]:
    named = [int((found.chosen == k).sum()) for k in range(problem.size)]
    return {
        "arms": problem.names,
        "best_arm": problem.names[problem.best_arm] if problem.admissible.any() else None,
        "settings": {**problem.to_data(), "rule": canonical(rule), **settings},
        "table": output.rows(found.table()),
        "named": named,
        "named_none": int((found.chosen == NO_ARM).sum()),
        "pulls": found.pulls.mean(axis=0).tolist(),
    }
