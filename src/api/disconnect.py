"""Disconnects of clients: work that is for one caller alone ends when the caller is gone.

Runs are none of it: they belong to the process, have records, and say themselves what a caller
that leaves is to them.
"""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

from litestar import Request
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from api.entry.permit import WhilePermitted
from api.error import ClientGone
from domain.shared.act import current_act

T = TypeVar("T")


class EndsWithClient:
    """Middleware of a route whose work ends with its client, unless the answer has begun.

    So what waits for a place leaves the line and never begins, and what runs gives its place to
    whoever is next. An audited act that is cut short may have been done: the audit log tells of it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handler: Any = scope["route_handler"]
        exchange = _Exchange(receive, send, reads_body=handler.parsed_data_field is not None)
        try:
            await _unless_gone(
                self._app(scope, exchange.receive, exchange.send), exchange.disconnect()
            )
        except ClientGone:
            if (act := current_act()) is not None:
                act.is_cut_short = True
            raise


class _Exchange:
    """What a request has received and sent so far."""

    def __init__(self, receive: Receive, send: Send, *, reads_body: bool) -> None:
        self._receive, self._send = receive, send
        self._is_read = asyncio.Event()
        self._has_answered = False
        if not reads_body:
            self._is_read.set()

    async def receive(self) -> Any:
        message = await self._receive()
        if not message.get("more_body"):
            self._is_read.set()
        return message

    async def send(self, message: Message) -> None:
        self._has_answered = True
        await self._send(message)

    async def disconnect(self) -> None:
        """Raise ``ClientGone`` if the client leaves before the answer begins."""
        await self._is_read.wait()  # until then whoever reads the body hears of it
        await until_disconnect(self._receive)
        if not self._has_answered:
            raise ClientGone


async def while_connected(request: Request[Any, Any, Any], work: Awaitable[T]) -> T:
    """Await ``work``, but cancel it once the client hangs up; the body must have been read.

    For routes of which only some requests are for their caller alone.

    Raises:
        ClientGone: the client left first.
        Unauthenticated: the caller's rights ended first.
    """

    async def permitted() -> T:
        async with WhilePermitted(request.scope):
            return await work

    async def disconnect() -> None:
        await until_disconnect(request.receive)
        raise ClientGone

    return await _unless_gone(permitted(), disconnect())


async def until_disconnect(receive: Receive) -> None:
    """Return when the client has left; whatever else it sends is thrown away."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _unless_gone(work: Awaitable[T], watch: Coroutine[Any, Any, None]) -> T:
    """Await ``work``, but cancel it as soon as ``watch`` raises ``ClientGone``."""
    outcome: T | Exception
    try:
        async with asyncio.TaskGroup() as tasks:
            watcher = tasks.create_task(watch)
            try:
                outcome = await work
            except Exception as exc:  # noqa: BLE001 - raised below; a group would wrap it
                outcome = exc
            watcher.cancel()
    except* ClientGone:
        raise ClientGone from None
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
