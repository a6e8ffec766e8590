"""Vocabulary of conversations and runs; the spellings are those of the wire where one exists."""

from datetime import datetime
from enum import StrEnum
from typing import Final, Literal

import msgspec

from domain.shared.account import Source
from domain.shared.asked import Asked
from domain.shared.chat import ToolCall
from domain.shared.ids import RunId, SpaceId

Surface = Literal["coze", "openai", "fastgpt", "mcp", "workflow"]
"""Through which interface a run was asked for, for whoever counts runs."""


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


TERMINAL_STATUSES: Final = frozenset({RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELED})


class RunPhase(StrEnum):
    """Sub-phase of a run in progress; in ``finishing`` the answer is durable already."""

    PREPARING = "preparing"
    GENERATING = "generating"
    TOOLS = "tools"
    FINISHING = "finishing"


class CancelReason(StrEnum):
    """Who or what stopped a run."""

    REQUESTED = "requested"
    SUPERSEDED = "superseded"
    DISCONNECTED = "disconnected"
    CONVERSATION_DELETED = "conversation_deleted"


class MessageKind(StrEnum):
    """Kind of a stored message."""

    QUESTION = "question"
    ANSWER = "answer"
    TOOL_CALLS = "tool_calls"
    TOOL_RESULT = "tool_result"
    VERBOSE = "verbose"
    FOLLOW_UP = "follow_up"


class MessageStatus(StrEnum):
    """Whether a message is complete and still counts."""

    AVAILABLE = "available"
    STREAMING = "streaming"
    BROKEN = "broken"
    REPLACED = "replaced"
    DELETED = "deleted"


class FeedbackKind(StrEnum):
    """Verdict on an answer."""

    LIKE = "like"
    UNLIKE = "unlike"


class WaitingFor(msgspec.Struct, frozen=True, kw_only=True):
    """What a run that requires action waits for: an answer of the user, or outputs of the client.

    The answer is to a question of a workflow, which a form shows as ``asked``; the outputs are
    those of ``calls``.

    ``workflow_id`` is the workflow that answers instead of an agent, 0 if an agent called one.
    ``state`` is what the agent goes on with; nobody else reads it. ``last_event`` and
    ``model_calls`` are how many of each the run had, because the numbers go on from there.
    """

    workflow_run_id: int
    question_id: str
    kind: int = 0
    workflow_id: int = 0
    state: str = ""
    calls: tuple[ToolCall, ...] = ()
    last_event: int = 0
    model_calls: int = 0
    asked: Asked | None = None

    @property
    def output_ids(self) -> tuple[str, ...]:
        """What outputs are submitted under, each exactly once."""
        if self.calls:
            return tuple(call.id for call in self.calls)
        return (f"{self.workflow_run_id}/{self.question_id}",)


class RunError(msgspec.Struct, frozen=True, kw_only=True):
    """Why a run failed: wire code and a sentence for the user; code 0 means no error."""

    code: int = 0
    message: str = ""
    slug: str = ""


class SupportQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which conversations of a workspace; those whose newest run is latest come first.

    ``is_own`` leaves those of others out. ``since`` and ``until`` are about the newest run, and so
    is ``source``; ``before_id`` is that run of the last one of the page before.
    """

    space_id: SpaceId
    is_own: bool = False
    agent_id: int | None = None
    connector_id: int | None = None
    source: Source | None = None
    end_user_id: str | None = None
    text: str = ""
    """A part of the name."""
    verdict: FeedbackKind | None = None
    """Somebody rated an answer so."""
    waits: bool = False
    """Only those in which a run waits for a person."""
    since: datetime | None = None
    until: datetime | None = None
    before_id: RunId | None = None
    limit: int = 50
