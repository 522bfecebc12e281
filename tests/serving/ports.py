"""A port for a server that is killed and started again at the same place."""

from __future__ import annotations

import random
import socket

# Below the ports that connections are given on Linux: while the server is down, a client that tries again and again
# would sooner or later be given its very port, be connected to itself, and keep the server out for good.
PORTS = range(20_000, 32_000)


def free_port() -> int:
    """One of these ports that nobody listens on."""
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
