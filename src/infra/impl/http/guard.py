"""The gate of tenant profiles: names in, checked IP literals out."""

import asyncio
import contextlib
import ipaddress
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final, Literal

from infra.contract.egress import EgressDenied
from infra.impl.http.address import AddressPolicy, canonical

Profile = Literal["tenant", "provider", "provider_tenant", "internal"]
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Look a host up: every address as a literal; numbers in any notation are normalised."""

OPERATOR_PROFILES: Final = frozenset({"provider", "internal"})
"""Their addresses come from the operator and may be private."""
TENANT_PORTS: Final = (80, 443)

_DENIED_NAMES: Final = re.compile(
    r"(.*\.)?localhost|.*\.(local|internal|svc|cluster\.local)|local|internal", re.ASCII
)


class UnresolvedHost(OSError):
    """The name has no address, or looking it up took too long."""


class PeerRefused(OSError):
    """A socket was about to reach, or reached, an address that nobody checked."""


class Guard:
    """Decides for tenant profiles where a connection may go.

    ``allow_private`` lists exact ``host:port`` pairs of the operator; for these, names, ports and
    addresses are not judged. Everything else must resolve to permitted addresses only: one denied
    address among several refuses the host.
    """

    def __init__(
        self,
        *,
        addresses: AddressPolicy,
        resolve: Resolve,
        resolve_s: float,
        allow_private: Collection[str] = (),
        ports: Collection[int] = TENANT_PORTS,
    ) -> None:
        self._addresses = addresses
        self._resolve = resolve
        self._resolve_s = resolve_s
        self._excepted = frozenset(map(_pair, allow_private))
        self._ports = frozenset(ports)
        self._approved: dict[tuple[str, int], None] = {}

    def check_origin(self, host: str, port: int) -> None:
        """Raise ``EgressDenied`` for a port or name that is refused before any look-up."""
        host = host.lower().rstrip(".")
        if (host, port) in self._excepted:
            return
        if port not in self._ports:
            raise EgressDenied(
                f"Port {port} is not allowed for outgoing requests. {_way_out(host, port)}"
            )
        if _DENIED_NAMES.fullmatch(host):
            raise EgressDenied(
                f"This host name is not allowed for outgoing requests. {_way_out(host, port)}"
            )

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Look the host up once and return its addresses, all of them checked.

        Raises:
            EgressDenied: the policy refuses the port, the name or any address.
            UnresolvedHost: no address within the time allowed.
        """
        self.check_origin(host, port)
        try:
            async with asyncio.timeout(self._resolve_s):
                found = await self._resolve(host.rstrip("."), port)
        except (OSError, UnicodeError) as exc:  # TimeoutError is an OSError
            raise UnresolvedHost("The host name has no address.") from exc
        if not found:
            raise UnresolvedHost("The host name has no address.")
        if (host.lower().rstrip("."), port) in self._excepted:
            self._approve(found, port)
        elif not all(map(self._addresses.permits, found)):
            raise EgressDenied(
                "The address of this host is not allowed for outgoing requests. "
                f"{_way_out(host, port)}"
            )
        return found

    def check_literal(self, address: str, port: int) -> None:
        """Second look, at the socket: raise ``PeerRefused`` unless the literal is permitted."""
        if (canonical(address), port) in self._approved:
            return
        if not self._addresses.permits(address):
            raise PeerRefused("The address is not allowed for outgoing requests.")

    def _approve(self, found: Sequence[str], port: int) -> None:
        """Remember the addresses of an excepted origin; the newest 64 are plenty for a list."""
        for address in found:
            self._approved.pop((canonical(address), port), None)
            self._approved[canonical(address), port] = None
        while len(self._approved) > max(64, 8 * len(self._excepted)):
            del self._approved[next(iter(self._approved))]


def _way_out(host: str, port: int) -> str:
    """Say who can let a request through: only an operator knows what is theirs to be reached."""
    name = f"[{host}]" if ":" in host else host
    return f"The operator can allow {name}:{port} in egress.allow_private."


def _pair(text: str) -> tuple[str, int]:
    host, _, port = text.strip().rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(f"Expected host:port, got {text!r}.")
    host = host.strip("[]").lower().rstrip(".")
    with contextlib.suppress(ValueError):  # most are names
        host = str(ipaddress.ip_address(host))
    return host, int(port)
