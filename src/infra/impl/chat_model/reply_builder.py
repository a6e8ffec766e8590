"""Building the events of one reply, for wires that name their parts themselves."""

import uuid
from collections.abc import Sequence

from domain.shared import chat


class ReplyBuilder:
    """Takes what a wire's reader finds, gives events that keep the promises of the port.

    Adjacent text or reasoning of one batch becomes one delta; calls without an id get one.
    """

    def __init__(self, *, model: str) -> None:
        self._model = model
        self._out: list[chat.ModelEvent] = []
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self.call_ids: list[str] = []
        """The ids of the calls so far, in their order."""
        self.usage: chat.Usage | None = None
        self.reason: chat.FinishReason | None = None
        """Set once the provider said why the reply ended."""
        self.is_started = False

    def start(self, response_id: str = "", model: str = "") -> None:
        """Begin the reply; only the first call counts."""
        if not self.is_started:
            self.is_started = True
            given = response_id or f"reply_{uuid.uuid4().hex}"
            self._out.append(chat.ReplyStarted(given, model or self._model))

    def text(self, piece: str) -> None:
        if piece:
            if self._thoughts:
                self._flush()
            self._text.append(piece)

    def thought(self, piece: str) -> None:
        if piece:
            if self._text:
                self._flush()
            self._thoughts.append(piece)

    def open_call(self, name: str, *, call_id: str = "", arguments: str = "") -> int:
        """Announce a call; return its index. A missing or repeated id is replaced."""
        self._flush()
        if not call_id or call_id in self.call_ids:
            call_id = f"call_{uuid.uuid4().hex[:24]}"
        index = len(self.call_ids)
        self.call_ids.append(call_id)
        self._out.append(
            chat.ToolCallDelta(index=index, id=call_id, name=name, arguments=arguments)
        )
        return index

    def add_arguments(self, index: int, piece: str) -> None:
        if piece:
            self._flush()
            self._out.append(chat.ToolCallDelta(index=index, arguments=piece))

    def drain(self) -> Sequence[chat.ModelEvent]:
        """Return the events since the last call."""
        self._flush()
        events, self._out = self._out, []
        return events

    def close(self) -> Sequence[chat.ModelEvent]:
        """Return the last events: usage and the end."""
        events = list(self.drain())
        if self.usage is not None:
            events.append(chat.UsageReported(self.usage))
        reason = self.reason or chat.FinishReason.STOP
        if self.call_ids and reason is chat.FinishReason.STOP:
            reason = chat.FinishReason.TOOL_CALLS
        events.append(chat.ReplyFinished(reason))
        return events

    def _flush(self) -> None:
        """Emit pending text or reasoning; at most one of them is pending."""
        if self._text:
            self._out.append(chat.TextDelta("".join(self._text)))
            self._text.clear()
        if self._thoughts:
            self._out.append(chat.ReasoningDelta("".join(self._thoughts)))
            self._thoughts.clear()
