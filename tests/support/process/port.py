"""Ports for processes that cannot be given a socket."""

import random
import socket
from contextlib import closing
from pathlib import Path

_GIVEN_AWAY = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LEAST, _MOST = 10_000, 32_768


def free_port() -> int:
    """A port that nothing listens on, and that nobody else gets before somebody does."""
    (port,) = free_ports(1)
    return port


def free_ports(count: int) -> list[int]:
    """Ports none of which is given away by the system to whoever asks for any, or connects.

    Of those a busy machine hands out hundreds while a server starts.
    """
    most = int(_GIVEN_AWAY.read_text().split()[0]) if _GIVEN_AWAY.exists() else _MOST
    chance, found = random.SystemRandom(), set[int]()
    while len(found) < count:
        port = chance.randrange(_LEAST, max(most, 2 * _LEAST))
        with closing(socket.socket()) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.add(port)
    return list(found)
