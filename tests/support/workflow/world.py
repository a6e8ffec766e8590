"""A world for runs: scripted models and servers, variables and messages kept in memory."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Literal

import msgspec

from crossdomain.memory.contract import DeclaredVariable, VariableHolder, VariableValue
from crossdomain.model.contract import (
    EmbeddingDescription,
    EmbeddingResult,
    ModelDescription,
    RerankResult,
)
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    Capabilities,
    ChatMessage,
    ChatRequest,
    FinishReason,
    ModelCall,
    ModelEvent,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from domain.shared.error import NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, UserId
from domain.workflow.engine.checkpoint import decode_entry, encode_entry
from domain.workflow.engine.event import JournalEntry, MessageChunk, NodeEnded, RunEvent
from domain.workflow.engine.execution import Engine, RunOptions, RunResult
from domain.workflow.engine.state import RunState
from domain.workflow.graph import Flags
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.check import Reading
from domain.workflow.plan import Plan
from domain.workflow.port import Child, Ports, RunContext
from domain.workflow.value import Value
from infra.contract.egress import EgressFailed, EgressPolicy, EgressRequest, EgressResponse
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.impl.json_reader.library import read_json5, select_json
from tests.support.clock import FrozenClock
from tests.support.workflow.canvas import FIXTURES, Json, check

SPACE = SpaceId(1)
CALL = CallContext(scope=TenantScope(UserId(1), frozenset({SPACE})), space_id=SPACE, connector_id=1)


class Script(msgspec.Struct, kw_only=True):
    """One reply of the scripted model."""

    reply: str = ""
    error: str = ""
    delay_ms: int = 0
    usage: tuple[int, int] = (3, 2)
    when_prompt_contains: str = ""
    pieces: tuple[str, ...] = ()
    tool_calls: tuple[tuple[str, str], ...] = ()
    """Names and arguments."""


class ScriptedModels:
    """Answers in order, or by what the prompt contains."""

    def __init__(self, scripts: Sequence[Script | str] = ()) -> None:
        self.scripts = [Script(reply=each) if isinstance(each, str) else each for each in scripts]
        self.requests: list[ChatRequest] = []
        self.unknown: frozenset[str] = frozenset()
        """Models that do not exist here."""
        self.in_flight = 0
        self.most_in_flight = 0
        self.released: asyncio.Event | None = None
        self.pieces_sent: list[str] = []
        """If set, the model waits for it before its second piece."""

    async def describe(self, model: str, *, space_id: int = 0) -> ModelDescription:
        if model in self.unknown:
            raise NotFound(f"No model {model}.")
        return ModelDescription(
            id=model,
            name=model,
            capabilities=Capabilities(vision=True),
            window=8192,
            max_output=1024,
        )

    async def stream(
        self,
        context: CallContext,
        request: ChatRequest,
        *,
        purpose: Literal[
            "chat",
            "suggestion",
            "title",
            "summary",
            "memory",
            "query_rewrite",
            "routing",
            "vision",
            "nl2sql",
        ] = "chat",
    ) -> AsyncGenerator[ModelEvent, None]:
        self.requests.append(request)
        script = self._next("\n".join(message.text for message in request.messages))
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            yield ReplyStarted("r", "m")
            await asyncio.sleep(script.delay_ms / 1000)
            if script.error:
                raise ModelCallFailed(script.error, failure=ModelFailure.INVALID_REQUEST)
            for number, piece in enumerate(script.pieces or (script.reply,)):
                if number and self.released is not None:
                    await self.released.wait()
                self.pieces_sent.append(piece)
                yield TextDelta(piece)
            for number, (name, arguments) in enumerate(script.tool_calls):
                yield ToolCallDelta(
                    index=number,
                    id=f"call{len(self.requests)}.{number}",
                    name=name,
                    arguments=arguments,
                )
            yield ReplyFinished(FinishReason.STOP)
        finally:
            self.in_flight -= 1
            read, written = script.usage
            context.record_call(
                ModelCall(
                    model="m",
                    provider="p",
                    attempt=1,
                    purpose="chat",
                    usage=Usage(input_tokens=read, output_tokens=written),
                    outcome="ok",
                )
            )

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> EmbeddingResult:
        raise NotImplementedError

    async def seeing(self) -> ModelDescription | None:
        return None

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        raise NotImplementedError

    async def has_reranker(self) -> bool:
        return False

    async def rerank(
        self, context: CallContext, query: str, texts: Sequence[str], *, model: str = ""
    ) -> RerankResult:
        raise NotImplementedError

    def count_tokens(
        self, model: str, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec] = ()
    ) -> int:
        return 1

    def _next(self, prompt: str) -> Script:
        for script in self.scripts:
            if script.when_prompt_contains in prompt:
                self.scripts.remove(script)
                return script
        raise AssertionError(f"No reply left for {prompt!r}.")


@dataclass
class StubServer:
    """Answers requests in order."""

    answers: list[EgressResponse | EgressFailed] = field(default_factory=list)
    requests: list[EgressRequest] = field(default_factory=list)
    hangs: bool = False
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def request(self, request: EgressRequest, policy: EgressPolicy) -> EgressResponse:
        self.requests.append(request)
        self.asked.set()
        if self.hangs:
            await asyncio.sleep(3600)
        answer = self.answers.pop(0)
        if isinstance(answer, EgressFailed):
            raise answer
        return answer


@dataclass
class MemoryVariables:
    """Variables of one owner and user, and all that was written, in its order."""

    values: dict[str, str] = field(default_factory=dict)
    written: list[tuple[str, str]] = field(default_factory=list)

    async def get_variables(
        self, scope: TenantScope, holder: VariableHolder
    ) -> tuple[VariableValue, ...]:
        await asyncio.sleep(0)
        return tuple(
            VariableValue(declaration=DeclaredVariable(keyword=name), value=value, is_set=True)
            for name, value in self.values.items()
        )

    async def set_variables(
        self, scope: TenantScope, holder: VariableHolder, values: Sequence[tuple[str, str]]
    ) -> tuple[str, ...]:
        await asyncio.sleep(0)
        self.written += values
        self.values.update(values)
        return tuple(name for name, _ in values)

    async def change_list(self, *_: object, **__: object) -> tuple[str, ...]:
        raise NotImplementedError


@dataclass
class FilePrograms:
    """Workflows from the fixtures, or given as texts."""

    files: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    flags: Flags | None = None

    async def load(self, context: RunContext, workflow_id: str, version: str) -> Child:
        await asyncio.sleep(0)
        text = self.texts.get(workflow_id)
        if text is None:
            text = fixture(self.files[workflow_id])
        reading = check(text, flags=self.flags)
        assert reading.program is not None
        return Child(program=reading.program, name=f"flow {workflow_id}", description="A flow.")


@dataclass
class MemoryJournal:
    """Keeps entries as bytes, and knows which of them are durable."""

    entries: list[bytes] = field(default_factory=list)
    durable: int = 0
    stop_after: int | None = None

    def record(self, *entries: JournalEntry) -> None:
        self.entries.extend(map(encode_entry, entries))

    async def flush(self) -> None:
        await asyncio.sleep(0)
        self.durable = len(self.entries)

    def decoded(self) -> list[JournalEntry]:
        return [decode_entry(each) for each in self.entries]


@dataclass
class Recorder:
    """Keeps events."""

    events: list[RunEvent] = field(default_factory=list)

    def take(self, event: RunEvent) -> None:
        self.events.append(event)

    async def drain(self) -> None:
        await asyncio.sleep(0)

    def messages(self) -> list[tuple[str, str]]:
        """Texts of complete messages by node."""
        found: list[tuple[str, str]] = []
        texts: dict[tuple[str, ...], list[str]] = {}
        for event in self.events:
            if isinstance(event, MessageChunk):
                texts.setdefault(event.path, []).append(event.text)
                if event.is_last:
                    found.append((event.node_id, "".join(texts.pop(event.path))))
        return found

    def ended(self, node_id: str) -> list[NodeEnded]:
        return [
            each for each in self.events if isinstance(each, NodeEnded) and each.node_id == node_id
        ]


class CountingIds(IdGenerator):
    """1, 2, 3, …"""

    def __init__(self) -> None:
        super().__init__(clock=FrozenClock(datetime(2030, 5, 1, tzinfo=UTC)))
        self._numbers = count(1)

    def next_id(self) -> int:
        return next(self._numbers)


@dataclass
class World:
    """An engine with everything around it."""

    models: ScriptedModels = field(default_factory=ScriptedModels)
    server: StubServer = field(default_factory=StubServer)
    variables: MemoryVariables = field(default_factory=MemoryVariables)
    programs: FilePrograms = field(default_factory=FilePrograms)
    limits: WorkflowLimits = field(default_factory=WorkflowLimits)
    ports: Ports | None = None
    recorder: Recorder = field(default_factory=Recorder)
    context: RunContext = field(default_factory=lambda: RunContext(call=CALL, app_id="1"))
    result: RunResult | None = None

    def __post_init__(self) -> None:
        self.ports = self.ports or Ports(
            clock=FrozenClock(datetime(2030, 5, 1, tzinfo=UTC)),
            models=self.models,
            load_child=self.programs.load,
            variables=self.variables,
            egress=self.server,
            read_json5=read_json5,
            select_json=select_json,
        )
        self.engine = Engine(ports=self.ports, ids=CountingIds(), limits=self.limits)

    def state(self, plan: Plan, values: Mapping[str, Value]) -> RunState:
        return self.engine.new_state(plan, run_id="77", values=values)

    async def run(
        self,
        plan: Plan,
        values: Mapping[str, Value] | None = None,
        *,
        state: RunState | None = None,
        options: RunOptions | None = None,
        journal: MemoryJournal | None = None,
    ) -> RunResult:
        """Run from a state or from the start; nothing may hang."""
        execution = self.engine.start(
            plan,
            self.state(plan, values or {}) if state is None else state,
            self.context,
            options=options,
            observer=self.recorder,
            journal=journal,
        )
        async with asyncio.timeout(60):
            return await execution.run()


def compiled(reading: Reading) -> Plan:
    """A plan of what can be published."""
    assert reading.can_be_published, reading.diagnostics
    return reading.compile()


async def run_canvas(
    made: Json, values: Mapping[str, Value] | None = None, world: World | None = None
) -> RunResult:
    """Run a canvas from its start; it is asked ``hi`` if nothing else."""
    plan = check(made).compile()
    return await (world or World()).run(plan, {"q": "hi"} if values is None else values)


def fixture(name: str) -> str:
    return Path(FIXTURES / name).read_text("utf-8")


def tool_call(name: str, arguments: str) -> ToolCall:
    return ToolCall(id=name, name=name, arguments=arguments)
