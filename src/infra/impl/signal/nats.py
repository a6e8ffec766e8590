"""Signals between processes over NATS, without a stream: who is not there does not hear them."""

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import Final
from uuid import uuid4

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from domain.shared.tracing.span import traceparent
from infra.contract.messaging.signal import SignalHandler
from infra.impl.nats.connection import FAULTS, NatsConnection
from infra.impl.signal.handlers import Handlers

WAITING: Final = 4096
"""Signals that may wait to be sent; equal ones wait once."""
PENDING: Final = 4096
SEND_S: Final = 2.0
CLOSE_S: Final = 2.0

_log: Final = logging.getLogger(__name__)


class _Signal(msgspec.Struct, frozen=True):
    """What travels; the subject names what happened."""

    sender: str
    key: str


class NatsSignals:
    """Tells this process at once and the others through the server; without it, only this one.

    ``prefix`` starts all subjects, so that deployments can share an account.
    """

    def __init__(self, connection: NatsConnection, *, prefix: str = "coterie") -> None:
        self._connection = connection
        self._prefix = f"{prefix}.signals."
        self._sender = uuid4().hex
        self._handlers = Handlers()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[tuple[str, str], str] = {}
        """With the place in a trace that they were sent from."""
        self._woken = asyncio.Event()
        self._client: Client | None = None
        self._subscriptions: list[Subscription] = []
        self._stack = AsyncExitStack()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect and begin to pass signals on; those sent before are dropped.

        Raises:
            Unavailable: there is no server.
        """
        self._stack.push_async_callback(self._connection.aclose)
        await self._connection.start()
        self._connection.listen(self._connection_changed)
        await self._subscribe()
        self._loop = asyncio.get_running_loop()
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._task = group.create_task(self._send_waiting())

    async def aclose(self) -> None:
        """Stop hearing and sending; what waits to be sent is sent if that is quick."""
        self._loop = None
        for subscription in self._subscriptions:
            try:
                await subscription.unsubscribe()
            except FAULTS as exc:
                _log.debug("a subscription to signals did not close: %s", exc)
        self._subscriptions.clear()
        self._woken.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=CLOSE_S)
            self._task.cancel()
        await self._stack.aclose()

    def send(self, subject: str, key: str) -> None:
        """Send without waiting; what cannot be sent is dropped."""
        if self._loop is None:
            return
        # In a turn of its own: a handler must not run inside of whoever sends.
        self._loop.call_soon(self._handlers.call, subject, key)
        if self._connection.is_up and len(self._waiting) < WAITING:
            self._waiting[subject, key] = traceparent()
            self._woken.set()

    def listen(self, subject: str, handler: SignalHandler) -> None:
        """Call ``handler`` with each key sent to ``subject``; register before ``start``."""
        if self._task is not None:
            raise RuntimeError("Listen before the signals start.")
        self._handlers.add(subject, handler)

    def _connection_changed(self, is_up: bool) -> None:
        if is_up:
            self._woken.set()

    async def _subscribe(self) -> None:
        """Hear what others send; again if the client has changed."""
        client = self._connection.client
        if self._client is client:
            return
        self._subscriptions = [
            await client.subscribe(
                f"{self._prefix}{subject}", cb=self._take, pending_msgs_limit=PENDING
            )
            for subject in sorted(self._handlers.subjects)
        ]
        self._client = client

    async def _send_waiting(self) -> None:
        while self._loop is not None or self._waiting:
            await self._woken.wait()
            self._woken.clear()
            waiting, self._waiting = self._waiting, {}
            try:
                if self._loop is not None:
                    await self._subscribe()
                for (subject, key), sent_from in waiting.items():
                    async with asyncio.timeout(SEND_S):
                        await self._send(subject, key, sent_from)
            except FAULTS as exc:
                _log.debug("signals were lost: %s", exc)

    async def _send(self, subject: str, key: str, sent_from: str) -> None:
        body = msgspec.json.encode(_Signal(self._sender, key))
        headers = {"traceparent": sent_from} if sent_from else None
        await self._connection.client.publish(f"{self._prefix}{subject}", body, headers=headers)

    async def _take(self, message: Msg) -> None:
        try:
            signal = msgspec.json.decode(message.data, type=_Signal)
        except msgspec.DecodeError:
            _log.debug("what came as a signal is none", extra={"subject": message.subject})
            return
        # The server tells everybody, the sender too, whose own handlers were called at once.
        if signal.sender != self._sender and self._loop is not None:
            self._handlers.call(message.subject.removeprefix(self._prefix), signal.key)
