"""Writes a whole deployment into one file, beside running servers."""

import asyncio
import struct
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any, Final

import msgspec

from application.operation.archive.digest import Digest
from application.operation.move.objects import ReadableObjects
from application.operation.move.tables import ScannedTables
from application.operation.move.transfer import BATCH, Tell
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound
from infra.contract.storage.transfer import (
    Append,
    ArchiveWriter,
    ListedObject,
    RowSnapshot,
    RowSource,
    RowTable,
    TableCatalogue,
)
from infra.contract.table.sql_guard import CellKind
from infra.contract.table.store import MAX_ROWS_PER_CALL, PhysicalTable

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
OBJECTS: Final = "objects/"
FRAME: Final = struct.Struct(">I")
"""Length of the batch that follows: a MessagePack list of rows."""


class RowsEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the database in ``rows/<name>``."""

    name: str
    columns: tuple[str, ...]
    key: tuple[int, ...]
    rows: int
    checksum: str


class ColumnEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A column that a tenant defined."""

    name: str
    kind: CellKind
    is_required: bool


class TableEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A table that a tenant defined, in ``tables/<space>/<name>``."""

    space_id: int
    name: str
    key_column: str
    columns: tuple[ColumnEntry, ...]
    indexed: tuple[str, ...]
    rows: int

    @property
    def entry(self) -> str:
        return f"tables/{self.space_id}/{self.name}"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds; written last. Neither the master key nor a vector is part of it."""

    format: int
    release: str
    schema: str
    made_at: datetime
    origin: str
    """Identity of the deployment."""
    key: str
    """Fingerprint of the master key that the credentials inside are sealed under."""
    rows: tuple[RowsEntry, ...]
    tables: tuple[TableEntry, ...]
    objects: int
    object_bytes: int
    collections: tuple[str, ...]
    """Names of what has to be indexed after a restore."""


class BackupService:
    """The rows are those of one instant; objects and tenants' tables are read right after it.

    An object is stored before its row and removed after it, so what rows name is there, unless it
    was deleted in the minutes that the backup takes.
    """

    def __init__(
        self,
        *,
        rows: RowSource,
        catalogue: TableCatalogue,
        tables: ScannedTables,
        objects: ReadableObjects,
        clock: Clock,
        release: str,
        schema: str,
        key: str,
        tell: Tell,
    ) -> None:
        self._rows = rows
        self._catalogue = catalogue
        self._tables = tables
        self._objects = objects
        self._clock = clock
        self._release = release
        self._schema = schema
        self._key = key
        self._tell = tell

    async def write(self, archive: ArchiveWriter, *, collections: Sequence[str]) -> Manifest:
        """Write everything and return what the manifest says."""
        origin = await self._rows.identity()
        async with self._rows.snapshot() as snapshot:
            made_at = self._clock.now()
            rows = [await self._write_rows(archive, snapshot, each) for each in snapshot.tables]
        tables = [await self._write_table(archive, t) for t in await self._catalogue.tables()]
        objects, size = await self._write_objects(archive)
        manifest = Manifest(
            format=FORMAT,
            release=self._release,
            schema=self._schema,
            made_at=made_at,
            origin=origin,
            key=self._key,
            rows=tuple(rows),
            tables=tuple(tables),
            objects=objects,
            object_bytes=size,
            collections=tuple(collections),
        )
        async with archive.entry(MANIFEST, is_packed=False) as append:
            await append(msgspec.json.format(msgspec.json.encode(manifest)))
        return manifest

    async def _write_rows(
        self, archive: ArchiveWriter, snapshot: RowSnapshot, table: RowTable
    ) -> RowsEntry:
        total, digest, after = await snapshot.count(table.name), Digest(), None
        async with archive.entry(f"rows/{table.name}", is_packed=False) as append:
            while rows := await snapshot.page(table.name, after=after, limit=BATCH):
                await asyncio.to_thread(digest.add, rows)
                await _append_batch(append, rows)
                after = table.key_of(rows[-1])
                self._tell(f"rows/{table.name}", digest.count, total)
        return RowsEntry(
            name=table.name,
            columns=table.columns,
            key=table.key,
            rows=digest.count,
            checksum=digest.text,
        )

    async def _write_table(self, archive: ArchiveWriter, table: PhysicalTable) -> TableEntry:
        described = _describe(table)
        count, after = 0, -1
        async with archive.entry(described.entry, is_packed=False) as append:
            while rows := await self._tables.scan(table.ref, after=after, limit=MAX_ROWS_PER_CALL):
                await _append_batch(append, [(row.key, *row.cells) for row in rows])
                count += len(rows)
                after = rows[-1].key
        return msgspec.structs.replace(described, rows=count)

    async def _write_objects(self, archive: ArchiveWriter) -> tuple[int, int]:
        listed: list[ListedObject] = [item async for item in self._objects.listed()]
        count = size = 0
        for item in listed:
            written = await self._write_object(archive, item.key)
            if written is not None:
                size += written
                count += 1
                self._tell("objects", count, len(listed))
        return count, size

    async def _write_object(self, archive: ArchiveWriter, key: ObjectKey) -> int | None:
        """Return how many bytes an object had; None if it was deleted since it was listed."""
        async with aclosing(self._objects.read(key)) as chunks:
            try:
                chunk = await anext(chunks, b"")
            except ObjectNotFound:
                return None  # before its entry is begun: an empty one would be restored
            size = len(chunk)
            async with archive.entry(f"{OBJECTS}{key.value}", is_packed=True) as append:
                await append(chunk)
                async for chunk in chunks:
                    size += len(chunk)
                    await append(chunk)
        return size


async def _append_batch(append: Append, rows: Iterable[Sequence[Any]]) -> None:
    packed = await asyncio.to_thread(msgspec.msgpack.encode, rows)
    await append(FRAME.pack(len(packed)) + packed)


def _describe(table: PhysicalTable) -> TableEntry:
    return TableEntry(
        space_id=table.ref.space_id,
        name=table.ref.name,
        key_column=table.key_column,
        columns=tuple(
            ColumnEntry(name=c.name, kind=c.kind, is_required=c.is_required) for c in table.columns
        ),
        indexed=table.indexed,
        rows=0,
    )
