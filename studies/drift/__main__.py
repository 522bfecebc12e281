"""`python -m studies.drift`: simulate, and write docs/studies/drift.md."""

from __future__ import annotations

import argparse
from pathlib import Path

from studies.drift.measuring import Size
from studies.drift.page import page


def main() -> None:
    """Simulate everything and write the page."""
    parser = argparse.ArgumentParser(prog="python -m studies.drift", description=main.__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/studies/drift.md"), help="the page")
    parser.add_argument("--problems", type=int, default=20, help="random problems per line (default 20)")
    parser.add_argument("--runs", type=int, default=10, help="runs per policy and problem (default 10)")
    parser.add_argument("--workers", type=int, default=None, help="workers (default: all cores)")
    parser.add_argument("--store", type=Path, default=Path("results/drift"), help="folder that keeps finished runs")
    chosen = parser.parse_args()
    size = Size(chosen.problems, chosen.runs, workers=chosen.workers, store=chosen.store)
    chosen.out.write_text(page(size), encoding="utf-8")
    print(chosen.out)


if __name__ == "__main__":
    main()
