"""Agents that name others, as documents and as copies."""

from typing import Any

import pytest

from application.agent.bundle_service import AgentBundleService
from application.agent.dto import AgentView, CreateAgent
from application.agent.service import AgentService
from application.shared.patch import Patch
from domain.agent.definition import AgentDefinitions
from domain.agent.value import AgentConfig
from domain.agent.value.team import AgentBinding, MemberKind, RouterMode, RouterSettings
from domain.shared.access import Principal, Role
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, TokenId, UserId
from domain.shared.limits import Limits
from infra.impl.repository.sql.agent.repository import SqlAgentStore
from infra.impl.repository.sql.engine.database import Database
from tests.integration.test_agents_api import NoPlugins, OneIcon
from tests.support.agent.scripted import ListedKnowledge, ScriptedModels
from tests.support.agent.world import looking_up
from tests.support.clock import FrozenClock

HOME, ELSEWHERE = 1, 2
OWNER = Principal(
    user_id=UserId(7),
    token_id=TokenId(1),
    roles={SpaceId(HOME): Role.OWNER, SpaceId(ELSEWHERE): Role.OWNER},
    personal_space_id=SpaceId(HOME),
)


class Desk:
    """The use cases of agents on a database."""

    def __init__(self, database: Database, clock: FrozenClock, ids: IdGenerator) -> None:
        store, limits = SqlAgentStore(database), Limits()
        models = ScriptedModels(known=frozenset({""}))
        parts = looking_up(store, models, files=OneIcon(), plugins=NoPlugins())
        shared: dict[str, Any] = {
            "store": store,
            "models": models,
            "views": parts["views"],
            "clock": clock,
            "ids": ids,
            "limits": limits,
        }
        self.bundles = AgentBundleService(knowledge=ListedKnowledge(), **shared)
        self.agents = AgentService(
            definitions=AgentDefinitions(store=store, clock=clock, limits=limits),
            references=parts["references"],
            **shared,
        )

    async def make(
        self, name: str, *agents: AgentBinding, space: int = HOME, **config: Any
    ) -> AgentView:
        patch = Patch[AgentConfig]({"agents": agents, **config})
        return await self.agents.create(OWNER, CreateAgent(space_id=space, name=name, config=patch))


@pytest.fixture
def desk(sqlite_database: Database, clock: FrozenClock, ids: IdGenerator) -> Desk:
    return Desk(sqlite_database, clock, ids)


async def team(desk: Desk) -> tuple[AgentView, AgentView]:
    helper = await desk.make("Helper")
    expert = await desk.make("Expert")
    lead = await desk.make(
        "Lead",
        AgentBinding(agent_id=helper.id, name="help"),
        AgentBinding(agent_id=expert.id, kind=MemberKind.HAND_OFF),
        router=RouterSettings(mode=RouterMode.MODEL, default_agent_id=expert.id),
    )
    return lead, helper


async def test_a_document_names_agents_and_finds_them_at_home(desk: Desk) -> None:
    lead, helper = await team(desk)

    document = (await desk.bundles.export(OWNER, lead.id)).document
    assert [each["name"] for each in document["agents"]] == ["Helper", "Expert"]
    back = await desk.bundles.import_draft(OWNER, document, space_id=HOME, secrets={})
    assert back.warnings == ()
    assert back.agent.config.agents == lead.config.agents
    assert back.agent.config.router == lead.config.router

    await desk.agents.delete(OWNER, helper.id)
    lacking = await desk.bundles.import_draft(OWNER, document, space_id=HOME, secrets={})
    assert lacking.warnings == ("the agent Helper is not in this workspace",)
    assert len(lacking.agent.config.agents) == 1


async def test_elsewhere_agents_are_found_by_the_only_one_of_their_name(desk: Desk) -> None:
    lead, _ = await team(desk)
    document = (await desk.bundles.export(OWNER, lead.id)).document
    there = await desk.make("Helper", space=ELSEWHERE)
    for _ in range(2):
        await desk.make("Expert", space=ELSEWHERE)

    moved = await desk.bundles.import_draft(OWNER, document, space_id=ELSEWHERE, secrets={})

    assert [each.agent_id for each in moved.agent.config.agents] == [there.id]
    assert moved.agent.config.router == RouterSettings()
    assert moved.warnings == ("the agent Expert is not in this workspace",)


async def test_a_copy_in_another_workspace_works_alone(desk: Desk) -> None:
    lead, _ = await team(desk)

    beside = await desk.agents.duplicate(OWNER, lead.id)
    away = await desk.agents.duplicate(OWNER, lead.id, space_id=ELSEWHERE)

    assert beside.config.agents == lead.config.agents
    assert away.config.agents == ()
    assert away.config.router == RouterSettings()
