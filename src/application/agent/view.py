"""Turns agents into views: resolves icons to URLs and model settings to names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from application.agent.bound import BoundTools, NamedPlugin
from application.agent.dto import (
    AgentSummary,
    AgentView,
    NamedDataset,
    NamedMember,
    PublicAgentView,
    VersionView,
)
from crossdomain.file.contract import Files
from crossdomain.knowledge.contract import Knowledge
from crossdomain.model.contract import Models
from domain.agent.entity import Agent, AgentSnapshot, AgentVersion, PublicationStatus
from domain.agent.repository import AgentListing, AgentStore
from domain.agent.tools.fixed_value import masked
from domain.agent.value import AgentConfig
from domain.shared.access import TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import AgentId, FileId, SpaceId


class AgentViews:
    """Builds views; icons and models that are gone show as empty, other things not at all.

    Without ``bound`` views do not name tools.
    """

    def __init__(
        self,
        *,
        files: Files,
        models: Models,
        knowledge: Knowledge,
        store: AgentStore,
        bound: BoundTools | None = None,
    ) -> None:
        self._store = store
        self._files = files
        self._models = models
        self._knowledge = knowledge
        self._bound = bound

    async def draft(self, scope: TenantScope, agent: Agent) -> AgentView:
        return await self._view(scope, agent, agent.draft, updated_at=agent.updated_at)

    async def version(self, scope: TenantScope, agent: Agent, version: AgentVersion) -> AgentView:
        return await self._view(scope, agent, version.content, updated_at=version.created_at)

    async def public(
        self, scope: TenantScope, agent: Agent, version: AgentVersion
    ) -> PublicAgentView:
        """Show what a visitor may see; the icon too, although it is none of the visitor's files."""
        content, here = version.content, replace(scope, end_user_id="")
        return PublicAgentView(
            id=agent.id,
            name=content.name,
            icon_url=_url(content, await self._icons(here, (content.icon_file_id,))),
            onboarding=content.config.onboarding,
            shortcuts=tuple(each.public for each in content.config.shortcuts),
        )

    async def listing(
        self,
        scope: TenantScope,
        listings: Sequence[AgentListing],
        *,
        show_online: bool = False,
        names_parts: bool = False,
    ) -> tuple[AgentSummary, ...]:
        """Summarise agents by their drafts, or by what is online."""
        shown = [
            item.online.content if show_online and item.online is not None else item.agent.draft
            for item in listings
        ]
        urls = await self._icons(scope, (content.icon_file_id for content in shown))
        summaries = tuple(
            _summary(item, content, urls) for item, content in zip(listings, shown, strict=True)
        )
        if not names_parts:
            return summaries
        drafts = [item.agent for item in listings]
        wanted = {AgentId(each.agent_id) for agent in drafts for each in agent.config.agents}
        names = await self._names(scope, tuple(wanted))
        called = {(agent.space_id, agent.config.model.model_id) for agent in drafts}
        models = {each: await self._model(*each) for each in called}
        return tuple(
            msgspec.structs.replace(
                summary,
                model_id=models[agent.space_id, agent.config.model.model_id][0],
                model_name=models[agent.space_id, agent.config.model.model_id][1],
                members=_members(agent.config, names),
            )
            for summary, agent in zip(summaries, drafts, strict=True)
        )

    async def _view(
        self, scope: TenantScope, agent: Agent, content: AgentSnapshot, *, updated_at: datetime
    ) -> AgentView:
        urls = await self._icons(scope, (content.icon_file_id,))
        model_id, model_name = await self._model(content.space_id, content.config.model.model_id)
        return AgentView.of(
            agent,
            **_content(content),
            icon_file_id=content.icon_file_id,
            icon_url=_url(content, urls),
            version=content.version,
            live_version=await self._live_version(scope, agent),
            config=masked(content.config),
            datasets=await self._datasets(scope, content),
            members=await self._members(scope, content),
            plugins=await self._plugins(scope, content),
            workflows=() if self._bound is None else await self._bound.workflows(scope, content),
            model_id=model_id,
            model_name=model_name,
            updated_at=updated_at,
        )

    async def _live_version(self, scope: TenantScope, agent: Agent) -> str:
        async with self._store.snapshot() as uow:
            found = await uow.publications.of_agent(scope.within(agent.space_id), agent.id)
        live = [each for each in found if each.status is PublicationStatus.ACTIVE]
        return max(live, key=lambda each: each.published_at).version if live else ""

    async def _datasets(
        self, scope: TenantScope, content: AgentSnapshot
    ) -> tuple[NamedDataset, ...]:
        wanted = content.config.knowledge.dataset_ids
        if not wanted:
            return ()
        found = await self._knowledge.describe(scope.within(content.space_id), wanted)
        return tuple(NamedDataset(id=each.id, name=each.name) for each in found)

    async def _members(self, scope: TenantScope, content: AgentSnapshot) -> tuple[NamedMember, ...]:
        wanted = [AgentId(each.agent_id) for each in content.config.agents]
        return _members(content.config, await self._names(scope.within(content.space_id), wanted))

    async def _names(self, scope: TenantScope, wanted: Sequence[AgentId]) -> dict[AgentId, str]:
        if not wanted:
            return {}
        async with self._store.snapshot() as uow:
            return await uow.agents.names(scope, wanted)

    async def _plugins(self, scope: TenantScope, content: AgentSnapshot) -> tuple[NamedPlugin, ...]:
        if self._bound is None:
            return ()
        found = await self._bound.plugins(scope, content)
        urls = await self._icons(scope, (FileId(each.icon_file_id) or None for each in found))
        return tuple(
            msgspec.structs.replace(each, icon_url=urls.get(FileId(each.icon_file_id), ""))
            for each in found
        )

    async def _model(self, space_id: SpaceId, model: str) -> tuple[str, str]:
        try:
            found = await self._models.describe(model, space_id=space_id)
        except NotFound:
            return model, ""
        return found.id, found.name

    async def _icons(
        self, scope: TenantScope, file_ids: Iterable[FileId | None]
    ) -> dict[FileId, str]:
        wanted = list({file_id for file_id in file_ids if file_id is not None})
        if not wanted:
            return {}
        try:
            found = await self._files.describe(scope, wanted)
        except NotFound:  # one of them is gone; the others still have their URLs
            return await self._icons_one_by_one(scope, wanted)
        return {file_id: file.url for file_id, file in found.items()}

    async def _icons_one_by_one(
        self, scope: TenantScope, file_ids: Sequence[FileId]
    ) -> dict[FileId, str]:
        urls: dict[FileId, str] = {}
        for file_id in file_ids:
            try:
                urls[file_id] = (await self._files.describe(scope, [file_id]))[file_id].url
            except NotFound:
                continue
        return urls


def version_view(version: AgentVersion) -> VersionView:
    """Show a version without its content."""
    return VersionView(
        version=version.label,
        description=version.note,
        created_at=version.created_at,
        creator_id=version.creator_id,
    )


def _summary(item: AgentListing, content: AgentSnapshot, urls: dict[FileId, str]) -> AgentSummary:
    summary = AgentSummary.of(item.agent, **_content(content), icon_url=_url(content, urls))
    if item.online is None:
        return summary
    return msgspec.structs.replace(
        summary, version=item.online.content.version, published_at=item.online.published_at
    )


def _members(config: AgentConfig, names: Mapping[AgentId, str]) -> tuple[NamedMember, ...]:
    """Name those of a team that there are, in its order."""
    wanted = (AgentId(each.agent_id) for each in config.agents)
    return tuple(NamedMember(id=each, name=names[each]) for each in wanted if each in names)


def _content(content: AgentSnapshot) -> dict[str, Any]:
    return {"name": content.name, "description": content.description, "mode": content.mode}


def _url(content: AgentSnapshot, urls: dict[FileId, str]) -> str:
    return "" if content.icon_file_id is None else urls.get(content.icon_file_id, "")
