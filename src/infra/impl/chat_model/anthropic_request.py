"""The request body of ``POST /v1/messages``.

Fields after the vendor's reference (docs.anthropic.com, "Messages") and the types of its SDK
(``anthropics/anthropic-sdk-python``, ``src/anthropic/types``).
"""

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.shared import chat
from infra.contract.model.chat_model import ModelEndpoint
from infra.impl.chat_model.openai_request import mapped
from infra.impl.chat_model.reasoning_cache import ReasoningCache

_OURS: Final = frozenset({"messages", "model", "stream", "system", "tools"})
"""Fields that an agent's own parameters cannot change: the reply is read by what they say."""
# The vendor wants a number in any case; none of its models takes fewer.
_MAX_TOKENS: Final = 4096
_FOREIGN: Final = re.compile(r"[^a-zA-Z0-9_-]")
_CHOICES: Final = {"auto": "auto", "required": "any", "none": "none"}
_THINKS: Final = frozenset({"enabled", "adaptive"})
# The least that is taken beside thinking.
_MIN_TOP_P: Final = 0.95
_BEGIN: Final = "Begin."
_EFFORTS: Final = {
    "minimal": "low",
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "high",
    "max": "high",
}
"""Levels of ``output_config.effort``; not to think at all is a matter of ``thinking``."""
_KEPT: Final = {"type": "ephemeral"}
_JSON_ONLY: Final = "Answer with one JSON object and nothing else: no words around it, no fence."


def messages_body(
    request: chat.ChatRequest, endpoint: ModelEndpoint, reasoning: ReasoningCache
) -> dict[str, Any]:
    """Return the body of a streamed call."""
    body: dict[str, Any] = {
        name: value for name, value in _parameters(request, endpoint) if value is not None
    }
    if request.tools and endpoint.capabilities.tools == "native":
        body |= _tools(request)
    schema = request.json_schema if endpoint.capabilities.json_schema else None
    wants_json = request.output is chat.OutputFormat.JSON
    if wants_json and schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    extra = {name: value for name, value in request.parameters.items() if name not in _OURS}
    body = mapped(body | extra, endpoint.mapping)
    effort = _EFFORTS.get(request.reasoning_effort)
    if effort is not None and endpoint.capabilities.reasoning_effort:
        body["output_config"] = {**body.get("output_config", {}), "effort": effort}
    turns = _Turns(reasoning, has_tools=bool(body.get("tools")))
    for message in request.messages:
        turns.add(message)
    thinks = _fit_thinking(body, can_resume=turns.can_resume)
    if "temperature" in body and "top_p" in body:
        del body["top_p"]  # newer models take one of them only
    body |= {
        "model": body.get("model", endpoint.model),
        "messages": turns.messages(with_thinking=thinks),
        "stream": True,
    }
    system = [m.text for m in request.messages if m.role == "system" and m.text]
    if wants_json and schema is None:
        system.append(_JSON_ONLY)
    if system:
        body["system"] = "\n\n".join(system)
    if request.keeps_prefix:
        _keep_prefix(body)
    return body


def _keep_prefix(body: dict[str, Any]) -> None:
    """Mark the end of what stays the same from call to call: tools, then system messages."""
    if system := body.get("system"):
        body["system"] = [{**_text(system), "cache_control": _KEPT}]
    elif tools := body.get("tools"):
        body["tools"] = [*tools[:-1], {**tools[-1], "cache_control": _KEPT}]


def _parameters(request: chat.ChatRequest, endpoint: ModelEndpoint) -> list[tuple[str, Any]]:
    sampling = request.sampling
    warmth = sampling.temperature
    return [
        ("max_tokens", request.max_output_tokens or endpoint.max_output or _MAX_TOKENS),
        # Up to 1 here, where others go up to 2.
        ("temperature", None if warmth is None else min(warmth, 1.0)),
        ("top_p", sampling.top_p),
        ("top_k", sampling.top_k),
        # White space alone is refused as a mark.
        ("stop_sequences", [mark for mark in request.stop if mark.strip()] or None),
        ("metadata", {"user_id": request.end_user} if request.end_user else None),
    ]


def _tools(request: chat.ChatRequest) -> dict[str, Any]:
    if request.tool_choice in _CHOICES:
        choice: dict[str, Any] = {"type": _CHOICES[request.tool_choice]}
    else:
        choice = {"type": "tool", "name": request.tool_choice}
    if request.parallel_tool_calls is False and choice["type"] != "none":
        choice["disable_parallel_tool_use"] = True
    body: dict[str, Any] = {"tools": [_tool(tool) for tool in request.tools]}
    if choice != {"type": "auto"}:
        body["tool_choice"] = choice
    return body


def _tool(tool: chat.ToolSpec) -> dict[str, Any]:
    schema = {"type": "object", **tool.parameters}
    return {"name": tool.name, "description": tool.description, "input_schema": schema}


