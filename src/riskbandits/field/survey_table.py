"""The survey as a table; whatever a record knows about itself is taken from the record."""

from __future__ import annotations

import re
from typing import Any

from riskbandits import risk
from riskbandits.arms import BernoulliArms, BetaArms, ExponentialArms, GaussianArms
from riskbandits.core.known_classes import classes_in
from riskbandits.core.records import cast
from riskbandits.core.user_calls import sentence
from riskbandits.field.survey import ENTRIES
from riskbandits.field.survey_bench import BENCHES, label_of
from riskbandits.field.survey_entry import GROUPS, Entry
from riskbandits.policies.support import naming

HEADS = ("algorithm", "here as", "measure", "arms", "guarantee", "read in", "our bench", "source")
# From the most restrictive kind of rewards to the least: a record serves the last one that it does not refuse.
REWARDS = {
    "0 or 1": cast(BernoulliArms([0.3, 0.6])),
    "in [0, 1]": cast(BetaArms([2.0, 3.0], [2.0, 1.0])),
    ">= 0": cast(ExponentialArms([1.0, 2.0])),
    "any": cast(GaussianArms([0.1, 0.5], [0.05, 0.3])),
}
INTRODUCTION = """\
# A survey of the field, and what is here

This page is written by `riskbandits survey --markdown docs/survey.md` from the records themselves: the source of an
algorithm is the reference in its docstring, and the measures and arms are those that it does not refuse ("in [0, 1]"
where a parameter sets the bounds). The page therefore changes with the code.

Its scope is that of Tan, Prashanth & Jagannathan, *A Survey of Risk-Aware Multi-Armed Bandits* (IJCAI 2022, arXiv
2205.05843): algorithms that minimise regret in a risk measure, and algorithms that identify the arm that is best in
one. Later work is listed with them. Only the abstract and the introduction of that survey could be read (copies of
arXiv's page, ar5iv and the proceedings stop there), so an algorithm that it discusses may be missing here.

*Read in* says where we read the guarantee: in the paper, in its abstract, in the authors' scripts, or in our docstring
for what is ours. A guarantee that is *not checked* is quoted from memory; look it up before you rely on it.

*Our bench* is what `make survey` measured. For policies it is the mean regret of {runs} runs of {horizon} steps, as a
multiple of the smallest one on that bench, with a 95 % interval; for best-arm identification, the error probability in
{naming_runs} runs, with its interval, and the mean number of rewards used. These benches are small. They show
what works, and roughly how well; [Which policy to use](choosing.md) gives recommendations, and
`riskbandits claims --field` tests the main claims of individual papers.

[What could not be obtained](systems.md#what-could-not-be-obtained) lists the missing algorithms whose formulas we
looked for, and where.
"""


def rows(measured: dict[str, Any]) -> list[dict[str, str]]:
    """A row per algorithm, with its group."""
    return [{"group": one.group, **row_of(one, measured)} for group in GROUPS for one in ENTRIES if one.group == group]


def row_of(entry: Entry, measured: dict[str, Any]) -> dict[str, str]:
    """The cells of one algorithm."""
    about: tuple[str, ...] = ("not here", "", "", entry.guarantee, entry.read_in, "", entry.source)
    if entry.here is not None:
        found = measured["rows"].get(label_of(entry))
        about = (f"`{label_of(entry)}`", *served(entry.here), entry.guarantee, entry.read_in)
        about += (said(found), source(entry.here))
    return dict(zip(HEADS, (entry.name, *about), strict=True))


def served(record: Any) -> tuple[str, str]:
    """The measures and the kind of rewards that a record does not refuse.

    >>> from riskbandits import BMVTS, UCBRSSR, CVaRUCB
    >>> served(BMVTS()), served(CVaRUCB()), served(UCBRSSR())
    (('any', '0 or 1'), ('CVaR', 'in [0, 1]'), ('Sharpe:squared', 'any'))
    """
    measures = [cls() for cls in classes_in(risk)]
    presets = [one for cls in classes_in(risk) for one in naming.presets(cls).values()]
    pairs = [
        (naming.label(one), kind)
        for one in measures + presets
        for kind, arms in REWARDS.items()
        if sentence(record, "refuses", one, arms) is None
    ]
    names = list(dict.fromkeys(name for name, _ in pairs))
    kinds = [kind for kind in REWARDS if any(kind == one for _, one in pairs)]
    whole = {type(one).__name__ for one in measures} <= set(names)
    return "any" if whole else ", ".join(names), kinds[-1] if kinds else ""


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
        return f"{100 * found['error']:.1f} % {ends} errors, {found['cost']:.0f} rewards: {where}"
    if found["low"] == found["high"]:
        return f"the smallest regret of {found['tried']} policies: {where}"
    ends = f"[{found['low']:.2g}, {found['high']:.2g}]"
    return f"{found['ratio']:.2g} {ends} times the smallest of {found['tried']} policies: {where}"


def page(measured: dict[str, Any]) -> str:
    """The page in Markdown."""
    text = [INTRODUCTION.format(**measured["settings"])]
    table = rows(measured)
    for group in GROUPS:
        text += [f"\n## {group}\n", f"| {' | '.join(HEADS)} |", "|" + "---|" * len(HEADS)]
        text += [f"| {' | '.join(row[head] for head in HEADS)} |" for row in table if row["group"] == group]
    return "\n".join(text) + "\n"
