"""Numbered log of a live run: kept in memory within bounds, read by any number of followers."""

import asyncio
from array import array
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, aclosing, nullcontext
from dataclasses import dataclass, field
from itertools import groupby, pairwise, zip_longest
from typing import Final, Generic, TypeVar

import msgspec

from domain.shared.limits import Limits
from infra.contract.clock import Clock

E = TypeVar("E")

_COMPACT_STEP: Final = 64
"""Events between two compactions: rare enough to cost nothing, often enough to stay small."""

_HANDFUL: Final = 8
"""So few events are never too many for a follower."""

_BLOCK_CHARS: Final = 16 * 1024
RECORD_BYTES: Final = 200
"""What an event costs besides its text, about."""


class Joined(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """What a delta was joined from: events from number ``first`` on, by their lengths."""

    first: int
    text: tuple[int, ...]
    reasoning: tuple[int, ...] = ()
    """Empty if there is none."""


# Without the garbage collector, which would look through thousands of records of long answers again
# and again; so an event must never refer back to its record.
class Record(msgspec.Struct, Generic[E], frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One event of a run: numbered from 1 without gaps; ``at_ms`` is Unix time.

    A delta that is ``joined`` stands for several events and has the number of the last.
    """

    seq: int
    at_ms: int
    event: E
    joined: Joined | None = None

    @property
    def first_seq(self) -> int:
        """Number of the first event that this stands for."""
        return self.seq if self.joined is None else self.joined.first


class EventsDropped(Exception):
    """The events after the asked number are no longer in memory; the stored log may have them."""

    def __init__(self, *, resume_after: int) -> None:
        super().__init__(f"Events up to {resume_after} were dropped.")
        self.resume_after = resume_after


Piece = tuple[int, str, str]
"""Message, text and reasoning of a delta."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deltas(Generic[E]):
    """Events of one type that a late reader may get joined, if they belong to one message."""

    type: type
    split: Callable[[E], Piece]
    join: Callable[[int, str, str], E]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRules(Generic[E]):
    """What a log has to know of its events.

    ``ends`` are those that nothing follows, ``chars`` is how much text one holds. Where there are
    ``deltas``, the newest events stay as they are and older ones are joined.
    """

    chars: Callable[[E], int]
    ends: tuple[type, ...] = ()
    deltas: Deltas[E] | None = None


Stored = Callable[[int], AsyncGenerator[list[Record[E]], None]]
"""Yields the events after a number as far as they are stored."""


class RunLog(Generic[E]):
    """Never waits for a follower and never blocks the run.

    Deltas that every follower has read, or that lie further back than ``subscriber_merge_events``,
    are kept joined; a follower that reads them gets one delta for many, under the number of the
    last. The oldest events are dropped beyond ``channel_events`` entries or ``channel_bytes``.
    Events up to ``begins_after`` were told before this log began.
    """

    def __init__(
        self, rules: EventRules[E], *, clock: Clock, limits: Limits, begins_after: int = 0
    ) -> None:
        self.begins_after = begins_after
        self.last_seq = begins_after
        """Number of the last event that followers can see."""
        self.is_ended = False
        self._rules = rules
        self._clock = clock
        self._limits = limits
        self._packed: deque[_Block[E] | Record[E]] = deque()
        self._packed_bytes = 0
        self._recent: list[Record[E]] = []
        self._compact_at = _COMPACT_STEP
        self._dropped = begins_after
        self._cursors: set[_Cursor] = set()

    def number(self, event: E) -> Record[E]:
        """Give an event the next number, for ``emit`` once it may be seen."""
        at_ms = int(self._clock.now().timestamp() * 1000)
        return Record(seq=self.last_seq + 1, at_ms=at_ms, event=event)

    def emit(self, event: E, numbered: Record[E] | None = None) -> Record[E]:
        """Show an event to all followers: one append, one wake-up."""
        # What ``number`` does, once more: a call for each token is noticed.
        record = numbered
        if record is None:
            at_ms = int(self._clock.now().timestamp() * 1000)
            record = Record(seq=self.last_seq + 1, at_ms=at_ms, event=event)
        self.last_seq = record.seq
        if self._rules.deltas is None:
            self._pack(record)
            self._trim()
        else:
            self._recent.append(record)
        if isinstance(event, self._rules.ends):
            self.is_ended = True
        elif len(self._recent) >= self._compact_at:
            self._compact()
        # Who is not waiting looks at ``last_seq`` before it waits, and needs no call.
        for cursor in self._cursors:
            waiter = cursor.waiter
            if waiter is not None and not waiter.done():
                waiter.set_result(None)
        return record

    def close(self) -> None:
        """Let the followers go, even if nothing said that this is the end."""
        self.is_ended = True
        for cursor in self._cursors:
            if cursor.waiter is not None and not cursor.waiter.done():
                cursor.waiter.set_result(None)

    def since(self, after: int, *, most_bytes: int = 0) -> list[Record[E]]:
        """Return what came after event number ``after``, or its beginning of about ``most_bytes``.

        Raises:
            EventsDropped: some of it is gone.
        """
        # Numbers have no gaps, so the place of an event follows from its number.
        skipped = after - self.last_seq + len(self._recent)
        if skipped >= 0:
            recent = self._recent[skipped:]
            return self._beginning(recent, most_bytes) if len(recent) > _HANDFUL else recent
        if after < self._dropped:
            raise EventsDropped(resume_after=self._dropped)
        older: list[Record[E]] = []
        for entry in reversed(self._packed):
            if entry.seq <= after:
                break
            older.append(entry.after(after) if isinstance(entry, _Block) else entry)
        return self._beginning([*reversed(older), *self._recent], most_bytes)

    async def follow(
        self,
        after: int,
        *,
        stored: Stored[E],
        rest: Stored[E] | None = None,
        visit: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> AsyncGenerator[list[Record[E]], None]:
        """Yield everything new at each step until the log ends; iterate inside ``aclosing``.

        What was dropped comes from ``stored``; what follows a log that was closed before an event
        ended it, from ``rest``. Whoever follows is inside of ``visit`` meanwhile.
        """
        loop, most_bytes = asyncio.get_running_loop(), self._limits.follower_bytes
        cursor = _Cursor(after)
        self._cursors.add(cursor)
        try:
            with visit():
                while True:
                    if cursor.after >= self.last_seq:
                        if self.is_ended:
                            break
                        # Nothing may be awaited between the look above and this: an event in
                        # between would wake nobody.
                        cursor.waiter = loop.create_future()
                        await cursor.waiter
                        continue
                    try:
                        batch = self.since(cursor.after, most_bytes=most_bytes)
                    except EventsDropped as exc:
                        known = _until(exc.resume_after, stored(cursor.after))
                        async with aclosing(known) as parts:
                            async for records in parts:
                                yield records
                        cursor.after = exc.resume_after
                        continue
                    cursor.after = batch[-1].seq
                    yield batch
                    # The end was told, so there is no ``rest`` to tell.
                    if isinstance(batch[-1].event, self._rules.ends):
                        return
        finally:
            self._cursors.discard(cursor)
        if rest is not None:
            async with aclosing(rest(cursor.after)) as parts:
                async for records in parts:
                    yield records

    def _compact(self) -> None:
        read = min((cursor.after for cursor in self._cursors), default=0)
        keep_after = max(read, self.last_seq - self._limits.subscriber_merge_events)
        count = keep_after - (self.last_seq - len(self._recent))
        if count > 0:
            for record in self._recent[:count]:
                self._pack(record)
            del self._recent[:count]
            self._trim()
        # Counted from what had to stay: behind a slow follower each further event would try again
        # in vain.
        self._compact_at = len(self._recent) + _COMPACT_STEP

    def _pack(self, record: Record[E]) -> None:
        deltas = self._rules.deltas
        if deltas is None or not isinstance(record.event, deltas.type):
            self._packed.append(record)
            self._packed_bytes += self._size(record)
            return
        message, text, reasoning = deltas.split(record.event)
        block = self._packed[-1] if self._packed else None
        # A long piece begins its own block: whoever reads from the middle of one gets its texts
        # joined anew.
        is_long = len(text) + len(reasoning) >= _BLOCK_CHARS
        if is_long or not (isinstance(block, _Block) and block.takes(message)):
            block = _Block(deltas.join, message, first=record.seq)
            self._packed.append(block)
            self._packed_bytes += block.size
        self._packed_bytes += block.add(record, text, reasoning)

    def _trim(self) -> None:
        """Drop the oldest; the newest event always stays."""
        limits = self._limits
        while len(self._packed) + len(self._recent) > 1 and (
            len(self._packed) > limits.channel_events or self._packed_bytes > limits.channel_bytes
        ):
            oldest = self._packed.popleft()
            self._packed_bytes -= oldest.size if isinstance(oldest, _Block) else self._size(oldest)
            self._dropped = oldest.seq

    def _beginning(self, records: list[Record[E]], most_bytes: int) -> list[Record[E]]:
        """Return records until they are too large together; 0: all of them."""
        if most_bytes:
            for count, record in enumerate(records, start=1):
                most_bytes -= self._size(record)
                if most_bytes <= 0:
                    return records[:count]
        return records

    def _size(self, record: Record[E]) -> int:
        return RECORD_BYTES + self._rules.chars(record.event)


@dataclass(slots=True, eq=False)
class _Cursor:
    """How far one follower has read, and what it waits with for more."""

    after: int
    waiter: asyncio.Future[None] | None = None


async def _until(
    last: int, stored: AsyncGenerator[list[Record[E]], None]
) -> AsyncGenerator[list[Record[E]], None]:
    """Yield stored events up to number ``last``."""
    async with aclosing(stored) as parts:
        async for records in parts:
            known = [each for each in records if each.seq <= last]
            if known:
                yield known
            if len(known) < len(records):
                return


@dataclass(slots=True, eq=False)
class _Block(Generic[E]):
    """Consecutive deltas of one message up to ``seq``; ``ends`` tell where each of them ended."""

    join: Callable[[int, str, str], E]
    message: int
    first: int
    seq: int = 0
    at_ms: int = 0
    size: int = RECORD_BYTES
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    text_ends: "array[int]" = field(default_factory=lambda: array("I"))
    reasoning_ends: "array[int]" = field(default_factory=lambda: array("I"))

    def takes(self, message: int) -> bool:
        return message == self.message and self.size < _BLOCK_CHARS

    def add(self, record: Record[E], text: str, reasoning: str) -> int:
        """Append a delta and return by how much the block grew."""
        _append(self.text, self.text_ends, text)
        _append(self.reasoning, self.reasoning_ends, reasoning)
        self.seq, self.at_ms = record.seq, record.at_ms
        self.size += len(text) + len(reasoning)
        return len(text) + len(reasoning)

    def after(self, seq: int) -> Record[E]:
        """Return one delta for all that came after event number ``seq``."""
        text, reasoning = "".join(self.text), "".join(self.reasoning)
        if seq >= self.first:
            text = text[self.text_ends[seq - self.first] :]
            reasoning = reasoning[self.reasoning_ends[seq - self.first] :]
        event = self.join(self.message, text, reasoning)
        return Record(seq=self.seq, at_ms=self.at_ms, event=event, joined=self._joined(seq))

    def _joined(self, seq: int) -> Joined | None:
        skipped = max(seq + 1 - self.first, 0)
        if skipped == len(self.text_ends) - 1:
            return None
        return Joined(
            first=self.first + skipped,
            text=_lengths(self.text_ends, skipped),
            reasoning=_lengths(self.reasoning_ends, skipped) if self.reasoning else (),
        )


def _lengths(ends: "array[int]", skipped: int) -> tuple[int, ...]:
    return tuple(
        end - start
        for start, end in pairwise([ends[skipped - 1] if skipped else 0, *ends[skipped:]])
    )


def parted(record: Record[E], deltas: Deltas[E], *, after: int = 0) -> list[Record[E]]:
    """Split a joined delta between text and reasoning, and behind the event number ``after``.

    So what is made of the parts does not depend on how much was joined before ``after``.
    """
    joined = record.joined
    if joined is None:
        return [record]
    message, text, reasoning = deltas.split(record.event)
    parts: list[Record[E]] = []
    lengths = zip_longest(joined.text, joined.reasoning, fillvalue=0)
    for kind, group in groupby(
        enumerate(lengths, joined.first),
        key=lambda each: (each[1][0] > 0, each[1][1] > 0, each[0] > after),
    ):
        sizes = dict(group)
        first, last = min(sizes), max(sizes)
        text_chars = sum(size for size, _ in sizes.values())
        reasoning_chars = sum(size for _, size in sizes.values())
        event = deltas.join(message, text[:text_chars], reasoning[:reasoning_chars])
        text, reasoning = text[text_chars:], reasoning[reasoning_chars:]
        part = None
        if last > first:
            part = Joined(
                first=first,
                text=tuple(size for size, _ in sizes.values()),
                reasoning=tuple(size for _, size in sizes.values()) if kind[1] else (),
            )
        parts.append(Record(seq=last, at_ms=record.at_ms, event=event, joined=part))
    return parts


def _append(pieces: list[str], ends: "array[int]", piece: str) -> None:
    """Add a piece; joined now and then, for a list of words takes ten times the room of a text."""
    if piece:
        pieces.append(piece)
    ends.append((ends[-1] if ends else 0) + len(piece))
    if len(pieces) > _COMPACT_STEP:
        pieces[:] = ["".join(pieces)]
