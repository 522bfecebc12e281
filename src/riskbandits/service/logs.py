"""The service's log: one JSON object per line on standard error, without keys, bodies or query strings."""

from __future__ import annotations

import logging
import sys
from typing import Any

from pythonjsonlogger.json import JsonFormatter

NAME = "riskbandits.service"


class StandardErrorHandler(logging.StreamHandler[Any]):
    """Writes to `sys.stderr` as it is at each line: it may have been replaced, and the old one closed."""

    @property
    def stream(self) -> Any:
        """The present standard error."""
        return sys.stderr

    @stream.setter
    def stream(self, value: Any) -> None:
        pass


def set_up(level: str = "info") -> None:
    """Send the logs of the service and of its web server to standard error, as lines of JSON."""
    handler = StandardErrorHandler()
    names = {"levelname": "level", "message": "event", "exc_info": "trace"}
    handler.setFormatter(JsonFormatter("%(levelname)s %(message)s", timestamp="at", rename_fields=names))
    for name in (NAME, "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())
    # Otherwise it reports every signal and start.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
