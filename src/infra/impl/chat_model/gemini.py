"""Chat models behind Google's Gemini API.

Wire: ai.google.dev, "Generating content" (``GenerateContentResponse``) and "Troubleshooting";
types of the vendor's SDK (``googleapis/python-genai``, ``google/genai/types.py``).
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from domain.shared import chat
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ChatModel, ModelCallFailed, ModelEndpoint, ModelFailure
from infra.impl.chat_model import PROVIDERS, ProviderParts
from infra.impl.chat_model.anthropic_request import arguments_of, image_source
from infra.impl.chat_model.frames import Frames, SseFrames
from infra.impl.chat_model.native import NativeChatModel
from infra.impl.chat_model.openai_request import mapped
from infra.impl.chat_model.reasoning_cache import ReasoningCache
from infra.impl.chat_model.reply_builder import ReplyBuilder
from infra.impl.http import gemini as wire
from infra.impl.http import provider

_REASONS: Final = {
    "STOP": chat.FinishReason.STOP,
    "MAX_TOKENS": chat.FinishReason.LENGTH,
    "SAFETY": chat.FinishReason.CONTENT_FILTER,
    "RECITATION": chat.FinishReason.CONTENT_FILTER,
    "LANGUAGE": chat.FinishReason.CONTENT_FILTER,
    "BLOCKLIST": chat.FinishReason.CONTENT_FILTER,
    "PROHIBITED_CONTENT": chat.FinishReason.CONTENT_FILTER,
    "SPII": chat.FinishReason.CONTENT_FILTER,
    "IMAGE_SAFETY": chat.FinishReason.CONTENT_FILTER,
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
        self._reasoning = ReasoningCache()

    def address(self) -> str:
        endpoint = self._endpoint
        model = wire.resource_of(endpoint.model)
        return f"{wire.versioned(endpoint.base_url)}/{model}:streamGenerateContent?alt=sse"

    def headers(self) -> dict[str, str]:
        endpoint = self._endpoint
        return wire.headers_of(endpoint.api_key, endpoint.headers, accept="text/event-stream")

    def body(self, request: chat.ChatRequest) -> dict[str, Any]:
        return content_body(request, self._endpoint, self._reasoning)

    def frames(self) -> Frames:
        return SseFrames(
            event_bytes=self._limits.model_event_bytes, body_bytes=self._limits.model_reply_bytes
        )

    def fold(self, request: chat.ChatRequest) -> "GeminiFold":
        return GeminiFold(
            model=self._endpoint.model, secret=self._endpoint.api_key, reasoning=self._reasoning
        )

    def failed(
        self, status: int, body: bytes, headers: Mapping[str, str], *, now: datetime
    ) -> ModelCallFailed:
        return wire.status_failed(status, body, headers, secret=self._endpoint.api_key, now=now)


class GeminiFold:
    """Reads the chunks of one reply; each has the shape of a whole one.

    The wire has no end marker: the reply is over when the body ends after a finish reason.
    """

    def __init__(self, *, model: str, secret: Secret, reasoning: ReasoningCache) -> None:
        self.builder = ReplyBuilder(model=model)
        self.is_over = False
        self._secret = secret
        self._reasoning = reasoning

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
            self._reasoning.keep(
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
            self.builder.reason = _REASONS.get(reason, chat.FinishReason.STOP)

    def _count(self, raw: object) -> None:
        counts = {
            name: value
            for name, value in _dict(raw).items()
            if isinstance(value, int) and not isinstance(value, bool)
        }
        thoughts = counts.get("thoughtsTokenCount", 0)
        usage = chat.Usage(
            input_tokens=counts.get("promptTokenCount", 0)
            + counts.get("toolUsePromptTokenCount", 0),
            # Counted beside the answer here, and as a part of it by others.
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


_TOP_LEVEL: Final = frozenset({"safetySettings", "cachedContent", "labels"})
"""Parameters of an agent's developer that do not belong into ``generationConfig``."""
_MODES: Final = {"auto": "AUTO", "required": "ANY", "none": "NONE"}
# From version 3 on a call is refused that comes back without its signature.
_SIGNS: Final = re.compile(r"gemini-(?:[3-9]|\d{2})")
_UNSIGNED: Final = "skip_thought_signature_validator"
"""The vendor's documented signature for calls that no Gemini model made."""
_BEGIN: Final = "Begin."
_THOUGHT_TOKENS: Final = {
    "none": 0,
    "minimal": 1024,
    "low": 1024,
    "medium": 8192,
    "high": 24_576,
    "xhigh": 24_576,
    "max": 24_576,
}
"""As the vendor's own endpoint in OpenAI's form reads the levels."""


