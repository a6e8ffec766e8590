"""Connections of a guarded profile: resolved once, checked, opened to the checked literal."""

import asyncio
import socket
from typing import Any

import aiohttp
from aiohttp.abc import ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import AddrInfoType

from infra.impl.http.guard import Guard, PeerRefused


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
