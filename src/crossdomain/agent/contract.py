"""What other contexts may ask of agents, in plain types only."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

import msgspec

from domain.shared.access import TenantScope
from domain.shared.asked import Asked
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, FinishReason, Part, Sampling, ToolCall, ToolSpec, Usage
from domain.shared.ids import AgentId, SpaceId
from domain.shared.text.citation import Citations


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSelector:
    """Which state of an agent: its draft, the version active on a connector, or a fixed version."""

    kind: Literal["draft", "published", "version"]
    connector_id: int = 0
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUse:
    """What is remembered of an agent's conversations; ``model`` does the work, empty: the default.

    ``summary``: what falls out of the context is summarised. ``long_term``: facts about the end
    user are kept beyond the conversation.
    """

    summary: bool = False
    long_term: bool = False
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDefinition:
    """A snapshot ready to execute. ``config`` is the agent context's own business (opaque)."""

    agent_id: AgentId
    space_id: SpaceId
    name: str
    version: str
    """Empty for the draft."""
    history_rounds: int
    lock_model_params: bool
    openai_system: Literal["append", "replace", "ignore"]
    config: object
    workflow_id: int = 0
    """The workflow that answers instead of a model; 0 for none."""
    hands_over: bool = False
    """Other agents may answer in its place."""
    takes_client_tools: bool = True
    """Requests may bring tools of their own."""
    memory: MemoryUse = field(default_factory=MemoryUse)
    model: str = ""
    """Id, name or alias of the model that answers; empty for the deployment's default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One question with everything its run produced, pair-safe and in model format."""

    messages: tuple[ChatMessage, ...]


