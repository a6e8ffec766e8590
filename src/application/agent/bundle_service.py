"""Use cases of moving agents: out as a document, in as a new draft."""

from collections.abc import Mapping
from typing import Any

import msgspec

from application.agent.access import permitted_agent, require_bindings
from application.agent.dto import AgentView
from application.agent.team import TeamReferences
from application.agent.view import AgentViews
from crossdomain.knowledge.contract import Knowledge
from crossdomain.model.contract import Models
from domain.agent.bundle import (
    FORMAT,
    AgentBundle,
    NamedReference,
    bound,
    from_settings,
    secret_names,
    to_settings,
    without_bindings,
)
from domain.agent.entity import Agent
from domain.agent.error import AgentInvalid
from domain.agent.repository import AgentStore
from domain.agent.rules import AgentRules
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import MAX_ID, AgentId, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_ID_DIGITS = len(str(MAX_ID))


class ExportedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """A document, and the secrets that its import will ask for."""

    document: dict[str, Any]
    secrets: tuple[str, ...]


class ImportedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """A new draft, and what did not come along."""

    agent: AgentView
    warnings: tuple[str, ...]


class AgentBundleService:
    """Writes and reads documents of agents."""

    def __init__(
        self,
        *,
        store: AgentStore,
        models: Models,
        views: AgentViews,
        knowledge: Knowledge,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._models = models
        self._knowledge = knowledge
        self._views = views
        self._team = TeamReferences(store)
        self._clock = clock
        self._ids = ids
        self._rules = AgentRules(limits)

    async def export(self, principal: Principal, agent_id: int) -> ExportedAgent:
        """Return the draft as plain values, of which reading it shows as much."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
        view = await self._views.draft(principal.scope, agent)
        settings = to_settings(agent.config)
        bundle = AgentBundle(
            kind="coterie.agent",
            format=FORMAT,
            name=agent.name,
            description=agent.description,
            mode=agent.mode,
            workspace_id=str(agent.space_id),
            model=view.model_name if agent.config.model.model_id else "",
            knowledge=tuple(
                NamedReference(id=str(each.id), name=each.name) for each in view.datasets
            ),
            agents=tuple(NamedReference(id=str(each.id), name=each.name) for each in view.members),
            settings=settings,
        )
        return ExportedAgent(document=msgspec.to_builtins(bundle), secrets=secret_names(settings))

    async def import_draft(
        self,
        principal: Principal,
        document: Any,
        *,
        space_id: int,
        name: str = "",
        secrets: Mapping[str, str],
    ) -> ImportedAgent:
        """Make a draft from a document; what the workspace does not have is left out and told.

        Raises:
            AgentInvalid: the document is none of ours, or a secret is not given.
        """
        space = SpaceId(space_id)
        principal.require(Permission.AGENT_WRITE, space)
        principal.require_beyond_agents()
        bundle = _read(document)
        config = from_settings(bundle.settings, secrets)
        warnings: list[str] = []
        if bundle.workspace_id != str(space_id):
            config, lost = without_bindings(config)
            warnings += [f"{each}: left out, for it is bound to another workspace" for each in lost]
        scope = principal.scope.within(space)
        is_home = bundle.workspace_id == str(space_id)
        config = await self._team.found(
            scope,
            config,
            names={_number(each.id): each.name for each in bundle.agents},
            is_home=is_home,
            warnings=warnings,
        )
        config = bound(
            config,
            model_id=await self._model(bundle.model, warnings),
            dataset_ids=await self._datasets(scope, bundle, warnings),
        )
        require_bindings(
            principal,
            space,
            dataset_ids=config.knowledge.dataset_ids,
            workflow_ids=config.workflow_ids,
            plugin_tools=[(each.plugin_id, each.tool_id) for each in config.plugins],
            agent_ids=[each.agent_id for each in config.agents],
        )
        shortcuts = tuple(
            msgspec.structs.replace(each, id=self._ids.next_id()) for each in config.shortcuts
        )
        agent = Agent.create(
            AgentId(self._ids.next_id()),
            space_id=space,
            creator_id=principal.user_id,
            name=name or bundle.name,
            description=bundle.description,
            icon_file_id=None,
            mode=bundle.mode,
            config=msgspec.structs.replace(config, shortcuts=shortcuts),
            rules=self._rules,
            now=self._clock.now(),
        )
        async with self._store.transaction() as uow:
            await uow.agents.save(principal.scope, agent)
            await uow.commit()
        view = await self._views.draft(principal.scope, agent)
        return ImportedAgent(agent=view, warnings=tuple(warnings))

    async def _model(self, name: str, warnings: list[str]) -> str:
        if not name:
            return ""
        try:
            return (await self._models.describe(name)).id
        except NotFound:
            warnings.append(f"the model {name} does not exist here; the default answers")
            return ""

    async def _datasets(
        self, scope: TenantScope, bundle: AgentBundle, warnings: list[str]
    ) -> tuple[int, ...]:
        wanted = {_number(each.id): each.name for each in bundle.knowledge}
        if not wanted:
            return ()
        known = {each.id for each in await self._knowledge.describe(scope, tuple(wanted))}
        for dataset_id, name in wanted.items():
            if dataset_id not in known:
                warnings.append(f"the dataset {name or dataset_id} is not in this workspace")
        return tuple(dataset_id for dataset_id in wanted if dataset_id in known)


def _read(document: Any) -> AgentBundle:
    try:
        bundle = msgspec.convert(document, AgentBundle)
    except msgspec.ValidationError as exc:
        raise AgentInvalid(f"This is no exported agent: {exc}") from exc
    if bundle.format != FORMAT:
        raise AgentInvalid(f"format: this release reads format {FORMAT}.", field="format")
    return bundle


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _ID_DIGITS):
        raise AgentInvalid("id: expected a decimal id in knowledge and agents.", field="id")
    return int(text)
