"""Names under which a server may be asked."""

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

ANY: Final = "*"
_HOST: Final = re.compile(r"(?:\[(?P<address>[^\[\]]+)\]|(?P<name>[^:\[\]]+))(?::\d*)?", re.ASCII)
_REMEMBERED: Final = 256
"""Different headers at most: clients choose the port that they write behind a name."""


class Hosts:
    """Tells the server's own names from foreign ones.

    A page of a foreign site can have its name resolved to this machine and then read what is
    answered (DNS rebinding); the browser still sends the foreign name. Addresses are always fine:
    no site can have one for its name. So are the names of loopback (RFC 6761, 6.3).
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(name.lower().strip("[]").rstrip(".") for name in names)
        self._known: set[bytes] = set()

    def has(self, header: bytes) -> bool:
        """Tell whether a ``Host`` header names this server, with any port."""
        if header in self._known or ANY in self._names:
            return True
        if not self._is_own(header):
            return False
        if len(self._known) < _REMEMBERED:
            self._known.add(header)
        return True

    def _is_own(self, header: bytes) -> bool:
        name = _name_in(header)
        if name is None:
            return False
        return name in self._names or _is_localhost(name) or _address_in(name) is not None


def is_loopback_name(header: bytes) -> bool:
    """Tell whether a ``Host`` header names the machine that the client runs on."""
    name = _name_in(header)
    if name is None:
        return False
    address = _address_in(name)
    return _is_localhost(name) if address is None else address.is_loopback


def _name_in(header: bytes) -> str | None:
    found = _HOST.fullmatch(header.decode("latin-1").strip().lower())
    return None if found is None else (found["address"] or found["name"]).rstrip(".")


def _is_localhost(name: str) -> bool:
    return name == "localhost" or name.endswith(".localhost")


def _address_in(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None
