"""The page that says which policy to use when, written from a comparison: every number on it was measured."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from riskbandits.api.compare import able
from riskbandits.arms import BernoulliArms, GaussianArms
from riskbandits.core.display import with_interval
from riskbandits.policies.support import naming
from riskbandits.results.comparison import Comparison
from riskbandits.suites import Case
from riskbandits.suites.families import UNLIKE

POLICIES = (
    "mts,vts,mvts,mv-lcb,mv-lcb:sani,ngts,ngts:honda-takemura,imed-mv,kl-ucb-mv,switching-aware,"
    "bmvts,switching-aware:bernoulli,bernoulli-lcb:tight"
)

INTRODUCTION = """\
# Which policy to use

This page is written by `{command}`; none of its numbers is typed in. {what}

*Relative regret* is the ratio of a policy's mean exact pseudo-regret to that of the best of these policies on the
same problem; over several problems it is the geometric mean of these ratios. The best policy of a problem is picked
by one half of the runs and the ratio measured on the other, so that equal policies come out as 1 on average; values
under 1 are noise, the more so where a policy's mean hangs on a few bad runs.

Square brackets hold 95 % intervals. Where several problems were drawn at random from one population, the interval of
the relative regret says how it would differ with other problems from there; elsewhere, and for all other numbers,
intervals say how they would differ with other runs on the same problems. {rewards} A run has
*settled on a wrong arm* when one arm that is no best one got 95 % of the pulls in its second half; it is *still
exploring* when it has not, and less than half of them went to a best arm. Where two arms are nearly equally good either
costs little and says little.

All of it holds for this horizon, these problems, and policies with these parameters. `VTS` is advised nowhere, though
it pays little on some of them: it never draws a mean, and its regret is linear for every rho above 0
([errata](errata.md)).

`SwitchingAware` gives up quality of single pulls for the calm of the whole stream of rewards, which is what this regret
measures: where every pull counts for itself (patients, customers), use `NGTS`.

In all of these problems arms stay what they are and answer at once. Where rewards drift, wrap the policy: `Discounted`
if one knows about how long arms stay alike, `Restarting` if changes are rare;
[what each gains and costs](studies/drift.md).
"""


LINEAR = ("VTS",)  # policies whose regret is known to be linear: `docs/errata.md`


class Situation(NamedTuple):
    """A situation that a user may be in, and the problems that stand for it."""

    words: str
    keep: Callable[[Case], bool]


def _gaussian(case: Case) -> bool:
    return isinstance(case.problem.arms, GaussianArms)


def _of(*families: str) -> Callable[[Case], bool]:
    return lambda case: case.family in families


def _drawn_with(arms: int) -> Callable[[Case], bool]:
    return lambda case: _gaussian(case) and case.draw != "" and case.problem.size == arms


def _paper_rho(low: float, high: float) -> Callable[[Case], bool]:
    return lambda case: case.family == "paper" and low <= case.problem.risk.rho <= high


SITUATIONS = (
    Situation("Rewards are numbers of order 1 and nothing is known about the arms", _of("uniform")),
    Situation("Risk matters most (the paper's arms, rho up to 0.1)", _paper_rho(0.0, 0.1)),
    Situation("Risk and return both matter (the paper's arms, rho from 0.3 to 3)", _paper_rho(0.3, 3.0)),
    Situation("Return matters most (the paper's arms, rho of 10 and more)", _paper_rho(10.0, 1e9)),
    Situation("One arm is likely to be both the best paid and the calmest", _of("dominant")),
    Situation("What pays more also varies more", _of("trade-off")),
    Situation("Two arms are nearly equally good", _of("near-tie")),
    Situation("All arms pay the same on average, and only their risk differs", _of("equal-means")),
    Situation("All arms are equally risky, and only their pay differs", _of("equal-variances")),
    Situation("Arms differ much in how risky they are, or one is far wilder or calmer than the rest", _of(*UNLIKE)),
    Situation("There are two arms", _drawn_with(2)),
    Situation("There are ten arms", _drawn_with(10)),
    Situation("There are fifty arms", _drawn_with(50)),
    Situation("There are three hundred arms", _drawn_with(300)),
    Situation("Rewards come in large numbers (hundreds)", _of("rewards-times-100")),
    Situation("Rewards come in small numbers (hundredths)", _of("rewards-times-0.01")),
    Situation("Rewards are 0 or 1", lambda case: isinstance(case.problem.arms, BernoulliArms)),
)


def page(result: Comparison) -> str:
    """The whole page as Markdown."""
    settings = result.settings
    what = (
        f"It rests on {settings['runs']} runs of {settings['horizon']:,} steps of each policy on each of the "
        f"{len(result.suite.cases)} problems of the suite `{settings['suite']}`."
    )
    rewards = "All policies met the same rewards." if result.outcomes[0].paired else "Each policy met its own rewards."
    introduction = INTRODUCTION.format(command=_command(result), what=what, rewards=rewards)
    parts = [introduction, "## In one sentence each\n"]
    parts += [f"- {sentence}" for sentence in sentences(result)]
    parts += ["", "## All problems\n", leaderboard_table(result), "", "## Relative regret, part by part\n"]
    parts += [family_table(result), ""]
    parts += [f"{note}\n" for note in result.notes]
    return "\n".join(parts).rstrip() + "\n"


def _command(result: Comparison) -> str:
    """What one types to have the page again."""
    settings = result.settings
    usual = naming.labels(able([naming.parse(text) for text in POLICIES.split(",")], result.suite))
    options = [f"--{name} {settings[name]}" for name in ("suite", "horizon", "runs", "seed")]
    if result.labels != usual:
        options.append(f"--policies {','.join(result.labels)}")
    options += ["--no-common-rewards"] * (not result.outcomes[0].paired) + ["--costs"] * bool(result.costs)
    return " ".join(["riskbandits compare", *options, "--markdown docs/choosing.md"])


def sentences(result: Comparison, situations: Iterable[Situation] = SITUATIONS) -> list[str]:
    """One recommendation per situation that the comparison's problems cover."""
    found = []
    for situation in situations:
        if any(situation.keep(case) for case in result.suite.cases):
            found.append(f"{situation.words}: {_advice(result.only(situation.keep))}")
    return found


