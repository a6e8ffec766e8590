"""Replies of a model to somebody who edits: what they are told while it writes."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

import msgspec

from domain.shared.chat import (
    ContentReplaced,
    ModelEvent,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    Usage,
    UsageReported,
)
from infra.contract.clock import Clock


class ReplyBegan(msgspec.Struct, frozen=True, kw_only=True, tag="reply.started"):
    """The provider answers; ``model`` as the provider calls it."""

    model: str


class ReplyPiece(msgspec.Struct, frozen=True, kw_only=True, tag="reply.delta"):
    """The next piece of the reply; ``reasoning`` is never part of the answer."""

    text: str
    reasoning: str


class ReplyReplaced(msgspec.Struct, frozen=True, kw_only=True, tag="reply.replaced"):
    """The reply so far is this instead."""

    text: str
    reasoning: str


class ReplyEnded(msgspec.Struct, frozen=True, kw_only=True, tag="reply.completed"):
    """The reply is complete; ``refusal`` is what a model says that refuses."""

    finish_reason: str
    refusal: str
    usage: Usage
    first_token_ms: int | None
    """Until the first piece of the reply or its reasoning; null for a reply without any."""
    duration_ms: int


TrialEvent = ReplyBegan | ReplyPiece | ReplyReplaced | ReplyEnded


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TimedEvent(Generic[T]):
    """An event, with the instant that it happened at in Unix milliseconds."""

    event: T
    at_ms: int

    @classmethod
    def now(cls, event: T, clock: Clock) -> Self:
        """Take an event that happens now."""
        return cls(event, round(clock.now().timestamp() * 1000))


async def timed_events(
    events: AsyncGenerator[ModelEvent, None],
    *,
    clock: Clock,
    monotonic: Callable[[], float] = time.monotonic,
) -> AsyncGenerator[list[TimedEvent[TrialEvent]], None]:
    """Tell a reply as events; iterate inside ``aclosing``."""
    reply = _Reply(monotonic)
    async with aclosing(events):
        async for event in events:
            if (shown := reply.take(event)) is not None:
                yield [TimedEvent.now(shown, clock)]


class _Reply:
    """What is known of a reply while it comes."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._began_at = monotonic()
        self._first_token_ms: int | None = None
        self._usage = Usage()

    def take(self, event: ModelEvent) -> TrialEvent | None:
        """Return what the caller is told of an event."""
        match event:
            case ReplyStarted(model=model):
                return ReplyBegan(model=model)
            case TextDelta(text):
                return self._piece(text=text)
            case ReasoningDelta(text):
                return self._piece(reasoning=text)
            case ContentReplaced():
                return ReplyReplaced(text=event.text, reasoning=event.reasoning)
            case UsageReported(usage):
                self._usage = usage
            case ReplyFinished(reason, refusal):
                return ReplyEnded(
                    finish_reason=reason.value,
                    refusal=refusal,
                    usage=self._usage,
                    first_token_ms=self._first_token_ms,
                    duration_ms=self._elapsed_ms(),
                )
            case _:
                pass  # nobody offered tools
        return None

    def _piece(self, *, text: str = "", reasoning: str = "") -> ReplyPiece:
        if self._first_token_ms is None:
            self._first_token_ms = self._elapsed_ms()
        return ReplyPiece(text=text, reasoning=reasoning)

    def _elapsed_ms(self) -> int:
        return round((self._monotonic() - self._began_at) * 1000)
