"""Which tables an agent works with, as chats ask for it."""

from application.memory.bound import BoundDatabases
from domain.memory.database import DatabaseId, DatabaseTable, FieldSpec, FieldType, RowMode
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SpaceId, UserId
from domain.shared.limits import Limits
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.memory.database import SqlMemoryStore
from tests.support.clock import FrozenClock

AGENT = AgentId(7)
MINE = TenantScope(UserId(1), frozenset({SpaceId(11)}))
THEIRS = TenantScope(UserId(2), frozenset({SpaceId(12)}))


async def test_bindings_are_remembered_for_seconds_or_until_they_change(
    database: Database, clock: FrozenClock
) -> None:
    store, limits = SqlMemoryStore(database), Limits()
    bound = BoundDatabases(store=store, clock=clock, limits=limits)
    table = DatabaseTable.create(
        DatabaseId(5),
        space_id=SpaceId(11),
        creator_id=UserId(1),
        name="orders",
        description="",
        icon_file_id=None,
        app_id=None,
        row_mode=RowMode.SINGLE_USER,
        is_prompt_disabled=False,
        fields=[FieldSpec(name="city", type=FieldType.TEXT)],
        now=clock.now(),
    )

    async def bind() -> None:
        async with store.transaction() as uow:
            await uow.databases.save(MINE, table)
            await uow.databases.bind(MINE, table, AGENT, now=clock.now())
            await uow.commit()

    async def unbind() -> None:
        async with store.transaction() as uow:
            await uow.databases.unbind(MINE, table, AGENT)
            await uow.commit()

    assert not await bound.of_agent(MINE, AGENT)
    await bind()
    bound.forget()
    assert [each.name for each in await bound.of_agent(MINE, AGENT)] == ["orders"]
    assert not await bound.of_agent(THEIRS, AGENT)

    await unbind()  # as another process does it
    clock.advance(seconds=limits.definition_cache_s)
    assert not await bound.of_agent(MINE, AGENT)
