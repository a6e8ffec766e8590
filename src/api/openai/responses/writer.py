"""Items of a response, and the numbered events that tell how they come about."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from api.renderer.line import json_line, json_text

NUMBERS_PER_EVENT: Final = 1024
"""Wire events that one event of a run may become: their numbers survive a joined log."""

NEVER: Final = 2**62
"""Greater than every number: whoever has seen all up to it is told nothing."""

Item = dict[str, Any]
Seal = Callable[[str], str]
"""Makes a text unreadable to everybody but us."""


@dataclass(slots=True)
class _Open:
    """The item that is being written."""

    id: str
    kind: Literal["message", "reasoning"]
    index: int
    text: list[str] = field(default_factory=list)
    head: bytes = b""
    """What each of its deltas begins with."""


class ResponseWriter:
    """Builds the items of one response, one after the other, and encodes the events.

    ``number`` is the sequence number of the next event: that of the run's event that is told, times
    1024, and its place among what is made of that. So a reader that comes back gets the same
    numbers, however much of the log was joined meanwhile. Events up to number ``after`` are left
    out.
    """

    def __init__(self, *, after: int = -1, base: int = 0, seal: Seal | None = None) -> None:
        """``seal`` makes what the client keeps of reasoning, where it wants to."""
        self.output: list[Item] = []
        self._seal = seal
        self._after = after
        self._base = base
        self._number = base * NUMBERS_PER_EVENT
        self._open: _Open | None = None

    def at(self, seq: int) -> None:
        """Tell what is made of the run's event of this number."""
        self._number = max(self._number, (self._base + seq) * NUMBERS_PER_EVENT)

    def event(self, kind: str, fields: Mapping[str, Any]) -> bytes:
        """Encode one event."""
        number = self._next()
        if number <= self._after:
            return b""
        body = json_line({"type": kind, **fields, "sequence_number": number})
        return b"event: %s\ndata: %s\n\n" % (kind.encode(), body)

    def piece(
        self, kind: Literal["message", "reasoning"], item_id: str, text: str, *, seq: int
    ) -> bytes:
        """Write a piece of a message or of its reasoning; the item is opened by the first one.

        ``seq`` is the number of the last event that the piece stands for.
        """
        opened = self._open
        if opened is not None and opened.id == item_id:
            frames = b""
        else:
            is_thought = opened is not None and opened.kind == "reasoning"
            frames = self.close("completed" if is_thought else "incomplete")
            opened, opening = self._opened(kind, item_id)
            frames += opening
        self.at(seq)
        opened.text.append(text)
        number = self._next()
        if number <= self._after:
            return frames
        return frames + b'%s%s,"sequence_number":%d}\n\n' % (
            opened.head,
            json_text(text),
            number,
        )

    @property
    def has_open(self) -> bool:
        return self._open is not None

    def is_open(self, item_id: str) -> bool:
        return self._open is not None and self._open.id == item_id

    def close(
        self,
        status: str,
        *,
        text: str | None = None,
        annotations: Sequence[Item] = (),
        phase: str = "final_answer",
    ) -> bytes:
        """Finish the item that is open, if any; ``text`` is what it says in the end."""
        opened, self._open = self._open, None
        if opened is None:
            return b""
        said = "".join(opened.text)
        text = said if text is None else text
        if opened.kind == "reasoning":
            return self._close_reasoning(opened, text, status)
        frames = b""
        place = {"item_id": opened.id, "output_index": opened.index, "content_index": 0}
        if text != said and text.startswith(said):
            frames += self._delta(opened, text[len(said) :])
        for index, annotation in enumerate(annotations):
            frames += self.event(
                "response.output_text.annotation.added",
                {**place, "annotation_index": index, "annotation": annotation},
            )
        part = output_text(text, annotations)
        frames += self.event("response.output_text.done", {**place, "text": text, "logprobs": []})
        frames += self.event("response.content_part.done", {**place, "part": part})
        item = {
            "id": opened.id,
            "type": "message",
            "status": status,
            "role": "assistant",
            "content": [part],
            "phase": phase,
        }
        return frames + self._done(item)

    def refusal(self, item_id: str, text: str) -> bytes:
        """Write a message that says why there is no answer."""
        place = {"item_id": item_id, "output_index": len(self.output), "content_index": 0}
        head = {"id": item_id, "type": "message", "role": "assistant"}
        part = {"type": "refusal", "refusal": text}
        frames = self.close("incomplete")
        frames += self._added({**head, "status": "in_progress", "content": []})
        frames += self.event(
            "response.content_part.added", {**place, "part": {**part, "refusal": ""}}
        )
        frames += self.event("response.refusal.delta", {**place, "delta": text})
        frames += self.event("response.refusal.done", {**place, "refusal": text})
        frames += self.event("response.content_part.done", {**place, "part": part})
        return frames + self._done(
            {**head, "status": "completed", "content": [part], "phase": "final_answer"}
        )

    def thought(self, item_id: str, text: str) -> bytes:
        """Write reasoning that nobody reads but us, where the client keeps it."""
        item = {"id": item_id, "type": "reasoning", "summary": [], "status": "completed"}
        if self._seal is None or not text:
            return b""
        return self.whole(
            {**item, "encrypted_content": self._seal(text)}, item | {"status": "in_progress"}
        )

    def call(self, item_id: str, *, call_id: str, name: str, arguments: str) -> bytes:
        """Write a call that the client is to execute."""
        item = {
            "id": item_id,
            "type": "function_call",
            "status": "completed",
            "call_id": call_id,
            "name": name,
            "arguments": arguments,
        }
        place = {"item_id": item_id, "output_index": len(self.output)}
        frames = self.close("incomplete") + self._added(
            {**item, "status": "in_progress", "arguments": ""}
        )
        frames += self.event(
            "response.function_call_arguments.delta", {**place, "delta": arguments}
        )
        frames += self.event(
            "response.function_call_arguments.done",
            {**place, "name": name, "arguments": arguments},
        )
        return frames + self._done(item)

    def whole(self, item: Item, begun: Item) -> bytes:
        """Write an item of which nothing is told between its beginning and its end."""
        return self.close("incomplete") + self._added(begun) + self._done(item)

    def _opened(self, kind: Literal["message", "reasoning"], item_id: str) -> tuple[_Open, bytes]:
        index = len(self.output)
        opened = self._open = _Open(item_id, kind, index)
        if kind == "message":
            name = "response.output_text.delta"
            place: Item = {"item_id": item_id, "output_index": index, "content_index": 0}
            tail: Item = {"logprobs": []}
            begun: Item = {"role": "assistant", "content": []}
            opening, part = "response.content_part.added", output_text("")
        else:
            name = "response.reasoning_summary_text.delta"
            place = {"item_id": item_id, "output_index": index, "summary_index": 0}
            tail, begun = {}, {"summary": []}
            opening, part = "response.reasoning_summary_part.added", summary_text("")
        opened.head = b'event: %s\ndata: %s,"delta":' % (
            name.encode(),
            json_line({"type": name, **place, **tail})[:-1],
        )
        frames = self._added({"id": item_id, "type": kind, "status": "in_progress", **begun})
        return opened, frames + self.event(opening, {**place, "part": part})

    def _delta(self, opened: _Open, text: str) -> bytes:
        number = self._next()
        if number <= self._after:
            return b""
        return b'%s%s,"sequence_number":%d}\n\n' % (opened.head, json_text(text), number)

    def _close_reasoning(self, opened: _Open, text: str, status: str) -> bytes:
        place = {"item_id": opened.id, "output_index": opened.index, "summary_index": 0}
        part = summary_text(text)
        frames = self.event("response.reasoning_summary_text.done", {**place, "text": text})
        frames += self.event("response.reasoning_summary_part.done", {**place, "part": part})
        item = {"id": opened.id, "type": "reasoning", "summary": [part], "status": status}
        if self._seal is not None:
            item["encrypted_content"] = self._seal(text)
        return frames + self._done(item)

    def _added(self, item: Item) -> bytes:
        fields = {"output_index": len(self.output), "item": item}
        return self.event("response.output_item.added", fields)

    def _done(self, item: Item) -> bytes:
        frames = self.event(
            "response.output_item.done", {"output_index": len(self.output), "item": item}
        )
        self.output.append(item)
        return frames

    def _next(self) -> int:
        number = self._number
        self._number += 1
        return number


def output_text(text: str, annotations: Sequence[Item] = ()) -> Item:
    """Make the part of a message that holds its text."""
    return {
        "type": "output_text",
        "text": text,
        "annotations": list(annotations),
        "logprobs": [],
    }


def summary_text(text: str) -> Item:
    """Make the part of a reasoning item."""
    return {"type": "summary_text", "text": text}
