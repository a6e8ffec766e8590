"""Body of a request for a response, and what it asks for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec

from api.body.request import ApiRequest, Received, check_json_type
from api.openai.error import UnsupportedParameter, UnsupportedToolType
from api.openai.request import (
    CompletionRequest,
    JsonSchema,
    ResponseFormat,
    decode_client_tools,
    decode_overrides,
    with_format,
)
from api.openai.responses.items import InputItem
from api.openai.tool import (
    AllowedTools,
    ClientTools,
    FunctionIn,
    NamedFunction,
    NamedTool,
    ToolChoiceIn,
    ToolIn,
    decode_tools,
)
from api.wire import WireId, WireMap, optional_id
from application.conversation.dto import TurnOverrides
from application.conversation.response import ResponseKey
from domain.shared.error import InvalidRequest
from domain.shared.ids import MAX_ID, parse_id

RESPONSE_PREFIX: Final = "resp_"
CONVERSATION_PREFIX: Final = "conv_"
_FORM: Final = "application/x-www-form-urlencoded"
_FORM_FIELDS: Final = ("model", "input", "stream")
_LEAST_OUTPUT: Final = 16
FILE_SEARCH: Final = "file_search"
"""Type of the tool that stands for knowledge bases."""
_MOST_BASES: Final = 20
_MOST_RESULTS: Final = 50
"""As in OpenAI's own API."""


class ResponseTool(msgspec.Struct, frozen=True, kw_only=True):
    """A function that the caller executes, or ``file_search``: knowledge bases to be searched."""

    type: str
    name: str | None = None
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None
    vector_store_ids: list[WireId] | None = None
    """Ids of knowledge bases, of a ``file_search``."""
    max_num_results: int | None = None
    """Most pieces that a ``file_search`` finds, 1 to 50."""


class FileSearch(msgspec.Struct, frozen=True, kw_only=True):
    """Knowledge bases that a request brings along; ``most`` None leaves it to who searches."""

    dataset_ids: tuple[int, ...]
    most: int | None = None


class ResponseToolChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One function that must be called, or those that may be (``allowed_tools``)."""

    type: str
    name: str | None = None
    mode: str | None = None
    tools: list[ResponseTool] | None = None


class TextFormat(msgspec.Struct, frozen=True, kw_only=True):
    """Shape of the answer: text, json_object or json_schema."""

    type: str = "text"
    name: str | None = None
    schema: dict[str, Any] | None = None
    strict: bool | None = None
    description: str | None = None


class TextOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How the answer is written."""

    format: TextFormat | None = None
    verbosity: str | None = None


class ReasoningOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How much a model thinks; its reasoning is sent only if ``summary`` is given."""

    effort: str | None = None
    summary: str | None = None


class ConversationRef(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation by its id."""

    id: WireId


class ResponseRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST /v1/responses``."""

    model: str | None = None
    input: str | list[InputItem] | None = None
    instructions: str | None = None
    previous_response_id: str | None = None
    conversation: WireId | ConversationRef | None = None
    tools: list[ResponseTool] | None = None
    tool_choice: str | ResponseToolChoice | None = None
    parallel_tool_calls: bool | None = None
    max_tool_calls: int | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    text: TextOptions | None = None
    reasoning: ReasoningOptions | None = None
    truncation: str | None = None
    store: bool | None = None
    background: bool | None = None
    stream: bool | None = None
    include: list[str] | None = None
    metadata: WireMap | None = None
    user: str | None = None
    safety_identifier: str | None = None
    prompt_cache_key: str | None = None
    prompt: Any = None

    @property
    def is_stored(self) -> bool:
        return self.store is not False

    @property
    def shows_reasoning(self) -> bool:
        return bool(self.reasoning and self.reasoning.summary)


class FormOrJsonRequest(ApiRequest):
    """For the one route that takes a flat form as well: it is read as the JSON it stands for."""

    def check_type(self) -> None:
        """Let forms pass."""
        if not self._is_form:
            check_json_type(self.headers.get("content-type"))

    def _receiver(self) -> Received | None:
        return _FormReader() if self._is_form else None

    @property
    def _is_form(self) -> bool:
        media_type = self.headers.get("content-type", "").partition(";")[0]
        return media_type.strip().lower() == _FORM


class _FormReader:
    """Turns a form into JSON."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def feed(self, chunk: bytes) -> None:
        self._pieces.append(chunk)

    def finish(self) -> bytes:
        try:
            pairs = parse_qsl(
                b"".join(self._pieces).decode(),
                keep_blank_values=True,
                max_num_fields=len(_FORM_FIELDS),
                errors="strict",
            )
        except ValueError as exc:  # a wrong encoding is one, too
            raise InvalidRequest(
                "The form holds more than model, input and stream, or is not UTF-8."
            ) from exc
        if unknown := [name for name, _ in pairs if name not in _FORM_FIELDS]:
            raise InvalidRequest(
                f"{unknown[0][:64]}: a form takes model, input and stream only; send JSON.",
                field=unknown[0][:64],
            )
        return msgspec.json.encode(dict(pairs))


