"""Composition of agents: their definitions, and what runs, edits and publishes them."""

from dataclasses import dataclass

from application.agent.access import AgentReferences
from application.agent.assistance import AgentAssistance
from application.agent.bound import BoundTools
from application.agent.publishing import AgentPublishingService
from application.agent.service import AgentService
from application.agent.view import AgentViews
from crossdomain.agent.contract import AgentDirectory
from crossdomain.agent.impl import DomainAgentDirectory, DomainAgents
from crossdomain.agent.variables import AgentVariableSource
from crossdomain.file.contract import Files
from crossdomain.identity.contract import SpaceDefaults
from crossdomain.knowledge.contract import Knowledge
from crossdomain.memory.contract import Databases, Recollections, Variables, VariableSource
from crossdomain.model.contract import Models
from crossdomain.plugin.contract import Plugins
from crossdomain.workflow.contract import Workflows
from domain.agent.definition import AgentDefinitions
from domain.agent.repository import AgentStore
from domain.agent.teams.member import Members
from domain.agent.teams.router import Router
from domain.agent.teams.runner import TeamRunner
from domain.agent.teams.team_tool import TeamTools
from domain.agent.tools.memory_tool import DatabaseToolKind, StoredVariables, VariableToolKind
from domain.agent.tools.plugin_tool import PluginToolKind
from domain.agent.tools.workflow_tool import WorkflowToolKind
from domain.agent.turn.flow import FlowRunner
from domain.agent.turn.meter import PreparationMeter
from domain.agent.turn.recollection import Remembering
from domain.agent.turn.runner import AgentRunner
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.shared.text.link_filter import LinkRules
from infra.contract.clock import Clock
from infra.contract.observability.metrics import Metrics
from infra.impl.repository.sql.agent.repository import SqlAgentStore
from infra.impl.repository.sql.engine.database import Database


@dataclass(frozen=True, kw_only=True)
class DefinitionParts:
    """What the other contexts know of agents before any can run."""

    store: AgentStore
    definitions: AgentDefinitions
    directory: AgentDirectory
    variables: VariableSource


def compose_definitions(*, database: Database, clock: Clock, limits: Limits) -> DefinitionParts:
    """The first half of the context: memory and workflows need it, and running needs those."""
    store = SqlAgentStore(database)
    definitions = AgentDefinitions(store=store, clock=clock, limits=limits)
    return DefinitionParts(
        store=store,
        definitions=definitions,
        directory=DomainAgentDirectory(definitions),
        variables=AgentVariableSource(definitions),
    )


@dataclass(frozen=True, kw_only=True)
class AgentParts:
    """What runs, edits and publishes agents."""

    contract: DomainAgents
    agents: AgentService
    publishing: AgentPublishingService
    assistance: AgentAssistance


def compose_agent(
    *,
    agents: DefinitionParts,
    models: Models,
    defaults: SpaceDefaults,
    files: Files,
    knowledge: Knowledge,
    plugins: Plugins,
    workflows: Workflows,
    variables: Variables,
    databases: Databases,
    recollections: Recollections,
    link_rules: LinkRules,
    clock: Clock,
    ids: IdGenerator,
    limits: Limits,
    metrics: Metrics,
) -> AgentParts:
    """The second half of the context; needs what the others offer."""
    members = Members(agents.definitions)
    runner = AgentRunner(
        links=link_rules,
        meter=PreparationMeter(metrics),
        models=models,
        knowledge=knowledge,
        tool_kinds=[
            PluginToolKind(plugins, workflows),
            WorkflowToolKind(workflows),
            VariableToolKind(variables),
            DatabaseToolKind(databases),
        ],
        team=TeamTools(members, flows=workflows, clock=clock, limits=limits),
        stored=StoredVariables(variables),
        remembering=Remembering(recollections=recollections, limits=limits),
        clock=clock,
        limits=limits,
    )
    team_runner = TeamRunner(
        runner,
        members=members,
        router=Router(members, models=models, limits=limits),
        limits=limits,
    )
    views = AgentViews(
        files=files,
        models=models,
        knowledge=knowledge,
        store=agents.store,
        bound=BoundTools(plugins=plugins, flows=workflows),
    )
    return AgentParts(
        contract=DomainAgents(
            definitions=agents.definitions,
            runner=team_runner,
            flows=workflows,
            flow_runner=FlowRunner(flows=workflows, files=files, links=link_rules),
            models=models,
            limits=limits,
        ),
        agents=AgentService(
            store=agents.store,
            definitions=agents.definitions,
            models=models,
            references=AgentReferences(
                files=files, models=models, knowledge=knowledge, plugins=plugins, flows=workflows
            ),
            views=views,
            clock=clock,
            ids=ids,
            limits=limits,
        ),
        publishing=AgentPublishingService(
            store=agents.store,
            definitions=agents.definitions,
            models=models,
            views=views,
            knowledge=knowledge,
            workflows=workflows,
            plugins=plugins,
            clock=clock,
            ids=ids,
            limits=limits,
        ),
        assistance=AgentAssistance(
            store=agents.store, models=models, defaults=defaults, clock=clock, limits=limits
        ),
    )
