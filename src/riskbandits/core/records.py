"""Records: the NamedTuples that hold policies, risk measures and arms. Checking, naming, digesting and storing them.

A NamedTuple cannot refuse a bad field when it is made, so every entry point of the package (`Problem`,
`simulate`, `Learner`, the command line) calls `checked` first. It also casts fields to their
annotated types: `rho=1` and `rho=1.0` would otherwise be two compilations.
"""

from __future__ import annotations

import functools
import hashlib
import math
import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Annotated, Any, NamedTuple

import numpy as np

from riskbandits.core import checks
from riskbandits.core.checks import as_count, as_number, is_whole, listed
from riskbandits.core.errors import ContractError, must_be, shown, unknown_name
from riskbandits.core.user_calls import guarded, name_of


class Limits(NamedTuple):
    """The range of a numeric field; `positive` and so on below are made of these."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False

    def holds(self, value: float) -> bool:
        """Whether a number is finite and in range."""
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return math.isfinite(value) and above and below

    def words(self) -> str:
        """The range as it appears in an error message or a list of parameters."""
        if self.low == -math.inf:
            return "a finite number"
        if self.high < math.inf:
            left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
            return f"a number in {left}{self.low:g}, {self.high:g}{right}"
        return f"a number {'>' if self.open_low else '>='} {self.low:g}"


ANY_NUMBER = Limits()
INT64 = 2**63


# Not NamedTuples: a Vector and a Table with the same limits would be equal, and early versions of Python 3.11 take
# Annotated types for the same whose marks are equal.
@dataclass(frozen=True)
class Vector:
    """Marks a field that holds one number per arm, or per something else."""

    limits: Limits = ANY_NUMBER
    each: str = "arm"

    def words(self) -> str:
        """The range as it appears in an error message."""
        return f"a non-empty list with, per {self.each}, {self.limits.words()}"


@dataclass(frozen=True)
class Table:
    """Marks a field that holds one list of numbers per arm (or per something else), all of the same length."""

    limits: Limits = ANY_NUMBER
    each: str = "arm"

    def words(self) -> str:
        """The range as it appears in an error message."""
        return f"a non-empty list with, per {self.each}, an equally long list, each entry {self.limits.words()}"


@dataclass(frozen=True)
class Names:
    """Marks the field that holds the arms' names, a line each. They decide no number, and are part of no key.

    `keyed`: of recorded rewards they are: version 0.1 had the heads of their columns in the key.
    """

    keyed: bool = False


class Added(NamedTuple):
    """Marks a field that later versions have added. With its default the record is what it was: in keys, in files."""


# Annotations for the fields of records.
Finite = Annotated[float, Limits()]
NonNegative = Annotated[float, Limits(low=0.0)]
Positive = Annotated[float, Limits(low=0.0, open_low=True)]
Numbers = Annotated[Any, Vector()]
NonNegativeNumbers = Annotated[Any, Vector(Limits(low=0.0))]
PositiveNumbers = Annotated[Any, Vector(Limits(low=0.0, open_low=True))]
NumberTable = Annotated[Any, Table()]
NonNegativeTable = Annotated[Any, Table(Limits(low=0.0))]
PositiveTable = Annotated[Any, Table(Limits(low=0.0, open_low=True))]
Probabilities = Annotated[Any, Vector(Limits(low=0.0, high=1.0))]
ArmNames = Annotated[Any, Names()]
Switch = Annotated[bool, Added()]  # off unless somebody turns it on


EXAMPLES = {
    "risk measure": ", such as rb.MeanVariance(rho=1.0)",
    "set of arms": ", such as rb.GaussianArms(means=[0, 1], variances=[1, 2])",
    "rule": ", such as rb.SuccessiveRejects()",
}


def is_record(thing: object) -> bool:
    """Whether a thing is an instance of a NamedTuple class."""
    return isinstance(thing, tuple) and hasattr(thing, "_fields")


def checked(record: object, kind: str, methods: Iterable[str]) -> Any:
    """Return the record with its fields cast and checked; raise a sentence if it is not a good `kind` of record."""
    if isinstance(record, type) and issubclass(record, tuple) and hasattr(record, "_fields"):
        raise ContractError(f"A {kind} must be a record, not a class: write {record.__name__}(...).")
    if not is_record(record):
        raise must_be(f"A {kind}", f"a record (an instance of a NamedTuple class){EXAMPLES.get(kind, '')}", record)
    cls = type(record)
    for method in methods:
        if not callable(getattr(cls, method, None)):
            raise ContractError(f"{cls.__name__} is not a {kind}: it has no method {method!r}.")
    return cast(record)


def cast(record: Any) -> Any:
    """Cast and check every field by its annotation, then ask the record's own `invalid` about fields together."""
    cls: Any = type(record)
    hints = _annotations(cls)
    values = [
        _cast_field(value, hints.get(name, Any), f"The {name!r} parameter of {cls.__name__}")
        for name, value in zip(cls._fields, record, strict=True)
    ]
    result = guarded(cls.__name__, cls, *values)
    if getattr(result, "invalid", None) is not None:
        _ask_itself(result)
    return result


