"""User records and functions, in a Python file named on the command line."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

from riskbandits.api.python_objects import makes_objects
from riskbandits.core import files
from riskbandits.core.errors import FileError, must_be, unknown_name

MARK = ".py:"


def is_own(text: str) -> bool:
    """Whether a string names a class or a function in a file; a file alone is an error."""
    if text.endswith(".py"):
        raise must_be("A file of your own", f"given with a name in it, as in {text}:Mine", text)
    return MARK in text


def own_class(text: str, kind: str) -> tuple[Any, str]:
    """The class that `path/to/file.py:Class` names, and the preset after another colon, if any."""
    file, _, rest = text.partition(MARK)
    path = Path(file + ".py")
    files.check_readable(path)
    module = _import_file(path)
    class_name, _, preset = rest.partition(":")
    cls = getattr(module, class_name, None)
    if not _serves(cls, kind):
        found = [name for name, thing in vars(module).items() if _serves(thing, kind)]
        raise unknown_name(f"{kind} in {str(path)!r} called", class_name, found)
    return cls, preset


def own_function(text: str) -> Any:
    """The function that `path/to/file.py:function` names."""
    file, _, name = text.partition(MARK)
    path = Path(file + ".py")
    files.check_readable(path)
    module = _import_file(path)
    found = {one: thing for one, thing in vars(module).items() if isinstance(thing, FunctionType)}
    if name not in found:
        raise unknown_name(f"function in {str(path)!r} called", name, found)
    return found[name]


def _serves(thing: Any, kind: str) -> bool:
    """Whether it is a class of records, or of objects that choose, which `--method python` runs."""
    if not isinstance(thing, type):
        return False
    return (issubclass(thing, tuple) and hasattr(thing, "_fields")) or (kind == "policy" and makes_objects(thing))


def _import_file(path: Path) -> Any:
    """Import a file given by the user under its own name, so that its compiled code can be cached on disk."""
    name = path.stem
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path.resolve()):
        return loaded
    if loaded is not None:
        name = f"{name}_from_command_line"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # files that end the program are scripts
        del sys.modules[name]
        raise FileError(f"{str(path)!r} could not be imported: {type(error).__name__}: {error}") from error
    return module
