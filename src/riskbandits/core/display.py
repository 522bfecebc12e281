"""Tables and numbers for display: the same in a terminal, in a notebook and on the command line."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Z95 = 1.959963984540054  # the normal quantile of two-sided 95 % intervals
ROUNDING = 1e-12  # an error that is smaller, relative to the mean, is none
STYLE = "<style>.riskbandits td, .riskbandits th {padding: 2px 8px; vertical-align: bottom}</style>"


class Grid(NamedTuple):
    """A title, headers, rows of cells, and notes; the first `left` columns are text."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    left: int = 1

    def text(self) -> str:
        """Plain text, in columns."""
        cells = [list(self.heads), *(list(row) for row in self.rows)]
        widths = [max(len(row[place]) for row in cells) for place in range(len(self.heads))]
        lines = [
            "  ".join(
                cell.ljust(width) if place < self.left else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]
        return "\n".join(
            [self.title, "", lines[0], "-" * sum(widths, 2 * len(widths) - 2), *lines[1:], "", *self.notes]
        )

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

    def rich(self) -> Any:
        """A table for the command line."""
        from rich.table import Table

        table = Table(title=self.title)
        for place, head in enumerate(self.heads):
            table.add_column(head, justify="left" if place < self.left else "right")
        for cells in self.rows:
            table.add_row(*cells)
        return table


def format_number(value: float, digits: int = 3) -> str:
    """A number with that many significant digits, without an exponent where it can be read without one.

    >>> [format_number(x) for x in (12345.6, 0.000123, -1.5, 3e8, math.nan)]
    ['12,346', '0.000123', '-1.5', '3.00e+08', 'nan']
    """
    if not math.isfinite(value):
        return f"{value:g}"
    if abs(value) >= 1e7 or 0.0 < abs(value) < 1e-4:
        return f"{value:.{digits - 1}e}"
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    places = digits - 1 - math.floor(math.log10(abs(value))) if value else 0
    text = f"{value:.{max(places, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_with_error(mean: float, error: float) -> str:
    """A number and its error, rounded to two significant digits of the error.

    >>> format_with_error(5879.3, 163.2), format_with_error(0.41234, 0.0123), format_with_error(12.0, math.nan)
    ('5879 ± 160', '0.412 ± 0.012', '12')
    >>> format_with_error(0.5, 1.1e-16)
    '0.5 ± 0'
    """
    if math.isnan(error):
        return f"{mean:.5g}"
    if error < ROUNDING * abs(mean):  # runs that are all alike
        error = 0.0
    if not 1e-6 < error < 1e7:
        return f"{mean:.5g} ± {error:.2g}"
    places = 1 - math.floor(math.log10(error))
    decimals = max(0, places)
    return f"{mean:.{decimals}f} ± {round(error, places):.{decimals}f}"


def format_interval(mean: float, error: float) -> str:
    """The 95 % interval of a mean whose standard error is known.

    >>> format_interval(100.0, 5.0), format_interval(100.0, math.nan)
    ('90.2 .. 109.8', '')
    """
    if math.isnan(error):
        return ""
    low, high = mean - Z95 * error, mean + Z95 * error
    if not 1e-6 < error < 1e7:
        return f"{low:.5g} .. {high:.5g}"
    places = max(0, 1 - math.floor(math.log10(error)))
    return f"{low:.{places}f} .. {high:.{places}f}"


def counted(number: int, thing: str) -> str:
    """A number of things: 1 run, 500 runs."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def with_interval(row: Mapping[Any, Any], name: str, percent: bool = False) -> str:
    """A number with its interval: `1.23 [1.1, 1.4]`."""
    value, low, high = (row[name + end] for end in ("", "_low", "_high"))
    if value != value:
        return ""
    if percent:
        return f"{_short(100 * value)} % [{_short(100 * low)}, {_short(100 * high)}]"
    return f"{_short(value, 2)} [{_short(low, 2)}, {_short(high, 2)}]"


def _short(value: float, decimals: int = 1) -> str:
    """Two or three significant digits, without exponents: 0.12, 1.05, 23.1, 456."""
    places = decimals - (abs(value) >= 10.0) - (abs(value) >= 100.0)
    return f"{value:.{max(places, 0)}f}"
