"""The call of a shortcut's tool before the model is asked, as if the model had asked for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from crossdomain.agent.contract import ShortcutCall, ToolEnded, ToolsRequested, ToolStarted
from domain.agent.dispatch import CallDispatcher
from domain.agent.shortcut import ShortcutTool, find_shortcut
from domain.agent.tool import Tool, TurnContext
from domain.shared.chat import ChatMessage, TextPart, ToolCall
from domain.shared.citation import framed
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_GONE: Final = "The tool of this shortcut is not one of the agent's any more."


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortcutResult:
    """What came of the call: the pair for the model, or the answer itself."""

    messages: tuple[ChatMessage, ...] = ()
    answer: str = ""

    @property
    def text(self) -> str:
        """The result for models that know no tools, as material."""
        return framed(self.messages[-1].text) if self.messages else ""


class ShortcutRunner:
    """Calls the tool of the shortcut that a turn was started with."""

    def __init__(self, *, clock: Clock, limits: Limits) -> None:
        self._clock = clock
        self._limits = limits

    async def run(self, context: TurnContext, tools: Sequence[Tool]) -> ShortcutResult:
        """Call it if there is one; failures are results that say so."""
        chosen = context.turn.shortcut
        if chosen is None:
            return ShortcutResult()
        shortcut = find_shortcut(context.snapshot.config.shortcuts, chosen.shortcut_id)
        if shortcut.tool is None:
            return ShortcutResult()
        tool = _find(tools, shortcut.tool)
        call = ToolCall(
            id=f"call_shortcut_{context.call.run_id}",
            name=shortcut.tool.name or "shortcut" if tool is None else tool.describe().spec.name,
            arguments=_arguments(context, chosen),
        )
        await context.emit(ToolsRequested((call,)))
        if tool is None:
            await context.emit(ToolStarted(call))
            await context.emit(ToolEnded(call=call, text=_GONE, is_error=True, duration_ms=0))
            return ShortcutResult(messages=_pair(call, _GONE, is_error=True))
        dispatcher = CallDispatcher(
            (tool,), emit=context.emit, clock=self._clock, limits=self._limits
        )
        [result] = await dispatcher.execute((call,))
        if result.is_answer:
            return ShortcutResult(answer=result.output.text)
        return ShortcutResult(
            messages=_pair(call, result.output.text, is_error=result.output.is_error)
        )


def _find(tools: Sequence[Tool], wanted: ShortcutTool) -> Tool | None:
    return next((t for t in tools if t.describe().reference == wanted.reference), None)


def _arguments(context: TurnContext, chosen: ShortcutCall) -> str:
    shortcut = find_shortcut(context.snapshot.config.shortcuts, chosen.shortcut_id)
    return msgspec.json.encode(shortcut.arguments(chosen.values)).decode()


def _pair(call: ToolCall, text: str, *, is_error: bool) -> tuple[ChatMessage, ...]:
    return (
        ChatMessage(role="assistant", parts=(), tool_calls=(call,)),
        ChatMessage(
            role="tool",
            parts=(TextPart(text=text),),
            tool_call_id=call.id,
            tool_error=is_error,
        ),
    )
