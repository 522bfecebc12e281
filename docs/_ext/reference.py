"""The reference: a page for every public name, made from the code when the site is built."""

from __future__ import annotations

import ast
import builtins
import doctest
import inspect
import re
import tomllib
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from served import served
from sphinx.application import Sphinx

import riskbandits as rb
from riskbandits.arms.features import FEATURE_DISTRIBUTIONS

# What the names are about, in the order in which the reference shows them; each is the title of a list of pages.
FUNCTIONS = ("simulate", "sweep", "compare", "identify", "frontier", "replay", "evaluate", "load")
RESULTS = ("Result", "SweepResult", "Comparison", "Identification", "Frontier", "Replay", "Evaluation")
LIVE = ("Learner", "Guarded", "Client")
PARTS = ("Problem", "Metric", "Suite", "Delay", "RiskBanditsError")
RULES = tuple(rule.__name__ for rule in rb.identification.RULES)
PACKAGES = ("policies", "risk", "arms")  # their names are public by themselves
MODULES = tuple(name for name in rb._MODULES if name not in PACKAGES)
DOCTEST = re.compile(r"((?:^>>> .*\n(?:^(?!>>>)(?!\s*$).*\n)*)+)", re.MULTILINE)
DOCUMENT = re.compile(r"(?<!`)`docs/([\w/-]+)\.md`(?!`)")
PLAIN = {"bool": "True or False", "int": "a whole number", "float": "a number", "str": "text"}
NAME = re.compile(r"(?<!`)`(?:rb\.)?([A-Z]\w+|[a-z]+)(?:\(\))?`(?!`)")
# What docstrings write in ASCII, for terminals, is set on the site as it is printed elsewhere; code is left alone.
CODE = re.compile(r"(```.*?```|`[^`]*`|^ {4}[^\n]*$|\]\([^)]*\)|\"[^\"]*\"|\$[^$]*\$)", re.MULTILINE | re.DOTALL)
LETTERS = "rho ρ, mu μ, sigma σ, tau τ, theta θ, chi χ, beta β, gamma γ, pi π, delta δ, Delta Δ, Phi Φ, phi φ"
GREEK = dict(pair.split() for pair in f"{LETTERS}, eps ε, mubar μ̄, xbar x̄".split(", "))
LETTER = re.compile(rf"(?<![\w.])(?<![\w-]-)({'|'.join(GREEK)})(?=[\W_]|$)(?![=(-])")
BASE = r"(?:[A-Za-zΓΔΣθμρσ]|MV|max|sup)"
SUBSCRIPT = re.compile(rf"(?<![\w.])({BASE})_([ijkt012nm]+)(?!\w)")
SUPERSCRIPT = re.compile(r"(?<=[\w)\]|₁₂ᵢⱼₖ])\^(-?\d+|[np])(?![^\W_])")
# Exponents for which Unicode has no letters: a fraction in parentheses, a word, the sign of a positive part.
POWER = re.compile(r"(?<=[\w)\]|₁₂ᵢⱼₖ])\^(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|(\w+|\+))")
LOW, HIGH = str.maketrans("ijkt012nm", "ᵢⱼₖₜ₀₁₂ₙₘ"), str.maketrans("-0123456789np", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹ⁿᵖ")
SIGNS = {">=": "≥", "<=": "≤", "!=": "≠", "sqrt(": "√(", " -> infinity": " → ∞", " -> inf": " → ∞", " -> 0": " → 0"}
SIGNS |= {"sum_": "Σ_", "phi(": "φ(", "Phi(": "Φ("}


def groups() -> dict[str, tuple[str, ...]]:
    """Every public name but the version, by what it is about."""
    return {
        "Simulate and compare": FUNCTIONS,
        "What comes back": RESULTS,
        "Live": LIVE,
        "Problems and their parts": PARTS,
        "Policies": tuple(rb.policies.__all__),
        "Risk measures": tuple(rb.risk.__all__),
        "Arms": (*rb.arms.__all__, *(one.__name__ for one in FEATURE_DISTRIBUTIONS)),
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
        known = name in rb.__all__ and name not in MODULES and name not in PACKAGES
        return f"{{py:obj}}`{name} <riskbandits.{name}>`" if known else found[0]

    return NAME.sub(link, DOCUMENT.sub(_document, typeset(text)))


def typeset(text: str) -> str:
    """A text whose formulas outside code have the letters and signs of print: `s^2` is s², `rho` outside code is ρ."""
    parts = CODE.split(text)
    for number in range(0, len(parts), 2):
        part = LETTER.sub(lambda found: GREEK[found[1]], parts[number]).replace("Gamma_", "Γ_")
        for ascii_, sign in SIGNS.items():
            part = part.replace(ascii_, sign)
        part = SUBSCRIPT.sub(lambda found: found[1] + found[2].translate(LOW), part)
        part = SUPERSCRIPT.sub(lambda found: found[1].translate(HIGH), part)
        parts[number] = POWER.sub(lambda found: f"<sup>{found[1] or found[2]}</sup>", part)
    return "".join(parts)


def _document(found: re.Match[str]) -> str:
    """A link to a page that a docstring names by its file, under the page's own title."""
    path = Path(__file__).parents[1] / f"{found[1]}.md"
    if not path.exists():
        return found[0]
    title = path.read_text(encoding="utf-8").split("\n", 1)[0]
    return f"[{title.removeprefix('# ')}](/{found[1]}.md)"


def markdown(doc: str | None, home: str = "") -> str:
    """A docstring as Markdown: examples are fenced, names are linked, references stand in paragraphs of their own."""
    text = inspect.cleandoc(doc or "") + "\n"
    parts = DOCTEST.split(text)
    shown = []
    for part in parts:
        if part.startswith(">>> "):
            shown.append(f"```pycon\n{copyable(part.rstrip(), home)}\n```\n")
        else:
            shown.append(linked(re.sub(r"(?<!\n)\n(?=(?:Reference|References|Formula): )", "\n\n", part)))
    return "\n".join(shown)


def copyable(example: str, home: str = "") -> str:
    """An example with the imports that its docstring has from the file it is in, so that it runs where it is pasted.

    `home` is the module of the docstring.
    """
    names = sorted(undefined(example))
    public = [name for name in names if name in rb.__all__]
    lines = example.split("\n")
    if public:
        bare = re.compile(rf"(?<![\w.\"'])({'|'.join(public)})\b")
        lines = [bare.sub(r"rb.\1", line) if line.startswith((">>> ", "... ")) else line for line in lines]
    imports = [">>> import numpy as np"] if "np" in names else []
    if public and ">>> import riskbandits as rb" not in lines:
        imports.append(">>> import riskbandits as rb")
    places = sorted(MODULES, key=lambda one: one not in home.split("."))
    for name in names:
        if module := next((one for one in places if name in module_names(getattr(rb, one))), None):
            imports.append(f">>> from riskbandits.{module} import {name}")
    return "\n".join([*imports, *lines])


def undefined(example: str) -> set[str]:
    """The names that an example uses and neither assigns nor imports."""
    tree = ast.parse("".join(one.source for one in doctest.DocTestParser().get_examples(example + "\n")))
    known, used = set(dir(builtins)), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else known).add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            known.update((one.asname or one.name).split(".")[0] for one in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            known.add(node.name)
        elif isinstance(node, ast.arg):
            known.add(node.arg)
    return used - known


class Default:
    """The default of a parameter as one would write it: a function by its name, a record without what is default."""

    def __init__(self, value: Any) -> None:
        self.text = repr(value)
        if inspect.isfunction(value):
            self.text = value.__name__
        elif hasattr(value, "_asdict") and value._asdict() == value._field_defaults:
            self.text = f"{type(value).__name__}()"

    def __repr__(self) -> str:
        return self.text


def signature(thing: Any) -> str:
    """The parameters with their defaults, without types: these stand in the source, one click away."""
    if getattr(thing, "_is_protocol", False):
        return ""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return "()"
    kept = []
    for index, one in enumerate(found.parameters.values()):
        if index == 0 and one.name in ("self", "cls", "_cls"):
            continue
        default = one.default if one.default is one.empty else Default(one.default)
        kept.append(one.replace(annotation=one.empty, default=default))
    return str(inspect.Signature(kept))


def _described(role: str, path: str, thing: Any, inside: str) -> str:
    """An object of the Python domain; more colons outside than inside, as nested directives need."""
    colons = ":" * (5 if role in ("class", "exception") else 4)
    return f"{colons}{{py:{role}}} {path}{'' if role == 'data' else signature(thing)}\n{inside}\n{colons}\n"


def _page(name: str, formula: str | None) -> str:
    thing = getattr(rb, name)
    return f"# {name}\n\n```{{py:currentmodule}} riskbandits\n```\n\n{describe(thing, name, formula=formula)}"


def describe(thing: Any, path: str, members: bool = True, formula: str | None = None) -> str:
    """A class with its methods, or a function: parameters, attributes, examples, notes, references, in this order."""
    own = list(own_members(thing)) if inspect.isclass(thing) and members else []
    attributes = [(name, member) for role, name, member in own if role == "property"]
    inside = sections(thing, path, attributes, formula)
    methods = [one for one in own if one[0] != "property"]
    if methods:
        title = "Presets" if all(role == "classmethod" for role, *_ in methods) else "Methods"
        inside += f"\n```{{rubric}} {title}\n```\n"
    for role, name, member in methods:
        inside += "\n" + _described(role, name, member, markdown(member.__doc__))
    if not inspect.isclass(thing):
        return _described("function", path, thing, inside)
    return _described("exception" if issubclass(thing, BaseException) else "class", path, thing, inside)


def sections(thing: Any, name: str, attributes: list[tuple[str, Any]], formula: str | None = None) -> str:
    """What a docstring and a signature say, under the headings that people know from other references."""
    about, examples, notes, references = parted(thing.__doc__, thing.__module__)
    rows = parameters(thing, name)
    held = [(f"`{one}`", linked(_first(member))) for one, member in attributes]
    if name in RESULTS:  # nobody makes one: what it is made of can be read
        own = {first for first, _ in held}
        rows, held = [], [*((first, words) for first, _, _, words in rows if first not in own), *held]
    parts = {
        "": [about, *map(_formula_line, formula_lines(formula))],
        "Parameters": [_table(("name", "must be", "default", "what it is"), rows)] if rows else [],
        "Attributes": [_table(("name", "what it is"), held)] if held else [],
        "Examples": examples,
        "Notes": notes,
        "References": references,
    }
    shown = []
    for title, texts in parts.items():
        if texts:
            shown += [f"```{{rubric}} {title}\n```" if title else "", *texts]
    return "\n\n".join(shown).strip() + "\n"


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    told = [place for place in range(len(heads)) if any(row[place] for row in rows)]  # columns that say something
    lines = [[line[place] for place in told] for line in (heads, ("---",) * len(heads), *rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _formula_line(line: str) -> str:
    return f"```{{math}}\n{line}\n```"


def formula_lines(formula: str | None) -> list[str]:
    """A formula in lines that fit a narrow page: its clauses, and where it is broken by hand."""
    return [line.strip() for line in re.split(r"\\\\|,\s*\\quad|;\s*\\quad|\\quad", formula or "") if line.strip()]


def parted(doc: str | None, home: str = "") -> tuple[str, list[str], list[str], list[str]]:
    """A docstring: what the thing is and when to use it; examples; notes; references."""
    about: list[str] = []
    examples, notes, references = [], [], []
    for block in re.split(r"\n{2,}(?!    )", markdown(doc, home).strip()):
        if block.startswith("```pycon"):
            examples.append(block)
        elif found := re.match(r"References?: ", block):
            references.append(block[found.end() :])
        elif not about or (block.startswith("Use ") and not notes):
            about.append(block)
        else:
            notes.append(re.sub(r"^Formula: ", "", block))
    return "\n\n".join(about), examples, notes, references


def parameters(thing: Any, name: str) -> list[tuple[str, ...]]:
    """A row for each: its name, what it must be, its default and what it is."""
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        return []
    try:
        given = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return []
    hints = get_annotations(thing)
    rows = []
    for one in given:
        if one.name in ("self", "cls", "_cls") or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            continue
        default = "" if one.default is one.empty else f"`{Default(one.default)}`"
        must = kind(hints.get(one.name))
        if thing in FEATURE_DISTRIBUTIONS:
            must = must.replace("per arm, ", "a list, each entry ", 1)
        rows.append((f"`{one.name}`", must, default, meaning(thing, name, one.name)))
    return rows


def get_annotations(thing: Any) -> dict[str, Any]:
    """Types of parameters with their limits, or as they are written where they cannot be evaluated."""
    target = thing if not inspect.isclass(thing) or hasattr(thing, "_fields") else thing.__init__
    try:
        return typing.get_type_hints(target, include_extras=True)
    except NameError:
        return dict(getattr(target, "__annotations__", {}))


def kind(hint: Any) -> str:
    """What a parameter must be, in words, as far as its type says it."""
    if hint in (None, Any, "Any", "object"):
        return ""
    for mark in getattr(hint, "__metadata__", ()):
        if hasattr(mark, "words"):
            return str(mark.words()).replace("a non-empty list with, per arm,", "per arm,").replace(">=", "≥")
        if type(mark).__name__ == "Names":
            return "a list of names"
        hint = hint.__origin__
    text = hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)
    text = getattr(hint, "__forward_arg__", text)
    return PLAIN.get(text) or f"`{re.sub(r'(?:[a-z_]+[.])+', '', text)}`"


def meaning(thing: Any, owner: str, name: str) -> str:
    """What a parameter is: as in `parameters.toml`, or the sentence of the docstring that speaks of it."""
    with (Path(__file__).parents[1] / "reference" / "parameters.toml").open("rb") as file:
        known = tomllib.load(file)
    said = known.get(owner, {}).get(name)
    if said is None:
        exact = next((one for one in sentences(thing.__doc__) if re.search(rf"`{name}[`=]", one)), "")
        exact = re.sub(rf"^`{name}` (?:is|are|says?) (.)", lambda found: found[1].upper(), exact)
        said = known["shared"].get(name) or exact
    return linked(said)


def sentences(doc: str | None) -> Iterator[str]:
    """The sentences of a docstring, without its examples and tables."""
    for block in re.split(r"\n{2,}", inspect.cleandoc(doc or "")):
        if not block.startswith((">>>", "|", "    ")):
            yield from re.split(r"(?<=[.;])\s+(?=[A-Z`*])", " ".join(block.split()))


def _first(member: Any) -> str:
    return " ".join(inspect.cleandoc(member.__doc__ or "").split("\n\n")[0].split())


def own_members(cls: type) -> Iterator[tuple[str, str, Any]]:
    """What a reader may call: presets of a record, and the methods of everything else."""
    if issubclass(cls, BaseException):
        return
    contract = issubclass(cls, tuple) and cls.__module__.split(".")[1] in (*PACKAGES, "identification", "learner")
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
