"""httpx on aiohttp: the API of the one at the streaming speed of the other, and who connects."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import Any, Final, NoReturn

import aiohttp
import certifi
import httpx
from aiohttp.abc import ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import AddrInfoType
from yarl import URL

from infra.contract.egress import EgressDenied
from infra.impl.http.guard import Guard, PeerRefused
from infra.impl.http.url import host_of, port_of

_SET_BY_AIOHTTP: Final = frozenset({"host", "content-length", "transfer-encoding"})
_NOTHING_ADDED: Final = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
_FINAL_STATUS: Final = 200  # below are interim answers; a switch of protocols was never asked for


ConnectorFactory = Callable[[], aiohttp.BaseConnector]
"""Makes the connector of a session; a call, because connectors belong to a running loop."""


class AioHttpStream(httpx.AsyncByteStream):
    """The body as it arrives: one piece per network read, nothing cut or joined."""

    ERRORS: Final = (aiohttp.ClientError, OSError, asyncio.IncompleteReadError)
    """What ``read`` may raise; ``fail`` says it in httpx's words."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self.read = response.content.readany
        """Returns what has arrived, waiting if there is nothing; raises ``ERRORS``."""

    @property
    def is_complete(self) -> bool:
        """Whether the remote has ended the body; the connection is back in the pool then."""
        return self._response.connection is None or self._response.content.is_eof()

    def rest(self, seconds: float) -> None:
        """Leave in the socket what arrives until then; what is here already can be read."""
        connection = self._response.connection
        transport = None if connection is None else connection.transport
        if transport is None or not transport.is_reading() or self._response.content.is_eof():
            return
        transport.pause_reading()
        asyncio.get_running_loop().call_later(seconds, _go_on, transport)

    @staticmethod
    def fail(exc: Exception) -> NoReturn:
        """Say in httpx's words what went wrong in the body."""
        match exc:
            case TimeoutError():
                raise httpx.ReadTimeout("No data in time.") from exc
            case aiohttp.ClientPayloadError():
                raise httpx.RemoteProtocolError("The body ended early or is malformed.") from exc
            case _:
                raise httpx.ReadError("The connection broke.") from exc

    def abort(self) -> None:
        """Close the socket now, without draining or a farewell; harmless after the end."""
        connection = self._response.connection
        if connection is not None and connection.transport is not None:
            connection.transport.abort()
        self._response.close()

    async def aclose(self) -> None:
        if not self.is_complete:
            self.abort()


def _go_on(transport: asyncio.Transport) -> None:
    """Read again, unless aiohttp has let it do so, or has closed it."""
    if not (transport.is_closing() or transport.is_reading()):
        transport.resume_reading()


class AioHttpTransport(httpx.AsyncBaseTransport):
    """Sends httpx requests through one aiohttp session; opened on first use, inside the loop.

    No redirects, cookies, proxies from the environment, default headers or decompression. The
    whole wait until the response headers is bounded by the ``connect`` and ``read`` time-outs of
    the request; the body has no time-out here, its reader keeps watch.
    """

    def __init__(
        self, connector: ConnectorFactory, *, header_bytes: int, header_fields: int
    ) -> None:
        self._connector = connector
        self._header_bytes = header_bytes
        self._header_fields = header_fields
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        timeouts = request.extensions.get("timeout", {})
        headers = [
            (name, value)
            for name, value in request.headers.multi_items()
            if name not in _SET_BY_AIOHTTP
        ]
        try:
            async with asyncio.timeout(timeouts.get("read")):
                response = await self._opened().request(
                    request.method,
                    _same_address(request.url),
                    headers=headers,
                    data=await request.aread() or None,
                    allow_redirects=False,
                    timeout=aiohttp.ClientTimeout(total=None, connect=timeouts.get("connect")),
                )
        except EgressDenied:
            raise
        except (aiohttp.ClientError, OSError, ValueError) as exc:
            _raise_send_error(exc)
        self._check_head(response)
        return httpx.Response(
            response.status,
            headers=list(response.raw_headers),
            stream=AioHttpStream(response),
            request=request,
        )

    async def aclose(self) -> None:
        if self._session is not None:
            session, self._session = self._session, None
            await session.close()

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=self._connector(),
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                trust_env=False,
                skip_auto_headers=_NOTHING_ADDED,
                max_headers=self._header_fields,
            )
        return self._session

    def _check_head(self, response: aiohttp.ClientResponse) -> None:
        size = sum(len(name) + len(value) + 4 for name, value in response.raw_headers)
        if size > self._header_bytes or len(response.raw_headers) > self._header_fields:
            response.close()
            raise httpx.RemoteProtocolError("The response has too many headers.")
        if response.status < _FINAL_STATUS:
            response.close()
            raise httpx.RemoteProtocolError("The response switches to another protocol.")


def _same_address(url: httpx.URL) -> URL:
    """Hand the parsed parts over; the text is not parsed a second time."""
    path, _, query = url.raw_path.decode("ascii").partition("?")
    host = host_of(url)
    same = URL.build(
        scheme=url.scheme,
        host=f"[{host}]" if ":" in host else host,
        port=port_of(url),
        path=path,
        query_string=query,
        encoded=True,
    )
    if same.raw_host != host or same.port != port_of(url):
        raise httpx.UnsupportedProtocol("The address is ambiguous.")
    return same


def _raise_send_error(exc: Exception) -> NoReturn:
    """Say in httpx's words what went wrong before the response headers."""
    cause: BaseException | None = exc
    while cause is not None:
        if isinstance(cause, PeerRefused):
            raise EgressDenied(str(cause)) from exc
        cause = cause.__cause__
    match exc:
        case aiohttp.ConnectionTimeoutError():
            raise httpx.ConnectTimeout("No connection in time.") from exc
        case ssl.SSLError() | aiohttp.ClientSSLError():
            raise httpx.ConnectError("The secure connection could not be made.") from exc
        case aiohttp.ClientConnectorDNSError():
            raise httpx.ConnectError("The host name has no address.") from exc
        case aiohttp.ClientConnectorError():
            raise httpx.ConnectError("The connection was refused.") from exc
        case aiohttp.ClientResponseError() | aiohttp.ServerDisconnectedError():
            raise httpx.RemoteProtocolError("The server gave no proper HTTP answer.") from exc
        case TimeoutError():
            raise httpx.ReadTimeout("No answer in time.") from exc
        case aiohttp.ClientError() | OSError():
            raise httpx.ReadError("The connection broke.") from exc
        case _:  # a header or address that cannot be written
            raise httpx.LocalProtocolError("The request cannot be written.") from exc


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
