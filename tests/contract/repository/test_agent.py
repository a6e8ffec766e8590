"""What the agent store promises, on every database."""

from dataclasses import replace

import msgspec
import pytest

from domain.agent.entity import Agent, AgentVersion, Publication, VersionId
from domain.agent.error import AgentNotFound, AgentNotPublished, AliasTaken
from domain.agent.repository import AgentQuery
from domain.agent.rules import AgentRules
from domain.agent.value import (
    AgentConfig,
    KnowledgeSettings,
    Mode,
    ModelSettings,
    PluginBinding,
    Prompt,
    PublishState,
    Use,
    UseKind,
    VariableDefinition,
    WorkflowBinding,
    WorkflowSettings,
)
from domain.agent.value.team import AgentBinding
from domain.shared.access import CONNECTOR_API, CONNECTOR_WEB_SDK, TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId, FileId, SpaceId, UserId
from domain.shared.limits import Limits
from infra.impl.repository.sql.agent.repository import SqlAgentStore
from infra.impl.repository.sql.engine.database import Database
from tests.support.clock import FrozenClock

RULES = AgentRules(Limits())
USER = UserId(7)
SPACE, OTHER = SpaceId(2), SpaceId(3)
SCOPE = TenantScope(USER, frozenset({SPACE}))
FOREIGN = TenantScope(UserId(8), frozenset({OTHER}))
CONFIG = AgentConfig(
    prompt=Prompt(text="Grüße {{name}} 城"),
    model=ModelSettings(model_id="m", temperature=0.5, parameters={"a": "b"}),
    knowledge=KnowledgeSettings(dataset_ids=(2**62,)),
    variables=(VariableDefinition(keyword="name", default_value="x"),),
)


@pytest.fixture
def store(database: Database) -> SqlAgentStore:
    return SqlAgentStore(database)


def make(clock: FrozenClock, number: int = 1, *, space: SpaceId = SPACE, name: str = "A") -> Agent:
    return Agent.create(
        AgentId(number),
        space_id=space,
        creator_id=USER,
        name=name,
        description="d",
        icon_file_id=FileId(9),
        mode=Mode.SINGLE,
        config=CONFIG,
        rules=RULES,
        now=clock.now(),
    )


async def save(store: SqlAgentStore, *agents: Agent) -> None:
    async with store.transaction() as uow:
        for agent in agents:
            await uow.agents.save(TenantScope(USER, frozenset({agent.space_id})), agent)
        await uow.commit()


async def load(store: SqlAgentStore, number: int = 1) -> Agent:
    async with store.snapshot() as uow:
        return await uow.agents.get(SCOPE, AgentId(number))


async def publish(
    store: SqlAgentStore, agent: Agent, clock: FrozenClock, *connectors: int
) -> AgentVersion:
    version = agent.publish(
        VersionId(int(clock.now().timestamp() * 1000)),
        connector_ids=connectors,
        note="n",
        actor_id=USER,
        rules=RULES,
        now=clock.now(),
    )
    async with store.transaction() as uow:
        await uow.versions.add(SCOPE, version)
        for connector in connectors:
            await uow.publications.put(SCOPE, Publication.of(version, connector, now=clock.now()))
        await uow.agents.save(SCOPE, agent)
        await uow.commit()
    return version


async def ids(store: SqlAgentStore, query: AgentQuery, scope: TenantScope = SCOPE) -> list[int]:
    async with store.snapshot() as uow:
        found, _ = await uow.agents.search(scope, query)
    return [item.agent.id for item in found]


async def test_a_saved_agent_comes_back_equal(store: SqlAgentStore, clock: FrozenClock) -> None:
    agent = make(clock)
    await save(store, agent)

    found = await load(store)

    assert found.draft == agent.draft
    assert (found.created_at, found.revision, found.is_draft_changed) == (clock.now(), 1, True)


