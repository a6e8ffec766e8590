"""Use cases of publishing: check, freeze, activate, take off, look back, remove."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from application.agent.access import permitted_agent
from application.agent.dto import (
    AgentSummary,
    AgentView,
    ConnectorView,
    PublicAgentView,
    PublishAgent,
    VersionPage,
    VersionView,
)
from application.agent.team import TeamReferences
from application.agent.view import AgentViews, version_view
from crossdomain.knowledge.contract import Knowledge
from crossdomain.model.contract import Models
from crossdomain.plugin.contract import Plugins, PluginToolRef
from crossdomain.workflow.contract import Workflows
from domain.agent.definition import AgentDefinitions
from domain.agent.entity import (
    CONNECTORS,
    Agent,
    Publication,
    PublicationStatus,
    VersionId,
    require_active,
)
from domain.agent.error import AgentNotFound, AgentNotPublishable
from domain.agent.repository import AgentQuery, AgentStore
from domain.agent.rules import AgentRules
from domain.agent.value import Mode, PublishState, Verdict
from domain.agent.value.finding import Finding, FindingCode, finding
from domain.agent.value.shortcut import ShortcutTool, ShortcutToolType
from domain.shared.access import CONNECTOR_API, Permission, Principal, ResourceKind, TenantScope
from domain.shared.call import CallContext
from domain.shared.error import InvalidRequest, NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import MAX_ID, AgentId, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_ID_DIGITS: Final = len(str(MAX_ID))


class AgentPublishingService:
    """Brings drafts to connectors as immutable versions."""

    def __init__(
        self,
        *,
        store: AgentStore,
        definitions: AgentDefinitions,
        models: Models,
        views: AgentViews,
        knowledge: Knowledge,
        plugins: Plugins,
        workflows: Workflows,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._definitions = definitions
        self._models = models
        self._knowledge = knowledge
        self._plugins = plugins
        self._workflows = workflows
        self._views = views
        self._team = TeamReferences(store)
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._rules = AgentRules(limits)

    async def validate(self, principal: Principal, agent_id: int) -> tuple[Finding, ...]:
        """Return what stands against publishing the draft, and what looks odd."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
        return await self._findings(principal.scope, agent)

    async def publish(self, principal: Principal, command: PublishAgent) -> str:
        """Freeze the draft, or take an existing version, and activate it; return its label.

        Raises:
            AgentNotPublishable: the check found errors.
            InvalidRequest: a connector is unknown, or there is none.
        """
        connector_ids = _known_connectors(command.connector_ids)
        async with self._store.snapshot() as uow:
            draft = await permitted_agent(
                uow, principal, command.agent_id, Permission.AGENT_PUBLISH
            )
        if not command.version:
            await self._refuse_errors(principal.scope, draft)
        newest = await self._newest(principal.scope, draft)
        members = await self._team.newest(principal.scope, draft)
        scope, now = principal.scope, self._clock.now()
        async with self._store.transaction() as uow:
            agent = await uow.agents.get(scope, draft.id)
            is_new = not command.version
            if not is_new:
                version = await uow.versions.get(scope, agent.id, command.version)
                agent.activate(
                    version, connector_ids=connector_ids, actor_id=principal.user_id, now=now
                )
            else:
                agent.expect_revision(draft.revision)  # what was checked is what is published
                version = agent.publish(
                    VersionId(self._ids.next_id()),
                    connector_ids=connector_ids,
                    note=command.description,
                    actor_id=principal.user_id,
                    rules=self._rules,
                    now=now,
                ).locked(plugins=newest, agents=members)
            await uow.agents.save(scope, agent)  # first: of two at once, one is told here
            if is_new:
                await uow.versions.add(scope, version)
            for connector_id in connector_ids:
                await uow.publications.put(scope, Publication.of(version, connector_id, now=now))
            await uow.commit()
        self._definitions.forget(agent.id)
        return version.label

    async def unpublish(
        self, principal: Principal, agent_id: int, connector_id: int, *, reason: str = ""
    ) -> None:
        """Take the agent off a connector; raise ``AgentNotPublished`` if it is not on it."""
        _known_connectors((connector_id,))
        async with self._store.transaction() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_PUBLISH)
            found = await uow.publications.of_agent(principal.scope, agent.id)
            disabled = agent.unpublish(
                next((each for each in found if each.connector_id == connector_id), None),
                reason=reason,
                actor_id=principal.user_id,
                rules=self._rules,
                now=self._clock.now(),
            )
            await uow.publications.put(principal.scope, disabled)
            await uow.agents.save(principal.scope, agent)
            await uow.commit()
        self._definitions.forget(agent.id)

    async def review(
        self,
        principal: Principal,
        agent_id: int,
        connector_id: int,
        *,
        verdict: Verdict,
        reason: str = "",
    ) -> None:
        """Take note of what a connector decided about an agent that is published on it.

        What is published answers at once, so only a rejection changes anything: it takes the
        agent off. Who wants it back publishes again.

        Raises:
            AgentNotPublished: it is not on the connector.
        """
        if verdict is Verdict.REJECTED:
            await self.unpublish(principal, agent_id, connector_id, reason=reason)
            return
        _known_connectors((connector_id,))
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_PUBLISH)
            found = await uow.publications.of_agent(principal.scope, agent.id)
        require_active(next((each for each in found if each.connector_id == connector_id), None))

    async def restore(self, principal: Principal, agent_id: int, label: str) -> AgentView:
        """Make an old version the draft; what end users see does not change."""
        async with self._store.transaction() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_WRITE)
            version = await uow.versions.get(principal.scope, agent.id, label)
            agent.restore(version, actor_id=principal.user_id, now=self._clock.now())
            await uow.agents.save(principal.scope, agent)
            await uow.commit()
        return await self._views.draft(principal.scope, agent)

    async def undo_restore(self, principal: Principal, agent_id: int) -> AgentView:
        """Bring back the draft that a version replaced; raise ``NothingReplaced``."""
        async with self._store.transaction() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_WRITE)
            agent.undo_restore(actor_id=principal.user_id, now=self._clock.now())
            await uow.agents.save(principal.scope, agent)
            await uow.commit()
        return await self._views.draft(principal.scope, agent)

    async def versions(
        self,
        principal: Principal,
        agent_id: int,
        *,
        offset: int,
        limit: int,
        connector_id: int | None = None,
    ) -> VersionPage:
        """Return one page of versions, newest first."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
            found, total = await uow.versions.page(
                principal.scope, agent.id, offset=offset, limit=limit, connector_id=connector_id
            )
        return VersionPage(items=tuple(version_view(each) for each in found), total=total)

    async def get_version(
        self, principal: Principal, agent_id: int, label: str
    ) -> tuple[VersionView, AgentView]:
        """Return a version and the agent as it was in it."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
            version = await uow.versions.get(principal.scope, agent.id, label)
        return version_view(version), await self._views.version(principal.scope, agent, version)

    async def get_published(
        self, principal: Principal, agent_id: int, *, connector_id: int = CONNECTOR_API
    ) -> AgentView:
        """Return what answers on a connector; raise ``AgentNotPublished`` (4200)."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
            version = await uow.versions.active(principal.scope, agent.id, connector_id)
        return await self._views.version(principal.scope, agent, version)

    async def get_public(
        self, principal: Principal, agent_id: int, *, connector_id: int = CONNECTOR_API
    ) -> PublicAgentView:
        """Return what visitors see of what answers on a connector; raise ``AgentNotPublished``."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.CHAT)
            version = await uow.versions.active(principal.scope, agent.id, connector_id)
        return await self._views.public(principal.scope, agent, version)

    async def connectors(self, principal: Principal, agent_id: int) -> tuple[ConnectorView, ...]:
        """Return every installed connector and what it has of the agent."""
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, agent_id, Permission.AGENT_READ)
            found = await uow.publications.of_agent(principal.scope, agent.id)
        by_connector = {publication.connector_id: publication for publication in found}
        is_allowed = principal.may(Permission.AGENT_PUBLISH, agent.space_id)
        return tuple(
            _connector_view(connector_id, name, by_connector.get(connector_id), is_allowed)
            for connector_id, name in CONNECTORS.items()
        )

    async def list_chattable(
        self, principal: Principal, *, connector_id: int = CONNECTOR_API
    ) -> tuple[AgentSummary, ...]:
        """Return the agents, of all spaces, that the caller may chat with on a connector."""
        found: list[AgentSummary] = []
        for scope in _chat_scopes(principal):
            async with self._store.snapshot() as uow:
                page, _ = await uow.agents.search(
                    scope,
                    AgentQuery(
                        limit=self._limits.chattable_agents,
                        by_id=True,
                        descending=False,
                        state=PublishState.ONLINE,
                        connector_id=connector_id,
                        agent_ids=principal.agent_ids,
                    ),
                )
            found += await self._views.listing(scope, page, show_online=True)
        return tuple(found[: self._limits.chattable_agents])

    async def resolve(
        self, principal: Principal, reference: str, *, connector_id: int = CONNECTOR_API
    ) -> AgentSummary:
        """Find an agent to chat with by decimal id or alias; raise ``AgentNotFound``."""
        for scope in _chat_scopes(principal):
            async with self._store.snapshot() as uow:
                agent_id = _decimal_id(reference)
                if agent_id is None:
                    agent = await uow.agents.find_by_alias(scope, reference)
                    agent_id = None if agent is None else agent.id
                found, _ = await uow.agents.search(
                    scope,
                    AgentQuery(
                        limit=1,
                        state=PublishState.ONLINE,
                        connector_id=connector_id,
                        agent_ids=_intersection(principal.agent_ids, agent_id),
                    ),
                )
            if found:
                return (await self._views.listing(scope, found, show_online=True))[0]
        raise AgentNotFound(
            f"The agent {reference[: self._limits.agent_alias_chars]} does not exist or is not "
            f"published to connector {connector_id}."
        )

    async def chat_id(
        self, principal: Principal, reference: str, *, connector_id: int = CONNECTOR_API
    ) -> int:
        """Return the id of an agent to chat with; raise ``AgentNotFound`` for an unknown alias.

        A decimal id is not looked up: starting the chat tells whether it exists.
        """
        agent_id = _decimal_id(reference)
        if agent_id is not None:
            return agent_id
        return (await self.resolve(principal, reference, connector_id=connector_id)).id

    async def _refuse_errors(self, scope: TenantScope, agent: Agent) -> None:
        findings = await self._findings(scope, agent)
        errors = [each for each in findings if each.severity == "error"]
        if errors:
            raise AgentNotPublishable(
                "\n".join(f"{each.field}: {each.message}" for each in errors), agent_id=agent.id
            )

    async def _findings(self, scope: TenantScope, agent: Agent) -> tuple[Finding, ...]:
        findings = [
            *self._rules.review(agent.config),
            *await self._unbound(scope, agent),
            *await self._unpublished(scope, agent),
            *await self._without_workflow(scope, agent),
            *await self._team.findings(scope, agent),
            *await self._misfits(scope, agent),
        ]
        try:
            model = await self._models.describe(
                agent.config.model.model_id, space_id=agent.space_id
            )
        except NotFound:
            findings.append(finding(FindingCode.MODEL_UNKNOWN))
        else:
            if model.is_offline:
                findings.append(finding(FindingCode.MODEL_OFFLINE))
        return tuple(findings)

    async def _newest(self, scope: TenantScope, agent: Agent) -> Mapping[int, str]:
        """Newest versions of the plugins whose tools the agent has."""
        wanted = [each.plugin_id for each in agent.config.plugins]
        return await self._plugins.latest(scope.within(agent.space_id), wanted) if wanted else {}

    async def _unpublished(self, scope: TenantScope, agent: Agent) -> list[Finding]:
        """Name the plugins without a version: in a channel their tools would be missing."""
        newest = await self._newest(scope, agent)
        missing = {each.plugin_id for each in agent.config.plugins if not each.version} - {*newest}
        return [finding(FindingCode.PLUGIN_UNPUBLISHED, id=each) for each in sorted(missing)]

    async def _without_workflow(self, scope: TenantScope, agent: Agent) -> list[Finding]:
        """Name the workflows that are gone, and a missing one that was to answer."""
        findings = []
        if agent.mode is Mode.WORKFLOW and not agent.config.workflow.workflow_id:
            findings.append(finding(FindingCode.WORKFLOW_MISSING))
        for workflow_id in agent.config.workflow_ids:
            try:
                await self._workflows.find(scope.within(agent.space_id), workflow_id=workflow_id)
            except NotFound:
                findings.append(finding(FindingCode.WORKFLOW_GONE, id=workflow_id))
        return findings

    async def _misfits(self, scope: TenantScope, agent: Agent) -> list[Finding]:
        """Name the parameters that shortcuts fill and their tools do not have."""
        findings = []
        for shortcut in agent.config.shortcuts:
            if shortcut.tool is None:
                continue
            try:
                known = await self._parameters(scope, agent.space_id, shortcut.tool)
            except NotFound:
                continue  # told of as missing
            unknown = [each.name for each in shortcut.tool.params if each.name not in known]
            if unknown:
                names = ", ".join(unknown)
                findings.append(
                    finding(FindingCode.SHORTCUT_MISFIT, name=shortcut.name, parameters=names)
                )
        return findings

    async def _parameters(
        self, scope: TenantScope, space_id: SpaceId, tool: ShortcutTool
    ) -> Collection[str]:
        """Return the names of a tool's parameters; raise ``NotFound`` if it is gone."""
        scope = scope.within(space_id)
        if tool.type is ShortcutToolType.WORKFLOW:
            context = CallContext(scope=scope, space_id=space_id, connector_id=CONNECTOR_API)
            described = await self._workflows.describe(context, workflow_id=str(tool.workflow_id))
            schema = described.parameters
        else:
            ref = PluginToolRef(plugin_id=tool.plugin_id, tool_id=tool.plugin_tool_id)
            schema = (await self._plugins.describe(scope, ref)).parameters
        names: Collection[str] = schema.get("properties", {}).keys()
        return names

    async def _unbound(self, scope: TenantScope, agent: Agent) -> list[Finding]:
        """Name the datasets that were bound and are gone; the agent does without them."""
        wanted = agent.config.knowledge.dataset_ids
        if not wanted:
            return []
        described = await self._knowledge.describe(scope.within(agent.space_id), wanted)
        known = {each.id for each in described if each.is_enabled}
        return [finding(FindingCode.DATASET_GONE, id=each) for each in wanted if each not in known]


