"""Vectors in SQLite, searched in memory: exactly, or by lists in large collections.

What searches hold are snapshots that follow their files, within a budget. Every write raises the
file's change counter, so that writes of another process are seen too.
"""

import asyncio
import sqlite3
import threading
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

import numpy as np

from domain.shared.error import Unavailable
from infra.contract.storage import search_index as port
from infra.impl.search_index.embedded.file import (
    ENTRY_COLUMNS,
    SqliteFile,
    SqliteFiles,
    add_to,
    count_entries,
    counter,
    ids_to_delete,
    meta,
    meta_of,
    properties,
    scan_entries,
    set_meta,
)
from infra.impl.search_index.embedded.lists import Floats, Integers, Lists, train
from infra.impl.search_index.embedded.memory import SnapshotCache
from infra.impl.search_index.embedded.state import Snapshot, matrix, unit

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
_BEHIND: Final = 4  # a quarter of the entries changed: loading is faster than catching up
_FEWEST_BEHIND: Final = 5000
_ROWS_AT_ONCE: Final = 1000
_ENDING: Final = ".vector.db"


class VectorMemory:
    """Snapshots by collection; those used least are dropped when the budget is spent."""

    def __init__(self, root: Path, *, budget_bytes: int) -> None:
        self._root = root
        self._cache: SnapshotCache[Snapshot] = SnapshotCache(budget_bytes=budget_bytes)
        self._lock = threading.Lock()
        self._training: set[str] = set()

    def current(self, name: str, file: SqliteFile, *, dimensions: int) -> Snapshot:
        """Return a snapshot that has every write committed before the call."""
        known = self._cache.get(name)
        with file.reading() as connection:
            if known is not None and _is_fresh(known, connection):
                return known
        with self._cache.refreshing(name):
            known = self._cache.get(name)
            with file.reading() as connection:
                if known is not None and _is_fresh(known, connection):
                    return known
                snapshot = self._caught_up(known, connection) if known else None
                if snapshot is None:
                    snapshot = self._loaded(connection, dimensions=dimensions)
            self._cache.keep(name, snapshot)
            return snapshot

    def holds(self, name: str) -> bool:
        """Tell whether searches have brought a collection into memory."""
        return self._cache.holds(name)

    def reload(self, name: str, file: SqliteFile, *, dimensions: int) -> None:
        """Read everything anew, because rows moved."""
        with self._cache.refreshing(name):
            with file.reading() as connection:
                snapshot = self._loaded(connection, dimensions=dimensions)
            self._cache.keep(name, snapshot)

    @contextmanager
    def making_lists(self, name: str) -> Iterator[bool]:
        """Say whether the caller is the only one at it."""
        with self._lock:
            is_mine = name not in self._training
            self._training.add(name)
        try:
            yield is_mine
        finally:
            if is_mine:
                with self._lock:
                    self._training.discard(name)

    def forget(self, name: str) -> None:
        """Drop what is held of a collection."""
        self._cache.forget(name)

    def clear(self) -> None:
        """Drop everything."""
        self._cache.clear()

    def _caught_up(self, known: Snapshot, connection: sqlite3.Connection) -> Snapshot | None:
        """Return the snapshot with what changed since; None if loading is better."""
        if known.identity != meta(connection, "identity") or known.is_wasteful:
            return None
        if known.change < counter(connection, "forgotten"):
            return None
        (behind,) = connection.execute(
            "SELECT count(*) FROM entry WHERE change > ?", (known.change,)
        ).fetchone()
        if behind > max(_FEWEST_BEHIND, known.rows // _BEHIND):
            return None
        rows = connection.execute(
            "SELECT entry.id, document_id, slice_id, creator_id, data"
            " FROM entry JOIN vector ON vector.id = entry.id WHERE change > ? ORDER BY entry.id",
            (known.change,),
        ).fetchall()
        gone = connection.execute("SELECT id FROM gone WHERE change > ?", (known.change,))
        return known.changed(
            change=counter(connection, "change"),
            gone=[row[0] for row in gone],
            keys=np.array([row[:4] for row in rows], dtype=np.int64).reshape(-1, 4),
            vectors=_vectors([row[4] for row in rows], known.dimensions),
        )

    def _loaded(self, connection: sqlite3.Connection, *, dimensions: int) -> Snapshot:
        """Read a collection, the rows of each list side by side."""
        table: Integers = np.array(
            connection.execute(
                "SELECT id, document_id, slice_id, creator_id, list FROM entry ORDER BY id"
            ).fetchall(),
            dtype=np.int64,
        ).reshape(-1, 5)
        listed = table[:, 4] >= 0
        order = np.lexsort((table[:, 0], table[:, 4], ~listed))
        position = np.empty(len(table), dtype=np.int64)
        position[order] = np.arange(len(table))
        is_large = len(table) * dimensions * _FLOAT_BYTES > self._cache.budget_bytes
        block = matrix(len(table), dimensions, folder=self._root if is_large else None)
        cursor = connection.execute("SELECT data FROM vector ORDER BY id")
        at = 0
        while batch := cursor.fetchmany(_ROWS_AT_ONCE):
            vectors = _vectors([row[0] for row in batch], dimensions)
            block[position[at : at + len(batch)]] = vectors
            at += len(batch)
        return Snapshot(
            identity=str(meta(connection, "identity")),
            change=counter(connection, "change"),
            dimensions=dimensions,
            keys=np.ascontiguousarray(table[order, :4]),
            alive=np.ones(len(table), dtype=np.bool_),
            blocks=(block,) if len(table) else (),
            lists=_lists(connection, table[order, 4], dimensions=dimensions),
        )


def _is_fresh(snapshot: Snapshot, connection: sqlite3.Connection) -> bool:
    identity, change = meta_of(connection, ("identity", "change"))
    return snapshot.identity == identity and snapshot.change == (change or 0)


def _lists(
    connection: sqlite3.Connection, assignment: Integers, *, dimensions: int
) -> Lists | None:
    rows = connection.execute("SELECT data FROM centroid ORDER BY list").fetchall()
    if not rows:
        return None
    listed = assignment[assignment >= 0]
    return Lists(
        centroids=_vectors([row[0] for row in rows], dimensions),
        offsets=np.searchsorted(listed, np.arange(len(rows) + 1)),
        probes=counter(connection, "probes"),
    )


def _vectors(blobs: list[bytes], dimensions: int) -> Floats:
    joined = np.frombuffer(b"".join(blobs), dtype="<f4").astype(np.float32, copy=False)
    return joined.reshape(-1, dimensions)


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

    async def create(self, collection: port.VectorCollection) -> None:
        if collection.dimensions < 1:
            raise port.UnfitEntry("A vector has at least one dimension.")
        wanted: dict[str, str | int] = {"dimensions": collection.dimensions}
        await self._files.ensure(collection.name, wanted)

    async def drop(self, name: str) -> None:
        def drop() -> None:
            self._files.drop(name)
            self._memory.forget(name)

        await self._files.run(drop)

    async def open(self, name: str) -> port.VectorIndex:
        await self._files.open(name)
        return SqliteVectorIndex(self._files, self._memory, name, exact_bytes=self._exact_bytes)

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
        exact_bytes: int,
    ) -> None:
        self._files = files
        self._memory = memory
        self._name = name
        self._exact_bytes = exact_bytes

    async def upsert(self, entries: Sequence[port.VectorEntry]) -> None:
        if len(entries) > port.MAX_BATCH:
            raise port.UnfitEntry(f"At most {port.MAX_BATCH} entries can be written at once.")
        await self._files.on(self._name, self._upsert, entries)

    async def delete(self, *, ids: Sequence[int] = (), document_ids: Sequence[int] = ()) -> int:
        return await self._files.on(self._name, _delete, ids, document_ids)

    async def search(
        self, vector: Sequence[float], *, limit: int, where: port.Where = port.ANYWHERE
    ) -> list[port.Hit]:
        if limit <= 0:
            return []
        return await self._files.on(self._name, self._search, vector, limit, where)

    async def scan(self, *, after: int, limit: int) -> list[port.EntryKey]:
        return await self._files.on(self._name, scan_entries, after, limit)

    async def count(self) -> int:
        return await self._files.on(self._name, count_entries)

    def _search(
        self, file: SqliteFile, vector: Sequence[float], limit: int, where: port.Where
    ) -> list[port.Hit]:
        dimensions = _dimensions(file)
        question = unit(vector, dimensions=dimensions)
        if question is None:
            raise _unfit(vector, dimensions)
        snapshot = self._memory.current(self._name, file, dimensions=dimensions)
        return snapshot.search(question, limit=limit, where=where)

    def _upsert(self, file: SqliteFile, entries: Sequence[port.VectorEntry]) -> None:
        dimensions, rows = _dimensions(file), {}
        for entry in entries:
            vector = unit(entry.vector, dimensions=dimensions)
            if vector is None:
                raise _unfit(entry.vector, dimensions)
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
            if count * _dimensions(file) * _FLOAT_BYTES <= self._exact_bytes:
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
            snapshot = self._memory.current(self._name, file, dimensions=_dimensions(file))
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
                self._memory.reload(self._name, file, dimensions=_dimensions(file))


