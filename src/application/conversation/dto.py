"""Commands and views of the conversation use cases; surfaces translate them to their wires."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal

import msgspec

from application.shared.projection import Projection
from crossdomain.agent.contract import RecalledChunk, ShortcutCall, TurnOverrides
from domain.conversation.message import Feedback
from domain.conversation.value import (
    TERMINAL_STATUSES,
    FeedbackKind,
    MessageKind,
    RunError,
    RunStatus,
    Scene,
    Surface,
)
from domain.shared.access import CONNECTOR_API
from domain.shared.asked import Asked
from domain.shared.chat import ChatMessage, Part, ToolCall, Usage
from domain.shared.ids import Id
from domain.shared.text.citation import Citations

__all__ = [
    "AddMessage",
    "ConversationPage",
    "ConversationQuery",
    "ConversationView",
    "CreateConversation",
    "EditMessage",
    "FlowTarget",
    "ForkConversation",
    "GiveFeedback",
    "IncomingMessage",
    "MessagePage",
    "MessageQuery",
    "MessageView",
    "RecalledChunk",
    "RunPage",
    "RunQuery",
    "RunResult",
    "RunView",
    "SectionView",
    "ShortcutCall",
    "StartRun",
    "TurnOverrides",
    "WaitingView",
]


class IncomingMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message as a client sends it, already decoded: a text or a list of parts.

    ``tool_calls`` are without parts, and outputs of such calls have their ``tool_call_id``.
    """

    role: Literal["user", "assistant", "tool"]
    parts: tuple[Part, ...]
    is_text: bool = True
    """False for a multi-part message (``object_string`` on the Coze wire)."""
    meta: Mapping[str, str] = {}
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    @property
    def kind(self) -> MessageKind:
        """What the message is in a conversation."""
        if self.tool_calls:
            return MessageKind.TOOL_CALLS
        return _KINDS[self.role]


_KINDS: Final[Mapping[str, MessageKind]] = {
    "user": MessageKind.QUESTION,
    "assistant": MessageKind.ANSWER,
    "tool": MessageKind.TOOL_RESULT,
}


class CreateConversation(msgspec.Struct, frozen=True, kw_only=True):
    """Open a conversation, with or without an agent."""

    agent_id: int | None = None
    name: str = ""
    meta: Mapping[str, str] = {}
    messages: tuple[IncomingMessage, ...] = ()
    connector_id: int = CONNECTOR_API
    end_user_id: str = ""
    idempotency_key: str = ""


class ConversationView(Projection):
    """A conversation as shown to its owner."""

    id: Id
    space_id: Id
    agent_id: Id | None
    name: str
    meta: Mapping[str, str]
    section_id: Id
    creator_id: Id
    connector_id: Id
    end_user_id: str
    created_at: datetime
    updated_at: datetime


class ConversationQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The caller's conversations with one agent on one connector, by time of creation."""

    agent_id: int
    connector_id: int = CONNECTOR_API
    end_user_id: str = ""
    """Empty means all end users."""
    scene: Scene = Scene.API
    descending: bool = True
    page_num: int = 1
    page_size: int = 50


class ConversationPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of conversations."""

    items: tuple[ConversationView, ...]
    has_more: bool
    total: int


class ForkConversation(msgspec.Struct, frozen=True, kw_only=True):
    """Go on from an earlier question, in a conversation of its own."""

    conversation_id: int
    before_message_id: int
    idempotency_key: str = ""


class SectionView(msgspec.Struct, frozen=True, kw_only=True):
    """The section a conversation is in after ``clear``."""

    id: int
    conversation_id: int


class MessageView(msgspec.Struct, frozen=True, kw_only=True):
    """A message as shown to its owner; file parts carry signed URLs.

    ``parts`` is authoritative for ``is_text`` False; else ``text`` is the content, with the marks
    of ``citations``. ``tool_calls`` belong to kind ``tool_calls``, ``tool_call_id`` to kind
    ``tool_result``.
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
    citations: Citations | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    meta: Mapping[str, str] = {}
    created_at: datetime
    updated_at: datetime


class AddMessage(msgspec.Struct, frozen=True, kw_only=True):
    """Put a message into the newest section, outside any run."""

    conversation_id: int
    message: IncomingMessage
    idempotency_key: str = ""


class EditMessage(msgspec.Struct, frozen=True, kw_only=True):
    """Change a question or an answer; None leaves a field as it is."""

    conversation_id: int
    message_id: int
    parts: tuple[Part, ...] | None = None
    is_text: bool = True
    meta: Mapping[str, str] | None = None


class MessageQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Cursor paging in list order; the cursor's message is excluded."""

    descending: bool = True
    before_id: int | None = None
    after_id: int | None = None
    limit: int = 50
    run_id: int | None = None
    kinds: frozenset[MessageKind] = frozenset({MessageKind.QUESTION, MessageKind.ANSWER})
    is_rated: bool = False
    """The caller's own verdicts are wanted, too."""


class MessagePage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of messages, in list order, with the caller's own verdicts on them if wanted."""

    items: tuple[MessageView, ...]
    has_more: bool
    verdicts: Mapping[int, FeedbackKind] = {}


class WaitingView(Projection):
    """What a run waits for, without what only the agent goes on with: its prompts are its own.

    Outputs of the client are submitted under ``output_ids``, each exactly once.
    """

    workflow_run_id: int
    question_id: str
    kind: int = 0
    workflow_id: int = 0
    calls: tuple[ToolCall, ...] = ()
    output_ids: tuple[str, ...] = ()
    asked: Asked | None = None
    """What a form shows of the question that the user's next message answers."""