def _known_connectors(connector_ids: Sequence[int]) -> tuple[int, ...]:
    if not connector_ids:
        raise InvalidRequest("connector_ids: at least one connector is needed.")
    for connector_id in connector_ids:
        if connector_id not in CONNECTORS:
            known = ", ".join(str(each) for each in CONNECTORS)
            raise InvalidRequest(
                f"connector_ids: connector {connector_id} is not installed. Installed: {known}."
            )
    return tuple(dict.fromkeys(connector_ids))


def _connector_view(
    connector_id: int, name: str, publication: Publication | None, is_allowed: bool
) -> ConnectorView:
    is_bound = publication is not None and publication.status is PublicationStatus.ACTIVE
    return ConnectorView(
        id=connector_id,
        name=name,
        is_bound=is_bound,
        version=publication.version if publication is not None and is_bound else "",
        last_published_at=None if publication is None else publication.published_at,
        reason="" if publication is None else publication.reason,
        is_allowed=is_allowed,
    )


def _chat_scopes(principal: Principal) -> Iterator[TenantScope]:
    """Where the caller may chat by its roles, and then each place with agents granted to it."""
    spaces = (space for space in principal.roles if principal.may(Permission.CHAT, space))
    yield TenantScope(principal.user_id, frozenset(spaces))
    if principal.grant.permits(Permission.CHAT):
        shared = principal.shared(ResourceKind.AGENT, frozenset({Permission.CHAT}))
        for space, agent_ids in shared.items():
            if not principal.may(Permission.CHAT, space):
                yield TenantScope(principal.user_id, frozenset({space}), only=agent_ids)


def _decimal_id(reference: str) -> AgentId | None:
    if not (reference.isascii() and reference.isdigit()) or len(reference) > _ID_DIGITS:
        return None
    number = int(reference)
    return AgentId(number) if 0 < number <= MAX_ID else None


def _intersection(allowed: frozenset[AgentId] | None, wanted: AgentId | None) -> frozenset[AgentId]:
    if wanted is None or (allowed is not None and wanted not in allowed):
        return frozenset()
    return frozenset({wanted})
