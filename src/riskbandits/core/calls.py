"""Records as people write them, `name(parameter=value, ...)`. Values are read as data: nothing is ever evaluated."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

from riskbandits.core.errors import ParameterError, RiskBanditsError, must_be, unknown_parameter
from riskbandits.core.records import is_record

OPENING, CLOSING = "([{", ")]}"

Reader = Callable[[str], Any]

VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def split_list(text: str) -> list[str]:
    """The parts of a comma-separated list; commas within brackets do not count.

    >>> split_list("mvts, mcvts(support=[0, 1]), ngts")
    ['mvts', 'mcvts(support=[0, 1])', 'ngts']
    """
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign in OPENING) - (sign in CLOSING)
        if depth < 0:
            break
        if sign == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    if depth != 0:
        raise must_be("Brackets", "opened and closed in pairs", text)
    found = [part.strip() for part in (*parts, text[start:])]
    if not found[-1]:  # a comma may stand at the end
        found.pop()
    if not all(found):
        raise must_be("A comma-separated list", "one with something between any two commas", text)
    return found


def split_call(text: str) -> tuple[str, str | None]:
    """The name and what stands in the brackets after it, None without brackets.

    >>> split_call("bcvts(upper=2)"), split_call("bcvts")
    (('bcvts', 'upper=2'), ('bcvts', None))
    """
    text = text.strip()
    if not text.endswith(")"):
        return text, None
    depth = 0
    for place in range(len(text) - 1, -1, -1):  # from the end: the name may be that of a file with brackets in it
        depth += (text[place] in CLOSING) - (text[place] in OPENING)
        if depth == 0:
            return text[:place].strip(), text[place + 1 : -1]
    raise must_be("Brackets", "opened and closed in pairs", text)


def made(record_class: Any, inside: str, read_inner: Reader | None = None) -> Any:
    """A record of that class with the parameters that stand in the brackets.

    `read_inner` reads what is no number, list or text: the policy inside another one.

    >>> from riskbandits import CVaR
    >>> made(CVaR, "level=0.2")
    CVaR(level=0.2)
    """
    name = record_class.__name__
    fields, defaults = _parameters(record_class)
    given: dict[str, Any] = {}
    for number, part in enumerate(split_list(inside)):
        named = re.match(r"(\w+)\s*=(.*)", part, re.DOTALL)
        if named is None and number >= len(fields):
            raise must_be(f"The parameters of {name}", f"at most {len(fields)} ({', '.join(fields)})", inside)
        field, value = (named[1], named[2].strip()) if named else (fields[number], part)
        if field not in fields:
            raise unknown_parameter(name, field, fields)
        if field in given:
            raise must_be(f"The '{field}' parameter of {name}", "given once", inside)
        holds_record = is_record(defaults.get(field))
        given[field] = _value(value, f"The '{field}' parameter of {name}", read_inner if holds_record else None)
    missing = [field for field in fields if field not in given and field not in defaults]
    if missing:
        raise ParameterError(f"{name} needs {', '.join(missing)}: write {name}({missing[0]}=...).")
    return record_class(**given)


def _parameters(cls: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The parameters of a record class, or of any other, with the defaults of those that have one."""
    if hasattr(cls, "_fields"):
        return cls._fields, cls._field_defaults
    found = {one.name: one for one in signature(cls).parameters.values() if one.kind not in VARIADIC}
    return tuple(found), {name: one.default for name, one in found.items() if one.default is not Parameter.empty}


def _value(text: str, thing: str, read_inner: Reader | None) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if read_inner is not None:
        try:
            return read_inner(text)
        except RiskBanditsError as error:
            raise ParameterError(f"{thing}: {error}") from None
    raise must_be(thing, "a number, a list of numbers, true or false", text) from None
