"""Labels of policies in tables, and the names of what the package offers."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits import policies
from riskbandits.core.checks import text
from riskbandits.core.errors import must_be, shown
from riskbandits.core.records import classes_in, is_record, same
from riskbandits.core.user_calls import guarded
from riskbandits.policies.support.contract import check_policies

if TYPE_CHECKING:
    from riskbandits.types import Policy

LONGEST_LIST = 6


def presets(policy_class: Any) -> dict[str, Any]:
    """The named parameter sets of a policy class: its class methods that need no argument."""
    found = {}
    for name, member in vars(policy_class).items():
        if isinstance(member, classmethod) and not name.startswith("_") and _needs_nothing(getattr(policy_class, name)):
            found[name] = guarded(f"{policy_class.__name__}.{name}", getattr(policy_class, name))
    return found


def _needs_nothing(method: Any) -> bool:
    """Whether a class method can be called without arguments."""
    given = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(method).parameters.values()
    return all(one.default is not one.empty or one.kind in given for one in parameters)


def label(policy: Any) -> str:
    """The class name; with the preset's name for a preset other than the default, otherwise with what differs from it.

    >>> from riskbandits import MVLCB, MVTS, SwitchingAware
    >>> [label(one) for one in (MVTS(), MVLCB.sani(), MVTS(rate=5.0), SwitchingAware(MVTS(), anytime=True))]
    ['MVTS', 'MVLCB:sani', 'MVTS(rate=5)', 'SwitchingAware(MVTS, anytime=True)']
    """
    cls = type(policy)
    if hasattr(cls, "own_label"):
        return str(policy.own_label())
    if _is_default(policy):
        return cls.__name__
    for name, preset in presets(cls).items():
        if same(policy, preset):
            return f"{cls.__name__}:{name}"
    usual = getattr(cls, "_field_defaults", {})
    parts = [
        _part(name, value)
        for name, value in policy._asdict().items()
        if name not in usual or _shortest(value) != _shortest(usual[name])
    ]
    return f"{cls.__name__}({', '.join(parts)})" if parts else cls.__name__


def _part(name: str, value: object) -> str:
    """A parameter in a label; the policy inside another one needs no name."""
    inside = is_record(value) and hasattr(value, "score")
    return _shortest(value) if inside else f"{name}={_shortest(value)}"


def _shortest(value: Any) -> str:
    """A parameter's value in its shortest form: 5 for 5.0, and of a long list both ends."""
    if is_record(value):
        return label(value)
    if isinstance(value, (bool, np.bool_)) or value is None:
        return str(value)
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value)).removesuffix(".0")
    if isinstance(value, (list, tuple, np.ndarray)):
        parts = [_shortest(one) for one in value]
        shown_parts = parts if len(parts) <= LONGEST_LIST else [*parts[:3], "...", parts[-1]]
        return f"[{', '.join(shown_parts)}]"
    return shown(value)


def labels(chosen: Iterable[Any]) -> list[str]:
    """One label per policy; a label met again is numbered (`MVTS#2`)."""
    seen: dict[str, int] = {}
    result = []
    for policy in chosen:
        name = label(policy)
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return result


def labelled(policies: object) -> dict[str, Any]:
    """Policies, cast and checked, by their labels: those of a mapping are its keys."""
    if not isinstance(policies, Mapping):
        records = check_policies(policies)
        return dict(zip(labels(records), records, strict=True))
    keys = [text("The label of a policy", key) for key in policies]
    for key in keys:
        if not key.isprintable() or key != key.strip():
            raise must_be("The label of a policy", "one line of text, without spaces at its ends", key)
    return dict(zip(keys, check_policies(list(policies.values())), strict=True))


def public_policies() -> list[Any]:
    """The policy classes of the package."""
    return classes_in(policies)


def command_line_name(policy_class: Any) -> str:
    """The canonical name on the command line: that of the policy's file, with dashes."""
    return policy_class.__module__.rsplit(".", 1)[-1].replace("_", "-")


def _is_default(policy: Policy) -> bool:
    try:
        return same(policy, type(policy)())
    except TypeError:  # a policy with required parameters has no default
        return False
