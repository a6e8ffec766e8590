"""What adapters of vendors' own wires have in common: sending, reading, failing."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from typing import Any, Final, Protocol

import msgspec

from domain.shared.chat import ChatRequest, ModelEvent, ReplyStarted
from domain.shared.tracing.span import sent
from infra.contract.egress import EgressDenied
from infra.contract.model.chat_model import ModelCallFailed, ModelEndpoint, ModelFailure
from infra.impl.chat_model import ProviderParts
from infra.impl.chat_model.frames import Frames
from infra.impl.chat_model.openai_request import image_bytes
from infra.impl.chat_model.reply_builder import ReplyBuilder
from infra.impl.http import error, provider
from infra.impl.http.reply import HttpReply, Timeouts

_GOOD: Final = 2  # hundred
_TAIL_S: Final = 2.0  # how long usage and the end may take once the finish reason is known
_WORTH_A_THREAD_BYTES: Final = 128 * 1024  # encoding this much costs about a millisecond


class Fold(Protocol):
    """Turns the JSON objects of one reply into events."""

    builder: ReplyBuilder
    is_over: bool
    """The provider said that nothing follows."""

    def take(self, raw: dict[str, Any]) -> None:
        """Fold one object in; raise ``ModelCallFailed`` for an error that it reports."""
        ...


class Dialect(Protocol):
    """What tells the wire of one vendor from that of another."""

    def address(self) -> str:
        """Return where replies are asked for."""
        ...

    def headers(self) -> dict[str, str]:
        """Return the headers, the credential included."""
        ...

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """Return the body of a streamed call."""
        ...

    def frames(self) -> Frames:
        """Return what cuts the bytes of a body into JSON texts."""
        ...

    def fold(self, request: ChatRequest) -> Fold:
        """Return what reads one reply."""
        ...

    def failed(
        self, status: int, body: bytes, headers: Mapping[str, str], *, now: datetime
    ) -> ModelCallFailed:
        """Name the failure that an answer with a bad status means."""
        ...


class NativeChatModel:
    """One model of one endpoint, spoken to in its vendor's own dialect."""

    def __init__(self, endpoint: ModelEndpoint, parts: ProviderParts, dialect: Dialect) -> None:
        self._endpoint = endpoint
        self._parts = parts
        self._dialect = dialect
        self._profile = provider.profile_of(tenant_address=endpoint.tenant_address)
        self._timeouts = Timeouts(
            connect_s=endpoint.timeouts.connect_s,
            first_s=endpoint.timeouts.first_token_s,
            idle_s=endpoint.timeouts.idle_s,
            total_s=endpoint.timeouts.total_s,
        )

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the events of the reply; see the port for promises and errors."""
        with closing(await self._send(request)) as reply:
            reader = _Reader(self._dialect.frames(), self._dialect.fold(request))
            has_begun = is_told = False
            try:
                while not reader.is_over and (piece := await reply.read_any()):
                    events = reader.feed(piece)
                    if reader.is_told and not is_told:
                        is_told = True
                        reply.hurry(_TAIL_S)
                    elif reader.has_begun and not has_begun:
                        has_begun = True
                        reply.begun()
                        reply.gather()
                    for event in events:
                        yield event
            except error.TransportError as exc:
                if not reader.is_told:  # only usage can be missing then
                    raise provider.transport_failed(exc, begun=reader.has_begun) from exc
            else:
                reply.leave()
            for event in reader.finish():
                yield event

    async def _send(self, request: ChatRequest) -> HttpReply:
        """Return a reply with a good status; the caller closes it."""
        if image_bytes(request) > _WORTH_A_THREAD_BYTES:
            body = await asyncio.to_thread(self._encode, request)
        else:
            body = self._encode(request)
        sent(body)
        gateway = self._parts.gateway
        try:
            reply = await gateway.send(
                "POST",
                gateway.parse(self._dialect.address(), profile=self._profile),
                profile=self._profile,
                timeouts=self._timeouts,
                headers=self._dialect.headers(),
                body=body,
            )
        except (error.TransportError, EgressDenied) as exc:
            raise provider.transport_failed(exc) from exc
        if reply.status // 100 == _GOOD:
            return reply
        with closing(reply):
            try:
                text = await reply.read_prefix(limit_bytes=self._parts.limits.model_error_bytes)
            except error.TransportError:
                text = b""  # the status alone says enough
        raise self._dialect.failed(reply.status, text, reply.headers, now=self._parts.clock.now())

    def _encode(self, request: ChatRequest) -> bytes:
        return msgspec.json.encode(self._dialect.body(request))


class _Reader:
    """Reads one body and judges how it ended."""

    def __init__(self, frames: Frames, fold: Fold) -> None:
        self._frames = frames
        self._fold = fold
        self._failure: ModelCallFailed | None = None
        self._has_garbage = False
        self.has_begun = False
        """A delta was handed out; from now on a failure is an interruption."""

    @property
    def is_over(self) -> bool:
        return self._failure is not None or self._fold.is_over

    @property
    def is_told(self) -> bool:
        """The finish reason is known; only usage and the end of the stream are missing."""
        return self._fold.builder.reason is not None

    def feed(self, piece: bytes) -> Sequence[ModelEvent]:
        """Return the events of one network read."""
        for text in self._frames.feed(piece):
            self._take(text)
            if self.is_over:
                break
        return self._drain()

    def finish(self) -> Sequence[ModelEvent]:
        """Return the last events.

        Raises:
            ModelCallFailed: the body was no reply, reported an error, or broke off.
        """
        if not self.is_over:
            for text in self._frames.finish():
                self._take(text)
        events = self._drain()
        if self._failure is not None:
            raise self._interrupted(self._failure) if self.has_begun else self._failure
        if not (self._fold.is_over or self.is_told):
            raise self._broken_off()
        return [*events, *self._fold.builder.close()]

    def _take(self, text: bytes) -> None:
        try:
            raw = msgspec.json.decode(text.decode("utf-8", "replace"))
        except (msgspec.DecodeError, RecursionError):
            raw = None
        if not isinstance(raw, dict):
            self._has_garbage = True
            return
        try:
            self._fold.take(raw)
        except ModelCallFailed as exc:
            self._failure = exc

    def _drain(self) -> Sequence[ModelEvent]:
        events = self._fold.builder.drain()
        if not self.has_begun:
            self.has_begun = any(not isinstance(event, ReplyStarted) for event in events)
        return events

    @staticmethod
    def _interrupted(cause: ModelCallFailed) -> ModelCallFailed:
        detail = cause.message.rstrip(".")
        return provider.failed(ModelFailure.INTERRUPTED, detail=detail, status=cause.status)

    def _broken_off(self) -> ModelCallFailed:
        if self.has_begun:
            return provider.failed(ModelFailure.INTERRUPTED, detail="it has no end")
        if self._frames.is_refused:
            return provider.failed(ModelFailure.MALFORMED, detail="the answer is too large")
        if self._has_garbage or self._frames.has_noise:
            return provider.failed(ModelFailure.MALFORMED)
        return provider.failed(ModelFailure.EMPTY)
