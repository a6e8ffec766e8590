"""Requests of OpenAI and FastGPT clients, decoded into the command that starts a run."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from api.wire import WireId, WireMap, bounded_text, optional_id, string_map
from application.conversation.dto import IncomingMessage, Scene, TurnOverrides
from domain.shared.chat import FilePart, ImagePart, Part, Sampling, TextPart
from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.ids import parse_id
from domain.shared.limits import Limits

NO_RECORD: Final = "NO_RECORD_HISTORIES"
"""FastGPT's ``chatId`` of a run that stores nothing."""

MAX_STOPS: Final = 4
"""As in OpenAI's own API."""

_CONTINUED_CHAT_CHARS: Final = 250
"""FastGPT's own limit of a ``chatId``."""


class ImageUrl(msgspec.Struct, frozen=True, kw_only=True):
    """Address of an image, http(s) or data."""

    url: str
    detail: str | None = None


class FileRef(msgspec.Struct, frozen=True, kw_only=True):
    """An uploaded file, or one inline as a data address."""

    file_id: WireId | None = None
    file_data: str | None = None
    filename: str | None = None


class ContentPart(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a message; ``name`` and a text ``url`` belong to FastGPT's ``file_url``."""

    type: str
    text: str | None = None
    image_url: ImageUrl | str | None = None
    file: FileRef | None = None
    name: str | None = None
    url: str | None = None


class CompletionMessageIn(msgspec.Struct, frozen=True, kw_only=True):
    """One message of the request."""

    role: str
    content: str | list[ContentPart] | None = None
    tool_calls: list[Any] | None = None


class JsonSchema(msgspec.Struct, frozen=True, kw_only=True):
    """A schema that the answer follows."""

    schema: dict[str, Any] | None = None


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
    tools: list[Any] | None = None
    functions: list[Any] | None = None
    n: int | None = None
    logprobs: bool | None = None
    modalities: list[str] | None = None
    audio: Any = None
    user: str | None = None
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
    def of(cls, request: CompletionRequest) -> "Destination":
        """Read ``conversation_id`` and FastGPT's ``chatId``; neither means stateless."""
        found = optional_id(request.conversation_id, field="conversation_id")
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
        ("tools", request.tools),
        ("functions", request.functions),
        ("n", request.n not in {None, 1}),
        ("logprobs", request.logprobs),
        ("audio", request.audio),
        ("modalities", request.modalities not in (None, [], ["text"])),
    )
    for field, is_used in refusals:
        if is_used:
            raise InvalidRequest(f"{field}: this value is not supported here.", field=field)


def decode_conversation(
    request: CompletionRequest, *, only_last: bool, limits: Limits
) -> tuple[tuple[str, ...], tuple[IncomingMessage, ...]]:
    """Split the messages into system texts and the dialogue, whose last message is the query."""
    messages = request.messages or []
    if not messages:
        raise InvalidRequest("messages: at least one message is needed.", field="messages")
    if messages[-1].role != "user":
        raise InvalidRequest(
            "messages: the last message must have the role user.", field="messages"
        )
    system: list[str] = []
    dialogue: list[IncomingMessage] = []
    parts: tuple[Part, ...] = ()
    for index, message in enumerate(messages):
        field = f"messages[{index}]"
        parts = _parts(message.content, field=f"{field}.content", limits=limits)
        role = _role(message, field=field)
        if role == "system":
            system.append("\n".join(p.text for p in parts if isinstance(p, TextPart)))
        elif parts:
            is_text = all(isinstance(part, TextPart) for part in parts)
            dialogue.append(IncomingMessage(role=role, parts=parts, is_text=is_text))
    if not parts:
        raise InvalidRequest("messages: the last message has no content.", field="messages")
    if len(dialogue) > limits.completion_messages:
        raise InvalidRequest(
            f"messages: at most {limits.completion_messages} messages.", field="messages"
        )
    return tuple(filter(None, system)), tuple(dialogue[-1:] if only_last else dialogue)


