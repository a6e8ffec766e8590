"""A backup as the source of a move: its rows, tables and objects, through the ports of stores."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final

import msgspec

from application.operation.archive.backup import (
    FORMAT,
    FRAME,
    MANIFEST,
    OBJECTS,
    Manifest,
    TableEntry,
)
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound
from infra.contract.storage.transfer import (
    ArchiveReader,
    ArchiveUnreadable,
    ListedObject,
    Row,
    RowSnapshot,
    RowTable,
)
from infra.contract.table.sql_guard import Scalar
from infra.contract.table.store import PhysicalColumn, PhysicalTable, TableRef, TableRow

_MAX_MANIFEST: Final = 64 * 1024 * 1024
_MAX_BATCH: Final = 1024 * 1024 * 1024


async def read_manifest(archive: ArchiveReader) -> Manifest:
    """Return what a backup says of itself; raise ``ArchiveUnreadable``."""
    found = bytearray()
    async with aclosing(archive.read(MANIFEST)) as chunks:
        async for chunk in chunks:
            found += chunk
            if len(found) > _MAX_MANIFEST:
                raise ArchiveUnreadable("The manifest of the backup is too large.")
    try:
        manifest = msgspec.json.decode(found, type=Manifest)
    except msgspec.DecodeError as exc:
        raise ArchiveUnreadable(f"The manifest of the backup is damaged: {exc}.") from exc
    if manifest.format != FORMAT:
        raise ArchiveUnreadable(
            f"The backup has format {manifest.format}; this release reads {FORMAT}."
        )
    return manifest


class BackupContent:
    """Rows, tables and objects of one file. Pages must be asked for in order, as moves do."""

    def __init__(self, archive: ArchiveReader, manifest: Manifest) -> None:
        self._archive = archive
        self._manifest = manifest
        self._pages = _Pages(archive)
        self._objects: dict[str, int] | None = None

    @asynccontextmanager
    async def snapshot(self) -> AsyncGenerator[RowSnapshot, None]:
        pages = _Pages(self._archive)
        try:
            yield _Rows(self._manifest, pages)
        finally:
            await pages.aclose()

    async def identity(self) -> str:
        return self._manifest.origin

    async def aclose(self) -> None:
        """Close what is being read."""
        await self._pages.aclose()

    async def tables(self) -> list[PhysicalTable]:
        return [_physical(entry) for entry in self._manifest.tables]

    async def count(self, ref: TableRef) -> int:
        return next(e.rows for e in self._manifest.tables if _ref(e) == ref)

    async def scan(self, ref: TableRef, *, after: int, limit: int) -> Sequence[TableRow]:
        (entry,) = (e.entry for e in self._manifest.tables if _ref(e) == ref)
        rows = await self._pages.after(
            entry, lambda row: row[0], None if after < 0 else after, limit
        )
        try:
            cells = msgspec.convert(rows, list[tuple[Scalar, ...]])
        except msgspec.ValidationError as exc:
            raise ArchiveUnreadable(f"The entry {entry} of the backup is damaged: {exc}.") from exc
        return [TableRow(int(key or 0), tuple(rest)) for key, *rest in cells]

    async def listed(self, *, after: str = "") -> AsyncGenerator[ListedObject, None]:
        for key, size in (await self._sizes()).items():
            if key > after:
                try:
                    yield ListedObject(ObjectKey(key), size)
                except ValueError as exc:
                    raise ArchiveUnreadable("The backup holds an object of no valid key.") from exc

    async def read(
        self, key: ObjectKey, *, start: int = 0, end: int | None = None
    ) -> AsyncGenerator[bytes, None]:
        if start or end is not None:
            raise ValueError("Objects of a backup are read as a whole.")
        if key.value not in await self._sizes():
            raise ObjectNotFound("There is no such object in the backup.")
        async with aclosing(self._archive.read(f"{OBJECTS}{key.value}")) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _sizes(self) -> dict[str, int]:
        """Sizes of all objects, by key."""
        if self._objects is None:
            self._objects = {
                name.removeprefix(OBJECTS): size
                for name, size in await self._archive.names()
                if name.startswith(OBJECTS)
            }
        return self._objects


class _Rows:
    """The database's tables of a backup."""

    def __init__(self, manifest: Manifest, pages: "_Pages") -> None:
        self._entries = {entry.name: entry for entry in manifest.rows}
        self._pages = pages

    @property
    def tables(self) -> Sequence[RowTable]:
        return [
            RowTable(name=entry.name, columns=entry.columns, key=entry.key)
            for entry in self._entries.values()
        ]

    async def count(self, table: str) -> int:
        return self._entries[table].rows

    async def page(self, table: str, *, after: Row | None, limit: int) -> list[Row]:
        key = self._entries[table].key
        return await self._pages.after(
            f"rows/{table}", lambda row: tuple(row[p] for p in key), after, limit
        )


