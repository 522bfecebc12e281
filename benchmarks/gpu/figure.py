"""The figure: cost per run and step over the number of runs, for several numbers of arms."""

import json
from pathlib import Path

import matplotlib

matplotlib.use("Agg")


def draw(folder: Path) -> Path:
    """Draw scaling.svg from timings.json."""
    from matplotlib.figure import Figure

    data = json.loads((folder / "timings.json").read_text())
    rows = data["tables"]["MVTS, ns per run and step"]
    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    axes = figure.add_subplot()
    for number, arms in enumerate(sorted({row["arms"] for row in rows})):
        for method, style in (("cuda", "o-"), ("cuda-float32", "s--")):
            mine = [row for row in rows if row["arms"] == arms and row["method"] == method]
            precision = "float32" if method.endswith("32") else "float64"
            axes.loglog(
                [row["runs"] for row in mine],
                [row["ns"] for row in mine],
                style,
                color=f"C{number}",
                label=f"{arms} arms, {precision}",
                markersize=4,
            )
    axes.set_xlabel("runs in one launch")
    axes.set_ylabel("ns per run and step")
    axes.set_title(f"MVTS on {data['about']['device']}, {data['about']['date']}")
    axes.grid(alpha=0.3, which="both")
    axes.legend(fontsize=8)
    path = folder / "scaling.svg"
    figure.savefig(path)
    return path
