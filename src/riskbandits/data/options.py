"""Options for reading a table: what a file leaves open, or what its reader would decide otherwise."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from riskbandits.core import checks
from riskbandits.core.errors import ParameterError, must_be, shown, unknown_name

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
SPACE, NONE = " ", ""
POINT, COMMA = ".", ","
BY_NAME = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "\\t": "\t",
    "bar": "|",
    "space": SPACE,
    "none": NONE,
    "point": POINT,
    "apostrophe": "'",
}
THOUSANDS = (",", ".", "'", SPACE, NONE)
ORDERS = ("dmy", "mdy", "ymd")  # of day, month and year in a date
IGNORE = "none"  # as dates: no column is one
TRIED = datetime(2021, 12, 31, 23, 58, 59)
# What an option is called on the command line, where it is not its own name.
FLAGS = {"arms": "--columns"}


class TableOptions(TypedDict, total=False):
    """Keyword arguments of everything that reads a table of rewards.

    `separator` parts the cells of a text file: a character, "tab", or "none" for a single column. `decimal` is "." or
    ",", `thousands` what groups digits (",", ".", "'", " ") or "none". `dates` says how dates are written: "dmy",
    "mdy" or "ymd" for the order of day, month and year, a format such as "%d/%m/%Y", or "none" to ignore them.
    `arms` are the columns that are arms; all others are ignored, except dates. `header` says whether the table has
    a header, or in which line of the file it stands. `encoding` is that of the text, such as "latin-1".

    `prices=True` makes returns of prices, each relative to the row before; `prices=False` takes numbers that look
    like prices as rewards. `common=True` keeps only the rows in which every arm has a reward.
    """

    separator: str | None
    decimal: str | None
    thousands: str | None
    dates: str | None
    arms: Any
    header: bool | int | None
    encoding: str | None
    prices: bool | None
    common: bool


class ReadOptions(NamedTuple):
    """The options that were given, checked; None where nothing was said."""

    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    dates: str | None = None
    arms: tuple[str, ...] | None = None
    header: bool | int | None = None
    encoding: str | None = None
    prices: bool | None = None
    common: bool = False


OF_TEXT = ("separator", "header", "encoding")
DEFAULTS = ReadOptions()


def option(name: str, value: str = "") -> str:
    """An option as sentences name it, in Python and on the command line.

    >>> option("decimal"), option("arms"), option("prices", "True")
    ('decimal= (--decimal)', 'arms= (--columns)', 'prices=True (--prices)')
    """
    flag = "--as-is" if (name, value) == ("prices", "False") else FLAGS.get(name, f"--{name}")
    return f"{name}={value} ({flag})"


def read_options(given: Mapping[str, Any]) -> ReadOptions:
    """The options among keyword arguments, or an error that names the one that is wrong."""
    for name in given:
        if name not in ReadOptions._fields:
            raise unknown_name("option for reading a table called", name, ReadOptions._fields)
    asked = ReadOptions(**given)
    found = asked._replace(
        separator=_separator(asked.separator),
        decimal=_one_of("decimal", asked.decimal, (POINT, COMMA), '"." or ","'),
        thousands=_one_of("thousands", asked.thousands, THOUSANDS, '",", ".", "\'", " " or "none"'),
        dates=_dates(asked.dates),
        arms=_arms(asked.arms),
        header=_header(asked.header),
        encoding=_encoding(asked.encoding),
        prices=None if asked.prices is None else checks.flag("prices", asked.prices),
        common=checks.flag("common", asked.common),
    )
    if found.decimal is not None and found.decimal == found.thousands:
        raise must_be("thousands", "another character than decimal", found.thousands)
    if found.decimal is None and found.thousands in (POINT, COMMA):
        found = found._replace(decimal=COMMA if found.thousands == POINT else POINT)
    return found


def refuse_options(options: ReadOptions, names: Iterable[str], what: str) -> None:
    """Raise if an option was given that means nothing here."""
    odd = next((name for name in names if getattr(options, name) != getattr(DEFAULTS, name)), None)
    if odd is not None:
        raise ParameterError(f"The option {option(odd)} is for {what}.")


def _separator(given: Any) -> str | None:
    found = _character("separator", given)
    if found is not None and (len(found) > 1 or found in ('"', "\n", "\r")):
        raise must_be("separator", 'a character, "tab", "space" or "none"', given)
    return found


def _one_of(name: str, given: Any, known: tuple[str, ...], words: str) -> str | None:
    found = _character(name, given)
    if found is not None and found not in known:
        raise must_be(name, words, given)
    return found


def _character(name: str, given: Any) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str):
        raise must_be(name, "a character", given)
    return BY_NAME.get(given.lower(), given)


def _dates(given: Any) -> str | None:
    if given is None:
        return None
    words = f'"{ORDERS[0]}", "{ORDERS[1]}", "{ORDERS[2]}", "none" or a format such as "%d/%m/%Y"'
    if not isinstance(given, str):
        raise must_be("dates", words, given)
    if given.lower() in (*ORDERS, IGNORE):
        return given.lower()
    try:
        datetime.strptime(TRIED.strftime(given), given)
    except ValueError:
        raise must_be("dates", words, given) from None
    if "%" not in given:
        raise must_be("dates", words, given)
    return given


def _arms(given: Any) -> tuple[str, ...] | None:
    if given is None:
        return None
    listed = [given] if isinstance(given, str) else checks.listed("arms", "a list of columns", given)
    found = tuple(" ".join(str(one).split()) for one in listed)
    if not found or len(set(found)) < len(found):
        raise must_be("arms", "one or more different columns", given)
    return found


def _header(given: Any) -> bool | int | None:
    if given is None or isinstance(given, bool):
        return given
    return checks.whole("header, if not True or False, the line in which it stands,", given)


def _encoding(given: Any) -> str | None:
    if given is None:
        return None
    try:
        return codecs.lookup(given).name
    except (LookupError, TypeError, ValueError):
        raise must_be("encoding", 'the name of one, such as "utf-8" or "latin-1"', given) from None


def check_arms(heads: Iterable[str], wanted: Iterable[str]) -> None:
    """Raise if a column that was named is not there."""
    known = list(heads)
    odd = next((name for name in wanted if name not in known), None)
    if odd is not None:
        near = unknown_name("column", odd, [head for head in known if head])
        raise ValueError(str(near).rstrip(".") if len(known) < 1000 else f"there is no column {shown(odd)}")
