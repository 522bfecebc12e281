"""`riskbandits serve`: the decision service."""

from __future__ import annotations

import tempfile
from typing import Annotated, Any

import typer

from riskbandits.cli.options import Database, needing_service

SECONDS_FOR_DATABASE = 30.0  # after a power cut everything starts at the same time


def serve(
    db: Database = None,
    host: Annotated[str, typer.Option(help="The address to listen on; any other than loopback requires keys.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 picks a free one.")] = 8000,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve a bandit with simulated traffic, in a temporary database.")
    ] = False,
    rate: Annotated[float, typer.Option(min=1.0, help="Requests per second that one key may send.")] = 50_000.0,
    log_requests: Annotated[
        bool, typer.Option("--log-requests", help="Log every request; by default only refused ones.")
    ] = False,
) -> None:
    """Make decisions and record rewards over HTTP, each exactly once, on disk before it is acknowledged.

    **Example:** `riskbandits serve`, then open the page whose address it prints.

    **Demo:** `riskbandits serve --demo`

    **Several instances:** `riskbandits serve --db postgresql://user@host/name --port 8001`
    """
    with needing_service():
        from riskbandits.service.db import engine as database
        from riskbandits.service.rates import Rates
    if demo and db is None:
        with tempfile.TemporaryDirectory(prefix="riskbandits-demo-", ignore_cleanup_errors=True) as folder:
            _run(f"sqlite:///{folder}/demo.db", host, port, True, Rates(rate), log_requests)
    else:
        _run(db or database.DEFAULT, host, port, demo, Rates(rate), log_requests)


def _run(db: str, host: str, port: int, demo: bool, rates: Any, log_requests: bool) -> None:
    from riskbandits.service import logs, server
    from riskbandits.service.db import engine as database

    logs.set_up()
    where = server.listening(host, port)  # first: a key that is made is shown, and that only once
    try:
        engine = database.opened(db, patience=SECONDS_FOR_DATABASE)
        key = server.first_key(engine, host)
    except BaseException:
        where.close()
        raise
    beside: Any = None
    if demo:
        from riskbandits.service import demo as living

        beside = living.traffic
    address = f"http://{f'[{host}]' if ':' in host else host}:{where.getsockname()[1]}"

    def say() -> None:
        print(f"riskbandits serves {database.shown_url(db)} at {address}", flush=True)
        if key is not None:
            print(f"The admin key, shown only once: {key}", flush=True)
        print(f"The page: {address}/{'' if key is None else f'#key={key}'}", flush=True)

    server.serve(engine, where, rates, log_requests, say, beside)
