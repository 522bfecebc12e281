"""Pydantic's validation errors as one-sentence messages."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from riskbandits.core.errors import RiskBanditsError, must_be
from riskbandits.service.errors import Refusal

WHAT = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "list_type": "a list",
    "model_type": "an object",
    "bool_type": "true or false",
}
LIMITS = {
    "greater_than_equal": ("at least {}", "ge"),
    "less_than_equal": ("at most {}", "le"),
    "string_too_short": ("a text of at least {} characters", "min_length"),
    "string_too_long": ("a text of at most {} characters", "max_length"),
    "too_short": ("a list of at least {}", "min_length"),
    "too_long": ("a list of at most {}", "max_length"),
}


def of_body(error: ValidationError) -> RiskBanditsError:
    """The message for the first error in a body."""
    first: Any = error.errors(include_url=False)[0]
    kind, place, context = first["type"], first["loc"], first.get("ctx", {})
    thing = "The body" if not place else f"'{_path(place)}'"
    if kind == "json_invalid":
        return Refusal(422, f"The body must be JSON. It is not: {context.get('error', 'something is missing')}.")
    if kind == "missing":
        return Refusal(422, f"{thing} must be given. It is missing.")
    if kind == "extra_forbidden":
        return Refusal(422, f"There is no field {thing} here.")
    if kind in LIMITS:
        what, name = LIMITS[kind]
        return must_be(thing, what.format(context[name]), first["input"])
    return must_be(thing, WHAT.get(kind, first["msg"][:1].lower() + first["msg"][1:]), first["input"])


def _path(place: tuple[int | str, ...]) -> str:
    """The location of an error, as in `rewards[3].reward`."""
    written = ""
    for one in place:
        written += f"[{one}]" if isinstance(one, int) else f".{one}" if written else str(one)
    return written
