"""Composition of workflows: drafts, versions, and the check of what they refer to."""

from dataclasses import dataclass

from application.workflow.canvas_check import CanvasChecker
from application.workflow.catalog import WorkflowCatalog
from application.workflow.definition_publishing import WorkflowPublishingService
from application.workflow.definition_service import WorkflowService
from application.workflow.definition_view import WorkflowViews
from application.workflow.importing import WorkflowImportService
from application.workflow.plan_cache import PlanCache
from application.workflow.ports_memory import DatabaseInventory
from application.workflow.ports_plugin import PluginInventory
from application.workflow.surroundings import (
    DatasetInventory,
    ModelInventory,
    SurroundingsLoader,
)
from application.workflow.tool_settings import ToolSettingService
from bootstrap.settings import Settings
from crossdomain.app.contract import Apps
from crossdomain.file.contract import Files
from crossdomain.identity.contract import People
from crossdomain.knowledge.contract import Knowledge
from crossdomain.memory.contract import Databases
from crossdomain.model.contract import Models
from crossdomain.plugin.contract import Plugins
from domain.workflow.canvas.text import Dialect
from domain.workflow.definition.reference import NeedKind
from domain.workflow.definition.repository import WorkflowStore
from domain.workflow.fastgpt.reader import FastGptReader
from domain.workflow.graph import Flags
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.check import Checker
from infra.contract.clock import Clock
from infra.contract.id_generator import IdGenerator
from infra.impl.code_runner.modules import code_modules
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.workflow.definition import SqlWorkflowStore


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
    tool_settings: ToolSettingService


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
    canvas_checks = CanvasChecker(checker=checker, surroundings=surroundings)
    views = WorkflowViews(files=files, people=people)
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
        tool_settings=ToolSettingService(store=store, catalog=catalog, surroundings=surroundings),
    )
