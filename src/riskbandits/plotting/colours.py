"""One look per policy, everywhere: Okabe & Ito's colours survive colour-blindness, dashes and markers grey print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Look(NamedTuple):
    """How a policy is drawn."""

    colour: str
    dash: Any  # as matplotlib's `linestyle`
    marker: str = "o"


PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#8C6D00")
DASHES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p", "h", "8", "d", "H", "+", "x", "1", "2", "3", "4")
OTHERWISE = Look("#777777", "-", ".")

LONG, SHORT, DOUBLE = (0, (7, 2)), (0, (2, 1)), (0, (5, 1, 1, 1, 1, 1))

# Fixed for the policies of the package, so that figures can be laid side by side. Where two of one colour and dash
# stand in one figure, the one that comes first here keeps them.
KNOWN = {
    "MVTS": Look("#0072B2", "-", "o"),
    "MTS": Look("#E69F00", "--", "s"),
    "MTS:printed": Look("#E69F00", ":", "+"),
    "VTS": Look("#56B4E9", "-.", "^"),
    "MVLCB": Look("#D55E00", ":", "D"),
    "MVLCB:sani": Look("#CC79A7", LONG, "v"),
    "MVLCB:vakili": Look("#8C6D00", DOUBLE, "P"),
    "BMVTS": Look("#0072B2", "-", "p"),
    "BernoulliLCB": Look("#D55E00", ":", "d"),
    "BernoulliLCB:sani": Look("#CC79A7", LONG, "<"),
    "BernoulliLCB:tight": Look("#009E73", SHORT, ">"),
    "SwitchingAware": Look("#009E73", "-", "*"),
    "SwitchingAware:bernoulli": Look("#009E73", "-", "s"),
    "NGTS": Look("#009E73", "-", "h"),
    "NGTS:honda_takemura": Look("#CC79A7", "-", "H"),
    "HurdleTS": Look("#56B4E9", "-", "X"),
    "Discounted": Look("#D55E00", "-", "*"),
    "Discounted:bernoulli": Look("#D55E00", "-", "s"),
    "Restarting": Look("#CC79A7", "--", "*"),
    "Restarting:bernoulli": Look("#CC79A7", "--", "s"),
    "IMEDMV": Look("#000000", "--", "X"),
    "KLUCBMV": Look("#000000", "-.", "*"),
    "ExpExp": Look("#777777", "--", "1"),
    "MVDSEE": Look("#777777", "-.", "2"),
    "UniformRandom": Look("#777777", ":", "."),
    "NPTS": Look("#009E73", "--", "8"),
    "NPTS:anchor_free": Look("#E69F00", "-", "8"),
    "BCVTS": Look("#0072B2", "--", "8"),
    "MCVTS": Look("#56B4E9", "--", "p"),
    "CVaRTS": Look("#009E73", ":", "8"),
    "CVaRUCB": Look("#D55E00", "--", "D"),
    "UUCB": Look("#CC79A7", "--", "v"),
    "CoherentUCB": Look("#8C6D00", SHORT, "D"),
    "MaRaB": Look("#8C6D00", "--", "P"),
    "RAUCB": Look("#D55E00", "-.", "d"),
    "SRTS": Look("#0072B2", "-.", "h"),
    "UCBRSSR": Look("#CC79A7", "-.", "<"),
    "ModifiedGRAUCB": Look("#E69F00", "-.", "D"),
    "SharpeUCB": Look("#8C6D00", "-.", ">"),
    "HorizonUCB": Look("#009E73", LONG, "X"),
    "GaussianTS": Look("#0072B2", ":", "s"),
    "BernoulliTS": Look("#56B4E9", ":", "s"),
    "UCB1": Look("#D55E00", LONG, "X"),
    "UCBV": Look("#E69F00", LONG, "*"),
    "RobustUCB": Look("#000000", LONG, "P"),
    "RobustUCB:median_of_means": Look("#000000", SHORT, "d"),
    "DSEE": Look("#777777", LONG, "3"),
}


def looks(labels: Sequence[str]) -> dict[str, Look]:
    """A look for each label; those not fixed, or whose fixed look is taken, get what is left of the palette, in order.

    Colours that no fixed look has come first, and no two labels have one marker while there are others.

    >>> len({look[:2] for look in looks(["SwitchingAware", "NGTS", "mine"]).values()})
    3
    >>> looks(["MVTS", "mine"])["mine"].colour in [look.colour for look in looks(["MVTS"]).values()]
    False
    """
    fixed: dict[tuple[str, Any], str] = {}
    for label in KNOWN:
        if label in labels:
            fixed.setdefault(KNOWN[label][:2], label)
    kept = {label: KNOWN[label] for label in fixed.values()}
    colours = {look.colour for look in kept.values()}
    pairs = [(colour, dash) for dash in DASHES for colour in PALETTE if (colour, dash) not in fixed]
    spare = iter(sorted(pairs, key=lambda pair: pair[0] in colours))
    found = {}
    for label in labels:
        colour, dash = KNOWN[label][:2] if label in kept else next(spare, OTHERWISE[:2])
        found[label] = Look(colour, dash, KNOWN[label].marker if label in kept else "")
    first = {look.marker: label for label, look in reversed(kept.items())}  # keeps it where two have the same
    unlike = iter([marker for marker in MARKERS if marker not in first])
    return {
        label: look if first.get(look.marker) == label else look._replace(marker=next(unlike, OTHERWISE.marker))
        for label, look in found.items()
    }
