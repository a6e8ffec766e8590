"""Runs of workflows on behalf of conversations and agents, whose callers were checked there."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from typing import Any, Final

import msgspec

from application.workflow.chat_prompt import asked_of, chat_text
from application.workflow.definition.catalog import LoadedWorkflow, WorkflowCatalog
from application.workflow.definition.effect import WorkflowEffects
from application.workflow.run.dto import (
    ResumeWorkflow,
    RunMode,
    RunPhase,
    StartWorkflow,
    WorkflowRunView,
)
from application.workflow.run.event import (
    MessageChunk,
    NodeBegan,
    NodeEnded,
    RunEnded,
    RunEvent,
    RunPaused,
    node_type_key,
)
from application.workflow.run.follow import RunFollower
from application.workflow.run.resume import RunAnswers
from application.workflow.run.service import WorkflowRunService
from crossdomain.workflow.contract import (
    ChatFlow,
    ChatFlowInput,
    Listener,
    WorkflowNode,
    WorkflowQuestion,
    WorkflowQuote,
    WorkflowSays,
    WorkflowTold,
    WorkflowToolDescription,
    WorkflowToolResult,
    WorkflowVariables,
    whole_text,
)
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.error import AppError, InvalidRequest
from domain.shared.ids import SpaceId, parse_id
from domain.workflow.convert import named_file_url
from domain.workflow.engine.debug import require_mockable
from domain.workflow.engine.kept_variables import KeptVariables
from domain.workflow.engine.state import NodePath
from domain.workflow.graph import ChatInput
from domain.workflow.node.model.schema import object_schema
from domain.workflow.node.model.toolbox import tool_name
from domain.workflow.run.workflow_run import WorkflowRunNotFound

_logger: Final = logging.getLogger(__name__)

_STATUSES: Final[Mapping[RunPhase, Any]] = {
    RunPhase.SUCCESS: "success",
    RunPhase.FAILED: "failed",
    RunPhase.CANCELLED: "cancelled",
    RunPhase.INTERRUPTED: "interrupted",
}


class ChatRuns:
    """Implements ``crossdomain.workflow.contract.Workflows``; whoever is cancelled ends the run."""

    def __init__(
        self,
        *,
        catalog: WorkflowCatalog,
        runs: WorkflowRunService,
        answers: RunAnswers,
        follower: RunFollower,
        effects: WorkflowEffects,
    ) -> None:
        self._catalog = catalog
        self._runs = runs
        self._answers = answers
        self._follower = follower
        self._effects = effects

    async def find(
        self,
        scope: TenantScope,
        *,
        workflow_id: int,
        version: str = "",
        is_draft: bool = False,
        mocks: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> ChatFlow:
        """Find a workflow; the errors are those of ``Workflows.find``."""
        loaded = await self._catalog.load(scope, workflow_id, version=version, draft=is_draft)
        if mocks:
            if not is_draft:
                raise InvalidRequest("mocks: only with the version draft.", field="mocks")
            require_mockable(loaded.program, mocks)
        return ChatFlow(
            workflow_id=loaded.workflow_id,
            space_id=SpaceId(loaded.space_id),
            name=loaded.name,
            version=loaded.version,
            app_id=loaded.app_id,
            is_draft=is_draft,
            description=loaded.description,
            mocks=mocks or {},
        )

    async def effect(
        self, scope: TenantScope, *, workflow_id: int, version: str = "", is_draft: bool = False
    ) -> str:
        """Return the strongest effect of a run; the errors are those of ``Workflows.find``."""
        loaded = await self._catalog.load(scope, workflow_id, version=version, draft=is_draft)
        return await self._effects.of(scope, loaded)

    async def describe(
        self,
        context: CallContext,
        *,
        workflow_id: str,
        version: str = "",
        hidden: frozenset[str] = frozenset(),
    ) -> WorkflowToolDescription:
        """Describe a workflow as a tool; the errors are those of ``Workflows.describe``."""
        scope = context.scope.within(context.space_id)
        loaded = await self._load(context, workflow_id, version)
        shown = tuple(field for field in loaded.program.input if field.name not in hidden)
        return WorkflowToolDescription(
            workflow_id=workflow_id,
            version=loaded.version,
            name=tool_name(f"ts_{loaded.name}_{loaded.name}"),
            title=loaded.name,
            description=loaded.description or loaded.name,
            parameters=object_schema(shown),
            result=object_schema(loaded.program.output, is_nullable=True),
            is_direct=loaded.program.answers,
            effect=await self._effects.of(scope, loaded),
        )

    async def converse(
        self, context: CallContext, flow: ChatFlow, given: ChatFlowInput, listener: Listener
    ) -> WorkflowToolResult:
        """Answer a message of a user."""
        loaded = await self._catalog.load(
            context.scope, flow.workflow_id, version=flow.version, draft=flow.is_draft
        )
        command = _command(
            context,
            loaded,
            {**given.parameters, **_said(given, loaded.program.chat)},
            is_draft=flow.is_draft,
            run_id=given.run_id,
            conversation_id=given.conversation_id,
            agent_id=given.agent_id,
            app_id=given.app_id or flow.app_id,
            mocks=flow.mocks,
        )
        live = await self._runs.launch(context.scope, command, loaded)
        return await self._listen(context, live.run.id, listener, says_exit=True, is_tool=False)

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
        """Run a workflow as a tool."""
        loaded = await self._load(context, workflow_id, version)
        command = _command(
            context,
            loaded,
            arguments,
            conversation_id=conversation_id,
            agent_id=agent_id,
            key=key,
        )
        live = await self._runs.launch(context.scope, command, loaded)
        says_exit = loaded.program.answers
        return await self._listen(context, live.run.id, listener, says_exit=says_exit, is_tool=True)

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
        """Answer a question and listen on."""
        scope = context.scope
        before = await self._runs.look_up(scope, run_id)
        command = ResumeWorkflow(run_id=run_id, event_id=question_id, data=text)
        after = await self._answers.resume_as(scope, command)
        says_exit = before.answers or not is_tool
        return await self._listen(
            context,
            run_id,
            listener,
            says_exit=says_exit,
            is_tool=is_tool,
            after=after,
            before=before,
        )

    async def abandon(self, scope: TenantScope, run_id: int) -> None:
        """End a run that waits; one that is gone needs no end."""
        try:
            await self._runs.stop(scope, run_id)
        except WorkflowRunNotFound:
            return

    async def _load(self, context: CallContext, workflow_id: str, version: str) -> LoadedWorkflow:
        number = parse_id(workflow_id, field="workflow_id")
        return await self._catalog.load(
            context.scope.within(context.space_id), number, version=version
        )

    async def _listen(
        self,
        context: CallContext,
        run_id: int,
        listener: Listener | None,
        *,
        says_exit: bool,
        is_tool: bool,
        after: int = 0,
        before: WorkflowRunView | None = None,
    ) -> WorkflowToolResult:
        """Pass messages on until the run ends or waits; ``before`` is the run as it waited.

        Variables of tools are no business of the conversation.
        """
        scope = context.scope
        order = MessageOrder(says_exit=says_exit)
        try:
            async with aclosing(
                self._follower.events(scope, run_id, _allowed, after=after)
            ) as batches:
                async for batch in batches:
                    for record in batch:
                        for said in order.take(record.event):
                            is_own = not (is_tool and isinstance(said, WorkflowVariables))
                            if listener is not None and is_own:
                                await listener(said)
            run = await self._runs.look_up(scope, run_id)
        except asyncio.CancelledError:
            kept = None if is_tool else self._runs.variables(scope, run_id)
            if listener is not None and kept is not None:
                await listener(as_workflow_variables(kept))
            await self._end(scope, run_id)
            raise
        return _result(run, before, is_said=listener is not None and says_exit)

    async def _end(self, scope: TenantScope, run_id: int) -> None:
        try:
            await self._runs.stop(scope, run_id)
        except AppError:
            _logger.warning("Run %d could not be stopped.", run_id, exc_info=True)


def _said(given: ChatFlowInput, names: ChatInput) -> dict[str, Any]:
    """Return the message of the user under the names that the program has for it."""
    if names.files:
        files = [named_file_url(each.url, each.name) for each in given.files]
        return {names.text: given.text, names.files: files}
    return {names.text: whole_text(given.text, given.files)}


def _allowed(_: SpaceId) -> None:
    """Let everything through: agents and chats were checked before."""


def _command(
    context: CallContext,
    loaded: LoadedWorkflow,
    parameters: Mapping[str, Any],
    *,
    conversation_id: int,
    agent_id: int,
    app_id: int = 0,
    is_draft: bool = False,
    run_id: int = 0,
    key: str = "",
    mocks: Mapping[str, Mapping[str, Any]] | None = None,
) -> StartWorkflow:
    return StartWorkflow(
        workflow_id=loaded.workflow_id,
        parameters=parameters,
        mode=RunMode.STREAM,
        version=loaded.version,
        is_draft=is_draft,
        connector_id=context.connector_id,
        end_user_id=context.end_user_id,
        app_id=app_id,
        agent_id=agent_id,
        conversation_id=conversation_id,
        idempotency_key=key,
        log_id=context.log_id,
        run_id=run_id,
        egress_hosts=context.egress_hosts,
        mocks=mocks or {},
    )


def _result(
    run: WorkflowRunView, before: WorkflowRunView | None, *, is_said: bool
) -> WorkflowToolResult:
    output = msgspec.json.decode(run.output) if run.output else None
    text = run.output
    if run.answers and isinstance(output, dict):
        text = str(output.get("output", ""))
    question = None
    if run.phase is RunPhase.INTERRUPTED and run.pending:
        first = run.pending[0]
        asked = asked_of(first.data)
        question = WorkflowQuestion(
            id=first.id,
            kind=int(first.kind),
            node_title=first.node_title,
            data=first.data,
            prompt=chat_text(asked),
            asked=asked,
        )
    fault = run.fault
    return WorkflowToolResult(
        status=_STATUSES.get(run.phase, "failed"),
        run_id=run.id,
        text=fault.message if fault else text,
        output=output,
        error_code=fault.code if fault else 0,
        question=question,
        is_said=is_said and run.answers and run.phase is RunPhase.SUCCESS,
        input_tokens=run.input_tokens - (before.input_tokens if before else 0),
        output_tokens=run.output_tokens - (before.output_tokens if before else 0),
    )


_ANSWERING: Final = frozenset({"exit", "model"})
"""Kinds whose messages are results, too: whoever runs a workflow as a tool gets them as such."""


_MODEL: Final = "model"
_MADE: Final = "$"
"""Part of the ids of nodes that no canvas knows: readers made them."""


class MessageOrder:
    """Passes one message on as it comes; what others say meanwhile waits for its end."""

    def __init__(self, *, says_exit: bool) -> None:
        self._says_exit = says_exit
        self._current: NodePath | None = None
        self._waiting: dict[NodePath, list[WorkflowSays]] = {}

    def take(self, event: RunEvent) -> Iterator[WorkflowTold]:
        """Yield what may be said now, which nodes start and end, and what variables become."""
        match event:
            case MessageChunk() if self._is_said(event):
                said = WorkflowSays(
                    text=event.text,
                    is_last=event.is_last,
                    is_kept=event.writes_history,
                    is_reasoning=event.is_reasoning,
                    is_written=event.kind == _MODEL,
                )
                yield from self._add(event.path, said)
            case NodeEnded() if event.path == self._current or event.path in self._waiting:
                yield from self._add(event.path, WorkflowSays(text="", is_last=True))
            case (
                RunEnded(variables=KeptVariables() as kept)
                | RunPaused(variables=KeptVariables() as kept)
            ):
                yield as_workflow_variables(kept)
            case _:
                pass
        if isinstance(event, NodeBegan | NodeEnded) and _MADE not in event.node_id:
            yield _node(event)

    def _is_said(self, chunk: MessageChunk) -> bool:
        """Leave out what tools return to models, and results that are no answers."""
        return chunk.kind not in _ANSWERING or (self._says_exit and not chunk.tool_path)

    def _add(self, path: NodePath, said: WorkflowSays) -> Iterator[WorkflowSays]:
        if self._current not in {None, path}:
            self._waiting.setdefault(path, []).append(said)
            return
        self._current = None if said.is_last else path
        yield said
        while self._current is None and self._waiting:
            path = next(iter(self._waiting))
            for waiting in self._waiting.pop(path):
                self._current = None if waiting.is_last else path
                yield waiting


def as_workflow_variables(kept: KeptVariables) -> WorkflowVariables:
    """Tell others what becomes of the variables of a run."""
    return WorkflowVariables(values=kept.values, dropped=kept.dropped)


def _node(event: NodeBegan | NodeEnded) -> WorkflowNode:
    type_name = event.type_name or node_type_key(event.kind)
    if isinstance(event, NodeBegan):
        return WorkflowNode(id=event.node_id, title=event.node_title, type_name=type_name)
    return WorkflowNode(
        id=event.node_id,
        title=event.node_title,
        type_name=type_name,
        is_over=True,
        duration_ms=round(event.duration_ms),
        input_tokens=event.input_tokens,
        output_tokens=event.output_tokens,
        error=event.error.message if event.error else "",
        model=str(event.extra.get("model", "")),
        quotes=tuple(_quotes(event)),
        remark=str(event.extra.get("remark", "")),
    )


def _quotes(event: NodeEnded) -> Iterator[WorkflowQuote]:
    """Yield the passages that a search returned, with the sources in its record."""
    texts = (event.output or {}).get("outputList")
    sources = event.extra.get("found")
    if not (isinstance(texts, list) and isinstance(sources, list)):
        return  # no search, or a record that was cut
    for found, source in zip(texts, sources, strict=False):
        yield WorkflowQuote(
            text=str(found.get("output") or found.get("q") or ""),
            slice_id=int(source["slice_id"] or 0),
            dataset_id=int(source["dataset_id"] or 0),
            document_id=int(source["document_id"] or 0),
            document_name=source["document_name"],
            scores=source["scores"],
        )
