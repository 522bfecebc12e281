"""Error responses of the service: a status and a sentence."""

from __future__ import annotations

from riskbandits.core.errors import RiskBanditsError

TITLES = {
    400: "Bad request",
    401: "No valid key",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    408: "Too slow",
    409: "Contradiction",
    410: "Gone",
    413: "Too large",
    422: "Not acceptable as input",
    429: "Too many",
    500: "Our mistake",
    503: "Not now",
}


class Refusal(RiskBanditsError):  # noqa: N818 - an answer, as others are
    """A request that cannot be served: an HTTP status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def not_now(why: str) -> Refusal:
    """The database or the server is temporarily unavailable."""
    return Refusal(503, f"{why} Retry; with the same Idempotency-Key nothing happens twice.")
