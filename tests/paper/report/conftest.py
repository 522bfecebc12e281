from __future__ import annotations

import pytest

from paper.report import made_up
from riskbandits.paper import claims, layout, report
from riskbandits.paper.figures import FIGURES

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{}pt" height="200pt" viewBox="0 0 9 9">'
    '<rect width="9" height="9"/></svg>'
)


@pytest.fixture(scope="session")
def drawn(tmp_path_factory):
    """A folder with a picture for every view of every figure; those over rho in the wide form."""
    out = tmp_path_factory.mktemp("drawn")
    (out / "figures").mkdir()
    for name, figure in FIGURES.items():
        for view in figure.views:
            wide = view == "runs" and len(figure.rhos) > 1
            layout.picture(out, name, view, "svg").write_text(SVG.format(518.4 if wide else 252.0))
            layout.picture(out, name, view, "png").write_bytes(b"\x89PNG" + bytes(1000))
    return out


@pytest.fixture(scope="session")
def built(drawn):
    """Content from made-up outcomes, or from others."""

    def build(outcomes=None, **changes):
        outcomes = made_up.outcomes(**changes) if outcomes is None else outcomes
        settings, versions = {"runs": 6, "seed": 1, "horizon": None}, {"riskbandits": "0"}
        return report.build(
            outcomes,
            claims.decide(outcomes),
            lambda standings: report.figures(drawn, FIGURES, standings),
            settings,
            versions,
            {"simulating": 1.0},
        )

    return build


@pytest.fixture(scope="session")
def content(built):
    return built()
