"""Reads a backup from end to end and compares it with what its manifest says."""

import asyncio
from contextlib import aclosing

from application.operation.archive.backup import Manifest
from application.operation.archive.content import BackupContent, read_manifest
from application.operation.archive.digest import Digest
from application.operation.move.transfer import BATCH
from infra.contract.storage.transfer import ArchiveReader, ArchiveUnreadable, Row, RowSnapshot
from infra.contract.table.store import MAX_ROWS_PER_CALL


async def check_backup(archive: ArchiveReader) -> Manifest:
    """Return the manifest of a complete backup; raise ``ArchiveUnreadable``."""
    manifest = await read_manifest(archive)
    async with aclosing(BackupContent(archive, manifest)) as content:
        async with content.snapshot() as snapshot:
            for entry, table in zip(manifest.rows, snapshot.tables, strict=True):
                digest = await _digest(snapshot, table.name, table.key)
                if (digest.count, digest.text) != (entry.rows, entry.checksum):
                    raise ArchiveUnreadable(
                        f"The rows of {table.name} are not those of the backup."
                    )
        for physical in await content.tables():
            count, after = 0, -1
            while found := await content.scan(physical.ref, after=after, limit=MAX_ROWS_PER_CALL):
                count, after = count + len(found), found[-1].key
            if count != await content.count(physical.ref):
                raise ArchiveUnreadable(f"Rows of the table {physical.ref.name} are missing.")
        objects = 0
        async for item in content.listed():
            async with aclosing(content.read(item.key)) as chunks:
                async for _ in chunks:  # the archive compares its own checksum at the end
                    continue
            objects += 1
        if objects != manifest.objects:
            raise ArchiveUnreadable(f"{manifest.objects - objects} files are missing.")
    return manifest


async def _digest(snapshot: RowSnapshot, table: str, key: tuple[int, ...]) -> Digest:
    digest = Digest()
    after: Row | None = None
    while rows := await snapshot.page(table, after=after, limit=BATCH):
        await asyncio.to_thread(digest.add, rows)
        after = tuple(rows[-1][position] for position in key)
    return digest