def _unfit(vector: Sequence[float], dimensions: int) -> port.UnfitEntry:
    return port.UnfitEntry(
        f"A vector needs {dimensions} finite numbers, not all of them zero;"
        f" this one has {np.size(vector)}."
    )


def _dimensions(file: SqliteFile) -> int:
    return int(str(file.properties["dimensions"]))


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


class SqliteVectorSource:
    """Collections below one directory, whose server does not run."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def collections(self) -> list[port.VectorCollection]:
        return await asyncio.to_thread(self._collections)

    async def read(self, name: str, *, after: int, limit: int) -> list[port.VectorEntry]:
        return await asyncio.to_thread(self._read, name, after, limit)

    def _collections(self) -> list[port.VectorCollection]:
        names = sorted(path.name.removesuffix(_ENDING) for path in self._root.glob(f"*{_ENDING}"))
        found = []
        for name in names:
            with self._opened(name) as connection:
                dimensions = int(str(properties(connection)["dimensions"]))
            found.append(port.VectorCollection(name=name, dimensions=dimensions))
        return found

    def _read(self, name: str, after: int, limit: int) -> list[port.VectorEntry]:
        with self._opened(name) as connection:
            rows = connection.execute(
                "SELECT id, document_id, slice_id, generation, creator_id, data"
                " FROM entry JOIN vector USING (id) WHERE id > ? ORDER BY id LIMIT ?",
                (after, limit),
            ).fetchall()
        return [
            port.VectorEntry(
                key=port.EntryKey(
                    id=number, document_id=d, slice_id=s, generation=g, creator_id=creator
                ),
                vector=array("f", data),
            )
            for number, d, s, g, creator, data in rows
        ]

    @contextmanager
    def _opened(self, name: str) -> Iterator[sqlite3.Connection]:
        path = self._root / f"{name}{_ENDING}"
        if not path.exists():
            raise port.CollectionNotFound(f"There is no collection {name}.", name=name)
        try:
            connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
            try:
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as exc:
            raise Unavailable(f"The collection {name} cannot be read.") from exc