def check_supported(data: ResponseRequest) -> None:
    """Refuse what cannot be meant, naming the field.

    Raises:
        ConflictingParameters: two fields exclude each other.
        UnsupportedParameter: a field that would change the answer and is not implemented.
        InvalidRequest: a value out of range.
    """
    if data.prompt is not None:
        raise UnsupportedParameter("prompt: templates are not kept here.", field="prompt")
    if data.previous_response_id and data.conversation is not None:
        raise ConflictingParameters(
            "conversation: not together with previous_response_id.", field="conversation"
        )
    if data.background and not data.is_stored:
        raise ConflictingParameters("background: true needs store true.", field="background")
    for name, value, least in (
        ("max_output_tokens", data.max_output_tokens, _LEAST_OUTPUT),
        ("max_tool_calls", data.max_tool_calls, 1),
    ):
        if value is not None and value < least:
            raise InvalidRequest(f"{name}: expected at least {least}.", field=name)
    if data.truncation not in {None, "auto", "disabled"}:
        raise InvalidRequest("truncation: expected auto or disabled.", field="truncation")


class ConflictingParameters(InvalidRequest):
    """Two fields that exclude each other."""


def previous_key(data: ResponseRequest) -> ResponseKey | None:
    """Read which response to go on from."""
    if not data.previous_response_id:
        return None
    return response_key(data.previous_response_id)


def response_name(key: ResponseKey) -> str:
    """Return the id of a response on the wire."""
    return f"{RESPONSE_PREFIX}{key.run_id}" + (f"_{key.resumes}" if key.resumes else "")


def response_key(text: str) -> ResponseKey:
    """Read the id of a response, with or without its prefix; of anything else one of none."""
    run_id, separator, resumes = text.removeprefix(RESPONSE_PREFIX).partition("_")
    if not _is_number(run_id) or (separator and not _is_number(resumes)):
        return ResponseKey(0)
    return ResponseKey(int(run_id), int(resumes or 0))


def _is_number(text: str) -> bool:
    is_id = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_ID))
    return is_id and int(text) <= MAX_ID


def conversation_id(data: ResponseRequest) -> int | None:
    """Read which conversation to go on with."""
    named = data.conversation
    if isinstance(named, ConversationRef):
        named = named.id
    if isinstance(named, str):
        named = named.removeprefix(CONVERSATION_PREFIX)
    return optional_id(named, field="conversation")


