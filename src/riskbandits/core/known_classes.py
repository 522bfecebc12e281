"""Which classes a file or a command may name: those that a room offers, and those that people pass."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from riskbandits.core.checks import listed
from riskbandits.core.errors import must_be


def check_classes(classes: Any) -> list[type]:
    """Return the record classes that a person names for a file to be read, or raise."""
    found = listed("classes", "a list of record classes", classes)
    for one in found:
        if not (isinstance(one, type) and issubclass(one, tuple) and hasattr(one, "_fields")):
            raise must_be("A class of your own", "a NamedTuple class", one)
    return found


def classes_in(room: ModuleType) -> list[type]:
    """The classes that a room such as `riskbandits.policies` offers."""
    return [vars(room)[name] for name in vars(room)["__all__"]]
