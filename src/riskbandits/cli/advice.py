"""The page that says which policy to use when, generated from comparisons; no measured number is typed in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from riskbandits.api import parsing
from riskbandits.api.compare import able
from riskbandits.cli import horizons
from riskbandits.cli.situations import MEASURES, SITUATIONS, STAGES, Situation
from riskbandits.core.display import counted, with_interval
from riskbandits.policies.support import naming
from riskbandits.results.comparison import Comparison

POLICIES = (
    "mts,vts,mvts,mv-lcb,mv-lcb:sani,ngts,ngts:honda-takemura,imed-mv,kl-ucb-mv,switching-aware,"
    "bmvts,switching-aware:bernoulli,bernoulli-lcb:tight"
)
# Of the suite of other risk measures: policies for any measure, and those made for one.
MEASURE_POLICIES = (
    "ngts,mvts,npts,npts:anchor-free,gaussian-ts,ucb1,ucb-v,srts,ucb-rssr,bcvts,cvar-ucb,u-ucb,marab,ra-ucb"
)
MEASURE_SUITE = "measures"
MEASURE_STEPS = 10_000  # at most: what keeps all rewards takes the square of it

INTRODUCTION = """\
# Which policy to use

This page is written by `{command}`. Every measured number on it comes from that command; none is typed in.
{what}

*Relative regret* is the ratio of a policy's mean exact pseudo-regret to that of the best of these policies on the
same problem at the same horizon; over several problems it is the geometric mean of these ratios. The best policy of a
problem is selected on one half of the runs and the ratio is measured on the other half, so that equally good policies
have a ratio of 1 on average. A value below 1 means that the policies selected had been lucky in their half: that
happens where a few runs of a policy fail badly and there are few runs, as at the longest horizons.

Square brackets contain 95 % intervals. Where several problems were drawn at random from one population, the interval
of the relative regret shows how much it would vary with other problems from that population; elsewhere, and for all
other numbers, intervals show how much they would vary with other runs on the same problems. {rewards} A run has
*settled on a wrong arm* if in its second half a single suboptimal arm received 95 % of the pulls and an optimal one
none; it is *still exploring* if it has not settled and optimal arms received less than half of those pulls. Confidence
bounds that grow with the step (`MVLCB`, `KLUCBMV`, `IMEDMV`, `BernoulliLCB`) return to every arm sooner or later and
never count as settled. Where two arms are nearly equally good, settling on either is cheap and says little: more runs
of `SwitchingAware` settle there, because it takes the cost of a late change into account.

All of this holds for these horizons, these problems, and policies with these parameters. `VTS` is never recommended,
although its regret is small on some of these problems: it never draws a mean, and its regret is linear for every rho
above 0 ([errata](errata.md)). In the tables of all problems, the slope is that of regret against ln n over the last
factor of two. `NGTS` and `SwitchingAware` know where a run ends and explore less towards it, so theirs may lie far
below the lower bound, which says how regret grows from one horizon to a longer one.

**When not to use `SwitchingAware`.** It trades the quality of single pulls for a smaller variance of the whole stream,
which is what this regret measures; if every pull matters in its own right (patients, customers), use `NGTS`. Its
weaknesses: two or three arms whose best arm has by far the largest variance, and rewards with rare large losses, where
`KLUCBMV` is better; 0/1 rewards, where fewer runs of `SwitchingAware.bernoulli()` settle on a wrong arm, which pays in
long runs; and two nearly equal arms over a few hundred steps, where no exploration pays off.

