"""The little Markdown that our own documents use, as HTML: code, bold, links, paragraphs, lists, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_ITALIC = re.compile(r"(?<!\*)\*([^*\s][^*]*)\*(?!\*)")


def inline(text: str) -> Markup:
    """One line or paragraph.

    >>> inline("`a < b` is **not** <i>")
    Markup('<code>a &lt; b</code> is <strong>not</strong> &lt;i&gt;')
    """
    parts = _CODE.split(text)
    # Every second part is code, in which nothing else is a mark.
    html = [f"<code>{escape(part)}</code>" if odd % 2 else _marks(part) for odd, part in enumerate(parts)]
    return Markup("".join(html))


def _marks(text: str) -> str:
    html = str(escape(text))
    # A link to a file beside the document leads nowhere from a page that stands alone: its words stay.
    html = _LINK.sub(lambda found: _link(found.group(1), found.group(2)), html)
    html = _BOLD.sub(r"<strong>\1</strong>", html)
    return _ITALIC.sub(r"<em>\1</em>", html)


def _link(words: str, address: str) -> str:
    return f'<a href="{address}">{words}</a>' if address.startswith("#") else words


def blocks(text: str) -> Markup:
    """Paragraphs, lists and tables, separated by empty lines."""
    return Markup("\n").join(_block(part) for part in re.split(r"\n\s*\n", text.strip()) if part.strip())


def _block(text: str) -> Markup:
    lines = text.splitlines()
    if lines[0].startswith("|"):
        return _table(lines)
    if lines[0].startswith("- "):
        return Markup("<ul>{}</ul>").format(
            Markup("").join(Markup("<li>{}</li>").format(inline(i)) for i in items(text))
        )
    return Markup("<p>{}</p>").format(inline(" ".join(line.strip() for line in lines)))


def items(text: str) -> Iterator[str]:
    """The items of a list, each on one line."""
    for item in re.split(r"^- ", text.strip(), flags=re.MULTILINE)[1:]:
        yield " ".join(line.strip() for line in item.splitlines())


def _table(lines: list[str]) -> Markup:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(inline(cell)) for cell in rows[0])
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(inline(cell)) for cell in row))
        for row in rows[2:]
    )
    frame = '<div class="scroll" tabindex="0"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
    return Markup(frame).format(head, body)
