"""Running an instance: the web server around the application, until it is stopped."""

from __future__ import annotations

import ipaddress
import logging
import signal
import socket
import sys
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from riskbandits.core.errors import ParameterError, RiskBanditsError, must_be
from riskbandits.service import auth, logs, specs
from riskbandits.service.app import BackgroundTask, create_app
from riskbandits.service.db.engine import is_sqlite
from riskbandits.service.db.statements import SqlStorage
from riskbandits.service.db.storage import Storage
from riskbandits.service.service import BanditService

HTTP_PARSERS = ("httptools", "h11")
LARGEST_HEAD = 1 << 16  # bytes of a request's URL and headers, with the parser h11
SECONDS_TO_FINISH = 20  # for requests that are being answered when it is told to stop
SECONDS_KEPT_ALIVE = 30
# SQLite lets go of Python's lock for every row, and would get it back only after 5 ms while the web server is busy.
SECONDS_PER_TURN = 0.0005
MOST_COMPILED = 100  # bandits whose policies are compiled beforehand

log = logging.getLogger(logs.NAME)


def is_loopback(host: str) -> bool:
    """Whether the address is unreachable from outside this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def first_key(storage: Storage, host: str) -> str | None:
    """An admin key for a database without keys; only on the loopback address."""
    if any(key.revoked is None for key in auth.list_keys(storage)):
        return None
    if not is_loopback(host):
        raise ParameterError(
            f"Without keys the service listens only on the loopback address, not on {host!r}: "
            "make one first, `riskbandits keys add --role admin`."
        )
    return auth.add_key(storage, "admin", "made by `riskbandits serve`")


def open_socket(host: str, port: int) -> socket.socket:
    """The socket, opened early so that an address in use is reported in one sentence and port 0 becomes a number."""
    if not host:  # which would be every address there is
        raise must_be("--host", "an address such as 127.0.0.1", host)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(2048)
    except OSError as error:
        made.close()
        raise RiskBanditsError(f"The address {host}:{port} cannot be used: {error.strerror or error}.") from None
    made.set_inheritable(True)
    return made


def serve(
    service: BanditService,
    where: socket.socket,
    started: Callable[[], None] = lambda: None,
    background: BackgroundTask | None = None,
    http: str = HTTP_PARSERS[0],
) -> None:
    """Serve requests until SIGTERM or Ctrl-C; requests in progress are then finished, and no new ones accepted.

    `background` runs meanwhile, such as traffic for a demonstration.
    """
    storage = service.storage
    with storage.reading() as transaction:
        specs.compile_ahead(
            specs.with_settings(row.spec, specs.current_settings(row))
            for row in transaction.bandits_after("", MOST_COMPILED)
        )
    if isinstance(storage, SqlStorage) and is_sqlite(storage.engine):
        sys.setswitchinterval(SECONDS_PER_TURN)
    log.info("starting", extra={"database": storage.address})
    server = make_server(create_app(service, started, background), http)

    def stop(*_: object) -> None:
        server.should_exit = True

    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, stop)  # uvicorn handles them while it runs and raises them again when it has ended
    server.run(sockets=[where])
    log.info("stopped")
    if not server.started:
        sys.exit(1)


def make_server(app: FastAPI, http: str = HTTP_PARSERS[0]) -> uvicorn.Server:
    """The web server around an application."""
    config = uvicorn.Config(
        app,
        http="h11" if http == "h11" else "httptools",
        h11_max_incomplete_event_size=LARGEST_HEAD,
        ws="none",
        proxy_headers=False,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=SECONDS_KEPT_ALIVE,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        backlog=2048,
    )
    return uvicorn.Server(config)
