"""Parsing of policies and risk measures by name, shared by the command line and the service."""

from __future__ import annotations

import re
from typing import Any

from riskbandits import risk
from riskbandits.core import calls
from riskbandits.core.errors import must_be
from riskbandits.core.known_classes import classes_in
from riskbandits.policies.support import naming


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
        return naming.parse(name)
    return calls.made(naming.class_named(name, naming.public_policies(), "policy"), inside, read_inner or policy)


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
        for preset, record in naming.presets(risk_class(name)).items():
            if naming.plain(preset) == naming.plain(inside):
                return record
    return calls.made(risk_class(name), inside)


def risk_class(name: str) -> Any:
    """The risk measure by that name; case, `-` and `_` do not matter."""
    return naming.class_named(name, classes_in(risk), "risk measure")
