"""The Markdown of our own documents as HTML, by markdown-it, with what a page that stands alone asks for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from riskbandits.paper.report.mathml import typeset

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def inline(text: str) -> Markup:
    """One line or paragraph.

    >>> inline("`a < b` is **not** <i>")
    Markup('<code>a &lt; b</code> is <strong>not</strong> &lt;i&gt;')
    """
    return Markup(_parser().renderInline(text, {"links": []}))


def maths(text: str) -> Markup:
    """A text in which nothing is marked up but formulas."""
    return Markup(typeset(text))


def blocks(text: str) -> Markup:
    """Paragraphs, lists and tables."""
    return Markup(_parser().render(text, {"links": []}))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule("link_close", _link_close)
    # Wide tables scroll, and the heading of a column says that it is one.
    parser.add_render_rule("table_open", lambda *_: '<div class="scroll" tabindex="0"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    parser.add_render_rule("text", lambda _, tokens, place, *__: typeset(tokens[place].content))
    parser.add_render_rule("th_open", lambda *_: '<th scope="col">')
    return parser


def _link_open(renderer: Any, tokens: Any, place: int, options: object, env: Any) -> str:
    # A link to a file beside the document leads nowhere from a page that stands alone: its words stay.
    env["links"].append(tokens[place].attrGet("href").startswith("#"))
    return renderer.renderToken(tokens, place, options, env) if env["links"][-1] else ""


def _link_close(renderer: Any, tokens: Any, place: int, options: object, env: Any) -> str:
    return "</a>" if env["links"].pop() else ""
