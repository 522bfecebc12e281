"""The GPU engine against the CPU: agreement in law, and time.

    python benchmarks/gpu/run.py --stage smoke|tune|agreement|timings|figure [--out DIR] [--quick]

Each stage writes STAGE.json and STAGE.md (the figure: scaling.svg, from timings.json) with the date and the device's
name. Agreement and timings take a few minutes each on a data-centre GPU with 16 cores beside it; agreement that was cut
goes on where it ended. With
NUMBA_ENABLE_CUDASIM=1 and --quick everything runs, slowly and without meaning, on a machine without a GPU.
"""

import argparse
import datetime
import json
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "tests"), str(ROOT / "tests" / "simulation")]

STAGES = ("smoke", "tune", "agreement", "timings", "figure")


def about() -> dict[str, Any]:
    """When, where and on what."""
    import riskbandits as rb
    from riskbandits.compiling import gpu
    from riskbandits.simulation.engines import usable_cores

    names = ("numpy", "numba", "numba-cuda", "llvmlite", "cuda-bindings")
    return {
        "date": datetime.date.today().isoformat(),
        "device": gpu.device_name(),
        "cores": usable_cores(),
        "python": platform.python_version(),
        "riskbandits": rb.__version__,
        **{name: version(name) for name in names},
    }


def table(rows: list[dict[str, Any]]) -> str:
    """Rows as Markdown."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(_cell(row.get(name, "")) for name in columns) + " |" for row in rows])


def _cell(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def write(out: Path, stage: str, facts: dict[str, Any], tables: dict[str, list[dict[str, Any]]]) -> None:
    """Both files, and the tables on standard output."""
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{stage}.json").write_text(json.dumps({"about": facts, "tables": tables}, indent=1))
    said = ", ".join(f"{name} {value}" for name, value in facts.items())
    text = "\n\n".join(
        [f"# {stage.capitalize()}", said, *(f"## {name}\n\n{table(rows)}" for name, rows in tables.items())]
    )
    (out / f"{stage}.md").write_text(text + "\n")
    print(text, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stage", choices=STAGES, required=True)
    parser.add_argument("--out", type=Path, default=Path("results/gpu"))
    parser.add_argument("--only", default="", help="agreement: the policies whose labels hold this")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to try the script itself")
    options = parser.parse_args()
    started = time.perf_counter()
    if options.stage == "figure":
        import figure

        print(figure.draw(options.out))
        return
    module: Any = __import__(options.stage)
    more = {"out": options.out, "only": options.only} if options.stage == "agreement" else {}
    write(options.out, options.stage, about(), module.tables(options.quick, **more))
    print(f"{options.stage}: {time.perf_counter() - started:.0f} s in all", flush=True)


if __name__ == "__main__":
    main()
