"""The call of a shortcut's tool before the model is asked, as if the model had asked for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from crossdomain.agent.contract import ToolEnded, ToolsRequested, ToolStarted
from domain.agent.dispatch import CallDispatcher, CallResult
from domain.agent.shortcut import ShortcutTool, find_shortcut
from domain.agent.tool import Tool, ToolOutput, TurnContext
from domain.shared.chat import ChatMessage, ToolCall
from domain.shared.citation import framed
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_GONE: Final = "The tool of this shortcut is not one of the agent's any more."


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortcutResult:
    """What came of the call; nothing, if there was none."""

    asked: ChatMessage | None = None
    results: tuple[CallResult, ...] = ()

    @property
    def is_plain(self) -> bool:
        """The result is for the model: neither the answer nor a question to the user."""
        return not any(each.is_answer or each.output.question for each in self.results)

    @property
    def text(self) -> str:
        """The results as material for models that know no tools."""
        return "\n\n".join(framed(each.output.text) for each in self.results)


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
        arguments = msgspec.json.encode(shortcut.arguments(chosen.values)).decode()
        call = ToolCall(
            id=f"call_shortcut_{context.call.run_id}",
            name=(shortcut.tool.name or "shortcut") if tool is None else tool.describe().spec.name,
            arguments=arguments,
        )
        await context.emit(ToolsRequested((call,)))
        if tool is None:
            results = [await self._missing(context, call)]
        else:
            dispatcher = CallDispatcher(
                (tool,), emit=context.emit, clock=self._clock, limits=self._limits
            )
            results = await dispatcher.execute((call,))
        return ShortcutResult(
            asked=ChatMessage(role="assistant", parts=(), tool_calls=(call,)),
            results=tuple(results),
        )

    async def _missing(self, context: TurnContext, call: ToolCall) -> CallResult:
        await context.emit(ToolStarted(call))
        await context.emit(ToolEnded(call=call, text=_GONE, is_error=True, duration_ms=0))
        return CallResult(call=call, output=ToolOutput(text=_GONE, is_error=True))


def _find(tools: Sequence[Tool], wanted: ShortcutTool) -> Tool | None:
    return next((t for t in tools if t.describe().reference == wanted.reference), None)
