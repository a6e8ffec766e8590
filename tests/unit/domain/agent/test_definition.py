"""The cache of published definitions: fast, bounded, never stale in its own process."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest

from crossdomain.agent.contract import AgentSelector
from crossdomain.agent.impl import DomainAgents
from domain.agent.definition import AgentDefinitions
from domain.agent.entity import Agent, Publication, VersionId
from domain.agent.error import AgentNotFound, AgentNotPublished
from domain.agent.repository import AgentUnitOfWork
from domain.agent.rules import AgentRules
from domain.agent.turn.flow import FlowRunner
from domain.agent.turn.meter import PreparationMeter
from domain.agent.turn.runner import AgentRunner
from domain.agent.value import AgentConfig, Mode
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics
from infra.impl.repository.sql.agent.repository import SqlAgentStore
from infra.impl.repository.sql.engine.database import Database
from tests.support.agent.scripted import ListedKnowledge, NoFlows, ScriptedModels
from tests.support.clock import FrozenClock
from tests.support.model.double import MemoryFiles

USER = UserId(7)
SCOPE = TenantScope(USER, frozenset({SpaceId(2)}))
FOREIGN = TenantScope(USER, frozenset({SpaceId(3)}))
LIMITS = Limits(definition_cache_entries=2)
RULES = AgentRules(LIMITS)


class CountingStore:
    """Counts the snapshots that the real store opens."""

    def __init__(self, store: SqlAgentStore) -> None:
        self._store = store
        self.reads = 0
        self.after_read: Callable[[], None] = lambda: None

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[AgentUnitOfWork, None]:
        async with self._store.transaction() as uow:
            yield uow

    @asynccontextmanager
    async def snapshot(self) -> AsyncGenerator[AgentUnitOfWork, None]:
        self.reads += 1
        async with self._store.snapshot() as uow:
            yield uow
        self.after_read()


@pytest.fixture
def store(sqlite_database: Database) -> CountingStore:
    return CountingStore(SqlAgentStore(sqlite_database))


@pytest.fixture
def definitions(store: CountingStore, clock: FrozenClock) -> AgentDefinitions:
    return AgentDefinitions(store=store, clock=clock, limits=LIMITS)


async def publish(store: CountingStore, clock: FrozenClock, number: int = 1) -> str:
    agent = Agent.create(
        AgentId(number),
        space_id=SpaceId(2),
        creator_id=USER,
        name="A",
        description="",
        icon_file_id=None,
        mode=Mode.SINGLE,
        config=AgentConfig(),
        rules=RULES,
        now=clock.now(),
    )
    async with store.transaction() as uow:
        version = agent.publish(
            VersionId(number),
            connector_ids=(1024,),
            note="",
            actor_id=USER,
            rules=RULES,
            now=clock.now(),
        )
        await uow.versions.add(SCOPE, version)
        await uow.publications.put(SCOPE, Publication.of(version, 1024, now=clock.now()))
        await uow.agents.save(SCOPE, agent)
        await uow.commit()
    return version.label


async def test_what_is_active_is_read_once_until_it_expires(
    store: CountingStore, definitions: AgentDefinitions, clock: FrozenClock
) -> None:
    label = await publish(store, clock)

    for _ in range(3):
        assert (await definitions.active(SCOPE, AgentId(1), 1024)).version == label
    assert store.reads == 1
    clock.advance(seconds=LIMITS.definition_cache_s)
    await definitions.active(SCOPE, AgentId(1), 1024)
    assert store.reads == 2


async def test_a_cached_definition_stays_invisible_to_other_spaces(
    store: CountingStore, definitions: AgentDefinitions, clock: FrozenClock
) -> None:
    await publish(store, clock)
    await definitions.active(SCOPE, AgentId(1), 1024)

    with pytest.raises(AgentNotFound):
        await definitions.active(FOREIGN, AgentId(1), 1024)


async def test_forgetting_reads_again_at_once(
    store: CountingStore, definitions: AgentDefinitions, clock: FrozenClock
) -> None:
    label = await publish(store, clock)
    await definitions.active(SCOPE, AgentId(1), 1024)
    await definitions.version(SCOPE, AgentId(1), label)

    definitions.forget(AgentId(1))

    await definitions.active(SCOPE, AgentId(1), 1024)
    assert store.reads == 3


async def test_a_load_that_a_publication_overtook_is_not_kept(
    store: CountingStore, definitions: AgentDefinitions, clock: FrozenClock
) -> None:
    await publish(store, clock)
    store.after_read = lambda: definitions.forget(AgentId(1))
    await definitions.active(SCOPE, AgentId(1), 1024)
    store.after_read = lambda: None

    await definitions.active(SCOPE, AgentId(1), 1024)
    assert store.reads == 2


async def test_the_cache_drops_its_oldest_entry_when_full(
    store: CountingStore, definitions: AgentDefinitions, clock: FrozenClock
) -> None:
    for number in (1, 2, 3):
        await publish(store, clock, number)
        await definitions.active(SCOPE, AgentId(number), 1024)

    await definitions.active(SCOPE, AgentId(3), 1024)
    await definitions.active(SCOPE, AgentId(2), 1024)
    assert store.reads == 3
    await definitions.active(SCOPE, AgentId(1), 1024)
    assert store.reads == 4


async def test_failures_are_not_remembered(
    store: CountingStore, definitions: AgentDefinitions, clock: FrozenClock
) -> None:
    with pytest.raises(AgentNotFound):
        await definitions.active(SCOPE, AgentId(1), 1024)
    await publish(store, clock)

    assert (await definitions.active(SCOPE, AgentId(1), 1024)).name == "A"
    with pytest.raises(AgentNotPublished):
        await definitions.active(SCOPE, AgentId(1), 999)


async def test_other_contexts_select_draft_publication_or_version(
    store: CountingStore, definitions: AgentDefinitions, clock: FrozenClock
) -> None:
    label = await publish(store, clock)
    runner = AgentRunner(
        meter=PreparationMeter(Metrics()),
        models=ScriptedModels(),
        knowledge=ListedKnowledge(),
        clock=clock,
        limits=LIMITS,
    )
    flows = NoFlows()
    agents = DomainAgents(
        definitions=definitions,
        runner=runner,
        flows=flows,
        flow_runner=FlowRunner(flows=flows, files=MemoryFiles()),
        models=ScriptedModels(),
        limits=LIMITS,
    )
    selectors = (
        AgentSelector(kind="draft"),
        AgentSelector(kind="published", connector_id=1024),
        AgentSelector(kind="version", version=label),
    )

    loaded = [await agents.load(SCOPE, AgentId(1), selector) for selector in selectors]

    assert [definition.version for definition in loaded] == ["", label, label]
    assert {(d.name, d.history_rounds, d.openai_system) for d in loaded} == {("A", 100, "append")}
    assert await agents.names(SCOPE, [AgentId(1), AgentId(5)]) == {1: "A"}
    assert await agents.names(SCOPE, []) == {}
