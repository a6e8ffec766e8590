"""Messages and what people think of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal

from domain.conversation.error import MessageNotEditable
from domain.conversation.value import FeedbackKind, MessageKind, MessageStatus
from domain.shared.chat import Part, TextPart, ToolCall
from domain.shared.ids import (
    AgentId,
    ConversationId,
    MessageId,
    RunId,
    SectionId,
    SpaceId,
    UserId,
)
from domain.shared.text.citation import Citations

_ROLES: Final[Mapping[MessageKind, Literal["user", "assistant", "tool"]]] = {
    MessageKind.QUESTION: "user",
    MessageKind.ANSWER: "assistant",
    MessageKind.TOOL_CALLS: "assistant",
    MessageKind.TOOL_RESULT: "tool",
    MessageKind.VERBOSE: "assistant",
    MessageKind.FOLLOW_UP: "assistant",
}


@dataclass(kw_only=True, eq=False, slots=True)
class Message:
    """One message; ``seq`` orders a conversation.

    The parts of an answer are its text without ``citations``. ``tool_calls`` belongs to kind
    ``tool_calls``; ``tool_call_id`` and ``tool_error`` to kind ``tool_result``.
    """

    id: MessageId
    conversation_id: ConversationId
    space_id: SpaceId
    section_id: SectionId
    run_id: RunId | None
    agent_id: AgentId | None
    seq: int
    kind: MessageKind
    parts: tuple[Part, ...]
    is_text: bool = True
    reasoning: str = ""
    finish_reason: str = ""
    citations: Citations | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    tool_error: bool = False
    meta: Mapping[str, str] = field(default_factory=dict)
    status: MessageStatus = MessageStatus.AVAILABLE
    created_at: datetime
    updated_at: datetime

    def copied(
        self, message_id: MessageId, *, into: ConversationId, section_id: SectionId, seq: int
    ) -> "Message":
        """Return the same for another conversation, as a message outside any run."""
        return replace(
            self,
            id=message_id,
            conversation_id=into,
            section_id=section_id,
            run_id=None,
            seq=seq,
        )

    @property
    def role(self) -> Literal["user", "assistant", "tool"]:
        return _ROLES[self.kind]

    @property
    def text(self) -> str:
        """All text parts, joined by line breaks."""
        if len(self.parts) == 1 and isinstance(self.parts[0], TextPart):
            return self.parts[0].text
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def shown_text(self) -> str:
        """The text with what it cites, as end users see it."""
        return self.citations.shown(self.text) if self.citations else self.text

    @property
    def is_editable(self) -> bool:
        return self.kind in {MessageKind.QUESTION, MessageKind.ANSWER}

    def edit(
        self,
        *,
        parts: tuple[Part, ...] | None,
        is_text: bool,
        meta: Mapping[str, str] | None,
        now: datetime,
    ) -> None:
        """Change what is given; raise ``MessageNotEditable`` for other kinds than the two shown."""
        self.require_editable()
        if parts is not None:
            self.parts, self.is_text = parts, is_text
            self.citations = None  # they point into the text that was
        if meta is not None:
            self.meta = meta
        self.updated_at = now

    def delete(self, *, now: datetime) -> None:
        self.require_editable()
        self.status = MessageStatus.DELETED
        self.updated_at = now

    def require_editable(self) -> None:
        if not self.is_editable:
            raise MessageNotEditable(
                "message_id: only questions and answers can be changed, rated or deleted.",
                message_id=self.id,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """One account's verdict on one answer."""

    message_id: MessageId
    conversation_id: ConversationId
    space_id: SpaceId
    user_id: UserId
    kind: FeedbackKind
    reasons: tuple[str, ...]
    comment: str
    updated_at: datetime
