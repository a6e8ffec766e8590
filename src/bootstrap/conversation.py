"""Composition of conversations and runs: accepted, executed, followed, taken over, summarised."""

import operator
from collections.abc import Mapping
from typing import Any

from dependency_injector import containers, providers

from application.conversation.acceptance import RunAcceptor
from application.conversation.checkpoint import CheckpointWriter
from application.conversation.conversation_service import ConversationService
from application.conversation.executor import RunExecutor
from application.conversation.lease import LeaseKeeper
from application.conversation.line import StartLine
from application.conversation.message_service import MessageService
from application.conversation.meter import RunMeter
from application.conversation.named import FlowConversations
from application.conversation.preparation import RunPreparation
from application.conversation.registry import RunRegistry
from application.conversation.replay import RunReplay
from application.conversation.resumption import RunResumer
from application.conversation.run_service import RunService
from application.conversation.summary import SummaryWorker
from application.conversation.support_service import SupportService
from application.conversation.sweeper import RunSweeper
from domain.shared.share_meter import ShareFigures


class ConversationContainer(containers.DeclarativeContainer):
    """Runs of agents in conversations; ``owner`` names this process in leases."""

    limits: providers.Dependency[Any] = providers.Dependency()
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    database: providers.Dependency[Any] = providers.Dependency()
    store: providers.Dependency[Any] = providers.Dependency()
    names: providers.Dependency[Any] = providers.Dependency()
    rounds: providers.Dependency[Any] = providers.Dependency()
    agents: providers.Dependency[Any] = providers.Dependency()
    files: providers.Dependency[Any] = providers.Dependency()
    models: providers.Dependency[Any] = providers.Dependency()
    signals: providers.Dependency[Any] = providers.Dependency()
    metrics: providers.Dependency[Any] = providers.Dependency()
    shed: providers.Dependency[Any] = providers.Dependency()
    owner: providers.Dependency[Any] = providers.Dependency()

    # Runs
    figures = providers.Singleton(ShareFigures, metrics)
    registry = providers.Singleton(RunRegistry, limits=limits, figures=figures)
    meter = providers.Singleton(RunMeter, metrics=metrics)
    checkpoints = providers.Singleton(
        CheckpointWriter, store=store, signals=signals, clock=clock, limits=limits, meter=meter
    )
    executor = providers.Singleton(
        RunExecutor,
        store=store,
        agents=agents,
        writer=checkpoints,
        clock=clock,
        ids=ids,
        limits=limits,
        meter=meter,
    )
    replay = providers.Singleton(RunReplay, store=store, signals=signals, clock=clock)
    runs = providers.Singleton(
        RunService,
        store=store,
        registry=registry,
        line=providers.Singleton(StartLine, limits=limits, meter=shed, figures=figures),
        preparation=providers.Singleton(RunPreparation, agents=agents, files=files, limits=limits),
        acceptor=providers.Singleton(
            RunAcceptor, store=store, clock=clock, ids=ids, limits=limits, owner=owner
        ),
        resumer=providers.Singleton(
            RunResumer, store=store, clock=clock, limits=limits, owner=owner
        ),
        executor=executor,
        replay=replay,
        signals=signals,
        files=files,
        clock=clock,
        ids=ids,
        limits=limits,
    )
    leases = providers.Singleton(
        LeaseKeeper,
        store=store,
        registry=registry,
        signals=signals,
        clock=clock,
        limits=limits,
        owner=owner,
        is_shared=providers.Callable(operator.not_, database.provided.is_sqlite),
    )
    sweeper = providers.Singleton(
        RunSweeper,
        store=store,
        signals=signals,
        clock=clock,
        limits=limits,
        owner=owner,
        is_alone=database.provided.is_sqlite,
        is_here=registry.provided.is_in_progress,
    )

    # Conversations
    conversations = providers.Singleton(
        ConversationService,
        store=store,
        agents=agents,
        files=files,
        registry=registry,
        signals=signals,
        clock=clock,
        ids=ids,
        limits=limits,
    )
    messages = providers.Singleton(
        MessageService, store=store, files=files, clock=clock, ids=ids, limits=limits
    )
    flow_conversations = providers.Singleton(FlowConversations, names=names, agents=agents)
    summaries = providers.Singleton(
        SummaryWorker, store=store, rounds=rounds, models=models, clock=clock, limits=limits
    )
    support = providers.Singleton(SupportService, store=store, limits=limits)


def dependencies(conversation: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {
        "conversations": conversation.conversations,
        "flow_conversations": conversation.flow_conversations,
        "messages": conversation.messages,
        "runs": conversation.runs,
        "support": conversation.support,
    }
