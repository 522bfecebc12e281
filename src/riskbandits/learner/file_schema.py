"""The format of a saved learner, as a JSON Schema, and the check of a file against it.

`SCHEMA` is the description, for any validator of JSON Schema (`json.dumps(SCHEMA)`). `check` is the small part of one
that it needs, so that reading a learner needs no other package; a whole number has no decimal point. What no schema can
say, such as that counts add up, `persistence` checks afterwards.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from riskbandits.core.errors import shown
from riskbandits.learner.decisions import LARGEST_REWARD, TOKEN_BYTES
from riskbandits.numerics import history
from riskbandits.policies.cells import RUN_CELLS

FORMAT = "riskbandits-learner"
VERSION = 3  # 2 is what riskbandits 0.2 wrote: the same without `loads`
OLDEST_VERSION = 2

MOST = 2**53  # counts are exact in a float up to here
SPECIAL = ("inf", "-inf", "nan")  # JSON has no numbers for these


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None, about: str = "an object") -> Any:
    properties = {**required, **(optional or {})}
    return {"type": "object", "properties": properties, "required": list(required), "description": about}


def _whole(least: int = 0, most: int = MOST) -> Any:
    about = f"a whole number from {least} to {most}"
    return {"type": "integer", "minimum": least, "maximum": most, "description": about}


def _number(least: float = -sys.float_info.max, most: float = sys.float_info.max, about: str = "a number") -> Any:
    return {"type": "number", "minimum": least, "maximum": most, "description": about}


def _list(items: Any, length: int | None = None, about: str = "a list") -> Any:
    limits = {} if length is None else {"minItems": length, "maxItems": length}
    return {"type": "array", "items": items, **limits, "description": about}


def _tuple(*items: Any, about: str) -> Any:
    return {
        "type": "array", "prefixItems": list(items), "minItems": len(items), "maxItems": len(items),
        "description": about,
    }  # fmt: skip


def _any_of(*kinds: Any, about: str) -> Any:
    return {"anyOf": list(kinds), "description": about}


NULL = {"type": "null", "description": "null"}
FLAG = {"type": "boolean", "description": "true or false"}
TEXT = {"type": "string", "description": "a string"}
BASE64 = {"type": "string", "contentEncoding": "base64", "description": "numbers in base64"}
CELL = _any_of(_number(), {"enum": list(SPECIAL)}, about="a number")
NAME = _any_of(
    {"type": "string", "minLength": 1}, {"type": "integer"}, about="the name of an arm, a non-empty string or a number"
)
RECORD = _object({"class": TEXT, "fields": {"type": "object", "description": "an object"}}, about="a record")
REWARD = _number(-LARGEST_REWARD, LARGEST_REWARD, f"a number between -{LARGEST_REWARD:g} and {LARGEST_REWARD:g}")

ARM = _object(
    {
        "name": NAME,
        # What the policy keeps of the arm; where a history lies in memory is left out, as 0.
        "state": _list(CELL, about="the numbers that the policy keeps"),
        "counts": _list(_whole(), 3, "three counts: rewards told, rewards outstanding, choices"),
        "moments": _tuple(
            _number(0.0, about="a number >= 0"), REWARD, _number(0.0, about="a number >= 0"),
            about="count and mean of the rewards told, and the sum of their squared deviations from it",
        ),
    },
    {
        # The rewards told, of a policy that keeps them: each with how often it came, or what that has faded to.
        "history": _object(
            {"values": _list(_number()), "counts": _list(_number(history.LEAST, MOST, "a count of rewards"))}
        ),
        # The other columns of `numerics.reward_sums`; left out where they are not known.
        "sums": _list(CELL, 7, "sums of powers of deviations, and count, mean and squares of rewards other than 0"),
        "open": _list(_whole(1), about="the numbers of the arm's open decisions"),
        "features": _list(_list(_number()), about="the features of each of them, as numbers"),
        # With which each of them was chosen, where they are asked for.
        "probabilities": _list(
            _any_of(NULL, _number(sys.float_info.min, 1.0), about="a probability in (0, 1], or null")
        ),
    },
    about="an arm",
)  # fmt: skip

SHARES = _list(_tuple(NAME, _number(0.0, 1.0), about="an arm and its share"))
CONTENT = _object(
    {
        "policy": RECORD,
        "risk": RECORD,
        "horizon": _any_of(NULL, _whole(1), about=f"a whole number from 1 to {MOST}, or null"),
        "decisions": _whole(),
        "run": _list(CELL, RUN_CELLS, f"{RUN_CELLS} numbers: what all arms have in common"),
        "rng": _object(
            {
                "bit_generator": {"const": "PCG64", "description": "'PCG64'"},
                "state": _object({"state": _whole(0, 2**128 - 1), "inc": _whole(1, 2**128 - 1)}),
                "has_uint32": _whole(0, 1),
                "uinteger": _whole(0, 2**32 - 1),
            },
            about="the state of a PCG64",
        ),
        "arms": _list(ARM),
        "retired": _list(ARM),  # in the order in which they were
        # Of arms retired before those: how many, their rewards, how often they were chosen.
        "long_retired": _object({"arms": _whole(), "told": _whole(), "chosen": _whole()}),
        "outstanding": _whole(),  # of all arms that can be chosen, for the person who looks into the file
        "remember": _whole(),  # settled decisions
        # Numbers of the settled decisions remembered, as int64, and their rewards, as float64: NaN if forgotten.
        "settled": _object({"numbers": BASE64, "rewards": BASE64}),
        "dropped": _whole(),  # the highest number of a settled decision that is no longer remembered
        "propensity": FLAG,
        "guard": _any_of(
            NULL,
            _object({"least": SHARES, "most": SHARES, "baseline": _any_of(NULL, NAME, about="an arm"), "paused": FLAG}),
            about="the limits of `Guarded`, or null",
        ),
    },
    {
        # Of decisions, where a policy uses them: name, and scale or levels.
        "features": _list({"type": "object", "description": "an object"}, about="a list of features"),
    },
    about="a learner",
)

TOKEN = {"type": "string", "pattern": f"^[0-9a-f]{{{2 * TOKEN_BYTES}}}$", "description": "a token"}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A learner of riskbandits",
    **_object(
        {
            "format": {"const": FORMAT, "description": repr(FORMAT)},
            "version": _whole(OLDEST_VERSION, VERSION),
            "checksum": TEXT,  # SHA-256 of `loads` and `content`, so that accidents are noticed
            "content": CONTENT,  # the state; equal states have equal content
        },
        # First number and token of the loads in which the open and remembered decisions were made.
        {"loads": _list(_tuple(_whole(1), TOKEN, about="the first number of a load and its token"))},
        about="a learner",
    ),
}

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}


class InvalidContentError(ValueError):
    """The file says something that no learner writes."""

    def __init__(self, thing: str, what: str, got: object) -> None:
        super().__init__(f"{thing} must be {what}. Got {shown(got)} instead.")


def check(value: Any, schema: dict[str, Any] = SCHEMA, path: str = "") -> None:
    """Raise a sentence about the first part of a file that is not what the schema says."""
    if not _is_one(value, schema):
        raise InvalidContentError(repr(path) if path else "The file", schema["description"], value)
    if type(value) is dict:
        for name, part in schema.get("properties", {}).items():
            if name in value:
                check(value[name], part, f"{path}.{name}" if path else name)
            elif name in schema["required"]:
                raise InvalidContentError(repr(path) if path else "The file", f"given {name!r}", value)
    elif type(value) is list:
        kinds = schema.get("prefixItems") or [schema["items"]] * len(value)
        for place, (part, kind) in enumerate(zip(value, kinds, strict=True)):
            check(part, kind, f"{path}[{place}]")


def _is_one(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is of this kind, its parts aside."""
    if "anyOf" in schema:
        return any(_is_one(value, kind) and _has_parts(value, kind) for kind in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return isinstance(value, str) and value in schema.get("enum", [schema.get("const")])
    if schema["type"] == "number":
        if type(value) not in (int, float):
            return False
    elif type(value) is not TYPES[schema["type"]]:
        return False
    if "minimum" in schema:
        return bool(schema["minimum"] <= value <= schema["maximum"])
    if "minItems" in schema:
        return bool(schema["minItems"] <= len(value) <= schema["maxItems"])
    if "pattern" in schema:
        return re.fullmatch(schema["pattern"], value) is not None
    return len(value) >= schema["minLength"] if "minLength" in schema else True


def _has_parts(value: Any, schema: dict[str, Any]) -> bool:
    """Whether the parts of a value are what this kind says, if it has any."""
    if type(value) not in (dict, list):
        return True
    try:
        check(value, schema)
    except InvalidContentError:
        return False
    return True
