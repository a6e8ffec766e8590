"""What is stored of people is found and forgotten in every table, on every database."""

import re
from datetime import timedelta
from typing import Any, Final

import pytest
import sqlalchemy as sa

from domain.privacy.repository import PrivacyStore
from domain.privacy.request import DataRequest
from domain.privacy.value import (
    Aging,
    DataRequestId,
    DataRequestKind,
    KeptDays,
    Subject,
    SubjectKind,
)
from domain.shared.access import TenantScope
from domain.shared.chat import ImagePart, TextPart
from domain.shared.ids import SpaceId, UserId
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.ledger.usage import SqlUsageStore
from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from infra.impl.repository.sql.mapping.column import Json, Names
from infra.impl.repository.sql.mapping.personal import PERSONAL
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.privacy import SqlPrivacyStore
from tests.contract.repository.rows import NOW, row_of

SPACE: Final = SpaceId(9)
SCOPE: Final = TenantScope(UserId(6), frozenset({SPACE}))
WHO: Final = "Zanzibar"
ANNA: Final = Subject(space_id=SPACE, kind=SubjectKind.END_USER, name=WHO)
MEMBER: Final = Subject(space_id=SPACE, kind=SubjectKind.MEMBER, name="6")
PERSON: Final = re.compile(
    r"(^|_)(user|account|member|principal|actor|creator|owner|holder|visitor)(_id|_ids)?$|_by$"
)
MACHINES: Final = {"lease_owner", "owner", "relay_owner"}
"""Columns that name processes."""


@pytest.fixture
def store(database: Database) -> PrivacyStore:
    return SqlPrivacyStore(database)


async def fill(database: Database, number: int, who: str, creator: int) -> None:
    """Write a row of somebody into every registered table."""
    complete_metadata()
    async with database.write() as connection:
        for entry in PERSONAL:
            await connection.execute(
                sa.insert(entry.table), row_of(entry.table, number, who, creator, space=SPACE)
            )
        apps = complete_metadata().tables["oauth_app"]
        await connection.execute(sa.insert(apps), row_of(apps, number, who, creator, space=SPACE))
        joined = upsert(connection.dialect.name, complete_metadata().tables["membership"])
        member = row_of(joined.table, number, who, creator, space=SPACE)
        await connection.execute(joined.on_conflict_do_nothing(), member)
        await connection.execute(
            sa.update(PERSONAL["budget"].table)
            .where(PERSONAL["budget"].table.c.id == number)
            .values(subject_type="end_user", subject_id=who)
        )
        await connection.commit()


async def rows_with(database: Database, text: str) -> dict[str, int]:
    """Count the rows of each table that say something."""
    found = {}
    async with database.read() as connection:
        for name, table in complete_metadata().tables.items():
            texts = [c for c in table.c if isinstance(c.type, sa.String | sa.Text | Json | Names)]
            if texts:
                says = sa.or_(*(sa.cast(c, sa.Text).contains(text) for c in texts))
                count = sa.select(sa.func.count()).select_from(table).where(says)
                if number := await connection.scalar(count):
                    found[name] = number
    return found


def test_every_table_that_names_people_is_registered() -> None:
    unknown = {
        name: names
        for name, table in complete_metadata().tables.items()
        if name not in PERSONAL
        and (names := [c.name for c in table.c if PERSON.search(c.name) and c.name not in MACHINES])
    }
    assert not unknown, (
        f"{unknown}: say in PERSONAL beside the table how its rows are found and removed, or why "
        "they stay."
    )


async def test_nothing_is_left_of_somebody_in_any_table(
    database: Database, store: PrivacyStore
) -> None:
    await fill(database, 7, WHO, 6)
    await fill(database, 8, "somebody else", 5)
    others = await rows_with(database, "somebody else")
    assert await rows_with(database, WHO)

    async with store.transaction() as uow:
        selection = await uow.people.of(ANNA)
        counts = {each.store: each.found for each in await uow.people.count(selection)}
        gone = await uow.people.forget(selection)
        await uow.commit()

    assert await rows_with(database, WHO) == {}
    assert await rows_with(database, "somebody else") == others
    assert {store for store, count in counts.items() if not count} == set()
    assert {store: gone[store] for store in counts} == counts
    async with store.snapshot() as uow:
        left = await uow.people.count(await uow.people.of(ANNA))
    assert [each for each in left if each.found] == []


async def test_a_member_takes_along_what_they_did_in_their_own_name(
    database: Database, store: PrivacyStore
) -> None:
    await fill(database, 7, "6", 6)
    await fill(database, 8, WHO, 6)  # what customers said, with the member's token

    async with store.transaction() as uow:
        await uow.people.forget(await uow.people.of(MEMBER))
        await uow.commit()

    conversations = PERSONAL["conversation"].table
    async with database.read() as connection:
        kept = list(await connection.scalars(sa.select(conversations.c.id)))
    assert kept == [8]


