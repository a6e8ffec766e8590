"""``coterie workflow run`` and ``runs``: a canvas from disk, and what ran in a workspace."""

import asyncio
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
import msgspec

from bootstrap.cli.command import Command, current_output, read_settings
from bootstrap.cli.group.workflow.command import read_canvas
from bootstrap.cli.group.workflow.session import FileRun, RunFinished
from bootstrap.cli.output import Output
from bootstrap.compose.code_images import images_folder
from bootstrap.settings import CodeSettings, DatabaseSettings, Settings
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id

EXIT_FAILED: Final = 1
EXIT_WAITING: Final = 3
_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_PHASES: Final = ("created", "running", "interrupted", "success", "failed", "cancelled")


@click.command("run", cls=Command)
@click.argument("file", type=_FILE)
@click.option("--input", "pairs", multiple=True, metavar="NAME=VALUE", help="One input.")
@click.option("--inputs", "document", default="", metavar="JSON", help="All inputs as an object.")
@click.option("--answer", "answers", multiple=True, help="Answer to the next question, in order.")
@click.option(
    "--child", "children", multiple=True, metavar="ID=FILE", help="A workflow that this one runs."
)
@click.option("--quiet", is_flag=True, help="Print the output only.")
@click.pass_context
def run(
    ctx: click.Context,
    *,
    file: Path,
    pairs: tuple[str, ...],
    document: str,
    answers: tuple[str, ...],
    children: tuple[str, ...],
    quiet: bool,
) -> None:
    """Run a canvas from disk, without a server; nothing is stored.

    Models are those of the configuration, or the offline one. Questions are asked on a terminal.
    Prints the output as JSON. Exits with 0 if the run succeeded, 1 if it failed, and 3 if it
    waits for an answer that nobody gives.
    """
    settings, output = read_settings(), current_output()
    inputs = _inputs(document, pairs)
    texts = {name: read_canvas(Path(path)) for name, path in map(_pair, children)}
    canvas = read_canvas(file)

    async def act() -> RunFinished:
        with TemporaryDirectory(prefix="coterie-") as folder:
            session = FileRun(_in_memory(settings, Path(folder)), children=texts)
            return await session.run(
                canvas, inputs, ask=_asking(answers), show=_shown(is_quiet=quiet)
            )

    try:
        finished = asyncio.run(act())
    except KeyboardInterrupt:
        ctx.exit(130)
    _print(output, finished)
    if finished.status != "success":
        ctx.exit(EXIT_WAITING if finished.status == "interrupted" else EXIT_FAILED)


@click.command("runs", cls=Command)
@click.argument("workflow_id")
@click.option("--status", type=click.Choice(_PHASES), help="Only runs in this state.")
@click.option("--limit", default=20, type=click.IntRange(1, 100), show_default=True)
def runs(workflow_id: str, *, status: str | None, limit: int) -> None:
    """List the runs of a workflow, newest first."""
    from application.workflow.run.dto import ListRuns, RunPhase
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        query = ListRuns(
            workflow_id=parse_id(workflow_id, field="workflow_id"),
            phase=RunPhase(status) if status else None,
            limit=limit,
        )
        queries = session.container.workflow_runs().queries
        found = await queries.page(session.principal, query)
        rows = [
            {
                "id": str(each.id),
                "status": each.phase.value,
                "kind": each.kind.value,
                "mode": each.mode.name.lower(),
                "version": each.version or "draft",
                "tokens": each.input_tokens + each.output_tokens,
                "error": each.fault.message if each.fault else "",
                "created_at": each.created_at,
            }
            for each in found.items
        ]
        columns = ("id", "status", "kind", "mode", "version", "tokens", "created_at", "error")
        session.output.table(rows, columns=columns)

    on_database(act)


def _in_memory(settings: Settings, folder: Path) -> Settings:
    """Keep everything but the data: a run from disk must not touch a deployment."""
    images = str(images_folder(settings.code, settings.data_path))
    code: CodeSettings = msgspec.structs.replace(settings.code, images=images)
    return msgspec.structs.replace(
        settings, data_dir=str(folder), database=DatabaseSettings(), code=code
    )


def _inputs(document: str, pairs: tuple[str, ...]) -> dict[str, Any]:
    inputs: dict[str, Any] = {}
    if document:
        try:
            inputs = msgspec.json.decode(document, type=dict[str, Any])
        except msgspec.MsgspecError as exc:
            raise InvalidRequest(f"--inputs: expected a JSON object: {exc}.") from exc
    return {**inputs, **dict(map(_pair, pairs))}


def _pair(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not (found and name):
        raise InvalidRequest(f"{text!r}: expected NAME=VALUE.")
    return name, value


def _asking(answers: tuple[str, ...]) -> Any:
    """Answer from the options first, then ask on a terminal."""
    given = list(answers)

    async def ask(prompt: str) -> str | None:
        if given:
            return given.pop(0)
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return None
        return str(await asyncio.to_thread(click.prompt, prompt, err=True))

    return ask


def _shown(*, is_quiet: bool) -> Any:
    """Draw progress on standard error, if that is a terminal."""
    if is_quiet or not sys.stderr.isatty():
        return None
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    colors = {"success": "green", "failed": "red", "interrupted": "yellow", "cancelled": "yellow"}

    def show(title: str, status: str, text: str) -> None:
        color = colors.get(status, "dim")
        console.print(f"[{color}]{status:>12}[/] {title}", text, markup=True, soft_wrap=True)

    return show


def _print(output: Output, finished: RunFinished) -> None:
    if output.as_json:
        click.echo(msgspec.json.encode(finished))
        return
    if finished.status == "success":
        click.echo(json.dumps(finished.output, ensure_ascii=False, indent=2))
        return
    click.secho(f"{finished.status}: {finished.message}", err=True, fg="red")
