"""One run of a canvas in memory, for the command line."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec

from bootstrap.settings import Settings
from domain.shared.access import CONNECTOR_API, TenantScope
from domain.shared.call import CallContext
from domain.shared.ids import RunId, SpaceId, UserId
from domain.workflow.canvas.importing import BroughtCanvas
from domain.workflow.engine.error import WorkflowMissing
from domain.workflow.engine.event import MessageChunk, NodeEnded, RunEvent
from domain.workflow.engine.execution import Engine, RunOptions, RunResult
from domain.workflow.engine.state import RunState
from domain.workflow.lint.check import Checker
from domain.workflow.port import Child, RunContext

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
            try:
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
            finally:
                await container.code_runner().aclose()


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
    message = error.told() if error else ""
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