class RecordedCall(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a call of an earlier run; ``arguments`` are as the model wrote them."""

    name: str
    arguments: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOverrides:
    """Model settings that a single request may change; None keeps the agent's own.

    ``tools`` run at the client, for this request only; ``tool_choice`` (``auto``, ``none``,
    ``required`` or a name) and ``parallel_tool_calls`` govern these alone. Arguments of the
    ``strict_tools`` follow their schema, or the turn fails. So does the last answer with
    ``json_output``: it is a JSON object, or what follows the ``json_schema``. After
    ``max_tool_calls`` calls, whoever executes them, the model answers without tools.
    ``dataset_ids`` are searched beside the agent's own bases, for ``most_results`` pieces.
    """

    sampling: Sampling = field(default_factory=Sampling)
    max_output_tokens: int | None = None
    stop: tuple[str, ...] = ()
    json_output: bool | None = None
    json_schema: Mapping[str, object] | None = None
    json_strict: bool = False
    """The schema names every property; models that know such schemas keep to them."""
    json_name: str = ""
    json_description: str = ""
    model: str = ""
    persona: str | None = None
    name: str | None = None
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: str = "auto"
    parallel_tool_calls: bool | None = None
    max_tool_calls: int | None = None
    strict_tools: tuple[str, ...] = ()
    reasoning_effort: str = ""
    verbosity: str = ""
    dataset_ids: tuple[int, ...] = ()
    most_results: int | None = None
    recorded: tuple[RecordedCall, ...] | None = None
    """Set where nothing may be changed once more: calls that would are answered by these."""

    @property
    def settings(self) -> tuple[str, ...]:
        """Names of what is changed of how the model answers."""
        sampled = msgspec.structs.asdict(self.sampling)
        others = {
            "max_tokens": self.max_output_tokens is not None,
            "stop": bool(self.stop),
            "response_format": self.json_output is not None,
            "reasoning_effort": bool(self.reasoning_effort),
            "verbosity": bool(self.verbosity),
        }
        names = [name for name, value in sampled.items() if value is not None]
        return (*names, *(name for name, is_set in others.items() if is_set))


@dataclass(frozen=True, slots=True, kw_only=True)
class Handling:
    """What becomes of what a request changes: names without effect, as in its ``settings``.

    ``is_held``: the answer is shown once it is complete.
    """

    ignored: tuple[str, ...] = ()
    is_held: bool = False


class ShortcutCall(msgspec.Struct, frozen=True, kw_only=True):
    """A shortcut of the agent and what the user filled in: texts and addresses of files."""

    shortcut_id: int
    values: Mapping[str, str] = {}


class OpenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What keeps a turn waiting: a question to the user, or calls that the client has to answer.

    ``workflow_run_id`` and ``question_id`` name the run and what it waits for; 0 if what asks is no
    workflow. ``workflow_id`` is that of the definition. ``state`` is what the agent goes on with,
    its own business (opaque). ``asked`` is what a form shows of a question.
    With ``calls`` the outputs of all of them are awaited, and no message of the user answers.
    """

    workflow_run_id: int
    question_id: str
    kind: int
    workflow_id: int = 0
    state: str = ""
    calls: tuple[ToolCall, ...] = ()
    asked: Asked | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowSelector:
    """A workflow that answers by itself: its draft, a version, or (empty) the newest one.

    ``agent_id`` and ``app_id`` are what it runs for, 0 for nothing; ``mocks`` are outputs of nodes
    of the draft that are not to run.
    """

    workflow_id: int
    version: str = ""
    is_draft: bool = False
    agent_id: int = 0
    app_id: int = 0
    mocks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTurn:
    """Everything one execution needs besides the definition.

    ``history`` is oldest first. ``question`` are the parts of the user's message.
    ``extra_system`` are system texts of the request, already permitted by the definition.
    ``variables`` are request variables (highest precedence). ``answers`` is the question that the
    user's message answers. ``parameters`` and ``workflow_run_id`` are input and id of the run, if
    a workflow answers. ``outputs`` are what the client submitted, by id: the turn that waited goes
    on. ``takes_outputs``: the client can be asked for outputs of tools, and for consent.
    ``takes_calls``: it gives outputs of its own tools with its next request. ``steps`` are calls
    and results of this turn that were made before, as the client tells them. ``active`` are the
    agents that the section was handed to, one by the other.
    """

    history: tuple[Round, ...]
    question: tuple[Part, ...]
    variables: Mapping[str, str]
    extra_system: tuple[str, ...] = ()
    overrides: TurnOverrides = field(default_factory=TurnOverrides)
    shortcut: ShortcutCall | None = None
    """The shortcut that the user chose; its tool is called before the model is asked."""
    wants_follow_ups: bool = False
    """The surface shows questions to go on with."""
    summary: str = ""
    """What was said in the section before the history."""
    answers: OpenQuestion | None = None
    conversation_id: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)
    kept: Mapping[str, Any] = field(default_factory=dict)
    """Variables as the workflow left them in the turn before."""
    workflow_run_id: int = 0
    outputs: Mapping[str, str] = field(default_factory=dict)
    takes_outputs: bool = False
    takes_calls: bool = False
    steps: tuple[ChatMessage, ...] = ()
    active: tuple[int, ...] = ()


class AnswerStarted(msgspec.Struct, frozen=True, tag="answer_started", kw_only=True):
    """A new answer begins; deltas up to its completion belong to it.

    ``is_written``: a model inside a workflow writes it, not the workflow itself.
    """

    is_written: bool = False


class AnswerDelta(msgspec.Struct, frozen=True, tag="answer_delta", gc=False):
    """The next piece of the current answer; either field may be empty."""

    text: str = ""
    reasoning: str = ""


class AnswerReplaced(msgspec.Struct, frozen=True, tag="answer_replaced"):
    """The current answer's text and reasoning so far are these instead."""

    text: str
    reasoning: str


class AnswerCompleted(msgspec.Struct, frozen=True, tag="answer_completed", kw_only=True):
    """The current answer is final; ``text`` is as shown, with the marks of ``citations``."""

    text: str
    reasoning: str
    finish_reason: FinishReason
    citations: Citations | None = None
    is_interim: bool = False
    is_last: bool = False
    """Nothing but the end of the turn follows, so both may be stored as one."""

    is_kept: bool = True
    """It becomes part of the conversation; others are shown only."""


class StepStarted(msgspec.Struct, frozen=True, tag="step_started", kw_only=True):
    """A model call begins; with ``may_call`` tools are offered to the model."""

    step: int
    model: str
    may_call: bool = False


