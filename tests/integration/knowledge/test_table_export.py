"""Exports of table documents: all rows as they are now, for whoever may read them."""

import csv
import io
from dataclasses import replace

import pytest

from application.knowledge.dto import ColumnSpec, CreateDocuments, NewDocument
from application.knowledge.table.export import TableExports
from domain.knowledge.error import DocumentNotFound, DocumentNotReady, FormatUnsupported
from domain.knowledge.tables.column import ColumnType
from domain.knowledge.value import DocumentId, FormatType, SourceType
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId
from infra.impl.table_file import open_table_file
from tests.support.knowledge.sample import SCOPE, new_dataset
from tests.support.knowledge.world import OWNER, World

ROWS = 1203


def exports(world: World) -> TableExports:
    return TableExports(store=world.store, rows=world.rows, open_file=open_table_file)


async def table(world: World, *, rows: int = ROWS, number: int = 1) -> DocumentId:
    dataset = new_dataset(number, now=world.clock.now(), name=f"base {number}")
    dataset.format_type = FormatType.TABLE
    async with world.store.transaction() as uow:
        await uow.datasets.save(SCOPE, dataset)
        await uow.commit()
    lines = ["name,size,since", *(f"=n{at},{at},2024-01-02" for at in range(rows))]
    kinds = (ColumnType.TEXT, ColumnType.NUMBER, ColumnType.DATE)
    new = NewDocument(
        name="of 2.5 things.csv",
        source_type=SourceType.LOCAL_FILE,
        content="\n".join(lines).encode(),
        extension="csv",
        columns=tuple(
            ColumnSpec(name=name, type=kind.value, is_semantic=not at, sequence=at)
            for at, (name, kind) in enumerate(zip(lines[0].split(","), kinds, strict=True))
        ),
    )
    (view,) = await world.documents.create(
        OWNER, CreateDocuments(dataset_id=number, documents=(new,))
    )
    return DocumentId(view.id)


async def exported(world: World, document_id: int, format_: str = "csv") -> bytes:
    export = await exports(world).export(OWNER, document_id, format_)
    return b"".join([chunk async for chunk in export.chunks])


async def test_all_rows_are_exported_as_they_are_now(world: World) -> None:
    document_id = await table(world)
    with pytest.raises(DocumentNotReady):
        await exported(world, document_id)
    await world.work(rounds=1)
    await world.slices.create(OWNER, document_id, '{"name": "last", "size": -1}')

    export = await exports(world).export(OWNER, document_id, "csv")
    data = b"".join([chunk async for chunk in export.chunks])

    assert export.name == "of 2.5 things.csv"
    header, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig")))
    assert header == ["name", "size", "since"]
    assert rows[0] == ["'=n0", "0", "2024-01-02 00:00:00"]
    assert [row[1] for row in rows] == [*map(str, range(ROWS)), "-1"]
    assert rows[-1] == ["last", "-1", ""]


async def test_an_export_that_is_overtaken_fails_instead_of_ending_early(world: World) -> None:
    document_id = await table(world)
    await world.work(rounds=1)
    export = await exports(world).export(OWNER, document_id, "csv")
    first = await anext(export.chunks)
    assert first

    await world.tables.drop(world.rows.active(await world.load(document_id)))

    with pytest.raises(DocumentNotReady):
        async for _ in export.chunks:
            pass


async def test_what_is_no_table_of_ours_is_refused(world: World) -> None:
    text = await world.accept()
    document_id = await table(world, rows=1, number=2)
    await world.work(rounds=1)
    other = replace(OWNER, roles={SpaceId(99): OWNER.roles[next(iter(OWNER.roles))]})

    with pytest.raises(FormatUnsupported):
        await exported(world, text)
    with pytest.raises(InvalidRequest, match="csv, jsonl, xlsx"):
        await exported(world, document_id, "pdf")
    with pytest.raises(DocumentNotFound):
        await exports(world).export(other, document_id, "csv")
