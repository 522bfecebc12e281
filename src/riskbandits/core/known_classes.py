"""Which classes a file or a command may name: those that a room offers, and those that people pass."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from riskbandits.core.checks import listed
from riskbandits.core.errors import must_be, unknown_name


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


def class_named(name: Any, fields: dict[str, Any], classes: list[type], kind: str) -> Any:
    """The class of that name; one that had it in an earlier version, if only that one has these fields."""
    found: list[Any] = [cls for cls in classes if name == cls.__name__]
    found += [cls for cls in classes if cls not in found and name == name_before(cls)]
    if not found:
        raise unknown_name(kind, name, [cls.__name__ for cls in classes])
    return next((cls for cls in found if set(fields) <= set(cls._fields)), found[0])


def name_before(cls: Any) -> str:
    """The name of a class in the version that introduced it: `called_before()` of one that was renamed."""
    before = getattr(cls, "called_before", None)
    return str(cls.__name__ if before is None else before())