class StepEnded(msgspec.Struct, frozen=True, tag="step_ended", kw_only=True):
    """A model call ended; ``usage`` is this call's own."""

    step: int
    model: str
    finish_reason: FinishReason
    usage: Usage
    duration_ms: int


class FlowVariables(msgspec.Struct, frozen=True, tag="flow_variables", kw_only=True):
    """Variables of the workflow that answers, as they are kept for its next turn."""

    values: Mapping[str, Any]


class RecalledChunk(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of knowledge as the model and the end user get it; ``n`` is the number to cite.

    ``scores`` are those of the channels that found it, as in ``crossdomain.knowledge.contract``.
    """

    n: int
    slice_id: int
    content: str
    score: float
    scores: Mapping[str, float] = {}
    dataset_id: int
    dataset_name: str
    document_id: int
    document_name: str
    format_type: int
    source_type: int
    url: str = ""
    page: int | None = None


class FlowNode(msgspec.Struct, frozen=True, tag="flow_node", kw_only=True):
    """A node of a workflow that answers starts, or ended (``is_over``)."""

    node_id: str
    name: str
    type_name: str
    is_over: bool
    usage: Usage
    duration_ms: int
    error: str
    model: str = ""
    quotes: tuple[RecalledChunk, ...] = ()
    """What a search found."""
    remark: str = ""
    """What the workflow says about its own answer."""


SEARCH_TOOL: Final = "recallKnowledge"
"""By which agents search knowledge themselves."""


class KnowledgeRecalled(msgspec.Struct, frozen=True, tag="knowledge_recalled", kw_only=True):
    """Knowledge was searched, whatever came of it; ``is_failed`` if it could not be."""

    query: str
    chunks: tuple[RecalledChunk, ...] = ()
    is_failed: bool = False
    duration_ms: int = 0


class ToolsRequested(msgspec.Struct, frozen=True, tag="tools_requested"):
    """The model asks for these calls; the result of each follows."""

    calls: tuple[ToolCall, ...]


class ToolStarted(msgspec.Struct, frozen=True, tag="tool_started"):
    """A call is being executed."""

    call: ToolCall


class ToolAnswering(msgspec.Struct, frozen=True, tag="tool_answering", kw_only=True):
    """A call begins to answer the user by itself: ``text`` stands for its result.

    Clients read the result of a call before the answer that follows from it.
    """

    call_id: str
    text: str


class ToolEnded(msgspec.Struct, frozen=True, tag="tool_ended", kw_only=True):
    """A call has its result: what the model will read."""

    call: ToolCall
    text: str
    is_error: bool
    duration_ms: int
    workflow_run_id: int = 0
    """The run of the workflow that was called, if one was."""

    kind: str = "unknown"
    """What the tool is: ``plugin``, ``workflow``…; ``unknown`` if the agent has no such tool."""

    is_noted: bool = False
    """``ToolAnswering`` told its result, as far as the conversation keeps it."""


class FollowUpsSuggested(msgspec.Struct, frozen=True, tag="follow_ups_suggested"):
    """The answer is final; these are questions that the user may want to ask next."""

    questions: tuple[str, ...]


class AgentWarned(msgspec.Struct, frozen=True, tag="warned", kw_only=True):
    """Something degraded without failing the run."""

    warning: str
    """Stable code, for instance ``persona_syntax`` or ``image_unreadable``."""
    text: str
    subject: str = ""


class AgentSwitched(msgspec.Struct, frozen=True, tag="agent_switched", kw_only=True):
    """From here on another agent answers. ``path`` are those that took over, one from the other.

    ``lasts``: it answers in the turns to come as well.
    """

    agent_id: int
    name: str
    from_agent_id: int
    from_name: str
    path: tuple[int, ...] = ()
    brief: str = ""
    lasts: bool = True


class MemberCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call of another agent; ``call_id`` is that of the caller's tool call."""

    agent_id: int
    name: str
    call_id: str


class MemberStarted(msgspec.Struct, frozen=True, tag="member_started", kw_only=True):
    """A called agent begins; ``task`` is all it knows."""

    task: str
    version: str = ""


class MemberEnded(msgspec.Struct, frozen=True, tag="member_ended", kw_only=True):
    """A called agent is done; ``usage`` is that of its model calls and of agents that it called."""

    text: str
    is_error: bool
    usage: Usage
    duration_ms: int


MemberEvent = (
    MemberStarted
    | MemberEnded
    | AnswerDelta
    | StepStarted
    | StepEnded
    | KnowledgeRecalled
    | ToolStarted
    | ToolEnded
    | AgentWarned
)


class MemberActed(msgspec.Struct, frozen=True, tag="member_acted", kw_only=True):
    """What a called agent does, the innermost last in ``path``; it is no part of the answer."""

    path: tuple[MemberCall, ...]
    event: MemberEvent


AgentEvent = (
    AnswerStarted
    | AnswerDelta
    | AnswerReplaced
    | AnswerCompleted
    | StepStarted
    | StepEnded
    | KnowledgeRecalled
    | ToolsRequested
    | ToolStarted
    | ToolEnded
    | FollowUpsSuggested
    | AgentWarned
    | AgentSwitched
    | MemberActed
    | FlowNode
    | ToolAnswering
    | FlowVariables
)

EmitAgentEvent = Callable[[AgentEvent], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOutcome:
    """How a turn ended when it did not fail; with a ``question`` it waits for the user."""

    finish_reason: FinishReason
    usage: Usage
    question: OpenQuestion | None = None
    nested_usage: Usage = field(default_factory=Usage)
    """Tokens that workflows used, whose calls have a ledger of their own."""


class DatasetUse(Protocol):
    """Tells how much knowledge bases are used."""

    async def count_bound(self, scope: TenantScope, dataset_ids: Collection[int]) -> dict[int, int]:
        """Count the agents whose drafts search each of these bases."""
        ...


class AgentDirectory(Protocol):
    """Tells which agents there are; knows nothing of running them."""

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        """Names of the agents that exist in the scope."""
        ...


class Agents(Protocol):
    """Loads definitions and runs them."""

    async def load(
        self, scope: TenantScope, agent_id: AgentId, selector: AgentSelector
    ) -> AgentDefinition:
        """Return a snapshot.

        Raises:
            AgentNotFound: no such agent in the scope (4200).
            AgentNotPublished: not published on that connector, or no such version (4200).
        """
        ...

    async def load_flow(self, scope: TenantScope, selector: FlowSelector) -> AgentDefinition:
        """Return a definition of which a workflow is all there is.

        Raises:
            NotFound: no such workflow or agent in the scope, or it is not published (4200).
        """
        ...

    async def handling(self, definition: AgentDefinition, overrides: TurnOverrides) -> Handling:
        """Tell what a turn will make of what its request changes; raise ``ModelNotFound``."""
        ...

    def steps(self, question: OpenQuestion) -> tuple[ChatMessage, ...]:
        """Return the calls and results of a turn that waits, those it waits with among them."""
        ...

    async def abandon(self, scope: TenantScope, question: OpenQuestion) -> None:
        """End what waits with a question that nobody will answer."""
        ...

    async def run(
        self,
        context: CallContext,
        definition: AgentDefinition,
        turn: AgentTurn,
        emit: EmitAgentEvent,
    ) -> AgentOutcome:
        """Execute one turn, pushing events; cancellation closes the model's socket.

        Raises:
            ModelCallFailed: the model failed; answers completed so far stay valid.
            ContextTooLong: the question alone does not fit (4000).
        """
        ...

    def shortcut_question(self, definition: AgentDefinition, call: ShortcutCall) -> str:
        """Return what choosing a shortcut asks, empty if the shortcut has no text.

        Raises:
            ShortcutNotFound: the agent has no such shortcut (4200).
            ShortcutIncomplete: a value that its tool needs is missing (4000).
        """
        ...

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        """Names of the agents that exist in the scope."""
        ...

    async def bound_to(self, scope: TenantScope, dataset_id: int) -> dict[AgentId, str]:
        """Names of the agents whose drafts search this knowledge base."""
        ...
