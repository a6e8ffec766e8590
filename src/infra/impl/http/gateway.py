"""Gateway of all outgoing requests: one pool per profile."""

import asyncio
import re
import socket
import ssl
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from typing import Final
from zlib import crc32

import httpx

from domain.shared.capacity.fair_share import FairShare, ShareRefused
from domain.shared.limits import Limits
from domain.shared.tracing.span import calling
from infra.impl.http.address import AddressPolicy
from infra.impl.http.guard import OPERATOR_PROFILES, TENANT_PORTS, Guard, Profile, Resolve
from infra.impl.http.pace import ReadPace
from infra.impl.http.reply import HttpReply, Timeouts
from infra.impl.http.url import Url, host_of, parse_url, port_of

_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\U0010ffff]*")
_RESOLVER_THREADS: Final = 8
_RESOLVING: Final = 256
"""Look-ups of one domain that wait."""


class HttpGateway:
    """Sends requests of four profiles, each with a pool of its own.

    ``provider`` and ``internal`` reach what the operator configured, private addresses too;
    ``tenant`` and ``provider_tenant`` are guarded at connect time. Requests go straight to the
    transport: no cookies, redirects, environment proxies or logged addresses in between.

    ``allow_private`` lists exact ``host:port`` pairs that tenants may reach besides the public
    network, ``denied_networks`` public ones they may not (our own, for instance).
    """

    def __init__(
        self,
        *,
        limits: Limits,
        allow_private: Collection[str] = (),
        tenant_ports: Collection[int] = TENANT_PORTS,
        denied_networks: Sequence[str] = (),
        nat64_prefixes: Sequence[str] = (),
        resolve: Resolve | None = None,
        tls: ssl.SSLContext | None = None,
        pace: ReadPace | None = None,
    ) -> None:
        self._limits = limits
        self._guard = Guard(
            addresses=AddressPolicy(denied=denied_networks, nat64=nat64_prefixes),
            resolve=resolve or self._look_up,
            resolve_s=limits.egress_resolve_s,
            allow_private=allow_private,
            ports=tenant_ports,
        )
        self._tls = tls
        self._threads: ThreadPoolExecutor | None = None
        self._look_ups = FairShare(
            "name servers",
            capacity=_RESOLVER_THREADS,
            kept=_RESOLVER_THREADS // 2,
            waiting=_RESOLVING,
            wait_s=limits.egress_resolve_s,
        )
        self._left: set[HttpReply] = set()
        self._pace = pace or ReadPace(most_s=limits.stream_gather_s)
        self._transports: dict[Profile, httpx.AsyncBaseTransport] = {}

    async def start(self) -> None:
        """Nothing to open: sessions open on first use."""

    async def aclose(self) -> None:
        """Close every connection."""
        for reply in tuple(self._left):
            reply.drop()
        for transport in self._transports.values():
            await transport.aclose()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None

    def parse(self, text: str, *, profile: Profile, base: Url | None = None) -> Url:
        """Read an address and check what can be checked without a look-up.

        Raises:
            EgressDenied: it is malformed, or the profile may not go there.
        """
        url = parse_url(text, limit_bytes=self._limits.url_bytes, base=base)
        if profile not in OPERATOR_PROFILES:
            self._guard.check_origin(host_of(url), port_of(url))
        return url

    async def send(
        self,
        method: str,
        url: Url,
        *,
        profile: Profile,
        timeouts: Timeouts,
        headers: Mapping[str, str],
        body: bytes = b"",
    ) -> HttpReply:
        """Send a request and return when the response headers are there; close the reply.

        Raises:
            EgressDenied: the profile may not reach the address; nothing was sent.
            TransportError: connecting or sending failed (see ``infra.impl.http.error``).
        """
        for name, value in headers.items():
            if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
                raise httpx.LocalProtocolError("A header contains characters that are not allowed.")
        if traceparent := calling(host_of(url), port_of(url)):
            headers = {**headers, "traceparent": traceparent}
        started_at = asyncio.get_running_loop().time()
        request = httpx.Request(
            method,
            url,
            headers=dict(headers),
            content=body,
            extensions={
                "timeout": {
                    "connect": timeouts.connect_s,
                    "read": min(timeouts.first_s, timeouts.total_s),
                }
            },
        )
        transport = self._transports.get(profile) or await self._opened(profile)
        response = await transport.handle_async_request(request)
        return HttpReply(
            response, timeouts, started_at=started_at, left=self._left, pace=self._pace
        )

    async def _opened(self, profile: Profile) -> httpx.AsyncBaseTransport:
        """Return the transport of a profile; the code behind it is loaded with the first one."""
        await asyncio.to_thread(import_module, "infra.impl.http.transport")
        from infra.impl.http.transport import AioHttpTransport, connector  # noqa: PLC0415

        limits = self._limits
        made = AioHttpTransport(
            lambda: connector(
                None if profile in OPERATOR_PROFILES else self._guard,
                connections=limits.egress_connections,
                tls=self._tls,
            ),
            header_bytes=limits.egress_header_bytes,
            header_fields=limits.egress_header_fields,
        )
        return self._transports.setdefault(profile, made)

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        """Ask the system, on threads of our own.

        Domains have turns: a tenant's slow name server blocks nobody else's names.
        """
        if self._threads is None:
            self._threads = ThreadPoolExecutor(_RESOLVER_THREADS, thread_name_prefix="resolve")
        loop, domain = asyncio.get_running_loop(), _domain(host)
        try:
            await self._look_ups.acquire(domain)
        except ShareRefused as exc:
            raise TimeoutError("Too many names are looked up.") from exc
        asking = self._threads.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)

        def done(_: object) -> None:
            with suppress(RuntimeError):  # the process ends
                loop.call_soon_threadsafe(self._look_ups.release, domain)

        asking.add_done_callback(done)  # who gives up waiting leaves the thread behind
        found = await asyncio.wrap_future(asking)
        return [_literal(*address) for *_, address in found]


def _domain(host: str) -> int:
    """Number the domain of a name: who owns it has one turn, whatever is asked below it."""
    return crc32(".".join(host.lower().rstrip(".").split(".")[-2:]).encode("utf-8", "replace"))


def _literal(host: str | int, _port: int | bytes, _flow: int = 0, scope: int = 0) -> str:
    """Keep the zone of a link-local address visible: the policy rejects it by that."""
    return f"{host}%{scope}" if scope else str(host)