def _fit_thinking(body: dict[str, Any], *, can_resume: bool) -> bool:
    """Keep to the vendor's rules for extended thinking; say whether the model will think.

    Sampling and forced tools are refused with it, the budget must leave room for the answer, and
    a step after tool calls must bring their thinking back: without it, this step does not think.
    """
    thinking = body.get("thinking")
    if not isinstance(thinking, Mapping) or thinking.get("type") not in _THINKS:
        return False
    if not can_resume:
        del body["thinking"]
        return False
    for name in ("temperature", "top_k"):
        body.pop(name, None)
    if isinstance(top_p := body.get("top_p"), int | float) and top_p < _MIN_TOP_P:
        del body["top_p"]
    if body.get("tool_choice", {}).get("type") in {"any", "tool"}:
        del body["tool_choice"]
    budget, most = thinking.get("budget_tokens"), body.get("max_tokens")
    if isinstance(budget, int) and isinstance(most, int) and budget >= most:
        body["max_tokens"] = budget + most
    return True


class _Turns:
    """Strictly alternating turns: neighbours of one side are merged, results come first.

    Without ``has_tools`` earlier calls are told in words: the vendor takes calls of declared tools
    only.
    """

    def __init__(self, reasoning: ReasoningCache, *, has_tools: bool) -> None:
        self._reasoning = reasoning
        self._has_tools = has_tools
        self._turns: list[tuple[str, list[dict[str, Any]]]] = []
        self._unsigned = False

    @property
    def can_resume(self) -> bool:
        """Whether the thinking of all calls since the last question is at hand."""
        return not self._unsigned

    def add(self, message: chat.ChatMessage) -> None:
        """Append a message; system messages travel apart."""
        match message.role:
            case "user":
                self._unsigned = False
                self._extend("user", list(_content(message)))
            case "tool":
                told = _text(f"(result of a call: {message.text})")
                self._extend("user", [_result(message) if self._has_tools else told])
            case "assistant":
                self._extend("assistant", self._said(message))
            case "system":
                pass

    def messages(self, *, with_thinking: bool) -> list[dict[str, Any]]:
        """Return the turns; the first must be the user's."""
        turns = self._turns
        if not turns or turns[0][0] != "user":
            turns = [("user", [_text(_BEGIN)]), *turns]
        return [
            {"role": role, "content": _ordered(blocks, with_thinking=with_thinking)}
            for role, blocks in turns
        ]

    def _extend(self, role: str, blocks: list[dict[str, Any]]) -> None:
        if not blocks:
            return
        if self._turns and self._turns[-1][0] == role:
            self._turns[-1][1].extend(blocks)
        else:
            self._turns.append((role, blocks))

    def _said(self, message: chat.ChatMessage) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]] = []
        if message.tool_calls and self._has_tools:
            thoughts = self._reasoning.find(message.tool_calls[0].id)
            self._unsigned = self._unsigned or not thoughts
            blocks.extend(thoughts or ())
        if text := message.text.rstrip():  # the vendor refuses blanks at the end of the last turn
            blocks.append(_text(text))
        if not self._has_tools:
            calls = [f"(called {call.name}: {call.arguments})" for call in message.tool_calls]
            return [*blocks, *map(_text, calls)]
        blocks.extend(
            {
                "type": "tool_use",
                "id": _own_id(call.id),
                "name": call.name,
                "input": arguments_of(call.arguments),
            }
            for call in message.tool_calls
        )
        return blocks


def arguments_of(text: str) -> dict[str, Any]:
    """Return the arguments of an earlier call as the object that some wires want."""
    try:
        raw = msgspec.json.decode(text or "{}")
    except (msgspec.DecodeError, RecursionError):
        raw = text
    return raw if isinstance(raw, dict) else {"arguments": raw}


def image_source(part: chat.ImagePart) -> tuple[str, str]:
    """Return media type and base64 data of a loaded image."""
    return part.media_type or "image/png", base64.b64encode(part.data).decode()


def _ordered(blocks: Sequence[dict[str, Any]], *, with_thinking: bool) -> list[dict[str, Any]]:
    kept = [
        b for b in blocks if with_thinking or b["type"] not in {"thinking", "redacted_thinking"}
    ]
    return sorted(kept, key=lambda block: block["type"] != "tool_result")


def _content(message: chat.ChatMessage) -> Iterator[dict[str, Any]]:
    for part in message.parts:
        if isinstance(part, chat.ImagePart) and part.data:
            media_type, data = image_source(part)
            source = {"type": "base64", "media_type": media_type, "data": data}
            yield {"type": "image", "source": source}
        elif isinstance(part, chat.ImagePart) and part.url.startswith(("http://", "https://")):
            yield {"type": "image", "source": {"type": "url", "url": part.url}}
        elif words := chat.in_words(part).strip():
            yield _text(part.text if isinstance(part, chat.TextPart) else words)


def _result(message: chat.ChatMessage) -> dict[str, Any]:
    block: dict[str, Any] = {
        "type": "tool_result",
        "tool_use_id": _own_id(message.tool_call_id),
        "content": message.text,
    }
    if message.tool_error:
        block["is_error"] = True
    return block


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _own_id(call_id: str) -> str:
    """Return an id the vendor takes; calls of other models may have others."""
    return _FOREIGN.sub("_", call_id) or "call"
