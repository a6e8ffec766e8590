"""The vectors of the embedded index, read out of its files as they are stored."""

import asyncio
import sqlite3
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from domain.shared.error import Unavailable
from infra.contract.search_index import (
    CollectionNotFound,
    EntryKey,
    VectorCollection,
    VectorEntry,
)
from infra.impl.search_index.embedded.file import properties

_ENDING: Final = ".vector.db"


class SqliteVectorSource:
    """Collections below one directory, whose server does not run."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def collections(self) -> list[VectorCollection]:
        return await asyncio.to_thread(self._collections)

    async def read(self, name: str, *, after: int, limit: int) -> list[VectorEntry]:
        return await asyncio.to_thread(self._read, name, after, limit)

    def _collections(self) -> list[VectorCollection]:
        names = sorted(path.name.removesuffix(_ENDING) for path in self._root.glob(f"*{_ENDING}"))
        found = []
        for name in names:
            with self._opened(name) as connection:
                dimensions = int(str(properties(connection)["dimensions"]))
            found.append(VectorCollection(name=name, dimensions=dimensions))
        return found

    def _read(self, name: str, after: int, limit: int) -> list[VectorEntry]:
        with self._opened(name) as connection:
            rows = connection.execute(
                "SELECT id, document_id, slice_id, generation, creator_id, data"
                " FROM entry JOIN vector USING (id) WHERE id > ? ORDER BY id LIMIT ?",
                (after, limit),
            ).fetchall()
        return [
            VectorEntry(
                key=EntryKey(
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
            raise CollectionNotFound(f"There is no collection {name}.", name=name)
        try:
            connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
            try:
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as exc:
            raise Unavailable(f"The collection {name} cannot be read.") from exc
