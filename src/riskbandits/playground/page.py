"""From policies to one HTML file that needs nothing else: no network, no other file, no server."""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from riskbandits.core import files
from riskbandits.core.errors import ContractError, EngineError, must_be
from riskbandits.core.version import __version__
from riskbandits.playground import exports, linking, node_check
from riskbandits.playground.catalogue import Offer, offers
from riskbandits.playground.compiling import VALUE, compiled_policies
from riskbandits.playground.streams import ziggurat_edges
from riskbandits.playground.wrappers import FAMILIES
from riskbandits.plotting.colours import DASHES, KNOWN, OTHERWISE, PALETTE, Look
from riskbandits.policies import cells as run_cells
from riskbandits.policies.support import contract
from riskbandits.problem import ROUNDING
from riskbandits.problems import ZHU_TAN_MEANS, ZHU_TAN_VARIANCES
from riskbandits.simulation import kernel

# Fields that come after the policy's own: rho, the family of arms, and the vectors of all families.
FLOATS_OF_GAME, WHOLES_OF_GAME, VECTORS_OF_GAME = 1, 1, 6


def write(path: str | os.PathLike[str], own: Iterable[Any] = ()) -> list[str]:
    """Write the page, at once or not at all, with policies of one's own beside those of the package.

    Returns the labels of the policies in it.
    """
    _check_place(Path(path))
    linking.check_linker()
    node_check.node()
    module, manifest = built(offers(own))
    node_check.check(module, manifest)
    text = html(module, manifest)
    with files.replacing(path) as temporary:
        Path(temporary).write_text(text, encoding="utf-8")
    return [policy["label"] for policy in manifest["policies"]]


def _check_place(path: Path) -> None:
    """Refuse before anything is compiled what could not be written after it."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise must_be("A playground", "a file that ends in .html", str(path))
    if not os.access(path.parent, os.W_OK):
        raise must_be("A playground", "in a folder that exists and can be written to", str(path))
    files.check_replaceable(path)


def built(offered: Sequence[Offer]) -> tuple[bytes, dict[str, Any]]:
    """The compiled module, and what a page has to know of it.

    Policies of the package that cannot be compiled are left out; one's own are an error.
    """
    names = _kernels(offered)
    code = _compiled({name: offer for name, offer in names.values() if offer.own})
    code |= compiled_policies({VALUE: None, **{name: offer.policy for name, offer in names.values() if not offer.own}})
    objects: dict[str, bytes] = {}
    entries = []
    for offer in offered:
        name = names[_classes(offer)][0]
        found = code[name]
        if not isinstance(found, str):
            objects |= found
            entries.append(_entry(offer, name))
    values = code[VALUE]
    if isinstance(values, str):
        raise EngineError(f"This numba cannot compile for a web page: {values}")
    return linking.linked({**objects, **values}), _manifest(entries)


def _compiled(own: dict[str, Offer]) -> dict[str, Any]:
    """The code of one's own policies, before that of the others: what a page cannot have of them is said at once."""
    code = compiled_policies({name: offer.policy for name, offer in own.items()}) if own else {}
    for name, offer in own.items():
        if isinstance(found := code[name], str):
            remedy = " In a page `rng` has two draws: rng.standard_normal() and rng.random()."
            raise ContractError(
                f"{offer.label} cannot be put into a page: {found}{remedy if 'PageStream' in found else ''}"
            )
    return code


def _kernels(offered: Sequence[Offer]) -> dict[Any, tuple[str, Offer]]:
    """A name for each set of record classes, and a policy of them: policies that differ in numbers share their code."""
    found: dict[Any, tuple[str, Offer]] = {}
    for offer in offered:
        found.setdefault(_classes(offer), (f"k{len(found)}", offer))
    return found


def _classes(offer: Offer) -> Any:
    parts = exports.fields(offer.policy)
    return parts.source, parts.classes


def _entry(offer: Offer, name: str) -> dict[str, Any]:
    parts = exports.fields(offer.policy)
    return {
        "label": offer.label,
        "about": offer.about,
        "families": offer.families,
        "ticked": offer.ticked,
        "own": offer.own,
        "kernel": name,
        "floats": parts.floats[: len(parts.floats) - FLOATS_OF_GAME],
        "wholes": [str(value) for value in parts.wholes[: len(parts.wholes) - WHOLES_OF_GAME]],
        "vectors": [vector.tolist() for vector in parts.vectors[:-VECTORS_OF_GAME]],
        "width": contract.width(offer.policy),
        "first_pulls": contract.first_pulls(offer.policy),
    }


def _manifest(entries: list[dict[str, Any]]) -> dict[str, Any]:
    functions = {"play": exports.PLAYED, "look": exports.LOOKED, "value": exports.VALUED}
    columns = ("SUMS", "GAP", "MEAN", "MEAN_SQUARED", "BEST_ARM")
    for place, (entry, look) in enumerate(zip(entries, _looks(entries), strict=True)):
        entry |= {"colour": look.colour, "dash": _dash(look.dash), "number": place}
    return {
        "version": __version__,
        "arrays": {array.name: {"kind": array.kind, "shape": array.shape} for array in exports.ARRAYS.values()},
        "functions": {name: {"arrays": [array.name for array in arrays]} for name, arrays in functions.items()},
        "sizes": exports.SIZES,
        "cells": {"HORIZON": run_cells.HORIZON},
        "columns": {name: getattr(kernel, name) for name in columns},
        "edges": ziggurat_edges(),
        "rounding": ROUNDING,
        "families": FAMILIES,
        "paper": {"means": ZHU_TAN_MEANS, "variances": ZHU_TAN_VARIANCES},
        "policies": entries,
    }


def _looks(entries: list[dict[str, Any]]) -> list[Look]:
    """Those of the figures. A page has no markers: of two that differ in nothing else, the second gets another."""
    labels = [entry["label"] for entry in entries]
    found: dict[str, Look] = {}
    for label in labels:
        if label in KNOWN and KNOWN[label][:2] not in [look[:2] for look in found.values()]:
            found[label] = KNOWN[label]
    taken = [look[:2] for look in found.values()]
    spare = (Look(colour, dash) for dash in DASHES for colour in PALETTE if (colour, dash) not in taken)
    return [found[label] if label in found else next(spare, OTHERWISE) for label in labels]


def _dash(dash: Any) -> list[float]:
    """How a line is broken, as canvases want it: the same as in the figures."""
    named: dict[str, list[float]] = {"-": [], "--": [6, 4], "-.": [6, 3, 1.5, 3], ":": [1.5, 3]}
    return named[dash] if isinstance(dash, str) else [2 * float(part) for part in dash[1]]


def html(module: bytes, manifest: dict[str, Any]) -> str:
    """The page. The same module gives the same text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("riskbandits.playground", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names = ("engine.js", "worker.js", "plots.js", "plane.js", "steps.js", "page.js", "page.css")
    # Our own files, which must not be escaped; the style is the report's, and what a playground needs besides.
    assets = resources.files("riskbandits.playground") / "assets"
    own = {name.replace(".", "_"): Markup((assets / name).read_text(encoding="utf-8")) for name in names}
    style = Markup((resources.files("riskbandits.paper.report") / "assets" / "style.css").read_text(encoding="utf-8"))
    packed = base64.b64encode(gzip.compress(module, mtime=0)).decode()
    # A "<" inside a script could end it.
    data = Markup(json.dumps(manifest, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"))
    return environment.get_template("page.html").render(style=style, module=packed, manifest=data, **own)
