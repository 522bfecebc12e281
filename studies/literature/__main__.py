"""`python -m studies.literature`: decide the claims and print the verdicts."""

from __future__ import annotations

import argparse
from pathlib import Path

from riskbandits.inference.claims import chosen, format_effect, format_span
from studies.literature import CLAIMS
from studies.literature.bench import Bench
from studies.literature.evidence import decide


def main(arguments: list[str] | None = None) -> None:
    """Decide claims of the literature by simulation: about four minutes for all of them."""
    parser = argparse.ArgumentParser(prog="python -m studies.literature", description=main.__doc__)
    parser.add_argument("names", nargs="*", help=f"claims, with their evidence (default: all): {', '.join(CLAIMS)}")
    parser.add_argument("--share", type=float, default=1.0, help="share of the runs (default 1)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all runs (default 0)")
    parser.add_argument("--store", type=Path, default=Path("results/store"), help="folder that keeps finished runs")
    options = parser.parse_args(arguments)
    bench = Bench(options.share, options.seed, store=options.store)
    for claim in chosen(CLAIMS, options.names or None):
        found = decide(claim, bench)
        print(f"{claim.name}: {found.verdict}\n  {claim.statement} {claim.source}\n  {found.sentence}")
        for row in found.evidence if options.names else ():
            span = format_span(row["low"], row["high"])
            print(f"  {row['where']}: {format_effect(row['effect'])} ({span}), {row['claimed']}: {row['says']}")


if __name__ == "__main__":
    main()