def _advice(part: Comparison) -> str:
    """Which policy to take on all of these problems, which are as good, and what to beware of.

    A policy whose regret is linear is never advised: a horizon at which it looks good is one at which few of its runs
    have met their end. That it had less regret here is said, and why that is no advice.
    """
    problems = len(part.suite.cases)
    rows = [row for row in part.leaderboard().to_dict(orient="records") if row["problems"] == problems]
    sound = [row for row in rows if _kind(row) not in LINEAR]
    best = (sound or rows)[0]
    equals = [_named(row, best) for row in sound[1:] if _as_good(part, row["policy"], best["policy"])]
    text = f"use **{best['policy']}** (relative regret {with_interval(best, 'relative')}, {_wrong(best)}, "
    text += f"{problems} problem{'s' if problems > 1 else ''})"
    if equals:
        text += f"; not told apart from it: {'; '.join(equals)}"
    elif len(sound) > 1:
        text += f"; next is {sound[1]['policy']} ({with_interval(sound[1], 'relative')})"
    steadier = [row for row in sound if row["settled_high"] < best["settled_low"]]
    if steadier:
        calm = min(steadier, key=lambda row: row["settled"])
        text += f"; fewer runs settle on a wrong arm with {calm['policy']} ({_share(calm, 'settled')})"
    ahead = [row for row in rows if _kind(row) in LINEAR and row["relative"] < best["relative"]]
    for row in ahead:
        text += f". {row['policy']} paid less up to here ({with_interval(row, 'relative')}; {_wrong(row)}), which is "
        text += "no advice: its regret is linear, and a longer run pays for all that ([errata](errata.md))"
    return text + "."


def _kind(row: Mapping[Any, Any]) -> str:
    """The class of a policy, from its label."""
    return re.split(r"[:(]", str(row["policy"]))[0]


def _wrong(row: Mapping[Any, Any]) -> str:
    """How many runs ended on no best arm, and how."""
    if row["settled"] != row["settled"]:  # not kept by earlier versions
        return f"{_share(row, 'locked')} of runs on no best arm at the end"
    return f"{_share(row, 'settled')} of runs settled on a wrong arm, {_share(row, 'exploring')} still exploring"


def _share(row: Mapping[Any, Any], name: str) -> str:
    return with_interval(row, name, percent=True)


def _named(row: Mapping[Any, Any], best: Mapping[Any, Any]) -> str:
    """A policy that is as good, with a warning if more of its runs settle on a wrong arm."""
    warning = f", of which {_share(row, 'settled')} of runs settle on a wrong arm"
    return str(row["policy"]) + (warning if row["settled_low"] > best["settled_high"] else "")


def _as_good(part: Comparison, label: str, best: str) -> bool:
    last = part.paired(label, best).iloc[-1]
    return bool(last["ratio_low"] <= 1.0)


def leaderboard_table(result: Comparison) -> str:
    """The leaderboard as a Markdown table."""
    heads = ["policy", "problems", "relative regret", "worst case", "worst on", "settled on a wrong arm"]
    heads += ["still exploring", "slope / lower bound"]
    rows = []
    for row in result.leaderboard().to_dict(orient="records"):
        cells = [row["policy"], str(row["problems"]), with_interval(row, "relative"), with_interval(row, "worst")]
        cells += [row["worst_problem"], _share(row, "settled"), _share(row, "exploring")]
        cells += [with_interval(row, "slope_over_bound")]
        if result.costs:
            cells += [f"{row['cost_ns']:.0f}", f"{row['cost_ratio']:.2g}"]
        rows.append(cells)
    return _markdown(heads + (["ns per step", "times MVTS"] if result.costs else []), rows)


def family_table(result: Comparison) -> str:
    """Relative regret: a row per family (per problem, if there is one family), a column per policy."""
    labels = result.leaderboard()["policy"].tolist()
    rows = []
    for family, part in result.breakdown().groupby("family", sort=False):
        cells = {row["policy"]: with_interval(row, "relative") for row in part.to_dict(orient="records")}
        rows.append([str(family), *(cells.get(label, "") for label in labels)])
    return _markdown(["", *labels], rows)


def _markdown(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
