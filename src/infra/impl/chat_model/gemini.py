"""Chat models behind Google's Gemini API.

Wire: ai.google.dev, "Generating content" (``GenerateContentResponse``) and "Troubleshooting";
types of the vendor's SDK (``googleapis/python-genai``, ``google/genai/types.py``).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from domain.shared.chat import ChatRequest, FinishReason, Usage
from domain.shared.secret import Secret
from infra.contract.chat_model import ChatModel, ModelCallFailed, ModelEndpoint, ModelFailure
from infra.impl.chat_model import PROVIDERS, ProviderParts
from infra.impl.chat_model.frames import Frames, SseFrames
from infra.impl.chat_model.gemini_request import content_body
from infra.impl.chat_model.keepsake import CallKeepsakes
from infra.impl.chat_model.native import NativeChatModel
from infra.impl.chat_model.reply_builder import ReplyBuilder
from infra.impl.http import gemini as wire
from infra.impl.http import provider

_REASONS: Final = {
    "STOP": FinishReason.STOP,
    "MAX_TOKENS": FinishReason.LENGTH,
    "SAFETY": FinishReason.CONTENT_FILTER,
    "RECITATION": FinishReason.CONTENT_FILTER,
    "LANGUAGE": FinishReason.CONTENT_FILTER,
    "BLOCKLIST": FinishReason.CONTENT_FILTER,
    "PROHIBITED_CONTENT": FinishReason.CONTENT_FILTER,
    "SPII": FinishReason.CONTENT_FILTER,
    "IMAGE_SAFETY": FinishReason.CONTENT_FILTER,
}
_BAD_CALLS: Final = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"})


@PROVIDERS.register("gemini")
def gemini(endpoint: ModelEndpoint, parts: ProviderParts) -> ChatModel:
    """Open a Gemini model."""
    return NativeChatModel(endpoint, parts, GeminiDialect(endpoint, parts))


class GeminiDialect:
    """Speaks ``streamGenerateContent``; brings thought signatures back with the calls."""

    def __init__(self, endpoint: ModelEndpoint, parts: ProviderParts) -> None:
        self._endpoint = endpoint
        self._limits = parts.limits
        self._keepsakes = CallKeepsakes()

    def address(self) -> str:
        endpoint = self._endpoint
        model = wire.resource_of(endpoint.model)
        return f"{wire.versioned(endpoint.base_url)}/{model}:streamGenerateContent?alt=sse"

    def headers(self) -> dict[str, str]:
        endpoint = self._endpoint
        return wire.headers_of(endpoint.api_key, endpoint.headers, accept="text/event-stream")

    def body(self, request: ChatRequest) -> dict[str, Any]:
        return content_body(request, self._endpoint, self._keepsakes)

    def frames(self) -> Frames:
        return SseFrames(
            event_bytes=self._limits.model_event_bytes, body_bytes=self._limits.model_reply_bytes
        )

    def fold(self, request: ChatRequest) -> "GeminiFold":
        return GeminiFold(
            model=self._endpoint.model, secret=self._endpoint.api_key, keepsakes=self._keepsakes
        )

    def failed(
        self, status: int, body: bytes, headers: Mapping[str, str], *, now: datetime
    ) -> ModelCallFailed:
        return wire.status_failed(status, body, headers, secret=self._endpoint.api_key, now=now)


class GeminiFold:
    """Reads the chunks of one reply; each has the shape of a whole one.

    The wire has no end marker: the reply is over when the body ends after a finish reason.
    """

    def __init__(self, *, model: str, secret: Secret, keepsakes: CallKeepsakes) -> None:
        self.builder = ReplyBuilder(model=model)
        self.is_over = False
        self._secret = secret
        self._keepsakes = keepsakes

    def take(self, raw: dict[str, Any]) -> None:
        """Fold one chunk in; raise ``ModelCallFailed`` for errors and refused prompts."""
        if raw.get("error"):
            raise provider.error_failed(raw["error"], status=0, secret=self._secret)
        blocked = _dict(raw.get("promptFeedback")).get("blockReason")
        if blocked:
            raise provider.failed(ModelFailure.CONTENT_FILTER, upstream=str(blocked)[:100])
        self._count(raw.get("usageMetadata"))
        candidates = raw.get("candidates")
        if not isinstance(candidates, list) or not candidates:
            return
        self.builder.start(_text(raw.get("responseId")), _text(raw.get("modelVersion")))
        candidate = _dict(candidates[0])
        parts = _dict(candidate.get("content")).get("parts")
        for part in parts if isinstance(parts, list) else ():
            self._take_part(_dict(part))
        self._tell(candidate.get("finishReason"))

    def _take_part(self, part: dict[str, Any]) -> None:
        call = part.get("functionCall")
        if isinstance(call, dict):
            arguments = call.get("args")
            index = self.builder.open_call(
                _text(call.get("name")),
                call_id=_text(call.get("id")),
                arguments=msgspec.json.encode(arguments or {}).decode(),
            )
            self._keepsakes.keep(
                [self.builder.call_ids[index]],
                {"id": _text(call.get("id")), "signature": _text(part.get("thoughtSignature"))},
            )
        elif part.get("thought") is True:
            self.builder.thought(_text(part.get("text")))
        else:
            self.builder.text(_text(part.get("text")))

    def _tell(self, reason: object) -> None:
        if reason in _BAD_CALLS:
            raise provider.failed(ModelFailure.MALFORMED, detail="a tool call is malformed")
        if isinstance(reason, str) and reason != "FINISH_REASON_UNSPECIFIED":
            self.builder.reason = _REASONS.get(reason, FinishReason.STOP)

    def _count(self, raw: object) -> None:
        counts = {
            name: value
            for name, value in _dict(raw).items()
            if isinstance(value, int) and not isinstance(value, bool)
        }
        thoughts = counts.get("thoughtsTokenCount", 0)
        usage = Usage(
            input_tokens=counts.get("promptTokenCount", 0)
            + counts.get("toolUsePromptTokenCount", 0),
            output_tokens=counts.get("candidatesTokenCount", 0) + thoughts,
            cached_tokens=counts.get("cachedContentTokenCount", 0),
            reasoning_tokens=thoughts,
        )
        if usage.total_tokens:
            self.builder.usage = usage


def _dict(raw: object) -> dict[str, Any]:
    return raw if isinstance(raw, dict) else {}


def _text(raw: object) -> str:
    return raw if isinstance(raw, str) else ""
