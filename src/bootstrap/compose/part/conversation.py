"""Composition of conversations: their records, and the runs of agents in them."""

from dataclasses import dataclass

from application.conversation.client_tool import ClientToolService
from application.conversation.compaction import CompactionService
from application.conversation.conversation_service import ConversationService
from application.conversation.message_service import MessageService
from application.conversation.named import FlowConversations
from application.conversation.operations import ConversationOperations
from application.conversation.playground import PlaygroundService
from application.conversation.repeat import RunInputs
from application.conversation.response import ResponseService
from application.conversation.rounds import OfferedRounds
from application.conversation.run.acceptance import RunAcceptor
from application.conversation.run.admission_queue import AdmissionQueue
from application.conversation.run.checkpoint import CheckpointWriter
from application.conversation.run.executor import RunExecutor
from application.conversation.run.live import ChatRegistry, chat_registry
from application.conversation.run.meter import RunMeter
from application.conversation.run.preparation import RunPreparation
from application.conversation.run.recovery import RunRecoveryService
from application.conversation.run.replay import RunReplay
from application.conversation.run.service import RunService
from application.conversation.signal import RUN_CANCEL
from application.conversation.summary import SummaryWorker
from application.conversation.support_service import SupportService
from application.run.allowance import RunAllowance
from application.run.lease import LeaseKeeper
from application.shared.traffic import ShedMeter
from crossdomain.agent.contract import Agents
from crossdomain.conversation.contract import Rounds
from crossdomain.file.contract import Files
from crossdomain.model.contract import Models
from crossdomain.privacy.contract import LegalHolds
from crossdomain.usage.contract import Budgets
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.shared.settlement import RunTracing
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals
from infra.contract.observability.metrics import Metrics
from infra.contract.security.secret_box import SecretBox
from infra.impl.repository.sql.conversation.repository import SqlConversationStore
from infra.impl.repository.sql.engine.database import Database


@dataclass(frozen=True, kw_only=True)
class RecordParts:
    """What the other contexts know of conversations."""

    store: ConversationStore
    rounds: Rounds
    contract: ConversationOperations


def compose_records(
    *, database: Database, clock: Clock, ids: IdGenerator, limits: Limits
) -> RecordParts:
    """The first half of the context: memory and workflows need it, and runs need agents."""
    store = SqlConversationStore(database)
    return RecordParts(
        store=store,
        rounds=OfferedRounds(store),
        contract=ConversationOperations(store=store, clock=clock, ids=ids, limits=limits),
    )


@dataclass(frozen=True, kw_only=True)
class ConversationParts:
    """Conversations for clients, and runs with those who look after them."""

    conversations: ConversationService
    flow_conversations: FlowConversations
    messages: MessageService
    playground: PlaygroundService
    inputs: RunInputs
    runs: RunService
    client_tools: ClientToolService
    responses: ResponseService
    compactions: CompactionService
    support: SupportService
    summaries: SummaryWorker

    registry: ChatRegistry
    checkpoints: CheckpointWriter
    leases: LeaseKeeper[ConversationUnitOfWork]
    recovery: RunRecoveryService


def compose_conversation(
    *,
    tracing: RunTracing,
    holds: LegalHolds,
    records: RecordParts,
    is_alone: bool,
    begins_alone: bool,
    agents: Agents,
    files: Files,
    models: Models,
    budgets: Budgets,
    secret_box: SecretBox,
    signals: Signals,
    allowance: RunAllowance,
    clock: Clock,
    ids: IdGenerator,
    limits: Limits,
    metrics: Metrics,
    shed: ShedMeter,
    owner: str,
) -> ConversationParts:
    """The second half of the context; ``owner`` names this process in leases.

    ``is_alone`` says that no other server uses the database, ``begins_alone`` that none did when
    this process began.
    """
    store = records.store
    figures = ShareFigures(metrics)
    registry = chat_registry(limits)
    figures.show("runs", registry.places)
    meter = RunMeter(metrics=metrics)
    checkpoints = CheckpointWriter(
        store=store, signals=signals, clock=clock, limits=limits, meter=meter
    )
    runs = RunService(
        store=store,
        registry=registry,
        admission=AdmissionQueue(
            registry=registry, limits=limits, meter=shed, allowance=allowance, figures=figures
        ),
        preparation=RunPreparation(agents=agents, files=files, limits=limits),
        acceptor=RunAcceptor(store=store, clock=clock, ids=ids, limits=limits, owner=owner),
        executor=RunExecutor(
            tracing=tracing,
            store=store,
            agents=agents,
            writer=checkpoints,
            clock=clock,
            ids=ids,
            limits=limits,
            meter=meter,
        ),
        replay=RunReplay(store=store, signals=signals, clock=clock),
        signals=signals,
        files=files,
        clock=clock,
        ids=ids,
        limits=limits,
        budgets=budgets,
    )
    client_tools = ClientToolService(
        store=store, runs=runs, agents=agents, clock=clock, limits=limits
    )
    messages = MessageService(store=store, files=files, clock=clock, ids=ids, limits=limits)
    return ConversationParts(
        conversations=ConversationService(
            store=store,
            agents=agents,
            files=files,
            registry=registry,
            signals=signals,
            clock=clock,
            ids=ids,
            limits=limits,
        ),
        flow_conversations=FlowConversations(conversations=records.contract, agents=agents),
        messages=messages,
        playground=PlaygroundService(runs=runs, messages=messages),
        inputs=RunInputs(store=store, limits=limits),
        runs=runs,
        client_tools=client_tools,
        responses=ResponseService(
            runs=runs,
            client_tools=client_tools,
            store=store,
            clock=clock,
            ids=ids,
            limits=limits,
            box=secret_box,
        ),
        compactions=CompactionService(
            models=models, files=files, box=secret_box, clock=clock, ids=ids, limits=limits
        ),
        support=SupportService(store=store, files=files, limits=limits),
        summaries=SummaryWorker(
            store=store, rounds=records.rounds, models=models, clock=clock, limits=limits
        ),
        registry=registry,
        checkpoints=checkpoints,
        leases=LeaseKeeper(
            transaction=store.transaction,
            snapshot=store.snapshot,
            leases=lambda uow: uow.recovery,
            registry=registry,
            signals=signals,
            cancels=RUN_CANCEL,
            clock=clock,
            limits=limits,
            owner=owner,
            is_shared=not is_alone,
            poll_s=limits.cancel_poll_s,
        ),
        recovery=RunRecoveryService(
            store=store,
            signals=signals,
            clock=clock,
            limits=limits,
            owner=owner,
            is_alone=begins_alone,
            is_here=registry.is_in_progress,
            holds=holds,
            tracing=tracing,
        ),
    )
