"""The listening socket: opened first, so that an address in use is told before anything starts."""

import socket
from typing import Final

from domain.shared.error import SettingsInvalid

BACKLOG: Final = 2048
SEND_BUFFER_BYTES: Final = 64 * 1024
"""Inherited by accepted sockets: bounds what a stuck reader makes the kernel hold."""


def listen(
    host: str, port: int, *, at_once: bool = True, chosen_by: str = "--port"
) -> socket.socket:
    """Bind, and listen ``at_once`` so that who comes early waits; port 0 lets the system choose.

    Otherwise connections are refused until the server answers: a balancer asks another one.
    ``chosen_by`` is what sets the port.

    Raises:
        SettingsInvalid: the address is taken or does not exist here.
    """
    try:
        info = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, address = info[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as exc:
        raise SettingsInvalid(f"Cannot listen on {host}: {exc.strerror or exc}.") from exc
    try:
        # A restart need not wait until the connections of the process before are forgotten.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # For IPv4 as well, whatever the system's default is.
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
    except OSError as exc:
        listener.close()
        raise SettingsInvalid(
            f"Cannot listen on {host}:{port}: {exc.strerror or exc}. "
            f"Choose another with {chosen_by}."
        ) from exc
    return _prepared(listener, at_once=at_once)


def adopt(descriptor: int) -> socket.socket:
    """Take over a bound socket from the parent process (a supervisor, a test)."""
    try:
        return _prepared(socket.socket(fileno=descriptor))
    except OSError as exc:
        raise SettingsInvalid(f"Descriptor {descriptor} is not a socket: {exc.strerror}.") from exc


def port_of(listener: socket.socket) -> int:
    """Return the port the listener got."""
    return int(listener.getsockname()[1])


def _prepared(listener: socket.socket, *, at_once: bool = True) -> socket.socket:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if at_once:
        listener.listen(BACKLOG)
    listener.setblocking(False)
    return listener
