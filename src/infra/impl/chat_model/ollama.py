"""Chat models of an Ollama server, through its own API.

Wire: ``ollama/ollama``, ``docs/api.md`` ("Generate a chat completion") and ``api/types.go``.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from domain.shared import chat
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ChatModel, ModelCallFailed, ModelEndpoint
from infra.impl.chat_model import PROVIDERS, ProviderParts
from infra.impl.chat_model.anthropic_request import arguments_of, image_source
from infra.impl.chat_model.frames import Frames, LineFrames
from infra.impl.chat_model.native import NativeChatModel
from infra.impl.chat_model.openai_request import arranged, mapped
from infra.impl.chat_model.reasoning_cache import ReasoningCache
from infra.impl.chat_model.reply_builder import ReplyBuilder
from infra.impl.http import provider

_OURS: Final = frozenset({"messages", "model", "stream", "tools"})
_TOP_LEVEL: Final = frozenset({"format", "keep_alive", "think", "truncate", "shift"})
"""Parameters of an agent's developer that do not belong into ``options``."""
_LEAST_CONTEXT: Final = 4096
_REPLY_TOKENS: Final = 1024
_BYTES_PER_TOKEN: Final = 3
"""Few enough for any script: cut input is worse than some memory."""
_IMAGE_TOKENS: Final = 1000
_REASONS: Final = {"length": chat.FinishReason.LENGTH}


@PROVIDERS.register("ollama")
def ollama(endpoint: ModelEndpoint, parts: ProviderParts) -> ChatModel:
    """Open a model of an Ollama server."""
    return NativeChatModel(endpoint, parts, OllamaDialect(endpoint, parts))


_THINKS: Final = {
    "none": False,
    "minimal": "low",
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "high",
    "max": "high",
}


class OllamaDialect:
    """Speaks ``/api/chat``.

    The server cuts input beyond its context silently, so each call asks for a context that is
    large enough: powers of two, because another size reloads the model, and never fewer than
    before.
    """

    def __init__(self, endpoint: ModelEndpoint, parts: ProviderParts) -> None:
        self._endpoint = endpoint
        self._limits = parts.limits
        self._reasoning = ReasoningCache()
        self._context = _LEAST_CONTEXT

    def address(self) -> str:
        return provider.ollama_address(self._endpoint.base_url, "chat")

    def headers(self) -> dict[str, str]:
        endpoint = self._endpoint
        return provider.provider_headers(
            endpoint.api_key, endpoint.headers, accept="application/x-ndjson"
        )

    def body(self, request: chat.ChatRequest) -> dict[str, Any]:
        endpoint = self._endpoint
        extra = {name: v for name, v in request.parameters.items() if name not in _OURS}
        body: dict[str, Any] = {}
        has_tools = bool(request.tools) and endpoint.capabilities.tools == "native"
        # A format is a grammar here, in which there are no calls.
        if request.output is chat.OutputFormat.JSON and not has_tools:
            has_schema = request.json_schema is not None and endpoint.capabilities.json_schema
            body["format"] = request.json_schema if has_schema else "json"
        body |= {name: extra.pop(name) for name in _TOP_LEVEL & extra.keys()}
        if request.reasoning_effort and endpoint.capabilities.reasoning_effort:
            body["think"] = _THINKS[request.reasoning_effort]
        options = {name: value for name, value in _options(request) if value is not None}
        options["num_ctx"] = self._context_for(request)
        body["options"] = mapped(options | extra, endpoint.mapping)
        if has_tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        messages = arranged(request.messages, endpoint.capabilities)
        names = {call.id: call.name for m in messages for call in m.tool_calls}
        body |= {
            "model": endpoint.model,
            "messages": [self._message(message, names) for message in messages],
            "stream": True,
        }
        return body

    def frames(self) -> Frames:
        return LineFrames(line_bytes=self._limits.model_event_bytes)

    def fold(self, request: chat.ChatRequest) -> "OllamaFold":
        return OllamaFold(
            model=self._endpoint.model, secret=self._endpoint.api_key, reasoning=self._reasoning
        )

    def failed(
        self, status: int, body: bytes, headers: Mapping[str, str], *, now: datetime
    ) -> ModelCallFailed:
        return provider.status_failed(status, body, headers, secret=self._endpoint.api_key, now=now)

    def _context_for(self, request: chat.ChatRequest) -> int:
        most_output = request.max_output_tokens or _REPLY_TOKENS
        needed = _most_tokens(request) + most_output
        while self._context < needed:
            self._context *= 2
        window = self._endpoint.window
        return min(self._context, window) if window else self._context

    def _message(self, message: chat.ChatMessage, names: Mapping[str, str]) -> dict[str, Any]:
        images = [p for p in message.parts if isinstance(p, chat.ImagePart) and p.data]
        content = "\n".join(chat.in_words(part) for part in message.parts if part not in images)
        body: dict[str, Any] = {"role": message.role, "content": content}
        if images:
            body["images"] = [image_source(image)[1] for image in images]
        if message.tool_calls:
            body["tool_calls"] = [
                {"function": {"name": call.name, "arguments": arguments_of(call.arguments)}}
                for call in message.tool_calls
            ]
            if thoughts := self._reasoning.find(message.tool_calls[0].id) or message.reasoning:
                body["thinking"] = thoughts
        if message.role == "tool":
            body["tool_name"] = names.get(message.tool_call_id, "tool")
        return body


