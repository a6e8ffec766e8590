"""One streamed model reply, translated into events of the agent."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never

import msgspec

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
    ToolCall,
    ToolCallDelta,
    Usage,
    UsageReported,
)
from domain.shared.citation import Citations, Cited, MarkFilter
from domain.shared.link_filter import STRICT, LinkFilter, LinkRules


class Citing:
    """The marks of one answer: filters them, and knows at the end what the answer cites.

    ``is_listed``: a list of what was cited follows the answer.
    """

    def __init__(self, sources: Sequence[Cited], *, is_listed: bool) -> None:
        self._sources = tuple(sources)
        self._is_listed = is_listed
        self._marks = MarkFilter(len(self._sources))

    def feed(self, text: str) -> str:
        """Return what may be shown of a delta."""
        return self._marks.feed(text)

    def finish(self) -> str:
        """Return what was held back at the end."""
        return self._marks.finish()

    def restart(self, text: str) -> str:
        """Begin again with another text."""
        self._marks = MarkFilter(len(self._sources))
        return self._marks.feed(text)

    def citations(self, shown: str) -> Citations | None:
        """Return what the answer cites; ``shown`` is all of it."""
        return Citations.of(shown, self._marks, self._sources, is_listed=self._is_listed)


@dataclass(slots=True)
class _Call:
    """A tool call that is being written."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


@dataclass(kw_only=True, slots=True)
class Reply:
    """Collects a reply while passing it on; one instance per model call.

    ``citing`` is for answers that name their sources. ``carried`` is reasoning of an earlier call
    whose answer goes on in this one. ``rules`` say what readers of the answer may load.
    """

    emit: EmitAgentEvent
    model: str
    """The model that was asked, then the one that answers."""
    citing: Citing | None = None
    carried: str = ""
    rules: LinkRules = STRICT
    usage: Usage = field(default_factory=Usage)
    finish_reason: FinishReason | None = None
    _text: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _calls: dict[int, _Call] = field(default_factory=dict)
    _is_started: bool = False
    _links: LinkFilter | None = field(init=False)

    def __post_init__(self) -> None:
        self._links = self.rules.filter()

    @property
    def is_empty(self) -> bool:
        """Neither text nor reasoning arrived."""
        return not self._text and not self._reasoning

    @property
    def rest(self) -> str:
        """Reasoning for which there is no text yet."""
        return "" if self._text else self.carried + "".join(self._reasoning)

    @property
    def text(self) -> str:
        """The answer so far, as shown."""
        return "".join(self._text)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls that the model asks for, in its order; ids as the model gave them."""
        return tuple(
            ToolCall(id=call.id, name=call.name, arguments="".join(call.arguments))
            for _, call in sorted(self._calls.items())
        )

    async def take(self, event: ModelEvent) -> None:
        """Pass one event on; the branch for text comes first because it is the hot one."""
        match event:
            case TextDelta(text):
                if self._links is not None:
                    text = self._links.feed(text)
                if self.citing is not None:
                    text = self.citing.feed(text)
                await self._add(AnswerDelta(text), self._text, text)
            case ReasoningDelta(text):
                await self._add(AnswerDelta("", text), self._reasoning, text)
            case ContentReplaced():
                await self._replace(event)
            case ReplyStarted():
                self.model = event.model or self.model
            case UsageReported():
                self.usage = event.usage
            case ReplyFinished():
                self.finish_reason = event.reason
            case ToolCallDelta():
                call = self._calls.setdefault(event.index, _Call())
                call.id, call.name = event.id or call.id, event.name or call.name
                call.arguments.append(event.arguments)
            case _:
                assert_never(event)

    async def end_text(self) -> None:
        """Show what was held back; call it once nothing follows."""
        text = self._links.finish() if self._links is not None else ""
        if self.citing is not None:
            text = self.citing.feed(text) + self.citing.finish()
        await self._add(AnswerDelta(text), self._text, text)

    async def complete(self, finish_reason: FinishReason) -> None:
        """Declare the answer final and the last one, if there is one."""
        if not self._is_started:
            return
        citations = self.citing.citations(self.text) if self.citing is not None else None
        if citations is not None and citations.tail:
            await self._add(AnswerDelta(citations.tail), self._text, citations.tail)
        await self._completed(finish_reason, citations, is_last=True)

    async def complete_interim(self) -> None:
        """Declare the text before tool calls an answer of its own; mere reasoning is none yet."""
        if self._text:
            citations = self.citing.citations(self.text) if self.citing is not None else None
            if citations is not None:
                citations = msgspec.structs.replace(citations, is_listed=False)
            await self._completed(FinishReason.TOOL_CALLS, citations, is_last=False)

    async def _completed(
        self, finish_reason: FinishReason, citations: Citations | None, *, is_last: bool
    ) -> None:
        await self.emit(
            AnswerCompleted(
                text=self.text,
                reasoning=self.carried + "".join(self._reasoning),
                finish_reason=finish_reason,
                citations=citations,
                is_interim=not is_last,
                is_last=is_last,
            )
        )

    async def _replace(self, event: ContentReplaced) -> None:
        await self._start()
        self._links = self.rules.filter()
        text = event.text if self._links is None else self._links.feed(event.text)
        if self.citing is not None:
            text = self.citing.restart(text)
        self._text = [text] if text else []
        self._reasoning = [event.reasoning] if event.reasoning else []
        await self.emit(AnswerReplaced(text, self.carried + event.reasoning))

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
            if not self.carried:
                await self.emit(AnswerStarted())


def is_void(reply: Reply) -> bool:
    """Nothing came, and neither length nor the content filter explains it."""
    return reply.is_empty and not reply.calls and finish_of(reply) is FinishReason.STOP


def finish_of(reply: Reply) -> FinishReason:
    """A last reply that ends in tool calls, none of which count, has simply ended."""
    if reply.finish_reason in {None, FinishReason.TOOL_CALLS}:
        return FinishReason.STOP
    return reply.finish_reason
