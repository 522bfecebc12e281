"""How the command line exits: with a one-sentence message and an exit code, never with a traceback."""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Callable

from riskbandits.cli.standard_streams import OutputError, guarded, say
from riskbandits.core.errors import RiskBanditsError, ScaleWarning

NOT_WRITTEN, BAD_INPUT, INTERRUPTED = 1, 2, 130


def run(app: Callable[[], object]) -> None:
    """Run the application; an error is one sentence on standard error."""
    warnings.simplefilter("error", ScaleWarning)  # then it is a sentence without a line of our code: see `notices.warn`
    try:
        with guarded():
            _run(app)
    finally:
        gc.freeze()  # there is nothing to collect in a process that ends, and looking for it takes up to a second


def _run(app: Callable[[], object]) -> None:
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except OutputError as error:
        if not error.nobody_reads:
            say(f"Error: {error}")
        sys.exit(NOT_WRITTEN)
    except RiskBanditsError as error:
        say(f"Error: {error}")
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except SystemExit as ended:  # Typer turns Ctrl-C into this, without a word
        if ended.code == INTERRUPTED:
            print("Stopped.", file=sys.stderr)
        raise
