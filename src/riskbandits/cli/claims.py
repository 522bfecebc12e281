"""`riskbandits claims`: the claims of the paper, or of the field, and whether the simulations support them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api.simulate import versions
from riskbandits.cli import output
from riskbandits.cli.bounds import jsonable
from riskbandits.cli.options import Engine, Json, Seed, Workers, folder, number
from riskbandits.core.checks import whole
from riskbandits.inference.claims import SYMBOLS, Decision, format_effect, format_span

RUNS, QUICK_RUNS = 500, 50
HIDDEN = ("low", "high", "regret_difference", "regret_low", "regret_high")  # in the JSON only
LEAST_FAVOURABLE = "The effect is that of the comparison least favourable to the claim; "
PAPER_LEGEND = (
    "rho weighs the mean against the variance. MTS samples means, VTS variances, MVTS both; BMVTS is for Bernoulli "
    "arms. MV-LCB and LCB choose by confidence bounds: MVLCB and BernoulliLCB as in the authors' scripts, :sani and "
    ":vakili with the constants of Sani et al. (2012) and Vakili & Zhao (2016), :tight with the smallest "
    f"justifiable ones. {LEAST_FAVOURABLE}one without an interval is computed exactly.",
    "For all comparisons of a claim and how it is decided: riskbandits claims NAME",
)
FIELD_LEGEND = (
    f"{LEAST_FAVOURABLE}intervals of a claim hold together.",
    "For all comparisons of a claim and how it is decided: riskbandits claims --field NAME",
)


def claims(
    names: Annotated[
        list[str] | None, typer.Argument(help="Claims to decide, with their evidence; all claims if omitted.")
    ] = None,
    runs: Annotated[
        int,
        number("Runs per policy in the paper's experiments; the others scale with it."),
    ] = RUNS,
    quick: Annotated[bool, typer.Option("--quick", help=f"A first look: --runs {QUICK_RUNS}.")] = False,
    field: Annotated[bool, typer.Option("--field", help="The claims of other papers than Zhu & Tan (2020).")] = False,
    seed: Seed = 0,
    out: Annotated[Path, folder("Folder whose store of results is read and extended.")] = Path("results"),
    workers: Workers = None,
    engine: Engine = "threads",
    json_output: Json = False,
) -> None:
    """Test the paper's claims by simulation: which hold, under which conditions, and which do not.

    **Example:** `riskbandits claims mvts-beats-mv-lcb --quick`

    **The field:** `riskbandits claims --field --quick`; `riskbandits list field` names the claims
    """
    share = (QUICK_RUNS if quick else whole("The number of runs", runs)) / RUNS
    decide = _decide_field if field else _decide_paper
    decisions, about, data = decide(names or None, share, seed, workers, engine, out / "store")
    if json_output:
        data = {**data, "versions": versions(), "claims": [_as_data(one, field) for one in decisions]}
        print(json.dumps(jsonable(data), allow_nan=False))
        return
    show(decisions, *about)
    if names:
        for one in decisions:
            show_evidence(one)


def _decide_paper(names: list[str] | None, share: float, seed: int, *where: Any) -> tuple[Any, Any, dict[str, Any]]:
    from riskbandits.paper.claims import VERDICTS, decide, experiments_needed, multiplicity
    from riskbandits.paper.experiments import run

    needed = {name: one.smaller(share) for name, one in experiments_needed(names).items()}
    workers, engine, store = where
    decisions = decide(run(needed, seed, workers=workers, engine=engine, store=store), names)
    sizes = {name: {"runs": one.runs, "horizon": one.horizon} for name, one in needed.items()}
    together = multiplicity(decisions)
    about = ("What the paper says", VERDICTS, (together, *PAPER_LEGEND))
    return decisions, about, {"settings": {"seed": seed, "experiments": sizes}, "multiplicity": together}


def _decide_field(names: list[str] | None, share: float, seed: int, *where: Any) -> tuple[Any, Any, dict[str, Any]]:
    from riskbandits.field import VERDICTS, Bench, decide

    decisions = decide(Bench(share, seed, *where), names)
    return decisions, ("What the literature says", VERDICTS, FIELD_LEGEND), {"settings": {"seed": seed, "share": share}}


def _as_data(decision: Decision, field: bool) -> dict[str, Any]:
    claim, found = decision.claim, decision._asdict()
    del found["claim"]
    about = {name: getattr(claim, name) for name in ("name", "statement", "measure", "quantity")}
    if not field:
        return {**about, "place": claim.source, "needs": list(claim.needs), **found}
    del found["condition"], found["together"]
    return {**about, "source": claim.source, "setting": claim.setting, **found}


def show(decisions: Sequence[Decision], title: str, verdicts: Sequence[str], legend: Sequence[str]) -> None:
    """The claims as a table: a symbol, the claim with its verdict in words, and the effect."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=f"{title}, and what the numbers say", padding=(0, 1), leading=1)
    table.add_column("")
    table.add_column("claim and verdict", ratio=1)
    table.add_column("effect\n95 % interval", justify="right", no_wrap=True)
    for one in decisions:
        verdict = f"[bold]{escape(one.text)}[/bold] (effect: {escape(one.claim.quantity)})"
        source = f"{one.claim.name}; {escape(one.claim.source)}"
        setting = f"\nSetting: {escape(one.claim.setting)}" if one.claim.setting else ""
        effect = format_effect(one.effect) if one.evidence else ""
        effect += f"\n{format_span(one.low, one.high)}" if one.evidence and one.low != one.high else ""
        words = f"{escape(one.claim.statement)}\n{verdict}\n[dim]{source}{setting}[/dim]"
        table.add_row(SYMBOLS[one.verdict], words, effect)
    screen = output.console(markup=True)
    screen.print(table)
    counts = {verdict: sum(one.verdict == verdict for one in decisions) for verdict in verdicts}
    totals = ", ".join(f"{SYMBOLS[verdict]} {verdict}: {count}" for verdict, count in counts.items())
    for line in filter(None, (totals + ".", *legend)):
        screen.print(line, highlight=False, markup=False)


def show_evidence(decision: Decision) -> None:
    """How one claim is decided, its sentence, and its rows."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    screen = output.console(markup=True)
    screen.print(f"\n[bold]{decision.claim.name}[/bold]: {escape(decision.text)}.", highlight=False)
    screen.print(escape(decision.sentence), highlight=False)
    screen.print(f"[dim]Measure: {escape(decision.claim.measure)}[/dim]", highlight=False)
    if not decision.evidence:
        return
    names = dict.fromkeys(name for row in decision.evidence for name in row if name not in HIDDEN)
    table = Table(box=box.SIMPLE_HEAD)
    for name in names:
        table.add_column(name.replace("_", " "), no_wrap=name == "effect")
    for row in decision.evidence:
        span = "" if row["low"] == row["high"] else f" ({format_span(row['low'], row['high'])})"
        cells = {**row, "effect": format_effect(row["effect"]) + span}
        if row.get("p", 1.0) < 0.001:
            cells["p"] = "< 0.001"
        table.add_row(*(escape(format_effect(cells.get(name, ""))) for name in names))
    screen.print(table)