async def test_an_agent_of_another_space_is_not_found(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    agent = make(clock)
    await save(store, agent)
    version = await publish(store, agent, clock, CONNECTOR_API)

    async with store.transaction() as uow:
        for scope in (FOREIGN, TenantScope(USER, frozenset())):
            with pytest.raises(AgentNotFound):
                await uow.agents.get(scope, agent.id)
            with pytest.raises(AgentNotFound):
                await uow.versions.get(scope, agent.id, version.label)
            with pytest.raises(AgentNotFound):
                await uow.versions.active(scope, agent.id, CONNECTOR_API)
            with pytest.raises(AgentNotFound):
                await uow.agents.save(scope, agent)
            with pytest.raises(AgentNotFound):
                await uow.versions.add(scope, version)
            with pytest.raises(AgentNotFound):
                await uow.displays.put(scope, agent, b"{}", now=clock.now())
            assert await uow.versions.page(scope, agent.id, offset=0, limit=9) == ([], 0)
            assert await uow.publications.of_agent(scope, agent.id) == []
            assert await uow.agents.names(scope, [agent.id]) == {}
            assert await uow.agents.find_by_alias(scope, "x") is None
            assert await uow.displays.get(scope, agent.id) is None
            assert await uow.agents.search(scope, AgentQuery(limit=9)) == ([], 0)


async def test_the_second_of_two_writers_is_refused(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    await save(store, make(clock))
    first, second = await load(store), await load(store)
    await save(store, first)

    with pytest.raises(StaleRevision):
        await save(store, second)


async def test_aliases_are_unique_within_a_space(store: SqlAgentStore, clock: FrozenClock) -> None:
    agents = [make(clock, 1), make(clock, 2), make(clock, 3, space=OTHER)]
    await save(store, *agents)
    for agent in agents:
        agent.rename_alias("bot", rules=RULES, now=clock.now())
    await save(store, agents[0], agents[2])

    with pytest.raises(AliasTaken):
        await save(store, agents[1])
    async with store.snapshot() as uow:
        found = await uow.agents.find_by_alias(SCOPE, "bot")
    assert found is not None
    assert found.id == 1


async def test_a_deleted_agent_is_gone_with_its_versions(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    agent = make(clock)
    await save(store, agent)
    version = await publish(store, agent, clock, CONNECTOR_API)
    agent.delete(actor_id=USER, now=clock.now())
    await save(store, agent)

    async with store.snapshot() as uow:
        with pytest.raises(AgentNotFound):
            await uow.agents.get(SCOPE, agent.id)
        with pytest.raises(AgentNotFound):
            await uow.versions.active(SCOPE, agent.id, CONNECTOR_API)
        with pytest.raises(AgentNotFound):
            await uow.versions.get(SCOPE, agent.id, version.label)
        assert await uow.agents.names(SCOPE, [agent.id]) == {}
    assert await ids(store, AgentQuery(limit=9)) == []


async def test_each_connector_has_its_own_active_version(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    agent = make(clock)
    await save(store, agent)
    first = await publish(store, agent, clock, CONNECTOR_API, CONNECTOR_WEB_SDK)
    clock.advance(seconds=5)
    second = await publish(store, agent, clock, CONNECTOR_API)

    async with store.snapshot() as uow:
        assert await uow.versions.active(SCOPE, agent.id, CONNECTOR_API) == second
        assert await uow.versions.active(SCOPE, agent.id, CONNECTOR_WEB_SDK) == first
        assert await uow.versions.get(SCOPE, agent.id, first.label) == first
        with pytest.raises(AgentNotPublished):
            await uow.versions.active(SCOPE, agent.id, 10000010)
        with pytest.raises(AgentNotPublished):
            await uow.versions.get(SCOPE, agent.id, "1")
        page, total = await uow.versions.page(SCOPE, agent.id, offset=1, limit=1)
        active = await uow.versions.page(
            SCOPE, agent.id, offset=0, limit=9, connector_id=CONNECTOR_WEB_SDK
        )
    assert ([each.label for each in page], total) == ([first.label], 2)
    assert active == ([first], 1)


async def test_a_disabled_publication_answers_nobody(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    agent = make(clock)
    await save(store, agent)
    await publish(store, agent, clock, CONNECTOR_API)
    async with store.transaction() as uow:
        [publication] = await uow.publications.of_agent(SCOPE, agent.id)
        await uow.publications.put(SCOPE, publication.disabled("broken"))
        await uow.commit()

    async with store.snapshot() as uow:
        with pytest.raises(AgentNotPublished):
            await uow.versions.active(SCOPE, agent.id, CONNECTOR_API)
        [stored] = await uow.publications.of_agent(SCOPE, agent.id)
    assert stored.reason == "broken"


async def test_listings_filter_by_state_of_publication(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    online, changed, offline, web = (make(clock, n) for n in (1, 2, 3, 4))
    await save(store, online, changed, offline, web)
    for agent, connector in ((online, 1024), (changed, 1024), (web, 999)):
        clock.advance(seconds=1)
        await publish(store, agent, clock, connector)
    clock.advance(seconds=1)
    changed.update_draft(
        name="New",
        description="",
        icon_file_id=None,
        config=CONFIG,
        actor_id=USER,
        rules=RULES,
        now=clock.now(),
    )
    await save(store, changed)

    states = {
        (state, connector): sorted(
            await ids(store, AgentQuery(limit=9, state=state, connector_id=connector))
        )
        for state in PublishState
        for connector in (None, 1024)
    }

    assert states == {
        (PublishState.ALL, None): [1, 2, 3, 4],
        (PublishState.ALL, 1024): [1, 2, 3, 4],
        (PublishState.ONLINE, None): [1, 2, 4],
        (PublishState.ONLINE, 1024): [1, 2],
        (PublishState.CHANGED, None): [2],
        (PublishState.CHANGED, 1024): [2],
        (PublishState.OFFLINE, None): [3],
        (PublishState.OFFLINE, 1024): [3, 4],
    }
    latest_first = AgentQuery(limit=9, state=PublishState.ONLINE)
    assert await ids(store, latest_first) == [4, 2, 1]
    async with store.snapshot() as uow:
        found, _ = await uow.agents.search(SCOPE, latest_first)
    [item] = [item for item in found if item.agent.id == 2]
    assert item.online is not None
    assert (item.agent.name, item.online.content.name) == ("New", "A")
    assert item.online.published_at < item.agent.updated_at


async def test_listings_search_and_page(store: SqlAgentStore, clock: FrozenClock) -> None:
    names = ["100% sure", "100 sure", "Weather", "weather 2", "城市"]
    for number, name in enumerate(names, start=1):
        await save(store, make(clock, number, name=name))
        clock.advance(seconds=1)
    await save(store, make(clock, 9, space=OTHER, name="Weather"))

    def query(**options: object) -> AgentQuery:
        return replace(AgentQuery(limit=9), **options)  # type: ignore[arg-type]

    assert await ids(store, query(text="0% s")) == [1]
    assert await ids(store, query(text="WEATHER")) == [4, 3]
    assert await ids(store, query(text="市")) == [5]
    assert await ids(store, query(creator_id=UserId(99))) == []
    assert await ids(store, query(agent_ids=frozenset({AgentId(2), AgentId(9)}))) == [2]
    assert await ids(store, query(agent_ids=frozenset())) == []
    assert await ids(store, query(limit=2, offset=2)) == [3, 2]
    assert await ids(store, query(limit=2, by_id=True, after_id=AgentId(4))) == [3, 2]
    ascending = query(limit=2, by_id=True, descending=False, after_id=AgentId(3))
    assert await ids(store, ascending) == [4, 5]
    async with store.snapshot() as uow:
        _, total = await uow.agents.search(SCOPE, query(limit=1))
        assert await uow.agents.names(SCOPE, [AgentId(1), AgentId(9)]) == {1: "100% sure"}
    assert total == 5


async def test_layouts_are_kept_as_they_are(store: SqlAgentStore, clock: FrozenClock) -> None:
    agent = make(clock)
    await save(store, agent)
    for state in (b'{"a":1}', b'{"b": 2}'):
        async with store.transaction() as uow:
            await uow.displays.put(SCOPE, agent, state, now=clock.now())
            await uow.commit()

    async with store.snapshot() as uow:
        assert await uow.displays.get(SCOPE, agent.id) == b'{"b": 2}'


async def test_agents_are_found_by_the_base_they_search(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    other = make(clock, 2, name="B")
    other.config = msgspec.structs.replace(
        CONFIG, knowledge=KnowledgeSettings(dataset_ids=(2**62 - 1,), top_k=3)
    )
    foreign = make(clock, 3, space=OTHER)
    await save(store, make(clock), other)
    async with store.transaction() as uow:
        await uow.agents.save(FOREIGN, foreign)
        await uow.commit()
    async with store.snapshot() as uow:
        assert await uow.agents.bound_to(SCOPE, 2**62) == {AgentId(1): "A"}
        assert await uow.agents.bound_to(FOREIGN, 2**62) == {AgentId(3): "A"}
        assert await uow.agents.bound_to(SCOPE, 7) == {}


async def test_agents_are_counted_by_the_bases_they_search(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    idle, gone = make(clock, 3), make(clock, 4)
    idle.config = msgspec.structs.replace(CONFIG, knowledge=KnowledgeSettings())
    gone.delete(actor_id=USER, now=clock.now())
    await save(store, make(clock, 1), make(clock, 2), idle, gone, make(clock, 5, space=OTHER))

    async with store.snapshot() as uow:
        assert await uow.agents.count_bound(SCOPE, [2**62, 1]) == {2**62: 2, 1: 0}
        assert await uow.agents.count_bound(FOREIGN, [2**62]) == {2**62: 1}
        assert await uow.agents.count_bound(TenantScope(USER, frozenset()), [2**62]) == {2**62: 0}


async def test_agents_are_found_by_what_their_drafts_are_made_of(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    plain, team, flow, foreign = (
        make(clock, 1),
        make(clock, 2),
        make(clock, 3),
        make(clock, 4, space=OTHER),
    )
    plain.config = AgentConfig(
        prompt=Prompt(text='says "model":{"model_id":"m"} and "agents":[{ 77'),
        plugins=(PluginBinding(plugin_id=77, tool_id=78),),
        workflows=(WorkflowBinding(workflow_id=79),),
    )
    team.config = msgspec.structs.replace(CONFIG, agents=(AgentBinding(agent_id=1),))
    flow.mode = Mode.WORKFLOW
    flow.config = AgentConfig(workflow=WorkflowSettings(workflow_id=79))
    team.mark_template("Tools", rules=RULES, now=clock.now())
    await save(store, plain, team, flow, foreign)

    def query(**options: object) -> AgentQuery:
        return replace(AgentQuery(limit=9, by_id=True), **options)  # type: ignore[arg-type]

    def using(kind: UseKind, number: int) -> AgentQuery:
        return query(uses=Use(kind=kind, id=number))

    assert await ids(store, query(mode=Mode.SINGLE)) == [1]
    assert await ids(store, query(mode=Mode.MULTI)) == [2]
    assert await ids(store, query(mode=Mode.WORKFLOW)) == [3]
    assert await ids(store, query(models=frozenset({"m"}))) == [2]
    assert await ids(store, query(models=frozenset({"", "x"}))) == [3, 1]
    assert await ids(store, query(is_template=True)) == [2]
    assert await ids(store, using(UseKind.DATASET, 2**62)) == [2]
    assert await ids(store, using(UseKind.PLUGIN, 77)) == [1]
    assert await ids(store, using(UseKind.PLUGIN, 78)) == []
    assert await ids(store, using(UseKind.WORKFLOW, 79)) == [3, 1]
    assert await ids(store, using(UseKind.DATASET, 2**62), FOREIGN) == [4]


async def test_agents_deleted_long_ago_are_removed_with_all_that_is_theirs(
    store: SqlAgentStore, clock: FrozenClock
) -> None:
    old, held, kept = make(clock, 1), make(clock, 2, space=OTHER), make(clock, 3)
    await save(store, old, held, kept)
    await publish(store, old, clock, CONNECTOR_API)
    async with store.transaction() as uow:
        await uow.displays.put(SCOPE, old, b"{}", now=clock.now())
        await uow.commit()
    for agent in (old, held):
        agent.delete(actor_id=USER, now=clock.now())
    await save(store, old, held)

    async with store.transaction() as uow:
        early = await uow.janitor.purge(before=clock.now(), limit=9)
        clock.advance(seconds=1)
        gone = await uow.janitor.purge(before=clock.now(), limit=9, but={OTHER})
        again = await uow.janitor.purge(before=clock.now(), limit=9, but={OTHER})
        after = await uow.janitor.purge(before=clock.now(), limit=9)
        await uow.commit()

    assert (early, gone, again, after) == (0, 1, 0, 1)
    assert await ids(store, AgentQuery(limit=9)) == [3]
    async with store.snapshot() as uow:
        assert await uow.displays.get(SCOPE, old.id) is None
        assert await uow.publications.of_agent(SCOPE, old.id) == []
