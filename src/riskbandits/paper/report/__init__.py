"""The HTML report of a reproduction: one page that needs nothing else.

done = reproduction.reproduce("results", also=claims.experiments_needed())
report.report(done)                                 # results/report.html

content = report.build(outcomes, decisions, draw_figures, settings, versions)
report.write("elsewhere.html", content)             # the same by hand
"""

from riskbandits.paper.report.build import build
from riskbandits.paper.report.content import Content
from riskbandits.paper.report.page import html, report, write
from riskbandits.paper.report.pictures import figures

__all__ = ["Content", "build", "figures", "html", "report", "write"]
