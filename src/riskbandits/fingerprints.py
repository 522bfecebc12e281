"""Whether code is still the same: digests by which compiled code and stored results are found again.

They are taken from live objects rather than from files: a file edited after it was imported would otherwise put the old
code on disk under the new file's name.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import sys
import types as python_types
from typing import Any

import numpy as np


def code_fingerprint(made_with: str, *roots: Any) -> str:
    """Digest of the code that functions and classes run: bytecode, constants and all they reach.

    Python's and NumPy's versions are part of it, and `made_with`, whatever else decides what the code does.
    """
    digest = hashlib.sha256(f"{sys.version} {np.__version__} {made_with}".encode())
    _absorb(roots, digest, set())
    return digest.hexdigest()


def _absorb(thing: Any, digest: Any, seen: set[int]) -> None:
    """Feed a value of compiled code (function, class, constant, module name) to the digest, once each."""
    thing = getattr(thing, "py_func", thing)
    if isinstance(thing, (list, tuple, frozenset)) and type(thing) in (list, tuple, frozenset):
        parts = sorted(thing, key=repr) if isinstance(thing, frozenset) else thing
        digest.update(f"{type(thing).__name__}{len(thing)}".encode())
        for part in parts:
            _absorb(part, digest, seen)
    elif isinstance(thing, python_types.FunctionType):
        if id(thing) not in seen:
            seen.add(id(thing))
            how = getattr(thing, "__compiled_as__", "")
            digest.update(f"def {how} {thing.__module__}.{thing.__qualname__}".encode())
            _absorb_code(thing.__code__, thing.__globals__, digest, seen)
            for cell in thing.__closure__ or ():
                _absorb(cell.cell_contents, digest, seen)
            _absorb(thing.__defaults__ or (), digest, seen)
    elif isinstance(thing, type):
        if id(thing) not in seen:
            seen.add(id(thing))
            digest.update(f"class {thing.__module__}.{thing.__qualname__}".encode())
            if issubclass(thing, tuple):
                for name, member in sorted(vars(thing).items()):
                    if isinstance(member, python_types.FunctionType) and not name.startswith("__"):
                        _absorb(member, digest, seen)
    elif isinstance(thing, python_types.ModuleType):
        digest.update(f"module {thing.__name__}".encode())
    elif isinstance(thing, np.ndarray):
        digest.update(f"{thing.dtype}{thing.shape}".encode() + thing.tobytes())
    elif isinstance(thing, (bool, int, float, complex, str, bytes, type(None), type(...), np.generic)):
        digest.update(f"{type(thing).__name__} {thing!r}".encode())
    elif isinstance(thing, tuple):
        _absorb((type(thing), *thing), digest, seen)
    else:
        digest.update(f"instance of {type(thing).__qualname__}".encode())


def _absorb_code(code: Any, names: dict[str, Any], digest: Any, seen: set[int]) -> None:
    digest.update(code.co_code)
    digest.update(repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            _absorb_code(constant, names, digest, seen)
        else:
            _absorb(constant, digest, seen)
    # Globals by name, and attributes of globals that are modules (`moments.add`), are frozen into compiled code.
    for name in _globals_read(code):
        if name in names:
            value = names[name]
            _absorb(value, digest, seen)
            if isinstance(value, python_types.ModuleType) and value.__name__ not in sys.stdlib_module_names:
                for attribute in code.co_names:
                    member = getattr(value, attribute, None)
                    if isinstance(member, (python_types.FunctionType, type, int, float, np.ndarray)):
                        _absorb(member, digest, seen)


@functools.cache
def _globals_read(code: Any) -> tuple[str, ...]:
    """The names that bytecode loads, in its order. Code never changes; what the names stand for may, and is looked up.

    Reading bytecode is most of the work of a fingerprint, and jobs share most of their code.
    """
    loads = ("LOAD_GLOBAL", "LOAD_NAME")
    return tuple(instruction.argval for instruction in dis.get_instructions(code) if instruction.opname in loads)
