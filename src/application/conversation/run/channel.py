"""The live events of one run: numbered, kept in memory, read by any number of followers."""

from array import array
from collections import deque
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import Final

from application.conversation.run.event import (
    TERMINAL,
    AgentActed,
    KnowledgeRecalled,
    MessageDelta,
    RunEvent,
    RunRecord,
    ToolCompleted,
)
from application.shared.waiters import Waiters
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_COMPACT_STEP: Final = 64
"""Events between two compactions: rare enough to cost nothing, often enough to stay small."""

_HANDFUL: Final = 8
"""So few events are never too many for a follower."""

_BLOCK_CHARS: Final = 16 * 1024
_RECORD_BYTES: Final = 200
"""What an event costs besides its text, about."""


class EventsDropped(Exception):
    """The events after the asked number are no longer in memory; the event log may have them."""

    def __init__(self, *, resume_after: int) -> None:
        super().__init__(f"Events up to {resume_after} were dropped.")
        self.resume_after = resume_after


class RunChannel:
    """Never waits for a follower and never blocks the run.

    Deltas that every follower has read, or that lie further back than ``subscriber_merge_events``,
    are kept merged; a follower that reads them gets one delta for many, under the number of the
    last. The oldest are dropped beyond ``channel_events`` entries or ``channel_bytes``.
    Events up to ``begins_after`` were told before the run waited.
    """

    def __init__(self, *, clock: Clock, limits: Limits, begins_after: int = 0) -> None:
        self.begins_after = begins_after
        self._clock = clock
        self._limits = limits
        self._seq = begins_after
        self._packed: deque[_Block | RunRecord] = deque()
        self._packed_bytes = 0
        self._recent: list[RunRecord] = []
        self._compact_at = _COMPACT_STEP
        self._dropped = begins_after
        self._cursors: set[_Cursor] = set()
        self._waiting = Waiters()
        self.is_ended = False

    @property
    def last_seq(self) -> int:
        return self._seq

    def emit(self, event: RunEvent) -> None:
        """Number the event and wake whoever waits; nothing follows a terminal event."""
        self._seq += 1
        recent = self._recent
        recent.append(RunRecord(seq=self._seq, at_ms=_millis(self._clock.now()), event=event))
        if isinstance(event, TERMINAL):
            self.is_ended = True
        elif len(recent) >= self._compact_at:
            self._compact()
        if self._waiting:
            self._waiting.wake()

    def close(self) -> None:
        """Let the followers go, even if no terminal event came."""
        self.is_ended = True
        self._waiting.wake()

    def since(self, after: int, *, most_bytes: int = 0) -> list[RunRecord]:
        """Return what came after event number ``after``, or its beginning of about ``most_bytes``.

        Raises:
            EventsDropped: some of it is gone.
        """
        first_recent = self._seq - len(self._recent) + 1
        if after >= first_recent - 1:
            recent = self._recent[after - first_recent + 1 :]
            return _beginning(recent, most_bytes) if len(recent) > _HANDFUL else recent
        if after < self._dropped:
            raise EventsDropped(resume_after=self._dropped)
        packed = (
            entry.after(after) if isinstance(entry, _Block) else entry
            for entry in self._packed
            if (entry.last if isinstance(entry, _Block) else entry.seq) > after
        )
        return _beginning(chain(packed, self._recent), most_bytes)

    async def follow(self, after: int = 0) -> AsyncGenerator[list[RunRecord], None]:
        """Yield everything new at each step, until the batch that ends with the terminal event.

        Raises:
            EventsDropped: the follower was too slow, or came too late.
        """
        cursor = _Cursor(after)
        self._cursors.add(cursor)
        try:
            while True:
                batch = self.since(cursor.after, most_bytes=self._limits.follower_bytes)
                if batch:
                    cursor.after = batch[-1].seq
                    yield batch
                elif self.is_ended:
                    return
                else:
                    await self._waiting.wait()
        finally:
            self._cursors.discard(cursor)

    def _compact(self) -> None:
        read = min((cursor.after for cursor in self._cursors), default=0)
        keep_after = max(read, self._seq - self._limits.subscriber_merge_events)
        count = keep_after - (self._seq - len(self._recent))
        if count > 0:
            self._pack(self._recent[:count])
            del self._recent[:count]
            self._trim()
        self._compact_at = len(self._recent) + _COMPACT_STEP

    def _pack(self, records: Iterable[RunRecord]) -> None:
        for record in records:
            event = record.event
            if not isinstance(event, MessageDelta):
                self._packed.append(record)
                self._packed_bytes += _size(record)
                continue
            block = self._packed[-1] if self._packed else None
            if not (isinstance(block, _Block) and block.takes(event)):
                block = _Block(message_id=event.message_id, first=record.seq)
                self._packed.append(block)
            self._packed_bytes += block.add(record, event)

    def _trim(self) -> None:
        limits = self._limits
        while self._packed and (
            len(self._packed) > limits.channel_events or self._packed_bytes > limits.channel_bytes
        ):
            oldest = self._packed.popleft()
            if isinstance(oldest, _Block):
                self._packed_bytes -= oldest.size
                self._dropped = oldest.last
            else:
                self._packed_bytes -= _size(oldest)
                self._dropped = oldest.seq


