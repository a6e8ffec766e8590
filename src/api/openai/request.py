"""Bodies of Chat Completions, FastGPT's additions to them, and what they ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from api.openai.error import UnsupportedParameter
from api.openai.message import CompletionMessageIn
from api.openai.tool import NAME, ToolChoiceIn, ToolIn, decode_tools
from api.wire import WireId, WireMap, bounded_text, optional_id, string_map
from application.conversation.dto import TurnOverrides
from domain.conversation.value import Scene
from domain.shared.chat import EFFORTS, VERBOSITIES, ChatMessage, Sampling
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits
from domain.shared.text.json_schema import check_schema

NO_RECORD: Final = "NO_RECORD_HISTORIES"
"""FastGPT's ``chatId`` of a run that stores nothing."""

MAX_STOPS: Final = 4
"""As in OpenAI's own API."""

_CONTINUED_CHAT_CHARS: Final = 250
"""FastGPT's own limit of a ``chatId``."""


class JsonSchema(msgspec.Struct, frozen=True, kw_only=True):
    """A schema that the answer follows; ``strict`` allows no property beside those it names.

    ``name`` and ``description`` tell the model what the answer is.
    """

    name: str | None = None
    description: str | None = None
    schema: dict[str, Any] | None = None
    strict: bool | None = None


class ResponseFormat(msgspec.Struct, frozen=True, kw_only=True):
    """Shape of the answer: text, json_object or json_schema."""

    type: str
    json_schema: JsonSchema | None = None


class StreamOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Extras of a stream."""

    include_usage: bool | None = None


class CompletionRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST /v1/chat/completions``; the last six fields are FastGPT's."""

    model: str | None = None
    messages: list[CompletionMessageIn] | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    temperature: float | None = None
    top_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    stop: str | list[str] | None = None
    response_format: ResponseFormat | None = None
    tools: list[ToolIn] | None = None
    tool_choice: str | ToolChoiceIn | None = None
    parallel_tool_calls: bool | None = None
    functions: list[Any] | None = None
    function_call: Any = None
    n: int | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    modalities: list[str] | None = None
    audio: Any = None
    reasoning_effort: str | None = None
    verbosity: str | None = None
    store: bool | None = None
    service_tier: str | None = None
    prediction: Any = None
    logit_bias: dict[str, Any] | None = None
    moderation: Any = None
    web_search_options: Any = None
    user: str | None = None
    safety_identifier: str | None = None
    metadata: WireMap | None = None
    conversation_id: WireId | None = None
    chat_id: str | None = msgspec.field(default=None, name="chatId")
    response_item_id: str | None = msgspec.field(default=None, name="responseChatItemId")
    variables: dict[str, Any] | None = None
    detail: bool | None = None
    retain_cite: bool | None = msgspec.field(default=None, name="retainDatasetCite")
    app_id: WireId | None = msgspec.field(default=None, name="appId")

    @property
    def include_usage(self) -> bool:
        return bool(self.stream_options and self.stream_options.include_usage)

    @property
    def is_fastgpt(self) -> bool:
        """Tell whether the request uses what only FastGPT's clients know."""
        fields = (self.chat_id, self.app_id, self.detail, self.retain_cite)
        return any(field is not None for field in fields)


