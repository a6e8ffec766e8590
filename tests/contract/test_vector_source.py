"""Stored vectors are read out as they were written, from every index."""

from array import array
from pathlib import Path

import pytest

from application.operation.move.transfer import Journal
from application.operation.move.vectors import VectorMove
from infra.contract.storage.search_index import (
    CollectionNotFound,
    EntryKey,
    VectorCollection,
    VectorEntry,
    VectorIndexes,
)
from infra.contract.storage.transfer import VectorSource
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.operation.transfer import SqlRows
from infra.impl.search_index.embedded.vector import SqliteVectorIndexes, SqliteVectorSource
from infra.impl.search_index.milvus.vector import MilvusVectorIndexes

COUNT = 25
PAGE = 10


def entry(number: int) -> VectorEntry:
    key = EntryKey(
        id=number, document_id=number % 3, slice_id=number + 1, generation=2, creator_id=9
    )
    return VectorEntry(key=key, vector=array("f", [float(number), 1.0, 0.0, 2.0]))


async def read_all(source: VectorSource, name: str) -> list[VectorEntry]:
    found: list[VectorEntry] = []
    while page := await source.read(name, after=found[-1].key.id if found else -1, limit=PAGE):
        assert len(page) <= PAGE
        found += page
    return found


@pytest.mark.parametrize("kind", ["embedded", "milvus-lite"])
async def test_vectors_come_back_and_move_on(
    kind: str, tmp_path: Path, sqlite_database: Database
) -> None:
    source: VectorSource
    indexes: SqliteVectorIndexes | MilvusVectorIndexes
    if kind == "embedded":
        indexes = SqliteVectorIndexes(tmp_path / "from")
        source = SqliteVectorSource(tmp_path / "from")
    else:
        indexes = source = MilvusVectorIndexes(str(tmp_path / "from" / "milvus.db"))
    target = SqliteVectorIndexes(tmp_path / "to")
    await indexes.start()
    await target.start()
    try:
        await fill(indexes)
        assert await source.collections() == [
            VectorCollection(name="a", dimensions=4),
            VectorCollection(name="b", dimensions=2),
        ]
        assert [each.key for each in await read_all(source, "a")] == [
            entry(number).key for number in range(COUNT)
        ]
        with pytest.raises(CollectionNotFound):
            await source.read("none", after=-1, limit=1)

        move = VectorMove(source, target, tell=lambda *_: None)
        reports = await move.verify(None)
        assert [each.is_equal for each in reports] == [False, False]
        await move.run(Journal(SqlRows(sqlite_database), {}))
        assert all(each.is_equal and not each.note for each in await move.verify(None))
    finally:
        await indexes.aclose()
        await target.aclose()


async def fill(indexes: VectorIndexes) -> None:
    await indexes.create(VectorCollection(name="b", dimensions=2))
    await indexes.create(VectorCollection(name="a", dimensions=4))
    await (await indexes.open("a")).upsert([entry(number) for number in range(COUNT)])
