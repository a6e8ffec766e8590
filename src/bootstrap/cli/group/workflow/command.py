"""``coterie workflow``: canvases on disk, and workflows of the administrator's workspace."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec.structs import replace

from bootstrap.cli.command import Group, current_output, read_settings
from bootstrap.cli.output import printable
from bootstrap.settings import Settings
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId
from domain.workflow.canvas.importing import BroughtCanvas, IdMapping, unwrap
from domain.workflow.definition.error import CanvasUnreadable
from domain.workflow.engine.state import named
from domain.workflow.lint.check import Reading
from domain.workflow.lint.diagnostic import Diagnostic, Severity
from domain.workflow.lint.surroundings import Surroundings

_EXIT_FINDINGS: Final = 1
_MAX_WAIT_S: Final = 300.0
"""For the code of a canvas: images of the sandbox may have to be made."""
_COLORS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
_FILES: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group(cls=Group)
def workflow() -> None:
    """Check, import and run workflows."""


@workflow.command("lint")
@click.argument("files", nargs=-1, required=True, type=_FILES)
@click.option("--errors-only", is_flag=True, help="Leave out warnings and hints.")
@click.pass_context
def lint(ctx: click.Context, *, files: tuple[Path, ...], errors_only: bool) -> None:
    """Check canvases of Coze Studio or FastGPT on disk; needs no server and no database.

    What only a deployment knows (models, knowledge bases, other workflows) is not checked. Code is
    compiled in the sandbox, which is made first where no server has run yet. Exits with 1 if there
    are errors, that is if the canvas could not be published.
    """
    readings = asyncio.run(_read_all(read_settings(), files))
    _report(readings, errors_only=errors_only)
    if not all(reading.can_be_published for _, reading in readings):
        ctx.exit(_EXIT_FINDINGS)


async def _read_all(settings: Settings, files: Sequence[Path]) -> list[tuple[Path, Reading]]:
    from application.workflow.definition.code_check import CodeCompiler
    from bootstrap.compose.adapters import code_runner
    from bootstrap.compose.part.workflow import canvas_checker
    from infra.impl.code_runner.modules import code_modules

    checker = canvas_checker(settings.workflow)
    around = Surroundings(code_modules=code_modules(settings.code.kind, settings.code.packages))
    runner = code_runner(settings.code, settings.data_path)
    compiler = CodeCompiler(runner, max_wait_s=_MAX_WAIT_S)
    readings = []
    try:
        for path in files:
            brought = read_canvas(path)
            check = partial(checker.check, brought.text, dialect=brought.dialect.value)
            reading = check(surroundings=around)
            if reading.program is not None:
                compiled = await compiler.compile(SpaceId(0), reading.program)
                reading = check(surroundings=replace(around, compiled=compiled))
            readings.append((path, reading))
    finally:
        await runner.aclose()
    return readings


@workflow.command("import")
@click.argument("files", nargs=-1, required=True, type=_FILES)
@click.option("--name", default="", help="Name of the workflow [from the export, or the file].")
@click.option("--map", "mapping", type=_FILES, help="JSON file with ids to replace, see below.")
@click.option("--publish/--no-publish", default=False, help="Make a version right away.")
def bring(*, files: tuple[Path, ...], name: str, mapping: Path | None, publish: bool) -> None:
    """Import exports of Coze Studio or FastGPT into the administrator's workspace.

    The file given with --map replaces ids of the old system:
    {"models": {"old": "new"}, "datasets": {}, "workflows": {}, "plugins": {}, "databases": {}}.
    Sub-workflows come first: import them, then name their new ids in the map.
    """
    from application.workflow.definition.dto import ImportWorkflow, PublishWorkflow
    from bootstrap.cli.session import Session, on_database

    if name and len(files) > 1:
        raise InvalidRequest("--name names one workflow; import the files one by one.")
    ids = _mapping(mapping)

    async def act(session: Session) -> None:
        parts, rows = session.container.workflow(), []
        for path in files:
            report = await parts.imports.bring(
                session.principal,
                ImportWorkflow(
                    space_id=session.principal.personal_space_id,
                    text=_text(path),
                    name=name,
                    fallback_name=path.stem,
                    mapping=ids,
                ),
            )
            version = ""
            if publish:
                _, made = await parts.publishing.publish(
                    session.principal,
                    PublishWorkflow(workflow_id=report.workflow.id, is_forced=True),
                )
                version = made.version
            missing = [each.need for each in report.needs if not each.exists]
            rows.append(
                {
                    "file": str(path),
                    "id": str(report.workflow.id),
                    "name": report.workflow.name,
                    "version": version,
                    "can_run": report.findings.can_run,
                    "can_be_published": report.findings.can_be_published,
                    "unknown_nodes": [each.node_id for each in report.unknown_nodes],
                    "missing": [f"{each.kind.value} {each.id}" for each in missing],
                }
            )
        columns = ("id", "name", "version", "can_be_published", "unknown_nodes", "missing")
        session.output.table(rows, columns=columns)

    on_database(act)


def _report(readings: Sequence[tuple[Path, Reading]], *, errors_only: bool) -> None:
    output = current_output()
    if output.as_json:
        documents = [
            {
                "file": str(path),
                "can_run": reading.can_run,
                "can_be_published": reading.can_be_published,
                "omitted": reading.omitted,
                "diagnostics": _kept(reading, errors_only=errors_only),
            }
            for path, reading in readings
        ]
        click.echo(msgspec.json.encode(documents))
        return
    for path, reading in readings:
        _print_findings(path, reading, errors_only=errors_only)


def _print_findings(path: Path, reading: Reading, *, errors_only: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    kept = _kept(reading, errors_only=errors_only)
    errors = sum(each.severity is Severity.ERROR for each in reading.diagnostics)
    verdict = f"{errors} error{'s' * (errors != 1)}" if errors else "fine"
    click.secho(f"{path}: {verdict}", fg="green" if reading.can_be_published else "red")
    if not kept:
        return
    table = Table(show_edge=False, pad_edge=False)
    for title in ("Severity", "Code", "Node", "Finding", "What to do"):
        table.add_column(title, overflow="fold")
    for each in kept:
        severity = Text(each.severity.value, style=_COLORS[each.severity])
        node = named(each.node_title, each.node_id)
        cells = (each.code, node, each.message, each.hint)
        table.add_row(severity, *(Text(printable(cell)) for cell in cells))
    Console().print(table)
    if reading.omitted:
        click.echo(f"{reading.omitted} more findings are left out.")


def _kept(reading: Reading, *, errors_only: bool) -> list[Diagnostic]:
    return [
        each for each in reading.diagnostics if not errors_only or each.severity is Severity.ERROR
    ]


def read_canvas(path: Path) -> BroughtCanvas:
    """Read a canvas or an export of one; raise ``CanvasUnreadable`` naming the file."""
    try:
        return unwrap(_text(path))
    except CanvasUnreadable as exc:
        raise CanvasUnreadable(f"{path}: {exc.message}") from exc


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise InvalidRequest(f"{path}: this is not a UTF-8 text.") from exc


def _mapping(path: Path | None) -> IdMapping:
    if path is None:
        return IdMapping()
    try:
        return msgspec.json.decode(_text(path), type=IdMapping)
    except msgspec.DecodeError as exc:
        raise InvalidRequest(f"{path}: {exc}.") from exc
