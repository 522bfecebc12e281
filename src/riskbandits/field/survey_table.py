"""The survey as a table: what can be asked of records is asked of them."""

from __future__ import annotations

import re
from typing import Any

from riskbandits import risk
from riskbandits.arms import BernoulliArms, BetaArms, ExponentialArms, GaussianArms
from riskbandits.core.guards import sentence
from riskbandits.core.known_classes import classes_in
from riskbandits.core.records import cast
from riskbandits.field.survey import ENTRIES, GROUPS, Entry
from riskbandits.field.survey_bench import BENCHES, label_of

HEADS = ("algorithm", "here as", "measure", "arms", "guarantee", "our bench", "source")
# From the most demanding kind of rewards to the least: what a record serves is the last that it does not refuse.
REWARDS = {
    "0 or 1": cast(BernoulliArms([0.3, 0.6])),
    "in [0, 1]": cast(BetaArms([2.0, 3.0], [2.0, 1.0])),
    ">= 0": cast(ExponentialArms([1.0, 2.0])),
    "any": cast(GaussianArms([0.1, 0.5], [0.05, 0.3])),
}
INTRODUCTION = """\
# The algorithms of the field, and what they are here

This page is written by `riskbandits survey --markdown docs/survey.md` from the records themselves: sources are the
references of their docstrings, measures and arms those that they do not refuse ("in [0, 1]" where a parameter says
which bounds), so that a record which changes changes this page.

The scope is that of Tan, Prashanth & Jagannathan, *A Survey of Risk-Aware Multi-Armed Bandits* (IJCAI 2022, arXiv
2205.05843): algorithms that minimise regret in a measure of risk, or name the arm that is best in one, and beside them
what came since. Of the survey itself only abstract and introduction could be read (copies of arXiv's page, ar5iv and
the proceedings, which end there): whether it has an algorithm that is missing below could not be checked.

*Our bench* is what `make survey` measured: {runs} runs of {horizon} steps, and the mean regret as a multiple of the
least one on that bench, with its 95 % interval; for rules that name the best arm, the share of {naming_runs} runs that
named a wrong one, with its interval, and the rewards that a run looked at. These benches are small: they say who works,
and roughly how well; [choosing.md](choosing.md) says which policy to use. Claims of single papers are decided by
`riskbandits claims --field`.

`RAMGapE` is not offered: of its paper (arXiv 2506.22253) abstract and introduction could be read, and a summary which
says that arms are compared by their means and by xi = alpha (s^2 - rho mu); neither its confidence intervals nor its
constants could be had, and no program of its authors was found. For the others that are not here nothing was looked
for.
"""


def rows(measured: dict[str, Any]) -> list[dict[str, str]]:
    """A row per algorithm, with its group."""
    return [{"group": one.group, **row_of(one, measured)} for group in GROUPS for one in ENTRIES if one.group == group]


def row_of(entry: Entry, measured: dict[str, Any]) -> dict[str, str]:
    """The cells of one algorithm."""
    if entry.here is None:
        return dict(zip(HEADS, (entry.name, "not here", "", "", entry.guarantee, "", entry.source), strict=True))
    measures, kind = served(entry.here)
    found = measured["rows"].get(label_of(entry))
    cells = (entry.name, f"`{label_of(entry)}`", measures, kind, entry.guarantee, said(found), source(entry.here))
    return dict(zip(HEADS, cells, strict=True))


def served(record: Any) -> tuple[str, str]:
    """The measures and the kind of rewards that a record does not refuse.

    >>> from riskbandits import BMVTS, CVaRUCB
    >>> served(BMVTS()), served(CVaRUCB())
    (('any', '0 or 1'), ('CVaR', 'in [0, 1]'))
    """
    measures = [cls() for cls in classes_in(risk)]
    pairs = [
        (type(one).__name__, kind)
        for one in measures
        for kind, arms in REWARDS.items()
        if sentence(record, "refuses", one, arms) is None
    ]
    names = list(dict.fromkeys(name for name, _ in pairs))
    kinds = [kind for kind in REWARDS if any(kind == one for _, one in pairs)]
    return "any" if len(names) == len(measures) else ", ".join(names), kinds[-1] if kinds else ""


def source(record: Any) -> str:
    """The reference in a record's docstring."""
    found = re.search(r"References?: (.*?)(?:\n\s*\n|$)", type(record).__doc__ or "", re.DOTALL)
    return " ".join(found[1].split()) if found else "ours"


def said(found: dict[str, Any] | None) -> str:
    """What was measured, in words."""
    if found is None:
        return ""
    where = BENCHES[found["bench"]].words
    if "error" in found:
        ends = f"[{100 * found['low']:.1f}, {100 * found['high']:.1f}]"
        return f"{100 * found['error']:.1f} % {ends} wrong, {found['cost']:.0f} rewards: {where}"
    if found["low"] == found["high"]:
        return f"the least regret of {found['tried']} policies: {where}"
    ends = f"[{found['low']:.2g}, {found['high']:.2g}]"
    return f"{found['ratio']:.2g} {ends} times the least of {found['tried']} policies: {where}"


def page(measured: dict[str, Any]) -> str:
    """The page in Markdown."""
    text = [INTRODUCTION.format(**measured["settings"])]
    table = rows(measured)
    for group in GROUPS:
        text += [f"\n## {group}\n", f"| {' | '.join(HEADS)} |", "|" + "---|" * len(HEADS)]
        text += [f"| {' | '.join(row[head] for head in HEADS)} |" for row in table if row["group"] == group]
    return "\n".join(text) + "\n"
