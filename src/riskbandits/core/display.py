"""Tables and numbers for display: the same in a terminal, in a notebook and on the command line."""

from __future__ import annotations

import html
import math
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

ROUNDING = 1e-12  # an error that is smaller, relative to the mean, is none
WIDTH, NARROWEST = 80, 40  # columns of text
LONGEST_TEXT = 28  # letters of a label beside numbers; what is longer takes a second line
STYLE = "<style>.riskbandits td, .riskbandits th {padding: 2px 8px; vertical-align: bottom}</style>"


class Grid(NamedTuple):
    """A title, headers, rows of cells, and notes; the first `left` columns are text."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    left: int = 1

    def text(self, width: int | None = None) -> str:
        """Plain text of at most that width: what is too wide goes on below, after the first columns once more."""
        width = columns() if width is None else width
        blocks = [[*range(self.left)]]
        for place in range(self.left, len(self.heads)):
            if len(blocks[-1]) > self.left and self._width([*blocks[-1], place]) > width:
                blocks.append([*range(self.left)])
            blocks[-1].append(place)
        tables = [self._table(block, width) for block in blocks]
        notes = [filled(note, width) for note in self.notes]
        title = [filled(self.title, width), ""] if self.title else []
        return "\n".join([*title, "\n\n".join(tables), "", *notes]).rstrip("\n")

    def _widths(self, places: Sequence[int]) -> list[int]:
        return [max(map(len, lines)) for lines in ([self.heads[k], *(row[k] for row in self.rows)] for k in places)]

    def _width(self, places: Sequence[int], most_text: int = LONGEST_TEXT) -> int:
        widths = self._widths(places)
        if self.left:
            widths[self.left - 1] = min(widths[self.left - 1], most_text)
        return sum(widths) + 2 * len(widths) - 2

    def _table(self, places: Sequence[int], width: int) -> str:
        """Some of the columns; the last one of text gets what room is left, and goes on in a second line."""
        widths, text = self._widths(places), self.left - 1
        if self.left and sum(widths) + 2 * len(widths) - 2 > width:
            others = sum(widths) - widths[text] + 2 * len(widths) - 2
            widths[text] = min(widths[text], max(width - others, LONGEST_TEXT))
        lines = []
        for row in [self.heads, *self.rows]:
            cells = [row[k] for k in places]
            more = textwrap.wrap(cells[text], widths[text], subsequent_indent="  ") if self.left else []
            if more:
                cells[text] = more[0]
            placed = zip(places, cells, widths, strict=True)
            line = "  ".join(one.ljust(wide) if k < self.left else one.rjust(wide) for k, one, wide in placed)
            indent = sum(widths[:text]) + 2 * text
            lines += [line.rstrip(), *(" " * indent + one for one in more[1:])]
            if row is self.heads:
                lines.append("-" * (sum(widths) + 2 * len(widths) - 2))
        return "\n".join(lines)

    def latex(self, caption: str | None = None, label: str | None = None) -> str:
        """A LaTeX table with the rules of the package booktabs."""
        sides = "".join("l" if place < self.left else "r" for place in range(len(self.heads)))
        rows = [" & ".join(map(_in_latex, row)) + r" \\" for row in (self.heads, *self.rows)]
        lines = [r"\begin{table}", rf"\begin{{tabular}}{{{sides}}}", r"\toprule", rows[0], r"\midrule", *rows[1:]]
        lines += [r"\bottomrule", r"\end{tabular}"]
        lines += [rf"\caption{{{caption}}}"] if caption else []
        lines += [rf"\label{{{label}}}"] if label else []
        return "\n".join([*lines, r"\end{table}"])

    def html(self) -> str:
        """A table for a notebook."""

        def row(cells: Sequence[str], tag: str) -> str:
            # Notebooks have a style of their own, which only the cell itself can overrule. Heads may take several
            # lines, but an interval that is broken in two is hard to read.
            wrap = "; white-space: nowrap" if tag == "td" else ""
            sides = ["left" if place < self.left else "right" for place in range(len(cells))]
            marks = [f' style="text-align: {side}{wrap}"' for side in sides]
            pairs = zip(marks, cells, strict=True)
            return "<tr>" + "".join(f"<{tag}{mark}>{html.escape(cell)}</{tag}>" for mark, cell in pairs) + "</tr>"

        body = "".join(row(cells, "td") for cells in self.rows)
        notes = "".join(f"<div><small>{html.escape(note)}</small></div>" for note in self.notes)
        title = html.escape(self.title).replace("\n", "<br>")
        head = row(self.heads, "th")
        table = f'<div style="overflow-x: auto"><table>{head}{body}</table></div>'
        return f'{STYLE}<div class="riskbandits"><div>{title}</div>{table}{notes}</div>'


LATEX = {
    "\\": r"\textbackslash{}",
    "±": r"$\pm$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def _in_latex(text: str) -> str:
    """A cell as LaTeX prints it: powers of ten as such, special characters as they are."""
    shown = "".join(LATEX.get(sign, sign) for sign in text)
    return re.sub(r"(\d)e([+-]\d+)", lambda found: rf"{found[1]}$\cdot 10^{{{int(found[2])}}}$", shown)


def columns() -> int:
    """How wide text may be: 80 columns, or those of a narrower terminal."""
    on_terminal = sys.stdout is not None and sys.stdout.isatty()
    return max(NARROWEST, min(WIDTH, shutil.get_terminal_size().columns)) if on_terminal else WIDTH


def filled(text: str, width: int | None = None) -> str:
    """A text whose lines are at most that wide, cut between words, but not before a percent sign or beside a ±.

    >>> print(filled("Named: stock 10.0 %, bond 5.0 %", 18))
    Named: stock
    10.0 %, bond 5.0 %
    """
    width = columns() if width is None else width
    kept = text.replace(" %", "\0%").replace(" ± ", "\0±\0")
    return "\n".join(
        "\n".join(textwrap.wrap(line, width, break_on_hyphens=False, break_long_words=False)) or line
        for line in kept.split("\n")
    ).replace("\0", " ")


def format_number(value: float, digits: int = 3) -> str:
    """A number with that many significant digits, without an exponent where it can be read without one.

    >>> [format_number(x) for x in (12345.6, 0.000123, -1.5, 3e8, math.nan)]
    ['12,346', '0.000123', '-1.5', '3.00e+08', 'nan']
    """
    if not math.isfinite(value):
        return f"{value:g}"
    power = _exponent(value)
    if power is not None:
        return f"{_fixed(value / 10.0**power, digits, trimmed=False)}e{power:+03d}"
    return _fixed(value, digits)


def _exponent(value: float) -> int | None:
    """The power of ten that is written behind a number; None if it can be read without one."""
    if not math.isfinite(value) or value == 0.0 or 1e-4 <= abs(value) < 1e7:
        return None
    return int(f"{value:e}".split("e")[1])


def _fixed(value: float, digits: int, trimmed: bool = True) -> str:
    """A number without an exponent."""
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    places = digits - 1 - math.floor(math.log10(abs(value))) if value else 0
    text = f"{value:.{max(places, 0)}f}"
    return text.rstrip("0").rstrip(".") if trimmed and "." in text else text


def format_with_error(mean: float, error: float) -> str:
    """A number and its error, rounded to two significant digits of the error.

    >>> format_with_error(5879.3, 163.2), format_with_error(0.41234, 0.0123), format_with_error(12.0, math.nan)
    ('5,880 ± 160', '0.412 ± 0.012', '12')
    >>> format_with_error(0.5, 1.1e-16), format_with_error(36156764.0, 2712345.0), format_with_error(-4.2756e-5, 3e-7)
    ('0.5 ± 0', '3.62e+07 ± 0.27e+07', '-4.276e-05 ± 0.030e-05')
    """
    if not math.isfinite(error) or not math.isfinite(mean):
        return format_number(mean, 5)
    if error <= ROUNDING * abs(mean):  # runs that are all alike
        return f"{format_number(mean, 5)} ± 0"
    error = float(f"{error:.1e}")
    return " ± ".join(rounded_by((mean, error), error))


def rounded_by(values: Sequence[float], error: float) -> list[str]:
    """Numbers rounded to two significant digits of an error, all with the exponent of the largest.

    >>> rounded_by((1234.567, 8.9), 8.9), rounded_by((195991.0, 45000.0), 45000.0)
    (['1,234.6', '8.9'], ['196,000', '45,000'])
    """
    power = _exponent(max(map(abs, (*values, error)))) or 0
    digit = 1 - math.floor(math.log10(error / 10.0**power))
    ending = f"e{power:+03d}" if power else ""
    numbers = [round(value / 10.0**power, digit) for value in values]
    return [f"{number:,.{max(0, digit)}f}{ending}" for number in numbers]


def format_share(share: float, decimals: int = 1) -> str:
    """A share in percent: 41.3 %."""
    return f"{100.0 * share:.{decimals}f} %"


def counted(number: int, thing: str) -> str:
    """A number of things: 1 run, 500 runs."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["MTS"]), listed(["MTS", "VTS", "MVTS"])
    ('MTS', 'MTS, VTS and MVTS')
    """
    return " and ".join([*([", ".join(names[:-1])] if len(names) > 1 else []), *names[-1:]])


def with_interval(row: Mapping[Any, Any], name: str, percent: bool = False) -> str:
    """A number with its interval: `1.23 [1.1, 1.4]`."""
    value, low, high = (row[name + end] for end in ("", "_low", "_high"))
    if value != value:
        return ""
    if percent:
        return f"{format_ratio(100 * value, 1)} % [{format_ratio(100 * low, 1)}, {format_ratio(100 * high, 1)}]"
    return f"{format_ratio(value)} [{format_ratio(low)}, {format_ratio(high)}]"


def format_ratio(value: float, decimals: int = 2) -> str:
    """Two or three significant digits, without exponents: 0.12, 1.05, 23.1, 456."""
    places = decimals - (abs(value) >= 10.0) - (abs(value) >= 100.0)
    return f"{value:.{max(places, 0)}f}"
