"""The ledger: all claims, what must be simulated to decide them, and their verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from riskbandits.claims import gaussian
from riskbandits.claims.claim import OPEN, Claim, Decision
from riskbandits.claims.evidence import NO, TIE, UNDECIDED, YES, Judged, judge
from riskbandits.claims.wording import interval, setting, shown
from riskbandits.errors import UnknownNameError, unknown_name
from riskbandits.experiments.experiment import Experiment, Outcomes
from riskbandits.experiments.zhu_tan import EXPERIMENTS

CLAIMS: dict[str, Claim] = {claim.name: claim for claim in (*gaussian.CLAIMS,)}


def chosen(names: Iterable[str] | None = None) -> list[Claim]:
    """The claims by those names, or all."""
    wanted = list(CLAIMS) if names is None else list(names)
    for name in wanted:
        if name not in CLAIMS:
            raise unknown_name("claim", name, CLAIMS)
    return [CLAIMS[name] for name in wanted]


def experiments_needed(names: Iterable[str] | None = None) -> dict[str, Experiment]:
    """What must be simulated to decide these claims.

    >>> list(experiments_needed(["vts-best-small-rho"]))
    ['gaussian']
    """
    needed = {name for claim in chosen(names) for name in claim.needs}
    return {name: experiment for name, experiment in EXPERIMENTS.items() if name in needed}


def decide(outcomes: Outcomes, names: Iterable[str] | None = None) -> list[Decision]:
    """Decide claims from what was simulated. Nothing else enters: other outcomes may give other verdicts."""
    return [decision(claim, outcomes) for claim in chosen(names)]


def decision(claim: Claim, outcomes: Outcomes) -> Decision:
    """The verdict on one claim; what was not simulated cannot be decided."""
    try:
        judged = judge(claim.rows(outcomes))
    except UnknownNameError as missing:
        return Decision(claim, OPEN, "", math.nan, math.nan, math.nan, "", str(missing), [])
    verdict, condition = claim.rule(judged)
    worst = max(judged, key=lambda one: one.row.strain)
    words = [_counted(judged), _least_favourable(claim, worst, len(judged))]
    words += [_realised(judged)] if judged[0].regret_says else []
    words += [claim.note(judged)] if claim.note is not None else []
    return Decision(
        claim,
        verdict,
        condition,
        worst.row.ratio.value,
        worst.low,
        worst.high,
        setting(worst.row.where),
        " ".join(filter(None, words)),
        [one.as_data() for one in judged],
    )


def _counted(judged: Sequence[Judged]) -> str:
    if len(judged) == 1:
        return ""
    answers = [one.says for one in judged]
    words = {YES: "for it", NO: "against it", TIE: "level", UNDECIDED: "undecided"}
    counted = [f"{answers.count(answer)} {text}" for answer, text in words.items() if answer in answers]
    return f"Of {len(judged)} comparisons: {', '.join(counted)}."


def _least_favourable(claim: Claim, worst: Judged, rows: int) -> str:
    head = "Least favourable" if rows > 1 else "Measured"
    effect = f"{shown(worst.row.ratio.value)} ({interval(worst.low, worst.high)})"
    return f"{head}: {setting(worst.row.where)}, with {claim.quantity} {effect}."


def _realised(judged: Sequence[Judged]) -> str:
    answers = [one.regret_says for one in judged]
    return (
        f"By the realised regret, which the paper plots and which varies more: {answers.count(YES)} for it, "
        f"{answers.count(NO)} against it, {answers.count(UNDECIDED)} undecided."
    )
