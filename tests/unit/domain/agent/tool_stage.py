"""A runner with tools that double numbers, and what it emitted."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from crossdomain.agent.contract import AgentEvent, AgentOutcome, AgentTurn, Round
from domain.agent.entity import AgentSnapshot
from domain.agent.tools.tool import Tool, ToolDescription, ToolOutput, TurnContext
from domain.agent.turn.meter import PreparationMeter
from domain.agent.turn.runner import AgentRunner
from domain.agent.value import AgentConfig, Mode, ModelSettings
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    ChatRequest,
    FinishReason,
    ReplyFinished,
    ReplyStarted,
    TextPart,
    ToolCallDelta,
    ToolSpec,
)
from domain.shared.ids import AgentId, SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics
from tests.support.agent.scripted import ListedKnowledge, ScriptedModels, Step
from tests.support.clock import FrozenClock

CONTEXT = CallContext(
    scope=TenantScope(UserId(7), frozenset({SpaceId(2)})), space_id=SpaceId(2), connector_id=1024
)
NUMBER = {
    "type": "object",
    "properties": {"x": {"type": "integer"}},
    "required": ["x"],
}


@dataclass
class Doubling:
    """Doubles a number; remembers when it was called, and by how many at once."""

    name: str = "double"
    error: Exception | None = None
    waits_for: int = 1
    times: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    seen: list[int] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    _all_there: asyncio.Event = field(default_factory=asyncio.Event)

    def describe(self) -> ToolDescription:
        spec = ToolSpec(name=self.name, description="Doubles.", parameters=NUMBER)
        return ToolDescription(spec=spec, **self.options)

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        self.seen.append(arguments["x"])
        self.busy += 1
        self.begun.set()
        self.most_busy = max(self.busy, self.most_busy)
        if self.busy >= self.waits_for:
            self._all_there.set()
        try:
            if self.error is not None:
                raise self.error
            await self._all_there.wait()
            await asyncio.sleep(0)
            return ToolOutput(text=str(arguments["x"] * 2) * self.times)
        finally:
            self.busy -= 1


@dataclass
class Kind:
    """Some tools."""

    found: Sequence[Tool]
    name: str = "test"

    def may_have(self, turn: TurnContext) -> bool:
        return True

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        return self.found


@dataclass
class Stage:
    """A runner with tools, and what it emitted."""

    models: ScriptedModels
    tools: Sequence[Tool] = field(default_factory=lambda: [Doubling()])
    limits: Limits = field(default_factory=Limits)
    model: ModelSettings = field(default_factory=ModelSettings)
    events: list[AgentEvent] = field(default_factory=list)

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)

    async def run(self, *, history: tuple[Round, ...] = ()) -> AgentOutcome:
        runner = AgentRunner(
            meter=PreparationMeter(Metrics()),
            models=self.models,
            knowledge=ListedKnowledge(),
            clock=FrozenClock(datetime(2030, 5, 1, tzinfo=UTC)),
            limits=self.limits,
            tool_kinds=[Kind(self.tools)],
        )
        snapshot = AgentSnapshot(
            agent_id=AgentId(1),
            space_id=SpaceId(2),
            version="1",
            name="",
            description="",
            icon_file_id=None,
            mode=Mode.SINGLE,
            config=AgentConfig(model=self.model),
        )
        turn = AgentTurn(history=history, question=(TextPart(text="Q"),), variables={})
        return await runner.run(CONTEXT, snapshot, turn, self.emit)

    def results(self, request: int = -1) -> list[str]:
        return [m.text for m in self.models.requests[request].messages if m.role == "tool"]

    @property
    def last(self) -> ChatRequest:
        return self.models.requests[-1]


def calls(*arguments: str, name: str = "double", before: Sequence[Step] = ()) -> list[Step]:
    """A reply that asks for calls, in pieces, after what comes before."""
    pieces: list[Step] = []
    for number, text in enumerate(arguments):
        call_id = f"c{number}"
        pieces.append(ToolCallDelta(index=number, id=call_id, name=name, arguments=text[:3]))
        pieces.append(ToolCallDelta(index=number, arguments=text[3:]))
    return [ReplyStarted("r", "m"), *before, *pieces, ReplyFinished(FinishReason.TOOL_CALLS)]
