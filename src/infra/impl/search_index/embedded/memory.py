"""What searches hold of collections: snapshots that follow their files, within a budget.

Every write raises the file's change counter, so that writes of another process are seen too.
"""

import sqlite3
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from infra.impl.search_index.embedded.file import SqliteFile, counter, meta
from infra.impl.search_index.embedded.lists import Floats, Integers, Lists
from infra.impl.search_index.embedded.state import Snapshot, matrix

_FLOAT_BYTES: Final = 4
_BEHIND: Final = 4  # a quarter of the entries changed: loading is faster than catching up
_FEWEST_BEHIND: Final = 5000
_ROWS_AT_ONCE: Final = 1000


class VectorMemory:
    """Snapshots by collection; those used least are dropped when the budget is spent."""

    def __init__(self, root: Path, *, budget_bytes: int) -> None:
        self._root = root
        self._budget_bytes = budget_bytes
        self._lock = threading.Lock()
        self._snapshots: OrderedDict[str, Snapshot] = OrderedDict()
        self._refreshing: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._training: set[str] = set()

    def current(self, name: str, file: SqliteFile, *, dimensions: int) -> Snapshot:
        """Return a snapshot that has every write committed before the call."""
        with self._lock:
            known = self._snapshots.get(name)
            if known is not None:
                self._snapshots.move_to_end(name)
            refreshing = self._refreshing[name]
        with file.reading() as connection:
            if known is not None and _is_fresh(known, connection):
                return known
        with refreshing:
            with self._lock:
                known = self._snapshots.get(name)
            with file.reading() as connection:
                if known is not None and _is_fresh(known, connection):
                    return known
                snapshot = self._caught_up(known, connection) if known else None
                if snapshot is None:
                    snapshot = self._loaded(connection, dimensions=dimensions)
            self._keep(name, snapshot)
            return snapshot

    def holds(self, name: str) -> bool:
        """Tell whether searches have brought a collection into memory."""
        with self._lock:
            return name in self._snapshots

    def reload(self, name: str, file: SqliteFile, *, dimensions: int) -> None:
        """Read everything anew, because rows moved."""
        with self._lock:
            refreshing = self._refreshing[name]
        with refreshing:
            with file.reading() as connection:
                snapshot = self._loaded(connection, dimensions=dimensions)
            self._keep(name, snapshot)

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
        with self._lock:
            self._snapshots.pop(name, None)
            self._refreshing.pop(name, None)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._snapshots.clear()
            self._refreshing.clear()

    def _keep(self, name: str, snapshot: Snapshot) -> None:
        with self._lock:
            self._snapshots[name] = snapshot
            self._snapshots.move_to_end(name)
            used = sum(known.size_bytes for known in self._snapshots.values())
            while used > self._budget_bytes and len(self._snapshots) > 1:
                _, dropped = self._snapshots.popitem(last=False)
                used -= dropped.size_bytes

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
        is_large = len(table) * dimensions * _FLOAT_BYTES > self._budget_bytes
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
    is_same = snapshot.identity == meta(connection, "identity")
    return is_same and snapshot.change == counter(connection, "change")


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
