"""The one internal event stream of a run; every surface renders it in its own way."""

from operator import attrgetter
from typing import Any, Final, assert_never

import msgspec

from application.conversation.dto import MessageView, RunView
from application.run.log import RECORD_BYTES, Deltas, EventRules, Record
from crossdomain.agent.contract import AgentSwitched as ToldSwitch
from crossdomain.agent.contract import AgentWarned as ToldWarning
from crossdomain.agent.contract import (
    AnswerDelta,
    MemberActed,
    MemberCall,
    MemberEnded,
    MemberStarted,
    RecalledChunk,
)
from crossdomain.agent.contract import FlowNode as ToldNode
from crossdomain.agent.contract import KnowledgeRecalled as ToldRecall
from crossdomain.agent.contract import StepEnded as ToldStepEnd
from crossdomain.agent.contract import StepStarted as ToldStep
from crossdomain.agent.contract import ToolEnded as ToldToolEnd
from crossdomain.agent.contract import ToolStarted as ToldTool
from domain.conversation.value import RunStatus
from domain.shared.chat import Usage


class RunCreated(msgspec.Struct, frozen=True, tag="run.created"):
    """The run and its question are stored."""

    run: RunView


class RunStarted(msgspec.Struct, frozen=True, tag="run.started"):
    """An executor took the run."""

    run: RunView


class MessageStarted(msgspec.Struct, frozen=True, tag="message.started", kw_only=True):
    """An answer begins under this id; ``is_written``: a model of a workflow writes it."""

    message_id: int
    is_written: bool = False


class MessageDelta(msgspec.Struct, frozen=True, tag="message.delta", kw_only=True, gc=False):
    """The next piece of an answer; either text may be empty."""

    message_id: int
    text: str = ""
    reasoning: str = ""


class MessageReplaced(msgspec.Struct, frozen=True, tag="message.replaced", kw_only=True):
    """The answer's text and reasoning so far are these instead."""

    message_id: int
    text: str
    reasoning: str


class MessageCompleted(msgspec.Struct, frozen=True, tag="message.completed"):
    """A message is final and stored: answers, tool sets, verbose messages, follow-ups."""

    message: MessageView


class StepStarted(msgspec.Struct, frozen=True, tag="step.started", kw_only=True):
    """A model call begins; with ``may_call`` tools are offered to the model."""

    step: int
    model: str
    may_call: bool = False


class StepEnded(msgspec.Struct, frozen=True, tag="step.ended", kw_only=True):
    """A model call ended."""

    step: int
    model: str
    finish_reason: str
    usage: Usage
    duration_ms: int


class KnowledgeRecalled(msgspec.Struct, frozen=True, tag="knowledge.recalled", kw_only=True):
    """Knowledge was searched; ``chunks`` carry the numbers that answers cite."""

    query: str
    chunks: tuple[RecalledChunk, ...] = ()
    is_failed: bool = False
    duration_ms: int = 0


class ToolStarted(msgspec.Struct, frozen=True, tag="tool.started", kw_only=True):
    """A call is being executed; ``arguments`` is JSON text as the model wrote it."""

    call_id: str
    name: str
    arguments: str


class ToolCompleted(msgspec.Struct, frozen=True, tag="tool.completed", kw_only=True):
    """A call has its result."""

    call_id: str
    name: str
    result: str
    is_error: bool
    duration_ms: int
    workflow_run_id: int = 0
    """The run of the workflow that was called, if one was."""

    kind: str = ""
    """What was called: plugin, mcp, workflow, database, variable, knowledge, agent or other."""


class Warned(msgspec.Struct, frozen=True, tag="warning", kw_only=True):
    """Something degraded without failing the run."""

    warning: str
    text: str
    subject: str = ""


class AgentSwitched(msgspec.Struct, frozen=True, tag="agent.switched", kw_only=True):
    """Another agent answers from here on; ``brief`` is what it was told by the one before."""

    agent_id: int
    name: str
    from_agent_id: int
    from_name: str
    brief: str = ""


