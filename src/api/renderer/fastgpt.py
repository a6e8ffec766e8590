"""Renderer for FastGPT clients that ask for ``detail``: named frames, node results at the end."""

from collections.abc import Sequence
from typing import Any, Final

from api.error import Failure
from api.openai.shape import MODULE_NAME, NodeResult, finish_reason
from api.renderer import RENDERERS, RenderContext
from api.renderer.line import EVENT_STREAM, json_line
from api.renderer.openai import KEEPALIVE, AnswerWriter, ChunkWriter, failure_of
from api.renderer.order import AnswerOrder
from application.conversation.dto import RunView
from application.conversation.run_event import (
    MessageCompleted,
    MessageDelta,
    MessageStarted,
    RunCanceled,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunRecord,
    StepEnded,
    StepStarted,
    VariablesUpdated,
)

DONE: Final = b"event: answer\ndata: [DONE]\n\n"


@RENDERERS.register("fastgpt")
class FastGptRenderer:
    """Renders the events of one run with the results of its steps."""

    content_type = EVENT_STREAM
    keepalive = KEEPALIVE
    holds_headers = True

    def __init__(self, context: RenderContext) -> None:
        self._chunks = ChunkWriter(context, head=b"event: answer\ndata: ")
        self._answer = AnswerWriter(self._chunks)
        self._order = AnswerOrder()
        self._nodes: list[NodeResult] = []

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        return b"".join([self._frame(event) for event in self._order.arrange(batch)])

    def fail(self, failure: Failure) -> bytes:
        return _frame("error", {"message": failure.message, "code": failure.code})

    def _frame(self, event: RunEvent) -> bytes:
        match event:
            case MessageDelta():
                return self._answer.delta(event)
            case MessageStarted():
                return self._answer.open()
            case MessageCompleted():
                return self._answer.completed(event)
            case RunCompleted():
                return self._finish(event.run)
            case RunFailed() | RunCanceled():
                return self.fail(failure_of(event))
            case _:
                return self._detail(event)

    def _detail(self, event: RunEvent) -> bytes:
        match event:
            case StepStarted():
                return _frame("flowNodeStatus", {"status": "running", "name": MODULE_NAME})
            case StepEnded():
                node = NodeResult.of(event)
                self._nodes.append(node)
                return _frame("flowNodeResponse", node)
            case VariablesUpdated():
                return _frame("updateVariables", event.values)
            case _:
                return b""

    def _finish(self, run: RunView) -> bytes:
        ended = run.completed_at or run.created_at
        duration = {"durationSeconds": round((ended - run.created_at).total_seconds(), 3)}
        return b"".join(
            (
                self._answer.open(),
                self._chunks.finish(finish_reason(run)),
                self._chunks.usage(run),
                _frame("workflowDuration", duration),
                _frame("flowResponses", self._nodes),
                DONE,
            )
        )


def _frame(name: str, body: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), json_line(body))
