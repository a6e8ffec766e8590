"""What a workspace offers to MCP clients: its published agents and workflows as tools."""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final

import msgspec

from application.agent.dto import AgentSummary
from application.agent.publishing import AgentPublishingService
from application.conversation.dto import IncomingMessage, StartRun
from application.conversation.run.event import (
    KnowledgeRecalled,
    MessageCompleted,
    RunCanceled,
    RunCompleted,
    RunFailed,
    ToolStarted,
)
from application.conversation.run.service import RunService
from application.workflow.definition.dto import ListWorkflows, WorkflowMode, WorkflowState
from application.workflow.definition.service import WorkflowService
from crossdomain.usage.contract import BudgetExceeded
from crossdomain.workflow.contract import Workflows, WorkflowToolResult
from domain.conversation.value import MessageKind
from domain.shared.access import Permission, Principal
from domain.shared.call import CallContext
from domain.shared.chat import TextPart
from domain.shared.error import AppError, InvalidRequest, NotFound
from domain.shared.ids import MAX_ID, SpaceId
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id

_NAME: Final = re.compile(r"(?:[A-Za-z0-9_-]+_)?(agent|workflow)_(\d{1,19})", re.ASCII)
_NOT_PLAIN: Final = re.compile(r"[^A-Za-z0-9]+", re.ASCII)
_STEM_CHARS: Final = 32
_QUESTION: Final = {
    "type": "object",
    "properties": {
        "question": {"type": "string", "description": "What the agent is asked, in full."},
        "conversation_id": {
            "type": "string",
            "description": "Continues the conversation of an earlier answer.",
        },
    },
    "required": ["question"],
}
_ANSWER: Final = {
    "type": "object",
    "properties": {
        "answer": {"type": "string", "description": "What the agent says."},
        "conversation_id": {
            "type": "string",
            "description": "Continues this conversation with the next question.",
        },
    },
    "required": ["answer", "conversation_id"],
}


class OfferedTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as clients see it; without an output schema its result is a text alone."""

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None = None


class ToolStep(msgspec.Struct, frozen=True, kw_only=True):
    """Something happened on the way."""

    text: str


class ToolAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How a call ended; always the last thing it says."""

    text: str
    structured: Mapping[str, Any] | None = None
    is_error: bool = False


ToolSays = ToolStep | ToolAnswer


class ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call by a client; ``end_user_id`` names whom it is for."""

    name: str
    arguments: Mapping[str, Any]
    end_user_id: str


class SpaceTools:
    """Published agents and workflows of one workspace, as the caller may use them."""

    def __init__(
        self,
        *,
        publishing: AgentPublishingService,
        runs: RunService,
        workflows: WorkflowService,
        workflow_tools: Workflows,
        limits: Limits,
    ) -> None:
        self._publishing = publishing
        self._runs = runs
        self._workflows = workflows
        self._workflow_tools = workflow_tools
        self._limits = limits

    async def offered(self, principal: Principal, space_id: int) -> tuple[OfferedTool, ...]:
        """Return the tools; raise ``NotFound`` for a foreign workspace."""
        principal.scope.within(SpaceId(space_id))
        agents = await self._publishing.list_chattable(
            principal, connector_id=principal.connector_id
        )
        offered = [_agent_tool(each) for each in agents if each.space_id == space_id]
        if _may_run_workflows(principal, space_id):
            offered += await self._list_workflows(principal, space_id)
        return tuple(offered)

    async def call(
        self, principal: Principal, space_id: int, call: ToolCall
    ) -> AsyncGenerator[ToolSays, None]:
        """Check a call and return what it says, the answer last; iterate inside ``aclosing``.

        Raises:
            NotFound: a foreign workspace, or no such tool in it.
            InvalidRequest: an argument is missing.
        """
        principal.scope.within(SpaceId(space_id))
        kind, number = _parse_name(call.name)
        if kind == "agent":
            try:
                return await self._ask_agent(principal, space_id, number, call)
            except BudgetExceeded as exc:  # the model that calls should hear of it
                return _refused(exc)
        if not _may_run_workflows(principal, space_id):
            raise _no_tool(call.name)
        return await self._run_workflow(principal, space_id, number, call)

    async def _list_workflows(self, principal: Principal, space_id: int) -> list[OfferedTool]:
        page = await self._workflows.list(
            principal,
            ListWorkflows(
                space_id=space_id,
                limit=self._limits.mcp_tools,
                by_id=True,
                descending=False,
                state=WorkflowState.PUBLISHED,
                mode=WorkflowMode.WORKFLOW,
            ),
        )
        context = _context(principal, space_id, end_user_id="")
        offered: list[OfferedTool] = []
        for each in page.items:
            try:
                described = await self._workflow_tools.describe(context, workflow_id=str(each.id))
            except NotFound:  # taken back meanwhile
                continue
            offered.append(
                OfferedTool(
                    name=_name(each.name, "workflow", each.id),
                    title=described.title,
                    description=described.description or f"Runs the workflow {described.title}.",
                    input_schema=described.parameters,
                    output_schema=described.result,
                )
            )
        return offered

    async def _ask_agent(
        self, principal: Principal, space_id: int, agent_id: int, call: ToolCall
    ) -> AsyncGenerator[ToolSays, None]:
        found = await self._publishing.resolve(
            principal, str(agent_id), connector_id=principal.connector_id
        )
        if found.space_id != space_id:
            raise _no_tool(call.name)
        question = call.arguments.get("question")
        if not isinstance(question, str) or not question.strip():
            raise InvalidRequest("question: say what the agent is asked.", field="question")
        run = await self._runs.start(
            principal,
            StartRun(
                agent_id=agent_id,
                end_user_id=call.end_user_id,
                messages=(IncomingMessage(role="user", parts=(TextPart(text=question),)),),
                conversation_id=_conversation(call.arguments.get("conversation_id")),
                connector_id=principal.connector_id,
                cancel_on_disconnect=True,  # the answer could not be fetched in another way
                log_id=current_log_id(),
                surface="mcp",
            ),
        )
        return self._follow(principal, run.id)

    async def _follow(self, principal: Principal, run_id: int) -> AsyncGenerator[ToolSays, None]:
        texts: list[str] = []
        async with aclosing(self._runs.follow(principal, run_id)) as batches:
            async for batch in batches:
                for record in batch:
                    match record.event:
                        case ToolStarted(name=name):
                            yield ToolStep(text=f"Uses {name}.")
                        case KnowledgeRecalled(chunks=chunks):
                            yield ToolStep(text=f"Found {len(chunks)} passages.")
                        case MessageCompleted(message) if message.kind is MessageKind.ANSWER:
                            texts.append(message.text)
                        case RunCompleted(run):
                            answer = "\n".join(texts)
                            yield ToolAnswer(
                                text=answer,
                                structured={
                                    "answer": answer,
                                    "conversation_id": str(run.conversation_id),
                                },
                            )
                        case RunFailed(run):
                            yield ToolAnswer(text=run.error.message, is_error=True)
                        case RunCanceled():
                            yield ToolAnswer(text="The run was cancelled.", is_error=True)
                        case _:
                            pass

    async def _run_workflow(
        self, principal: Principal, space_id: int, workflow_id: int, call: ToolCall
    ) -> AsyncGenerator[ToolSays, None]:
        context = _context(principal, space_id, end_user_id=call.end_user_id)
        described = await self._workflow_tools.describe(context, workflow_id=str(workflow_id))
        missing = set(described.parameters.get("required", ())) - call.arguments.keys()
        if missing:
            raise InvalidRequest(f"{min(missing)}: required.", field=min(missing))
        return self._run(context, workflow_id, call.arguments)

    async def _run(
        self, context: CallContext, workflow_id: int, arguments: Mapping[str, Any]
    ) -> AsyncGenerator[ToolSays, None]:
        yield ToolStep(text="Runs.")
        result = await self._workflow_tools.run(
            context, workflow_id=str(workflow_id), arguments=arguments, key=""
        )
        yield _workflow_answer(result)


def _agent_tool(agent: AgentSummary) -> OfferedTool:
    return OfferedTool(
        name=_name(agent.name, "agent", agent.id),
        title=agent.name,
        description=agent.description or f"Asks the agent {agent.name}.",
        input_schema=_QUESTION,
        output_schema=_ANSWER,
    )


def _workflow_answer(result: WorkflowToolResult) -> ToolAnswer:
    match result.status:
        case "success":
            return ToolAnswer(text=result.text, structured=result.output)
        case "interrupted" if result.question is not None:
            return ToolAnswer(
                text=f"The workflow asks back, which is not possible here: {result.question.data}",
                is_error=True,
            )
        case _:
            return ToolAnswer(text=result.text or "The workflow did not end.", is_error=True)


def _name(words: str, kind: str, number: int) -> str:
    """Make a name that models can write; the id makes it the only one and keeps it for good."""
    stem = _NOT_PLAIN.sub("_", words)[:_STEM_CHARS].strip("_").lower()
    return f"{stem}_{kind}_{number}" if stem else f"{kind}_{number}"


def _parse_name(name: str) -> tuple[str, int]:
    found = _NAME.fullmatch(name)
    if found is None or not 0 < int(found[2]) <= MAX_ID:
        raise _no_tool(name)
    return found[1], int(found[2])


def _no_tool(name: str) -> NotFound:
    return NotFound(f"There is no tool {name[:64]!r} here; list the tools.")


def _conversation(given: object) -> int | None:
    if given is None or given == "":
        return None
    if isinstance(given, str) and given.isascii() and given.isdigit() and 0 < int(given) <= MAX_ID:
        return int(given)
    raise InvalidRequest(
        "conversation_id: use the one of an earlier answer.", field="conversation_id"
    )


def _may_run_workflows(principal: Principal, space_id: int) -> bool:
    """A token that is limited to agents runs no workflows of its own choice."""
    may = all(
        principal.may(permission, SpaceId(space_id))
        for permission in (Permission.WORKFLOW_READ, Permission.WORKFLOW_RUN)
    )
    return may and principal.agent_ids is None


async def _refused(error: AppError) -> AsyncGenerator[ToolSays, None]:
    yield ToolAnswer(text=error.message, is_error=True)


def _context(principal: Principal, space_id: int, *, end_user_id: str) -> CallContext:
    return CallContext(
        scope=principal.scope.within(SpaceId(space_id)),
        space_id=SpaceId(space_id),
        connector_id=principal.connector_id,
        end_user_id=end_user_id,
        log_id=current_log_id(),
    )