class RunView(Projection):
    """A run as shown to its owner."""

    id: Id
    conversation_id: Id
    section_id: Id
    agent_id: Id | None
    space_id: Id
    status: RunStatus
    meta: Mapping[str, str] = {}
    error: RunError = RunError()
    usage: Usage = Usage()
    finish_reason: str = ""
    question_id: Id | None = None
    """The stored message that the run answers, an old one where a round is repeated."""
    inserted_message_ids: tuple[int, ...] = ()
    workflow_run_id: int = 0
    waits_for: WaitingView | None = None
    created_at: datetime
    completed_at: datetime | None = None
    failed_at: datetime | None = None
    canceled_at: datetime | None = None

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL_STATUSES

    @property
    def is_over(self) -> bool:
        """Tell whether nothing more happens by itself: it ended, or waits for the user."""
        return self.is_terminal or self.status is RunStatus.REQUIRES_ACTION


class RunResult(msgspec.Struct, frozen=True, kw_only=True):
    """A run that ended, with the answers it gave, in order."""

    run: RunView
    answers: tuple[MessageView, ...]


class RunQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Runs of one space for its administrators, newest first, without content."""

    space_id: int
    agent_id: int | None = None
    conversation_id: int | None = None
    status: RunStatus | None = None
    before_id: int | None = None
    limit: int = 50


class RunPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of runs."""

    items: tuple[RunView, ...]
    has_more: bool


class DigestView(Projection):
    """A conversation as a list shows it to whoever may read it."""

    id: Id
    space_id: Id
    agent_id: Id | None
    name: str
    creator_id: Id
    connector_id: Id
    end_user_id: str
    created_at: datetime
    updated_at: datetime
    run_id: Id
    """The newest run."""
    run_status: RunStatus
    """State of the newest run."""
    run_at: datetime
    """When the newest run began."""
    source: str | None
    """Where the newest run came from; null if no trace of it is kept."""
    waits: bool
    """A run waits for a person: for leave, or for an answer."""
    likes: int
    """How many answers were liked."""
    dislikes: int
    """How many were not."""
    is_own: bool
    """Begun by the caller."""


class DigestPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page, the one with the newest run first; the next begins before the run ``after``."""

    items: tuple[DigestView, ...]
    after: int | None


class VerdictView(Projection, of=Feedback, without=("conversation_id", "space_id")):
    """What somebody said of an answer."""


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """A page of what was said, newest first, to be read only."""

    conversation: ConversationView
    is_own: bool
    messages: tuple[MessageView, ...]
    verdicts: tuple[VerdictView, ...]
    has_more: bool


class FlowTarget(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow that answers by itself: a version (empty: the newest), or the draft.

    ``mocks`` are outputs of nodes of the draft that are not to run.
    """

    workflow_id: int
    version: str = ""
    is_draft: bool = False
    app_id: int = 0
    mocks: Mapping[str, Mapping[str, Any]] = {}


class StartRun(msgspec.Struct, frozen=True, kw_only=True):
    """Answer one user input with an agent.

    ``flow`` names a workflow that answers instead; it runs for the agent unless that is 0.
    ``parameters`` are the input of a workflow that answers.

    ``conversation_id`` continues a conversation; ``conversation_key`` continues or creates the
    conversation of that caller-chosen key (FastGPT's ``chatId``); neither opens a new one.
    ``save_history`` False keeps nothing but the run row. ``regenerate`` names a question or answer
    to redo instead of new messages. ``shortcut`` has its tool called first, and asks its own text
    if there is no question.
    """

    run_id: int = 0
    """Id that the run gets, drawn by who has to know it before; 0 draws one."""

    agent_id: int
    end_user_id: str
    messages: tuple[IncomingMessage, ...]
    conversation_id: int | None = None
    conversation_key: str | None = None
    scene: Scene = Scene.API
    connector_id: int = CONNECTOR_API
    use_draft: bool = False
    agent_version: str = ""
    """A version of the agent that answers, whichever is active; empty: the active one."""

    variables: Mapping[str, str] = {}
    meta: Mapping[str, str] = {}
    save_history: bool = True
    stream: bool = False
    overrides: TurnOverrides = TurnOverrides()
    extra_system: tuple[str, ...] = ()
    shortcut: ShortcutCall | None = None
    regenerate: int | None = None
    idempotency_key: str = ""
    answer_meta: Mapping[str, str] = {}
    """Stored on the answer message (FastGPT's ``responseChatItemId``)."""
    cancel_on_disconnect: bool = False
    log_id: str = ""
    surface: Surface = "coze"
    flow: FlowTarget | None = None
    parameters: Mapping[str, Any] = {}
    takes_outputs: bool = False
    """The client can be asked to run tools, or to consent to calls."""

    takes_calls: bool = False
    """The client gives outputs of the tools of ``overrides`` with its next request."""

    steps: tuple[ChatMessage, ...] = ()
    """What followed the question before: calls and their results, as the client tells them."""

    history: str = ""
    """Digest of what the client holds, for the calls that it may be asked for."""

    answers: int | None = None
    """A run of which nothing is kept, and whose question the input answers if it still waits."""


class SubmitOutputs(msgspec.Struct, frozen=True, kw_only=True):
    """Hand over what a waiting run asked the client for; pairs of id and output.

    ``request`` is the one that brings them, where the client keeps the history: its settings hold
    from here on, and an unsaved run finds its question there. ``ordinal`` says how often the run
    has waited.
    """

    run_id: int
    conversation_id: int
    outputs: tuple[tuple[str, str], ...]
    log_id: str = ""
    request: StartRun | None = None
    ordinal: int = 0


class GiveFeedback(msgspec.Struct, frozen=True, kw_only=True):
    """Upsert the caller's verdict on one answer."""

    conversation_id: int
    message_id: int
    kind: FeedbackKind
    reasons: tuple[str, ...] = ()
    comment: str = ""