def content_body(
    request: chat.ChatRequest, endpoint: ModelEndpoint, reasoning: ReasoningCache
) -> dict[str, Any]:
    """Return the body of a streamed call."""
    extra = dict(request.parameters)
    body: dict[str, Any] = {name: extra.pop(name) for name in _TOP_LEVEL & extra.keys()}
    config = {name: value for name, value in _parameters(request) if value is not None}
    has_tools = bool(request.tools) and endpoint.capabilities.tools == "native"
    if (
        request.output is chat.OutputFormat.JSON and not has_tools
    ):  # the vendor takes one of the two
        config["responseMimeType"] = "application/json"
        if request.json_schema is not None and endpoint.capabilities.json_schema:
            config["responseJsonSchema"] = request.json_schema
    if endpoint.capabilities.reasoning:
        config["thinkingConfig"] = {"includeThoughts": True}
        if request.reasoning_effort and endpoint.capabilities.reasoning_effort:
            budget = _THOUGHT_TOKENS[request.reasoning_effort]
            config["thinkingConfig"] |= {"thinkingBudget": budget}
    config = mapped(config | extra, endpoint.mapping)
    body["contents"] = _Contents(endpoint.model, reasoning).of(request)
    if config:
        body["generationConfig"] = config
    if has_tools:
        body |= _tools(request)
    system = "\n\n".join(m.text for m in request.messages if m.role == "system" and m.text)
    if system:
        body["systemInstruction"] = {"parts": [{"text": system}]}
    return body


def _parameters(request: chat.ChatRequest) -> list[tuple[str, Any]]:
    sampling = request.sampling
    return [
        ("temperature", sampling.temperature),
        ("topP", sampling.top_p),
        ("topK", sampling.top_k),
        ("presencePenalty", sampling.presence_penalty),
        ("frequencyPenalty", sampling.frequency_penalty),
        ("seed", sampling.seed),
        ("stopSequences", list(request.stop) or None),
        ("maxOutputTokens", request.max_output_tokens),
    ]


def _tools(request: chat.ChatRequest) -> dict[str, Any]:
    body: dict[str, Any] = {
        "tools": [{"functionDeclarations": [_declaration(tool) for tool in request.tools]}]
    }
    if request.tool_choice in _MODES:
        calling: dict[str, Any] = {"mode": _MODES[request.tool_choice]}
    else:
        calling = {"mode": "ANY", "allowedFunctionNames": [request.tool_choice]}
    if calling["mode"] != "AUTO":
        body["toolConfig"] = {"functionCallingConfig": calling}
    return body


def _declaration(tool: chat.ToolSpec) -> dict[str, Any]:
    declaration: dict[str, Any] = {"name": tool.name, "description": tool.description}
    if tool.parameters.get("properties"):  # a function without parameters must not declare any
        declaration["parametersJsonSchema"] = {"type": "object", **tool.parameters}
    return declaration


class _Contents:
    """Turns of user and model; neighbours of one side are merged, results stay together."""

    def __init__(self, model: str, reasoning: ReasoningCache) -> None:
        self._needs_signature = bool(_SIGNS.search(model))
        self._reasoning = reasoning
        self._names: dict[str, str] = {}
        self._turns: list[dict[str, Any]] = []

    def of(self, request: chat.ChatRequest) -> list[dict[str, Any]]:
        """Return the contents of a request; there must be one."""
        for message in request.messages:
            match message.role:
                case "user":
                    self._extend("user", list(_parts(message)))
                case "tool":
                    self._extend("user", [self._result(message)])
                case "assistant":
                    self._extend("model", list(self._said(message)))
                case "system":
                    pass
        if not self._turns or self._turns[0]["role"] != "user":
            self._turns.insert(0, {"role": "user", "parts": [{"text": _BEGIN}]})
        return self._turns

    def _extend(self, role: str, parts: list[dict[str, Any]]) -> None:
        if not parts:
            return
        if self._turns and self._turns[-1]["role"] == role:
            self._turns[-1]["parts"].extend(parts)
        else:
            self._turns.append({"role": role, "parts": parts})

    def _said(self, message: chat.ChatMessage) -> Iterator[dict[str, Any]]:
        if message.text:
            yield {"text": message.text}
        for number, call in enumerate(message.tool_calls):
            yield self._call(call, is_first=number == 0)

    def _call(self, call: chat.ToolCall, *, is_first: bool) -> dict[str, Any]:
        self._names[call.id] = call.name
        kept = self._reasoning.find(call.id)
        function: dict[str, Any] = {"name": call.name, "args": arguments_of(call.arguments)}
        if kept and kept["id"]:
            function["id"] = kept["id"]
        part: dict[str, Any] = {"functionCall": function}
        if kept and kept["signature"]:
            part["thoughtSignature"] = kept["signature"]
        elif kept is None and is_first and self._needs_signature:
            part["thoughtSignature"] = _UNSIGNED
        return part

    def _result(self, message: chat.ChatMessage) -> dict[str, Any]:
        kept = self._reasoning.find(message.tool_call_id)
        response: dict[str, Any] = {
            "name": self._names.get(message.tool_call_id, "tool"),
            "response": {"error" if message.tool_error else "result": message.text},
        }
        if kept and kept["id"]:
            response["id"] = kept["id"]
        return {"functionResponse": response}


def _parts(message: chat.ChatMessage) -> Iterator[dict[str, Any]]:
    for part in message.parts:
        if isinstance(part, chat.ImagePart) and part.data:
            media_type, data = image_source(part)
            yield {"inlineData": {"mimeType": media_type, "data": data}}
        elif isinstance(part, chat.ImagePart) and part.url.startswith(("http://", "https://")):
            yield {"fileData": {"mimeType": part.media_type or "image/png", "fileUri": part.url}}
        elif words := chat.in_words(part).strip():
            yield {"text": part.text if isinstance(part, chat.TextPart) else words}
