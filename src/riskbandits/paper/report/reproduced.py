"""The report of a finished reproduction: decide the claims, collect the figures, write the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from riskbandits.paper import claims, layout
from riskbandits.paper.claims import Decision
from riskbandits.paper.figures import FIGURES
from riskbandits.paper.report import page, pictures
from riskbandits.paper.report.build import build
from riskbandits.paper.reproduction import Reproduction


def report(done: Reproduction) -> Path:
    """Write the page of a reproduction beside its figures and return its path."""
    content = build(
        done.outcomes,
        decide(done),
        partial(pictures.figures, done.out, done.figures),
        done.settings,
        done.versions,
        done.seconds,
    )
    return page.write(layout.report(done.out), content)


def decide(done: Reproduction) -> Sequence[Decision]:
    """The verdicts on all claims; where only some figures were asked for, on those that the outcomes speak of."""
    decisions = claims.decide(done.outcomes)
    everything = len(done.figures) == len(FIGURES)
    return decisions if everything else [decision for decision in decisions if decision.evidence]
