"""`python -m bad_calls [--share K/N] [--json] [--show OUTCOME]`: run the calls, print how many had which outcome."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import warnings

from bad_calls import harness


def main() -> int:
    parser = argparse.ArgumentParser(prog="bad_calls")
    parser.add_argument("--share", default="0/1", help="K/N: run share K of N, chosen by the names of the calls")
    parser.add_argument("--only", default="", help="run the calls whose name contains this text")
    parser.add_argument("--group", default="", help="run the calls of one group (see `everything`)")
    parser.add_argument("--show", default="", help="print the calls with this outcome too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    number, shares = map(int, asked.share.split("/"))
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        from bad_calls import everything

        everything.warm_up(folder)
        calls = [call for call in everything.calls(folder, asked.group) if asked.only in call.name]
        work = os.path.join(folder, "work")
        os.mkdir(work)
        os.chdir(work)
        started = time.monotonic()
        found = harness.run(harness.share(calls, number, shares), len(os.sched_getaffinity(0)))
        seconds = time.monotonic() - started
        os.chdir("/")
    bad = [one for one in found if one.outcome not in harness.ALLOWED or one.outcome == asked.show]
    counted = harness.counts(found)
    if asked.json:
        print(
            json.dumps(
                {"calls": len(calls), "run": len(found), "counts": counted, "bad": [one._asdict() for one in bad]}
            )
        )
    else:
        for one in bad:
            print(ascii(f"{one.outcome}: {one.name}: {one.words}")[1:-1])
        print(f"{len(found)} of {len(calls)} bad calls in {seconds:.0f} s: {counted}")
    return int(any(counted[outcome] for outcome in harness.OUTCOMES if outcome not in harness.ALLOWED))


if __name__ == "__main__":
    sys.exit(main())
