"""Parsing of --delay."""

from __future__ import annotations

from typing import Any, NamedTuple

from riskbandits.core import calls
from riskbandits.core.errors import unknown_name
from riskbandits.policies.support.naming import plain
from riskbandits.simulation.delay import Delay

DELAY_HELP = (
    "Delay rewards: a number of decisions, geometric:MEAN, or recorded:[0, 3, 250] for observed delays; "
    '"geometric(mean=100, in_order=true)" delivers them first in, first out.'
)


class Fixed(NamedTuple):
    """The parameters of `Delay.fixed`."""

    steps: Any
    in_order: Any = False


class Geometric(NamedTuple):
    """Those of `Delay.geometric`."""

    mean: Any
    in_order: Any = False


class Recorded(NamedTuple):
    """Those of `Delay.recorded`."""

    steps: Any
    in_order: Any = False


FORMS: dict[str, tuple[Any, Any]] = {
    "fixed": (Fixed, Delay.fixed),
    "geometric": (Geometric, Delay.geometric),
    "recorded": (Recorded, Delay.recorded),
}


def read_delay(text: str | None) -> Delay | None:
    """The delay given by `100`, `geometric:100` or `geometric(mean=100)`.

    >>> read_delay("100"), read_delay("geometric(mean=20, in_order=true)"), read_delay("recorded:[0, 3]")
    (Delay.fixed(100), Delay.geometric(20, in_order=True), Delay.recorded([0, 3]))
    """
    if text is None:
        return None
    name, inside = calls.split_call(text)
    if inside is None:
        name, colon, inside = name.partition(":")
        if not colon:
            name, inside = ("fixed", name) if name[:1].isdigit() or name[:1] in "+-." else (name, "")
    if plain(name) not in FORMS:
        raise unknown_name("kind of delay", name.strip(), FORMS)
    form, make = FORMS[plain(name)]
    given = calls.made(form, inside)._asdict()
    # 1e3 is a whole number to a person.
    whole = {key: int(one) if isinstance(one, float) and one.is_integer() else one for key, one in given.items()}
    made: Delay = make(**whole)
    return made
