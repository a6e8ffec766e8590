"""Renderer for editors: messages piece by piece, with the event behind each in ``ext``.

Frames are ``message`` (with ``seq_id``, so that a stream can be resumed), then ``done`` or
``error``. The first one is the ack: the question is stored. A debug panel needs no second
request: ``ext.event`` names the event of the run, ``ext.data`` has its fields.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from api.error import CozeError, Failure
from api.renderer import RENDERERS, RenderContext
from api.renderer.events import wire_event
from api.renderer.line import EVENT_STREAM, json_line
from api.renderer.openai import failure_of
from application.conversation.dto import MessageView
from application.conversation.run.event import (
    MessageCompleted,
    MessageDelta,
    MessageReplaced,
    MessageStarted,
    RunCanceled,
    RunCompleted,
    RunCreated,
    RunEvent,
    RunFailed,
    RunRecord,
    RunRequiresAction,
)
from domain.conversation.value import MessageKind

BOT_STATE: Final = "bot_state"
"""Which of several agents gave an answer, as JSON text."""

_TYPES: Final = {
    MessageKind.QUESTION: "question",
    MessageKind.ANSWER: "answer",
    MessageKind.TOOL_CALLS: "function_call",
    MessageKind.TOOL_RESULT: "tool_response",
    MessageKind.FOLLOW_UP: "follow_up",
}
"""All other kinds are details, called verbose."""


class PlaygroundMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a message, or an event that is none: type ``verbose``, no content."""

    message_id: str
    reply_id: str
    role: str
    type: str
    content: str = ""
    content_type: str = "text"
    reasoning_content: str = ""


class PlaygroundFrame(msgspec.Struct, frozen=True, kw_only=True):
    """One ``message`` frame; ``index`` counts messages, ``seq_id`` events of the run."""

    message: PlaygroundMessage
    is_finish: bool
    index: int
    seq_id: int
    conversation_id: str
    section_id: str
    ext: dict[str, Any]


@RENDERERS.register("playground")
class PlaygroundRenderer:
    """Renders one run for the editor."""

    content_type = EVENT_STREAM
    keepalive = b": keep-alive\n\n"
    holds_headers = False

    def __init__(self, context: RenderContext) -> None:
        self._run = context.run
        self._indexes: dict[int, int] = {}

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        return b"".join(map(self._frames, batch))

    def fail(self, failure: Failure) -> bytes:
        return _frame("error", CozeError.of(failure))

    def _frames(self, record: RunRecord) -> bytes:
        event = record.event
        frame = _frame("message", self._message(record))
        match event:
            case RunFailed() | RunCanceled():
                return frame + self.fail(failure_of(event))
            case RunCompleted() | RunRequiresAction():
                return frame + _frame("done", {})
            case _:
                return frame

    def _message(self, record: RunRecord) -> PlaygroundFrame:
        event = record.event
        message_id, message, is_finish = self._shown(event)
        is_delta = isinstance(event, MessageDelta)
        ext = {"event": str(type(event).__struct_config__.tag), "at_ms": record.at_ms}
        if isinstance(event, MessageCompleted) and BOT_STATE in event.message.meta:
            ext[BOT_STATE] = event.message.meta[BOT_STATE]
        return PlaygroundFrame(
            message=message,
            is_finish=is_finish,
            index=self._indexes.setdefault(message_id, len(self._indexes)),
            seq_id=record.seq,
            conversation_id=str(self._run.conversation_id),
            section_id=str(self._run.section_id),
            ext=ext if is_delta else {**ext, "data": wire_event(event)},
        )

    def _shown(self, event: RunEvent) -> tuple[int, PlaygroundMessage, bool]:
        """Return the id of the message, its piece, and whether it is complete."""
        match event:
            case MessageDelta() | MessageReplaced():
                message = self._piece(event.message_id, event.text, event.reasoning)
                return event.message_id, message, False
            case MessageStarted(message_id=message_id):
                return message_id, self._piece(message_id), False
            case MessageCompleted(message):
                return message.id, self._complete(message), True
            case RunCreated(run):
                return 0, self._piece(run.question_id or 0, role="user", type="ack"), True
            case _:
                return 0, self._piece(0, type="verbose"), True

    def _complete(self, message: MessageView) -> PlaygroundMessage:
        """Return the end of a message; what came in pieces is not told again."""
        is_told = message.id in self._indexes
        return self._piece(
            message.id,
            "" if is_told else message.text,
            "" if is_told else message.reasoning,
            role=message.role,
            type=_TYPES.get(message.kind, "verbose"),
        )

    def _piece(
        self,
        message_id: int,
        text: str = "",
        reasoning: str = "",
        *,
        role: str = "assistant",
        type: str = "answer",  # noqa: A002 - the wire's name
    ) -> PlaygroundMessage:
        return PlaygroundMessage(
            message_id=str(message_id) if message_id else "",
            reply_id=str(self._run.id),
            role=role,
            type=type,
            content=text,
            reasoning_content=reasoning,
        )


def _frame(name: str, body: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), json_line(body))
