"""One look per policy, everywhere: Okabe & Ito's colours survive colour-blindness, dashes survive grey print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Look(NamedTuple):
    """How a policy is drawn."""

    colour: str
    dash: str


PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#8C6D00")
DASHES = ("-", "--", "-.", ":")

# Fixed for the policies of the paper, so that figures can be laid side by side.
KNOWN = {
    "MTS": Look("#E69F00", "--"),
    "VTS": Look("#56B4E9", "-."),
    "MVTS": Look("#0072B2", "-"),
    "BMVTS": Look("#0072B2", "-"),
    "MVLCB": Look("#D55E00", ":"),
    "BernoulliLCB": Look("#D55E00", ":"),
    "UniformRandom": Look("#777777", ":"),
}


def looks(labels: Sequence[str]) -> dict[str, Look]:
    """A look for each label; those not fixed get what is left of the palette, in order."""
    taken = {KNOWN[label] for label in labels if label in KNOWN}
    spare = (Look(colour, dash) for dash in DASHES for colour in PALETTE if Look(colour, dash) not in taken)
    return {label: KNOWN[label] if label in KNOWN else next(spare, Look("#777777", "-")) for label in labels}
