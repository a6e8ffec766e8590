"""The scripted provider on Anthropic's wire: named events, blocks with an index."""

from typing import Any

import msgspec

from tests.upstream.native import Asked, Plan, answer, last, text_of
from tests.upstream.steps import Answer, json_answer

_KINDS = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
_STOPS = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}


def answer_messages(request: dict[str, Any]) -> Answer:
    """Answer ``POST /v1/messages``; without its required fields, as the vendor would."""
    if "max_tokens" not in request or not request.get("messages"):
        return _error(400, "max_tokens: Field required")
    turn = last(request["messages"])
    content = turn.get("content")
    asked = Asked(
        model=str(request.get("model", "")),
        question=text_of(content),
        tool=(request.get("tools") or [{}])[0].get("name", ""),
        is_told=isinstance(content, list)
        and any(block["type"] == "tool_result" for block in content),
    )
    return answer(
        asked,
        lambda plan: _render(plan, asked.model),
        lambda status: _error(status, "Scripted failure."),
        media_type="text/event-stream",
    )


def _event(kind: str, **fields: Any) -> bytes:
    data = msgspec.json.encode({"type": kind, **fields})
    return b"event: " + kind.encode() + b"\ndata: " + data + b"\n\n"


def _error(status: int, message: str) -> Answer:
    kind = _KINDS.get(status, "api_error" if status >= 500 else "invalid_request_error")
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    return json_answer(body, status=status)


def _render(plan: Plan, model: str) -> list[bytes]:
    if plan.error and not plan.texts:
        return [_event("error", error={"type": "overloaded_error", "message": "Overloaded"})]
    usage = {
        "input_tokens": plan.counts["input"] - 2,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 2,
        "output_tokens": 1,
    }
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    writes = [_event("message_start", message=message), _event("ping")]
    index = 0
    if plan.thoughts:
        block = {"type": "thinking", "thinking": "", "signature": ""}
        writes.append(_event("content_block_start", index=index, content_block=block))
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in plan.thoughts]
        deltas.append({"type": "signature_delta", "signature": "c2lnbmVk"})
        writes += _deltas(index, deltas)
        index += 1
    if plan.texts:
        block = {"type": "text", "text": ""}
        writes.append(_event("content_block_start", index=index, content_block=block))
        writes += _deltas(index, [{"type": "text_delta", "text": piece} for piece in plan.texts])
        index += 1
    for number in range(plan.calls):
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": plan.tool, "input": {}}
        writes.append(_event("content_block_start", index=index, content_block=call))
        text = msgspec.json.encode(plan.arguments).decode()
        pieces = ["", text[:7], text[7:]]
        writes += _deltas(
            index, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        )
        index += 1
    if plan.error:
        writes.append(_event("error", error={"type": "overloaded_error", "message": "Overloaded"}))
    if plan.is_complete:
        delta = {"stop_reason": _STOPS[plan.finish], "stop_sequence": None}
        counts = {"output_tokens": plan.counts["output"]}
        writes += [_event("message_delta", delta=delta, usage=counts), _event("message_stop")]
    return writes


def _deltas(index: int, deltas: list[dict[str, str]]) -> list[bytes]:
    """The deltas of one block and its end."""
    writes = [_event("content_block_delta", index=index, delta=delta) for delta in deltas]
    return [*writes, _event("content_block_stop", index=index)]