class AgentStarted(msgspec.Struct, frozen=True, tag="agent.started", kw_only=True):
    """An agent was called. The innermost call comes last in ``agent_path``."""

    agent_path: tuple[MemberCall, ...]
    task: str
    version: str = ""


class AgentDelta(msgspec.Struct, frozen=True, tag="agent.delta", kw_only=True):
    """What a called agent writes to its caller, in larger pieces."""

    agent_path: tuple[MemberCall, ...]
    text: str = ""
    reasoning: str = ""


class AgentActed(msgspec.Struct, frozen=True, tag="agent.acted", kw_only=True):
    """A step, a search, a call or a warning of a called agent."""

    agent_path: tuple[MemberCall, ...]
    event: StepStarted | StepEnded | KnowledgeRecalled | ToolStarted | ToolCompleted | Warned


class AgentEnded(msgspec.Struct, frozen=True, tag="agent.ended", kw_only=True):
    """A called agent is done; ``usage`` counts its model calls."""

    agent_path: tuple[MemberCall, ...]
    text: str
    is_error: bool
    usage: Usage
    duration_ms: int


AgentEvent = AgentStarted | AgentDelta | AgentActed | AgentEnded


class FlowNodeStarted(msgspec.Struct, frozen=True, tag="flow_node.started", kw_only=True):
    """A node of the workflow that answers starts."""

    node_id: str
    name: str


class FlowNodeEnded(msgspec.Struct, frozen=True, tag="flow_node.ended", kw_only=True):
    """A node of the workflow that answers is over; ``type_name`` is what its canvas calls it."""

    node_id: str
    name: str
    type_name: str
    usage: Usage
    duration_ms: int
    error: str = ""
    model: str = ""
    quotes: tuple[RecalledChunk, ...] = ()
    remark: str = ""


class VariablesUpdated(msgspec.Struct, frozen=True, tag="variables.updated", kw_only=True):
    """Variables of the conversation after the run: texts, or what a workflow declares."""

    values: dict[str, Any]


class RunRequiresAction(msgspec.Struct, frozen=True, tag="run.requires_action"):
    """The run waits for the user or the client; what follows has numbers after this one."""

    run: RunView


class RunCompleted(msgspec.Struct, frozen=True, tag="run.completed"):
    """The run ended well."""

    run: RunView


class RunFailed(msgspec.Struct, frozen=True, tag="run.failed"):
    """The run ended with an error."""

    run: RunView


class RunCanceled(msgspec.Struct, frozen=True, tag="run.canceled"):
    """The run was cancelled."""

    run: RunView


RunEvent = (
    RunCreated
    | RunStarted
    | MessageStarted
    | MessageDelta
    | MessageReplaced
    | MessageCompleted
    | StepStarted
    | StepEnded
    | KnowledgeRecalled
    | ToolStarted
    | ToolCompleted
    | Warned
    | AgentSwitched
    | AgentStarted
    | AgentDelta
    | AgentActed
    | AgentEnded
    | FlowNodeStarted
    | FlowNodeEnded
    | VariablesUpdated
    | RunRequiresAction
    | RunCompleted
    | RunFailed
    | RunCanceled
)

TERMINAL = (RunRequiresAction, RunCompleted, RunFailed, RunCanceled)
"""What nothing follows in the stream of a run."""


def terminal_event(run: RunView) -> RunEvent | None:
    """Return the event that ends the stream of a run in this state; None while it goes on."""
    match run.status:
        case RunStatus.REQUIRES_ACTION:
            return RunRequiresAction(run)
        case RunStatus.COMPLETED:
            return RunCompleted(run)
        case RunStatus.FAILED:
            return RunFailed(run)
        case RunStatus.CANCELED:
            return RunCanceled(run)
        case _:
            return None


RunRecord = Record[RunEvent]


