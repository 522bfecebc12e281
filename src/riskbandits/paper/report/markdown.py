"""Markdown with `$formulas$` as HTML, by markdown-it and latex2mathml, for a page that stands alone."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

SIGNS = {"rho": "ρ", "<=": "≤", ">=": "≥", "+-": "±"}  # terminals show these texts too, as they are


def inline(text: str) -> Markup:
    r"""One line or paragraph.

    >>> inline("`a < b` is **not** <i> at rho >= 1")
    Markup('<code>a &lt; b</code> is <strong>not</strong> &lt;i&gt; at ρ ≥ 1')
    >>> "<mi>&#x003C1;</mi>" in inline(r"at $\rho$")
    True
    """
    return Markup(_parser("commonmark").renderInline(text, {"links": []}))


def maths(text: str) -> Markup:
    """A text in which nothing is marked up but formulas."""
    return Markup(_parser("zero").renderInline(text))


def blocks(text: str) -> Markup:
    """Paragraphs, lists and tables."""
    return Markup(_parser("commonmark").render(text, {"links": []}))


def plain(text: str) -> str:
    r"""A text for a terminal, its formulas as one would type them.

    >>> plain(r"by $\sum_i 2/\Gamma_i$ if $m \le \mu_1$")
    'by sum_i 2/Gamma_i if m <= mu_1'
    """
    signs = {r"\le ": "<= ", r"\ge ": ">= ", r"\varepsilon": "epsilon", "$": "", "\\": "", "{": "", "}": ""}
    if "$" in text:
        for sign, typed in signs.items():
            text = text.replace(sign, typed)
    return text


@cache
def _parser(marks: str) -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser = MarkdownIt(marks, {"html": False}).use(dollarmath_plugin)
    parser.add_render_rule("math_inline", lambda _, tokens, place, *__: _formula(tokens[place].content))
    parser.add_render_rule("text", lambda _, tokens, place, *__: _text(tokens[place].content))
    if marks == "zero":
        return parser
    parser.enable("table")
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule("link_close", _link_close)
    # Wide tables scroll, and the heading of a column says that it is one.
    parser.add_render_rule("table_open", lambda *_: '<div class="scroll" tabindex="0"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    parser.add_render_rule("th_open", lambda *_: '<th scope="col">')
    return parser


def _formula(latex: str) -> str:
    from latex2mathml.converter import convert

    element = convert(latex.replace(r"\ln ", r"\ln\,"))  # it leaves no room behind the name of a function
    return str(element).replace(' xmlns="http://www.w3.org/1998/Math/MathML" display="inline"', "")


def _text(text: str) -> str:
    signs = r"(?<![\w-])rho(?![\w-])|<=|>=|\+-"
    return escape(re.sub(signs, lambda found: SIGNS[found[0]], text), quote=False)


def _link_open(renderer: Any, tokens: Any, place: int, options: object, env: Any) -> str:
    # A link to a file beside the document leads nowhere from a page that stands alone: its words stay.
    env["links"].append(tokens[place].attrGet("href").startswith("#"))
    return renderer.renderToken(tokens, place, options, env) if env["links"][-1] else ""


def _link_close(renderer: Any, tokens: Any, place: int, options: object, env: Any) -> str:
    return "</a>" if env["links"].pop() else ""
