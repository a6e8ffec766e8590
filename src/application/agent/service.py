"""Use cases on drafts: make, read, change, list, copy, remove."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import msgspec
from msgspec import UNSET

from application.agent.access import AgentReferences, deleted_agent, permitted_agent
from application.agent.dto import (
    AgentPage,
    AgentView,
    CreateAgent,
    ListAgents,
    UpdateAgent,
)
from application.agent.team import TeamReferences
from application.agent.view import AgentViews
from application.shared.repeat import request_key
from crossdomain.knowledge.contract import RetrievalStrategy
from crossdomain.model.contract import Models
from domain.agent.definition import AgentDefinitions
from domain.agent.entity import Agent
from domain.agent.error import AgentInvalid
from domain.agent.repository import AgentStore, AgentUnitOfWork
from domain.agent.rules import AgentRules
from domain.agent.tools.fixed_value import unmasked
from domain.agent.value import AgentConfig, ModelSettings
from domain.shared.access import Permission, Principal, ResourceKind
from domain.shared.error import RequestTooLarge
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, FileId, SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.clock import Clock


class AgentService:
    """Works on drafts; what end users see changes by publishing only."""

    def __init__(
        self,
        *,
        store: AgentStore,
        definitions: AgentDefinitions,
        models: Models,
        references: AgentReferences,
        views: AgentViews,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._models = models
        self._definitions = definitions
        self._references = references
        self._views = views
        self._team = TeamReferences(store)
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._rules = AgentRules(limits)

    async def create(self, principal: Principal, command: CreateAgent) -> AgentView:
        """Make a draft, or return the one that the idempotency key stands for.

        Raises:
            AgentInvalid: a field breaks its rule.
            NotFound: it refers to something that is not there.
            RequestKeyReused: the key belongs to another request.
        """
        principal.require(Permission.AGENT_WRITE, SpaceId(command.space_id))
        principal.require_beyond_agents()
        initial = AgentConfig(
            model=ModelSettings(history_rounds=self._limits.agent_history_rounds_new)
        )
        agent = Agent.create(
            AgentId(self._ids.next_id()),
            space_id=SpaceId(command.space_id),
            creator_id=principal.user_id,
            name=command.name,
            description=command.description,
            icon_file_id=_file_id(command.icon_file_id),
            mode=command.mode,
            config=unmasked(command.config.applied(initial), initial),
            rules=self._rules,
            now=self._clock.now(),
        )
        await self._references.check_search(_search(command))
        await self._references.check(
            principal,
            agent.space_id,
            model=agent.config.model.model_id,
            icon_file_id=command.icon_file_id,
            dataset_ids=agent.config.knowledge.dataset_ids,
            workflow_ids=agent.config.workflow_ids,
            plugin_tools=[(each.plugin_id, each.tool_id) for each in agent.config.plugins],
            agent_ids=[each.agent_id for each in agent.config.agents],
        )
        await self._team.check(
            principal.scope, agent.space_id, agent_id=agent.id, agents=agent.config.agents
        )
        async with self._store.transaction() as uow:
            earlier = await self._made_before(uow, principal, command, agent)
            if earlier is None:
                await uow.agents.save(principal.scope, agent)
                await uow.commit()
        return await self._views.draft(principal.scope, earlier or agent)

    async def _made_before(
        self, uow: AgentUnitOfWork, principal: Principal, command: CreateAgent, agent: Agent
    ) -> Agent | None:
        """Return what the request's key stands for already, else bind it to the agent."""
        request = request_key("agent.create", command.idempotency_key, command)
        if request is None:
            return None
        now = agent.created_at
        since = now - timedelta(seconds=self._limits.idempotency_ttl_s)
        (made,) = await uow.request_keys.claim(
            principal.scope, request, [agent.id], now=now, since=since
        )
        if made == agent.id:
            return None
        return await permitted_agent(uow, principal, made, Permission.AGENT_READ)

    async def get(self, principal: Principal, agent_id: int) -> AgentView:
        """Return the draft; raise ``AgentNotFound``."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
        return await self._views.draft(principal.scope, agent)

    async def update(self, principal: Principal, command: UpdateAgent) -> AgentView:
        """Change the draft; raise ``StaleRevision`` if it is not the one the caller saw."""
        given, model = command.config.values, command.config.values.get("model")
        icon = command.icon_file_id
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, command.agent_id, Permission.AGENT_WRITE)
        await self._references.check_search(_search(command))
        await self._references.check(
            principal,
            agent.space_id,
            model=model.values.get("model_id") or None if model else None,
            icon_file_id=None if icon is UNSET else icon,
            dataset_ids=_bound(command),
            workflow_ids=_named_workflows(command),
            plugin_tools=[(each.plugin_id, each.tool_id) for each in given.get("plugins") or ()],
            agent_ids=[each.agent_id for each in given.get("agents") or ()],
        )
        await self._team.check(
            principal.scope,
            agent.space_id,
            agent_id=agent.id,
            agents=given.get("agents") or (),
        )
        return await self._change(
            principal,
            command.agent_id,
            lambda agent, now: self._apply(agent, command, actor_id=principal.user_id, now=now),
            expected_revision=command.expected_revision,
        )

    async def list(self, principal: Principal, query: ListAgents) -> AgentPage:
        """Return one page of a space's agents."""
        space_id = SpaceId(query.space_id)
        scope = principal.listing(ResourceKind.AGENT, Permission.AGENT_READ, space_id)
        models = await self._names_of(query.model, space_id) if query.model else None
        async with self._store.snapshot() as uow:
            found, total = await uow.agents.search(
                scope,
                replace(
                    query,
                    limit=query.limit + 1,
                    agent_ids=principal.agent_ids,
                    models=models,
                ),
            )
        items = await self._views.listing(
            scope,
            found[: query.limit],
            show_online=query.show_online,
            names_parts=query.names_parts,
        )
        return AgentPage(items=items, total=total, has_more=len(found) > query.limit)

    async def _names_of(self, model: str, space_id: SpaceId) -> frozenset[str]:
        """Return what agents may call a model; raise ``ModelNotFound``."""
        found = await self._models.describe(model)
        names = {model, found.id, found.name}
        if (await self._models.describe("", space_id=space_id)).id == found.id:
            names.add("")
        return frozenset(names)

    async def duplicate(
        self, principal: Principal, agent_id: int, *, name: str = "", space_id: int | None = None
    ) -> AgentView:
        """Copy the draft into a new agent, by default beside the original."""
        async with self._store.transaction() as uow:
            source = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
            target = source.space_id if space_id is None else SpaceId(space_id)
            principal.require(Permission.AGENT_WRITE, target)
            principal.require_beyond_agents()
            copy = source.duplicate(
                AgentId(self._ids.next_id()),
                space_id=target,
                actor_id=principal.user_id,
                name=name or self._copy_name(source.name),
                rules=self._rules,
                now=self._clock.now(),
            )
            await uow.agents.save(principal.scope, copy)
            await uow.commit()
        return await self._views.draft(principal.scope, copy)

    async def delete(self, principal: Principal, agent_id: int) -> None:
        """Remove the agent and take it off every connector."""
        async with self._store.transaction() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_WRITE)
            agent.delete(actor_id=principal.user_id, now=self._clock.now())
            await uow.agents.save(principal.scope, agent)
            await uow.commit()
        self._definitions.forget(agent.id)

    async def restore(self, principal: Principal, agent_id: int) -> AgentView:
        """Bring back an agent that was deleted lately, with its versions and publications.

        Raises:
            AgentNotFound: it was not deleted, or that is too long ago.
        """
        now = self._clock.now()
        since = now - timedelta(seconds=self._limits.agent_restore_s)
        async with self._store.transaction() as uow:
            agent = await deleted_agent(uow, principal, agent_id, since=since)
            agent.bring_back(actor_id=principal.user_id, now=now)
            await uow.agents.save(principal.scope, agent)
            await uow.commit()
        self._definitions.forget(agent.id)
        return await self._views.draft(principal.scope, agent)

    async def mark_template(
        self, principal: Principal, agent_id: int, category: str | None
    ) -> AgentView:
        """Offer the agent as a template, or stop doing so with None."""
        return await self._change(
            principal,
            agent_id,
            lambda agent, now: agent.mark_template(category, rules=self._rules, now=now),
        )

    async def display_state(self, principal: Principal, agent_id: int) -> bytes:
        """Return the editor's layout as JSON text, an empty object if there is none."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
            return await uow.displays.get(principal.scope, agent.id) or b"{}"

    async def set_display_state(self, principal: Principal, agent_id: int, state: bytes) -> None:
        """Keep the editor's layout: any JSON object within the limit for texts."""
        if len(state) > self._limits.string_bytes:
            raise RequestTooLarge(f"The layout exceeds {self._limits.string_bytes} bytes.")
        if not _is_json_object(state):
            raise AgentInvalid("The layout must be a JSON object.")
        async with self._store.transaction() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_WRITE)
            await uow.displays.put(principal.scope, agent, state, now=self._clock.now())
            await uow.commit()

    async def _change(
        self,
        principal: Principal,
        agent_id: int,
        change: Callable[[Agent, datetime], None],
        *,
        expected_revision: int | None = None,
    ) -> AgentView:
        async with self._store.transaction() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_WRITE)
            agent.expect_revision(expected_revision)
            change(agent, self._clock.now())
            await uow.agents.save(principal.scope, agent)
            await uow.commit()
        self._definitions.forget(agent.id)
        return await self._views.draft(principal.scope, agent)

    def _apply(
        self, agent: Agent, command: UpdateAgent, *, actor_id: UserId, now: datetime
    ) -> None:
        icon = agent.icon_file_id
        if command.icon_file_id is not UNSET:
            icon = _file_id(command.icon_file_id)
        agent.update_draft(
            name=agent.name if command.name is UNSET else command.name,
            description=agent.description
            if command.description is UNSET
            else command.description or "",
            icon_file_id=icon,
            config=unmasked(command.config.applied(agent.config), agent.config),
            actor_id=actor_id,
            rules=self._rules,
            now=now,
        )
        if command.alias is not UNSET:
            agent.rename_alias(command.alias, rules=self._rules, now=now)
        if command.trace_capture is not UNSET:
            agent.trace(command.trace_capture, now=now)

    def _copy_name(self, name: str) -> str:
        suffix = " (copy)"
        return name[: self._limits.agent_name_chars - len(suffix)] + suffix


def _bound(command: UpdateAgent) -> tuple[int, ...]:
    """Return the datasets that an update names; those bound before may be gone meanwhile."""
    return _knowledge(command).get("dataset_ids") or ()


def _search(command: CreateAgent | UpdateAgent) -> Mapping[str, Any]:
    """Return what is said of how knowledge is searched."""
    given, names = _knowledge(command), RetrievalStrategy.__struct_fields__
    return {name: value for name, value in given.items() if name in names}


def _knowledge(command: CreateAgent | UpdateAgent) -> Mapping[str, Any]:
    knowledge = command.config.values.get("knowledge")
    return {} if knowledge is None else knowledge.values


def _named_workflows(command: UpdateAgent) -> list[int]:
    """Return the workflows that an update names."""
    given = command.config.values
    named = [each.workflow_id for each in given.get("workflows") or ()]
    own = given.get("workflow")
    return [*named, own.workflow_id] if own and own.workflow_id else named


def _file_id(value: int | None) -> FileId | None:
    return None if value is None else FileId(value)


def _is_json_object(text: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(text), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
