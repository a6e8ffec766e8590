"""One streamed model reply, translated into events of the agent."""

from dataclasses import dataclass, field
from typing import assert_never

from crossdomain.agent.contract import (
    AnswerCompleted,
    AnswerDelta,
    AnswerReplaced,
    AnswerStarted,
    EmitAgentEvent,
)
from domain.shared.chat import (
    ContentReplaced,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    ToolCallDelta,
    Usage,
    UsageReported,
)


@dataclass(kw_only=True, slots=True)
class Reply:
    """Collects a reply while passing it on; one instance per model call."""

    emit: EmitAgentEvent
    model: str
    """The model that was asked, then the one that answers."""
    usage: Usage = field(default_factory=Usage)
    finish_reason: FinishReason | None = None
    _text: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _is_started: bool = False

    @property
    def is_empty(self) -> bool:
        """Neither text nor reasoning arrived."""
        return not self._is_started

    async def take(self, event: ModelEvent) -> None:
        """Pass one event on; the branch for text comes first because it is the hot one."""
        match event:
            case TextDelta(text):
                await self._add(AnswerDelta(text), self._text, text)
            case ReasoningDelta(text):
                await self._add(AnswerDelta("", text), self._reasoning, text)
            case ContentReplaced():
                await self._start()
                self._text, self._reasoning = [event.text], [event.reasoning]
                await self.emit(AnswerReplaced(event.text, event.reasoning))
            case ReplyStarted():
                self.model = event.model or self.model
            case UsageReported():
                self.usage = event.usage
            case ReplyFinished():
                self.finish_reason = event.reason
            case ToolCallDelta():
                pass  # no tools were offered, so there is nothing to call
            case _:
                assert_never(event)

    async def complete(self, finish_reason: FinishReason) -> None:
        """Declare the answer final and the last one, if there is one."""
        if self._is_started:
            await self.emit(
                AnswerCompleted(
                    text="".join(self._text),
                    reasoning="".join(self._reasoning),
                    finish_reason=finish_reason,
                    is_last=True,
                )
            )

    async def _add(self, delta: AnswerDelta, pieces: list[str], text: str) -> None:
        if not text:
            return
        if not self._is_started:
            await self._start()
        pieces.append(text)
        await self.emit(delta)

    async def _start(self) -> None:
        if not self._is_started:
            self._is_started = True
            await self.emit(AnswerStarted())
