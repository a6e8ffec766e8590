"""What the store of variables, database tables and memories promises, on every database."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from domain.memory.database import DatabaseId, DatabaseTable, Field, FieldType, RowMode, Side
from domain.memory.error import DatabaseNameTaken, DatabaseNotFound, RecollectionNotFound
from domain.memory.recollection import Origin, Recollection, RecollectionId, RecollectionKind
from domain.memory.variable import Holder, Owner, OwnerKind, changed_list, list_items, list_text
from domain.shared.access import TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import AgentId, SpaceId, UserId
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.memory.database import SqlMemoryStore
from tests.support.clock import FrozenClock

SPACE, OTHER = SpaceId(2), SpaceId(3)
SCOPE = TenantScope(UserId(7), frozenset({SPACE}))
FOREIGN = TenantScope(UserId(8), frozenset({OTHER}))
ANN = Holder(
    owner=Owner(kind=OwnerKind.AGENT, id=5),
    side=Side.ONLINE,
    connector_id=1024,
    end_user_id="ann",
)
OTHERS = (
    replace(ANN, end_user_id="bob"),
    replace(ANN, side=Side.DRAFT),
    replace(ANN, connector_id=999),
    replace(ANN, owner=Owner(kind=OwnerKind.AGENT, id=6)),
)


def memory(clock: FrozenClock, number: int, **changes: object) -> Recollection:
    item = Recollection(
        id=RecollectionId(number),
        space_id=SPACE,
        holder=ANN,
        kind=RecollectionKind.FACT,
        text="Lives in Oslo.",
        terms=("live", "oslo"),
        vector=b"\x01\x02",
        embedding="m-1",
        importance=0.25,
        conversation_id=11,
        run_id=12,
        message_ids=(13, 14),
        valid_from=clock.now(),
        updated_at=clock.now(),
        last_used_at=clock.now(),
    )
    return replace(item, **changes)  # type: ignore[arg-type]


async def test_values_belong_to_one_holder_in_one_space(
    database: Database, clock: FrozenClock
) -> None:
    store = SqlMemoryStore(database)
    async with store.transaction() as uow:
        for city in ("Oslo", "Rome"):
            await uow.variables.put(SCOPE, SPACE, ANN, {"city": city, "n": "1"}, now=clock.now())
        await uow.variables.put(SCOPE, SPACE, OTHERS[0], {"city": "Lima"}, now=clock.now())
        await uow.commit()

    async with store.transaction() as uow:
        with pytest.raises(NotFound):
            await uow.variables.put(FOREIGN, SPACE, ANN, {"city": "X"}, now=clock.now())
        await uow.variables.remove(FOREIGN, ANN, None)
        await uow.variables.remove(SCOPE, ANN, {"n"})
        await uow.commit()

    async with store.snapshot() as uow:
        found = await uow.variables.get(SCOPE, ANN)
        assert {key: each.value for key, each in found.items()} == {"city": "Rome"}
        assert await uow.variables.get(FOREIGN, ANN) == {}
        assert [dict(await uow.variables.get(SCOPE, each)) for each in OTHERS[1:]] == [{}] * 3


async def test_lists_that_are_changed_at_once_lose_nothing(
    database: Database, clock: FrozenClock
) -> None:
    store = SqlMemoryStore(database)

    async def add(item: str) -> None:
        async with store.transaction() as uow:
            text = await uow.variables.lock(
                SCOPE, SPACE, ANN, "likes", default='["tea"]', now=clock.now()
            )
            items = changed_list(text, add=[item], remove=[])
            value = {"likes": list_text(items)}
            await uow.variables.put(SCOPE, SPACE, ANN, value, now=clock.now())
            await uow.commit()

    await asyncio.gather(*(add(str(number)) for number in range(8)))

    async with store.snapshot() as uow:
        found = (await uow.variables.get(SCOPE, ANN))["likes"].value
    assert set(list_items(found)) == {"tea", *map(str, range(8))}


async def test_tables_are_found_in_their_space_and_have_names_of_their_own(
    database: Database, clock: FrozenClock
) -> None:
    store = SqlMemoryStore(database)

    def table(number: int, name: str) -> DatabaseTable:
        return DatabaseTable(
            id=DatabaseId(number),
            space_id=SPACE,
            creator_id=UserId(7),
            name=name,
            description="d",
            icon_file_id=None,
            app_id=None,
            row_mode=RowMode.SINGLE_USER,
            is_prompt_disabled=False,
            fields=(Field(id=1, column=1, name="title", type=FieldType.TEXT),),
            next_field=2,
            next_column=2,
            created_at=clock.now(),
            updated_at=clock.now(),
        )

    books = table(1, "books")
    async with store.transaction() as uow:
        await uow.databases.save(SCOPE, books)
        await uow.databases.bind(SCOPE, books, AgentId(5), now=clock.now())
        await uow.databases.bind(SCOPE, books, AgentId(5), now=clock.now())
        with pytest.raises(DatabaseNameTaken):
            await uow.databases.save(SCOPE, table(2, "Books"))
        await uow.commit()

    async with store.snapshot() as uow:
        assert (await uow.databases.get(SCOPE, books.id)).fields == books.fields
        assert [each.id for each in await uow.databases.of_agent(SCOPE, AgentId(5))] == [1]
        assert await uow.databases.agents_of(SCOPE, [books.id, DatabaseId(99)]) == {books.id: [5]}
        assert not await uow.databases.of_agent(FOREIGN, AgentId(5))
        with pytest.raises(DatabaseNotFound):
            await uow.databases.get(FOREIGN, books.id)


async def test_a_memory_comes_back_whole_and_to_its_holder_only(
    database: Database, clock: FrozenClock
) -> None:
    store = SqlMemoryStore(database)
    one = memory(clock, 1)
    old = memory(clock, 2, superseded_by=RecollectionId(1))
    async with store.transaction() as uow:
        await uow.recollections.put(SCOPE, [one, old])
        with pytest.raises(NotFound):
            await uow.recollections.put(FOREIGN, [memory(clock, 3)])
        await uow.commit()
    later = replace(one, text="Lives in Bergen.", origin=Origin.PERSON, vector=b"")
    async with store.transaction() as uow:
        await uow.recollections.put(SCOPE, [later])
        await uow.commit()

    async with store.snapshot() as uow:
        assert list(await uow.recollections.list(SCOPE, ANN)) == [later, old]
        assert await uow.recollections.get(SCOPE, ANN, one.id) == later
        for scope, holder, number in (
            (FOREIGN, ANN, 1),
            *((SCOPE, each, 1) for each in OTHERS),
            (SCOPE, ANN, 2),
        ):
            with pytest.raises(RecollectionNotFound):
                await uow.recollections.get(scope, holder, RecollectionId(number))
        assert not await uow.recollections.list(FOREIGN, ANN)

    async with store.transaction() as uow:
        assert await uow.recollections.remove(FOREIGN, ANN, None) == 0
        assert await uow.recollections.remove(SCOPE, OTHERS[0], {one.id}) == 0
        assert await uow.recollections.remove(SCOPE, ANN, {one.id}) == 1
        assert await uow.recollections.remove(SCOPE, ANN, None) == 1
        await uow.commit()


async def test_who_opted_out_is_known_per_holder(database: Database, clock: FrozenClock) -> None:
    store = SqlMemoryStore(database)
    async with store.transaction() as uow:
        for _ in range(2):
            await uow.recollections.opt_out(SCOPE, SPACE, ANN, now=clock.now())
        await uow.commit()

    async with store.snapshot() as uow:
        assert await uow.recollections.is_opted_out(SCOPE, ANN)
        assert not await uow.recollections.is_opted_out(FOREIGN, ANN)
        assert not any([await uow.recollections.is_opted_out(SCOPE, each) for each in OTHERS])
    async with store.transaction() as uow:
        await uow.recollections.opt_in(FOREIGN, ANN)
        assert await uow.recollections.is_opted_out(SCOPE, ANN)
        await uow.recollections.opt_in(SCOPE, ANN)
        assert not await uow.recollections.is_opted_out(SCOPE, ANN)


async def test_what_is_deleted_takes_along_what_it_taught(
    database: Database, clock: FrozenClock
) -> None:
    store = SqlMemoryStore(database)
    now = clock.now() + timedelta(seconds=1)
    fact = memory(clock, 1)
    episode = memory(clock, 2, kind=RecollectionKind.EPISODE)
    elsewhere = memory(clock, 3, kind=RecollectionKind.EPISODE, conversation_id=99)
    taught = memory(clock, 4, message_ids=(50,), updated_at=now)
    async with store.transaction() as uow:
        await uow.recollections.put(SCOPE, [fact, episode, elsewhere, taught])
        await uow.recollections.opt_out(SCOPE, SPACE, ANN, now=now)
        assert await uow.cleanup.forget_message(11, 50) == 1
        assert await uow.cleanup.forget_episodes(11) == 1
        assert [each.id for each in await uow.recollections.list(SCOPE, ANN)] == [1, 3]
        await uow.cleanup.forget_agent(AgentId(6))
        assert len(await uow.recollections.list(SCOPE, ANN)) == 2
        await uow.cleanup.forget_agent(AgentId(5))
        assert not await uow.recollections.list(SCOPE, ANN)
        assert not await uow.recollections.is_opted_out(SCOPE, ANN)
