"""What tables the files of the embedded table store hold."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from infra.contract.table.store import PhysicalTable, TableRef, TableStoreUnavailable
from infra.impl.table_store.sqlite_file import columns_of


class SqliteTableCatalogue:
    """Reads the files ``<space>.db`` of a directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    async def tables(self) -> list[PhysicalTable]:
        return await asyncio.to_thread(self._tables)

    def _tables(self) -> list[PhysicalTable]:
        spaces = sorted(
            int(path.stem) for path in self._directory.glob("*.db") if path.stem.isdigit()
        )
        try:
            return [table for space_id in spaces for table in self._of(space_id)]
        except sqlite3.Error as exc:
            raise TableStoreUnavailable("The table store cannot be read.") from exc

    def _of(self, space_id: int) -> list[PhysicalTable]:
        path = self._directory / f"{space_id}.db"
        address = f"file:{quote(str(path))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            ).fetchall()
            return [_table(connection, TableRef(space_id, name)) for (name,) in names]


def _table(connection: sqlite3.Connection, ref: TableRef) -> PhysicalTable:
    key, columns = columns_of(connection, ref.name)
    indexed = []
    for _, index, *_ in connection.execute(f'PRAGMA index_list("{ref.name}")').fetchall():
        ((_, _, column),) = connection.execute(f'PRAGMA index_info("{index}")').fetchall()
        indexed.append(str(column))
    names = [key, *(column.name for column in columns)]
    return PhysicalTable(
        ref=ref,
        key_column=key,
        columns=tuple(columns),
        indexed=tuple(sorted(indexed, key=names.index)),
    )
