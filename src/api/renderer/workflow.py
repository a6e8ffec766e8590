"""Renderer of workflow runs for the Coze clients: ``id``, ``event`` and ``data`` lines."""

from collections.abc import Sequence
from typing import Any, Final

from api.error import Failure
from api.renderer.line import EVENT_STREAM, json_line
from application.workflow.chat_prompt import prompt_text
from application.workflow.run.dto import RunPhase
from application.workflow.run.event import (
    Interrupt,
    InterruptKind,
    MessageChunk,
    RunEnded,
    RunPaused,
    RunRecord,
    node_type_key,
)

_KINDS: Final = {
    InterruptKind.QUESTION: "question",
    InterruptKind.FORM: "form",
    InterruptKind.OAUTH: "plugin",
    InterruptKind.TOOL: "model",
}


class WorkflowRenderer:
    """Messages of output nodes, then one of ``Interrupt``, ``Error`` and ``Done``.

    The last message of the exit waits for the end of the run, which it tells the tokens of.
    """

    content_type = EVENT_STREAM
    keepalive = b"\n"
    holds_headers = False

    def __init__(self, *, run_id: int, debug_url: str) -> None:
        self._run_id = run_id
        self._debug_url = debug_url
        self._number = 0
        self._held: dict[str, Any] | None = None

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        return b"".join(self._render(record) for record in batch)

    def fail(self, failure: Failure) -> bytes:
        return self._error(failure.code, failure.message)

    def _render(self, record: RunRecord) -> bytes:
        match record.event:
            case MessageChunk(tool_path=(), is_reasoning=False) as chunk:
                return self._message(chunk)
            case RunPaused(pending=pending):
                return self._release({}) + self._interrupt(pending[0])
            case RunEnded() as ended:
                return self._end(ended)
            case _:
                return b""

    def _message(self, chunk: MessageChunk) -> bytes:
        data: dict[str, Any] = {
            "content": chunk.text,
            "content_type": "text",
            "node_id": chunk.node_id,
            "node_type": node_type_key(chunk.kind),
            "node_title": chunk.node_title,
            "node_seq_id": str(chunk.number),
            "node_is_finish": chunk.is_last,
        }
        before = self._release({})
        if chunk.kind == "exit" and chunk.is_last:
            self._held = data
            return before
        return before + self._frame("Message", data)

    def _interrupt(self, interrupt: Interrupt) -> bytes:
        node_id = interrupt.tool_path[-1] if interrupt.tool_path else interrupt.node_id
        node = {
            "node_id": node_id,
            "node_type": node_type_key(_KINDS[interrupt.kind]),
            "node_title": interrupt.node_title,
        }
        is_form = interrupt.kind is InterruptKind.FORM
        message = {
            "content": interrupt.data if is_form else prompt_text(interrupt.data),
            "content_type": "text",
            **node,
            "node_seq_id": "0",
            "node_is_finish": True,
        }
        data = {
            "event_id": f"{self._run_id}/{interrupt.id}",
            "type": int(interrupt.kind),
            "data": interrupt.data,
        }
        stopped = {"interrupt_data": data, **node, "debug_url": self._debug_url}
        return self._frame("Message", message) + self._frame("Interrupt", stopped)

    def _end(self, ended: RunEnded) -> bytes:
        if ended.phase is not RunPhase.SUCCESS:
            fault = ended.fault
            code, text = (fault.code, fault.message) if fault else (5000, "The run failed.")
            return self._release({}) + self._error(code, text)
        spent = usage_of(ended.input_tokens, ended.output_tokens)
        done = {"debug_url": self._debug_url, **spent}
        return self._release(spent) + self._frame("Done", done)

    def _error(self, code: int, message: str) -> bytes:
        data = {"error_code": code, "error_message": message, "debug_url": self._debug_url}
        return self._frame("Error", data)

    def _release(self, spent: dict[str, Any]) -> bytes:
        held, self._held = self._held, None
        return b"" if held is None else self._frame("Message", {**held, **spent})

    def _frame(self, name: str, data: dict[str, Any]) -> bytes:
        number, self._number = self._number, self._number + 1
        return b"id: %d\nevent: %s\ndata: %s\n\n" % (number, name.encode(), json_line(data))


def usage_of(input_tokens: int, output_tokens: int) -> dict[str, Any]:
    """Tell the tokens of a run as the Coze wire does."""
    total = input_tokens + output_tokens
    usage = {
        "token_count": total,
        "output_count": output_tokens,
        "input_count": input_tokens,
    }
    return {"token": total, "usage": usage}
