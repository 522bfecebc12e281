"""What the page offers besides: better policies, files to take along, the dark, and mathematics."""

from __future__ import annotations

import dataclasses
import html
import re

import pytest

from paper.report import made_up
from riskbandits.metrics import exact_pseudo_regret
from riskbandits.paper import layout, report
from riskbandits.paper.experiments import BETTER, EXPERIMENTS
from riskbandits.paper.figures import FIGURES
from riskbandits.paper.report.pictures import figures
from riskbandits.policies.support import naming


def better_outcomes():
    """Made-up runs of the paper's policies and of those that decide better."""
    found = made_up.outcomes()
    for name, one in BETTER.items():
        paper = made_up.outcome(name.removeprefix("better-"))
        labels = naming.labels(one.policies)
        for result in paper.results:
            result.traces = [trace._replace(label=label) for trace, label in zip(result.traces, labels, strict=False)]
        found[name] = paper
    return found


def test_which_policies_decide_better(built, content):
    assert content.better == ()
    assert "riskbandits reproduce --quick</code>" in report.html(content)
    outcomes = better_outcomes()
    tables = built(outcomes).better
    assert [table.name for table in tables] == list(BETTER)
    for table, (name, paper) in zip(tables, EXPERIMENTS.items(), strict=True):
        assert len(table.rows) == len(paper.rhos)
        rho = paper.rhos[0]
        best = min(exact_pseudo_regret(trace)[:, -1].mean() for trace in outcomes[name].at(rho).traces)
        ours = min(exact_pseudo_regret(trace)[:, -1].mean() for trace in outcomes[f"better-{name}"].at(rho).traces)
        assert table.rows[0][-1].order == pytest.approx(best / ours)
    page = report.html(built(outcomes))
    assert page.index('id="comparison"') < page.index('id="better"') < page.index('id="bounds"')


def test_figures_link_what_is_there(tmp_path, drawn):
    for folder in ("figures", "tables"):
        (tmp_path / folder).mkdir()
    [name] = ["figure-4"]
    for view in FIGURES[name].views:
        picture = layout.picture(tmp_path, name, view, "svg")
        picture.write_text(layout.picture(drawn, name, view, "svg").read_text())
    layout.picture(tmp_path, name, "paper", "pdf").write_bytes(b"%PDF")
    layout.table(tmp_path, name).write_text("a")
    [figure] = figures(tmp_path, {name: FIGURES[name]}, {})
    links = {picture.view: dict(picture.links) for picture in figure.pictures}
    assert links["paper"] == {"PDF": "figures/figure-4.pdf", "CSV": "tables/figure-4.csv"}
    assert links["runs"] == {}


def test_links_and_the_dark_reach_the_page(content):
    first = content.figures[0]
    picture = first.pictures[0]._replace(links=(("PDF", "figures/x.pdf"),))
    changed = dataclasses.replace(content, figures=(dataclasses.replace(first, pictures=(picture,)),))
    page = report.html(changed)
    assert '<a href="figures/x.pdf">PDF</a>' in page
    assert re.search(r"prefers-color-scheme: dark\) \{ figure img \{ filter: invert", page)


def test_no_formula_of_the_page_is_text(content):
    apart = r"(?s)<(script|style|svg|math|code|pre)\b.*?</\1>"
    shown = html.unescape(re.sub(r"<[^>]+>", "\n", re.sub(apart, "", report.html(content))))
    assert re.findall(r".*\$.*|.*\\[a-z]+.*|.*\b(?:mu|Delta|eps)\b.*|.*[<>!]=.*|.*\w[_^][({\d].*", shown) == []


def test_the_page_holds_mathematics_and_nothing_from_the_network(content):
    page = report.html(content)
    assert "<math>" in page
    assert not re.search(r'(?:src|href)="https?:', page)
