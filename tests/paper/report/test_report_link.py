"""The report links a playground that lies beside it, and speaks of none that does not."""

from __future__ import annotations

from riskbandits.paper import report
from riskbandits.paper.report.page import PLAYGROUND

LINK = f'<a href="{PLAYGROUND}">'


def test_a_playground_beside_the_report_is_linked(content, tmp_path):
    page = tmp_path / "report.html"
    assert LINK not in report.write(page, content).read_text()
    (tmp_path / PLAYGROUND).write_text("")
    assert LINK in report.write(page, content).read_text()
