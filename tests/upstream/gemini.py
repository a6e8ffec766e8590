"""The scripted provider on Gemini's wire: each event a response of its own, no end marker."""

from typing import Any

import msgspec

from tests.upstream.embedding import vector
from tests.upstream.native import Asked, Plan, answer, last, text_of
from tests.upstream.steps import Answer, event, json_answer

_STATUS = {400: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}
_STOPS = {"stop": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}


def answer_gemini(model: str, operation: str, request: dict[str, Any]) -> Answer:
    """Answer ``POST /v1beta/models/{model}:{operation}``."""
    if operation == "batchEmbedContents":
        return _embed(request)
    turn = last(request.get("contents"))
    parts = turn.get("parts", [])
    tools = request.get("tools") or [{"functionDeclarations": [{}]}]
    asked = Asked(
        model=model,
        question=text_of(parts),
        tool=tools[0]["functionDeclarations"][0].get("name", ""),
        is_told=any("functionResponse" in part for part in parts),
    )
    return answer(
        asked,
        lambda plan: _render(plan, model),
        lambda status: _error(status, "Scripted failure."),
        media_type="text/event-stream",
    )


def _error(status: int, message: str) -> Answer:
    error: dict[str, Any] = {"code": status, "message": message}
    error["status"] = _STATUS.get(status, "UNKNOWN")
    return json_answer({"error": error}, status=status)


def _chunk(parts: list[dict[str, Any]], model: str, **more: Any) -> bytes:
    candidate = {"content": {"parts": parts, "role": "model"}, "index": 0}
    finish = more.pop("finish", None)
    if finish:
        candidate["finishReason"] = finish
    body = {"candidates": [candidate], "modelVersion": model, "responseId": "r1"}
    return event(body | more).replace(b"\n", b"\r\n")


def _render(plan: Plan, model: str) -> list[bytes]:
    error = event({"error": {"code": 503, "message": "Overloaded.", "status": "UNAVAILABLE"}})
    if plan.error and not plan.texts:
        return [error]
    writes = [_chunk([{"text": piece, "thought": True}], model) for piece in plan.thoughts]
    writes += [_chunk([{"text": piece}], model) for piece in plan.texts]
    for number in range(plan.calls):
        part: dict[str, Any] = {"functionCall": {"name": plan.tool, "args": plan.arguments}}
        if not number:
            part["thoughtSignature"] = "c2lnbmVk"
        writes.append(_chunk([part], model))
    if plan.error:
        writes.append(error)
    if plan.is_complete:
        counts = {
            "promptTokenCount": plan.counts["input"],
            "candidatesTokenCount": plan.counts["output"] - 2,
            "thoughtsTokenCount": 2,
            "cachedContentTokenCount": 2,
        }
        finish = _STOPS[plan.finish]
        writes.append(_chunk([{"text": ""}], model, finish=finish, usageMetadata=counts))
    return writes


def _embed(request: dict[str, Any]) -> Answer:
    texts = [text_of(item["content"]["parts"]) for item in request["requests"]]
    width = request["requests"][0].get("outputDimensionality", 8)
    body = {"embeddings": [{"values": vector(text, width)} for text in texts]}
    return json_answer(msgspec.to_builtins(body))
