"""What tables the schemas of the table store on PostgreSQL hold."""

from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]

from infra.contract.table.store import PhysicalTable, TableRef, TableStoreUnavailable
from infra.impl.table_store.postgres import columns_of

_TIMEOUT_S: Final = 30.0
_TABLES: Final = r"""
    SELECT substring(schemaname FROM 5)::BIGINT AS space_id, tablename
    FROM pg_tables WHERE schemaname ~ '^dyn_[0-9]+$' ORDER BY 1, 2
"""
_INDEXED: Final = """
    SELECT a.attname
    FROM pg_index AS i
    JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
    WHERE i.indrelid = format('%I.%I', $1::TEXT, $2::TEXT)::regclass AND NOT i.indisprimary
    ORDER BY a.attnum
"""


class PostgresTableCatalogue:
    """Reads the catalogue of a database, over a connection of its own for each call."""

    def __init__(self, url: str) -> None:
        self._url = url.replace("postgresql+asyncpg://", "postgresql://", 1)

    async def tables(self) -> list[PhysicalTable]:
        try:
            connection = await asyncpg.connect(
                self._url, timeout=_TIMEOUT_S, command_timeout=_TIMEOUT_S
            )
            try:
                found = await connection.fetch(_TABLES)
                return [await _table(connection, TableRef(*row)) for row in found]
            finally:
                await connection.close(timeout=_TIMEOUT_S)
        except (asyncpg.PostgresError, OSError, TimeoutError) as exc:
            raise TableStoreUnavailable("The table store cannot be read.") from exc


async def _table(connection: "asyncpg.Connection[Any]", ref: TableRef) -> PhysicalTable:
    key, columns = await columns_of(connection, ref)
    indexed = await connection.fetch(_INDEXED, f"dyn_{ref.space_id:d}", ref.name)
    return PhysicalTable(
        ref=ref,
        key_column=key,
        columns=tuple(columns),
        indexed=tuple(str(row[0]) for row in indexed),
    )
