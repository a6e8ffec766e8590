"""What a called agent says and does, on its way to those who follow the run."""

from typing import assert_never

from crossdomain.agent.contract import (
    AgentEvent,
    AgentSwitched,
    AgentWarned,
    AnswerCompleted,
    AnswerDelta,
    AnswerReplaced,
    AnswerStarted,
    EmitAgentEvent,
    FlowNode,
    FlowVariables,
    FollowUpsSuggested,
    KnowledgeRecalled,
    MemberActed,
    MemberCall,
    MemberEvent,
    StepEnded,
    StepStarted,
    ToolAnswering,
    ToolEnded,
    ToolsRequested,
    ToolStarted,
)

_DELTA_CHARS = 256
"""Nobody reads these as they are written: few pieces do, and keep the log of events small."""


class MemberVoice:
    """Passes on what the agent does under its call, and keeps what it answers."""

    def __init__(self, emit: EmitAgentEvent, call: MemberCall) -> None:
        self._emit = emit
        self._call = call
        self._answers: list[str] = []
        self._interim = ""
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._chars = 0

    @property
    def answer(self) -> str:
        """What it said last, or all of its last answers if there are several."""
        return "\n\n".join(self._answers) or self._interim

    async def __call__(self, event: AgentEvent) -> None:
        match event:
            case AnswerDelta(text=text, reasoning=reasoning):
                await self._write(text, reasoning)
            case AnswerCompleted():
                await self._complete(event)
            case MemberActed(path=path, event=inner):
                await self._flush()
                await self._emit(MemberActed(path=(self._call, *path), event=inner))
            case (
                StepStarted()
                | StepEnded()
                | KnowledgeRecalled()
                | ToolStarted()
                | ToolEnded()
                | AgentWarned()
            ):
                await self.tell(event)
            case (
                AnswerStarted()
                | AnswerReplaced()
                | ToolsRequested()
                | ToolAnswering()
                | FollowUpsSuggested()
                | AgentSwitched()
                | FlowNode()
                | FlowVariables()
            ):
                pass  # parts of an answer or of a conversation, and this is neither
            case _:
                assert_never(event)

    async def tell(self, event: MemberEvent) -> None:
        """Pass on one event, behind the text before it."""
        await self._flush()
        await self._emit(MemberActed(path=(self._call,), event=event))

    async def _complete(self, event: AnswerCompleted) -> None:
        await self._flush()
        text = event.text if event.citations is None else event.citations.plain(event.text)
        if event.is_interim and not event.is_last:
            self._interim = text
        elif text:
            self._answers.append(text)

    async def _write(self, text: str, reasoning: str) -> None:
        self._text.append(text)
        self._reasoning.append(reasoning)
        self._chars += len(text) + len(reasoning)
        if self._chars >= _DELTA_CHARS:
            await self._flush()

    async def _flush(self) -> None:
        if not self._chars:
            return
        delta = AnswerDelta("".join(self._text), "".join(self._reasoning))
        self._text, self._reasoning, self._chars = [], [], 0
        await self._emit(MemberActed(path=(self._call,), event=delta))