async def test_sums_of_usage_stay_the_same_without_the_name(
    database: Database, store: PrivacyStore
) -> None:
    await fill(database, 7, WHO, 6)
    await fill(database, 8, "somebody else", 6)
    async with SqlUsageStore(database).transaction() as usage:
        await usage.rollups.roll(limit=10)
        await usage.commit()
    sums = complete_metadata().tables["usage_rollup"]

    async def totals() -> list[Any]:
        query = (
            sa.select(sums.c.cube, sums.c.grain, sa.func.sum(sums.c.calls))
            .group_by(sums.c.cube, sums.c.grain)
            .order_by(sums.c.cube, sums.c.grain)
        )
        async with database.read() as connection:
            return [tuple(map(int, row)) for row in await connection.execute(query)]

    before = await totals()
    assert "usage_rollup" in await rows_with(database, WHO)

    async with store.transaction() as uow:
        await uow.people.forget(await uow.people.of(ANNA))
        await uow.commit()

    assert await totals() == before
    assert "usage_rollup" not in await rows_with(database, WHO)


async def test_files_go_with_who_sent_them_unless_others_use_them(
    database: Database, store: PrivacyStore
) -> None:
    await fill(database, 7, WHO, 6)
    await fill(database, 8, "somebody else", 6)
    files, messages = PERSONAL["file"].table, PERSONAL["message"].table
    parts = (TextPart(text="look"), ImagePart(file_id=70), ImagePart(file_id=71))
    async with database.write() as connection:
        for number in (70, 71):
            row = row_of(files, number, "", 6, space=SPACE) | {"end_user_id": ""}
            await connection.execute(sa.insert(files), row)
        for number, said in ((7, parts), (8, parts[2:])):
            await connection.execute(
                sa.update(messages).where(messages.c.id == number).values(parts=said)
            )
        await connection.commit()

    async with store.snapshot() as uow:
        selection = await uow.people.of(ANNA)
        keys = await uow.people.objects(selection)

    assert selection.ids == {7, 70}
    assert set(keys) == {"object_k-7", "object_k-70"}


async def test_pages_show_all_rows_without_what_says_nothing(
    database: Database, store: PrivacyStore
) -> None:
    await fill(database, 7, WHO, 6)
    async with store.snapshot() as uow:
        selection = await uow.people.of(ANNA)
        for name, _ in uow.people.stores():
            rows, after = await uow.people.page(selection, name, after=None, limit=1)
            assert len(rows) == 1, name
            assert "revision" not in rows[0]
            again, end = await uow.people.page(selection, name, after=after, limit=1)
            assert (list(again), end) == ([], None)


@pytest.mark.parametrize("aging", Aging)
async def test_what_is_old_is_found_and_goes_with_what_belongs_to_it(
    aging: Aging, database: Database, store: PrivacyStore
) -> None:
    await fill(database, 7, WHO, 6)
    async with database.write() as connection:
        await connection.execute(sa.update(PERSONAL["run"].table).values(status="completed"))
        await connection.execute(sa.update(PERSONAL["file"].table).values(status="ready"))
        await connection.commit()
    async with store.transaction() as uow:
        young = await uow.people.aged(SPACE, aging, before=NOW - timedelta(days=101), limit=10)
        assert young is None
        rounds = 0
        while old := await uow.people.aged(SPACE, aging, before=NOW, limit=10):
            assert await uow.people.forget(old)
            rounds += 1
        await uow.commit()
    assert 0 < rounds < 3


async def test_what_runs_for_somebody_is_told_to_end(
    database: Database, store: PrivacyStore
) -> None:
    await fill(database, 7, WHO, 6)
    async with database.write() as connection:
        for name, column in (("run", "status"), ("workflow_run", "phase")):
            table = PERSONAL[name].table
            await connection.execute(
                sa.update(table).values({column: "created", "cancel_requested_at": None})
            )
        await connection.commit()

    async with store.transaction() as uow:
        left = await uow.people.stop(ANNA, now=NOW)
        await uow.commit()

    assert left == [("run", 7), ("workflow_run", 7)]
    async with database.read() as connection:
        table = PERSONAL["run"].table
        assert await connection.scalar(sa.select(table.c.cancel_requested_at)) == NOW


async def test_requests_and_rules_come_back_whole(store: PrivacyStore) -> None:
    request = DataRequest.create(
        id=DataRequestId(3), kind=DataRequestKind.DELETE, subject=ANNA, actor_id=UserId(6), now=NOW
    )
    async with store.transaction() as uow:
        await uow.requests.save(SCOPE, request)
        retention = await uow.retention.get(SCOPE, SPACE)
        retention.change(KeptDays(files=3), is_held=True, by=UserId(6), now=NOW)
        await uow.retention.save(SCOPE, retention)
        await uow.commit()

    async with store.snapshot() as uow:
        (found,) = await uow.jobs.waiting(limit=5)
        assert found.person == ANNA
        assert await uow.requests.count_open(SCOPE) == 1
        assert await uow.jobs.is_held(SPACE)
        (rule,) = await uow.jobs.all()
    assert rule.days == KeptDays(files=3)
    assert rule.bound(Aging.FILES, now=NOW) is None  # held
