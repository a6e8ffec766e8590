"""``coterie workflow run`` and ``runs``: a canvas from disk, and what ran in a workspace."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
import msgspec

from bootstrap.cli.command import current_output, read_settings
from bootstrap.cli.group.workflow.command import read_canvas, workflow
from bootstrap.cli.output import Output, printable
from bootstrap.compose.code_images import images_folder
from bootstrap.settings import CodeSettings, DatabaseSettings, Settings
from domain.shared.access import CONNECTOR_API, TenantScope
from domain.shared.call import CallContext
from domain.shared.error import InvalidRequest
from domain.shared.ids import RunId, SpaceId, UserId, parse_id
from domain.workflow.canvas.importing import BroughtCanvas
from domain.workflow.engine.error import WorkflowMissing
from domain.workflow.engine.event import MessageChunk, NodeEnded, RunEvent
from domain.workflow.engine.execution import Engine, RunOptions, RunResult
from domain.workflow.engine.state import RunState
from domain.workflow.lint.check import Checker
from domain.workflow.port import Child, RunContext

EXIT_FAILED: Final = 1
EXIT_WAITING: Final = 3
_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_PHASES: Final = ("created", "running", "interrupted", "success", "failed", "cancelled")
Ask = Callable[[str], Awaitable[str | None]]
"""Asks a person; None if nobody is there."""

Show = Callable[[str, str, str], None]
"""Shows the title of a node, what became of it, and a text."""

_SPACE: Final = SpaceId(1)
_SHOWN_CHARS: Final = 200


class RunFinished(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a run ended; ``interrupted`` means that a question found no answer."""

    status: str
    output: dict[str, Any] | None = None
    code: int = 0
    message: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class FileRun:
    """Runs canvases with the models, the sandbox and the way out of a configuration."""

    def __init__(self, settings: Settings, *, children: Mapping[str, BroughtCanvas]) -> None:
        """``children``: canvases that others run, by id."""
        self._settings = settings
        self._children = children

    async def run(
        self, canvas: BroughtCanvas, inputs: Mapping[str, Any], *, ask: Ask, show: Show | None
    ) -> RunFinished:
        """Run to the end, or to the first question without an answer.

        Raises:
            NotCompilable: the canvas has errors.
        """
        from bootstrap.compose.container import Container
        from bootstrap.compose.part.workflow import canvas_checker
        from bootstrap.server.lifecycle import opened

        container = Container(settings=self._settings)
        checker = canvas_checker(self._settings.workflow)
        plan = checker.check(canvas.text, dialect=canvas.dialect.value).compile()
        async with opened(container):
            runs = container.workflow_runs()
            ports = replace(runs.ports, load_child=_Children(checker, self._children).load)
            engine = Engine(ports=ports, ids=container.ids(), limits=self._settings.workflow)
            state = engine.new_state(plan, run_id="1", values=inputs)
            while True:
                execution = engine.start(
                    plan,
                    state,
                    _context(),
                    options=RunOptions(durability="off", max_seconds=0),
                    observer=None if show is None else _Progress(show),
                )
                result = await execution.run()
                if result.status != "interrupted":
                    return _finished(result, state)
                question = result.pending[0]
                answer = await ask(f"{question.node_title}: {_prompt(question.data)}")
                if answer is None:
                    return _finished(result, state)
                engine.answer(state, question.id, answer)


class _Children:
    """Workflows given as texts."""

    def __init__(self, checker: Checker, canvases: Mapping[str, BroughtCanvas]) -> None:
        self._checker = checker
        self._canvases = canvases

    async def load(self, context: RunContext, workflow_id: str, version: str) -> Child:
        canvas = self._canvases.get(workflow_id)
        if canvas is None:
            raise WorkflowMissing(f"Name the file of workflow {workflow_id} with --child.")
        plan = self._checker.check(canvas.text, dialect=canvas.dialect.value).compile()
        return Child(program=plan.program, name=workflow_id)


class _Progress:
    """Tells what nodes do, as it happens."""

    def __init__(self, show: Show) -> None:
        self._show = show

    def take(self, event: RunEvent) -> None:
        match event:
            case MessageChunk(text=text, is_reasoning=False) if text:
                self._show(event.node_title, "says", text)
            case NodeEnded(error=error):
                text = error.message if error else msgspec.json.encode(event.output).decode()
                self._show(event.node_title, event.status, text[:_SHOWN_CHARS])
            case _:
                return

    async def drain(self) -> None:
        """Never far behind."""


def _context() -> RunContext:
    scope = TenantScope(UserId(1), frozenset({_SPACE}))
    call = CallContext(scope=scope, space_id=_SPACE, connector_id=CONNECTOR_API, run_id=RunId(1))
    return RunContext(call=call, is_debug=True, strict_input=False)


def _finished(result: RunResult, state: RunState) -> RunFinished:
    error = result.error
    message = error.described() if error else ""
    if result.status == "interrupted":
        message = f"nobody answers the question: {_prompt(result.pending[0].data)}"
    return RunFinished(
        status=result.status,
        output=result.output,
        code=result.code,
        message=message,
        input_tokens=state.input_tokens,
        output_tokens=state.output_tokens,
    )


def _prompt(data: str) -> str:
    """Return what a person is asked, out of the data of a question."""
    from application.workflow.chat_prompt import prompt_text

    return prompt_text(data)


@workflow.command("run")
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


@workflow.command("runs")
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
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    colors = {"success": "green", "failed": "red", "interrupted": "yellow", "cancelled": "yellow"}

    def show(title: str, status: str, text: str) -> None:
        label = Text(f"{status:>12}", style=colors.get(status, "dim"))
        # Not as markup: what models and nodes say has brackets of its own.
        console.print(label, Text(printable(title)), Text(printable(text)), soft_wrap=True)

    return show


def _print(output: Output, finished: RunFinished) -> None:
    if output.as_json:
        click.echo(msgspec.json.encode(finished))
        return
    if finished.status == "success":
        click.echo(printable(json.dumps(finished.output, ensure_ascii=False, indent=2)))
        return
    click.secho(f"{finished.status}: {printable(finished.message)}", err=True, fg="red")
