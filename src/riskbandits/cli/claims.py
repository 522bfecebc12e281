"""`riskbandits claims`: the claims of the paper, and whether the simulations support them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from riskbandits.api.simulate import versions
from riskbandits.cli import output
from riskbandits.cli.bounds import jsonable
from riskbandits.cli.options import Engine, Json, Seed, Workers, folder, number
from riskbandits.core.checks import whole
from riskbandits.core.display import Grid, columns
from riskbandits.inference.claims import SYMBOLS, Decision, format_effect, format_span
from riskbandits.paper.report.markdown import plain

RUNS, QUICK_RUNS = 500, 50
HIDDEN = ("low", "high", "regret_difference", "regret_low", "regret_high")  # in the JSON only
LEGEND = (
    "rho weighs the mean against the variance. MTS samples means, VTS variances, MVTS both; BMVTS is for Bernoulli "
    "arms. MV-LCB and LCB choose by confidence bounds: MVLCB and BernoulliLCB as in the authors' scripts, :sani and "
    ":vakili with the constants of Sani et al. (2012) and Vakili & Zhao (2016), :tight with the smallest "
    "justifiable ones. The effect is that of the comparison least favourable to the claim; one without an interval is "
    "computed exactly."
)
MORE = "For all comparisons of a claim and how it is decided: riskbandits claims NAME"


def claims(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="CLAIM", help="Claims to decide, with their evidence; all claims if omitted."),
    ] = None,
    runs: Annotated[
        int,
        number("Runs per policy in the paper's experiments; the others scale with it."),
    ] = RUNS,
    quick: Annotated[bool, typer.Option("--quick", help=f"A first look: --runs {QUICK_RUNS}.")] = False,
    seed: Seed = 0,
    out: Annotated[Path, folder("Folder whose store of results is read and extended.")] = Path("results"),
    workers: Workers = None,
    engine: Engine = "threads",
    json_output: Json = False,
) -> None:
    """Test the paper's claims by simulation: which hold, under which conditions, and which do not.

    **Example:** `riskbandits claims mvts-beats-mv-lcb --quick`
    """
    from riskbandits.paper.claims import decide, experiments_needed, multiplicity
    from riskbandits.paper.experiments import run

    share = (QUICK_RUNS if quick else whole("The number of runs", runs)) / RUNS
    needed = {name: one.smaller(share) for name, one in experiments_needed(names or None).items()}
    decisions = decide(run(needed, seed, workers=workers, engine=engine, store=out / "store"), names or None)
    together = multiplicity(decisions)
    if json_output:
        sizes = {name: {"runs": one.runs, "horizon": one.horizon} for name, one in needed.items()}
        data = {"settings": {"seed": seed, "experiments": sizes}, "multiplicity": together, "versions": versions()}
        print(json.dumps(jsonable({**data, "claims": [_as_data(one) for one in decisions]}), allow_nan=False))
        return
    show(decisions, together)
    if not names:
        print(MORE)
    for one in decisions if names else ():
        show_evidence(one)


def _as_data(decision: Decision) -> dict[str, Any]:
    claim, found = decision.claim, decision._asdict()
    del found["claim"]
    about = {name: getattr(claim, name) for name in ("name", "statement", "measure", "quantity")}
    return {**about, "place": claim.source, "needs": list(claim.needs), **found}


def show(decisions: Sequence[Decision], together: str) -> None:
    """The claims as a table: a symbol, the claim with its verdict in words, and the effect."""
    from rich import box
    from rich.table import Table

    from riskbandits.paper.claims import VERDICTS

    table = Table(box=box.SIMPLE_HEAD, title="What the paper says, and what the numbers say", padding=(0, 1), leading=1)
    table.add_column("")
    table.add_column("claim and verdict", ratio=1)
    table.add_column("effect\n95 % interval", justify="right", no_wrap=True)
    for one in decisions:
        verdict = f"[bold]{_text(one.text)}[/bold] (effect: {_text(one.claim.quantity)})"
        source = f"{one.claim.name}; {_text(one.claim.source)}"
        effect = format_effect(one.effect) if one.evidence else ""
        effect += f"\n{format_span(one.low, one.high)}" if one.evidence and one.low != one.high else ""
        words = f"{_text(one.claim.statement)}\n{verdict}\n[dim]{source}[/dim]"
        table.add_row(SYMBOLS[one.verdict], words, effect)
    screen = output.console(markup=True)
    screen.print(table)
    counts = {verdict: sum(one.verdict == verdict for one in decisions) for verdict in VERDICTS}
    totals = ", ".join(f"{SYMBOLS[verdict]} {verdict}: {count}".replace(" ", "\0") for verdict, count in counts.items())
    whole = textwrap.fill(f"{totals}.", columns()).replace("\0", " ")  # no number is parted from its words
    for line in filter(None, (whole, together, LEGEND)):
        screen.print(line, highlight=False, markup=False)


def show_evidence(decision: Decision) -> None:
    """How one claim is decided, its sentence, and its rows."""
    screen = output.console(markup=True)
    screen.print(f"\n[bold]{decision.claim.name}[/bold]: {_text(decision.text)}.", highlight=False)
    screen.print(_text(decision.sentence), highlight=False)
    screen.print(f"[dim]Measure: {_text(decision.claim.measure)}[/dim]", highlight=False)
    if not decision.evidence:
        return
    names = dict.fromkeys(name for row in decision.evidence for name in row if name not in HIDDEN)
    rows = []
    for row in decision.evidence:
        span = "" if row["low"] == row["high"] else f" ({format_span(row['low'], row['high'])})"
        cells = {**row, "effect": format_effect(row["effect"]) + span}
        if row.get("p", 1.0) < 0.001:
            cells["p"] = "< 0.001"
        rows.append([plain(format_effect(cells.get(name, ""))) for name in names])
    screen.print("")
    output.show_grid(Grid("", [name.replace("_", " ") for name in names], rows))


def _text(text: str) -> str:
    """A text for the screen: formulas as one would type them, brackets as they are."""
    from rich.markup import escape

    return escape(plain(text))
