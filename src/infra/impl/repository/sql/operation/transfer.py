"""All rows of the database, read and written without knowing what they mean."""

import hashlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from infra.contract.storage.transfer import (
    Cell,
    Row,
    RowSnapshot,
    RowTable,
    Step,
    TargetOccupied,
    TransferBusy,
)
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from infra.impl.repository.sql.mapping.column import (
    Instant,
    IntMember,
    Json,
    Names,
    StrMember,
    metadata,
)
from infra.impl.repository.sql.mapping.tenancy import OF_DEPLOYMENT, TENANCY
from infra.impl.repository.sql.operation.process import OF_ONE_DATABASE

_LOCK: Final = 0x7472_616E_7366_6572  # PostgreSQL advisory lock, "transfer" in ASCII
_DECIMALS: Final = Decimal("1E-8")
_ORIGIN_CHARS: Final = 32
_UNSTORABLE: Final = "\x00"
_REPLACEMENT: Final = "\ufffd"

transfers: Final = sa.Table(
    "transfer",
    metadata,
    sa.Column("origin", sa.String(64), primary_key=True),
    sa.Column("is_over", sa.Boolean, nullable=False),
)
steps: Final = sa.Table(
    "transfer_step",
    metadata,
    sa.Column("name", sa.String(200), primary_key=True),
    sa.Column("cursor", sa.LargeBinary, nullable=False),
    sa.Column("done", sa.BigInteger, nullable=False),
    sa.Column("is_over", sa.Boolean, nullable=False),
)
TENANCY.apart(OF_DEPLOYMENT, transfers, steps)
_OWN: Final = frozenset({transfers.name, steps.name}) | OF_ONE_DATABASE
"""They describe one database and stay with it."""


