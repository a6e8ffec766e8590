"""Chat models behind Anthropic's Messages API.

Wire: docs.anthropic.com, "Streaming messages" and "Errors"; event types of the vendor's SDK
(``anthropics/anthropic-sdk-python``, ``src/anthropic/types/raw_*_event.py``).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from domain.shared.chat import ChatRequest, FinishReason, Usage
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ChatModel, ModelCallFailed, ModelEndpoint
from infra.impl.chat_model import PROVIDERS, ProviderParts
from infra.impl.chat_model.anthropic_request import messages_body
from infra.impl.chat_model.frames import Frames, SseFrames
from infra.impl.chat_model.native import NativeChatModel
from infra.impl.chat_model.reasoning_cache import ReasoningCache
from infra.impl.chat_model.reply_builder import ReplyBuilder
from infra.impl.http import provider

_VERSION: Final = "2023-06-01"
_REASONS: Final = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "pause_turn": FinishReason.STOP,
    "tool_use": FinishReason.TOOL_CALLS,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "refusal": FinishReason.CONTENT_FILTER,
}
_STATUS: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status that an error inside a stream would have had outside of it."""


@PROVIDERS.register("anthropic")
def anthropic(endpoint: ModelEndpoint, parts: ProviderParts) -> ChatModel:
    """Open a model of Anthropic, or of a server with its wire."""
    return NativeChatModel(endpoint, parts, AnthropicDialect(endpoint, parts))


class AnthropicDialect:
    """Speaks the Messages API; brings signed thinking back while a turn calls tools."""

    def __init__(self, endpoint: ModelEndpoint, parts: ProviderParts) -> None:
        self._endpoint = endpoint
        self._limits = parts.limits
        self._reasoning = ReasoningCache()

    def address(self) -> str:
        base = self._endpoint.base_url.rstrip("/")
        is_versioned = base.endswith(("/v1", "/messages"))
        return provider.address(base if is_versioned else f"{base}/v1", "/messages")

    def headers(self) -> dict[str, str]:
        own = {"anthropic-version": _VERSION}
        if key := self._endpoint.api_key:
            own["x-api-key"] = key.reveal()
        return provider.provider_headers(
            Secret(""), own | dict(self._endpoint.headers), accept="text/event-stream"
        )

    def body(self, request: ChatRequest) -> dict[str, Any]:
        return messages_body(request, self._endpoint, self._reasoning)

    def frames(self) -> Frames:
        return SseFrames(
            event_bytes=self._limits.model_event_bytes, body_bytes=self._limits.model_reply_bytes
        )

    def fold(self, request: ChatRequest) -> "AnthropicFold":
        return AnthropicFold(
            model=self._endpoint.model, secret=self._endpoint.api_key, reasoning=self._reasoning
        )

    def failed(
        self, status: int, body: bytes, headers: Mapping[str, str], *, now: datetime
    ) -> ModelCallFailed:
        return provider.status_failed(status, body, headers, secret=self._endpoint.api_key, now=now)


