"""Formulas as MathML, which browsers draw by themselves: no script, no font and no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from riskbandits.paper.report.mathml import typeset


def inline(self: Any, node: nodes.math) -> None:
    """A formula in a sentence."""
    self.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def block(self: Any, node: nodes.math_block) -> None:
    """A formula on a line of its own."""
    self.body.append(f'<div class="formula">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


class PlainFormulas(SphinxPostTransform):
    """Sets formulas that pages write as text, such as `sum_i T_i^2`, the way the report does."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Look at all text but code and what is set already; the contents beside a page keep its titles as they are."""
        apart = (nodes.literal, nodes.literal_block, nodes.raw, nodes.math, nodes.math_block)
        for text in list(self.document.findall(nodes.Text)):
            above, quoted = text.parent, False
            while above is not None and not quoted:
                quoted = isinstance(above, apart) or above.tagname.startswith("desc_sig")
                above = above.parent
            if quoted or text.parent.tagname in ("desc_name", "desc_addname", "desc_signature"):
                continue
            page = typeset(str(text))
            if "<math" in page:
                text.parent.replace(text, nodes.raw("", page, format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register both."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    app.config.html_math_renderer = "mathml"
    app.add_post_transform(PlainFormulas)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