class _Pages:
    """One open stream of rows; asked for another place, it reads from the beginning again."""

    def __init__(self, archive: ArchiveReader) -> None:
        self._archive = archive
        self._name = ""
        self._stream: AsyncGenerator[Row, None] | None = None
        self._last: Any = None

    async def after(self, name: str, key_of: Any, after: Any, limit: int) -> list[Row]:
        """Return the next rows; ``after`` is the key of one that was returned before, or None."""
        if self._stream is None or name != self._name or after != self._last:
            await self._seek(name, key_of, after)
        rows: list[Row] = []
        while len(rows) < limit and self._stream is not None:
            row = await anext(self._stream, None)
            if row is None:
                break
            rows.append(row)
        if rows:
            self._last = key_of(rows[-1])
        return rows

    async def aclose(self) -> None:
        if self._stream is not None:
            await self._stream.aclose()
            self._stream = None

    async def _seek(self, name: str, key_of: Any, after: Any) -> None:
        await self.aclose()
        self._stream, self._name, self._last = _rows(self._archive, name), name, after
        if after is None:
            return
        async for row in self._stream:
            if key_of(row) == after:
                return
        raise ArchiveUnreadable("This is not the backup that the restore began with.")


async def _rows(archive: ArchiveReader, name: str) -> AsyncGenerator[Row, None]:
    async with aclosing(archive.read(name)) as chunks:
        pending = bytearray()
        async for chunk in chunks:
            pending += chunk
            while (batch := _take(pending, name)) is not None:
                for row in batch:
                    yield row
        if pending:
            raise ArchiveUnreadable(f"The entry {name} of the backup is cut off.")


def _take(pending: bytearray, name: str) -> list[Row] | None:
    """Remove the first batch; None if it is not there as a whole."""
    if len(pending) < FRAME.size:
        return None
    (size,) = FRAME.unpack_from(pending)
    if size > _MAX_BATCH:
        raise ArchiveUnreadable(f"The entry {name} of the backup is damaged.")
    if len(pending) < FRAME.size + size:
        return None
    packed = bytes(pending[FRAME.size : FRAME.size + size])
    del pending[: FRAME.size + size]
    try:
        rows: list[Row] = msgspec.msgpack.decode(packed, type=list[tuple[Any, ...]])
    except msgspec.DecodeError as exc:
        raise ArchiveUnreadable(f"The entry {name} of the backup is damaged.") from exc
    return rows


def _ref(entry: TableEntry) -> TableRef:
    return TableRef(entry.space_id, entry.name)


def _physical(entry: TableEntry) -> PhysicalTable:
    try:
        return PhysicalTable(
            ref=_ref(entry),
            key_column=entry.key_column,
            columns=tuple(
                PhysicalColumn(name=c.name, kind=c.kind, is_required=c.is_required)
                for c in entry.columns
            ),
            indexed=entry.indexed,
        )
    except ValueError as exc:
        raise ArchiveUnreadable(f"The backup describes a table that cannot be: {exc}.") from exc
