"""Tables: rows are slices and rows of SQL, and nobody ever sees half of a change."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from application.knowledge.document.resegment import ResegmentService
from application.knowledge.dto import ColumnSpec, CreateDocuments, NewDocument
from application.knowledge.table.reshape import TableReshaping
from application.knowledge.view import document_view
from domain.knowledge.document import Document
from domain.knowledge.error import ResegmentRefused
from domain.knowledge.tables.column import ColumnType
from domain.knowledge.tables.error import TableSliceUnfit
from domain.knowledge.value import (
    DEFAULT_RULE,
    DocumentId,
    DocumentStatus,
    FormatType,
    Page,
    SliceId,
    SourceType,
    TableSheet,
)
from infra.contract.table.store import TableStore, TableStoreUnavailable
from tests.support.knowledge.sample import SCOPE, SPACE, new_dataset
from tests.support.knowledge.world import OWNER, Died, DyingStore, World

CITIES = "city,people\nOslo,700\nRome,2800\nLima,10000"
MORE = "people,city\n9000,Lagos\n3700,Berlin"
SPECS = (
    ColumnSpec(name="city", type=1, is_semantic=True, sequence=0),
    ColumnSpec(name="people", type=2, sequence=1),
)


class DyingTables:
    """Dies before or after the given call that changes tables, counted from 1."""

    def __init__(self, tables: TableStore, *, at: int, is_after: bool) -> None:
        self._tables = tables
        self._left = at
        self._is_after = is_after

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._tables, name)
        if name not in {"create", "drop", "upsert", "delete", "absorb"}:
            return method

        async def dying(*args: Any, **kwargs: Any) -> Any:
            self._left -= 1
            if self._left == 0 and not self._is_after:
                raise Died
            result = await method(*args, **kwargs)
            if self._left == 0:
                raise Died
            return result

        return dying


def sheet(content: str = CITIES, *, columns: tuple[ColumnSpec, ...] = ()) -> NewDocument:
    return NewDocument(
        name="cities.csv",
        source_type=SourceType.LOCAL_FILE,
        content=content.encode(),
        extension="csv",
        columns=columns,
    )


async def upload(world: World, new: NewDocument) -> DocumentId:
    command = CreateDocuments(dataset_id=1, documents=(new,))
    (view,) = await world.documents.create(OWNER, command)
    return DocumentId(view.id)


async def table(world: World, new: NewDocument | None = None) -> DocumentId:
    async with world.store.transaction() as uow:
        dataset = new_dataset(now=world.clock.now())
        dataset.format_type = FormatType.TABLE
        await uow.datasets.save(SCOPE, dataset)
        await uow.commit()
    document_id = await upload(world, new or sheet(columns=SPECS))
    await world.work(rounds=1)
    return document_id


async def rows(world: World, document: Document) -> list[tuple[Any, ...]]:
    """What SQL sees."""
    return [
        row.cells for row in await world.tables.scan(world.rows.active(document), after=0, limit=99)
    ]


async def slices(world: World, document: Document) -> list[tuple[Any, ...]]:
    """What people see."""
    async with world.store.snapshot() as uow:
        found, _ = await uow.slices.page(
            SCOPE,
            document.id,
            document.require_active(),
            keyword="",
            status=None,
            page=Page(number=1, size=99),
        )
    return [tuple(json.loads(item.content).values()) for item in found]


async def keys(world: World, document: Document) -> tuple[set[int], set[int]]:
    async with world.store.snapshot() as uow:
        known = await uow.batches.of_documents(SCOPE, [document.id], limit=99)
    stored = await world.tables.scan(world.rows.active(document), after=0, limit=99)
    return set(known), {row.key for row in stored}


async def test_a_file_becomes_rows_to_search_and_to_query(world: World) -> None:
    document_id = await table(world, sheet())

    document = await world.load(document_id)
    assert (document.status, document.slice_count) == (DocumentStatus.ENABLED, 3)
    assert [(c.name, c.type, c.is_semantic) for c in document.columns] == [
        ("city", ColumnType.TEXT, True),
        ("people", ColumnType.NUMBER, False),
    ]
    assert await rows(world, document) == [("Oslo", 700), ("Rome", 2800), ("Lima", 10000)]
    assert await slices(world, document) == await rows(world, document)
    assert await world.find("rome") == ['{"city":"Rome","people":2800}']
    assert await world.find("people") == []  # not the name of a column nobody searches


async def test_rows_are_appended_whatever_the_order_of_columns(world: World) -> None:
    document_id = await table(world)
    assert await upload(world, sheet(MORE)) == document_id
    with pytest.raises(ResegmentRefused):
        await upload(world, sheet(MORE))
    await world.work(rounds=1)

    document = await world.load(document_id)
    assert (document.status, document.active_generation, document.slice_count) == (
        DocumentStatus.ENABLED,
        1,
        5,
    )
    assert (await rows(world, document))[3:] == [("Lagos", 9000), ("Berlin", 3700)]
    assert await slices(world, document) == await rows(world, document)
    assert await world.find("berlin") == ['{"city":"Berlin","people":3700}']
    assert await world.tables.names(SPACE) == [f"table_{document_id}_1"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("people,city\nmany,Lagos", "row 2, people: 'many' is not a whole number"),
        ("people,city\n1,", "row 2, city: '' is empty"),
        ("city,inhabitants\nLagos,1", "Missing: people; unknown: inhabitants"),
    ],
)
async def test_an_append_that_does_not_fit_changes_nothing(
    world: World, content: str, said: str
) -> None:
    document_id = await table(world)
    await upload(world, sheet(content))
    await world.work(rounds=1)
    await world.clean()

    document = await world.load(document_id)
    assert document.status is DocumentStatus.ENABLED
    assert said in document.fail_reason
    assert document.fail_code == 105000026
    assert document_view(document).wire_status == 9  # a poller must not take it for a success
    assert document_view(document).enabled
    assert len(await rows(world, document)) == 3
    assert await world.tables.names(SPACE) == [f"table_{document_id}_1"]


def at_store(world: World, at: int, *, is_after: bool) -> Any:
    return world.worker(DyingStore(world.store, at=at, is_after=is_after))


def at_tables(world: World, at: int, *, is_after: bool) -> Any:
    tables: Any = DyingTables(world.tables, at=at, is_after=is_after)
    return world.worker(tables=tables)


@pytest.mark.parametrize("worker", [at_store, at_tables], ids=["commit", "table"])
@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
async def test_a_worker_may_die_anywhere_in_an_append(
    world: World, worker: Callable[..., Any], *, is_after: bool
) -> None:
    document_id = await table(world)
    cities, at, died = ["Oslo", "Rome", "Lima"], 0, True
    while died:
        at += 1
        assert at < 30
        await upload(world, sheet(f"city,people\nTown{at},{at}\nVillage{at},{at}"))
        died = False
        try:
            await worker(world, at, is_after=is_after).run_once()
        except* Died:
            died = True
        except* asyncio.CancelledError:
            pass
        document = await world.load(document_id)
        shown = [row[0] for row in await slices(world, document)]
        added = [f"Town{at}", f"Village{at}"]
        assert shown in (cities, cities + added)  # all or nothing
        world.clock.advance(seconds=61)
        await world.work(rounds=1)

        cities += added
        document = await world.load(document_id)
        assert document.status is DocumentStatus.ENABLED
        assert [row[0] for row in await slices(world, document)] == cities
        assert await rows(world, document) == await slices(world, document)
        assert document.slice_count == len(cities)
        assert await world.entries() == (len(cities), len(cities))
        assert await world.tables.names(SPACE) == [f"table_{document_id}_1"]
    assert at > 2


async def test_nothing_remains_of_an_append_that_fails_at_the_end(world: World) -> None:
    """The worker dies when SQL has the rows and the slices are not shown yet."""
    document_id = await table(world)
    await upload(world, sheet(MORE))
    tables: Any = DyingTables(world.tables, at=3, is_after=True)  # create, write, absorb
    with pytest.raises(BaseExceptionGroup):
        await world.worker(tables=tables).run_once()
    document = await world.load(document_id)
    assert len(await rows(world, document)) == 5
    world.clock.advance(hours=25)  # too old now: the job is given up
    await world.work(rounds=1)
    await world.clean(times=2)

    document = await world.load(document_id)
    assert document.fail_reason
    assert await rows(world, document) == await slices(world, document)
    assert len(await slices(world, document)) == 3
    known, stored = await keys(world, document)
    assert known == stored
    assert await world.entries() == (3, 3)
    assert await world.tables.names(SPACE) == [f"table_{document_id}_1"]


async def test_nothing_remains_of_a_table_deleted_while_it_grows(world: World) -> None:
    document_id = await table(world)
    await upload(world, sheet(MORE))
    embed = world.models.embed
    deleted: list[DocumentId] = []

    async def delete_meanwhile(*args: Any, **kwargs: Any) -> Any:
        if not deleted:
            deleted.append(document_id)
            await world.documents.delete(OWNER, [document_id])
            await world.clean()
        return await embed(*args, **kwargs)

    world.models.embed = delete_meanwhile  # type: ignore[method-assign]
    await world.work(rounds=2)

    assert deleted
    assert await world.tables.names(SPACE) == []
    assert await world.entries() == (0, 0)


async def test_indexing_anew_may_give_up_an_append(world: World) -> None:
    document_id = await table(world)
    await upload(world, sheet(MORE))
    tables: Any = DyingTables(world.tables, at=3, is_after=True)  # SQL has the rows already
    with pytest.raises(BaseExceptionGroup):
        await world.worker(tables=tables).run_once()
    await world.documents.resegment(OWNER, document_id, DEFAULT_RULE, force=True)
    await world.work(rounds=2)
    await world.clean()

    document = await world.load(document_id)
    assert (document.active_generation, document.slice_count) == (3, 3)
    assert await rows(world, document) == await slices(world, document)
    assert await world.entries() == (3, 3)
    assert await world.tables.names(SPACE) == [f"table_{document_id}_3"]


async def test_indexing_anew_keeps_appended_and_edited_rows(world: World) -> None:
    document_id = await table(world)
    await upload(world, sheet(MORE))
    await world.work(rounds=1)
    await world.documents.resegment(OWNER, document_id, DEFAULT_RULE)
    await world.work(rounds=1)

    document = await world.load(document_id)
    assert document.active_generation == 3
    assert await rows(world, document) == await slices(world, document)
    assert len(await rows(world, document)) == 5
    assert await world.entries() == (5, 5)
    assert await world.tables.names(SPACE) == [f"table_{document_id}_3"]


async def test_rows_edited_by_hand_are_the_same_for_sql_and_search(world: World) -> None:
    document_id = await table(world)
    document = await world.load(document_id)
    city, people = document.columns
    given = [{"column_id": str(city.id), "value": "Quito"}, {"column_id": people.id, "value": "2"}]

    added = await world.slices.create(OWNER, document_id, json.dumps(given))
    assert (await rows(world, document))[-1] == ("Quito", 2)
    await world.slices.edit(
        OWNER, added.id, json.dumps([{"column_id": str(people.id), "value": 2700}])
    )
    assert (await rows(world, document))[-1] == ("Quito", 2700)
    await world.clean(times=2)
    assert await world.find("quito") == ['{"city":"Quito","people":2700}']
    assert await slices(world, document) == await rows(world, document)

    await world.slices.delete(OWNER, [added.id])
    assert len(await rows(world, document)) == 3
    await world.clean(times=2)
    assert len(await rows(world, document)) == 3
    assert await world.entries() == (3, 3)


@pytest.mark.parametrize(
    "given",
    [
        "no json",
        "[]",
        '[{"column_id": "1", "value": "x"}]',
        '{"city": "", "people": 1}',
        '{"city": "Quito", "people": "many"}',
    ],
)
async def test_rows_that_do_not_fit_are_refused(world: World, given: str) -> None:
    document_id = await table(world)
    with pytest.raises(TableSliceUnfit) as refused:
        await world.slices.create(OWNER, document_id, given)
    assert refused.value.code == 105000037


async def test_a_row_edited_while_sql_is_down_comes_with_its_event(world: World) -> None:
    document_id = await table(world)
    document = await world.load(document_id)
    upsert = world.tables.upsert

    async def down(*_: Any) -> None:
        raise TableStoreUnavailable("down")

    world.tables.upsert = down  # type: ignore[method-assign, assignment]
    await world.slices.create(OWNER, document_id, '{"city": "Quito", "people": 1}')
    world.tables.upsert = upsert  # type: ignore[method-assign]
    assert len(await rows(world, document)) == 3
    await world.clean()

    assert (await rows(world, document))[3:] == [("Quito", 1)]


async def test_a_row_that_a_crash_kept_from_sql_comes_with_its_event(world: World) -> None:
    document_id = await table(world)
    document = await world.load(document_id)
    added = await world.slices.create(OWNER, document_id, '{"city": "Quito", "people": 1}')
    await world.tables.delete(world.rows.active(document), [added.id])

    await world.clean()

    assert await world.tables.get(world.rows.active(document), [SliceId(added.id)])


@pytest.mark.parametrize("whole_base", [False, True])
async def test_a_deleted_table_is_dropped(world: World, *, whole_base: bool) -> None:
    document_id = await table(world)
    if whole_base:
        await world.datasets.delete(OWNER, 1)
    else:
        await world.documents.delete(OWNER, [document_id])
    await world.clean(times=2)

    assert await world.tables.names(SPACE) == []


async def test_a_first_file_that_failed_makes_room_for_another(world: World) -> None:
    failed = await table(world, sheet("city,people\nOslo,many", columns=SPECS))
    assert (await world.load(failed)).status is DocumentStatus.FAILED

    second = await upload(world, sheet())
    await world.work(rounds=1)

    assert second != failed
    assert (await world.load(second)).slice_count == 3


async def reshape(world: World, document_id: DocumentId, *columns: ColumnSpec) -> Document:
    service = TableReshaping(store=world.store, clock=world.clock, ids=world.ids)
    await service.reshape(OWNER, document_id, columns)
    await world.work(rounds=1)
    return await world.load(document_id)


async def test_columns_are_renamed_retyped_added_and_dropped(world: World) -> None:
    document_id = await table(world)
    city, people = (await world.load(document_id)).columns

    document = await reshape(
        world,
        document_id,
        ColumnSpec(id=people.id, name="inhabitants", type=ColumnType.TEXT, is_semantic=True),
        ColumnSpec(name="mayor", type=ColumnType.TEXT, sequence=1),
    )

    assert [(c.name, c.id == people.id) for c in document.columns] == [
        ("inhabitants", True),
        ("mayor", False),
    ]
    assert await rows(world, document) == [("700", None), ("2800", None), ("10000", None)]
    assert await slices(world, document) == await rows(world, document)
    assert await world.find("oslo") == []
    assert await world.find("2800") == ['{"inhabitants":"2800","mayor":null}']
    assert await world.tables.names(SPACE) == [f"table_{document_id}_2"]
    assert city.id not in {column.id for column in document.columns}


async def test_a_change_of_columns_that_does_not_fit_leaves_the_table(world: World) -> None:
    document_id = await table(world)
    city, people = (await world.load(document_id)).columns

    document = await reshape(
        world,
        document_id,
        ColumnSpec(id=city.id, name="city", type=ColumnType.NUMBER, is_semantic=True),
        ColumnSpec(id=people.id, name="people", type=ColumnType.NUMBER, sequence=1),
    )

    assert "row 1, city: 'Oslo' is not a whole number" in document.fail_reason
    assert (document.active_generation, document.columns) == (1, (city, people))
    assert document.rule.columns == document.columns
    await upload(world, sheet(MORE))
    await world.work(rounds=1)
    assert len(await rows(world, await world.load(document_id))) == 5


async def test_only_other_descriptions_index_nothing_anew(world: World) -> None:
    document_id = await table(world)
    first, second = SPECS
    said = msgspec.structs.replace(second, description="how many live there")

    document = await reshape(world, document_id, first, said)

    assert (document.active_generation, document.generation) == (1, 1)
    assert document.columns[1].description == "how many live there"


async def test_another_part_of_the_file_is_read_only_if_somebody_asks_for_it(world: World) -> None:
    document_id = await table(world, sheet("town,people\nnone,0\n" + CITIES))
    before = (await world.load(document_id)).columns
    await upload(world, sheet("town,people\nBern,140\n"))
    await world.work(rounds=1)
    service = ResegmentService(store=world.store, clock=world.clock, ids=world.ids)
    await service.resegment(OWNER, 1, [document_id])
    await world.work(rounds=1)
    assert ("Bern", "140") in await rows(world, await world.load(document_id))

    await service.resegment(OWNER, 1, [document_id], sheet=TableSheet(header_line=2))
    assert len(await world.find("bern")) == 1
    await world.work(rounds=1)

    document = await world.load(document_id)
    assert await rows(world, document) == [("Oslo", 700), ("Rome", 2800), ("Lima", 10000)]
    assert [column.name for column in document.columns] == ["city", "people"]
    assert document.columns[1].id == before[1].id
    assert await world.find("bern") == []
    await service.resegment(OWNER, 1, [document_id])
    await world.work(rounds=1)
    document = await world.load(document_id)
    assert await slices(world, document) == await rows(world, document)


async def test_a_table_whose_other_part_cannot_be_read_stays_as_it_was(world: World) -> None:
    document_id = await table(world)
    service = ResegmentService(store=world.store, clock=world.clock, ids=world.ids)
    await service.resegment(OWNER, 1, [document_id], sheet=TableSheet(header_line=3))
    await world.work(rounds=1)

    document = await world.load(document_id)
    assert (document.status, document.fail_code > 0) == (DocumentStatus.ENABLED, True)
    assert await rows(world, document) == [("Oslo", 700), ("Rome", 2800), ("Lima", 10000)]
    await upload(world, sheet(MORE))
    await world.work(rounds=1)
    assert len(await rows(world, await world.load(document_id))) > 3


async def test_a_row_that_is_too_long_to_be_found_by_all_of_it_is_a_warning(world: World) -> None:
    document_id = await table(world, sheet(f"city,people\nOslo,700\n{'Llan ' * 2000},3\n"))

    document = await world.load(document_id)
    assert document.status is DocumentStatus.ENABLED
    assert document.fail_reason == "1 rows are found by their first 8000 characters only."