class AnthropicFold:
    """Reads the events of one message; blocks are told apart by their index."""

    def __init__(self, *, model: str, secret: Secret, reasoning: ReasoningCache) -> None:
        self.builder = ReplyBuilder(model=model)
        self.is_over = False
        self._secret = secret
        self._reasoning = reasoning
        self._calls: dict[int, int] = {}
        self._thoughts: dict[int, dict[str, Any]] = {}
        self._counts: dict[str, int] = {}

    def take(self, raw: dict[str, Any]) -> None:
        """Fold one event in; raise ``ModelCallFailed`` for an error event."""
        match raw.get("type"):
            case "message_start":
                self._begin(_dict(raw.get("message")))
            case "content_block_start":
                self._open(_index(raw), _dict(raw.get("content_block")))
            case "content_block_delta":
                self._add(_index(raw), _dict(raw.get("delta")))
            case "message_delta":
                self._count(raw.get("usage"))
                self._tell(_dict(raw.get("delta")).get("stop_reason"))
            case "message_stop":
                self._end()
            case "message":
                self._take_whole(raw)
            case "error":
                cause = raw.get("error")
                status = _STATUS.get(str(_dict(cause).get("type")), 0)
                raise provider.error_failed(cause, status=status, secret=self._secret)
            case _:
                pass  # pings, ends of blocks and whatever is added later

    def _take_whole(self, message: dict[str, Any]) -> None:
        """Take a whole message, as gateways without streaming answer."""
        self._begin(message)
        content = message.get("content")
        for index, block in enumerate(content if isinstance(content, list) else ()):
            self._open(index, _dict(block), is_whole=True)
        self._tell(message.get("stop_reason"))
        self._end()

    def _begin(self, message: dict[str, Any]) -> None:
        self.builder.start(_text(message.get("id")), _text(message.get("model")))
        self._count(message.get("usage"))

    def _open(self, index: int, block: dict[str, Any], *, is_whole: bool = False) -> None:
        self.builder.start()
        match block.get("type"):
            case "text":
                self.builder.text(_text(block.get("text")))
            case "thinking" | "redacted_thinking":
                self._thoughts[index] = dict(block)
                self.builder.thought(_text(block.get("thinking")))
            case "tool_use":
                self._calls[index] = self.builder.open_call(
                    _text(block.get("name")),
                    call_id=_text(block.get("id")),
                    arguments=_arguments(block.get("input"), is_whole=is_whole),
                )
            case _:
                pass  # results of tools that run at the provider

    def _add(self, index: int, delta: dict[str, Any]) -> None:
        match delta.get("type"):
            case "text_delta":
                self.builder.text(_text(delta.get("text")))
            case "thinking_delta":
                piece = _text(delta.get("thinking"))
                self._extend(index, "thinking", piece)
                self.builder.thought(piece)
            case "signature_delta":
                self._extend(index, "signature", _text(delta.get("signature")))
            case "input_json_delta" if index in self._calls:
                self.builder.add_arguments(self._calls[index], _text(delta.get("partial_json")))
            case _:
                pass  # citations

    def _extend(self, index: int, name: str, piece: str) -> None:
        block = self._thoughts.setdefault(index, {"type": "thinking", "thinking": ""})
        block[name] = _text(block.get(name)) + piece

    def _tell(self, reason: object) -> None:
        if isinstance(reason, str):
            self.builder.reason = _REASONS.get(reason, FinishReason.STOP)

    def _end(self) -> None:
        self.is_over = True
        thoughts = [block for _, block in sorted(self._thoughts.items())]
        if thoughts and self.builder.call_ids:
            self._reasoning.keep(self.builder.call_ids, thoughts)

    def _count(self, raw: object) -> None:
        """Take counts, which are cumulative; cached input is counted apart by the vendor."""
        for name, value in _dict(raw).items():
            if isinstance(value, int) and not isinstance(value, bool):
                self._counts[name] = value
        cached = self._counts.get("cache_read_input_tokens", 0)
        written = self._counts.get("cache_creation_input_tokens", 0)
        usage = Usage(
            input_tokens=self._counts.get("input_tokens", 0) + cached + written,
            output_tokens=self._counts.get("output_tokens", 0),
            cached_tokens=cached,
        )
        if usage.total_tokens:
            self.builder.usage = usage


def _arguments(raw: object, *, is_whole: bool) -> str:
    """Return input that came at once; a stream opens with an empty object and adds pieces."""
    if isinstance(raw, dict) and (raw or is_whole):
        return msgspec.json.encode(raw).decode()
    return ""


def _index(raw: dict[str, Any]) -> int:
    index = raw.get("index")
    return index if isinstance(index, int) else 0


def _dict(raw: object) -> dict[str, Any]:
    return raw if isinstance(raw, dict) else {}


def _text(raw: object) -> str:
    return raw if isinstance(raw, str) else ""
