"""Drawn figures as parts of the page: the file's bytes go into it, so that it opens from anywhere."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from riskbandits.experiments import layout
from riskbandits.experiments.figures import Figure as PaperFigure
from riskbandits.report.comparison import Standing
from riskbandits.report.content import Figure, Picture
from riskbandits.report.numbers import rho_text, shown

WIDE = 400.0  # points: a figure drawn for the full width of a printed page
MEDIA = {"svg": "image/svg+xml", "png": "image/png"}


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
        pictures.append(Picture(view, source, about.caption, f"{figure.title}. {about.caption} {result}".strip(), wide))
    return Figure(figure.name, figure.title, figure.caption, tuple(pictures))


def _embedded(files: Sequence[Path]) -> tuple[str, bool]:
    """The smaller one of the files as a data: address, and whether the picture is a wide one."""
    vector = files[0].read_bytes()
    size = re.search(rb'<svg[^>]*\swidth="([\d.]+)pt"', vector)
    path = min(files, key=lambda file: file.stat().st_size)
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    wide = size is not None and float(size.group(1)) > WIDE
    return f"data:{MEDIA[path.suffix.removeprefix('.')]};base64,{data}", wide


def _result_in_words(figure: PaperFigure, standings: Mapping[str, Sequence[Standing]]) -> str:
    """What somebody who cannot see the picture should know: who is where at the end."""
    rows = [row for row in standings.get(str(figure.experiment), ()) if row.rho in figure.rhos]
    if not rows:
        return ""
    if len(figure.rhos) == 1:
        return "Means at the end, smallest first: " + ", ".join(f"{row.policy} {shown(row.mean)}" for row in rows) + "."
    best = {row.rho: row.policy for row in reversed(rows)}
    return (
        "Smallest mean: "
        + ", ".join(f"{policy} at rho = {rho_text(rho)}" for rho, policy in sorted(best.items()))
        + "."
    )