In all of these problems the arms do not change and rewards arrive immediately. If rewards drift, wrap the policy: in
`Discounted` if you know roughly how long arms stay the same, in `Restarting` if changes are rare
([what each gains and costs](studies/drift.md)).
"""


LINEAR = ("VTS",)  # policies whose regret is known to be linear: `docs/errata.md`
MOST = 0.5  # a policy of which more runs settle on a wrong arm has a small regret by luck, or by small gaps


def page(results: Sequence[Comparison], measures: Comparison | None = None) -> str:
    """The whole page as Markdown, from comparisons at several horizons and one in other risk measures."""
    usual = [one for one in results if not horizons.is_long(one.settings["horizon"])] or list(results)
    long = [one for one in results if one not in usual]
    paired = all(one.kept[0].paired for one in usual)
    rewards = "All policies received the same rewards" if paired else "Each policy received its own rewards"
    rewards += ", except in runs that leap." if paired and long else "."
    introduction = INTRODUCTION.format(command=_command(results), what=_what(usual, long), rewards=rewards)
    parts = [introduction]
    if stages := stage_sentences(results):
        parts += ["## By steps per arm\n", *(f"- {sentence}" for sentence in stages), "", stage_table(results), ""]
    parts += ["## In one sentence each\n", *(f"- {sentence}" for sentence in sentences(horizons.merged(usual)))]
    if long:
        # Together: each has few runs, and how advice changes with the horizon is said by steps per arm.
        steps = _listed([format(one.settings["horizon"], ",") for one in long])
        parts += ["", f"Over {steps} steps, of the policies whose runs leap:\n"]
        parts += [f"- {sentence}" for sentence in sentences(horizons.merged(long))]
    if measures is not None:
        parts += ["", "## Other risk measures\n", _measured(measures) + "\n"]
        parts += [f"- {sentence}" for sentence in sentences(measures, MEASURES)]
    for one in results:
        at = f", {one.settings['horizon']:,} steps" if len(results) > 1 else ""
        parts += ["", f"## All problems{at}\n", leaderboard_table(one), "", f"## Relative regret, part by part{at}\n"]
        parts += [family_table(one)]
    notes = dict.fromkeys(note for one in results for note in one.notes)
    parts += ["", *(f"{note}\n" for note in notes)]
    return "\n".join(parts).rstrip() + "\n"


def _what(usual: Sequence[Comparison], long: Sequence[Comparison]) -> str:
    """How much was simulated."""
    first = usual[0]
    about = f"each of the {counted(len(first.suite.cases), 'problem')} of the suite `{first.settings['suite']}`"
    text = f"It rests on {_listed(_played(usual))} of each policy on {about}"
    if long:
        text += f", and on {_listed(_played(long))} of those whose runs leap"
    text += "."
    if len(usual) > 1 or len(long) > 1:
        text += " Where horizons are taken together, a problem counts once for each of them."
    return text


def _played(results: Sequence[Comparison]) -> list[str]:
    return [f"{one.settings['runs']} runs of {one.settings['horizon']:,} steps" for one in results]


def _listed(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _measured(measures: Comparison) -> str:
    settings = measures.settings
    return (
        f"{settings['runs']} runs of {settings['horizon']:,} steps on each of the {len(measures.suite.cases)} problems "
        f"of the suite `{settings['suite']}`. Regret is the sum of the gaps in that measure; for `Variance`, a "
        "mean-variance, it includes the cost of switching."
    )


def _command(results: Sequence[Comparison]) -> str:
    """The command that reproduces the page."""
    first = results[0]
    usual = naming.labels(able([parsing.parse(text) for text in POLICIES.split(",")], first.suite))
    listed = {name: ",".join(str(one.settings[name]) for one in results) for name in ("horizon", "runs")}
    options = [f"--suite {first.settings['suite']}", f"--horizon {listed['horizon']}", f"--runs {listed['runs']}"]
    options += [f"--seed {first.settings['seed']}"]
    if first.labels != usual:
        options.append(f"--policies {','.join(first.labels)}")
    options += ["--no-common-rewards"] * (not first.kept[0].paired) + ["--costs"] * bool(first.costs)
    return " ".join(["riskbandits compare", *options, "--markdown docs/choosing.md"])


def stage_sentences(results: Sequence[Comparison]) -> list[str]:
    """One recommendation per range of steps per arm, with the reason; none at a single horizon."""
    if len(results) < 2:
        return []
    found = []
    for stage in STAGES:
        part = horizons.within(results, stage.least, stage.most)
        if part is not None:
            found.append(f"{stage.words}: {_advice(part)} Why: {stage.reason}.")
    return found


def stage_table(results: Sequence[Comparison]) -> str:
    """Relative regret: a row per number of steps for each arm, a column per policy."""
    labels = horizons.merged(results).leaderboard()["policy"].tolist()
    rows = []
    for stage in STAGES:
        part = horizons.within(results, stage.least, stage.most)
        if part is not None:
            cells = {row["policy"]: row for row in part.leaderboard().to_dict(orient="records")}
            most = len(part.suite.cases)
            rows.append([stage.words, str(most), *(_of_some(cells.get(label), most) for label in labels)])
    return _markdown(["", "problems", *labels], rows)


def _of_some(row: Mapping[Any, Any] | None, problems: int) -> str:
    """A relative regret, with the number of problems where that is not all of them."""
    if row is None:
        return ""
    return with_interval(row, "relative") + (f" (of {row['problems']})" if row["problems"] < problems else "")


def sentences(result: Comparison, situations: Iterable[Situation] = SITUATIONS) -> list[str]:
    """One recommendation per situation that the comparison's problems cover."""
    found = []
    for situation in situations:
        if any(situation.keep(case) for case in result.suite.cases):
            found.append(f"{situation.words}: {_advice(result.only(situation.keep))}")
    return found


