"""The ledger: all claims, what must be simulated to decide them, and their verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from riskbandits.core.errors import RefusalError, UnknownNameError, unknown_name
from riskbandits.paper import experiments, printed_theorems
from riskbandits.paper.claims import (
    arithmetic,
    definitions,
    gaussian_text,
)
from riskbandits.paper.claims import (
    bernoulli_figures as bernoulli,
)
from riskbandits.paper.claims import (
    formulas as bounds,
)
from riskbandits.paper.claims import (
    gaussian_figures as gaussian,
)
from riskbandits.paper.claims import (
    rates as growth,
)
from riskbandits.paper.claims.claim import OPEN, Claim, Decision, at_the_end
from riskbandits.paper.claims.evidence import NO, TIE, UNDECIDED, YES, Judged, judge
from riskbandits.paper.claims.wording import interval, setting, shown
from riskbandits.paper.experiments import Experiment, Outcomes

PARTS = (gaussian, gaussian_text, bernoulli, growth, bounds, definitions, arithmetic)
CLAIMS: dict[str, Claim] = {claim.name: claim for part in PARTS for claim in part.CLAIMS}

# The cases of the printed theorems, no larger than verdicts need: a minute rather than an hour.
SMALLER = {
    "theorem-1": (0.5, 100_000),
    "theorem-2": (0.5, 100_000),
    "theorem-3": (0.2, 1_000_000),
    "growth": (0.25, 100_000),
}
STUDIED: dict[str, Experiment] = {
    **experiments.EXPERIMENTS,
    **experiments.CLOSE_CALLS,
    **{name: printed_theorems.case(name).experiment.smaller(*size) for name, size in SMALLER.items()},
    **experiments.UNITS,
}


def chosen(names: Iterable[str] | None = None) -> list[Claim]:
    """The claims by those names, or all."""
    wanted = list(CLAIMS) if names is None else list(names)
    for name in wanted:
        if name not in CLAIMS:
            raise unknown_name("claim", name, CLAIMS)
    return [CLAIMS[name] for name in wanted]


def experiments_needed(names: Iterable[str] | None = None) -> dict[str, Experiment]:
    """What must be simulated to decide these claims.

    >>> list(experiments_needed(["mvts-beats-mv-lcb"]))
    ['gaussian']
    """
    needed = {name for claim in chosen(names) for name in claim.needs}
    return {name: experiment for name, experiment in STUDIED.items() if name in needed}


def decide(outcomes: Outcomes, names: Iterable[str] | None = None) -> list[Decision]:
    """Decide claims from what was simulated. Nothing else enters: other outcomes may give other verdicts."""
    return [decision(claim, outcomes) for claim in chosen(names)]


def decision(claim: Claim, outcomes: Outcomes) -> Decision:
    """The verdict on one claim; what was not simulated cannot be decided."""
    # Only what the claim names: its numbers must not depend on what else was simulated.
    own = {name: result for name, result in outcomes.items() if name in claim.needs}
    try:
        judged = judge(claim.rows(own))
    except (UnknownNameError, RefusalError) as missing:
        return Decision(claim, OPEN, "", math.nan, math.nan, math.nan, "", str(missing), [])
    verdict, condition, picked = claim.rule(judged)
    words = ["" if claim.rule is at_the_end else _counted(judged), _measured(claim, picked)]
    words += [_realised(judged)] if judged[0].regret_says else []
    words += [claim.note(judged)] if claim.note is not None else []
    return Decision(
        claim,
        verdict,
        condition,
        picked.row.ratio.value,
        picked.low,
        picked.high,
        setting(picked.row.where),
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


def _measured(claim: Claim, one: Judged) -> str:
    exact = one.low == one.high
    effect = shown(one.row.ratio.value) + ("" if exact else f", 95 % interval {interval(one.low, one.high)}")
    where = setting(one.row.where)
    return f"{claim.quantity[0].upper()}{claim.quantity[1:]}: {effect}" + (f" ({where})." if where else ".")


def _realised(judged: Sequence[Judged]) -> str:
    answers = [one.regret_says for one in judged]
    return (
        f"By the realised regret, which the paper plots and which varies more: {answers.count(YES)} for it, "
        f"{answers.count(NO)} against it, {answers.count(UNDECIDED)} undecided."
    )
