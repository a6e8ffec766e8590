"""Composition of what agents do: their tools, teams and turns, and how they are edited."""

from collections.abc import Mapping
from typing import Any

from dependency_injector import containers, providers

from application.agent.publishing import AgentPublishingService
from application.agent.service import AgentService
from bootstrap import adapters
from crossdomain.agent.impl import DomainAgents
from domain.agent.flow import FlowRunner
from domain.agent.memory_tool import DatabaseToolKind, StoredVariables, VariableToolKind
from domain.agent.meter import PreparationMeter
from domain.agent.plugin_tool import PluginToolKind
from domain.agent.recollection import Remembering
from domain.agent.runner import AgentRunner
from domain.agent.team_member import Members
from domain.agent.team_router import Router
from domain.agent.team_runner import TeamRunner
from domain.agent.team_tool import TeamTools
from domain.agent.workflow_tool import WorkflowToolKind


class AgentContainer(containers.DeclarativeContainer):
    """Runs and edits agents; needs what the other contexts offer them."""

    settings: providers.Dependency[Any] = providers.Dependency()
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    store: providers.Dependency[Any] = providers.Dependency()
    definitions: providers.Dependency[Any] = providers.Dependency()
    models: providers.Dependency[Any] = providers.Dependency()
    files: providers.Dependency[Any] = providers.Dependency()
    knowledge: providers.Dependency[Any] = providers.Dependency()
    plugins: providers.Dependency[Any] = providers.Dependency()
    flows: providers.Dependency[Any] = providers.Dependency()
    workflow_tools: providers.Dependency[Any] = providers.Dependency()
    variables: providers.Dependency[Any] = providers.Dependency()
    databases: providers.Dependency[Any] = providers.Dependency()
    recollections: providers.Dependency[Any] = providers.Dependency()
    metrics: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits

    # Turns
    tool_kinds: providers.List = providers.List(
        providers.Singleton(PluginToolKind, plugins, workflow_tools),
        providers.Singleton(WorkflowToolKind, workflow_tools),
        providers.Singleton(VariableToolKind, variables),
        providers.Singleton(DatabaseToolKind, databases),
    )
    link_rules = providers.Singleton(
        adapters.link_rules, settings.provided.external_url, settings.provided.egress.link_hosts
    )
    members = providers.Singleton(Members, definitions)
    runner = providers.Singleton(
        AgentRunner,
        links=link_rules,
        meter=providers.Singleton(PreparationMeter, metrics),
        models=models,
        knowledge=knowledge,
        tool_kinds=tool_kinds,
        team=providers.Singleton(TeamTools, members, flows=flows, clock=clock, limits=limits),
        stored=providers.Singleton(StoredVariables, variables),
        remembering=providers.Singleton(Remembering, recollections=recollections, limits=limits),
        clock=clock,
        limits=limits,
    )
    team_runner = providers.Singleton(
        TeamRunner,
        runner,
        members=members,
        router=providers.Singleton(Router, members, models=models, limits=limits),
        limits=limits,
    )
    contract = providers.Singleton(
        DomainAgents,
        definitions=definitions,
        runner=team_runner,
        flows=flows,
        flow_runner=providers.Singleton(FlowRunner, flows=flows, files=files, links=link_rules),
        limits=limits,
    )

    # Editing
    agents = providers.Singleton(
        AgentService,
        store=store,
        definitions=definitions,
        models=models,
        files=files,
        knowledge=knowledge,
        flows=flows,
        plugins=plugins,
        clock=clock,
        ids=ids,
        limits=limits,
    )
    publishing = providers.Singleton(
        AgentPublishingService,
        store=store,
        definitions=definitions,
        models=models,
        files=files,
        knowledge=knowledge,
        flows=flows,
        workflow_tools=workflow_tools,
        plugins=plugins,
        clock=clock,
        ids=ids,
        limits=limits,
    )


def dependencies(agent: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {"agents": agent.agents, "publishing": agent.publishing}
