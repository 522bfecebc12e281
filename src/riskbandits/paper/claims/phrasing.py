"""Words for settings: in which of them a statement is true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from riskbandits.inference.claims import format_effect

# Settings that have an order, so that a range can be named, with the words for them.
ORDERED = {"rho": "rho", "step": "step", "pulls": "number of pulls", "shape": "shape", "gap": "gap"}

Setting = dict[str, Any]


def conditions(settings: Sequence[Setting], true: Sequence[bool]) -> str:
    """The settings in which something is true, as ranges where there are such.

    >>> conditions([{"rho": 0.1}, {"rho": 1.0}, {"rho": 10.0}], [False, True, True])
    'with rho >= 1'
    >>> conditions([{"against": "A", "rho": 1.0}, {"against": "B", "rho": 1.0}], [True, False])
    'against A'
    """
    varying = [name for name in settings[0] if len({one[name] for one in settings}) > 1]
    ordered = next((name for name in varying if name in ORDERED), None)
    groups: dict[str, list[tuple[Any, bool]]] = {}
    for one, holds in zip(settings, true, strict=True):
        kept = words({name: one[name] for name in varying if name != ordered})
        groups.setdefault(kept, []).append((one[ordered] if ordered else None, holds))
    spans: dict[str, list[str]] = {}
    for kept, members in groups.items():
        if any(holds for _, holds in members):
            everything = kept and all(holds for _, holds in members)
            span = "" if ordered is None or everything else _span(ordered, members)
            spans.setdefault(span, []).append(kept)
    return "; ".join(_part(listed(places), span) for span, places in spans.items())


def words(one: Setting) -> str:
    """The parts of a setting that have no order: "VTS against MVLCB"."""
    parts = [
        f"against {value}" if name == "against" else str(value) for name, value in one.items() if name not in ORDERED
    ]
    return " ".join(parts)


def setting(where: Setting) -> str:
    """A setting in words.

    >>> setting({"policy": "VTS", "against": "MVLCB", "rho": 1 / 9})
    'VTS against MVLCB at rho = 0.111'
    """
    numbers = ", ".join(f"{ORDERED[name]} = {format_effect(value)}" for name, value in where.items() if name in ORDERED)
    return " at ".join(filter(None, (words(where), numbers)))


def listed(texts: Sequence[str]) -> str:
    """Texts with commas and an "and"; a first word that all share is said once.

    >>> listed(["against A", "against B", "against C"])
    'against A, B and C'
    """
    first = texts[0].split(" ")[0]
    if first == "against" and all(text.startswith("against ") for text in texts):
        texts = [texts[0], *(text.removeprefix("against ") for text in texts[1:])]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _part(place: str, span: str) -> str:
    preposition = "" if place.startswith("against ") else "for " if place else "with "
    return preposition + (f"{place} at {span}" if place and span else place or span)


def _span(name: str, members: Sequence[tuple[Any, bool]]) -> str:
    members = sorted(members)
    flags = [holds for _, holds in members]
    values = [format_effect(value) for value, _ in members]
    word, count = ORDERED[name], sum(flags)
    if all(flags):
        return f"every {word}"
    if count > 1 and all(flags[:count]):
        return f"{word} <= {values[count - 1]}"
    if count > 1 and all(flags[-count:]):
        return f"{word} >= {values[-count]}"
    first, last = flags.index(True), len(flags) - flags[::-1].index(True)
    if last - first > 2 and all(flags[first:last]):
        return f"{word} from {values[first]} to {values[last - 1]}"
    true = [value for value, holds in zip(values, flags, strict=True) if holds]
    false = [value for value, holds in zip(values, flags, strict=True) if not holds]
    return f"{word} other than {listed(false)}" if len(false) < len(true) else f"{word} = {', '.join(true)}"
