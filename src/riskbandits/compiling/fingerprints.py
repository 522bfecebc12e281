"""Whether code is still the same: digests by which compiled code and stored results are found again.

They are taken from live objects rather than from files: a file edited after it was imported would otherwise put the old
code on disk under the new file's name. What cannot be read has no digest: it must never count as unchanged.
"""

from __future__ import annotations

import copyreg
import enum
import functools
import hashlib
import sys
import types as python_types
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

# Known by name and version: their insides are not ours to read, and no edit of a user's changes them.
_PACKAGES = "numpy numba llvmlite scipy pandas pyarrow matplotlib rich typer joblib cloudpickle jinja2"
PACKAGES_BY_VERSION = frozenset(_PACKAGES.split())
PLAIN = (bool, int, float, complex, str, bytes, bytearray, range, type(None), type(...), type(NotImplemented))
CONTAINERS = (tuple, list, set, frozenset, dict)
DESCRIPTORS = (
    python_types.MethodDescriptorType,
    python_types.WrapperDescriptorType,
    python_types.ClassMethodDescriptorType,
    python_types.GetSetDescriptorType,
    python_types.MemberDescriptorType,
)
# What a class holds that decides no number: prose, bookkeeping, annotations, what is asked only to describe runs.
_PROSE = (
    "__doc__ __module__ __qualname__ __dict__ __weakref__ __annotations__ __annotate__ __annotate_func__ "
    "__annotations_cache__ __firstlineno__ __static_attributes__ __orig_bases__ __parameters__ __abstractmethods__ "
    "_abc_impl __match_args__ __getnewargs__ __slotnames__ __classdictcell__ returns_to_all"
)
NOT_READ = frozenset(_PROSE.split())


class UnreadableError(Exception):
    """Code reaches something of which nobody can say whether it is still the same; the text says what."""


def code_fingerprint(made_with: str, *roots: Any) -> str:
    """Digest of the code that functions and classes run: bytecode, constants and all they reach.

    Python's and NumPy's versions are part of it, and `made_with`, whatever else decides what the code does.
    Raises UnreadableError if the code reaches what cannot be read.
    """
    reader = _Reader(f"{sys.version} {np.__version__} {made_with}")
    try:
        for root in roots:
            reader.read(root)
    except UnreadableError:
        raise
    except Exception as error:  # objects answer questions about themselves with whatever they like
        raise UnreadableError(f"what answers with {type(error).__name__}: {error}") from error
    return reader.digest.hexdigest()


