"""A process that executes runs, on a real database, with scripted agents."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field

import msgspec

from application.conversation.conversation_service import ConversationService
from application.conversation.dto import IncomingMessage, MessageQuery, MessageView, StartRun
from application.conversation.message_service import MessageService
from application.conversation.run.acceptance import RunAcceptor
from application.conversation.run.admission_queue import AdmissionQueue
from application.conversation.run.checkpoint import CheckpointWriter
from application.conversation.run.event import MessageCompleted, RunRecord
from application.conversation.run.executor import RunExecutor
from application.conversation.run.live import chat_registry
from application.conversation.run.meter import RunMeter
from application.conversation.run.preparation import RunPreparation
from application.conversation.run.recovery import RunRecoveryService
from application.conversation.run.replay import RunReplay
from application.conversation.run.service import RunService
from application.conversation.signal import RUN_CANCEL
from application.conversation.support_service import SupportService
from application.run.lease import LeaseKeeper
from application.shared.traffic import ShedMeter
from crossdomain.agent.contract import (
    AgentDefinition,
    AgentOutcome,
    AgentSelector,
    AgentTurn,
    AnswerCompleted,
    AnswerDelta,
    AnswerStarted,
    EmitAgentEvent,
    FlowSelector,
    Handling,
    OpenQuestion,
    ShortcutCall,
    TurnOverrides,
)
from crossdomain.file.contract import FileDescription, LoadedImage
from domain.conversation.value import MessageKind
from domain.shared.access import Grant, Principal, Role, TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, FinishReason, ModelCall, TextPart, Usage
from domain.shared.error import NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, FileId, SpaceId, TokenId, UserId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.lifecycle import Managed
from infra.contract.observability.metrics import Metrics
from infra.impl.clock.system import SystemClock
from infra.impl.repository.sql.conversation.repository import SqlConversationStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.signal.local import LocalSignals
from tests.support.hold import Holds

SPACE, AGENT = SpaceId(10), AgentId(20)
USAGE = Usage(input_tokens=5, output_tokens=2)

Script = Callable[[CallContext, AgentTurn, EmitAgentEvent], Awaitable[AgentOutcome]]


async def say(
    emit: EmitAgentEvent,
    *pieces: str,
    is_interim: bool = False,
    is_last: bool = False,
    complete: bool = True,
) -> None:
    """Stream one answer."""
    await emit(AnswerStarted())
    for piece in pieces:
        await emit(AnswerDelta(text=piece))
    if complete:
        await emit(
            AnswerCompleted(
                text="".join(pieces),
                reasoning="",
                finish_reason=FinishReason.STOP,
                is_interim=is_interim,
                is_last=is_last,
            )
        )


def model_call(outcome: str = "ok") -> ModelCall:
    return msgspec.convert(
        {
            "model": "m",
            "provider": "p",
            "attempt": 1,
            "purpose": "chat",
            "usage": {"input_tokens": 5, "output_tokens": 2},
            "outcome": outcome,
        },
        ModelCall,
    )


async def echo(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
    """Answer ``You said: <question>`` in three pieces."""
    question = "".join(part.text for part in turn.question if isinstance(part, TextPart))
    context.record_call(model_call())
    await say(emit, "You ", "said: ", question)
    return AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)


@dataclass
class ScriptedAgents:
    """Agents that do what the test says; remembers every turn."""

    script: Script = echo
    turns: list[AgentTurn] = field(default_factory=list)
    abandoned: list[OpenQuestion] = field(default_factory=list)
    space_id: SpaceId = SPACE
    history_rounds: int = 100

    async def load(
        self, scope: TenantScope, agent_id: AgentId, selector: AgentSelector
    ) -> AgentDefinition:
        if self.space_id not in scope.space_ids or agent_id != AGENT:
            raise NotFound(f"No agent {agent_id}.")
        return AgentDefinition(
            agent_id=agent_id,
            space_id=self.space_id,
            name="Echo",
            version="1" if selector.kind != "draft" else "",
            history_rounds=self.history_rounds,
            lock_model_params=False,
            openai_system="append",
            config=None,
        )

    async def handling(self, definition: AgentDefinition, overrides: TurnOverrides) -> Handling:
        return Handling()

    async def run(
        self,
        context: CallContext,
        definition: AgentDefinition,
        turn: AgentTurn,
        emit: EmitAgentEvent,
    ) -> AgentOutcome:
        self.turns.append(turn)
        return await self.script(context, turn, emit)

    def shortcut_question(self, definition: AgentDefinition, call: ShortcutCall) -> str:
        raise NotFound(f"No shortcut {call.shortcut_id}.")

    async def load_flow(self, scope: TenantScope, selector: FlowSelector) -> AgentDefinition:
        raise NotFound(f"No workflow {selector.workflow_id}.")

    def steps(self, question: OpenQuestion) -> tuple[ChatMessage, ...]:
        return ()

    async def abandon(self, scope: TenantScope, question: OpenQuestion) -> None:
        self.abandoned.append(question)

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        return {agent_id: "Echo" for agent_id in agent_ids if agent_id == AGENT}

    async def bound_to(self, scope: TenantScope, dataset_id: int) -> dict[AgentId, str]:
        return {}


@dataclass
class StoredFiles:
    """Files by id; only their descriptions."""

    known: dict[FileId, FileDescription] = field(default_factory=dict)

    async def describe(
        self, scope: TenantScope, file_ids: Sequence[FileId]
    ) -> dict[FileId, FileDescription]:
        for file_id in file_ids:
            if file_id not in self.known:
                raise NotFound(f"No file {file_id}.")
        return {file_id: self.known[file_id] for file_id in file_ids}

    async def load_image(
        self, scope: TenantScope, *, file_id: FileId | None = None, url: str = ""
    ) -> LoadedImage:
        raise NotFound("No images here.")


class Process:
    """One process: the same parts that the container wires."""

    def __init__(
        self,
        database: Database,
        agents: ScriptedAgents,
        *,
        limits: Limits | None = None,
        owner: str = "boot-1",
        is_alone: bool = True,
        node: int = 0,
        files: StoredFiles | None = None,
        signals: LocalSignals | None = None,
        clock: Clock | None = None,
        store: SqlConversationStore | None = None,
    ) -> None:
        self.agents = agents
        self.files = files or StoredFiles()
        self.limits = limits or Limits()
        self.clock = clock or SystemClock()
        self.ids = IdGenerator(clock=self.clock, node=node)
        self.store = store or SqlConversationStore(database)
        self.registry = chat_registry(self.limits)
        self.metrics = Metrics()
        meter = RunMeter(metrics=self.metrics)
        self.signals = signals or LocalSignals()
        self._own = [] if signals else [self.signals]
        self.writer = CheckpointWriter(
            store=self.store,
            signals=self.signals,
            clock=self.clock,
            limits=self.limits,
            meter=meter,
        )
        self.runs = RunService(
            store=self.store,
            registry=self.registry,
            admission=AdmissionQueue(
                registry=self.registry, limits=self.limits, meter=ShedMeter(metrics=self.metrics)
            ),
            preparation=RunPreparation(agents=agents, files=self.files, limits=self.limits),
            acceptor=RunAcceptor(
                store=self.store, clock=self.clock, ids=self.ids, limits=self.limits, owner=owner
            ),
            executor=RunExecutor(
                store=self.store,
                agents=agents,
                writer=self.writer,
                clock=self.clock,
                ids=self.ids,
                limits=self.limits,
                meter=meter,
            ),
            replay=RunReplay(store=self.store, signals=self.signals, clock=self.clock),
            signals=self.signals,
            files=self.files,
            clock=self.clock,
            ids=self.ids,
            limits=self.limits,
        )
        self.conversations = ConversationService(
            store=self.store,
            agents=agents,
            files=self.files,
            registry=self.registry,
            signals=self.signals,
            clock=self.clock,
            ids=self.ids,
            limits=self.limits,
        )
        self.messages = MessageService(
            store=self.store,
            files=self.files,
            clock=self.clock,
            ids=self.ids,
            limits=self.limits,
        )
        self.support = SupportService(store=self.store, files=self.files, limits=self.limits)
        self.leases = LeaseKeeper(
            transaction=self.store.transaction,
            snapshot=self.store.snapshot,
            leases=lambda uow: uow.recovery,
            registry=self.registry,
            signals=self.signals,
            cancels=RUN_CANCEL,
            clock=self.clock,
            limits=self.limits,
            owner=owner,
            is_shared=not is_alone,
            poll_s=self.limits.cancel_poll_s,
        )
        self.recovery = RunRecoveryService(
            holds=Holds(),
            store=self.store,
            signals=self.signals,
            clock=self.clock,
            limits=self.limits,
            owner=owner,
            is_alone=is_alone,
            is_here=self.registry.is_in_progress,
        )

    @asynccontextmanager
    async def running(self) -> AsyncGenerator["Process", None]:
        parts: tuple[Managed, ...] = (
            *self._own,
            self.recovery,
            self.writer,
            self.registry,
            self.leases,
        )
        for part in parts:
            await part.start()
        try:
            yield self
        finally:
            for part in reversed(parts):
                await part.aclose()

    async def ask(self, who: Principal, text: str, **fields: object) -> list[RunRecord]:
        """Start a run and return all of its events."""
        run = await self.runs.start(who, question(text, **fields))
        return await self.events(who, run.id)

    async def events(self, who: Principal, run_id: int, *, after: int = 0) -> list[RunRecord]:
        records: list[RunRecord] = []
        async with asyncio.timeout(60):
            async with aclosing(self.runs.follow(who, run_id, after=after)) as batches:
                async for batch in batches:
                    records += batch
        return records

    async def shown(self, who: Principal, conversation_id: int) -> list[MessageView]:
        """Return all messages of a conversation, oldest first."""
        query = MessageQuery(descending=False, kinds=frozenset(MessageKind), limit=100)
        return list((await self.messages.list(who, conversation_id, query)).items)


def principal(
    user_id: int = 1, *, role: Role = Role.OWNER, end_user_id: str = "", space_id: int = SPACE
) -> Principal:
    return Principal(
        user_id=UserId(user_id),
        token_id=TokenId(user_id),
        roles={SpaceId(space_id): role},
        personal_space_id=SpaceId(space_id),
        grant=Grant(end_user_id=end_user_id),
    )


def text_message(text: str, *, role: str = "user") -> IncomingMessage:
    return msgspec.convert(
        {"role": role, "parts": [{"type": "text", "text": text}]}, IncomingMessage
    )


def question(text: str, **fields: object) -> StartRun:
    command = StartRun(agent_id=AGENT, end_user_id="eve", messages=(text_message(text),))
    return msgspec.structs.replace(command, **fields)


def answers(records: Sequence[RunRecord]) -> list[str]:
    """Texts of the completed answers among the events."""
    completed = [r.event.message for r in records if isinstance(r.event, MessageCompleted)]
    return [message.text for message in completed if message.kind is MessageKind.ANSWER]


def names(records: Sequence[RunRecord]) -> list[str]:
    """Types of the events, deltas left out."""
    return [name for record in records if (name := type(record.event).__name__) != "MessageDelta"]