def _advice(part: Comparison) -> str:
    """Which policy to use on all of these problems, which ones are tied with it, and what to beware of.

    A policy whose regret is linear is never recommended: where it looks good, few of its runs have failed yet. If it
    had less regret here, the sentence says so, and why it is not recommended. One of which most runs settle on a wrong
    arm is not recommended either if another is statistically tied with it.
    """
    problems = len(part.suite.cases)
    rows = [row for row in part.leaderboard().to_dict(orient="records") if row["problems"] == problems]
    sound = [row for row in rows if _kind(row) not in LINEAR]
    best = _recommended(part, sound or rows)
    others = [row for row in sound if row is not best]
    equals = [_named(row, best) for row in others if _as_good(part, row["policy"], best["policy"])]
    text = f"use **{best['policy']}** (relative regret {with_interval(best, 'relative')}, {_wrong(best)}, "
    text += f"{counted(problems, 'problem')})"
    if equals:
        text += f"; statistically tied with it: {'; '.join(equals)}"
    elif others:
        text += f"; next is {others[0]['policy']} ({with_interval(others[0], 'relative')})"
    steadier = [row for row in sound if row["settled_high"] < best["settled_low"]]
    if steadier:
        calm = min(steadier, key=lambda row: row["settled"])
        text += f"; fewer runs settle on a wrong arm with {calm['policy']} ({_share(calm, 'settled')})"
    ahead = [row for row in rows if _kind(row) in LINEAR and row["relative"] < best["relative"]]
    for row in ahead:
        text += f". {row['policy']} had less regret at this horizon ({with_interval(row, 'relative')}; {_wrong(row)}), "
        text += "but it is not recommended: its regret is linear, so longer runs pay for it ([errata](errata.md))"
    return text + "."


def _recommended(part: Comparison, rows: Sequence[Mapping[Any, Any]]) -> Mapping[Any, Any]:
    """The policy of least regret, or the first one tied with it of which not most runs settle on a wrong arm."""
    first = rows[0]
    if first["settled"] > MOST:
        for row in rows[1:]:
            if row["settled_high"] < first["settled_low"] and _as_good(part, row["policy"], first["policy"]):
                return row
    return first


def _kind(row: Mapping[Any, Any]) -> str:
    """The class of a policy, from its label."""
    return re.split(r"[:(]", str(row["policy"]))[0]


def _wrong(row: Mapping[Any, Any]) -> str:
    """How many runs ended on a suboptimal arm, and how."""
    if row["settled"] != row["settled"]:  # not kept by earlier versions
        return f"{_share(row, 'locked')} of runs on a suboptimal arm at the end"
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
