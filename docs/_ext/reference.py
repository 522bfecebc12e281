"""The reference: a page for every public name, made from the code when the site is built."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from served import served
from sphinx.application import Sphinx

import riskbandits as rb

# What the names are about, in the order in which the reference shows them; each is the title of a list of pages.
FUNCTIONS = ("simulate", "sweep", "compare", "identify", "frontier", "replay", "load")
RESULTS = ("Result", "SweepResult", "Comparison", "Identification", "Frontier", "Replay")
LIVE = ("Learner", "Guarded", "Client")
PARTS = ("Problem", "Metric", "Suite", "Delay", "RiskBanditsError")
RULES = tuple(rule.__name__ for rule in rb.identification.RULES)
ROOMS = ("policies", "risk", "arms")  # their names are public by themselves
MODULES = tuple(name for name in rb._MODULES if name not in ROOMS)
DOCTEST = re.compile(r"((?:^>>> .*\n(?:^(?!>>>)(?!\s*$).*\n)*)+)", re.MULTILINE)
NAME = re.compile(r"(?<!`)`(?:rb\.)?([A-Z]\w+|[a-z]+)(?:\(\))?`(?!`)")


def groups() -> dict[str, tuple[str, ...]]:
    """Every public name but the version, by what it is about."""
    return {
        "Simulate and compare": FUNCTIONS,
        "What comes back": RESULTS,
        "Live": LIVE,
        "Problems and their parts": PARTS,
        "Policies": tuple(rb.policies.__all__),
        "Risk measures": tuple(rb.risk.__all__),
        "Arms": tuple(rb.arms.__all__),
        "Best-arm identification": RULES,
        "Modules": MODULES,
    }


def write(folder: Path) -> None:
    """Write all pages, those that have not changed left alone: a second build is then short."""
    formulas = {name: text for part in _formulas(folder).values() for name, text in part.items()}
    pages = {"served.md": served()}
    for group, names in groups().items():
        for name in names:
            make = _module_page if name in MODULES else _page
            pages[f"{name}.md"] = make(name, formulas.get(name))
        pages[f"{_slug(group)}.md"] = _list_page(group, names)
    target = folder / "api"
    target.mkdir(exist_ok=True)
    for old in target.glob("*.md"):
        if old.name not in (*pages, "command-line.md"):
            old.unlink()
    for file, text in pages.items():
        path = target / file
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _formulas(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "formulas.toml").open("rb") as file:
        return tomllib.load(file)


def _slug(text: str) -> str:
    return "list-" + text.lower().replace(" ", "-")


def _list_page(group: str, names: tuple[str, ...]) -> str:
    rows = "\n".join(f"| {_role(name)} | {linked(first_line(name))} |" for name in names)
    links = "\n".join(names)
    extra = "\n{doc}`Which policy serves which measure and which arms <served>`.\n" if group == "Policies" else ""
    return f"# {group}\n{extra}\n| | |\n|---|---|\n{rows}\n\n```{{toctree}}\n:hidden:\n\n{links}\n```\n"


def _role(name: str) -> str:
    return f"{{doc}}`{name} <{name}>`" if name in MODULES else f"{{py:obj}}`{name} <riskbandits.{name}>`"


def first_line(name: str) -> str:
    """The first sentence of a docstring, in one line."""
    text = " ".join(inspect.cleandoc(getattr(rb, name).__doc__ or "").split("\n\n")[0].split())
    return text.replace("|", "\\|")


def linked(text: str) -> str:
    """A text in which the public names that stand in backticks are links."""

    def link(found: re.Match[str]) -> str:
        name = found[1]
        known = name in rb.__all__ and name not in MODULES and name not in ROOMS
        return f"{{py:obj}}`{name} <riskbandits.{name}>`" if known else found[0]

    return NAME.sub(link, text)


def markdown(doc: str | None) -> str:
    """A docstring as Markdown: examples are fenced, names are linked, references stand in paragraphs of their own."""
    text = inspect.cleandoc(doc or "") + "\n"
    parts = DOCTEST.split(text)
    shown = []
    for part in parts:
        if part.startswith(">>> "):
            shown.append(f"```pycon\n{part.rstrip()}\n```\n")
        else:
            shown.append(linked(re.sub(r"(?<!\n)\n(?=(?:Reference|References|Formula): )", "\n\n", part)))
    return "\n".join(shown)


def signature(thing: Any) -> str:
    """The parameters with their defaults, without types: these stand in the source, one click away."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return "()"
    kept = []
    for index, one in enumerate(found.parameters.values()):
        if index == 0 and one.name in ("self", "cls", "_cls"):
            continue
        kept.append(one.replace(annotation=inspect.Parameter.empty))
    return str(inspect.Signature(kept))