class SqlRows:
    """The database as a source and a target of moves."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @cached_property
    def _tables(self) -> dict[str, sa.Table]:
        return _plain_tables()

    @asynccontextmanager
    async def snapshot(self) -> AsyncGenerator[RowSnapshot, None]:
        async with self._database.read_at_length() as connection:
            await _be_patient(connection)
            yield _Snapshot(connection, self._tables)

    async def identity(self) -> str:
        accounts = self._tables["user_account"]
        first = sa.select(accounts.c.id, accounts.c.created_at).order_by(accounts.c.id).limit(1)
        async with self._database.read() as connection:
            row = (await connection.execute(first)).first()
        if row is None:
            return ""
        return hashlib.sha256(f"{row[0]}/{row[1]}".encode()).hexdigest()[:_ORIGIN_CHARS]

    @asynccontextmanager
    async def receiving(self) -> AsyncGenerator[None, None]:
        if self._database.is_sqlite:  # the lock on the data directory keeps others out
            yield
            return
        async with self._database.write() as checked_out:
            connection = await checked_out.execution_options(isolation_level="AUTOCOMMIT")
            if not await connection.scalar(sa.select(sa.func.pg_try_advisory_lock(_LOCK))):
                raise TransferBusy("Another process moves data into this database; wait for it.")
            try:
                yield
            finally:
                await connection.execute(sa.select(sa.func.pg_advisory_unlock(_LOCK)))

    async def begin(self, origin: str) -> dict[str, Step]:
        async with self._database.write() as connection:
            known = (await connection.execute(sa.select(transfers))).all()
            mine = next((row for row in known if row.origin == origin), None)
            if mine is not None and not mine.is_over:
                rows = (await connection.execute(sa.select(steps))).mappings()
                return {row["name"]: Step(**row) for row in rows}
            if mine is not None:
                raise TargetOccupied(
                    "This deployment was moved here already. To move it again, empty the target."
                )
            await self._require_empty(connection)
            await connection.execute(sa.insert(transfers).values(origin=origin, is_over=False))
            await connection.commit()
        return {}

    async def write(self, table: str, rows: Sequence[Row], step: Step) -> None:
        target = self._tables[table]
        records = [_to_record(target, row) for row in rows]
        async with self._database.write_at_length() as connection:
            await _be_patient(connection)
            await connection.execute(sa.insert(target), records)
            await _save(connection, step)
            await connection.commit()

    async def save(self, step: Step) -> None:
        async with self._database.write() as connection:
            await _save(connection, step)
            await connection.commit()

    async def clear(self, table: str, step: Step) -> None:
        async with self._database.write_at_length() as connection:
            await _be_patient(connection)
            await connection.execute(sa.delete(self._tables[table]))
            await _save(connection, Step(name=step.name))
            await connection.commit()

    async def finish(self) -> None:
        async with self._database.write_at_length() as connection:
            if not self._database.is_sqlite:
                for table in complete_metadata().tables.values():
                    await _continue_counter(connection, table)
            await connection.execute(sa.update(transfers).values(is_over=True))
            await connection.execute(sa.delete(steps))
            await connection.commit()

    async def unfinished(self) -> str:
        waiting = sa.select(transfers.c.origin).where(~transfers.c.is_over)
        async with self._database.read() as connection:
            return str(await connection.scalar(waiting) or "")

    async def _require_empty(self, connection: AsyncConnection) -> None:
        for table in self._tables.values():
            first = next(iter(table.columns))
            if (await connection.execute(sa.select(first).limit(1))).first() is not None:
                raise TargetOccupied(
                    f"The target is not empty: its table {table.name} has rows. Name an empty "
                    "database (a server that was started on it once has filled it)."
                )


class _Snapshot:
    """What one read transaction sees."""

    def __init__(self, connection: AsyncConnection, tables: dict[str, sa.Table]) -> None:
        self._connection = connection
        self._tables = tables

    @property
    def tables(self) -> Sequence[RowTable]:
        return [
            RowTable(
                name=str(table.name),
                columns=tuple(str(column.name) for column in table.columns),
                key=tuple(
                    number for number, column in enumerate(table.columns) if column.primary_key
                ),
            )
            for table in self._tables.values()
        ]

    async def count(self, table: str) -> int:
        counted = sa.select(sa.func.count()).select_from(self._tables[table])
        return int(await self._connection.scalar(counted) or 0)

    async def page(self, table: str, *, after: Row | None, limit: int) -> list[Row]:
        source = self._tables[table]
        keys = list(source.primary_key.columns)
        query = sa.select(source).order_by(*keys).limit(limit)
        if after is not None:
            values = [sa.literal(cell, key.type) for cell, key in zip(after, keys, strict=True)]
            query = query.where(sa.tuple_(*keys) > sa.tuple_(*values))
        found = await self._connection.execute(query)
        return [tuple(map(_to_cell, row)) for row in found]


def _plain_tables() -> dict[str, sa.Table]:
    """All tables with columns that hand over what is stored instead of what it means."""
    plain = sa.MetaData()
    return {
        table.name: sa.Table(
            table.name,
            plain,
            *(
                sa.Column(
                    column.name,
                    _plain_type(column.type),
                    primary_key=column.primary_key,
                    autoincrement=False,
                )
                for column in table.columns
            ),
        )
        for table in sorted(complete_metadata().tables.values(), key=lambda table: table.name)
        if table.name not in _OWN
    }


def _plain_type(kind: sa.types.TypeEngine[Any]) -> sa.types.TypeEngine[Any]:
    match kind:
        case Instant():
            return sa.BigInteger()
        case Json() | Names():
            return sa.Text()
        case StrMember():
            return sa.String(kind.length)
        case IntMember():
            return sa.SmallInteger()
        case _:
            return kind


def _to_cell(value: Any) -> Cell:
    match value:
        case Decimal():
            return format(value.quantize(_DECIMALS), "f")
        case str():
            # SQLite stores a character that PostgreSQL cannot.
            return value.replace(_UNSTORABLE, _REPLACEMENT)
        case memoryview() | bytearray():
            return bytes(value)
        case None | bool() | int() | float() | bytes():
            return value
        case _:
            raise TypeError(f"A cell of type {type(value).__name__} cannot be moved.")


def _to_record(table: sa.Table, row: Row) -> dict[str, Any]:
    return {
        column.name: Decimal(cell) if isinstance(cell, str) and _is_decimal(column.type) else cell
        for column, cell in zip(table.columns, row, strict=True)
    }


def _is_decimal(kind: sa.types.TypeEngine[Any]) -> bool:
    stored = kind.impl_instance if isinstance(kind, sa.types.TypeDecorator) else kind
    return isinstance(stored, sa.Numeric) and stored.asdecimal


async def _be_patient(connection: AsyncConnection) -> None:
    """Lift what protects requests from slow statements; a move may take long."""
    if connection.dialect.name == "sqlite":
        return
    for setting in ("statement_timeout", "idle_in_transaction_session_timeout"):
        await connection.execute(sa.select(sa.func.set_config(setting, "0", True)))


async def _save(connection: AsyncConnection, step: Step) -> None:
    values = {"cursor": step.cursor, "done": step.done, "is_over": step.is_over}
    changed = await connection.execute(
        sa.update(steps).where(steps.c.name == step.name).values(**values)
    )
    if changed.rowcount == 0:
        await connection.execute(sa.insert(steps).values(name=step.name, **values))


async def _continue_counter(connection: AsyncConnection, table: sa.Table) -> None:
    """Let a numbering column go on after the greatest number that was moved."""
    column = table.autoincrement_column
    if column is None or column.autoincrement is not True:
        return
    greatest = await connection.scalar(sa.select(sa.func.max(column)))
    if greatest is not None:
        sequence = sa.func.pg_get_serial_sequence(table.name, column.name)
        await connection.execute(sa.select(sa.func.setval(sequence, greatest)))
