"""Composition of the workflow context: its parts, what handlers ask for, and its events."""

from collections.abc import Mapping
from typing import Any

from dependency_injector import containers, providers

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
from bootstrap.workflow_run import WorkflowRunContainer
from bootstrap.workflow_run import dependencies as run_dependencies
from domain.workflow.canvas_text import Dialect
from domain.workflow.definition_reference import NeedKind
from domain.workflow.fastgpt.reader import FastGptReader
from domain.workflow.graph import Flags
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.check import Checker
from infra.impl.code_runner.modules import code_modules
from infra.impl.repository.sql.workflow import SqlWorkflowStore


def canvas_checker(limits: WorkflowLimits) -> Checker:
    """Reader of every dialect, with the behaviour this product documents."""
    flags = Flags()
    readers = {Dialect.FASTGPT.value: FastGptReader(limits=limits, flags=flags)}
    return Checker(limits=limits, flags=flags, readers=readers)


class WorkflowContainer(containers.DeclarativeContainer):
    """Definitions, versions and runs of workflows."""

    settings: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    database: providers.Dependency[Any] = providers.Dependency()
    objects: providers.Dependency[Any] = providers.Dependency()
    egress: providers.Dependency[Any] = providers.Dependency()
    models: providers.Dependency[Any] = providers.Dependency()
    files: providers.Dependency[Any] = providers.Dependency()
    knowledge: providers.Dependency[Any] = providers.Dependency()
    people: providers.Dependency[Any] = providers.Dependency()
    boot: providers.Dependency[Any] = providers.Dependency()
    signals: providers.Dependency[Any] = providers.Dependency()
    metrics: providers.Dependency[Any] = providers.Dependency()
    roles: providers.Dependency[Any] = providers.Dependency()
    agents: providers.Dependency[Any] = providers.Dependency()
    conversations: providers.Dependency[Any] = providers.Dependency()
    apps: providers.Dependency[Any] = providers.Dependency()
    databases: providers.Dependency[Any] = providers.Dependency()
    variables: providers.Dependency[Any] = providers.Dependency()
    plugins: providers.Dependency[Any] = providers.Dependency()

    # Definitions
    workflow_limits = settings.provided.workflow
    store = providers.Singleton(SqlWorkflowStore, database)
    checker = providers.Singleton(canvas_checker, workflow_limits)
    plans = providers.Singleton(
        PlanCache,
        checker=checker,
        entries=workflow_limits.plan_cache_entries,
        size=workflow_limits.plan_cache_bytes,
    )
    catalog = providers.Singleton(
        WorkflowCatalog, store=store, plans=plans, clock=clock, limits=limits
    )
    plugin_inventory = providers.Singleton(PluginInventory, plugins)
    surroundings = providers.Singleton(
        SurroundingsLoader,
        store=store,
        catalog=catalog,
        inventories=providers.Dict(
            {
                NeedKind.MODEL: providers.Singleton(ModelInventory, models),
                NeedKind.DATASET: providers.Singleton(
                    DatasetInventory, knowledge.provided.contract.call()
                ),
                NeedKind.DATABASE: providers.Singleton(DatabaseInventory, databases),
                NeedKind.PLUGIN: plugin_inventory,
            }
        ),
        tools=plugin_inventory,
        limits=workflow_limits,
        apps=apps,
        code_modules=providers.Singleton(
            code_modules, settings.provided.code.kind, settings.provided.code.packages
        ),
    )
    canvas_checks = providers.Singleton(CanvasChecker, checker=checker, surroundings=surroundings)
    views = providers.Singleton(WorkflowViews, files=files, people=people)
    workflows = providers.Singleton(
        WorkflowService,
        store=store,
        catalog=catalog,
        checker=canvas_checks,
        views=views,
        files=files,
        clock=clock,
        ids=ids,
        limits=limits,
    )
    publishing = providers.Singleton(
        WorkflowPublishingService,
        store=store,
        catalog=catalog,
        checker=canvas_checks,
        views=views,
        clock=clock,
        ids=ids,
        limits=limits,
        workflow_limits=workflow_limits,
    )
    imports = providers.Singleton(
        WorkflowImportService, workflows=workflows, checker=canvas_checks, limits=limits
    )
    tool_settings = providers.Singleton(
        ToolSettingService, store=store, catalog=catalog, surroundings=surroundings
    )

    # Runs
    runs = providers.Container(
        WorkflowRunContainer,
        agents=agents,
        knowledge=knowledge.provided.contract.call(),
        questions=knowledge.provided.query_writer.call(),
        documents=knowledge.provided.document_texts.call(),
        conversations=conversations,
        apps=apps,
        databases=databases,
        variables=variables,
        plugins=plugins,
        settings=settings,
        clock=clock,
        ids=ids,
        database=database,
        egress=egress,
        models=models,
        boot=boot,
        signals=signals,
        metrics=metrics,
        roles=roles,
        workflows=store,
        catalog=catalog,
        plans=plans,
    )

    storage: providers.List = providers.List()
    code_runner = runs.code_runner
    run_registry = runs.registry
    run_worker = runs.worker
    chat_flows = runs.chat_flows
    tools = runs.tools
    news = runs.news
    background = runs.background


def dependencies(workflow: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {
        "workflow_imports": workflow.imports,
        "workflow_limits": workflow.workflow_limits,
        "workflow_publishing": workflow.publishing,
        "workflow_tool_settings": workflow.tool_settings,
        "workflows": workflow.workflows,
        **run_dependencies(workflow.runs),
    }
