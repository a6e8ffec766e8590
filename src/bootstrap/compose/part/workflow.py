"""Composition of workflows: their definitions, and the runs of them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from application.run.allowance import RunAllowance
from application.run.lease import LeaseKeeper
from application.shared.wakeup import Wakeups
from application.workflow.chat_run import ChatRuns
from application.workflow.definition.canvas_check import CanvasChecker
from application.workflow.definition.catalog import WorkflowCatalog
from application.workflow.definition.code_check import CodeCompiler
from application.workflow.definition.effect import WorkflowEffects
from application.workflow.definition.importing import WorkflowImportService
from application.workflow.definition.plan_cache import PlanCache
from application.workflow.definition.publishing import WorkflowPublishingService
from application.workflow.definition.review import WorkflowReviewService
from application.workflow.definition.saved_inputs import SavedInputService
from application.workflow.definition.service import WorkflowService
from application.workflow.definition.surroundings import (
    DatabaseInventory,
    DatasetInventory,
    ModelInventory,
    PluginInventory,
    SurroundingsLoader,
)
from application.workflow.definition.tool_settings import ToolSettingService
from application.workflow.definition.view import WorkflowViews
from application.workflow.meter import WorkflowMeter
from application.workflow.run.debug import WorkflowDebugging
from application.workflow.run.executor import RunExecutor
from application.workflow.run.follow import RunFollower
from application.workflow.run.launch import RunLauncher
from application.workflow.run.live import WorkflowRegistry, workflow_registry
from application.workflow.run.lost import LostTraces
from application.workflow.run.query import RunQueries
from application.workflow.run.recorder import RunWriter
from application.workflow.run.resume import RunAnswers
from application.workflow.run.service import WorkflowRunService
from application.workflow.run.signal import WORKFLOW_CANCEL, WORKFLOW_EVENT
from application.workflow.run.state import RunPrograms
from application.workflow.run.worker import WorkflowRunWorker
from application.workflow.run_links import RunLinks
from application.workflow.run_mark import TestRunMark
from bootstrap.role import Role
from bootstrap.settings import Settings
from crossdomain.agent.contract import AgentDirectory
from crossdomain.app.contract import Apps
from crossdomain.conversation.contract import Conversations
from crossdomain.file.contract import Files
from crossdomain.identity.contract import People
from crossdomain.knowledge.contract import DocumentTexts, Knowledge, QueryWordings
from crossdomain.memory.contract import Databases, Variables
from crossdomain.model.contract import Models
from crossdomain.plugin.contract import Plugins
from crossdomain.usage.contract import Budgets
from crossdomain.workflow.contract import Workflows
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.id_generator import IdGenerator
from domain.shared.settlement import RunTracing
from domain.workflow.canvas.text import Dialect
from domain.workflow.definition.reference import NeedKind
from domain.workflow.definition.repository import WorkflowStore
from domain.workflow.engine.execution import Engine
from domain.workflow.fastgpt.reader import FastGptReader
from domain.workflow.graph import Flags
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.check import Checker
from domain.workflow.port import Ports
from domain.workflow.run.repository import WorkflowRunStore, WorkflowRunUnitOfWork
from infra.contract.clock import Clock
from infra.contract.code_runner import CodeRunner
from infra.contract.egress import EgressClient
from infra.contract.messaging.signal import Signals
from infra.contract.observability.metrics import Metrics
from infra.impl.code_runner.modules import code_modules
from infra.impl.json_reader.library import read_json5, select_json
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.workflow.definition import SqlWorkflowStore
from infra.impl.repository.sql.workflow.run import SqlWorkflowRunStore

_CANCEL_POLL_S: Final = 0.15
"""How often to look for requests to cancel that no signal told of."""


def canvas_checker(limits: WorkflowLimits) -> Checker:
    """Reader of every dialect, with the behaviour this product documents."""
    flags = Flags()
    readers = {Dialect.FASTGPT.value: FastGptReader(limits=limits, flags=flags)}
    return Checker(limits=limits, flags=flags, readers=readers)


@dataclass(frozen=True, kw_only=True)
class WorkflowParts:
    """Definitions and versions of workflows."""

    store: WorkflowStore
    plans: PlanCache
    catalog: WorkflowCatalog
    workflows: WorkflowService
    publishing: WorkflowPublishingService
    imports: WorkflowImportService
    reviews: WorkflowReviewService
    tool_settings: ToolSettingService
    saved_inputs: SavedInputService


def compose_workflow(
    *,
    settings: Settings,
    database: Database,
    models: Models,
    files: Files,
    knowledge: Knowledge,
    databases: Databases,
    plugins: Plugins,
    people: People,
    apps: Apps,
    code_runner: CodeRunner,
    clock: Clock,
    ids: IdGenerator,
) -> WorkflowParts:
    """Needs whatever a canvas can refer to."""
    limits, workflow_limits = settings.limits, settings.workflow
    store = SqlWorkflowStore(database)
    checker = canvas_checker(workflow_limits)
    plans = PlanCache(
        checker=checker,
        entries=workflow_limits.plan_cache_entries,
        size=workflow_limits.plan_cache_bytes,
    )
    catalog = WorkflowCatalog(store=store, plans=plans, clock=clock, limits=limits)
    tools = PluginInventory(plugins)
    surroundings = SurroundingsLoader(
        store=store,
        catalog=catalog,
        inventories={
            NeedKind.MODEL: ModelInventory(models),
            NeedKind.DATASET: DatasetInventory(knowledge),
            NeedKind.DATABASE: DatabaseInventory(databases),
            NeedKind.PLUGIN: tools,
        },
        tools=tools,
        limits=workflow_limits,
        apps=apps,
        code_modules=code_modules(settings.code.kind, settings.code.packages),
    )
    canvas_checks = CanvasChecker(
        checker=checker, surroundings=surroundings, compiler=CodeCompiler(code_runner)
    )
    views = WorkflowViews(
        store=store, runs=SqlWorkflowRunStore(database), files=files, people=people
    )
    workflows = WorkflowService(
        store=store,
        catalog=catalog,
        checker=canvas_checks,
        views=views,
        files=files,
        clock=clock,
        ids=ids,
        limits=limits,
    )
    return WorkflowParts(
        store=store,
        plans=plans,
        catalog=catalog,
        workflows=workflows,
        publishing=WorkflowPublishingService(
            store=store,
            catalog=catalog,
            checker=canvas_checks,
            views=views,
            clock=clock,
            ids=ids,
            limits=limits,
            workflow_limits=workflow_limits,
        ),
        imports=WorkflowImportService(workflows=workflows, checker=canvas_checks, limits=limits),
        reviews=WorkflowReviewService(checker=canvas_checks, reader=checker, limits=limits),
        tool_settings=ToolSettingService(store=store, catalog=catalog, surroundings=surroundings),
        saved_inputs=SavedInputService(
            store=store, people=people, clock=clock, ids=ids, limits=limits
        ),
    )


@dataclass(frozen=True, kw_only=True)
class WorkflowRunParts:
    """Runs of workflows: for clients, for agents, and with those who look after them."""

    store: WorkflowRunStore
    ports: Ports
    service: WorkflowRunService
    follower: RunFollower
    answers: RunAnswers
    queries: RunQueries
    debugging: WorkflowDebugging
    links: RunLinks

    contract: Workflows

    writer: RunWriter
    registry: WorkflowRegistry
    leases: LeaseKeeper[WorkflowRunUnitOfWork]
    worker: WorkflowRunWorker


def compose_workflow_runs(
    *,
    tracing: RunTracing,
    workflow: WorkflowParts,
    settings: Settings,
    roles: Collection[Role],
    owner: str,
    database: Database,
    is_alone: bool,
    code_runner: CodeRunner,
    egress: EgressClient,
    signals: Signals,
    agents: AgentDirectory,
    models: Models,
    budgets: Budgets,
    knowledge: Knowledge,
    questions: QueryWordings,
    documents: DocumentTexts,
    conversations: Conversations,
    people: People,
    apps: Apps,
    databases: Databases,
    variables: Variables,
    plugins: Plugins,
    allowance: RunAllowance,
    clock: Clock,
    ids: IdGenerator,
    metrics: Metrics,
) -> WorkflowRunParts:
    """Needs whatever a node can use; ``owner`` names this process in leases."""
    limits, workflow_limits = settings.limits, settings.workflow
    catalog = workflow.catalog
    store = SqlWorkflowRunStore(database)
    ports = Ports(
        clock=clock,
        models=models,
        load_child=catalog.child,
        knowledge=knowledge,
        databases=databases,
        plugins=plugins,
        variables=variables,
        conversations=conversations,
        apps=apps,
        egress=egress,
        code=code_runner,
        read_json5=read_json5,
        select_json=select_json,
        questions=questions,
        documents=documents,
    )
    engine = Engine(ports=ports, ids=ids, limits=workflow_limits)
    writer = RunWriter(store=store, signals=signals)
    wakeups = Wakeups(signals, subject=WORKFLOW_EVENT)
    registry = workflow_registry(limits)
    programs = RunPrograms(catalog=catalog, plans=workflow.plans, store=store)
    launcher = RunLauncher(
        registry=registry,
        executor=RunExecutor(
            tracing=tracing,
            engine=engine,
            programs=programs,
            writer=writer,
            mark=TestRunMark(store=workflow.store),
            meter=WorkflowMeter(metrics),
            clock=clock,
            limits=workflow_limits,
        ),
        clock=clock,
        limits=limits,
        workflow_limits=workflow_limits,
        owner=owner,
        takes_queued=Role.WORKFLOW in roles,
        allowance=allowance,
    )
    figures = ShareFigures(metrics)
    figures.show("workflow runs", registry.places)
    figures.show("background runs", launcher.background)
    lost = LostTraces(tracing)
    service = WorkflowRunService(
        store=store,
        catalog=catalog,
        programs=programs,
        agents=agents,
        launcher=launcher,
        signals=signals,
        wakeups=wakeups,
        clock=clock,
        ids=ids,
        limits=limits,
        traces=lost,
        budgets=budgets,
    )
    answers = RunAnswers(
        store=store, programs=programs, engine=engine, launcher=launcher, clock=clock
    )
    follower = RunFollower(store=store, launcher=launcher, wakeups=wakeups)
    chat_runs = ChatRuns(
        catalog=catalog,
        runs=service,
        answers=answers,
        follower=follower,
        effects=WorkflowEffects(catalog=catalog, plugins=plugins),
    )
    return WorkflowRunParts(
        store=store,
        ports=ports,
        service=service,
        follower=follower,
        answers=answers,
        queries=RunQueries(store=store, workflows=workflow.store, launcher=launcher),
        debugging=WorkflowDebugging(
            store=store,
            catalog=catalog,
            programs=programs,
            launcher=launcher,
            clock=clock,
            ids=ids,
        ),
        links=RunLinks(console_url=settings.console_url),
        contract=chat_runs,
        writer=writer,
        registry=registry,
        leases=LeaseKeeper(
            transaction=store.transaction,
            snapshot=store.snapshot,
            leases=lambda uow: uow.queue,
            registry=registry,
            signals=signals,
            cancels=WORKFLOW_CANCEL,
            clock=clock,
            limits=limits,
            owner=owner,
            is_shared=not is_alone,
            poll_s=_CANCEL_POLL_S,
        ),
        worker=WorkflowRunWorker(
            store=store,
            programs=programs,
            launcher=launcher,
            signals=signals,
            clock=clock,
            people=people,
            limits=limits,
            workflow_limits=workflow_limits,
            is_alone=is_alone,
            takes=Role.WORKFLOW in roles,
            tidies=Role.SCHEDULED in roles,
            traces=lost,
        ),
    )