class OllamaFold:
    """Reads the lines of one reply; calls come whole, mostly without ids."""

    def __init__(self, *, model: str, secret: Secret, reasoning: ReasoningCache) -> None:
        self.builder = ReplyBuilder(model=model)
        self.is_over = False
        self._secret = secret
        self._reasoning = reasoning
        self._thoughts: list[str] = []

    def take(self, raw: dict[str, Any]) -> None:
        """Fold one line in; raise ``ModelCallFailed`` for an error line."""
        if raw.get("error"):
            raise provider.error_failed(raw["error"], status=0, secret=self._secret)
        message = raw.get("message")
        if isinstance(message, dict):
            self.builder.start("", _text(raw.get("model")))
            self._take_message(message)
        if raw.get("done") is True:
            self._end(raw)

    def _take_message(self, message: dict[str, Any]) -> None:
        if thought := _text(message.get("thinking")):
            self._thoughts.append(thought)
            self.builder.thought(thought)
        self.builder.text(_text(message.get("content")))
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict):
                arguments = function.get("arguments")
                self.builder.open_call(
                    _text(function.get("name")),
                    call_id=_text(call.get("id")),
                    arguments=arguments
                    if isinstance(arguments, str)
                    else msgspec.json.encode(arguments or {}).decode(),
                )

    def _end(self, raw: dict[str, Any]) -> None:
        self.is_over = True
        self.builder.start("", _text(raw.get("model")))
        self.builder.reason = _REASONS.get(_text(raw.get("done_reason")), chat.FinishReason.STOP)
        usage = chat.Usage(
            input_tokens=_count(raw.get("prompt_eval_count")),
            output_tokens=_count(raw.get("eval_count")),
        )
        if usage.total_tokens:
            self.builder.usage = usage
        if self._thoughts and self.builder.call_ids:
            self._reasoning.keep(self.builder.call_ids, "".join(self._thoughts))


def _most_tokens(request: chat.ChatRequest) -> int:
    """Return about the most tokens that the input may have."""
    tokens = len(msgspec.json.encode(request.tools)) // _BYTES_PER_TOKEN
    for message in request.messages:
        words = [message.text, *(call.arguments for call in message.tool_calls)]
        tokens += sum(len(text.encode("utf-8", "replace")) for text in words) // _BYTES_PER_TOKEN
        tokens += _IMAGE_TOKENS * sum(isinstance(part, chat.ImagePart) for part in message.parts)
    return tokens


def _options(request: chat.ChatRequest) -> list[tuple[str, Any]]:
    sampling = request.sampling
    return [
        ("temperature", sampling.temperature),
        ("top_p", sampling.top_p),
        ("top_k", sampling.top_k),
        ("presence_penalty", sampling.presence_penalty),
        ("frequency_penalty", sampling.frequency_penalty),
        ("seed", sampling.seed),
        ("stop", list(request.stop) or None),
        ("num_predict", request.max_output_tokens),
    ]


def _tool(tool: chat.ToolSpec) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": {"type": "object", **tool.parameters},
    }
    return {"type": "function", "function": function}


def _count(raw: object) -> int:
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and raw > 0 else 0


def _text(raw: object) -> str:
    return raw if isinstance(raw, str) else ""