def overrides_of(data: ResponseRequest) -> TurnOverrides:
    """Return the model settings that the request changes, and the tools that it brings."""
    given = data.text.format if data.text else None
    tools, choice = _tools(data)
    asked = CompletionRequest(
        temperature=data.temperature,
        top_p=data.top_p,
        presence_penalty=data.presence_penalty,
        frequency_penalty=data.frequency_penalty,
        max_completion_tokens=data.max_output_tokens,
        reasoning_effort=data.reasoning.effort if data.reasoning else None,
        verbosity=data.text.verbosity if data.text else None,
        tools=tools,
        tool_choice=choice,
        parallel_tool_calls=data.parallel_tool_calls,
    )
    settings = decode_client_tools(asked, decode_overrides(asked))
    searched = file_search_of(data)
    settings = replace(
        settings,
        max_tool_calls=data.max_tool_calls,
        dataset_ids=searched.dataset_ids if searched else (),
        most_results=searched.most if searched else None,
    )
    if given is None:
        return settings
    schema = JsonSchema(
        name=given.name,
        description=given.description,
        schema=given.schema,
        strict=given.strict,
    )
    format_ = ResponseFormat(type=given.type, json_schema=schema)
    return with_format(settings, format_, field="text.format")


def tools_of(data: ResponseRequest) -> ClientTools:
    """Check the tools of a request; errors as ``decode_tools``."""
    return decode_tools(*_tools(data))


def _tools(data: ResponseRequest) -> tuple[list[ToolIn], str | ToolChoiceIn | None]:
    """Spell tools and choice as Chat Completions do, whose reader checks them."""
    for at, tool in enumerate(data.tools or ()):
        if tool.type not in {"function", FILE_SEARCH}:
            field = f"tools[{at}].type"
            raise UnsupportedToolType(
                f"{field}: only function and file_search are known here.", field=field
            )
    tools = [ToolIn(function=_function(t)) for t in data.tools or () if t.type == "function"]
    choice = data.tool_choice
    if isinstance(choice, ResponseToolChoice) and choice.type == FILE_SEARCH:
        return tools, None  # bases are searched whatever the model wants
    if not isinstance(choice, ResponseToolChoice):
        return tools, choice
    if choice.type == "allowed_tools":
        named = [each for each in choice.tools or () if each.type != FILE_SEARCH]
        allowed = AllowedTools(mode=choice.mode or "auto", tools=_named(named))
        return tools, ToolChoiceIn(type="allowed_tools", allowed_tools=allowed)
    return tools, ToolChoiceIn(function=NamedFunction(name=choice.name or ""))


def file_search_of(data: ResponseRequest) -> FileSearch | None:
    """Read which knowledge bases the request brings; None if it brings none.

    Raises:
        InvalidRequest: no base, too many, or a number of results out of range.
    """
    found: dict[int, None] = {}
    most: int | None = None
    given = [(at, t) for at, t in enumerate(data.tools or ()) if t.type == FILE_SEARCH]
    for at, tool in given:
        field = f"tools[{at}].vector_store_ids"
        if not 1 <= len(tool.vector_store_ids or ()) <= _MOST_BASES:
            raise InvalidRequest(f"{field}: 1 to {_MOST_BASES} knowledge bases.", field=field)
        found |= {parse_id(each, field=field): None for each in tool.vector_store_ids or ()}
        wanted = tool.max_num_results
        if wanted is not None and not 1 <= wanted <= _MOST_RESULTS:
            field = f"tools[{at}].max_num_results"
            raise InvalidRequest(f"{field}: expected 1 to {_MOST_RESULTS}.", field=field)
        most = wanted if most is None else max(most, wanted or most)
    return FileSearch(dataset_ids=tuple(found), most=most) if given else None


def _function(tool: ResponseTool) -> FunctionIn:
    return FunctionIn(
        name=tool.name or "",
        description=tool.description,
        parameters=tool.parameters,
        strict=tool.strict,
    )


def _named(tools: Sequence[ResponseTool]) -> list[NamedTool]:
    return [NamedTool(function=NamedFunction(name=tool.name or "")) for tool in tools]


_NAMES: Final = {"reasoning_effort": "reasoning.effort", "verbosity": "text.verbosity"}
"""Settings that have another name here."""


def ignored_headers(ignored: Sequence[str] = ()) -> dict[str, str]:
    """Name what the request sets without effect, because the model cannot do it."""
    names = [_NAMES.get(name, name) for name in ignored]
    return {"coterie-ignored": ", ".join(names)} if names else {}
