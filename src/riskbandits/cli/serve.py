"""`riskbandits serve`: the decision service."""

from __future__ import annotations

import enum
import tempfile
from typing import Annotated, Any

import typer

from riskbandits.cli.options import Database, needing_service

SECONDS_FOR_DATABASE = 30.0  # after a power cut everything starts at the same time


class HttpParser(enum.Enum):
    """What parses requests."""

    HTTPTOOLS = "httptools"
    H11 = "h11"


def serve(
    db: Database = None,
    host: Annotated[str, typer.Option(help="The address to listen on; any other than loopback requires keys.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(metavar="<int>", min=0, max=65535, help="The port; 0 picks a free one.")] = 8000,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve a bandit with simulated traffic, in a temporary database.")
    ] = False,
    rate: Annotated[
        float, typer.Option(metavar="<float>", min=1.0, help="Requests per second that one key may send.")
    ] = 50_000.0,
    log_requests: Annotated[
        bool, typer.Option("--log-requests", help="Log every request; by default only refused ones.")
    ] = False,
    http: Annotated[
        HttpParser, typer.Option(help="The parser of requests; h11 is slower and limits the size of headers.")
    ] = HttpParser.HTTPTOOLS,
) -> None:
    """Make decisions and record rewards over HTTP, each exactly once, on disk before it is acknowledged.

    **Example:** `riskbandits serve`, then open the page whose address it prints.

    **Demo:** `riskbandits serve --demo`

    **Several instances:** `riskbandits serve --db postgresql://user@host/name --port 8001`
    """
    with needing_service():
        from riskbandits.service.db.engine import DEFAULT
    settings = (host, port, demo, rate, log_requests, http.value)
    if demo and db is None:
        with tempfile.TemporaryDirectory(prefix="riskbandits-demo-", ignore_cleanup_errors=True) as folder:
            _run(f"sqlite:///{folder}/demo.db", *settings)
    else:
        _run(db or DEFAULT, *settings)


def _run(db: str, host: str, port: int, demo: bool, rate: float, log_requests: bool, http: str) -> None:
    from riskbandits.service import logs, server
    from riskbandits.service.auth import RateLimiter
    from riskbandits.service.db.statements import open_storage
    from riskbandits.service.service import BanditService

    logs.set_up()
    where = server.open_socket(host, port)  # first: a key that is made is shown, and that only once
    try:
        storage = open_storage(db, patience=SECONDS_FOR_DATABASE)
        key = server.first_key(storage, host)
    except BaseException:
        where.close()
        raise
    background: Any = None
    if demo:
        from riskbandits.service.demo import traffic as background
    address = f"http://{f'[{host}]' if ':' in host else host}:{where.getsockname()[1]}"

    def started() -> None:
        print(f"riskbandits serves {storage.address} at {address}", flush=True)
        if key is not None:
            print(f"The admin key, shown only once: {key}", flush=True)
        print(f"The page: {address}/{'' if key is None else f'#key={key}'}", flush=True)

    service = BanditService(storage, RateLimiter(rate), log_requests)
    server.serve(service, where, started, background, http)