def decode_overrides(request: CompletionRequest) -> TurnOverrides:
    """Return the model settings that the request changes."""
    _check_ranges(request)
    max_tokens = request.max_completion_tokens or request.max_tokens
    if max_tokens is not None and max_tokens < 1:
        raise InvalidRequest("max_tokens: expected at least 1.", field="max_tokens")
    wants_json, schema = _output(request.response_format)
    return TurnOverrides(
        sampling=Sampling(
            temperature=request.temperature,
            top_p=request.top_p,
            presence_penalty=request.presence_penalty,
            frequency_penalty=request.frequency_penalty,
            seed=request.seed,
        ),
        max_output_tokens=max_tokens,
        stop=_stops(request.stop),
        json_output=wants_json,
        json_schema=schema,
    )


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


def _role(message: CompletionMessageIn, *, field: str) -> Literal["system", "user", "assistant"]:
    if message.tool_calls or message.role in {"tool", "function"}:
        raise InvalidRequest(
            f"{field}: client-side tools are not supported here.", field=f"{field}.role"
        )
    match message.role:
        case "system" | "developer":
            return "system"
        case "user":
            return "user"
        case "assistant":
            return "assistant"
        case _:
            raise InvalidRequest(f"{field}.role: unknown role.", field=f"{field}.role")


def _parts(
    content: str | Sequence[ContentPart] | None, *, field: str, limits: Limits
) -> tuple[Part, ...]:
    if content is None:
        return ()
    if isinstance(content, str):
        found: tuple[Part, ...] = (TextPart(text=content),)
    else:
        found = tuple(_part(part, field=f"{field}[{index}]") for index, part in enumerate(content))
    size = sum(len(part.text.encode()) for part in found if isinstance(part, TextPart))
    if size > limits.message_bytes:
        raise RequestTooLarge(f"{field}: at most {limits.message_bytes} bytes.", field=field)
    if sum(isinstance(part, ImagePart) for part in found) > limits.images_per_request:
        raise InvalidRequest(f"{field}: at most {limits.images_per_request} images.", field=field)
    if found and all(isinstance(part, TextPart) for part in found):
        text = "\n".join(part.text for part in found if isinstance(part, TextPart))
        return (TextPart(text=text),) if text.strip() else ()
    return found


def _part(part: ContentPart, *, field: str) -> Part:
    match part.type:
        case "text":
            return TextPart(text=part.text or "")
        case "image_url" if part.image_url:
            image = part.image_url
            if isinstance(image, str):
                return ImagePart(url=image)
            return ImagePart(url=image.url, detail=image.detail or "")
        case "file" if part.file:
            return _file(part.file, field=field)
        case "file_url" if part.url:
            return FilePart(url=part.url, name=part.name or "")
        case _:
            raise InvalidRequest(
                f"{field}: expected text, image_url, file or file_url with its content.",
                field=field,
            )


def _file(file: FileRef, *, field: str) -> Part:
    name = file.filename or ""
    if file.file_id:
        return FilePart(file_id=parse_id(file.file_id, field=f"{field}.file_id"), name=name)
    if not file.file_data:
        raise InvalidRequest(f"{field}.file: needs file_id or file_data.", field=field)
    return FilePart(url=file.file_data, name=name)


def _stops(stop: str | Sequence[str] | None) -> tuple[str, ...]:
    found = (stop,) if isinstance(stop, str) else tuple(stop or ())
    if len(found) > MAX_STOPS:
        raise InvalidRequest(f"stop: at most {MAX_STOPS} sequences.", field="stop")
    return tuple(filter(None, found))


def _output(format_: ResponseFormat | None) -> tuple[bool | None, Mapping[str, object] | None]:
    match format_.type if format_ else "default":
        case "default":
            return None, None
        case "text":
            return False, None
        case "json_object":
            return True, None
        case "json_schema":
            schema = format_.json_schema if format_ else None
            return True, schema.schema if schema else None
        case _:
            raise InvalidRequest(
                "response_format: expected text, json_object or json_schema.",
                field="response_format",
            )
