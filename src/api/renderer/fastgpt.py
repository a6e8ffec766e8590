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
    KnowledgeRecalled,
    MessageCompleted,
    MessageDelta,
    MessageStarted,
    RunCanceled,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunRecord,
    RunRequiresAction,
    StepEnded,
    StepStarted,
    ToolCompleted,
    ToolStarted,
    VariablesUpdated,
)

_SHOWN_CHARS: Final = 5000
"""How much of a tool's result is shown."""

DONE: Final = b"event: answer\ndata: [DONE]\n\n"


@RENDERERS.register("fastgpt")
class FastGptRenderer:
    """Renders the events of one run with the results of its steps."""

    content_type = EVENT_STREAM
    keepalive = KEEPALIVE
    holds_headers = True

    def __init__(self, context: RenderContext) -> None:
        self._chunks = ChunkWriter(context, head=b"event: answer\ndata: ")
        self._answer = AnswerWriter(self._chunks, cites=context.cites)
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
            case MessageStarted() | MessageCompleted():
                return self._answer.note(event)
            case RunCompleted() | RunRequiresAction():
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
            case KnowledgeRecalled():
                node = NodeResult.of_recall(event)
                self._nodes.append(node)
                return self._answer.note(event) + _frame("flowNodeResponse", node)
            case ToolStarted() | ToolCompleted():
                return _tool_frames(event)
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
                self._chunks.finish(finish_reason(run), self._answer.cards),
                self._chunks.usage(run),
                _frame("workflowDuration", duration),
                _frame("flowResponses", self._nodes),
                DONE,
            )
        )


def _tool_frames(event: ToolStarted | ToolCompleted) -> bytes:
    """Announce a call with its arguments, or tell its result."""
    if isinstance(event, ToolCompleted):
        response = {"id": event.call_id, "response": event.result[:_SHOWN_CHARS]}
        return _frame("toolResponse", {"tool": response})
    call = {
        "id": event.call_id,
        "toolName": event.name,
        "toolAvatar": "",
        "functionName": event.name,
        "params": "",
        "response": "",
    }
    params = {"id": event.call_id, "params": event.arguments}
    return _frame("toolCall", {"tool": call}) + _frame("toolParams", {"tool": params})


def _frame(name: str, body: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), json_line(body))
