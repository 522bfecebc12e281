"""Numbers as people read them. One way for the whole page."""

from __future__ import annotations

import math
from typing import Any

from riskbandits.core.display import format_number
from riskbandits.paper.report.content import Cell

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"
HUGE, TINY = 1e6, 1e-4  # from here on numbers are written with a power of ten
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
NINTHS = {k / 9: f"{k}/9" for k in range(1, 9)}


def typeset(value: Any, digits: int = 3) -> str:
    """A number as `format_number` writes it, with the page's own signs for minus, powers, infinity and no number.

    >>> [typeset(x) for x in (12345.6, -0.000123, 1.5, float("inf"), float("nan"), 1.15e8, 3e-7)]
    ['12,346', '−0.000123', '1.5', '∞', '–', '1.15 × 10⁸', '3 × 10⁻⁷']
    """
    number = float(value)
    if math.isnan(number):
        return DASH
    if math.isinf(number):
        return "∞" if number > 0 else f"{MINUS}∞"
    if abs(number) >= HUGE or 0.0 < abs(number) < TINY:
        power = _power(f"{number:.{digits - 1}e}")
        return f"{format_number(number / 10.0**power, digits)} × {_ten_to(power)}".replace("-", MINUS)
    return format_number(number, digits).replace("-", MINUS)


def _power(written: str) -> int:
    """The exponent of a number that is written with one."""
    return int(written.partition("e")[2])


def _ten_to(power: int) -> str:
    return f"10{str(power).translate(RAISED)}"


def rho_text(value: float) -> str:
    """A value of rho: ninths as such.

    >>> rho_text(4 / 9), rho_text(1000.0), rho_text(0.003)
    ('4/9', '1000', '0.003')
    """
    return NINTHS.get(value, f"{value:.6g}")


def mean_and_half(mean: float, half: float) -> str:
    """A mean with half its interval, both to the places that the interval deserves.

    >>> mean_and_half(1234.56, 12.3), mean_and_half(0.123456, 0.0023), mean_and_half(3.0, float("nan"))
    ('1,235 ± 12', '0.1235 ± 0.0023', '3')
    >>> mean_and_half(4.31e7, 4154321.0)
    '(4.31 ± 0.42) × 10⁷'
    """
    if not math.isfinite(half) or half <= 0.0:
        return typeset(mean, 4)
    (middle, side), ending = _rounded(half, mean, half)
    text = f"{middle} ± {side}".replace("-", MINUS)
    return f"({text}){ending}" if ending else text


def mean_and_sides(mean: float, half: float, rise: float) -> str:
    """A mean with half its interval, or with both sides where rare disasters lengthen the upper one.

    >>> mean_and_sides(1234.56, 12.3, 0.0), mean_and_sides(1234.56, 12.3, 300.0)
    ('1,235 ± 12', '1,235 (−12, +312)')
    >>> mean_and_sides(4.31e7, 4154321.0, 1e7)
    '4.31 (−0.42, +1.42) × 10⁷'
    """
    if not (math.isfinite(half) and half > 0.0 and rise > 0.0):
        return mean_and_half(mean, half)
    (middle, below, above), ending = _rounded(half, mean, half, half + rise)
    return f"{middle} (-{below}, +{above}){ending}".replace("-", MINUS)


def _rounded(half: float, *numbers: float) -> tuple[list[str], str]:
    """Numbers to two significant digits of half an interval, and the power of ten that they share, if they need one."""
    size = max(map(abs, numbers))
    power = _power(f"{size:e}") if size >= HUGE or size < TINY else 0
    places = max(0, 1 - math.floor(math.log10(half / 10.0**power)))
    shown = [f"{number / 10.0**power:,.{places}f}" for number in numbers]
    return shown, f" × {_ten_to(power)}" if power else ""


def percent(share: float) -> str:
    """A share; what is not zero never reads as zero.

    >>> percent(0.0), percent(0.0002), percent(0.002), percent(0.5)
    ('0 %', '< 0.1 %', '0.2 %', '50 %')
    """
    if math.isnan(share):
        return DASH
    if 0.0 < share < 0.0005:
        return "< 0.1 %"
    return f"{100.0 * share:.1f}".removesuffix(".0") + " %"


def number_cell(value: Any, digits: int = 3, style: str = "") -> Cell:
    """A cell with a number; one that is not known sorts last."""
    number = float(value)
    return Cell(typeset(number, digits), math.inf if math.isnan(number) else number, style)


def rho_cell(value: float) -> Cell:
    """A cell with a rho."""
    return Cell(rho_text(value), float(value))


def text_cell(text: str, style: str = "") -> Cell:
    """A cell with words."""
    return Cell(text, text.casefold(), style)