def _ask_itself(record: Any) -> None:
    """Raise what a record's own `invalid` says: a sentence, or the three parts of one."""
    found = guarded(name_of(record, "invalid"), record.invalid)
    if isinstance(found, tuple) and len(found) == 3 and all(isinstance(part, str) for part in found[:2]):
        raise must_be(*found)
    if isinstance(found, str) and found:
        raise ContractError(found)
    if found is not None and not isinstance(found, str):
        raise ContractError(f"{name_of(record, 'invalid')} must return a sentence or None. Got {shown(found)} instead.")


@functools.lru_cache(maxsize=1000)  # evaluating strings took longer than all checks
def _annotations(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except NameError:  # annotations that name things of a function's own scope
        plain = {"float": float, "int": int, "bool": bool}
        return {name: plain.get(str(hint), Any) for name, hint in cls.__annotations__.items()}


def _cast_field(value: Any, hint: Any, thing: str) -> Any:
    marks = getattr(hint, "__metadata__", ())
    if any(isinstance(m, Names) for m in marks):
        return _cast_names(value, thing)
    vector = next((m for m in marks if isinstance(m, (Vector, Table))), None)
    base = hint.__origin__ if marks else hint
    # An array for a field that is not said to be anything; for one that is a number, it is none.
    if vector is None and (
        base is np.ndarray
        or typing.get_origin(base) is np.ndarray
        or (isinstance(value, np.ndarray) and base not in (bool, int, float, str))
    ):
        vector = Vector()
    if vector is not None:
        return _cast_vector(value, vector, thing)
    if base is bool:
        if not isinstance(value, (bool, np.bool_)):
            raise must_be(thing, "True or False", value)
        return bool(value)
    if base is int:
        value = as_count(value)
        if not is_whole(value) or not -INT64 <= value < INT64:
            raise must_be(thing, "a whole number of at most 64 bits", value)
        return int(value)
    if base is float:
        limits = next((m for m in marks if isinstance(m, Limits)), Limits())
        number = as_number(value)
        if number is None or not limits.holds(number):
            raise must_be(thing, limits.words(), value)
        return number
    if base is str and not isinstance(value, str):
        raise must_be(thing, "a text", value)
    return cast(value) if is_record(value) else value


def _cast_vector(value: object, vector: Vector | Table, thing: str) -> np.ndarray:
    array = checks.array(thing, vector.words(), value, (2,) if isinstance(vector, Table) else (1,))
    for k, entry in enumerate(array.tolist()):
        for number in entry if isinstance(entry, list) else [entry]:
            if not vector.limits.holds(number):
                raise must_be(f"{thing}, {vector.each} {k},", vector.limits.words(), number)
    array.flags.writeable = False
    return array


def _cast_names(value: object, thing: str) -> str:
    """Names as one string, a line each: otherwise code would be compiled again for every number of names."""
    what = "a list of strings, one per arm and all different"
    found = value.split("\n") if isinstance(value, str) else listed(thing, what, [] if value is None else value, True)
    if found in ([], [""]):
        return ""
    lines = [" ".join(checks.text(f"{thing}, arm {k},", one).split()) for k, one in enumerate(found)]
    twice = next((one for one in lines if not one or lines.count(one) > 1), None)
    if twice is not None:
        raise must_be(thing, what, twice)
    return "\n".join(lines)


def _marked(cls: type, mark: type) -> dict[str, Any]:
    """The fields of a record class whose annotations have a mark of that kind."""
    hints = _annotations(cls)
    marks = {name: getattr(hints.get(name), "__metadata__", ()) for name in getattr(cls, "_fields", ())}
    return {name: one for name, found in marks.items() for one in found if isinstance(one, mark)}


marked: Callable[[Any, Any], dict[str, Any]] = functools.lru_cache(maxsize=256)(_marked)


def nameless(record: Any) -> Any:
    """A record as compiled code sees it: a 0 stands where the names are, which no method may ask for."""
    fields = marked(type(record), Names)
    return record._replace(**dict.fromkeys(fields, 0)) if fields else record


def unequal_lengths(record: Any) -> tuple[str, str, object] | None:
    """What `invalid` says of a record whose fields are one number (or row) per arm, unless all are equally long."""
    first, *others = (name for name in record._fields if name not in marked(type(record), Names))
    for name in others:
        if len(getattr(record, name)) != len(record[0]):
            wanted = f"given as many {name} as {first} ({len(record[0])})"
            return (type(record).__name__, wanted, len(getattr(record, name)))
    return None


def classes_of(record: tuple[Any, ...]) -> tuple[type, ...]:
    """The class of a record and those of the records in its fields: all whose methods may be called."""
    inner = [cls for field in record if is_record(field) for cls in classes_of(field)]
    return (type(record), *dict.fromkeys(inner))


def same(a: Any, b: Any) -> bool:
    """Whether two records are the same: class and fields. (Plain tuples of other classes compare equal.)"""
    return type(a) is type(b) and canonical(a) == canonical(b)


def canonical(value: Any, keyed: bool = False) -> Any:
    """A record as plain data that JSON can hold; `keyed` leaves out what affects none of its numbers."""
    if is_record(value):
        names = marked(type(value), Names)
        left_out = {name for name, mark in names.items() if not mark.keyed and (keyed or not getattr(value, name))}
        usual = value._field_defaults
        left_out |= {name for name in marked(type(value), Added) if getattr(value, name) == usual[name]}
        pairs = zip(value._fields, value, strict=True)
        fields = {name: canonical(field, keyed) for name, field in pairs if name not in left_out}
        # A class that was renamed keeps its random streams: its old name stays in their key.
        return {"class": name_before(type(value)) if keyed else type(value).__name__, "fields": fields}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        return [canonical(one, keyed) for one in value]
    if hasattr(value, "as_data"):  # no data, but it says what stands for it
        return value.as_data
    return value.item() if isinstance(value, np.generic) else value


def rebuilt(data: object, classes: Iterable[type], kind: str) -> Any:
    """The inverse of `canonical`. Only the given classes are ever made: a file cannot name others."""
    classes = list(classes)
    if not isinstance(data, dict) or not isinstance(data.get("fields"), dict):
        raise must_be(f"A {kind} in a file", 'an object with a "class" and its "fields"', data)
    cls: Any = class_named(data["class"], data["fields"], classes, kind)
    fields = {
        name: rebuilt(value, classes, kind) if isinstance(value, dict) and "class" in value else value
        for name, value in data["fields"].items()
    }
    unexpected = set(fields) - set(cls._fields)
    if unexpected:
        raise unknown_name(f"parameter of {cls.__name__} named", unexpected.pop(), cls._fields)
    missing = [name for name in cls._fields if name not in fields and name not in cls._field_defaults]
    if missing:
        raise must_be(f"A {kind} in a file", f"given all fields of {cls.__name__}, {missing[0]!r} too", sorted(fields))
    return cast(cls(**fields))


def digest(*records: Any) -> tuple[int, ...]:
    """Four 32-bit words that name records by class and fields: part of the key of their random streams."""
    # repr of a float is exact, so equal numbers give equal text on every machine.
    text = repr([canonical(record, keyed=True) for record in records]).encode()
    return tuple(int(word) for word in np.frombuffer(hashlib.sha256(text).digest()[:16], dtype="<u4"))


def check_classes(classes: Any) -> list[type]:
    """Return the record classes that a person names for a file to be read, or raise."""
    found = listed("classes", "a list of record classes", classes)
    for one in found:
        if not (isinstance(one, type) and issubclass(one, tuple) and hasattr(one, "_fields")):
            raise must_be("A class of your own", "a NamedTuple class", one)
    return found


def classes_in(package: ModuleType) -> list[type]:
    """The classes that a package such as `riskbandits.policies` offers."""
    return [vars(package)[name] for name in vars(package)["__all__"]]


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
