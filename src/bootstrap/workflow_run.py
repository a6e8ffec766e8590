"""Composition of runs of workflows: engine, writer, workers, and what handlers ask for."""

import operator
from collections.abc import Mapping
from typing import Any

from dependency_injector import containers, providers

from application.shared.wakeup import Wakeups
from application.workflow.chat_run import ChatRuns
from application.workflow.effect import WorkflowEffects
from application.workflow.meter import WorkflowMeter
from application.workflow.ports_conversation import ContextConversations
from application.workflow.ports_knowledge import ContextKnowledge
from application.workflow.ports_memory import ContextDatabases, ContextVariables
from application.workflow.ports_plugin import ContextTools
from application.workflow.ports_programs import CatalogPrograms
from application.workflow.run_debug import WorkflowDebugging
from application.workflow.run_executor import RunExecutor
from application.workflow.run_follow import RunFollower
from application.workflow.run_launch import RunLauncher
from application.workflow.run_links import RunLinks
from application.workflow.run_mark import TestRunMark
from application.workflow.run_query import RunQueries
from application.workflow.run_registry import WorkflowRunRegistry
from application.workflow.run_resume import RunAnswers
from application.workflow.run_service import WorkflowRunService
from application.workflow.run_signal import WORKFLOW_EVENT
from application.workflow.run_state import RunPrograms
from application.workflow.run_worker import WorkflowRunWorker
from application.workflow.run_writer import RunWriter
from bootstrap import adapters
from bootstrap.role import Role
from crossdomain.workflow.impl import DomainChatFlows, DomainWorkflowTools
from domain.shared.share_meter import ShareFigures
from domain.workflow.execution import Engine
from domain.workflow.port import Ports
from infra.impl.json_reader.library import LibraryJsonReader
from infra.impl.repository.sql.workflow_run import SqlWorkflowRunStore


class WorkflowRunContainer(containers.DeclarativeContainer):
    """Runs of workflows. Ports of other contexts are optional: nodes that need one say so."""

    settings: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits
    workflow_limits = settings.provided.workflow
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    database: providers.Dependency[Any] = providers.Dependency()
    egress: providers.Dependency[Any] = providers.Dependency()
    models: providers.Dependency[Any] = providers.Dependency()
    boot: providers.Dependency[Any] = providers.Dependency()
    signals: providers.Dependency[Any] = providers.Dependency()
    metrics: providers.Dependency[Any] = providers.Dependency()
    roles: providers.Dependency[Any] = providers.Dependency()
    carries = providers.Callable(operator.contains, roles, Role.WORKFLOW)
    tidies = providers.Callable(operator.contains, roles, Role.SCHEDULED)
    agents: providers.Dependency[Any] = providers.Dependency()
    workflows: providers.Dependency[Any] = providers.Dependency()
    catalog: providers.Dependency[Any] = providers.Dependency()
    plans: providers.Dependency[Any] = providers.Dependency()
    knowledge: providers.Dependency[Any] = providers.Dependency()
    conversations: providers.Dependency[Any] = providers.Dependency()
    apps: providers.Dependency[Any] = providers.Dependency()
    databases: providers.Dependency[Any] = providers.Dependency()
    variables: providers.Dependency[Any] = providers.Dependency()
    questions: providers.Dependency[Any] = providers.Dependency()
    documents: providers.Dependency[Any] = providers.Dependency()
    knowledge_port = providers.Singleton(ContextKnowledge, knowledge)
    databases_port = providers.Singleton(ContextDatabases, databases)
    plugins: providers.Dependency[Any] = providers.Dependency()
    tools_port = providers.Singleton(ContextTools, plugins)
    variables_port = providers.Singleton(ContextVariables, variables)
    conversations_port = providers.Singleton(ContextConversations, conversations, apps)

    store = providers.Singleton(SqlWorkflowRunStore, database)
    code_runner = providers.Singleton(
        adapters.code_runner, settings.provided.code, settings.provided.data_path, metrics
    )
    child_programs = providers.Singleton(CatalogPrograms, catalog)
    ports = providers.Singleton(
        Ports,
        clock=clock,
        models=models,
        programs=child_programs,
        knowledge=knowledge_port,
        databases=databases_port,
        tools=tools_port,
        variables=variables_port,
        conversations=conversations_port,
        egress=egress,
        code=code_runner,
        json=providers.Singleton(LibraryJsonReader),
        questions=questions,
        documents=documents,
    )
    engine = providers.Singleton(Engine, ports=ports, ids=ids, limits=workflow_limits)
    writer = providers.Singleton(RunWriter, store=store, signals=signals)
    news = providers.Singleton(Wakeups, signals, subject=WORKFLOW_EVENT)
    registry = providers.Singleton(
        WorkflowRunRegistry,
        limits=limits,
        background=settings.provided.workflow.background_runs,
        figures=providers.Singleton(ShareFigures, metrics),
    )
    programs = providers.Singleton(RunPrograms, catalog=catalog, plans=plans, store=store)
    executor = providers.Singleton(
        RunExecutor,
        engine=engine,
        programs=programs,
        writer=writer,
        mark=providers.Singleton(TestRunMark, store=workflows),
        meter=providers.Singleton(WorkflowMeter, metrics),
        clock=clock,
        limits=workflow_limits,
    )
    launcher = providers.Singleton(
        RunLauncher,
        registry=registry,
        executor=executor,
        clock=clock,
        limits=limits,
        workflow_limits=workflow_limits,
        owner=boot,
        takes_queued=carries,
    )
    service = providers.Singleton(
        WorkflowRunService,
        store=store,
        catalog=catalog,
        programs=programs,
        agents=agents,
        launcher=launcher,
        signals=signals,
        news=news,
        clock=clock,
        ids=ids,
        limits=limits,
    )
    answers = providers.Singleton(
        RunAnswers, store=store, programs=programs, engine=engine, launcher=launcher, clock=clock
    )
    follower = providers.Singleton(RunFollower, store=store, launcher=launcher, news=news)
    chat_runs = providers.Singleton(
        ChatRuns,
        catalog=catalog,
        runs=service,
        answers=answers,
        follower=follower,
        effects=providers.Singleton(WorkflowEffects, catalog=catalog, plugins=plugins),
    )
    chat_flows = providers.Singleton(DomainChatFlows, chat_runs)
    tools = providers.Singleton(DomainWorkflowTools, chat_runs)
    queries = providers.Singleton(RunQueries, store=store, workflows=workflows, launcher=launcher)
    debugging = providers.Singleton(
        WorkflowDebugging,
        store=store,
        catalog=catalog,
        programs=programs,
        launcher=launcher,
        clock=clock,
        ids=ids,
    )
    links = providers.Singleton(RunLinks)
    worker = providers.Singleton(
        WorkflowRunWorker,
        store=store,
        programs=programs,
        launcher=launcher,
        signals=signals,
        clock=clock,
        limits=limits,
        workflow_limits=workflow_limits,
        is_alone=database.provided.is_sqlite,
        takes=carries,
        tidies=tidies,
    )

    background = providers.List(code_runner, writer, registry, worker)


def dependencies(runs: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {
        "workflow_runs": runs.service,
        "workflow_run_events": runs.follower,
        "workflow_answers": runs.answers,
        "workflow_run_queries": runs.queries,
        "workflow_links": runs.links,
        "workflow_debugging": runs.debugging,
    }
