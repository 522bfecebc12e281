"""Where the service's log goes."""

from __future__ import annotations

import io
import json
import logging
import sys

from riskbandits.service import logs


def test_lines_go_to_the_standard_error_of_the_moment(monkeypatch):
    loggers = [logging.getLogger(name) for name in (logs.NAME, "uvicorn.error")]
    before = [(one.handlers, one.propagate, one.level) for one in loggers]
    closed, open_ = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", closed)
    try:
        logs.set_up()
        closed.close()
        monkeypatch.setattr(sys, "stderr", open_)
        loggers[0].info("request", extra={"status": 200})
    finally:
        for one, (handlers, propagate, level) in zip(loggers, before, strict=True):
            one.handlers, one.propagate, one.level = handlers, propagate, level
    line = json.loads(open_.getvalue())
    assert (line["event"], line["status"], line["level"]) == ("request", 200, "INFO")
