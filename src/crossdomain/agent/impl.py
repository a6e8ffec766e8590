"""Agents for other contexts: translates between the contract and the agent domain."""

from collections.abc import Collection, Coroutine, Sequence
from dataclasses import replace
from typing import Any, assert_never

from crossdomain.agent.contract import (
    AgentDefinition,
    AgentOutcome,
    AgentSelector,
    AgentTurn,
    EmitAgentEvent,
    FlowSelector,
    Handling,
    MemoryUse,
    OpenQuestion,
    ShortcutCall,
    TurnOverrides,
)
from crossdomain.model.contract import Models
from crossdomain.workflow.contract import ChatFlow, Workflows
from domain.agent.definition import AgentDefinitions
from domain.agent.entity import AgentSnapshot
from domain.agent.error import AgentInvalid, AgentNotFound
from domain.agent.teams.runner import TeamRunner
from domain.agent.turn.flow import FlowRunner
from domain.agent.turn.runner import AgentRunner, handling, history_rounds
from domain.agent.turn.suspension import Suspension
from domain.agent.value import Mode
from domain.agent.value.shortcut import find_shortcut
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage
from domain.shared.error import InternalError
from domain.shared.ids import AgentId
from domain.shared.limits import Limits


class DomainAgentDirectory:
    """Implements ``AgentDirectory`` for those that runs of agents depend on."""

    def __init__(self, definitions: AgentDefinitions) -> None:
        self._definitions = definitions

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        return await self._definitions.names(scope, agent_ids)


