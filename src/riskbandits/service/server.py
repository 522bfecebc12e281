"""Running an instance: the web server around the application, until it is stopped."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import sys
from collections.abc import Awaitable, Callable
from types import FrameType

import uvicorn
from sqlalchemy import Engine

from riskbandits.core.errors import ParameterError, RiskBanditsError, must_be
from riskbandits.service import app, auth, logs, specs
from riskbandits.service.db import engine as database
from riskbandits.service.db import statements
from riskbandits.service.front import Front
from riskbandits.service.rates import Rates
from riskbandits.service.service import House
from riskbandits.service.slow import PatientProtocol, send_away_the_slow

SECONDS_TO_FINISH = 20  # for requests that are being answered when it is told to stop
SECONDS_KEPT_ALIVE = 30
# SQLite lets go of Python's lock for every row, and would get it back only after 5 ms while the web server is busy.
SECONDS_PER_TURN = 0.0005
MOST_WARMED_UP = 100  # bandits whose policies are compiled beforehand

log = logging.getLogger(logs.NAME)

Beside = Callable[[House], Awaitable[None]]


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


def first_key(engine: Engine, host: str) -> str | None:
    """An admin key for a database without keys; only on the loopback address."""
    if any(key.revoked is None for key in auth.listed(engine)):
        return None
    if not is_loopback(host):
        raise ParameterError(
            f"Without keys the service listens only on the loopback address, not on {host!r}: "
            "make one first, `riskbandits keys add --role admin`."
        )
    return auth.add(engine, "admin", "made by `riskbandits serve`")


def listening(host: str, port: int) -> socket.socket:
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
    engine: Engine,
    where: socket.socket,
    rates: Rates | None = None,
    logs_all: bool = False,
    started: Callable[[], None] = lambda: None,
    beside: Beside | None = None,
) -> None:
    """Serve requests until SIGTERM or Ctrl-C; requests in progress are then finished, and no new ones accepted.

    `beside` is something to do meanwhile, such as traffic to look at.
    """
    with engine.connect() as connection:
        specs.warm_up(row.spec for row in statements.rows_after(connection, "", MOST_WARMED_UP))
    if database.is_sqlite(engine):
        sys.setswitchinterval(SECONDS_PER_TURN)
    house = House(engine, rates, logs_all)
    server = made(house, Front(app.made(house)), started, beside)
    log.info("starting", extra={"database": database.shown_url(engine.url)})
    server.run(sockets=[where])
    log.info("stopped")
    if not server.started:
        sys.exit(1)


def made(
    house: House, front: Front, started: Callable[[], None] = lambda: None, beside: Beside | None = None
) -> uvicorn.Server:
    """The web server around an instance."""
    config = uvicorn.Config(
        front,
        http=PatientProtocol,
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
    return _Server(config, house, started, beside)


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, house: House, started: Callable[[], None], beside: Beside | None
    ) -> None:
        super().__init__(config)
        self._house, self._on_start, self._beside = house, started, beside
        self._task: asyncio.Future[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Finish requests in progress; on a second signal, stop at once. Uvicorn would still exit by the signal."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            log.info("listening", extra={"addresses": [str(one.getsockname()) for one in sockets or []]})
            self._on_start()
            if self._beside is not None:
                self._task = asyncio.ensure_future(self._beside(self._house))

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second."""
        if counter % 10 == 0:
            send_away_the_slow(self.server_state.connections)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        log.info("stopping")
        if self._task is not None:
            self._task.cancel()
        await super().shutdown(sockets)
