"""The scripted provider on Ollama's wire: one JSON object per line, calls without ids."""

from typing import Any

import msgspec

from tests.upstream.embedding import vector
from tests.upstream.native import Asked, Plan, answer, last
from tests.upstream.steps import Answer, json_answer


def answer_ollama(request: dict[str, Any]) -> Answer:
    """Answer ``POST /api/chat``."""
    message = last(request.get("messages"))
    asked = Asked(
        model=str(request.get("model", "")),
        question=str(message.get("content", "")),
        tool=(request.get("tools") or [{"function": {"name": ""}}])[0]["function"]["name"],
        is_told=message.get("role") == "tool",
    )
    return answer(
        asked,
        lambda plan: _render(plan, asked.model),
        lambda status: json_answer({"error": "Scripted failure."}, status=status),
        media_type="application/x-ndjson",
    )


def answer_ollama_embeddings(request: dict[str, Any]) -> Answer:
    """Answer ``POST /api/embed``."""
    texts = request["input"]
    width = int(request.get("dimensions") or 8)
    body = {
        "model": request.get("model"),
        "embeddings": [vector(text, width) for text in texts],
        "prompt_eval_count": len(texts),
    }
    return json_answer(body)


def _line(model: str, **fields: Any) -> bytes:
    head = {"model": model, "created_at": "2030-05-01T09:00:00Z"}
    return msgspec.json.encode(head | fields) + b"\n"


def _render(plan: Plan, model: str) -> list[bytes]:
    error = msgspec.json.encode({"error": "an error was encountered while running the model"})
    writes = [
        _line(model, message={"role": "assistant", "content": "", "thinking": piece}, done=False)
        for piece in plan.thoughts
    ]
    writes += [
        _line(model, message={"role": "assistant", "content": piece}, done=False)
        for piece in plan.texts
    ]
    call = {"function": {"name": plan.tool, "arguments": plan.arguments}}
    if plan.calls:
        message = {"role": "assistant", "content": "", "tool_calls": [call] * plan.calls}
        writes.append(_line(model, message=message, done=False))
    if plan.error:
        writes.append(error)
    if plan.is_complete:
        writes.append(
            _line(
                model,
                message={"role": "assistant", "content": ""},
                done=True,
                done_reason="length" if plan.finish == "length" else "stop",
                prompt_eval_count=plan.counts["input"],
                eval_count=plan.counts["output"],
            )
        )
    return writes
