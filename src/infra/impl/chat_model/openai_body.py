"""Reading one response body of the OpenAI wire, whatever the server made of it."""

from collections.abc import Collection, Sequence
from enum import Enum
from typing import Final

import msgspec

from domain.shared.chat import ModelEvent, ReplyStarted
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.chat_model import ModelCallFailed, ModelFailure
from infra.impl.chat_model.openai_chunk import read_chunk
from infra.impl.chat_model.openai_reply import ReplyFolder
from infra.impl.chat_model.sse import SseReader
from infra.impl.http import provider

_DONE: Final = b"[DONE]"
_BLANK: Final = b" \t\r\n\xef\xbb\xbf"
_NOT_A_STREAM: Final = (b"{", b"[", b"<")


class Stage(Enum):
    """How far a reply has come, for the watch over its body."""

    WAITING = 1
    BEGUN = 2
    TOLD = 3
    """The finish reason is known; only usage and the end of the stream are missing."""


class BodyReader:
    """An event stream, or a whole JSON answer to a stream request.

    Which one it is shows in the first byte, whatever the content type says.
    """

    def __init__(
        self, *, model: str, secret: Secret, limits: Limits, tool_names: Collection[str]
    ) -> None:
        self._secret = secret
        self._limits = limits
        self._folder = ReplyFolder(model=model, tool_names=tool_names)
        self._sse: SseReader | None = None
        self._is_whole = False
        self._held: list[bytes] = []
        self._held_size = 0
        self._has_garbage = False
        self._failure: ModelCallFailed | None = None
        self.stage = Stage.WAITING
        self.has_begun = False
        """A delta was handed out; from now on a failure is an interruption."""
        self.is_over = False
        """The provider said that nothing follows, or reported an error."""

    def feed(self, piece: bytes) -> Sequence[ModelEvent]:
        """Return the events of one network read."""
        if self._sse is None:
            piece = self._sniff(piece)
            if self._sse is None:
                return ()
        for event in self._sse.feed(piece):
            self._take(event.data)
            if self.is_over:
                break
        return self._drain()

    def finish(self) -> Sequence[ModelEvent]:
        """Return the last events, once the body ended or ``is_over``.

        Raises:
            ModelCallFailed: the body was no reply, reported an error, or broke off.
        """
        events: list[ModelEvent] = []
        if not self.is_over:
            events.extend(self._last_words())
        if self._failure is not None:
            raise self._interrupted(self._failure) if self.has_begun else self._failure
        if not self._folder.is_started or not (self.is_over or self.stage is Stage.TOLD):
            raise self._broken_off()
        return [*events, *self._folder.close()]

    def _last_words(self) -> Sequence[ModelEvent]:
        """Take what only the end of the body completes."""
        if self._is_whole:
            whole = b"".join(self._held)
            self._take(whole.lstrip(_BLANK))
            self.is_over = not self._has_garbage
        elif self._sse is not None:
            for event in self._sse.finish():
                self._take(event.data)
        return self._drain()

    def _sniff(self, piece: bytes) -> bytes:
        """Hold the body until its first byte tells what it is; return what belongs to a stream."""
        self._held.append(piece)
        self._held_size += len(piece)
        if self._held_size > self._limits.model_reply_bytes:
            self._held.clear()
            self._fail(provider.failed(ModelFailure.MALFORMED, detail="the answer is too large"))
            return b""
        if self._is_whole:
            return b""
        start = b"".join(self._held)
        visible = start.lstrip(_BLANK)
        if visible.startswith(_NOT_A_STREAM):
            self._is_whole = True
            self.stage = Stage.BEGUN
        elif visible:
            self._sse = SseReader(limit_bytes=self._limits.model_event_bytes)
            self._held.clear()
            return start
        else:
            self._held = [start]
        return b""

    def _take(self, data: bytes) -> None:
        if data == _DONE:
            self.is_over = True
            return
        chunk = read_chunk(data)
        if chunk is None:
            self._has_garbage = True
        elif chunk.error:
            self._fail(provider.error_failed(chunk.error, status=0, secret=self._secret))
        elif chunk.choices is None and chunk.usage is None:
            self._take_stranger(data)
        else:
            self._folder.take(chunk)
            if self._folder.reason:
                self.stage = Stage.TOLD

    def _take_stranger(self, data: bytes) -> None:
        """Tell an error without the usual wrapping from things to ignore, such as pings."""
        raw = msgspec.json.decode(data.decode("utf-8", "replace"))
        if isinstance(raw, dict) and (raw.get("object") == "error" or raw.get("message")):
            self._fail(provider.error_failed(raw, status=0, secret=self._secret))
        else:
            self._has_garbage = True

    def _drain(self) -> Sequence[ModelEvent]:
        events = self._folder.drain()
        if (
            not self.has_begun
            and events
            and (len(events) > 1 or not isinstance(events[0], ReplyStarted))
        ):
            self.has_begun = True
            if self.stage is Stage.WAITING:
                self.stage = Stage.BEGUN
        return events

    def _fail(self, failure: ModelCallFailed) -> None:
        self._failure = failure
        self.is_over = True

    @staticmethod
    def _interrupted(cause: ModelCallFailed) -> ModelCallFailed:
        detail = cause.message.rstrip(".")
        return provider.failed(ModelFailure.INTERRUPTED, detail=detail, status=cause.status)

    def _broken_off(self) -> ModelCallFailed:
        if self.has_begun:
            return provider.failed(ModelFailure.INTERRUPTED, detail="it has no end")
        if self._has_garbage:
            return provider.failed(ModelFailure.MALFORMED)
        return provider.failed(ModelFailure.EMPTY)
