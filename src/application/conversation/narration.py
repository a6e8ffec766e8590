"""From what agents tell of their work to the events of a run."""

from typing import assert_never

from application.conversation.run.event import (
    AgentActed,
    AgentDelta,
    AgentEnded,
    AgentEvent,
    AgentStarted,
    AgentSwitched,
    FlowNodeEnded,
    FlowNodeStarted,
    KnowledgeRecalled,
    StepEnded,
    StepStarted,
    ToolCompleted,
    ToolStarted,
    Warned,
)
from crossdomain.agent.contract import AgentSwitched as ToldSwitch
from crossdomain.agent.contract import AgentWarned as ToldWarning
from crossdomain.agent.contract import AnswerDelta, MemberActed, MemberEnded, MemberStarted
from crossdomain.agent.contract import FlowNode as ToldNode
from crossdomain.agent.contract import KnowledgeRecalled as ToldRecall
from crossdomain.agent.contract import StepEnded as ToldStepEnd
from crossdomain.agent.contract import StepStarted as ToldStep
from crossdomain.agent.contract import ToolEnded as ToldToolEnd
from crossdomain.agent.contract import ToolStarted as ToldTool

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
