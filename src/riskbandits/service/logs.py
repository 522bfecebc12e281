"""The service's log: one JSON object per line on standard error, without keys, bodies or query strings."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

from riskbandits.service import times

NAME = "riskbandits.service"
_USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class Lines(logging.Formatter):
    """A record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, what happened, and whatever was added to it."""
        line: dict[str, Any] = {
            "at": times.isoformat(int(record.created * 1e6)),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line.update({name: value for name, value in vars(record).items() if name not in _USUAL})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class StandardError(logging.StreamHandler[Any]):
    """To what is standard error at the moment: it may have been replaced since, and the old one closed."""

    @property
    def stream(self) -> Any:
        """That of the moment."""
        return sys.stderr

    @stream.setter
    def stream(self, value: Any) -> None:
        pass


def set_up(level: str = "info") -> None:
    """Send what the service and its web server say to standard error, as lines of JSON."""
    handler = StandardError()
    handler.setFormatter(Lines())
    for name in (NAME, "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())
    # Its word for every connection and signal is not ours.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
