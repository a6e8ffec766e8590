"""Events of a run as visitors of a share link see them: what is said, and little of how."""

from collections.abc import Sequence

import msgspec

from api.citation import MarkWriter
from api.error import Failure
from api.renderer.events import failed_frame, wire_event
from api.renderer.line import EVENT_STREAM, json_line
from api.share.message import ShareMessage
from application.conversation.dto import RunView
from application.conversation.run import event as told
from application.conversation.run.event import RunRecord
from domain.conversation.value import MessageKind
from domain.share.value import LinkSettings
from domain.shared.asked import Asked

_SHOWN = frozenset({MessageKind.ANSWER, MessageKind.FOLLOW_UP})


class ShareCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call that waits for the consent of the visitor; its arguments are steps."""

    id: str
    name: str
    arguments: str


class RunBegan(msgspec.Struct, frozen=True, kw_only=True, tag="run.started"):
    """The run has begun, or goes on."""

    run_id: int
    conversation_id: int


class AnswerBegan(msgspec.Struct, frozen=True, kw_only=True, tag="message.started"):
    """An answer begins."""

    message_id: int


class AnswerPiece(msgspec.Struct, frozen=True, kw_only=True, tag="message.delta"):
    """The next piece of an answer; thoughts only where the link shows steps."""

    message_id: int
    text: str
    reasoning: str


class AnswerReplaced(msgspec.Struct, frozen=True, kw_only=True, tag="message.replaced"):
    """The answer so far is this instead."""

    message_id: int
    text: str
    reasoning: str


class AnswerEnded(msgspec.Struct, frozen=True, kw_only=True, tag="message.completed"):
    """An answer, or a question to go on with, is complete."""

    message: ShareMessage


class ToolBegan(msgspec.Struct, frozen=True, kw_only=True, tag="tool.started"):
    """A tool is called; where the link shows steps."""

    call_id: str
    name: str


class ToolEnded(msgspec.Struct, frozen=True, kw_only=True, tag="tool.completed"):
    """A tool has answered; where the link shows steps."""

    call_id: str
    name: str
    is_error: bool
    duration_ms: int


class Searched(msgspec.Struct, frozen=True, kw_only=True, tag="knowledge.recalled"):
    """Knowledge was searched; where the link shows steps."""

    count: int
    is_failed: bool
    duration_ms: int


class Waits(msgspec.Struct, frozen=True, kw_only=True, tag="run.requires_action"):
    """The run waits: for an answer of the visitor, or for outputs of these calls."""

    run_id: int
    calls: list[ShareCall]
    asked: Asked | None
    """What a form shows of a question, which the visitor's next message answers."""


class Completed(msgspec.Struct, frozen=True, kw_only=True, tag="run.completed"):
    """The run ended well."""

    run_id: int


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="run.failed"):
    """The run failed."""

    run_id: int
    code: int
    message: str


class Cancelled(msgspec.Struct, frozen=True, kw_only=True, tag="run.canceled"):
    """The run was stopped."""

    run_id: int


ShareEvent = (
    RunBegan
    | AnswerBegan
    | AnswerPiece
    | AnswerReplaced
    | AnswerEnded
    | ToolBegan
    | ToolEnded
    | Searched
    | Waits
    | Completed
    | Failed
    | Cancelled
)


class ShareRenderer:
    """Writes what a link shows; numbers are those of the run's events, with gaps."""

    content_type = EVENT_STREAM
    keepalive = b": keep-alive\n\n"
    holds_headers = False

    def __init__(self, settings: LinkSettings) -> None:
        self._settings = settings
        self._marks = MarkWriter("marks" if settings.shows_citations else "none")

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        return b"".join(
            _frame(record, event)
            for record in batch
            if (event := self._shown(record.event)) is not None
        )

    def fail(self, failure: Failure) -> bytes:
        return failed_frame(failure)

    def _shown(self, event: told.RunEvent) -> ShareEvent | None:
        shows = self._settings.shows_steps
        shown = self._said(event) or _state(event, shows_steps=shows)
        if shows:
            return shown or _step(event)
        return shown

    def _said(self, event: told.RunEvent) -> ShareEvent | None:
        """Show what is said; thoughts belong to the steps."""
        thinks = self._settings.shows_steps
        match event:
            case told.MessageStarted(message_id=message_id):
                return AnswerBegan(message_id=message_id)
            case told.MessageDelta(message_id=message_id, text=text, reasoning=reasoning):
                text, reasoning = self._written(message_id, text), reasoning if thinks else ""
                if text or reasoning:
                    return AnswerPiece(message_id=message_id, text=text, reasoning=reasoning)
            case told.MessageReplaced(message_id=message_id, text=text, reasoning=reasoning):
                reasoning = reasoning if thinks else ""
                return AnswerReplaced(message_id=message_id, text=text, reasoning=reasoning)
            case told.MessageCompleted(message=message) if message.kind in _SHOWN:
                return AnswerEnded(message=ShareMessage.of(message, self._settings))
            case told.KnowledgeRecalled() if not self._settings.shows_citations:
                self._marks.recalled(event)
            case _:
                pass
        return None

    def _written(self, message_id: int, text: str) -> str:
        if self._settings.shows_citations:
            return text
        return self._marks.feed(message_id, text)


def _state(event: told.RunEvent, *, shows_steps: bool) -> ShareEvent | None:
    """Show how far the run is."""
    match event:
        case told.RunStarted(run=run):
            return RunBegan(run_id=run.id, conversation_id=run.conversation_id)
        case told.RunRequiresAction(run=run):
            return Waits(
                run_id=run.id,
                calls=_awaited(run, shows_arguments=shows_steps),
                asked=run.waits_for.asked if run.waits_for else None,
            )
        case told.RunCompleted(run=run):
            return Completed(run_id=run.id)
        case told.RunFailed(run=run):
            return Failed(run_id=run.id, code=run.error.code, message=run.error.message)
        case told.RunCanceled(run=run):
            return Cancelled(run_id=run.id)
        case _:
            return None


def _step(event: told.RunEvent) -> ShareEvent | None:
    """Show what the agent does by itself: names and times, never what was given or came back."""
    match event:
        case told.KnowledgeRecalled(chunks=chunks):
            return Searched(
                count=len(chunks), is_failed=event.is_failed, duration_ms=event.duration_ms
            )
        case told.ToolStarted(call_id=call_id, name=name):
            return ToolBegan(call_id=call_id, name=name)
        case told.ToolCompleted(call_id=call_id, name=name):
            return ToolEnded(
                call_id=call_id,
                name=name,
                is_error=event.is_error,
                duration_ms=event.duration_ms,
            )
        case _:
            return None


def _awaited(run: RunView, *, shows_arguments: bool) -> list[ShareCall]:
    waits_for = run.waits_for
    if waits_for is None:
        return []
    return [
        ShareCall(id=call.id, name=call.name, arguments=call.arguments if shows_arguments else "")
        for call in waits_for.calls
    ]


def _frame(record: RunRecord, event: ShareEvent) -> bytes:
    name = str(type(event).__struct_config__.tag)
    data = {"type": name, **wire_event(event), "at_ms": record.at_ms}
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (record.seq, name.encode(), json_line(data))