@dataclass(slots=True, eq=False)
class _Cursor:
    """How far one follower has read."""

    after: int


@dataclass(slots=True, eq=False)
class _Block:
    """Consecutive deltas of one message; ``ends`` tells where each of them ended."""

    message_id: int
    first: int
    last: int = 0
    at_ms: int = 0
    size: int = _RECORD_BYTES
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    text_ends: "array[int]" = field(default_factory=lambda: array("I"))
    reasoning_ends: "array[int]" = field(default_factory=lambda: array("I"))

    def takes(self, delta: MessageDelta) -> bool:
        return delta.message_id == self.message_id and self.size < _BLOCK_CHARS

    def add(self, record: RunRecord, delta: MessageDelta) -> int:
        """Append a delta and return by how much the block grew."""
        before = self.size if self.last else 0
        if delta.text:
            self.text.append(delta.text)
        if delta.reasoning:
            self.reasoning.append(delta.reasoning)
        self.text_ends.append(self._end(self.text_ends) + len(delta.text))
        self.reasoning_ends.append(self._end(self.reasoning_ends) + len(delta.reasoning))
        self.last, self.at_ms = record.seq, record.at_ms
        self.size += len(delta.text) + len(delta.reasoning)
        self._settle()
        return self.size - before

    def after(self, seq: int) -> RunRecord:
        """Return one delta for all that came after event number ``seq``."""
        text, reasoning = "".join(self.text), "".join(self.reasoning)
        if seq >= self.first:
            text = text[self.text_ends[seq - self.first] :]
            reasoning = reasoning[self.reasoning_ends[seq - self.first] :]
        return RunRecord(
            seq=self.last,
            at_ms=self.at_ms,
            event=MessageDelta(message_id=self.message_id, text=text, reasoning=reasoning),
        )

    def _settle(self) -> None:
        """Join the pieces now and then: a list of words takes ten times the room of the text."""
        if len(self.text) > _COMPACT_STEP:
            self.text = ["".join(self.text)]
        if len(self.reasoning) > _COMPACT_STEP:
            self.reasoning = ["".join(self.reasoning)]

    @staticmethod
    def _end(ends: "array[int]") -> int:
        return ends[-1] if ends else 0


def _beginning(records: Iterable[RunRecord], most_bytes: int) -> list[RunRecord]:
    """Return records until they are too large together; 0: all of them."""
    if not most_bytes:
        return list(records)
    taken: list[RunRecord] = []
    for record in records:
        taken.append(record)
        event = record.event
        most_bytes -= len(event.text) if isinstance(event, MessageDelta) else 0
        most_bytes -= _size(record)
        if most_bytes <= 0:
            break
    return taken


def _size(record: RunRecord) -> int:
    """Bytes of an event, about: only whole messages, replacements and findings are large."""
    event = record.event
    if isinstance(event, AgentActed):
        event = event.event
    if isinstance(event, KnowledgeRecalled):
        return _RECORD_BYTES + sum(_RECORD_BYTES + len(chunk.content) for chunk in event.chunks)
    if isinstance(event, ToolCompleted):
        return _RECORD_BYTES + len(event.result)
    message = getattr(event, "message", event)
    return (
        _RECORD_BYTES + len(getattr(message, "text", "")) + len(getattr(message, "reasoning", ""))
    )


def _millis(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
