"""``coterie migrate-data``: from a data directory to servers."""

import asyncio
import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec

from application.operation.move.moving import MoveReport
from application.operation.move.transfer import Tell
from bootstrap.cli.command import Command, current_output, read_settings
from bootstrap.cli.output import Output
from bootstrap.settings import Settings

EXIT_DIFFERS = 3
"""Exit status when ``--verify`` finds a difference."""


@click.command("migrate-data", cls=Command)
@click.option(
    "--to",
    "target_file",
    type=click.Path(path_type=Path),
    help="Settings file of the target; the usual settings describe the source.",
)
@click.option(
    "--from",
    "source_folder",
    type=click.Path(path_type=Path),
    help="Data directory of the source; the usual settings describe the target.",
)
@click.option("--verify", is_flag=True, help="Only compare source and target; move nothing.")
def migrate_data(target_file: Path | None, source_folder: Path | None, *, verify: bool) -> None:
    """Move an embedded deployment to PostgreSQL, S3, Milvus and Elasticsearch.

    All accounts, conversations, workflows, tables and files move with their ids, vectors are
    copied as they are, and words are indexed anew. Nothing may run on the source or the target.
    The source stays as it is. A move that was interrupted goes on when the command is repeated;
    at the end both sides are compared, and only an equal target can be served.
    """
    from bootstrap.maintenance.transfer import (
        require_elsewhere,
        require_embedded,
        settings_of_file,
        settings_of_folder,
    )

    if (target_file is None) is (source_folder is None):
        raise click.UsageError("Give either --to FILE or --from DIRECTORY.")
    usual = read_settings()
    source = settings_of_folder(source_folder, usual) if source_folder else usual
    target = settings_of_file(target_file, os.environ) if target_file else usual
    require_embedded(source)
    require_elsewhere(source, target)
    output = current_output()
    report, secrets = asyncio.run(_act(source, target, output, is_verifying=verify))
    _print(report, secrets, output, is_verifying=verify)
    if not report.is_equal:
        click.get_current_context().exit(EXIT_DIFFERS)


async def _act(
    source: Settings, target: Settings, output: Output, *, is_verifying: bool
) -> tuple[MoveReport, int]:
    from bootstrap.cli.progress import CountDisplay
    from bootstrap.compose.container import Container
    from bootstrap.maintenance.transfer import require_readable, share_key
    from bootstrap.server.lifecycle import opened, prepare_data
    from bootstrap.server.lock import quiet

    ours, theirs = Container(settings=source), Container(settings=target)
    with ExitStack() as stack:
        stack.enter_context(quiet(source.data_path))
        if target.database_url.startswith("sqlite"):
            prepare_data(target.data_path)
            stack.enter_context(quiet(target.data_path))
        display = stack.enter_context(CountDisplay(is_quiet=output.as_json))
        key = share_key(source, target)
        async with opened(ours, receiving=True), opened(theirs, receiving=True):
            secrets = await require_readable(ours, key)
            planned = await _planned(ours, theirs, display.show)
            report = await (planned.verify() if is_verifying else planned.run())
            await require_readable(theirs, key)
    return report, secrets


async def _planned(ours: Any, theirs: Any, tell: Tell) -> Any:
    from bootstrap.maintenance.transfer import move
    from domain.shared.error import SettingsInvalid
    from infra.impl.repository.sql.operation.transfer import SqlRows

    origin = await SqlRows(ours.database()).identity()
    if not origin:
        raise SettingsInvalid("The source is empty: it has no accounts. Start a new one instead.")
    return move(ours, theirs, origin=origin, tell=tell)


def _print(report: MoveReport, secrets: int, output: Output, *, is_verifying: bool) -> None:
    rows: list[Mapping[str, object]] = [msgspec.structs.asdict(part) for part in report.parts]
    if output.as_json:
        output.result(
            {
                "origin": report.origin,
                "is_equal": report.is_equal,
                "is_resumed": report.is_resumed,
                "secrets": secrets,
                "parts": rows,
            }
        )
        return
    shown = [row for row in rows if row["source"] or row["target"]]
    output.table(shown, columns=["name", "source", "target", "is_equal", "note"])
    if not report.is_equal:
        click.secho(f"{len(report.differing)} parts differ.", fg="red")
    elif is_verifying:
        click.echo("Both sides are equal.")
    else:
        click.echo(
            f"Moved and compared: equal. The master key opens all {secrets} stored credentials. "
            "Start the servers with the settings of the target; keep the old directory until then."
        )
