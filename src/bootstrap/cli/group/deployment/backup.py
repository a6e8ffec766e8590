"""``coterie backup`` and ``coterie restore``: a deployment in one file."""

import asyncio
from contextlib import ExitStack, aclosing
from datetime import datetime
from pathlib import Path

import click

from application.operation.archive.backup import Manifest
from application.operation.move.moving import MoveReport
from bootstrap.cli.command import Command, current_output, read_settings
from bootstrap.settings import Settings


@click.command(cls=Command)
@click.argument("place", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
def backup(place: Path, *, force: bool) -> None:
    """Write everything but the master key and the indexes to PLACE.

    PLACE is a file, or a folder to put a dated file into. Servers may run meanwhile: the file holds
    the database as of one instant. Credentials stay sealed; keep the master key elsewhere.
    """
    settings, output = read_settings(), current_output()
    path, manifest = asyncio.run(_write(settings, place, is_quiet=output.as_json, force=force))
    rows = sum(entry.rows for entry in manifest.rows)
    output.result(
        {
            "path": str(path),
            "bytes": path.stat().st_size,
            "made_at": manifest.made_at,
            "schema": manifest.schema,
            "key": manifest.key,
            "rows": rows,
            "tables": len(manifest.tables),
            "objects": manifest.objects,
        },
        f"{path}: {rows} rows, {len(manifest.tables)} tables of tenants, {manifest.objects} files.",
        f"Restoring it needs the master key with the fingerprint {manifest.key}.",
    )


async def _write(
    settings: Settings, place: Path, *, is_quiet: bool, force: bool
) -> tuple[Path, Manifest]:
    from application.operation.archive.backup import BackupService
    from application.operation.overview import BACKUP
    from bootstrap.cli.progress import CountDisplay
    from bootstrap.compose.container import Container
    from bootstrap.maintenance.transfer import catalogue, fingerprint, restorer
    from bootstrap.server.lifecycle import opened
    from infra.contract.observability.process_report import OperationNote
    from infra.impl.repository.sql.engine.migrate import head
    from infra.impl.repository.sql.operation.transfer import SqlRows
    from infra.impl.transfer.zip_archive import written

    container = Container(settings=settings)
    async with opened(container):
        path = _place(place, container.clock().now(), force=force)
        with CountDisplay(is_quiet=is_quiet) as display:
            service = BackupService(
                rows=SqlRows(container.database()),
                catalogue=catalogue(container),
                tables=container.tables(),
                objects=container.objects(),
                clock=container.clock(),
                release=container.version(),
                schema=head(),
                key=fingerprint(container.master_key()),
                tell=display.show,
            )
            collections = [item.name for item in await restorer(container).collections()]
            async with written(path) as archive:
                manifest = await service.write(archive, collections=collections)
        await container.process_reports().note(
            BACKUP,
            OperationNote(
                at=manifest.made_at,
                told={"file": path.name, "rows": sum(entry.rows for entry in manifest.rows)},
            ),
        )
    return path, manifest


def _place(place: Path, now: datetime, *, force: bool) -> Path:
    """Name the file to write; raise ``SettingsInvalid`` for one that cannot be."""
    from domain.shared.error import SettingsInvalid

    path = place / f"coterie-{now:%Y%m%d-%H%M%S}.zip" if place.is_dir() else place
    if path.exists() and not force:
        raise SettingsInvalid(f"{path} exists. Name another file, or give --force.")
    if not path.parent.is_dir():
        raise SettingsInvalid(f"There is no folder {path.parent}.")
    return path


@click.command(cls=Command)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--check", is_flag=True, help="Only read the file and compare its checksums.")
def restore(file: Path, *, check: bool) -> None:
    """Bring the backup FILE into an empty deployment, and build its indexes.

    The settings describe the target, which may use other stores than the original did. It needs
    the original's master key. A restore that was interrupted goes on when it is repeated.
    """
    settings, output = read_settings(), current_output()
    if check:
        manifest = asyncio.run(_check(file))
        rows = sum(entry.rows for entry in manifest.rows)
        output.result(
            {"path": str(file), "is_equal": True, "rows": rows, "objects": manifest.objects},
            f"{file} is complete: {rows} rows and {manifest.objects} files of {manifest.made_at}.",
        )
        return
    report = asyncio.run(_restore(settings, file, is_quiet=output.as_json))
    rows = sum(part.target for part in report.parts if part.name.startswith("rows/"))
    output.result(
        {"path": str(file), "is_equal": True, "is_resumed": report.is_resumed, "rows": rows},
        f"Restored and compared: {rows} rows. Check it with `coterie doctor`, then start it.",
    )


async def _check(file: Path) -> Manifest:
    from application.operation.archive.check import check_backup
    from infra.impl.transfer import zip_archive

    with zip_archive.opened(file) as archive:
        return await check_backup(archive)


async def _restore(settings: Settings, file: Path, *, is_quiet: bool) -> MoveReport:
    from application.operation.archive.content import BackupContent, read_manifest
    from bootstrap.cli.progress import CountDisplay
    from bootstrap.compose.container import Container
    from bootstrap.maintenance.transfer import require_key, require_schema, restoration
    from bootstrap.server.lifecycle import opened, prepare_data
    from bootstrap.server.lock import quiet
    from infra.impl.transfer import zip_archive

    with ExitStack() as stack:
        archive = stack.enter_context(zip_archive.opened(file))
        manifest = await read_manifest(archive)
        require_schema(manifest)
        require_key(settings, manifest.key)
        container = Container(settings=settings)
        prepare_data(settings.data_path)
        if container.database().is_sqlite:
            stack.enter_context(quiet(settings.data_path))
        tell = stack.enter_context(CountDisplay(is_quiet=is_quiet)).show
        async with (
            opened(container, receiving=True),
            aclosing(BackupContent(archive, manifest)) as content,
        ):
            return await restoration(content, manifest, container, tell=tell).run()
