"""Names: from a policy to its label in tables, and from what a person types to a policy."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

from riskbandits import policies
from riskbandits.errors import unknown_name
from riskbandits.guards import guarded
from riskbandits.records import is_record, same


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
    """The class name, with the preset's name when the policy equals one other than the default.

    A policy around another one that is no preset names the other: `SwitchingAware(MVTS)`.
    """
    cls = type(policy)
    if _is_default(policy):
        return cls.__name__
    for name, preset in presets(cls).items():
        if same(policy, preset):
            return f"{cls.__name__}:{name}"
    inner = [label(field) for field in policy if is_record(field) and hasattr(field, "score")]
    return f"{cls.__name__}({', '.join(inner)})" if inner else cls.__name__


def labels(chosen: Iterable[Any]) -> list[str]:
    """One label per policy; a label met again is numbered (`MVTS#2`)."""
    seen: dict[str, int] = {}
    result = []
    for policy in chosen:
        name = label(policy)
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return result


def public_policies() -> list[Any]:
    """The policy classes of the package."""
    return [getattr(policies, name) for name in policies.__all__]


def command_line_name(policy_class: Any) -> str:
    """The canonical name on the command line: that of the policy's file, with dashes."""
    return policy_class.__module__.rsplit(".", 1)[-1].replace("_", "-")


def parse(text: str, classes: Sequence[Any] | None = None) -> Any:
    """The policy meant by `name` or `name:preset`; case, `-` and `_` do not matter.

    >>> parse("mv-lcb:sani").use_horizon
    True
    """
    name, _, preset = text.strip().partition(":")
    cls = class_named(name, public_policies() if classes is None else classes, "policy")
    if not preset:
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


def _is_default(policy: Any) -> bool:
    try:
        return same(policy, type(policy)())
    except TypeError:  # a policy with required parameters has no default
        return False


def plain(name: str) -> str:
    """A name without what does not matter in it: case, `-` and `_`."""
    return name.lower().replace("-", "").replace("_", "").strip()
