"""Streams of numbered events that go on where they broke off."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

from coterie_client._errors import (
    ConnectionFailed,
    CoterieError,
    StreamBroken,
    error_of_stream,
)
from coterie_client._frames import Frame, FrameReader
from coterie_client._retry import Patience
from coterie_client._transport import AsyncTransport, Request
from coterie_client.events import event_of, members_by_type

_BROKEN: Final = "The stream ended before its last event."

E = TypeVar("E")


class AsyncReading(ABC, Generic[E]):
    """Events as they are read; leaving the block ends the reading, not what the server does."""

    def __init__(self, transport: AsyncTransport, *, after: int = 0) -> None:
        self.last_seq = after
        self._transport = transport
        self._events = self._read()

    @abstractmethod
    def _read(self) -> AsyncGenerator[E, None]: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __aiter__(self) -> AsyncIterator[E]:
        return self._events

    async def aclose(self) -> None:
        """Stop reading; a run goes on."""
        await self._events.aclose()


class AsyncStream(AsyncReading[E]):
    """Events of a run. A lost connection is not seen: none comes twice, none is missing.

    Closing it ends the reading, not the run; ``cancel`` ends the run.
    """

    arrived: tuple[type[CoterieError], ...] = ()
    """By what a repeated first request learns that the one before had arrived."""

    def __init__(
        self, transport: AsyncTransport, first: Request, *, run_id: str = "", after: int = 0
    ) -> None:
        super().__init__(transport, after=after)
        self.run_id = run_id
        self._first = first

    @abstractmethod
    def _decode(self, frame: Frame) -> E:
        """Return the event of a frame; note what later requests need of it."""

    @abstractmethod
    def _is_last(self, frame: Frame) -> bool:
        """Tell whether nothing follows."""

    @abstractmethod
    def _next_request(self) -> Request:
        """Return the request for what follows the last event."""

    @abstractmethod
    async def cancel(self) -> None:
        """End the run."""

    async def _read(self) -> AsyncGenerator[E, None]:
        patience = Patience(self._transport.options.retries)
        is_begun, tries = False, 0
        while True:
            request = self._next_request() if is_begun and self.run_id else self._first
            tries += 1
            try:
                async with self._transport.open(request) as response:
                    is_begun = True
                    reader = FrameReader()
                    async for piece in response.aiter_bytes():
                        for frame in reader.feed(piece):
                            if frame.event == "error" and not frame.id:
                                raise error_of_stream(frame.data)
                            if frame.id <= self.last_seq:
                                continue
                            event = self._decode(frame)
                            self.last_seq = frame.id
                            patience.reset()
                            yield event
                            if self._is_last(frame):
                                return
                error: CoterieError = ConnectionFailed(_BROKEN, retryable=True)
            except CoterieError as exc:
                error = exc
            if tries > 1 and not is_begun and isinstance(error, self.arrived):
                is_begun = True
                continue
            await self._wait(error, patience, is_begun=is_begun)

    async def _wait(self, error: CoterieError, patience: Patience, *, is_begun: bool) -> None:
        """Wait before the next try, or raise why there is none."""
        goes_on = self._first.may_repeat or (is_begun and self.run_id)
        if not goes_on and (is_begun or not isinstance(error, ConnectionFailed)):
            raise error
        try:
            await self._transport.wait(error, patience)
        except ConnectionFailed as exc:
            if not self.run_id:
                raise
            raise StreamBroken(
                f"The stream of run {self.run_id} broke after event {self.last_seq}.",
                run_id=self.run_id,
                last_seq=self.last_seq,
            ) from exc


class AsyncEvents(AsyncReading[E]):
    """Events of an answer, up to its end; ``kind`` is their union.

    Where the request takes ``after``, a lost connection is not seen. Elsewhere it raises.
    """

    def __init__(self, transport: AsyncTransport, request: Request, kind: Any) -> None:
        super().__init__(transport)
        self._request = request
        self._known = members_by_type(kind)

    async def _read(self) -> AsyncGenerator[E, None]:
        patience = Patience(self._transport.options.retries)
        while True:
            request = self._request
            if self.last_seq:
                request = replace(request, query={**request.query, "after": self.last_seq})
            try:
                async with self._transport.open(request) as response:
                    reader = FrameReader()
                    async for piece in response.aiter_bytes():
                        for frame in reader.feed(piece):
                            if frame.event == "error" and not frame.id:
                                raise error_of_stream(frame.data)
                            if frame.id and frame.id <= self.last_seq:
                                continue
                            event: E = event_of(frame, self._known)
                            self.last_seq = frame.id or self.last_seq
                            patience.reset()
                            yield event
            except ConnectionFailed as exc:
                if "after" not in request.query:
                    raise
                await self._transport.wait(exc, patience)
            else:
                return
