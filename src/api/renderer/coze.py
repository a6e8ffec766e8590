"""Renderer of ``/v3/chat``: strictly alternating ``event`` and ``data`` lines.

Frame rules: ``docs/streaming.md``. Clients of this wire know no comments, ids or error events once
the chat exists, and read until the body ends.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from api.coze.conversation.shape import LastError, WireChat, WireMessage
from api.error import Failure
from api.renderer import RENDERERS, RenderContext
from api.renderer.line import EVENT_STREAM, json_line, json_text
from api.renderer.order import AnswerOrder
from application.conversation.dto import MessageView
from application.conversation.run.event import (
    MessageCompleted,
    MessageDelta,
    RunCanceled,
    RunCompleted,
    RunCreated,
    RunEvent,
    RunFailed,
    RunRecord,
    RunRequiresAction,
    RunStarted,
)
from domain.conversation.value import MessageKind

DONE: Final = b'event: done\ndata: "[DONE]"\n\n'
RunChanged = RunCreated | RunStarted | RunRequiresAction | RunCompleted | RunFailed | RunCanceled

_STATUSES: Final[Mapping[type[RunEvent], str]] = {
    RunCreated: "created",
    RunStarted: "in_progress",
    RunRequiresAction: "requires_action",
    RunCompleted: "completed",
    RunFailed: "failed",
    RunCanceled: "canceled",
}
"""Status of the chat object, and last part of the event's name."""

_OPEN_STATUSES: Final = frozenset({"created", "in_progress"})
_DELTA_HEAD: Final = b"event: conversation.message.delta\ndata: "
_DELTA_TAIL: Final = b',"content_type":"text"}\n\n'
_REASONING_MIDDLE: Final = b'"","content_type":"text","reasoning_content":'


@RENDERERS.register("coze")
class CozeRenderer:
    """Renders the events of one chat."""

    content_type = EVENT_STREAM
    keepalive = b"\n"
    holds_headers = False

    def __init__(self, context: RenderContext) -> None:
        self._run = context.run
        self._order = AnswerOrder()
        self._prefixes: dict[int, bytes] = {}
        self._is_created = False
        self._done = DONE if context.debug_url is None else _done(context.debug_url)

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        piece = self._order.piece(batch)
        if piece is not None and not piece.reasoning:
            prefix = self._prefixes.get(piece.message_id) or self._prefix(piece.message_id)
            return prefix + json_text(piece.text) + _DELTA_TAIL
        return b"".join([self._frame(event) for event in self._order.arrange(batch)])

    def fail(self, failure: Failure) -> bytes:
        error = LastError(failure.code, failure.message)
        if not self._is_created:
            return _frame("error", error) + self._done
        chat = WireChat.of(self._run, status="failed")
        return _frame("conversation.chat.failed", _with_error(chat, error)) + self._done

    def _frame(self, event: RunEvent) -> bytes:
        if isinstance(event, MessageDelta):
            return self._delta(event)
        if isinstance(event, MessageCompleted):
            return self._completed(event.message)
        if isinstance(event, RunChanged):
            status = _STATUSES[type(event)]
            self._is_created = True
            frame = _frame(f"conversation.chat.{status}", WireChat.of(event.run, status=status))
            return frame if status in _OPEN_STATUSES else frame + self._done
        return b""

    def _completed(self, message: MessageView) -> bytes:
        self._prefixes.pop(message.id, None)
        if message.kind is MessageKind.QUESTION:
            return b""
        name = "conversation.message.completed"
        return b"".join([_frame(name, body) for body in WireMessage.all_of(message)])

    def _delta(self, event: MessageDelta) -> bytes:
        prefix = self._prefixes.get(event.message_id) or self._prefix(event.message_id)
        if event.reasoning:
            reasoning = json_text(event.reasoning)
            frame = b"%s%s%s}\n\n" % (prefix, _REASONING_MIDDLE, reasoning)
            if not event.text:
                return frame
            prefix = frame + prefix
        return prefix + json_text(event.text) + _DELTA_TAIL

    def _prefix(self, message_id: int) -> bytes:
        """Encode once per message what all its deltas share: everything up to the content."""
        run = self._run
        prefix = (
            b'%s{"id":"%d","conversation_id":"%d","bot_id":"%d","chat_id":"%d","section_id":"%d",'
            b'"role":"assistant","type":"answer","content":'
        ) % (
            _DELTA_HEAD,
            message_id,
            run.conversation_id,
            run.agent_id or 0,
            run.id,
            run.section_id,
        )
        self._prefixes[message_id] = prefix
        return prefix


def _frame(name: str, body: WireChat | WireMessage | LastError) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), json_line(body))


def _done(debug_url: str) -> bytes:
    """End of a chat with a workflow."""
    return b"event: done\ndata: %s\n\n" % json_line({"debug_url": debug_url})


def _with_error(chat: WireChat, error: LastError) -> WireChat:
    return msgspec.structs.replace(chat, last_error=error)
