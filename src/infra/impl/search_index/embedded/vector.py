"""Vectors in SQLite, searched in memory: exactly, or by lists in large collections."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from infra.contract.search_index import (
    ANYWHERE,
    MAX_BATCH,
    EntryKey,
    Hit,
    UnfitEntry,
    VectorCollection,
    VectorEntry,
    VectorIndex,
    Where,
)
from infra.impl.search_index.embedded.file import (
    ENTRY_COLUMNS,
    SqliteFile,
    SqliteFiles,
    add_to,
    count_entries,
    ids_to_delete,
    properties,
    scan_entries,
    set_meta,
)
from infra.impl.search_index.embedded.lists import train
from infra.impl.search_index.embedded.memory import VectorMemory
from infra.impl.search_index.embedded.state import unit

_SCHEMA: Final = (
    f"CREATE TABLE entry ({ENTRY_COLUMNS}, change INTEGER NOT NULL,"
    " list INTEGER NOT NULL DEFAULT -1)",
    "CREATE INDEX entry_document ON entry (document_id)",
    "CREATE INDEX entry_change ON entry (change)",
    "CREATE INDEX entry_unlisted ON entry (id) WHERE list = -1",
    "CREATE TABLE vector (id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE TABLE gone (change INTEGER NOT NULL, id INTEGER NOT NULL,"
    " PRIMARY KEY (change, id)) WITHOUT ROWID",
    "CREATE TABLE centroid (list INTEGER PRIMARY KEY, data BLOB NOT NULL)",
)
_MIB: Final = 1024 * 1024
_BUDGET_BYTES: Final = 512 * _MIB
_EXACT_BYTES: Final = 256 * _MIB  # reading that much takes about 12 ms on two cores
_FLOAT_BYTES: Final = 4
_UNLISTED: Final = 5  # a fifth of the entries without a list, and lists are made anew
_CHANGES_KEPT: Final = 10_000


class SqliteVectorIndexes:
    """All collections of vectors below one directory.

    ``budget_bytes`` bounds what all collections hold in memory; those used least are dropped
    first, and one that alone is larger is mapped from a file. Above ``exact_bytes`` of vectors a
    collection is searched by lists. While lists are made, its vectors are in memory twice.
    """

    def __init__(
        self,
        root: Path,
        *,
        budget_bytes: int = _BUDGET_BYTES,
        exact_bytes: int = _EXACT_BYTES,
    ) -> None:
        self._root = root
        self._files = SqliteFiles(root, kind="vector", schema=_SCHEMA)
        self._memory = VectorMemory(root, budget_bytes=budget_bytes)
        self._exact_bytes = exact_bytes

    async def start(self) -> None:
        await self._files.start()

    async def aclose(self) -> None:
        await self._files.aclose()
        self._memory.clear()

    async def create(self, collection: VectorCollection) -> None:
        if collection.dimensions < 1:
            raise UnfitEntry("A vector has at least one dimension.")
        wanted: dict[str, str | int] = {"dimensions": collection.dimensions}
        await self._files.run(lambda: self._files.create(collection.name, wanted))

    async def drop(self, name: str) -> None:
        def drop() -> None:
            self._files.drop(name)
            self._memory.forget(name)

        await self._files.run(drop)

    async def open(self, name: str) -> VectorIndex:
        dimensions = await self._files.on(name, _dimensions)
        return SqliteVectorIndex(
            self._files,
            self._memory,
            name,
            dimensions=dimensions,
            exact_bytes=self._exact_bytes,
        )

    async def names(self, prefix: str = "") -> list[str]:
        return await self._files.run(lambda: self._files.names(prefix))

    async def probe(self) -> None:
        await self._files.run(self._files.check)


class SqliteVectorIndex:
    """One collection; holds no connection and no vectors of its own."""

    def __init__(
        self,
        files: SqliteFiles,
        memory: VectorMemory,
        name: str,
        *,
        dimensions: int,
        exact_bytes: int,
    ) -> None:
        self._files = files
        self._memory = memory
        self._name = name
        self._dimensions = dimensions
        self._exact_bytes = exact_bytes

    async def upsert(self, entries: Sequence[VectorEntry]) -> None:
        if len(entries) > MAX_BATCH:
            raise UnfitEntry(f"At most {MAX_BATCH} entries can be written at once.")
        await self._files.on(self._name, self._upsert, entries)

    async def delete(self, *, ids: Sequence[int] = (), document_ids: Sequence[int] = ()) -> int:
        return await self._files.on(self._name, _delete, ids, document_ids)

    async def search(
        self, vector: Sequence[float], *, limit: int, where: Where = ANYWHERE
    ) -> list[Hit]:
        if limit <= 0:
            return []
        return await self._files.on(self._name, self._search, vector, limit, where)

    async def scan(self, *, after: int, limit: int) -> list[EntryKey]:
        return await self._files.on(self._name, scan_entries, after, limit)

    async def count(self) -> int:
        return await self._files.on(self._name, count_entries)

    def _search(
        self, file: SqliteFile, vector: Sequence[float], limit: int, where: Where
    ) -> list[Hit]:
        question = unit(vector, dimensions=self._dimensions)
        if question is None:
            raise self._unfit(vector)
        snapshot = self._memory.current(self._name, file, dimensions=self._dimensions)
        return snapshot.search(question, limit=limit, where=where)

    def _upsert(self, file: SqliteFile, entries: Sequence[VectorEntry]) -> None:
        rows = {}
        for entry in entries:
            vector = unit(entry.vector, dimensions=self._dimensions)
            if vector is None:
                raise self._unfit(entry.vector)
            rows[entry.key.id] = (entry.key, vector.astype("<f4").tobytes())
        with file.writing() as connection:
            change = add_to(connection, "change", 1)
            connection.executemany(
                "INSERT OR REPLACE INTO entry"
                " (id, document_id, slice_id, generation, creator_id, change)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (k.id, k.document_id, k.slice_id, k.generation, k.creator_id, change)
                    for k, _ in rows.values()
                ],
            )
            connection.executemany(
                "INSERT OR REPLACE INTO vector VALUES (?, ?)",
                [(key.id, data) for key, data in rows.values()],
            )
        if self._needs_lists(file):
            self._make_lists(file)

    def _needs_lists(self, file: SqliteFile) -> bool:
        with file.reading() as connection:
            (count,) = connection.execute("SELECT count(*) FROM entry").fetchone()
            if count * self._dimensions * _FLOAT_BYTES <= self._exact_bytes:
                return False
            (unlisted,) = connection.execute(
                "SELECT count(*) FROM entry WHERE list = -1"
            ).fetchone()
        return bool(unlisted * _UNLISTED > count)

    def _make_lists(self, file: SqliteFile) -> None:
        with self._memory.making_lists(self._name) as is_mine:
            if not is_mine:
                return
            was_held = self._memory.holds(self._name)
            snapshot = self._memory.current(self._name, file, dimensions=self._dimensions)
            keys, vectors = snapshot.living()
            change = snapshot.change
            if not was_held:
                # Nobody searches here: what a long import fills is not kept for its own sake.
                self._memory.forget(self._name)
            del snapshot
            trained = train(vectors)
            del vectors
            with file.writing() as connection:
                connection.execute("UPDATE entry SET list = -1 WHERE list <> -1")
                connection.executemany(
                    "UPDATE entry SET list = ? WHERE id = ? AND change <= ?",
                    [
                        (number, entry_id, change)
                        for number, entry_id in zip(
                            trained.assignment.tolist(), keys[:, 0].tolist(), strict=True
                        )
                    ],
                )
                connection.execute("DELETE FROM centroid")
                connection.executemany(
                    "INSERT INTO centroid VALUES (?, ?)",
                    [
                        (number, centroid.astype("<f4").tobytes())
                        for number, centroid in enumerate(trained.centroids)
                    ],
                )
                set_meta(connection, "probes", trained.probes)
            if self._memory.holds(self._name):
                self._memory.reload(self._name, file, dimensions=self._dimensions)

    def _unfit(self, vector: Sequence[float]) -> UnfitEntry:
        return UnfitEntry(
            f"A vector needs {self._dimensions} finite numbers, not all of them zero;"
            f" this one has {np.size(vector)}."
        )


def _dimensions(file: SqliteFile) -> int:
    with file.reading() as connection:
        return int(str(properties(connection)["dimensions"]))


def _delete(file: SqliteFile, ids: Sequence[int], document_ids: Sequence[int]) -> int:
    with file.writing() as connection:
        found = ids_to_delete(connection, ids, document_ids)
        if found:
            _remove(connection, found)
    return len(found)


def _remove(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    change = add_to(connection, "change", 1)
    connection.executemany("DELETE FROM entry WHERE id = ?", [(one,) for one in ids])
    connection.executemany("DELETE FROM vector WHERE id = ?", [(one,) for one in ids])
    connection.executemany("INSERT INTO gone VALUES (?, ?)", [(change, one) for one in ids])
    forgotten = change - _CHANGES_KEPT
    if connection.execute("DELETE FROM gone WHERE change <= ?", (forgotten,)).rowcount:
        set_meta(connection, "forgotten", forgotten)
