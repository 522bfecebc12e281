"""Disconnect clients that never finish a request: uvicorn itself limits only the time between requests."""

from __future__ import annotations

import json
import time
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from riskbandits.service import schemas
from riskbandits.service.errors import TITLES

SECONDS_FOR_REQUEST = 10.0  # from its first byte to the last


class PatientProtocol(HttpToolsProtocol):
    """A connection that knows how long it has waited for the rest of a request."""

    since: float | None = None

    def connection_made(self, transport: Any) -> None:
        """A client has connected and not sent a request yet."""
        super().connection_made(transport)
        self.since = time.monotonic()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.since = time.monotonic()

    def on_message_complete(self) -> None:
        """The request is complete."""
        super().on_message_complete()
        self.since = None

    def send_away(self) -> None:
        """Send the reason, if no response has started yet, and close."""
        self.since = None
        if not self.transport.is_closing():
            if self.cycle is None or not self.cycle.response_started or self.cycle.response_complete:
                self.transport.write(_answer())
            self.transport.close()


def send_away_the_slow(connections: Any) -> None:
    """Close the connections that have waited too long for the rest of a request."""
    latest = time.monotonic() - SECONDS_FOR_REQUEST
    for one in list(connections):
        if isinstance(one, PatientProtocol) and one.since is not None and one.since < latest:
            one.send_away()


def _answer() -> bytes:
    sentence = f"A request must arrive within {SECONDS_FOR_REQUEST:g} seconds. This one did not."
    body = json.dumps(schemas.problem(408, TITLES[408], sentence)).encode()
    head = b"HTTP/1.1 408 Request Timeout\r\ncontent-type: application/problem+json\r\nconnection: close\r\n"
    return head + b"content-length: %d\r\n\r\n" % len(body) + body
