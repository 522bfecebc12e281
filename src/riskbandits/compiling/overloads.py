"""What numba compiles in place of a function, where somebody has said so with `numba.extending.overload`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any


def overloads_of(function: object) -> Iterator[Any]:
    """The functions that choose an implementation for a function, in the order in which they were registered."""
    templates = sys.modules.get("numba.core.typing.templates")  # without numba nothing is overloaded
    for overloaded, kind in templates.builtin_registry.globals if templates is not None else ():
        if overloaded is function:
            for template in kind.templates:
                yield getattr(template, "_overload_func", None)
