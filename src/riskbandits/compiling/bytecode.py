"""What bytecode says by itself: a digest of all that is fixed in it, and the names that it knows."""

from __future__ import annotations

import functools
import hashlib
import types as python_types
from typing import Any


@functools.cache
def static_part(code: Any) -> tuple[bytes, tuple[str, ...], frozenset[str]]:
    """What bytecode says by itself: a digest, the names that it may read from outside, and all words that it knows.

    Functions inside it count. Names of attributes are among the names, which does no harm: what they may stand for is
    read too. Code never changes; what its names stand for may, and is looked up every time.
    """
    digest = hashlib.sha256(code.co_code)
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, code.co_exceptiontable)
    digest.update(repr((shape, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)).encode())
    names = dict.fromkeys((*code.co_names, *code.co_freevars))
    texts = {*names, *(one for one in code.co_consts if isinstance(one, str))}
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            inner, more, words = static_part(constant)
            digest.update(inner)
            names.update(dict.fromkeys(more))
            texts |= words
        else:
            digest.update(_constant(constant).encode("utf-8", "surrogatepass"))
    return digest.digest(), tuple(names), frozenset(texts)


def _constant(constant: Any) -> str:
    """A constant of bytecode as text: sets in an order that does not depend on the process."""
    if isinstance(constant, (tuple, frozenset)):
        parts = [_constant(one) for one in constant]
        return f"{type(constant).__name__}({', '.join(sorted(parts) if isinstance(constant, frozenset) else parts)})"
    return f"{type(constant).__name__} {constant!r}"
