"""All claims, what must be simulated to decide them, and their verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from riskbandits.core.errors import RefusalError, UnknownNameError
from riskbandits.inference.claims import NO, UNDECIDED, YES, Claim, Decision, chosen, counted, measured, undecided
from riskbandits.paper import experiments, printed_theorems
from riskbandits.paper.claims import (
    arithmetic_claims,
    bernoulli_claims,
    bound_claims,
    definition_claims,
    gaussian_claims,
    lemma_claims,
    rate_claims,
)
from riskbandits.paper.claims.evidence import Judged, Row, at_the_end, judge
from riskbandits.paper.claims.phrasing import setting
from riskbandits.paper.experiments import Experiment, Outcomes
from riskbandits.policies import VTS

GROUPS = (
    gaussian_claims,
    bernoulli_claims,
    rate_claims,
    bound_claims,
    definition_claims,
    arithmetic_claims,
    lemma_claims,
)
CLAIMS: dict[str, Claim] = {claim.name: claim for group in GROUPS for claim in group.CLAIMS}

# The cases of the printed theorems, no larger than verdicts need: a minute rather than an hour.
SMALLER = {
    "theorem-1": (0.5, 100_000),
    "theorem-2": (0.5, 100_000),
    "theorem-3": (0.2, 1_000_000),
    "growth": (0.25, 100_000),
}
# One run in a thousand settles on a wrong arm there: few runs would hold none of them.
RARE = {
    "growth-vts": printed_theorems.case("growth")
    .experiment.smaller(1.0, 100_000)
    ._replace(
        title="Two arms, where the asymptotics have set in, many runs of VTS",
        policies=(VTS(),),
        runs=60_000,
        checkpoints=(10_000, 100_000),
        seconds=1.5e-4,  # nearly every run leaps to its end
    )
}
STUDIED: dict[str, Experiment] = {
    **experiments.EXPERIMENTS,
    **experiments.CLOSE_CALLS,
    **{name: printed_theorems.case(name).experiment.smaller(*size) for name, size in SMALLER.items()},
    **RARE,
    **experiments.UNBIASED,
    **experiments.UNITS,
}


def experiments_needed(names: Iterable[str] | None = None) -> dict[str, Experiment]:
    """What must be simulated to decide these claims.

    >>> list(experiments_needed(["bmvts-beats-lcb"]))
    ['bernoulli']
    """
    needed = {name for claim in chosen(CLAIMS, names) for name in claim.needs}
    return {name: experiment for name, experiment in STUDIED.items() if name in needed}


def decide(outcomes: Outcomes, names: Iterable[str] | None = None) -> list[Decision]:
    """Decide claims from what was simulated. Nothing else enters: other outcomes may give other verdicts."""
    claims = chosen(CLAIMS, names)
    found = [evidence(claim, outcomes) for claim in claims]
    together = iter(judge([row for rows in found if not isinstance(rows, str) for row in rows]))
    decisions = []
    for claim, rows in zip(claims, found, strict=True):
        if isinstance(rows, str):
            decisions.append(undecided(claim, rows))
        else:
            stricter = claim.rule([next(together) for _ in rows])
            decisions.append(decision(claim, judge(rows))._replace(together=stricter.verdict))
    return decisions


def evidence(claim: Claim, outcomes: Outcomes) -> Sequence[Row] | str:
    """The comparisons that a claim makes; what was not simulated cannot be compared, and a sentence says so."""
    # Only what the claim names: its numbers must not depend on what else was simulated.
    own = {name: result for name, result in outcomes.items() if name in claim.needs}
    try:
        return claim.study(own) if claim.study is not None else claim.open_because
    except (UnknownNameError, RefusalError) as missing:
        return str(missing)


def decision(claim: Claim, judged: Sequence[Judged]) -> Decision:
    """The verdict on one claim."""
    verdict, condition, picked = claim.rule(judged)
    effect = (picked.row.ratio.value, picked.low, picked.high, setting(picked.row.where))
    words = ["" if claim.rule is at_the_end else counted([one.says for one in judged], "comparisons")]
    words += [measured(claim, *effect) + "."]
    words += [_realised(judged)] if any(one.regret_says for one in judged) else []
    words += [claim.note(judged)] if claim.note is not None else []
    evidence = [one.as_data() for one in judged]
    return Decision(claim, verdict, *effect, " ".join(filter(None, words)), evidence, condition)


def multiplicity(decisions: Sequence[Decision]) -> str:
    """What so many claims at once mean for the verdicts, in one line."""
    by_runs = [one for one in decisions if one.claim.needs and one.evidence]
    if not by_runs:
        return ""
    rows = sum(len(one.evidence) for one in by_runs)
    changed = [one.claim.name for one in by_runs if one.together != one.verdict]
    kept = f"{len(by_runs) - len(changed)} of the {len(by_runs)} verdicts by runs stay as they are"
    others = f"; the others would be weaker: {', '.join(changed)}" if changed else ""
    return (
        "The chance of a wrong answer is at most 5 % for each claim by itself. For all of them at once, "
        f"{rows:,} comparisons together (Holm), {kept}{others}."
    )


def _realised(judged: Sequence[Judged]) -> str:
    answers = [one.regret_says for one in judged if one.regret_says]
    return (
        f"By the realised regret, which the paper plots and which varies more: {answers.count(YES)} for it, "
        f"{answers.count(NO)} against it, {answers.count(UNDECIDED)} undecided."
    )
