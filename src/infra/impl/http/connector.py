"""Connectors: how the sessions of aiohttp connect, and whom they trust."""

import asyncio
import socket
import ssl
from typing import Any, Final

import aiohttp
import certifi
from aiohttp.abc import ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import AddrInfoType

from infra.impl.http.guard import Guard, PeerRefused

_KEEP_ALIVE_S: Final = 30.0
_DNS_CACHE_S: Final = 10


def connector(
    guard: Guard | None, *, connections: int, tls: ssl.SSLContext | None
) -> aiohttp.BaseConnector:
    """Return what connects: to where the guard lets it, with so many connections; or anywhere."""
    trust = _system_trust() if tls is None else tls
    if guard is None:
        return aiohttp.TCPConnector(
            limit=0,  # callers bound their calls; a second queue here would hide theirs
            keepalive_timeout=_KEEP_ALIVE_S,
            resolver=aiohttp.ThreadedResolver(),
            ttl_dns_cache=_DNS_CACHE_S,
            ssl=trust,
        )
    return GuardedConnector(
        guard,
        limit=connections,
        keepalive_timeout=_KEEP_ALIVE_S,
        resolver=aiohttp.ThreadedResolver(),
        ssl=trust,
    )


def _system_trust() -> ssl.SSLContext | bool:
    """Trust what the system trusts; where it has no certificates at all, the bundled ones.

    True takes the context that aiohttp made when it was imported: reading the certificates once
    more would cost the first request 40 ms, and every process 2 MB.
    """
    paths = ssl.get_default_verify_paths()
    if paths.cafile or paths.capath:
        return True
    return ssl.create_default_context(cafile=certifi.where())


class GuardedConnector(aiohttp.TCPConnector):
    """Asks the guard before, while and after connecting; the pool is its own.

    Both overridden methods are internal to aiohttp. Should they be renamed, the socket factory,
    which is public, still refuses every address that the tables deny.
    """

    def __init__(self, guard: Guard, **options: Any) -> None:
        super().__init__(socket_factory=self._open_socket, **options)
        self._guard = guard

    async def _resolve_host(
        self, host: str, port: int, traces: object = None
    ) -> list[ResolveResult]:
        found = await self._guard.resolve(host, port)
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address in found
        ]

    async def _wrap_create_connection(
        self, *args: Any, **kwargs: Any
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        transport, protocol = await super()._wrap_create_connection(*args, **kwargs)
        peer = transport.get_extra_info("peername")
        try:
            self._guard.check_literal(peer[0], peer[1])
        except (PeerRefused, TypeError, ValueError):
            transport.abort()
            raise
        return transport, protocol

    def _open_socket(self, info: AddrInfoType) -> socket.socket:
        family, kind, protocol, _, address = info
        if family not in {socket.AF_INET, socket.AF_INET6}:
            raise PeerRefused("Only IP addresses are reached.")
        self._guard.check_literal(str(address[0]), int(address[1]))
        return socket.socket(family=family, type=kind, proto=protocol)