def _described(role: str, path: str, thing: Any, inside: str) -> str:
    """An object of the Python domain; more colons outside than inside, as nested directives need."""
    colons = ":" * (5 if role in ("class", "exception") else 4)
    body = "\n".join(line for line in inside.splitlines())
    return f"{colons}{{py:{role}}} {path}{'' if role == 'data' else signature(thing)}\n{body}\n{colons}\n"


def _page(name: str, formula: str | None) -> str:
    thing = getattr(rb, name)
    head = f"# {name}\n\n"
    if formula:
        head += f"```{{math}}\n{formula}\n```\n\n"
    return head + "```{py:currentmodule} riskbandits\n```\n\n" + describe(thing, name)


def describe(thing: Any, path: str, members: bool = True) -> str:
    """A class with its methods, or a function."""
    if not inspect.isclass(thing):
        return _described("function", path, thing, markdown(thing.__doc__))
    inside = markdown(thing.__doc__)
    for role, name, member in own_members(thing) if members else ():
        inside += "\n" + _described(role, name, member, markdown(member.__doc__))
    role = "exception" if issubclass(thing, BaseException) else "class"
    return _described(role, path, thing, inside)


def own_members(cls: type) -> Iterator[tuple[str, str, Any]]:
    """What a reader may call: presets of a record, and the methods of everything else."""
    if issubclass(cls, BaseException):
        return
    contract = issubclass(cls, tuple) and cls.__module__.split(".")[1] in (*ROOMS, "identification")
    for name in dir(cls):
        given = inspect.getattr_static(cls, name)
        if name.startswith("_") or name in ("count", "index") or not getattr(given, "__doc__", None):
            continue
        if isinstance(given, classmethod):
            yield "classmethod", name, getattr(cls, name)
        elif isinstance(given, staticmethod):
            yield "staticmethod", name, getattr(cls, name)
        elif contract or type(given).__name__ == "_tuplegetter":
            continue  # what the simulator calls; fields stand in the signature
        elif isinstance(given, property):
            yield "property", name, given
        elif inspect.isfunction(given):
            yield "method", name, given


def _module_page(name: str, formula: str | None) -> str:
    module = getattr(rb, name)
    text = f"# riskbandits.{name}\n\n```{{py:module}} riskbandits.{name}\n```\n\n{markdown(module.__doc__)}\n"
    for one in module_names(module):
        thing = getattr(module, one)
        if one in rb.__all__ and getattr(rb, one) is thing:
            text += f"\n{{py:obj}}`{one} <riskbandits.{one}>` has a page of its own.\n"
        elif inspect.isclass(thing) or inspect.isfunction(thing):
            text += "\n" + describe(thing, one, members=name != "types")
    return text


def module_names(module: Any) -> list[str]:
    """What a module means to be used: its `__all__`, or the classes and functions that are its own."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    own = (name for name, thing in vars(module).items() if getattr(thing, "__module__", "").startswith("riskbandits"))
    return sorted(name for name in own if not name.startswith("_") and callable(getattr(module, name)))


def generate(app: Sphinx) -> None:
    """Before anything is read."""
    write(Path(app.srcdir) / "reference")


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the pages when a build begins."""
    app.connect("builder-inited", generate)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
