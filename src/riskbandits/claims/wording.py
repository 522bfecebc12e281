"""Words for numbers: in which settings a statement is true, and how large an effect is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

ORDERED = ("rho", "step", "pulls", "shape")  # settings that have an order, so that a range can be named


def conditions(settings: Sequence[dict[str, Any]], true: Sequence[bool]) -> str:
    """The settings in which something is true, as ranges where there are such.

    >>> conditions([{"rho": 0.1}, {"rho": 1.0}, {"rho": 10.0}], [False, True, True])
    'rho >= 1'
    >>> conditions([{"against": "A", "rho": 1.0}, {"against": "B", "rho": 1.0}], [True, False])
    'A'
    """
    groups: dict[tuple[Any, ...], list[tuple[Any, bool]]] = {}
    ordered = next((name for name in ORDERED if len({one.get(name) for one in settings}) > 1), None)
    for one, holds in zip(settings, true, strict=True):
        kept = tuple(value for name, value in one.items() if name not in ORDERED)
        groups.setdefault(kept, []).append((one.get(ordered) if ordered else None, holds))
    parts: dict[str, list[str]] = {}
    for kept, members in groups.items():
        if any(holds for _, holds in members):
            span = (
                "" if ordered is None or (len(groups) > 1 and all(h for _, h in members)) else _span(ordered, members)
            )
            parts.setdefault(span, []).append(" ".join(str(value) for value in kept))
    texts = [" at ".join(filter(None, (" and ".join(filter(None, kept)), span))) for span, kept in parts.items()]
    return "; ".join(texts)


def _span(name: str, members: Sequence[tuple[Any, bool]]) -> str:
    members = sorted(members)
    flags = [holds for _, holds in members]
    values = [shown(value) for value, _ in members]
    if all(flags):
        return f"every {name}"
    count = sum(flags)
    if count > 1 and all(flags[:count]):
        return f"{name} <= {values[count - 1]}"
    if count > 1 and all(flags[-count:]):
        return f"{name} >= {values[-count]}"
    first, last = flags.index(True), len(flags) - flags[::-1].index(True)
    if last - first > 2 and all(flags[first:last]):
        return f"{name} from {values[first]} to {values[last - 1]}"
    return f"{name} = " + ", ".join(value for value, holds in zip(values, flags, strict=True) if holds)


def shown(value: Any) -> str:
    """A number with three digits; other things as they are.

    >>> shown(1 / 9), shown(30000), shown(1234567.0)
    ('0.111', '30000', '1.23e+06')
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if math.isnan(value):
        return "unknown"
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e6 else f"{value:.3g}"


def setting(where: dict[str, Any]) -> str:
    """A setting in words: "MVLCB, rho = 1"."""
    return ", ".join(f"{name} = {shown(value)}" if name in ORDERED else str(value) for name, value in where.items())


def interval(low: float, high: float) -> str:
    """An interval in words; "anything" where the data say nothing."""
    if math.isinf(low) and math.isinf(high):
        return "interval unbounded"
    return f"{shown(low)} to {shown(high)}"
