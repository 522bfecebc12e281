"""The three findings of the first screen, as sentences made from the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from riskbandits.inference.claims import NO, YES
from riskbandits.paper.claims import Decision
from riskbandits.paper.printed_theorems import per_arm_table
from riskbandits.paper.report import verdicts
from riskbandits.paper.report.comparison_tables import Standing
from riskbandits.paper.report.content import Finding
from riskbandits.paper.report.formatting import percent, rho_text, typeset

MAIN_CLAIM = "mvts-beats-mv-lcb"
PRESETS = {
    "MVLCB": "with the constants of the authors' scripts",
    "MVLCB:sani": "with those of Sani et al. (2012)",
    "MVLCB:vakili": "with those of Vakili & Zhao (2016)",
}


def findings(decisions: Sequence[Decision], standings: Mapping[str, Sequence[Standing]]) -> tuple[Finding, ...]:
    """What the numbers say about the paper's main claim, about who is best where, and about its main theorem."""
    return (*main_claim(decisions), *who_is_best(standings), main_theorem())


def main_claim(decisions: Sequence[Decision]) -> Iterator[Finding]:
    """MVTS against MV-LCB, for each published set of constants."""
    for decision in decisions:
        if decision.claim.name == MAIN_CLAIM and decision.evidence:
            parts = []
            says: dict[str, list[str]] = {}
            for row in decision.evidence:
                says.setdefault(row["against"].removeprefix("against "), []).append(row["says"])
            for rival, answers in says.items():
                lost = f" (and more at {answers.count(NO)})" if NO in answers else ""
                words = PRESETS.get(rival, f"with those of {rival}")
                parts.append(f"at {answers.count(YES)} of {len(answers)} values of rho{lost} {words}")
            yield Finding(
                f"“{decision.claim.statement}” This {verdicts.SHORT[decision.verdict]}.",
                f"MV-LCB has several sets of constants. The runs show less regret for MVTS {', '.join(parts)}.",
                f"claim-{decision.claim.name}",
            )


def who_is_best(standings: Mapping[str, Sequence[Standing]]) -> Iterator[Finding]:
    """Which policies have the smallest mean somewhere, and where a few runs on a wrong arm cost most."""
    rows = [row for part in standings.values() for row in part]
    if not rows:
        return
    parts = []
    for name, part in standings.items():
        best = [row.policy for row in part if row.ratio == 1.0]
        counted = sorted({policy: best.count(policy) for policy in best}.items(), key=lambda item: -item[1])
        rhos = len({row.rho for row in part})
        parts.append(f"{name} ({rhos} values of rho): " + ", ".join(f"{policy} {n}" for policy, n in counted))
    winners = {row.policy for row in rows if row.ratio == 1.0}
    text = f"How often each has it, on {'; on '.join(parts)}."
    # Where most runs end on wrong arms, or end there at no great cost, the mean hides nothing.
    split = [row for row in rows if row.settled < 0.5 and row.excess > 1.0]
    if split:
        worst = max(split, key=lambda row: row.settled * row.excess)
        text += (
            f" Means can hide bad runs: {percent(worst.settled)} of those of {worst.policy} at "
            f"rho = {rho_text(worst.rho)} settle on a wrong arm, with {typeset(worst.excess, 2)} times the regret of "
            "the others."
        )
    several = len(winners) > len(standings)
    headline = "No policy has the smallest mean regret at every rho." if several else "One policy is best at every rho."
    yield Finding(headline, text, "comparison")


def main_theorem() -> Finding:
    """Theorem 3 against the lower bound on the paper's own arms."""
    arms = per_arm_table()
    broken = arms[arms["contradicted"]]
    values = list(dict.fromkeys(broken["rho"]))
    total = len(set(arms["rho"]))
    if not values:
        return Finding("Theorem 3 is nowhere below the lower bound on these arms.", "", "bounds")
    worst = max(broken.to_dict(orient="records"), key=lambda row: row["lower_bound_pulls"] / row["theorem_3_pulls"])
    return Finding(
        "Theorem 3, the bound for MVTS at all rho, does not hold as printed.",
        "On the paper's own arms it allows some arm fewer pulls than every consistent policy needs at "
        f"{len(values)} of {total} values of rho ({', '.join(map(rho_text, values))}); at rho = "
        f"{rho_text(worst['rho'])} arm "
        f"{int(worst['arm'])}, counted from 0, may be pulled {typeset(worst['theorem_3_pulls'])} ln n times and needs "
        f"{typeset(worst['lower_bound_pulls'])} ln n.",
        "E9",
    )
