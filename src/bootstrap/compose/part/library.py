"""Composition of what a workspace shares: prompts, apps, templates, documents, and search."""

from dataclasses import dataclass
from typing import Final

from application.agent.bundle_service import AgentBundleService
from application.agent.purge import AgentPurge
from application.agent.service import AgentService
from application.agent.shortcut_service import ShortcutService
from application.agent.template import TemplateService
from application.agent.view import AgentViews
from application.app.publishing import AppPublishingService
from application.app.service import AppService
from application.directory.live import LiveService
from application.directory.presence import PresenceService
from application.directory.service import DirectoryService
from application.operation.health import Drain
from application.prompt.service import PromptService
from application.shared.background import Background
from application.shared.leader import scheduled
from crossdomain.file.contract import Files
from crossdomain.knowledge.contract import Knowledge
from crossdomain.model.contract import Models
from crossdomain.privacy.contract import LegalHolds
from domain.agent.repository import AgentStore
from domain.app.repository import AppStore
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.messaging.signal import Signals
from infra.impl.repository.sql.directory import SqlDirectoryStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.prompt import SqlPromptStore

_PURGE_S: Final = 3600.0


@dataclass(frozen=True, kw_only=True)
class LibraryParts:
    """Apps and prompts, and what is done with agents besides editing and running them."""

    apps: AppService
    app_publishing: AppPublishingService
    prompts: PromptService
    shortcuts: ShortcutService
    templates: TemplateService
    purging: Background
    bundles: AgentBundleService


def compose_library(
    *,
    database: Database,
    apps: AppStore,
    agents: AgentStore,
    agent_service: AgentService,
    files: Files,
    models: Models,
    knowledge: Knowledge,
    holds: LegalHolds,
    election: LeaderElection,
    clock: Clock,
    ids: IdGenerator,
    limits: Limits,
) -> LibraryParts:
    """Needs agents, and what their documents refer to."""
    views = AgentViews(files=files, models=models, knowledge=knowledge, store=agents)
    return LibraryParts(
        apps=AppService(store=apps, files=files, clock=clock, ids=ids, limits=limits),
        app_publishing=AppPublishingService(
            store=apps, files=files, clock=clock, ids=ids, limits=limits
        ),
        prompts=PromptService(store=SqlPromptStore(database), clock=clock, ids=ids, limits=limits),
        shortcuts=ShortcutService(store=agents, files=files, clock=clock, ids=ids, limits=limits),
        templates=TemplateService(store=agents, agents=agent_service, views=views),
        purging=scheduled(
            AgentPurge(store=agents, holds=holds, clock=clock, limits=limits).purge,
            name="purge of agents",
            interval_s=_PURGE_S,
            election=election,
        ),
        bundles=AgentBundleService(
            store=agents,
            models=models,
            views=views,
            knowledge=knowledge,
            clock=clock,
            ids=ids,
            limits=limits,
        ),
    )


@dataclass(frozen=True, kw_only=True)
class DirectoryParts:
    """The start of a workspace, finding anything in it, and who else is there."""

    directory: DirectoryService
    presences: PresenceService
    live: LiveService


def compose_directory(
    *, database: Database, signals: Signals, clock: Clock, drain: Drain
) -> DirectoryParts:
    """Needs the tables of the others, and none of their services."""
    store = SqlDirectoryStore(database)
    directory = DirectoryService(store=store, clock=clock)
    presences = PresenceService(directory=directory, signals=signals, clock=clock)
    live = LiveService(presences=presences, signals=signals, clock=clock)
    drain.listen(live.end)
    store.watch(live.tell_change, live.tell_notice)
    return DirectoryParts(directory=directory, presences=presences, live=live)