class DomainAgents:
    """Implements ``Agents`` and ``DatasetUse`` of the contract."""

    def __init__(
        self,
        *,
        definitions: AgentDefinitions,
        runner: AgentRunner | TeamRunner,
        flows: Workflows,
        flow_runner: FlowRunner,
        models: Models,
        limits: Limits,
    ) -> None:
        self._definitions = definitions
        self._runner = runner
        self._flows = flows
        self._flow_runner = flow_runner
        self._models = models
        self._limits = limits

    async def load(
        self, scope: TenantScope, agent_id: AgentId, selector: AgentSelector
    ) -> AgentDefinition:
        return self._to_definition(await self._snapshot(scope, agent_id, selector))

    async def load_flow(self, scope: TenantScope, selector: FlowSelector) -> AgentDefinition:
        flow = await self._flows.find(
            scope,
            workflow_id=selector.workflow_id,
            version=selector.version,
            is_draft=selector.is_draft,
            mocks=selector.mocks,
        )
        agent_id = AgentId(selector.agent_id)
        if agent_id and agent_id not in await self.names(scope.within(flow.space_id), [agent_id]):
            raise AgentNotFound(f"No agent {agent_id}.", agent_id=agent_id)
        return AgentDefinition(
            agent_id=agent_id,
            space_id=flow.space_id,
            name=flow.name,
            version=flow.version,
            history_rounds=0,
            lock_model_params=True,
            openai_system="ignore",
            config=replace(flow, app_id=selector.app_id or flow.app_id),
            workflow_id=flow.workflow_id,
            takes_client_tools=False,
        )

    async def handling(self, definition: AgentDefinition, overrides: TurnOverrides) -> Handling:
        config = definition.config
        if not isinstance(config, AgentSnapshot) or config.mode is Mode.WORKFLOW:
            return Handling(ignored=overrides.settings)  # its nodes have settings of their own
        named = overrides.model or config.config.model.model_id
        model = await self._models.describe(named, space_id=config.space_id)
        return handling(config.config, overrides, model)

    def steps(self, question: OpenQuestion) -> tuple[ChatMessage, ...]:
        if not question.state:
            return ()
        before = Suspension.of(question)
        return (*before.messages, *before.results)

    async def abandon(self, scope: TenantScope, question: OpenQuestion) -> None:
        await self._flows.abandon(scope, question.workflow_run_id)

    def run(
        self,
        context: CallContext,
        definition: AgentDefinition,
        turn: AgentTurn,
        emit: EmitAgentEvent,
    ) -> Coroutine[Any, Any, AgentOutcome]:
        config = definition.config
        if isinstance(config, AgentSnapshot) and config.mode is not Mode.WORKFLOW:
            return self._runner.run(context, config, turn, emit)
        return self._run_flow(context, definition, turn, emit)

    async def _run_flow(
        self,
        context: CallContext,
        definition: AgentDefinition,
        turn: AgentTurn,
        emit: EmitAgentEvent,
    ) -> AgentOutcome:
        hosts: tuple[str, ...] = ()
        match definition.config:
            case AgentSnapshot() as snapshot:
                hosts = snapshot.config.link_hosts
                context = context.narrowed(snapshot.config.egress_hosts)
                flow = await self._flow_of(context.scope, snapshot)
            case ChatFlow() as flow:
                pass
            case _:
                raise InternalError("This definition was not loaded here.")
        return await self._flow_runner.run(
            context, flow, definition.agent_id, turn, emit, link_hosts=hosts
        )

    async def _flow_of(self, scope: TenantScope, snapshot: AgentSnapshot) -> ChatFlow:
        wanted = snapshot.config.workflow
        if not wanted.workflow_id:
            raise AgentInvalid("workflow_agent.workflow_id: the agent has no workflow yet.")
        return await self._flows.find(
            scope.within(snapshot.space_id),
            workflow_id=wanted.workflow_id,
            version=wanted.version,
        )

    def shortcut_question(self, definition: AgentDefinition, call: ShortcutCall) -> str:
        if not isinstance(definition.config, AgentSnapshot):
            raise InternalError("This definition was not loaded here.")
        shortcut = find_shortcut(definition.config.config.shortcuts, call.shortcut_id)
        shortcut.require(call.values)
        return shortcut.question(call.values, max_path_chars=self._limits.placeholder_chars)

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        return await self._definitions.names(scope, agent_ids)

    async def bound_to(self, scope: TenantScope, dataset_id: int) -> dict[AgentId, str]:
        return await self._definitions.bound_to(scope, dataset_id)

    async def count_bound(self, scope: TenantScope, dataset_ids: Collection[int]) -> dict[int, int]:
        return await self._definitions.count_bound(scope, dataset_ids)

    async def _snapshot(
        self, scope: TenantScope, agent_id: AgentId, selector: AgentSelector
    ) -> AgentSnapshot:
        match selector.kind:
            case "draft":
                return await self._definitions.draft(scope, agent_id)
            case "published":
                return await self._definitions.active(scope, agent_id, selector.connector_id)
            case "version":
                return await self._definitions.version(scope, agent_id, selector.version)
            case _:
                assert_never(selector.kind)

    def _to_definition(self, snapshot: AgentSnapshot) -> AgentDefinition:
        return AgentDefinition(
            agent_id=snapshot.agent_id,
            space_id=snapshot.space_id,
            name=snapshot.name,
            version=snapshot.version,
            history_rounds=history_rounds(snapshot.config.model, self._limits),
            lock_model_params=snapshot.config.model.lock_model_params,
            openai_system=snapshot.config.openai_system,
            config=snapshot,
            workflow_id=snapshot.flow_id,
            hands_over=not snapshot.flow_id
            and any(each.takes_over for each in snapshot.config.agents),
            takes_client_tools=not snapshot.flow_id and snapshot.config.openai_tools == "allow",
            memory=_memory(snapshot),
            model=snapshot.config.model.model_id,
        )


def _memory(snapshot: AgentSnapshot) -> MemoryUse:
    """Workflows keep what they need themselves."""
    if snapshot.mode is Mode.WORKFLOW:
        return MemoryUse()
    settings = snapshot.config.memory
    return MemoryUse(
        summary=settings.summary,
        long_term=settings.long_term,
        model=settings.model_id or snapshot.config.model.model_id,
    )
