"""Chat models behind Google's Gemini API.

Wire: ai.google.dev, "Generating content" (``GenerateContentResponse``) and "Troubleshooting";
types of the vendor's SDK (``googleapis/python-genai``, ``google/genai/types.py``).
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

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
_DELAY: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,9})?)s", re.ASCII)
_VERSION: Final = re.compile(r"/v[0-9][a-z0-9]*$")
_LIMITED, _BAD_REQUEST = 429, 400


@PROVIDERS.register("gemini")
def gemini(endpoint: ModelEndpoint, parts: ProviderParts) -> ChatModel:
    """Open a Gemini model."""
    return NativeChatModel(endpoint, parts, GeminiDialect(endpoint, parts))


def gemini_base(base_url: str) -> str:
    """Return the address of the API with its version."""
    base = base_url.rstrip("/")
    return base if _VERSION.search(base) else f"{base}/v1beta"


def gemini_model(model: str) -> str:
    """Return the resource name of a model."""
    return quote(model if "/" in model else f"models/{model}", safe="/")


def gemini_headers(api_key: Secret, extra: Mapping[str, str], *, accept: str) -> dict[str, str]:
    """Return the headers of a call."""
    own = {"x-goog-api-key": api_key.reveal()} if api_key else {}
    return provider.provider_headers(Secret(""), own | dict(extra), accept=accept)


def gemini_failed(
    status: int, body: bytes, headers: Mapping[str, str], *, secret: Secret, now: datetime
) -> ModelCallFailed:
    """Name a failure by an error answer.

    The vendor words every rate limit as an exceeded quota and puts the delay into the body; an
    unknown key is a bad request.
    """
    failure = provider.status_failed(status, body, headers, secret=secret, now=now)
    details = _details(body)
    if status == _LIMITED and (delay := _retry_delay(details)) is not None:
        return provider.failed(
            ModelFailure.RATE_LIMITED,
            status=status,
            retry_after_s=delay,
            upstream=failure.context.get("upstream", ""),
        )
    if status == _BAD_REQUEST and any(d.get("reason") == "API_KEY_INVALID" for d in details):
        return provider.failed(ModelFailure.AUTH, status=status)
    return failure


class GeminiDialect:
    """Speaks ``streamGenerateContent``; brings thought signatures back with the calls."""

    def __init__(self, endpoint: ModelEndpoint, parts: ProviderParts) -> None:
        self._endpoint = endpoint
        self._limits = parts.limits
        self._keepsakes = CallKeepsakes()

    def address(self) -> str:
        endpoint = self._endpoint
        model = gemini_model(endpoint.model)
        return f"{gemini_base(endpoint.base_url)}/{model}:streamGenerateContent?alt=sse"

    def headers(self) -> dict[str, str]:
        endpoint = self._endpoint
        return gemini_headers(endpoint.api_key, endpoint.headers, accept="text/event-stream")

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
        return gemini_failed(status, body, headers, secret=self._endpoint.api_key, now=now)


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


def _details(body: bytes) -> list[dict[str, Any]]:
    """Return the typed details of an error answer (google.rpc.Status)."""
    try:
        raw = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    if isinstance(raw, list) and raw:
        raw = raw[0]
    details = _dict(_dict(raw).get("error")).get("details")
    return [d for d in details if isinstance(d, dict)] if isinstance(details, list) else []


def _retry_delay(details: list[dict[str, Any]]) -> float | None:
    for detail in details:
        if match := _DELAY.fullmatch(_text(detail.get("retryDelay"))):
            return float(match[1])
    return None


def _dict(raw: object) -> dict[str, Any]:
    return raw if isinstance(raw, dict) else {}


def _text(raw: object) -> str:
    return raw if isinstance(raw, str) else ""
