"""The HTML report of a reproduction: one page that needs nothing else.

content = report.build(outcomes, decisions, draw_figures, settings, versions)
report.write("report.html", content)
"""

from riskbandits.report.build import build
from riskbandits.report.content import Content
from riskbandits.report.page import html, write
from riskbandits.report.pictures import figures

__all__ = ["Content", "build", "figures", "html", "write"]
