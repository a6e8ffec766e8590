"""What other contexts may ask of workflows, in plain types only."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from domain.shared.access import TenantScope
from domain.shared.asked import Asked
from domain.shared.call import CallContext
from domain.shared.ids import SpaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowToolDescription:
    """A published workflow as a model may call it.

    ``name`` is what a model calls it, ``title`` what people do. ``parameters`` and ``result`` are
    JSON Schema objects; whatever is in a result may be null. ``is_direct``: the workflow ends with
    an answer text, which goes to the user as it is; the model does not see it. ``effect`` is the
    strongest that a run may have outside, with all that it calls: ``read``, ``external_write`` or
    ``irreversible``.
    """

    workflow_id: str
    version: str
    name: str
    title: str
    description: str
    parameters: Mapping[str, Any]
    result: Mapping[str, Any]
    is_direct: bool
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowQuestion:
    """A question that keeps a workflow waiting; ``kind`` is its number on the wire.

    ``asked`` is what a form shows of ``data``, ``prompt`` what a person reads of it.
    """

    id: str
    kind: int
    node_title: str
    data: str
    prompt: str
    asked: Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowToolResult:
    """How a call went.

    ``success``: ``text`` is the answer, or the returned variables as JSON. ``interrupted``:
    ``question`` is open, and ``run_id`` names the run that an answer lets go on. ``failed`` and
    ``cancelled``: ``text`` says why.
    """

    status: Literal["success", "failed", "cancelled", "interrupted"]
    run_id: int
    text: str = ""
    output: Mapping[str, Any] | None = None
    error_code: int = 0
    question: WorkflowQuestion | None = None
    is_said: bool = False
    """``text`` is an answer, and the listener got it already."""
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowSays:
    """A piece of a message of an output node; pieces of two messages never mix.

    ``is_kept``: the message belongs into the history of the conversation. ``is_reasoning``: what a
    model thought before it answered. ``is_written``: a model wrote the message.
    """

    text: str
    is_last: bool
    is_kept: bool = True
    is_reasoning: bool = False
    is_written: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowQuote:
    """A passage that a node found in a knowledge base; ids of 0 are unknown."""

    text: str
    slice_id: int = 0
    dataset_id: int = 0
    document_id: int = 0
    document_name: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowNode:
    """A node that starts, or ended (``is_over``); ``type_name`` is what its canvas calls it.

    ``model`` is the one that was asked, ``quotes`` are what was found, best first, ``remark`` is
    what the workflow says about its own answer.
    """

    id: str
    title: str
    type_name: str
    is_over: bool = False
    duration_ms: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    error: str = ""
    model: str = ""
    quotes: tuple[WorkflowQuote, ...] = ()
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowVariables:
    """Variables of a workflow when it ends or asks, for its next run in the conversation.

    ``dropped`` are the names of those that are too large to be kept.
    """

    values: Mapping[str, Any]
    dropped: tuple[str, ...] = ()


WorkflowTold = WorkflowSays | WorkflowNode | WorkflowVariables
Listener = Callable[[WorkflowTold], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatFlow:
    """A workflow that answers by itself, as it was found; ``version`` empty for the draft."""

    workflow_id: int
    space_id: SpaceId
    name: str
    version: str
    app_id: int = 0
    is_draft: bool = False
    description: str = ""
    mocks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Outputs of nodes of the draft that are not to run, by the node's id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatFile:
    """A file of a message; ``name`` is empty where nobody knows it."""

    url: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatFlowInput:
    """What one message of a user gives to a chat flow; ``run_id`` is the id its run is to have."""

    run_id: int
    conversation_id: int
    agent_id: int
    app_id: int
    text: str
    files: tuple[ChatFile, ...] = ()
    parameters: Mapping[str, Any]


def whole_text(text: str, files: Iterable[ChatFile]) -> str:
    """Return a message as one text: what it says, then the addresses of its files."""
    return ",".join(filter(None, (text, *(each.url for each in files))))


class Workflows(Protocol):
    """Workflows that answer the users of conversations, and workflows as tools of agents.

    Callers were checked where they come from.
    """

    async def find(
        self,
        scope: TenantScope,
        *,
        workflow_id: int,
        version: str = "",
        is_draft: bool = False,
        mocks: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> ChatFlow:
        """Find a draft, a version, or (neither said) the newest version.

        ``mocks`` are outputs of nodes of a draft that are not to run.

        Raises:
            NotFound: there is no such workflow in the scope, or it is not published.
            NotCompilable: its canvas cannot run.
            InvalidRequest: there is no such node, no output can stand for it, or it is no draft.
        """
        ...

    async def effect(
        self, scope: TenantScope, *, workflow_id: int, version: str = "", is_draft: bool = False
    ) -> str:
        """Return the strongest effect that a run may have outside, with all that it calls.

        The errors are those of ``find``.
        """
        ...

    async def converse(
        self, context: CallContext, flow: ChatFlow, given: ChatFlowInput, listener: Listener
    ) -> WorkflowToolResult:
        """Run to the end or to the first question; cancellation ends the run for good."""
        ...

    async def describe(
        self,
        context: CallContext,
        *,
        workflow_id: str,
        version: str = "",
        hidden: frozenset[str] = frozenset(),
    ) -> WorkflowToolDescription:
        """Describe a version (empty: the latest published one) without the hidden parameters.

        Raises:
            NotFound: there is no such workflow in the caller's spaces, or it is not published.
        """
        ...

    async def run(
        self,
        context: CallContext,
        *,
        workflow_id: str,
        version: str = "",
        arguments: Mapping[str, Any],
        key: str,
        conversation_id: int = 0,
        agent_id: int = 0,
        listener: Listener | None = None,
    ) -> WorkflowToolResult:
        """Run as a tool to the end or to the first question; equal ``key``, same run.

        Messages of output nodes go to the ``listener``; cancellation ends the run for good.
        """
        ...

    async def answer(
        self,
        context: CallContext,
        *,
        run_id: int,
        question_id: str,
        text: str,
        is_tool: bool,
        listener: Listener | None = None,
    ) -> WorkflowToolResult:
        """Answer a question and run on; ``is_tool`` as the run began.

        Raises:
            Conflict: the question was answered before.
            NotFound: there is no such run in the caller's spaces.
        """
        ...

    async def abandon(self, scope: TenantScope, run_id: int) -> None:
        """End a run that waits for an answer which will not come."""
        ...
