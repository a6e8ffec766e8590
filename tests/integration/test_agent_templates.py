"""Templates of agents, what lists say of their parts, and the end of what was deleted."""

from typing import Any

import pytest

from application.agent.dto import CreateAgent, ListAgents
from application.agent.purge import AgentPurge
from application.agent.service import AgentService
from application.agent.template import TemplateService
from application.shared.patch import Patch
from domain.agent.definition import AgentDefinitions
from domain.agent.error import TemplateNotFound
from domain.agent.value import ModelSettings
from domain.agent.value.team import AgentBinding
from domain.shared.access import Principal, Role
from domain.shared.error import AppError
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, TokenId, UserId
from domain.shared.limits import Limits
from infra.impl.repository.sql.agent.repository import SqlAgentStore
from infra.impl.repository.sql.engine.database import Database
from tests.support.agent.scripted import ScriptedModels
from tests.support.agent.world import looking_up
from tests.support.clock import FrozenClock

LIMITS = Limits()
HERE, THERE, FOREIGN = SpaceId(1), SpaceId(3), SpaceId(2)


class NoHolds:
    """Nothing is kept for a court."""

    async def held(self) -> frozenset[SpaceId]:
        return frozenset()


def person(*spaces: SpaceId) -> Principal:
    return Principal(
        user_id=UserId(7),
        token_id=TokenId(1),
        roles=dict.fromkeys(spaces, Role.OWNER),
        personal_space_id=spaces[0],
    )


ANNE, BOB = person(HERE, THERE), person(FOREIGN)


class World:
    """The services of agents on a database."""

    def __init__(self, database: Database, clock: FrozenClock, ids: IdGenerator) -> None:
        self.store = SqlAgentStore(database)
        parts = looking_up(self.store, ScriptedModels(known=frozenset({"", "m", "n"})))
        self.agents = AgentService(
            store=self.store,
            definitions=AgentDefinitions(store=self.store, clock=clock, limits=LIMITS),
            clock=clock,
            ids=ids,
            limits=LIMITS,
            **parts,
        )
        self.templates = TemplateService(store=self.store, agents=self.agents, views=parts["views"])
        self.purge = AgentPurge(store=self.store, holds=NoHolds(), clock=clock, limits=LIMITS)

    async def make(
        self, name: str, principal: Principal = ANNE, space: SpaceId = HERE, **config: Any
    ) -> int:
        command = CreateAgent(space_id=space, name=name, config=Patch(config))
        return (await self.agents.create(principal, command)).id

    async def names(self, **query: Any) -> list[str]:
        found = await self.agents.list(ANNE, ListAgents(space_id=HERE, limit=9, **query))
        return [each.name for each in found.items]


@pytest.fixture
def world(sqlite_database: Database, clock: FrozenClock, ids: IdGenerator) -> World:
    return World(sqlite_database, clock, ids)


async def test_templates_of_all_workspaces_of_the_caller_are_listed(world: World) -> None:
    first = await world.make("One")
    second = await world.make("Two", space=THERE)
    hidden = await world.make("Three", BOB, FOREIGN)
    await world.make("Four")
    for agent_id, owner in ((first, ANNE), (second, ANNE), (hidden, BOB)):
        await world.agents.mark_template(owner, agent_id, "Tools")

    page = await world.templates.list(ANNE, limit=1)
    rest = await world.templates.list(ANNE, limit=1, after_id=page.items[0].id)
    found = await world.templates.list(ANNE, limit=9, text="one")

    assert [each.name for each in (*page.items, *rest.items)] == ["Two", "One"]
    assert (page.total, page.has_more, rest.has_more) == (2, True, False)
    assert [each.name for each in found.items] == ["One"]
    assert page.items[0].model_id


async def test_a_template_is_copied_into_another_workspace(world: World) -> None:
    template = await world.make("One")
    await world.agents.mark_template(ANNE, template, "")
    plain = await world.make("Two")

    made = await world.templates.duplicate(ANNE, template, space_id=THERE)

    assert (made.space_id, made.name) == (THERE, "One")
    with pytest.raises(TemplateNotFound):
        await world.templates.duplicate(ANNE, plain, space_id=THERE)
    with pytest.raises(AppError):
        await world.templates.duplicate(BOB, template, space_id=FOREIGN)


async def test_lists_name_model_and_team_where_they_are_asked_for(world: World) -> None:
    member = await world.make("Writer")
    bindings = (AgentBinding(agent_id=member), AgentBinding(agent_id=99))
    with pytest.raises(AppError):
        await world.make("Lead", agents=bindings)
    await world.make("Lead", agents=bindings[:1], model=Patch({"model_id": "m"}))

    query = ListAgents(space_id=HERE, limit=9, text="Lead")
    [plain] = (await world.agents.list(ANNE, query)).items
    query = ListAgents(space_id=HERE, limit=9, text="Lead", names_parts=True)
    [named] = (await world.agents.list(ANNE, query)).items

    assert (plain.model_name, plain.members) == ("", ())
    assert named.model_id
    assert [each.name for each in named.members] == ["Writer"]


async def test_a_model_finds_those_that_name_it_in_any_way(world: World) -> None:
    await world.make("Default")
    await world.make("Named", model=Patch({"model_id": "m"}))

    assert ModelSettings().model_id == ""
    assert "Named" in await world.names(model="m")
    with pytest.raises(AppError):
        await world.names(model="no such")


async def test_what_was_deleted_a_week_ago_is_removed(world: World, clock: FrozenClock) -> None:
    first, second = await world.make("One"), await world.make("Two")
    await world.agents.delete(ANNE, first)
    clock.advance(seconds=LIMITS.agent_restore_s + 1)
    await world.agents.delete(ANNE, second)

    assert (await world.purge.purge(), await world.purge.purge()) == (1, 0)
    assert (await world.agents.restore(ANNE, second)).name == "Two"
    with pytest.raises(AppError):
        await world.agents.restore(ANNE, first)
