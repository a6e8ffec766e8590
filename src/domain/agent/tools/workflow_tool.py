"""Workflows as tools: the model calls them, their answers go to the user."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from crossdomain.agent.contract import (
    AgentEvent,
    AgentWarned,
    AnswerStarted,
    OpenQuestion,
    ToolAnswering,
)
from crossdomain.workflow.contract import Workflows, WorkflowToolDescription, WorkflowToolResult
from domain.agent.tools.tool import (
    CURRENT_CALL,
    EFFECTS,
    Tool,
    ToolDescription,
    ToolOutput,
    TurnContext,
    stronger,
)
from domain.agent.turn.flow import Speaker
from domain.agent.value import WorkflowBinding
from domain.shared.chat import ToolSpec, Usage
from domain.shared.error import AppError

_TIMEOUT_S: Final = 600.0
"""Workflows have their own limit; this one is for those without."""


class WorkflowToolKind:
    """Finds the workflows that an agent is bound to."""

    name = "workflows"

    def __init__(self, workflows: Workflows) -> None:
        self._workflows = workflows

    def may_have(self, turn: TurnContext) -> bool:
        return bool(turn.snapshot.config.workflows)

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        """Return the workflows of this turn; one that is gone is left out with a warning."""
        found: list[Tool] = []
        for binding in turn.snapshot.config.workflows:
            try:
                description = await self._workflows.describe(
                    turn.call, workflow_id=str(binding.workflow_id), version=binding.version
                )
            except AppError as exc:
                warning = AgentWarned(
                    warning="workflow_missing",
                    text=f"A workflow is left out: {exc.message}",
                    subject=str(binding.workflow_id),
                )
                await turn.emit(warning)
                continue
            found.append(WorkflowTool(self._workflows, turn, binding, description))
        return found


class WorkflowTool:
    """One workflow, bound to one turn.

    Its messages are answers, and those of two workflows must not mix: calls are exclusive. Nobody
    overrides the values in ``fixed``, and ``description`` does not show them.
    """

    def __init__(
        self,
        workflows: Workflows,
        turn: TurnContext,
        binding: WorkflowBinding,
        description: WorkflowToolDescription,
        *,
        fixed: Mapping[str, Any] | None = None,
    ) -> None:
        self._fixed = fixed or {}
        self._workflows = workflows
        self._turn = turn
        self._description = description
        self._speaker = Speaker(self._emit, turn.links)
        self._answering: set[str] = set()
        """Calls that have begun to answer the user."""
        self._shown = ToolDescription(
            spec=ToolSpec(
                name=binding.tool_name or description.name,
                description=description.description,
                parameters=description.parameters,
            ),
            timeout_s=_TIMEOUT_S,
            is_exclusive=True,
            returns_directly=description.is_direct,
            reference=f"workflow/{binding.workflow_id}",
            kind="workflow",
            effect=stronger(binding.effect, EFFECTS.get(description.effect, "external_write")),
            needs_approval=binding.approval == "always",
            is_exempt=binding.approval == "exempt",
        )

    def describe(self) -> ToolDescription:
        """Return the name and parameters of the workflow."""
        return self._shown

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        """Run the workflow to its end or its first question."""
        turn = self._turn
        result = await self._workflows.run(
            turn.call,
            workflow_id=self._description.workflow_id,
            version=self._description.version,
            arguments={**arguments, **self._fixed},
            key=self._key(),
            conversation_id=turn.turn.conversation_id,
            agent_id=turn.snapshot.agent_id,
            listener=self._speaker.say,
        )
        return self._output(result)

    async def _emit(self, event: AgentEvent) -> None:
        """Pass on what the workflow says; its answer comes after the result of the call."""
        call_id = CURRENT_CALL.get()
        begins = isinstance(event, AnswerStarted) and call_id not in self._answering
        if begins and self._description.is_direct:
            self._answering.add(call_id)
            text = f"{self._description.title} directly streaming reply."
            await self._turn.emit(ToolAnswering(call_id=call_id, text=text))
        await self._turn.emit(event)

    def _output(self, result: WorkflowToolResult) -> ToolOutput:
        output = _output(result)
        return replace(output, is_noted=CURRENT_CALL.get() in self._answering)

    def _key(self) -> str:
        """Name this call: the same one never runs twice, and another one of the run is new."""
        call = sha256(CURRENT_CALL.get().encode()).hexdigest()[:16]
        team = self._turn.team
        return f"tool:{self._turn.call.run_id}:{team.lane}{self._shown.spec.name}:{call}"

    async def answer(self, question: OpenQuestion, text: str) -> ToolOutput:
        """Answer the question that the workflow waits with."""
        result = await self._workflows.answer(
            self._turn.call,
            run_id=question.workflow_run_id,
            question_id=question.question_id,
            text=text,
            is_tool=True,
            listener=self._speaker.say,
        )
        return self._output(result)


def _output(result: WorkflowToolResult) -> ToolOutput:
    used = Usage(input_tokens=result.input_tokens, output_tokens=result.output_tokens)
    asked = result.question
    if asked is not None:
        return ToolOutput(
            text=asked.prompt,
            workflow_run_id=result.run_id,
            used=used,
            question=OpenQuestion(
                workflow_run_id=result.run_id,
                question_id=asked.id,
                kind=asked.kind,
                asked=asked.asked,
            ),
        )
    return ToolOutput(
        text=result.text,
        is_error=result.status != "success",
        is_said=result.is_said,
        workflow_run_id=result.run_id,
        used=used,
    )
