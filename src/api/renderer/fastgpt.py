"""Renderer for FastGPT clients that ask for ``detail``: named frames, node results at the end.

``answer`` frames are what a model writes, ``fastAnswer`` what a workflow or a tool says itself.
"""

from collections.abc import Sequence
from typing import Any, Final, assert_never

from api.error import Failure
from api.openai.shape import MODULE_NAME, NodeResult, calls_of, finish_reason, shown_result
from api.renderer import RENDERERS, RenderContext
from api.renderer.line import EVENT_STREAM, json_line
from api.renderer.openai import KEEPALIVE, AnswerWriter, ChunkWriter, failure_of
from api.renderer.order import AnswerOrder
from application.conversation.dto import RunView
from application.conversation.run.event import (
    FlowNodeEnded,
    FlowNodeStarted,
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

DONE: Final = b"event: answer\ndata: [DONE]\n\n"


@RENDERERS.register("fastgpt")
class FastGptRenderer:
    """Renders the events of one run with the results of its steps."""

    content_type = EVENT_STREAM
    keepalive = KEEPALIVE
    holds_headers = True

    def __init__(self, context: RenderContext) -> None:
        self._chunks = ChunkWriter.of(context, head=b"event: answer\ndata: ")
        self._said = ChunkWriter.of(context, head=b"event: fastAnswer\ndata: ")
        self._answer = AnswerWriter(self._said, cites=context.cites)
        self._order = AnswerOrder()
        self._used = context.used
        self._nodes: list[NodeResult] = []
        self._is_written = False
        """A model of a workflow writes the current answer."""
        self._asked = ""
        """What was said last: the question, if the run waits."""

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        return b"".join([self._frame(event) for event in self._order.arrange(batch)])

    def fail(self, failure: Failure) -> bytes:
        return _frame("error", {"message": failure.message, "code": failure.code})

    def _frame(self, event: RunEvent) -> bytes:
        match event:
            case MessageDelta():
                return self._answer.delta(event)
            case MessageStarted() | MessageCompleted():
                return self._note(event)
            case RunCompleted() | RunRequiresAction():
                is_waiting = isinstance(event, RunRequiresAction)
                asked = self._interactive(event.run) if is_waiting else b""
                return asked + self._finish(event.run)
            case RunFailed() | RunCanceled():
                return self.fail(failure_of(event))
            case _:
                return self._detail(event)

    def _note(self, event: MessageStarted | MessageCompleted) -> bytes:
        """Begin or end an answer; what a model of a workflow writes has frames of its own."""
        if isinstance(event, MessageStarted):
            if event.is_written:
                self._answer.through(self._chunks)
                self._is_written = True
            return self._answer.note(event)
        self._asked = event.message.text
        frames = self._answer.note(event)
        if self._is_written:
            self._answer.through(self._said)
            self._is_written = False
        return frames

    def _detail(self, event: RunEvent) -> bytes:
        match event:
            case StepStarted():
                self._answer.through(self._chunks)
                return _frame("flowNodeStatus", {"status": "running", "name": MODULE_NAME})
            case StepEnded() | KnowledgeRecalled() | ToolCompleted() | FlowNodeEnded():
                return self._node(event)
            case FlowNodeStarted(name=name):
                return _frame("flowNodeStatus", {"status": "running", "name": name})
            case ToolStarted():
                return _call_frames(event)
            case VariablesUpdated():
                return _frame("updateVariables", event.values)
            case _:
                return b""

    def _node(self, event: StepEnded | KnowledgeRecalled | ToolCompleted | FlowNodeEnded) -> bytes:
        """Tell what a step, a search, a call or a node of a workflow came to."""
        told = b""
        match event:
            case StepEnded():
                self._answer.through(self._said)
                node = NodeResult.of(event)
            case FlowNodeEnded():
                node = NodeResult.of_flow(event)
            case KnowledgeRecalled():
                node = NodeResult.of_recall(event)
                told = self._answer.note(event)
            case ToolCompleted():
                node = NodeResult.of_tool(event)
                response = {"id": event.call_id, "response": shown_result(event)}
                told = _frame("toolResponse", {"tool": response})
            case _:
                assert_never(event)
        self._nodes.append(node)
        return told + _frame("flowNodeResponse", node)

    def _interactive(self, run: RunView) -> bytes:
        """Ask for what the run waits for: an answer in words, or outputs of calls."""
        calls = run.waits_for.calls if run.waits_for else ()
        form = [
            {"key": call.id, "label": call.name, "type": "input", "value": call.arguments}
            for call in calls
        ]
        params = {"description": "" if calls else self._asked, "inputForm": form}
        return _frame("interactive", {"interactive": {"type": "userInput", "params": params}})

    def _finish(self, run: RunView) -> bytes:
        ended = run.completed_at or run.created_at
        duration = {"durationSeconds": round((ended - run.created_at).total_seconds(), 3)}
        return b"".join(
            (
                self._answer.open(),
                self._chunks.calls(calls_of(run)),
                self._chunks.finish(finish_reason(run), self._answer.cards),
                self._chunks.usage(run.usage.since(self._used)),
                _frame("workflowDuration", duration),
                _frame("flowResponses", self._nodes),
                DONE,
            )
        )


def _call_frames(event: ToolStarted) -> bytes:
    """Announce a call with its arguments."""
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