def _chars(event: RunEvent) -> int:
    """Tell how much text an event holds: only messages, replacements and findings are large."""
    match event:
        case AgentActed(event=acted):
            return _chars(acted)
        case KnowledgeRecalled(chunks=chunks):
            return sum(RECORD_BYTES + len(chunk.content) for chunk in chunks)
        case ToolCompleted(result=text):
            return len(text)
        case MessageCompleted(message=said):
            return len(said.text) + len(said.reasoning)
        case _:
            return len(getattr(event, "text", "")) + len(getattr(event, "reasoning", ""))


def _join(message_id: int, text: str, reasoning: str) -> RunEvent:
    return MessageDelta(message_id=message_id, text=text, reasoning=reasoning)


DELTAS: Final[Deltas[RunEvent]] = Deltas(
    type=MessageDelta,
    split=attrgetter("message_id", "text", "reasoning"),
    join=_join,
)
"""Events that a log may join: pieces of one answer."""

EVENTS: Final[EventRules[RunEvent]] = EventRules(chars=_chars, ends=TERMINAL, deltas=DELTAS)
"""What the log of a run has to know of its events."""


Told = ToldStep | ToldStepEnd | ToldRecall | ToldTool | ToldToolEnd | ToldWarning


def event_of_node(told: ToldNode) -> FlowNodeStarted | FlowNodeEnded:
    """Return the event for a node of the workflow that answers."""
    if not told.is_over:
        return FlowNodeStarted(node_id=told.node_id, name=told.name)
    return FlowNodeEnded(
        node_id=told.node_id,
        name=told.name,
        type_name=told.type_name,
        usage=told.usage,
        duration_ms=told.duration_ms,
        error=told.error,
        model=told.model,
        quotes=told.quotes,
        remark=told.remark,
    )


def event_of(
    told: Told,
) -> StepStarted | StepEnded | KnowledgeRecalled | ToolStarted | ToolCompleted | Warned:
    """Return the event for a step, a search, a call or a warning."""
    match told:
        case ToldStep():
            return StepStarted(step=told.step, model=told.model, may_call=told.may_call)
        case ToldStepEnd():
            return StepEnded(
                step=told.step,
                model=told.model,
                finish_reason=told.finish_reason.value,
                usage=told.usage,
                duration_ms=told.duration_ms,
            )
        case ToldRecall():
            return KnowledgeRecalled(
                query=told.query,
                chunks=told.chunks,
                is_failed=told.is_failed,
                duration_ms=told.duration_ms,
            )
        case ToldTool(call):
            return ToolStarted(call_id=call.id, name=call.name, arguments=call.arguments)
        case ToldToolEnd():
            return ToolCompleted(
                call_id=told.call.id,
                name=told.call.name,
                result=told.text,
                is_error=told.is_error,
                duration_ms=told.duration_ms,
                workflow_run_id=told.workflow_run_id,
                kind=told.kind,
            )
        case ToldWarning(warning=warning, text=text, subject=subject):
            return Warned(warning=warning, text=text, subject=subject)
        case _:
            assert_never(told)


def event_of_member(told: MemberActed) -> AgentEvent:
    """Return the event for what a called agent does."""
    path, event = told.path, told.event
    match event:
        case MemberStarted(task=task, version=version):
            return AgentStarted(agent_path=path, task=task, version=version)
        case MemberEnded():
            return AgentEnded(
                agent_path=path,
                text=event.text,
                is_error=event.is_error,
                usage=event.usage,
                duration_ms=event.duration_ms,
            )
        case AnswerDelta(text=text, reasoning=reasoning):
            return AgentDelta(agent_path=path, text=text, reasoning=reasoning)
        case _:
            return AgentActed(agent_path=path, event=event_of(event))


def event_of_switch(told: ToldSwitch) -> AgentSwitched:
    """Return the event for another agent that answers from now on."""
    return AgentSwitched(
        agent_id=told.agent_id,
        name=told.name,
        from_agent_id=told.from_agent_id,
        from_name=told.from_name,
        brief=told.brief,
    )
