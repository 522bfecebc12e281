"""The command line: thin commands over the library."""

import os
import signal


def main() -> None:
    """Run the command line.

    While it starts, which takes a second, an interrupt ends the process on the spot: there is nothing to clean up, and
    the libraries that are being imported may swallow an exception. Nothing large is imported before.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, _stop_at_once if before is signal.default_int_handler else before)
    except ValueError:  # not the main thread, which alone has handlers
        before = None
    from riskbandits.cli import app, entry

    if before is not None:
        signal.signal(signal.SIGINT, before)
    entry.run(app.app)


def _stop_at_once(number: int, frame: object) -> None:
    try:  # noqa: SIM105 - contextlib may not be there yet
        os.write(2, b"Stopped.\n")
    except OSError:  # standard error is closed
        pass
    os._exit(130)


__all__ = ["main"]
