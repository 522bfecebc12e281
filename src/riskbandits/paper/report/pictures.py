"""Drawn figures as parts of the page: the file's bytes go into it, so that it opens from anywhere."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from riskbandits.core.errors import FileError
from riskbandits.paper import layout
from riskbandits.paper.figures import Figure as PaperFigure
from riskbandits.paper.report.comparison_tables import Standing
from riskbandits.paper.report.content import Figure, Picture
from riskbandits.paper.report.formatting import rho_text, typeset

WIDE = 400.0  # points: a figure drawn for the full width of a printed page
MEDIA = {"svg": "image/svg+xml", "png": "image/png"}
POINTS_PER_METRE = 72.0 / 0.0254


def figures(
    out: Path, chosen: Mapping[str, PaperFigure], standings: Mapping[str, Sequence[Standing]]
) -> tuple[Figure, ...]:
    """The figures that `reproduce` has drawn under `out`, each in all its views."""
    return tuple(_figure(out, figure, standings) for figure in chosen.values())


def _figure(out: Path, figure: PaperFigure, standings: Mapping[str, Sequence[Standing]]) -> Figure:
    result = _result_in_words(figure, standings)
    pictures = []
    for view, about in figure.views.items():
        source, wide = _embedded([layout.picture(out, figure.name, view, suffix) for suffix in MEDIA])
        words = f"{figure.title}. {about.caption} {result}".strip()
        pictures.append(Picture(view, source, about.caption, words, wide, _links(out, figure.name, view)))
    return Figure(figure.name, figure.number, figure.title, figure.caption, tuple(pictures))


def _links(out: Path, name: str, view: str) -> tuple[tuple[str, str], ...]:
    """Where the picture is as PDF, and its numbers, from a page in the folder `out`, if they are there."""
    table = layout.table(out, name, "runs" if view == "runs" else "")
    found = {"PDF": layout.picture(out, name, view, "pdf"), "CSV": table}
    return tuple((words, path.relative_to(out).as_posix()) for words, path in found.items() if path.exists())


def _embedded(files: Sequence[Path]) -> tuple[str, bool]:
    """The smallest one of the files that are there as a data: address, and whether the picture is a wide one."""
    there = [file for file in files if file.exists()]
    if not there:
        raise FileError(f"The report needs {str(files[0])!r}, or the same as .png: draw the figure first.")
    path = min(there, key=lambda file: file.stat().st_size)
    data = path.read_bytes()
    address = f"data:{MEDIA[path.suffix.removeprefix('.')]};base64,{base64.b64encode(data).decode('ascii')}"
    return address, _width(data) > WIDE


def _width(picture: bytes) -> float:
    """The width in points of an SVG or PNG file; 0 if it does not say."""
    size = re.search(rb'<svg[^>]*\swidth="([\d.]+)pt"', picture)
    if size is not None:
        return float(size.group(1))
    density = picture.find(b"pHYs")  # pixels per metre
    if not picture.startswith(b"\x89PNG") or density < 0:
        return 0.0
    (pixels,), (per_metre,) = struct.unpack_from(">I", picture, 16), struct.unpack_from(">I", picture, density + 4)
    return float(pixels / per_metre * POINTS_PER_METRE)


def _result_in_words(figure: PaperFigure, standings: Mapping[str, Sequence[Standing]]) -> str:
    """What somebody who cannot see the picture should know: who is where at the end."""
    rows = [row for row in standings.get(str(figure.experiment), ()) if row.rho in figure.rhos]
    if not rows:
        return ""
    if len(figure.rhos) == 1:
        return (
            "Means at the end, smallest first: " + ", ".join(f"{row.policy} {typeset(row.mean)}" for row in rows) + "."
        )
    best = {row.rho: row.policy for row in reversed(rows)}
    return (
        "Smallest mean: "
        + ", ".join(f"{policy} at rho = {rho_text(rho)}" for rho, policy in sorted(best.items()))
        + "."
    )
