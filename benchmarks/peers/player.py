"""Plays for one peer, in that peer's own environment: a line of JSON in, a line of JSON out."""

import importlib
import json
import sys
import time
from importlib.metadata import version


def main(name: str, distribution: str) -> None:
    """Answer until there is nothing more to read."""
    peer = importlib.import_module(f"peer_{name}")
    print(json.dumps({"version": version(distribution), "runs": peer.RUNS}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        start = time.process_time()  # of all threads
        share = peer.runs(asked["policy"], asked["runs"], asked["seed"])
        taken = time.process_time() - start
        print(json.dumps({"seconds": taken / asked["runs"], "best": share}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