class _Reader:
    """Feeds values to a digest, each once: where one comes up again, the digest says which."""

    def __init__(self, heading: str) -> None:
        self.digest = hashlib.sha256(heading.encode())
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []  # so that no id is given to another object meanwhile
        self._modules: set[tuple[int, frozenset[str]]] = set()

    def say(self, text: str) -> None:
        self.digest.update(text.encode("utf-8", "surrogatepass") + b"\n")

    def read(self, thing: Any) -> None:
        kind = type(thing)
        if kind in PLAIN:
            self.say(f"{kind.__name__} {thing!r}")
            return
        if id(thing) in self._numbers:
            self.say(f"again {self._numbers[id(thing)]}")
            return
        self._numbers[id(thing)] = len(self._kept)
        self._kept.append(thing)
        if kind is python_types.FunctionType:
            self._read_function(thing)
        elif isinstance(thing, type):
            self._read_class(thing)
        elif kind in CONTAINERS:
            self._read_container(thing)
        elif kind is python_types.ModuleType:
            self.say(f"module {_named_in(thing.__name__)}")
            if not _by_version(thing.__name__):
                raise UnreadableError(f"the whole module {thing.__name__}")
        elif isinstance(thing, (np.ndarray, np.generic, np.dtype, np.ufunc)):
            self._read_numpy(thing)
        elif isinstance(thing, enum.Enum):
            self.say(f"member {thing.name}")
            self._read_all((kind, thing.value))
        else:
            self._read_other(thing)

    def _read_all(self, things: Iterable[Any]) -> None:
        for thing in things:
            self.read(thing)

    def _read_function(self, function: Any) -> None:
        module = function.__module__ or ""
        self.say(f"def {getattr(function, '__compiled_as__', '')} {_named_in(module)}.{function.__qualname__}")
        if _by_version(module):
            return
        static, names, texts = static_part(function.__code__)
        self.digest.update(static)
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        outside = {**function.__globals__, **dict(_contents(cells))} if function.__closure__ else function.__globals__
        for name in names:
            if name in outside:
                self._read_named(name, outside[name], texts)
        self._read_all((function.__defaults__, function.__kwdefaults__, getattr(function, "__wrapped__", None)))
        # Code may read attributes, and wrappers keep functions in them; those with underscores are bookkeeping.
        self._read_all(pair for pair in sorted(vars(function).items()) if not pair[0].startswith("__"))
        if not module.startswith("riskbandits."):  # of our own the name says all
            self._read_all(overloads_of(function))

    def _read_named(self, name: str, value: object, texts: frozenset[str]) -> None:
        """What code reads under a name; of a module whatever the code has a name for, and of modules in it."""
        self.say(name)
        if type(value) is not python_types.ModuleType:
            self.read(value)
        elif _by_version(value.__name__):
            self.say(_named_in(value.__name__))
        elif (id(value), texts) not in self._modules:
            self._modules.add((id(value), texts))
            self.say(value.__name__)
            for member, content in _members(value, texts):
                self._read_named(member, content, texts)

    def _read_class(self, cls: Any) -> None:
        self.say(f"class {_named_in(cls.__module__)}.{cls.__qualname__}")
        if _by_version(cls.__module__):
            return
        if not _by_version(type(cls).__module__):
            raise UnreadableError(f"{cls.__qualname__}, a class made by {type(cls).__qualname__}")
        if issubclass(cls, enum.Enum):
            self._read_all((name, member.value) for name, member in cls.__members__.items())
        self._read_all(cls.__bases__)
        made = hasattr(cls, "_fields") and issubclass(cls, tuple)
        for name, member in sorted(vars(cls).items()):
            if name in NOT_READ or (made and name in ("__new__", "_make", "_replace", "_asdict", "__repr__")):
                continue
            if made and name in cls._fields and type(member).__name__ == "_tuplegetter":
                continue
            if issubclass(cls, enum.Enum) and (name in cls.__members__ or name.startswith("_")):
                continue
            self.say(name)
            self.read(member)

    def _read_container(self, thing: Any) -> None:
        self.say(f"{type(thing).__name__} {len(thing)}")
        if isinstance(thing, (set, frozenset)):
            # In an order that does not depend on the process: each by a digest of its own.
            self._read_all(sorted(code_fingerprint("one of a set", one) for one in thing))
        elif isinstance(thing, dict):
            self._read_all(part for pair in thing.items() for part in pair)
        else:
            self._read_all(thing)

    def _read_numpy(self, thing: Any) -> None:
        if isinstance(thing, np.dtype):
            self.say(f"dtype {thing!r}")
        elif isinstance(thing, np.ufunc):
            self._read_by_name(thing, ("numpy", "scipy.special"), thing.__name__)
        elif isinstance(thing, np.void) or (isinstance(thing, np.generic) and thing.dtype.hasobject):
            self.say(f"{thing.dtype!r}")
            self.read(thing.item())
        elif isinstance(thing, np.generic):
            self.say(f"{thing.dtype!r} {thing!r}")
        elif type(thing) not in (np.ndarray, np.recarray, np.memmap):
            raise UnreadableError(f"an array of class {type(thing).__qualname__}")
        else:
            flags = thing.flags
            order = (flags.c_contiguous, flags.f_contiguous, flags.writeable, flags.aligned)
            self.say(f"{type(thing).__name__} {thing.dtype!r} {thing.shape} {order}")
            if thing.dtype.hasobject:
                self.read(thing.tolist())
            else:
                self.digest.update(thing.tobytes())

    def _read_other(self, thing: Any) -> None:
        kind = type(thing)
        self.say(f"one {kind.__module__}.{kind.__qualname__}")
        compiled = getattr(thing, "_dispatcher", thing) if kind.__module__.startswith("numba.") else thing
        if isinstance(getattr(compiled, "py_func", None), python_types.FunctionType):  # by numba
            self._read_all((compiled.py_func, getattr(compiled, "targetoptions", None)))
        elif kind.__module__.startswith("numba."):  # would be written down with numbers of this process
            raise UnreadableError(f"a {kind.__qualname__}")
        elif isinstance(thing, (python_types.BuiltinFunctionType, *DESCRIPTORS)):
            self._read_builtin(thing)
        elif isinstance(thing, (staticmethod, classmethod, python_types.MethodType)):
            self._read_all((thing.__func__, getattr(thing, "__self__", None)))
        elif isinstance(thing, property):
            self._read_all((thing.fget, thing.fset, thing.fdel))
        elif isinstance(thing, functools.cached_property):
            self.read(thing.func)
        elif kind.__name__ == "_lru_cache_wrapper":
            self.read(thing.__wrapped__)
        elif isinstance(thing, python_types.CodeType):
            self.digest.update(static_part(thing)[0])
        elif isinstance(thing, python_types.MappingProxyType):
            self.read(dict(thing))
        elif _by_version(kind.__module__):
            self._read_reduced(thing)
        else:
            self._read_instance(thing)

    def _read_builtin(self, thing: Any) -> None:
        owner = getattr(thing, "__objclass__", None) or getattr(thing, "__self__", None)
        self.say(thing.__name__)
        if owner is not None and not isinstance(owner, python_types.ModuleType):
            self.read(owner)
        elif not _by_version(thing.__module__ or "builtins"):
            raise UnreadableError(f"{thing.__module__}.{thing.__name__}, which is not written in Python")
        else:
            self.say(_named_in(thing.__module__ or "builtins"))

    def _read_by_name(self, thing: object, modules: tuple[str, ...], name: str) -> None:
        for module in modules:
            if getattr(sys.modules.get(module), name, None) is thing:
                self.say(f"{_named_in(module)}.{name}")
                return
        raise UnreadableError(f"{name}, a {type(thing).__qualname__} of unknown origin")

    def _read_instance(self, thing: object) -> None:
        """An instance of a class written in Python: what it is made of, and its attributes."""
        kind = type(thing)
        self.read(kind)
        bases: tuple[Any, ...] = (*CONTAINERS, *PLAIN[1:7])
        for base in bases:
            if isinstance(thing, base):
                self.read(base(thing) if base in CONTAINERS else base.__repr__(thing))
                break
        else:
            if any(not _is_python(cls) for cls in kind.__mro__[:-1]):
                self._read_reduced(thing)
                return
        slots = {name for cls in kind.__mro__ for name in copyreg._slotnames(cls)}  # type: ignore[attr-defined]
        attributes = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
        for name, value in sorted({**attributes, **getattr(thing, "__dict__", {})}.items()):
            self.say(name)
            self.read(value)

    def _read_reduced(self, thing: object) -> None:
        """An instance of a class that is not written in Python: what would be written down of it."""
        try:
            special: Any = copyreg.dispatch_table.get(type(thing))
            parts: Any = thing.__reduce_ex__(4) if special is None else special(thing)
        except Exception as error:
            raise UnreadableError(f"a {type(thing).__qualname__}") from error
        if isinstance(parts, str):
            self.say(parts)
            return
        for part in parts:
            self.read(list(part) if hasattr(part, "__next__") else part)


