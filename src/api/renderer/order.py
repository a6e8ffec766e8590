"""Puts events into an order that wires with one answer at a time can carry."""

from collections.abc import Iterable, Sequence
from typing import Final

from application.conversation.run.event import (
    TERMINAL,
    MessageCompleted,
    MessageDelta,
    RunEvent,
    RunRecord,
)
from domain.conversation.value import MessageKind

DELTA_CHARS: Final = 128 * 1024
"""Longest delta in characters: no frame may exceed 1 MiB, and one character takes six bytes."""


class AnswerOrder:
    """Holds back a parallel answer until the current one is complete, and merges deltas.

    Neighbouring deltas of one message in one batch become one; text never overtakes reasoning.
    """

    def __init__(self) -> None:
        self._current: int | None = None
        self._waiting: dict[int, list[MessageDelta | MessageCompleted]] = {}

    def piece(self, batch: Sequence[RunRecord]) -> MessageDelta | None:
        """Return the only event of a batch if it can be written as it is: nearly always a token."""
        if len(batch) == 1:
            event = batch[0].event
            if isinstance(event, MessageDelta) and event.message_id == self._current:
                return event if len(event.text) + len(event.reasoning) <= DELTA_CHARS else None
        return None

    def arrange(self, batch: Sequence[RunRecord]) -> Iterable[RunEvent]:
        """Return the events of a batch in the order to write them."""
        if (piece := self.piece(batch)) is not None:
            return (piece,)
        events: list[RunEvent] = []
        for record in batch:
            self._take(record.event, events)
        return merged(events)

    def _take(self, event: RunEvent, events: list[RunEvent]) -> None:
        if isinstance(event, MessageDelta):
            if self._current is None:
                self._current = event.message_id
            if event.message_id == self._current:
                events.append(event)
            else:
                self._waiting.setdefault(event.message_id, []).append(event)
        elif isinstance(event, MessageCompleted) and event.message.kind is MessageKind.ANSWER:
            self._complete(event, events)
        else:
            if isinstance(event, TERMINAL):
                self._release_all(events)
            events.append(event)

    def _complete(self, event: MessageCompleted, events: list[RunEvent]) -> None:
        if self._current not in {None, event.message.id}:
            self._waiting.setdefault(event.message.id, []).append(event)
            return
        events.append(event)
        self._current = None
        while self._waiting and self._current is None:
            message_id, waiting = next(iter(self._waiting.items()))
            del self._waiting[message_id]
            events.extend(waiting)
            if not isinstance(waiting[-1], MessageCompleted):
                self._current = message_id

    def _release_all(self, events: list[RunEvent]) -> None:
        for waiting in self._waiting.values():
            events.extend(waiting)
        self._waiting.clear()
        self._current = None


def merged(events: Sequence[RunEvent]) -> list[RunEvent]:
    """Join neighbouring deltas of one message that carry the same kind of text."""
    result: list[RunEvent] = []
    run: list[MessageDelta] = []
    for event in events:
        if isinstance(event, MessageDelta):
            if run and not _is_mergeable(run[-1], event):
                _flush(run, result)
            run.append(event)
        else:
            _flush(run, result)
            result.append(event)
    _flush(run, result)
    return result


def _is_mergeable(earlier: MessageDelta, later: MessageDelta) -> bool:
    """Tell whether both are pure text, or both pure reasoning, of one message."""
    if earlier.message_id != later.message_id:
        return False
    if earlier.reasoning or later.reasoning:
        return not earlier.text and not later.text
    return True


def _flush(run: list[MessageDelta], result: list[RunEvent]) -> None:
    if len(run) == 1 and len(run[0].text) + len(run[0].reasoning) <= DELTA_CHARS:
        result.append(run[0])
    elif run:
        message_id = run[0].message_id
        reasoning = "".join([delta.reasoning for delta in run])
        text = "".join([delta.text for delta in run])
        result += [MessageDelta(message_id=message_id, reasoning=p) for p in _pieces(reasoning)]
        result += [MessageDelta(message_id=message_id, text=p) for p in _pieces(text)]
    run.clear()


def _pieces(text: str) -> list[str]:
    return [text[start : start + DELTA_CHARS] for start in range(0, len(text), DELTA_CHARS)]
