"""Parsing of policies and risk measures by name, shared by the command line and the service."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from riskbandits import risk
from riskbandits.core import calls
from riskbandits.core.errors import must_be, unknown_name
from riskbandits.core.records import classes_in
from riskbandits.policies.support.naming import command_line_name, presets, public_policies


def policy(text: str, read_inner: calls.Reader | None = None) -> Any:
    """A policy of the package from `name`, `name:preset` or `name(parameter=value)`.

    `read_inner` reads the policy inside another one; None: as this function does.

    >>> policy("bcvts(upper=2)"), policy("switching-aware(mvts)").policy
    (BCVTS(upper=2), MVTS(shape=0.5, rate=0.5, unbiased=False))
    """
    name, inside = calls.split_call(text)
    if inside is None and re.search(r":.*[\d=]", name):
        raise must_be("The parameters of a policy", "in brackets, as in bcvts(upper=2)", text)
    if inside is None:
        return parse(name)
    return calls.made(class_named(name, public_policies(), "policy"), inside, read_inner or policy)


def risk_measure(text: str) -> Any:
    """A risk measure of the package from `name`, `name:values` such as `mean-variance:1`, or `name(level=0.2)`.

    >>> risk_measure("cvar:0.2")
    CVaR(level=0.2)
    """
    name, inside = calls.split_call(text)
    if inside is None:
        name, colon, inside = name.partition(":")
        if colon and not inside.strip():
            raise must_be(f"What follows {name.strip()}:", "the value of a parameter, or the name of a preset", inside)
        for preset, record in presets(risk_class(name)).items():
            if plain(preset) == plain(inside):
                return record
    return calls.made(risk_class(name), inside)


def risk_class(name: str) -> Any:
    """The risk measure by that name; case, `-` and `_` do not matter."""
    return class_named(name, classes_in(risk), "risk measure")


def parse(written: str, classes: Sequence[Any] | None = None) -> Any:
    """The policy meant by `name` or `name:preset`; case, `-` and `_` do not matter.

    >>> parse("mv-lcb:sani").use_horizon
    True
    """
    name, colon, preset = written.strip().partition(":")
    cls = class_named(name, public_policies() if classes is None else classes, "policy")
    if not colon:
        return cls()
    for preset_name, policy in presets(cls).items():
        if plain(preset_name) == plain(preset):
            return policy
    raise unknown_name(f"preset of {command_line_name(cls)}", preset, presets(cls))


def class_named(name: str, classes: Iterable[Any], kind: str) -> Any:
    """The one of the record classes that is called so, in Python or on the command line."""
    known = list(classes)
    for cls in known:
        if plain(name) in (plain(cls.__name__), plain(command_line_name(cls))):
            return cls
    raise unknown_name(kind, name, [command_line_name(cls) for cls in known])


def plain(name: str) -> str:
    """A name without what does not matter in it: case, `-` and `_`."""
    return name.lower().replace("-", "").replace("_", "").strip()