def _is_python(cls: type) -> bool:
    return bool(cls.__flags__ & (1 << 9))  # made by a class statement


@functools.cache
def _by_version(module: str) -> bool:
    """Whether a module belongs to Python or to a package of which the version says all."""
    top = module.partition(".")[0]
    return top in PACKAGES_BY_VERSION or (top in sys.stdlib_module_names and top != "__main__") or top == "builtins"


def _named_in(module: str | None) -> str:
    top = (module or "").partition(".")[0]
    if top not in PACKAGES_BY_VERSION:
        return str(module)
    return f"{module} {getattr(sys.modules.get(top), '__version__', '')}"


def _members(module: Any, texts: frozenset[str]) -> Iterator[tuple[str, Any]]:
    members = vars(module)
    for name in sorted(texts if "__getattr__" in members else texts & members.keys()):
        try:  # what a module makes on demand must not depend on whether it was asked for already
            yield name, members[name] if name in members else getattr(module, name)
        except Exception:  # whatever a module's own __getattr__ raises, the code cannot read it either
            continue


def _contents(cells: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    for name, cell in cells:
        try:
            yield name, cell.cell_contents
        except ValueError:  # a function that is not finished
            yield name, None


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


def overloads_of(function: object) -> Iterator[Any]:
    """The functions that choose an implementation for a function, in the order in which they were registered."""
    templates = sys.modules.get("numba.core.typing.templates")  # without numba nothing is overloaded
    for overloaded, kind in templates.builtin_registry.globals if templates is not None else ():
        if overloaded is function:
            for template in kind.templates:
                yield getattr(template, "_overload_func", None)
