"""Commands and views of the conversation use cases; surfaces translate them to their wires."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal

import msgspec

from crossdomain.agent.contract import TurnOverrides
from domain.shared.access import CONNECTOR_API
from domain.shared.chat import Part, Usage


class Scene(StrEnum):
    """Where a conversation lives; conversations of other scenes are not listed together."""

    API = "api"
    PLAYGROUND = "playground"
    OPENAI = "openai"
    EPHEMERAL = "ephemeral"


class RunStatus(StrEnum):
    """State of a run, in the spelling of the Coze wire."""

    CREATED = "created"
    IN_PROGRESS = "in_progress"
    REQUIRES_ACTION = "requires_action"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"


class MessageKind(StrEnum):
    """Kind of a stored message (``spec/agent-runtime`` 2.1)."""

    QUESTION = "question"
    ANSWER = "answer"
    TOOL_CALLS = "tool_calls"
    TOOL_RESULT = "tool_result"
    VERBOSE = "verbose"
    FOLLOW_UP = "follow_up"


class IncomingMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message as a client sends it, already decoded: a text or a list of parts."""

    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]
    is_text: bool = True
    """False for a multi-part message (``object_string`` on the Coze wire)."""
    meta: Mapping[str, str] = {}


class CreateConversation(msgspec.Struct, frozen=True, kw_only=True):
    """Open a conversation, with or without an agent."""

    agent_id: int | None = None
    name: str = ""
    meta: Mapping[str, str] = {}
    messages: tuple[IncomingMessage, ...] = ()
    connector_id: int = CONNECTOR_API
    end_user_id: str = ""


class ConversationView(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation as shown to its owner."""

    id: int
    space_id: int
    agent_id: int | None
    name: str
    meta: Mapping[str, str]
    section_id: int
    creator_id: int
    connector_id: int
    end_user_id: str
    created_at: datetime
    updated_at: datetime


class ConversationPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of conversations."""

    items: tuple[ConversationView, ...]
    has_more: bool
    total: int


class SectionView(msgspec.Struct, frozen=True, kw_only=True):
    """The section a conversation is in after ``clear``."""

    id: int
    conversation_id: int


class MessageView(msgspec.Struct, frozen=True, kw_only=True):
    """A message as shown to its owner; file parts carry signed URLs.

    ``parts`` is authoritative for ``is_text`` False; else ``text`` is the content.
    """

    id: int
    conversation_id: int
    section_id: int
    run_id: int | None
    agent_id: int | None
    role: Literal["user", "assistant", "tool"]
    kind: MessageKind
    text: str
    parts: tuple[Part, ...] = ()
    is_text: bool = True
    reasoning: str = ""
    finish_reason: str = ""
    is_broken: bool = False
    """The answer is partial: its run failed or was cancelled."""
    meta: Mapping[str, str] = {}
    created_at: datetime
    updated_at: datetime


class MessageQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Cursor paging in list order; the cursor's message is excluded (``spec/http-api`` 2.3)."""

    descending: bool = True
    before_id: int | None = None
    after_id: int | None = None
    limit: int = 50
    run_id: int | None = None
    kinds: frozenset[MessageKind] = frozenset({MessageKind.QUESTION, MessageKind.ANSWER})


class MessagePage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of messages, in list order."""

    items: tuple[MessageView, ...]
    has_more: bool


class RunError(msgspec.Struct, frozen=True, kw_only=True):
    """Why a run failed: wire code and a sentence for the user; code 0 means no error."""

    code: int = 0
    message: str = ""
    slug: str = ""


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """A run as shown to its owner."""

    id: int
    conversation_id: int
    section_id: int
    agent_id: int | None
    space_id: int
    status: RunStatus
    meta: Mapping[str, str] = {}
    error: RunError = RunError()
    usage: Usage = Usage()
    finish_reason: str = ""
    inserted_message_ids: tuple[int, ...] = ()
    created_at: datetime
    completed_at: datetime | None = None
    failed_at: datetime | None = None
    canceled_at: datetime | None = None

    @property
    def is_terminal(self) -> bool:
        return self.status in {RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELED}


class StartRun(msgspec.Struct, frozen=True, kw_only=True):
    """Answer one user input with an agent.

    ``conversation_id`` continues a conversation; ``conversation_key`` continues or creates the
    conversation of that caller-chosen key (FastGPT's ``chatId``); neither opens a new one.
    ``save_history`` False keeps nothing but the run row. ``regenerate`` names a question or answer
    to redo instead of new messages.
    """

    agent_id: int
    end_user_id: str
    messages: tuple[IncomingMessage, ...]
    conversation_id: int | None = None
    conversation_key: str | None = None
    scene: Scene = Scene.API
    connector_id: int = CONNECTOR_API
    use_draft: bool = False
    variables: Mapping[str, str] = {}
    meta: Mapping[str, str] = {}
    save_history: bool = True
    stream: bool = False
    overrides: TurnOverrides = TurnOverrides()
    extra_system: tuple[str, ...] = ()
    regenerate: int | None = None
    idempotency_key: str = ""
    answer_meta: Mapping[str, str] = {}
    """Stored on the answer message (FastGPT's ``responseChatItemId``)."""
    cancel_on_disconnect: bool = False
    log_id: str = ""


class FeedbackKind(StrEnum):
    """Verdict on an answer."""

    LIKE = "like"
    UNLIKE = "unlike"


class GiveFeedback(msgspec.Struct, frozen=True, kw_only=True):
    """Upsert the caller's verdict on one answer."""

    conversation_id: int
    message_id: int
    kind: FeedbackKind
    reasons: tuple[str, ...] = ()
    comment: str = ""