class Destination(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run lives: nowhere, in a named conversation, or in one of the caller's key."""

    conversation_id: int | None = None
    conversation_key: str | None = None
    scene: Scene = Scene.EPHEMERAL
    save_history: bool = False
    only_last_message: bool = False

    @classmethod
    def of(cls, request: CompletionRequest, *, header: str = "") -> "Destination":
        """Read ``conversation_id``, the header of that name, and FastGPT's ``chatId``.

        None of them means stateless.
        """
        found = optional_id(request.conversation_id, field="conversation_id")
        named = optional_id(header or None, field="X-Conversation-Id")
        if named is not None and found not in {None, named}:
            raise InvalidRequest(
                "conversation_id: the header X-Conversation-Id names another one.",
                field="conversation_id",
            )
        found = named if found is None else found
        if found is not None:
            return cls(conversation_id=found, scene=Scene.OPENAI, save_history=True)
        key = request.chat_id
        if key is None or key == NO_RECORD:
            return cls()
        bounded_text(key, field="chatId", max_chars=_CONTINUED_CHAT_CHARS)
        return cls(
            conversation_key=key or None,
            scene=Scene.API,
            save_history=True,
            only_last_message=bool(key),
        )


def check_supported(request: CompletionRequest) -> None:
    """Refuse what would change the answer and is not implemented, naming the field."""
    refusals: tuple[tuple[str, object], ...] = (
        ("functions", request.functions),
        ("function_call", request.function_call),
        ("n", request.n not in {None, 1}),
        ("logprobs", request.logprobs),
        ("top_logprobs", request.top_logprobs),
        ("audio", request.audio),
        ("modalities", request.modalities not in (None, [], ["text"])),
    )
    for field, is_used in refusals:
        if is_used:
            raise UnsupportedParameter(f"{field}: this value is not supported here.", field=field)


def ignored_headers(
    request: CompletionRequest, *, also: Sequence[str] = (), is_raw: bool = False
) -> dict[str, str]:
    """Name what the request sets without effect; ``also`` is what the model cannot do."""
    fields: dict[str, object] = {
        "service_tier": request.service_tier not in {None, "auto", "default"},
        "store": request.store,
        "prediction": request.prediction,
        "logit_bias": request.logit_bias,
        "moderation": request.moderation,
        "web_search_options": request.web_search_options,
    }
    if is_raw:
        fields["strict"] = any(t.function and t.function.strict for t in request.tools or ())
    names = [*also, *(name for name, value in fields.items() if value)]
    return {"coterie-ignored": ", ".join(names)} if names else {}


def since_question(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Leave out the history: the system's messages, and everything from the last question on."""
    last = max((at for at, each in enumerate(messages) if each.role == "user"), default=0)
    return tuple(m for at, m in enumerate(messages) if m.role == "system" or at >= last)


def decode_client_tools(request: CompletionRequest, overrides: TurnOverrides) -> TurnOverrides:
    """Add the tools of a request, and how they may be called."""
    found = decode_tools(request.tools, request.tool_choice)
    strict = [t.function.name for t in request.tools or () if t.function and t.function.strict]
    return replace(
        overrides,
        tools=found.specs,
        tool_choice=found.choice,
        parallel_tool_calls=request.parallel_tool_calls if found.specs else None,
        strict_tools=tuple(strict),
    )


def decode_overrides(request: CompletionRequest) -> TurnOverrides:
    """Return the model settings that the request changes."""
    _check_ranges(request)
    max_tokens = request.max_completion_tokens or request.max_tokens
    if max_tokens is not None and max_tokens < 1:
        raise InvalidRequest("max_tokens: expected at least 1.", field="max_tokens")
    overrides = TurnOverrides(
        sampling=Sampling(
            temperature=request.temperature,
            top_p=request.top_p,
            presence_penalty=request.presence_penalty,
            frequency_penalty=request.frequency_penalty,
            seed=request.seed,
        ),
        max_output_tokens=max_tokens,
        stop=_stops(request.stop),
        reasoning_effort=_one_of(EFFORTS, request.reasoning_effort, field="reasoning_effort"),
        verbosity=_one_of(VERBOSITIES, request.verbosity, field="verbosity"),
    )
    return with_format(overrides, request.response_format)


def _one_of(known: Sequence[str], given: str | None, *, field: str) -> str:
    if given and given not in known:
        raise InvalidRequest(f"{field}: expected one of {', '.join(known)}.", field=field)
    return given or ""


def _check_ranges(request: CompletionRequest) -> None:
    ranges = (
        ("temperature", request.temperature, 0, 2),
        ("top_p", request.top_p, 0, 1),
        ("presence_penalty", request.presence_penalty, -2, 2),
        ("frequency_penalty", request.frequency_penalty, -2, 2),
    )
    for name, value, low, high in ranges:
        if value is not None and not low <= value <= high:
            raise InvalidRequest(f"{name}: expected {low} to {high}.", field=name)


def decode_variables(variables: Mapping[str, Any] | None, *, limits: Limits) -> dict[str, str]:
    """Read FastGPT's variables; what is not text becomes its JSON text, null counts as absent."""
    entries = {k: v for k, v in (variables or {}).items() if v is not None}
    if len(entries) > limits.agent_variables:
        raise InvalidRequest(
            f"variables: at most {limits.agent_variables} entries.", field="variables"
        )
    result: dict[str, str] = {}
    for key, value in entries.items():
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        if not 1 <= len(key) <= limits.meta_key_chars or len(text) > limits.string_bytes:
            raise InvalidRequest(f"variables: {key[:64]!r} is too long.", field="variables")
        result[key] = text
    return result


def decode_answer_meta(request: CompletionRequest, *, limits: Limits) -> dict[str, str]:
    """Return what is stored with the answer: the caller's own id of it."""
    if not request.response_item_id:
        return {}
    entry: dict[str, str | None] = {"response_chat_item_id": request.response_item_id}
    return string_map(entry, field="responseChatItemId", limits=limits)


def _stops(stop: str | Sequence[str] | None) -> tuple[str, ...]:
    found = (stop,) if isinstance(stop, str) else tuple(stop or ())
    if len(found) > MAX_STOPS:
        raise InvalidRequest(f"stop: at most {MAX_STOPS} sequences.", field="stop")
    return tuple(filter(None, found))


def with_format(
    overrides: TurnOverrides, format_: ResponseFormat | None, *, field: str = "response_format"
) -> TurnOverrides:
    """Add the form that the answer is to have; ``field`` is where the request names it.

    Raises:
        InvalidJsonSchema: answers cannot be checked against the schema (4000).
    """
    match format_.type if format_ else None:
        case None:
            return overrides
        case "text":
            return replace(overrides, json_output=False)
        case "json_object":
            return replace(overrides, json_output=True)
        case "json_schema":
            pass
        case _:
            raise InvalidRequest(
                f"{field}: expected text, json_object or json_schema.", field=field
            )
    field = f"{field}.json_schema" if field == "response_format" else field
    given = format_.json_schema if format_ else None
    if given is None or given.schema is None:
        raise InvalidRequest(f"{field}.schema: required.", field=f"{field}.schema")
    if NAME.fullmatch(given.name or "") is None:
        text = f"{field}.name: expected 1 to 64 letters, digits, dashes and underscores."
        raise InvalidRequest(text, field=f"{field}.name")
    strict = bool(given.strict)
    check_schema(given.schema, field=f"{field}.schema", strict=strict)
    return replace(
        overrides,
        json_output=True,
        json_schema=given.schema,
        json_strict=strict,
        json_name=given.name or "",
        json_description=given.description or "",
    )
