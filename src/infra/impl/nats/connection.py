"""One connection to NATS for everything in the process that uses it."""

import asyncio
import logging
import ssl
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from nats.aio.client import Client
from nats.aio.transport import TcpTransport
from nats.errors import Error

from domain.shared.error import Unavailable
from domain.shared.secret import Secret

FIRST_CONNECT_S: Final = 10.0
CLOSE_S: Final = 3.0
PING_S: Final = 10
"""A server that does not answer is given up after two unanswered pings."""
RECONNECT_WAIT_S: Final = 0.5
LOOK_S: Final = 1.0
ERRORS: Final = 3
"""How many different errors are kept for messages."""
PENDING_BYTES: Final = 8 * 1024 * 1024
FAULTS: Final = (Error, OSError, TimeoutError)
"""What any call may raise while the server is away."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class NatsOptions:
    """Where the servers are and who we are; empty means not needed. Names of files are paths."""

    servers: tuple[str, ...]
    user: str = ""
    password: Secret = field(default=Secret(""))
    token: Secret = field(default=Secret(""))
    credentials: str = ""
    """File with the JWT and the seed of a user."""
    ca_certs: str = ""
    certificate: str = ""
    certificate_key: str = ""
    name: str = "coterie"

    def connect_options(self) -> dict[str, Any]:
        """Arguments of ``connect``; raise ``OSError`` for files that cannot be read."""
        options: dict[str, Any] = {"servers": list(self.servers), "name": self.name}
        if self.user:
            options |= {"user": self.user, "password": self.password.reveal()}
        if token := self.token.reveal():
            options["token"] = token
        if self.credentials:
            with Path(self.credentials).open("rb"):  # the client would try, and try again
                pass
            options["user_credentials"] = self.credentials
        if self.ca_certs or self.certificate or any(s.startswith("tls:") for s in self.servers):
            context = ssl.create_default_context(cafile=self.ca_certs or None)
            if self.certificate:
                context.load_cert_chain(self.certificate, self.certificate_key or None)
            options["tls"] = context
        return options

    @property
    def places(self) -> str:
        """The servers for messages, without anything secret."""
        return ", ".join(urlsplit(server).netloc.rpartition("@")[2] for server in self.servers)


class NatsConnection:
    """Connects within ten seconds or fails; once connected it comes back for ever.

    Each part that uses it starts and closes it; the first start connects, the last close
    disconnects. ``listen`` takes callbacks for the loss (False) and the return (True) of the
    server. Every return has a new ``client``, on which subscriptions are made anew: the library
    can reconnect itself, but leaves sockets behind when it is closed or thrown out meanwhile.
    """

    def __init__(self, options: NatsOptions, *, first_connect_s: float = FIRST_CONNECT_S) -> None:
        self._options = options
        self._first_connect_s = first_connect_s
        self._listeners: list[Callable[[bool], None]] = []
        self._errors: dict[str, None] = {}
        self._users = 0
        self._closing = False
        self._was_up = False
        self._is_gone = asyncio.Event()
        self._stack = AsyncExitStack()
        self._watch: asyncio.Task[None] | None = None
        self.client = Client()

    @property
    def is_up(self) -> bool:
        """Tell whether the server is reachable as far as the client knows."""
        return self.client.is_connected and not self.client.is_draining

    def listen(self, callback: Callable[[bool], None]) -> None:
        """Have ``callback`` called on the event loop when the server goes or comes; not block."""
        self._listeners.append(callback)

    async def start(self) -> None:
        """Connect; close it also if this fails.

        Raises:
            Unavailable: no server answered, or none of them let us in; the message says which.
        """
        self._users += 1
        if self._users > 1:
            return
        try:
            self.client = await self._connected()
        except (*FAULTS, ValueError) as exc:
            reason = self._reason or str(exc) or "no answer in time."
            raise Unavailable(
                f"NATS at {self._options.places} cannot be used: {reason} Check bus.urls, the "
                "credentials and that the server runs."
            ) from exc
        self._was_up = True
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._watch = group.create_task(self._come_back())
        _log.info("connected to NATS", extra={"servers": self._options.places})

    async def aclose(self) -> None:
        """Disconnect; a server that does not react is not waited for."""
        self._users -= 1
        if self._users > 0:
            return
        self._closing, self._was_up = True, False
        self._listeners.clear()
        if self._watch is not None:
            self._watch.cancel()
        await self._stack.aclose()
        await self._disconnect(self.client)

    def check(self) -> None:
        """Raise ``Unavailable`` while the server is known to be away."""
        if not self.is_up:
            raise Unavailable(f"NATS is not reachable: {self._reason or 'disconnected.'}")

    async def _connected(self) -> Client:
        """Return a connected client, or raise what ``start`` explains once the time is over."""
        options = self._options.connect_options()
        async with asyncio.timeout(self._first_connect_s):
            while True:
                try:
                    return await self._open(options)
                except FAULTS as exc:
                    _log.debug("NATS does not let us in: %s", exc)
                await asyncio.sleep(RECONNECT_WAIT_S)

    async def _open(self, options: dict[str, Any]) -> Client:
        client = Client()
        try:
            await client.connect(
                **options,
                error_cb=self._failed,
                disconnected_cb=self._lost,
                closed_cb=self._closed,
                allow_reconnect=False,
                connect_timeout=2,
                reconnect_time_wait=RECONNECT_WAIT_S,  # type: ignore[arg-type]
                max_reconnect_attempts=-1,
                ping_interval=PING_S,
                pending_size=PENDING_BYTES,
                flush_timeout=CLOSE_S,
            )
        except BaseException:  # also if nobody waits any more
            await self._disconnect(client)
            raise
        return client

    async def _disconnect(self, client: Client) -> None:
        if not client.options:
            return  # it never tried to connect, which the client does not expect here
        try:
            async with asyncio.timeout(CLOSE_S):
                await client.close()
        except FAULTS as exc:
            _log.debug("the connection to NATS did not close: %s", exc)
        _abort(client)

    async def _come_back(self) -> None:
        """Connect again whenever the connection is gone.

        The client is also looked at now and then: it does not always say that it has closed.
        """
        while not self._closing:
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._is_gone.wait()
            except TimeoutError:
                pass
            self._is_gone.clear()
            if not self.client.is_closed:
                continue
            await self._lost()
            await self._disconnect(self.client)
            try:
                self.client = await self._connected()
            except (*FAULTS, ValueError) as exc:
                _log.debug("NATS is still away: %s", exc)
            else:
                self._found()

    async def _failed(self, error: Exception) -> None:
        said = f"{str(error).removeprefix('nats: ') or type(error).__name__}."
        if len(self._errors) < ERRORS:
            self._errors[said] = None
        _log.debug("NATS: %s", said)

    async def _lost(self) -> None:
        if self._was_up:
            self._was_up = False
            _log.warning("lost the connection to NATS, reconnecting: %s", self._reason)
            self._tell(is_up=False)

    def _found(self) -> None:
        self._was_up = True
        self._errors.clear()
        _log.info("connected to NATS again")
        self._tell(is_up=True)

    async def _closed(self) -> None:
        self._is_gone.set()

    @property
    def _reason(self) -> str:
        """What went wrong since it last worked: the telling error is often the first."""
        return " ".join(self._errors)

    def _tell(self, *, is_up: bool) -> None:
        for listener in self._listeners:
            listener(is_up)


def _abort(client: Client) -> None:
    """Let go of the socket, also if there is something left that the server does not take."""
    transport = client._transport  # noqa: SLF001 - the client only closes politely
    if isinstance(transport, TcpTransport):
        for writer in (transport._io_writer, transport._bare_io_writer):  # noqa: SLF001
            if writer is not None:
                writer.transport.abort()
