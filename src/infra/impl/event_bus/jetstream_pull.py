"""Pulling notices of one consumer, a few at a time."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.api import DEFAULT_PREFIX, Header

from infra.contract.event_relay import Notice
from infra.impl.nats.connection import FAULTS, NatsConnection

EXPIRES_S: Final = 20.0
SLACK_S: Final = 2.0
"""How much later than agreed the server may say that a pull has expired."""
PENDING: Final = 256
_GONE: Final = frozenset({"404", "503"})
_CONFLICT: Final = "409"

_log: Final = logging.getLogger(__name__)


class Puller:
    """Keeps at most one request for notices open; nobody ever waits in it, so closing is quick.

    ``arrived`` takes each notice with its message; ``ended`` is called when the server has ended
    the request, with whether the consumer seems to be gone.
    """

    def __init__(
        self,
        connection: NatsConnection,
        *,
        stream: str,
        durable: str,
        arrived: Callable[[Notice, Msg], None],
        ended: Callable[[bool], None],
    ) -> None:
        self._connection = connection
        self._client: Client | None = None
        self._subject = f"{DEFAULT_PREFIX}.CONSUMER.MSG.NEXT.{stream}.{durable}"
        self._arrived = arrived
        self._ended = ended
        self._inbox = ""
        self._subscription: Subscription | None = None
        self._awaited = 0
        self._expires_at = 0.0

    async def close(self) -> None:
        """Take nothing more; what the server has sent meanwhile it sends again to somebody."""
        if self._subscription is not None:
            try:
                await self._subscription.unsubscribe()
            except FAULTS as exc:
                _log.debug("a pull did not close: %s", exc)

    def forget(self) -> None:
        """Treat the open request as lost, because the connection was."""
        self._awaited = 0

    async def ask(self, count: int) -> None:
        """Ask for ``count`` notices unless a request is open already."""
        await self._listen()
        now = asyncio.get_running_loop().time()
        if count < 1 or (self._awaited > 0 and now < self._expires_at + SLACK_S):
            return
        self._awaited, self._expires_at = count, now + EXPIRES_S
        request = {"batch": count, "expires": int(EXPIRES_S * 1e9)}
        await self._connection.client.publish(
            self._subject, msgspec.json.encode(request), reply=self._inbox
        )

    async def _listen(self) -> None:
        """Listen for what the server sends; again if the client has changed."""
        client = self._connection.client
        if self._client is client:
            return
        self._inbox = client.new_inbox()
        self._subscription = await client.subscribe(
            self._inbox, cb=self._take, pending_msgs_limit=PENDING
        )
        self._client, self._awaited = client, 0

    async def _take(self, message: Msg) -> None:
        status = (message.headers or {}).get(Header.STATUS)
        if status is not None:
            said = (message.headers or {}).get(Header.DESCRIPTION, "")
            self._awaited = 0
            self._ended(status in _GONE or (status == _CONFLICT and "Deleted" in said))
            return
        self._awaited = max(self._awaited - 1, 0)
        try:
            notice = msgspec.json.decode(message.data, type=Notice)
        except msgspec.DecodeError:
            _log.warning("a message in the stream is none of ours", extra={"at": message.subject})
            await message.term()
            return
        self._arrived(notice, message)
