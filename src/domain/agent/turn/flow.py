"""A workflow that answers instead of a model: one turn of a chat flow."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, assert_never

from crossdomain.agent.contract import (
    AgentOutcome,
    AgentTurn,
    AgentWarned,
    AnswerCompleted,
    AnswerDelta,
    AnswerStarted,
    EmitAgentEvent,
    FlowNode,
    FlowVariables,
    OpenQuestion,
    RecalledChunk,
)
from crossdomain.file.contract import Files
from crossdomain.workflow.contract import (
    ChatFile,
    ChatFlow,
    ChatFlowInput,
    WorkflowNode,
    WorkflowQuote,
    Workflows,
    WorkflowSays,
    WorkflowTold,
    WorkflowToolResult,
    WorkflowVariables,
    whole_text,
)
from domain.agent.error import WorkflowFailed
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason, Part, TextPart, Usage
from domain.shared.ids import AgentId, FileId
from domain.shared.text.link_filter import STRICT, LinkRules


class FlowRunner:
    """Runs a turn of a chat flow; holds no state between turns."""

    def __init__(self, *, flows: Workflows, files: Files, links: LinkRules = STRICT) -> None:
        self._links = links
        self._flows = flows
        self._files = files

    async def run(
        self,
        context: CallContext,
        flow: ChatFlow,
        agent_id: AgentId,
        turn: AgentTurn,
        emit: EmitAgentEvent,
        *,
        link_hosts: Collection[str] = (),
    ) -> AgentOutcome:
        """Answer with the messages of the workflow, or leave its question open.

        Raises:
            WorkflowFailed: the workflow failed or was cancelled.
            NotFound: what the user answers is gone.
        """
        speaker = Speaker(emit, self._links.allowing(link_hosts))
        if turn.answers is not None:
            answer = next(iter(turn.outputs.values()), None)
            if answer is None:
                answer = whole_text(*await self._input(context, turn.question))
            result = await self._flows.answer(
                context,
                run_id=turn.answers.workflow_run_id,
                question_id=turn.answers.question_id,
                text=answer,
                is_tool=False,
                listener=speaker.say,
            )
        else:
            text, files = await self._input(context, turn.question)
            given = ChatFlowInput(
                run_id=turn.workflow_run_id,
                conversation_id=turn.conversation_id,
                agent_id=agent_id,
                app_id=flow.app_id,
                text=text,
                files=files,
                parameters=_parameters(turn),
            )
            result = await self._flows.converse(context, flow, given, speaker.say)
        return await outcome_of(result, speaker, workflow_id=flow.workflow_id)

    async def _input(
        self, context: CallContext, question: Sequence[Part]
    ) -> tuple[str, tuple[ChatFile, ...]]:
        """Return what the workflow gets of a message: its text, and its files."""
        ids = [FileId(p.file_id) for p in question if not isinstance(p, TextPart) and p.file_id]
        files = await self._files.describe(context.scope, ids) if ids else {}
        said = ",".join(part.text for part in question if isinstance(part, TextPart) and part.text)
        given: list[ChatFile] = []
        for part in question:
            if isinstance(part, TextPart):
                continue
            if part.file_id:
                file = files[FileId(part.file_id)]
                given.append(ChatFile(url=file.url, name=file.name))
            elif part.url:
                given.append(ChatFile(url=part.url, name=part.name))
        return said, tuple(given)


class Speaker:
    """Gives messages of a workflow as answers."""

    def __init__(self, emit: EmitAgentEvent, links: LinkRules) -> None:
        self._emit = emit
        self._rules = links
        self._links = links.filter()
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._is_written = False

    async def say(self, said: WorkflowTold) -> None:
        """Take a piece of a message, of which an empty one is no answer, or tell of the rest."""
        match said:
            case WorkflowNode():
                await self._emit(_flow_node(said))
            case WorkflowVariables():
                await self._keep(said)
            case WorkflowSays():
                await self._say(said)
            case _:
                assert_never(said)

    async def _keep(self, left: WorkflowVariables) -> None:
        """Tell what becomes of variables."""
        for name in left.dropped:
            text = f"Variable {name} is too large to be kept; the next turn has its default."
            await self._emit(AgentWarned(warning="variable_too_large", text=text, subject=name))
        await self._emit(FlowVariables(values=left.values))

    async def _say(self, said: WorkflowSays) -> None:
        if said.text:  # what only ends a message says nothing of who wrote it
            self._is_written = said.is_written
        if said.is_reasoning:
            await self._think(said.text)
            return
        text = said.text if self._links is None else self._links.feed(said.text)
        await self._show(text)
        if said.is_last:
            await self._finish()
        if said.is_last and (self._text or self._thoughts):
            await self._complete(is_last=False, is_kept=said.is_kept)

    async def ask(self, prompt: str) -> None:
        """Give the question that the turn ends with."""
        await self.say(WorkflowSays(text=prompt, is_last=False))
        await self._finish()
        if self._text:
            await self._complete(is_last=True, is_kept=True)

    async def _think(self, text: str) -> None:
        """Show what a model thinks before its answer."""
        if not (self._text or self._thoughts):
            await self._emit(AnswerStarted(is_written=self._is_written))
        self._thoughts.append(text)
        await self._emit(AnswerDelta(reasoning=text))

    async def _finish(self) -> None:
        """Show what was held back of a message."""
        if self._links is not None:
            await self._show(self._links.finish())
        self._links = self._rules.filter()

    async def _show(self, text: str) -> None:
        if not text:
            return
        if not (self._text or self._thoughts):
            await self._emit(AnswerStarted(is_written=self._is_written))
        self._text.append(text)
        await self._emit(AnswerDelta(text))

    async def _complete(self, *, is_last: bool, is_kept: bool) -> None:
        text, self._text = "".join(self._text), []
        reasoning, self._thoughts = "".join(self._thoughts), []
        await self._emit(
            AnswerCompleted(
                text=text,
                reasoning=reasoning,
                finish_reason=FinishReason.STOP,
                is_interim=not is_last,
                is_last=is_last,
                is_kept=is_kept,
            )
        )


def _flow_node(node: WorkflowNode) -> FlowNode:
    return FlowNode(
        node_id=node.id,
        name=node.title,
        type_name=node.type_name,
        is_over=node.is_over,
        usage=Usage(input_tokens=node.input_tokens, output_tokens=node.output_tokens),
        duration_ms=node.duration_ms,
        error=node.error,
        model=node.model,
        quotes=tuple(_chunk(quote, number) for number, quote in enumerate(node.quotes, 1)),
        remark=node.remark,
    )


def _chunk(quote: WorkflowQuote, number: int) -> RecalledChunk:
    return RecalledChunk(
        n=number,
        slice_id=quote.slice_id,
        content=quote.text,
        score=max(quote.scores.values(), default=0.0),
        scores=quote.scores,
        dataset_id=quote.dataset_id,
        dataset_name="",
        document_id=quote.document_id,
        document_name=quote.document_name,
        format_type=0,
        source_type=0,
    )


async def outcome_of(
    result: WorkflowToolResult, speaker: Speaker, *, workflow_id: int
) -> AgentOutcome:
    """Tell how a turn ends whose workflow came to this; raise ``WorkflowFailed``."""
    used = Usage(input_tokens=result.input_tokens, output_tokens=result.output_tokens)
    question = None
    if result.question is not None:
        await speaker.ask(result.question.prompt)
        question = OpenQuestion(
            workflow_run_id=result.run_id,
            question_id=result.question.id,
            kind=result.question.kind,
            workflow_id=workflow_id,
            asked=result.question.asked,
        )
    elif result.status != "success":
        raise WorkflowFailed(
            result.text or f"The workflow was {result.status}.",
            workflow_code=result.error_code,
            run_id=result.run_id,
        )
    return AgentOutcome(
        finish_reason=FinishReason.STOP, usage=Usage(), nested_usage=used, question=question
    )


def _parameters(turn: AgentTurn) -> Mapping[str, Any]:
    return {**turn.variables, **turn.kept, **turn.parameters}
