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
from riskbandits.paper.report import mathml
from riskbandits.paper.report.mathml import typeset
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "sum_i 2/Gamma_i",
            f"<msub><mo>∑</mo><mrow><mi>i</mi></mrow></msub>{mathml.GAP}<mn>2</mn><mo>/</mo><msub><mi>Γ</mi>",
        ),
        ("rho theta - 2 beta (E3)", f"<mo>−</mo><mn>2</mn>{mathml.GAP}<mi>β</mi></mrow></math> (E3)"),
        ("at rho = 0.3, 1", '<math alttext="rho = 0.3"><mrow><mi>ρ</mi><mo>=</mo><mn>0.3</mn></mrow></math>, 1'),
        ("1 - rho - 2 p_1 > 0", '<math alttext="1 - rho - 2 p_1 &gt; 0">'),
        ("(ln n)^(-1/4)", "<msup><mrow><mo>(</mo><mrow><mi>ln</mi>"),
        ("n -> inf", "<mo>→</mo><mi>∞</mi>"),
        ("n^(1 - 1/s_1^2)", "<mo>/</mo><msubsup><mi>s</mi>"),
        ("the limit n -> inf", '<math alttext="n -&gt; inf">'),
        ("288 +- 33", "<mo>±</mo><mn>33</mn>"),
        ("y~ is", "<mover><mi>y</mi><mo>~</mo></mover>"),
        ("rho - a number", "</math> - a number"),
        ("the Normal-Gamma prior, a Gamma variable", "the Normal-Gamma prior, a Gamma variable"),
        ("paper-bernoulli-rho-1/9, MVTS(rho=1), --rho 3", "paper-bernoulli-rho-1/9, MVTS(rho=1), --rho 3"),
        ("s_i^2", "<msubsup><mi>s</mi><mrow><mi>i</mi></mrow><mrow><mn>2</mn></mrow></msubsup>"),
        ("sum_(j != i)", "<mo>≠</mo>"),
        ("10^5 steps", "<msup><mn>10</mn><mrow><mn>5</mn></mrow></msup>"),
        ("mu_1.", "<mi>μ</mi>"),
        ("a < b", "a &lt; b"),
        ("with m > mu_1", 'with <math alttext="m &gt; mu_1">'),
        ("up to n = 2 10^5", 'to <math alttext="n = 2 10^5">'),
        ("2 beta = 1 + T v grows", '<math alttext="2 beta = 1 + T v">'),
        ("the index rho m - 1/tau is", '<math alttext="rho m - 1/tau">'),
        ("for rho m below", '<math alttext="rho m">'),
        ("at rho a policy", "</math> a policy"),
        ("docs/rho.md and figure_4.csv", "docs/rho.md and figure_4.csv"),
        # As far as the formula reaches: functions, brackets, letters beside letters; not into the sentence.
        ("at most exp(-s (m - mu_1)^2/(2 rho^2)).", '<math alttext="exp(-s (m - mu_1)^2/(2 rho^2))">'),
        ("if rho <= min{D_i/G_i : G_i > 0} and", '<math alttext="rho &lt;= min{D_i/G_i : G_i &gt; 0}">'),
        ("that rho > max{s_i^2 : i = 1, ..., K}.", "<mo>…</mo><mo>,</mo><mi>K</mi><mo>}</mo></mrow></math>."),
        ("is (1/n) sum_i E[T_i T_j] Gamma_ij^2.", '<math alttext="(1/n) sum_i E[T_i T_j] Gamma_ij^2">'),
        ("with B = [mu_1 - eps, inf): then", '<math alttext="B = [mu_1 - eps, inf)">'),
        ("for s = 1, v = 30 000 and", '<math alttext="v = 30 000">'),
        (
            "E[1/G - 1] <= 4c int_A (1 - G) + 2c int_B p",
            '<mo form="infix">+</mo></mrow></math> <math alttext="2c int_B p">',
        ),
        ("then 1/2 P(M = m_1)", f"<mn>2</mn>{mathml.GAP}<mi>P</mi><mo>(</mo><mi>M</mi>"),
        ("s >= ln(2n)/2 pulls", '<math alttext="s &gt;= ln(2n)/2">'),
        ("rho (rho = 1) is", '</math> (<math alttext="rho = 1">'),
        ("E[pseudo-regret] of Part B, 3 - 4 arms (a = b)", "E[pseudo-regret] of Part B, 3 - 4 arms (a = b)"),
        ("MVTS's s_i is", "MVTS's <math"),
    ],
)
def test_formulas_are_mathematics(text, found):
    assert found in typeset(text)


def test_no_formula_of_the_page_is_text(content):
    apart = r"(?s)<(script|style|svg|math|code|pre)\b.*?</\1>"
    shown = html.unescape(re.sub(r"<[^>]+>", "\n", re.sub(apart, "", report.html(content))))
    greek = "|".join(name for name in mathml.GREEK if name != "Gamma")
    names = r"unbiased-small-rho|Normal-Gamma|Gamma (?:tail|variable)"
    assert re.findall(rf".*\b(?:{greek})\b.*|.*\bGamma\b.*|.*[<>!]=.*|.*\w[_^]\(.*", re.sub(names, "", shown)) == []


def test_the_page_holds_mathematics_and_nothing_from_the_network(content):
    page = report.html(content)
    assert "<math " in page
    assert "sum_i" not in re.sub(r"<code>.*?</code>|<math alttext=[^>]*>", "", page)
    assert not re.search(r'(?:src|href)="https?:', page)
