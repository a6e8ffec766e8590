"""Composition of what teams share: prompts, apps, templates, shortcuts, agents as documents."""

from collections.abc import Mapping
from typing import Any

from dependency_injector import containers, providers

from application.agent.bundle_service import AgentBundleService
from application.agent.shortcut_service import ShortcutService
from application.agent.template import TemplateService
from application.app.publishing import AppPublishingService
from application.app.service import AppService
from application.prompt.service import PromptService
from crossdomain.app.impl import DomainApps
from infra.impl.repository.sql.app import SqlAppStore
from infra.impl.repository.sql.prompt import SqlPromptStore


class LibraryContainer(containers.DeclarativeContainer):
    """Apps and prompts, and what is done with agents besides editing and running them."""

    limits: providers.Dependency[Any] = providers.Dependency()
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    database: providers.Dependency[Any] = providers.Dependency()
    files: providers.Dependency[Any] = providers.Dependency()
    models: providers.Dependency[Any] = providers.Dependency()
    knowledge: providers.Dependency[Any] = providers.Dependency()
    agent_store: providers.Dependency[Any] = providers.Dependency()
    agents: providers.Dependency[Any] = providers.Dependency()

    # Apps
    app_store = providers.Singleton(SqlAppStore, database)
    apps = providers.Singleton(
        AppService, store=app_store, files=files, clock=clock, ids=ids, limits=limits
    )
    app_publishing = providers.Singleton(
        AppPublishingService, store=app_store, files=files, clock=clock, ids=ids, limits=limits
    )
    app_contract = providers.Singleton(DomainApps, app_store)

    # Prompts
    prompt_store = providers.Singleton(SqlPromptStore, database)
    prompts = providers.Singleton(
        PromptService, store=prompt_store, clock=clock, ids=ids, limits=limits
    )

    # Agents
    shortcuts = providers.Singleton(
        ShortcutService, store=agent_store, files=files, clock=clock, ids=ids, limits=limits
    )
    templates = providers.Singleton(TemplateService, store=agent_store, agents=agents)
    bundles = providers.Singleton(
        AgentBundleService,
        store=agent_store,
        models=models,
        files=files,
        knowledge=knowledge,
        clock=clock,
        ids=ids,
        limits=limits,
    )


def dependencies(library: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {
        "app_publishing": library.app_publishing,
        "apps": library.apps,
        "prompts": library.prompts,
        "shortcuts": library.shortcuts,
        "templates": library.templates,
    }
