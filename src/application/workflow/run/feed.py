"""The live events of one stretch of a run, read by any number of followers."""

from collections import deque
from collections.abc import AsyncGenerator

from application.shared.waiters import Waiters
from application.workflow.run.event import MessageChunk, NodeEnded, RunEvent, RunRecord
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_RECORD_BYTES = 300
"""What an event costs besides its text, about."""


class EventsDropped(Exception):
    """What was asked for is no longer in memory; the log has it."""

    def __init__(self, *, first: int) -> None:
        super().__init__(f"Events before {first} are only in the log.")
        self.first = first


class RunFeed:
    """Never waits for a follower and never blocks the run; the oldest events make room."""

    def __init__(self, *, clock: Clock, limits: Limits, last_seq: int = 0) -> None:
        self._clock = clock
        self._limits = limits
        self._records: deque[RunRecord] = deque()
        self._bytes = 0
        self._waiting = Waiters()
        self._numbered = last_seq
        self.last_seq = last_seq
        """Number of the last event that followers can see."""
        self.is_ended = False

    def number(self, event: RunEvent) -> RunRecord:
        """Give an event its number without showing it yet."""
        self._numbered += 1
        at_ms = int(self._clock.now().timestamp() * 1000)
        return RunRecord(seq=self._numbered, at_ms=at_ms, event=event)

    def show(self, record: RunRecord) -> None:
        """Let followers see an event."""
        self.last_seq = record.seq
        self._records.append(record)
        self._bytes += _size(record.event)
        limits = self._limits
        while len(self._records) > limits.channel_events or (
            self._bytes > limits.channel_bytes and len(self._records) > 1
        ):
            self._bytes -= _size(self._records.popleft().event)
        if self._waiting:
            self._waiting.wake()

    def close(self) -> None:
        """Let the followers go."""
        self.is_ended = True
        self._waiting.wake()

    def since(self, after: int) -> list[RunRecord]:
        """Return what came after event number ``after``; raise ``EventsDropped``."""
        if after >= self.last_seq:
            return []
        first = self._records[0].seq if self._records else self.last_seq + 1
        if after + 1 < first:
            raise EventsDropped(first=first)
        if after + 1 == first:
            return list(self._records)
        skipped = after + 1 - first
        return [record for number, record in enumerate(self._records) if number >= skipped]

    async def follow(self, after: int) -> AsyncGenerator[list[RunRecord], None]:
        """Yield everything new at each step until the stretch is over; raise ``EventsDropped``."""
        while True:
            batch = self.since(after)
            if batch:
                after = batch[-1].seq
                yield batch
            elif self.is_ended:
                return
            else:
                await self._waiting.wait()


def _size(event: RunEvent) -> int:
    """Bytes of an event, about: only texts are large."""
    match event:
        case MessageChunk(text=text) | NodeEnded(raw_output=text):
            return _RECORD_BYTES + len(text)
        case _:
            return _RECORD_BYTES
