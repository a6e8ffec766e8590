"""Input items of a response, read into the messages of models."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from api.openai.error import ToolOutputTooLarge, UnsupportedContent
from api.openai.message import ContentPart, FileRef, decode_parts
from api.wire import WireId
from application.conversation.view import ANSWER_SEPARATOR
from domain.shared.chat import ChatMessage, Part, TextPart, ToolCall
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_CALL_ID_CHARS: Final = 64
_ROLES: Final[Mapping[str, str]] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
}
_OURS: Final = ("file_search_call", "mcp_call", "web_search_call")
OpenThought = Callable[[str], str]
"""Reads sealed reasoning; of what is not ours it gives nothing."""


def _closed(content: str) -> str:
    """Read no reasoning."""
    del content
    return ""


class InputPart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One part of a message or of an output."""

    type: str
    text: str | None = None
    refusal: str | None = None
    image_url: str | None = None
    detail: str | None = None
    file_id: WireId | None = None
    file_url: str | None = None
    file_data: str | None = None
    filename: str | None = None


class InputItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One item; without ``type`` it is a message if it has a role, else a reference."""

    type: str | None = None
    id: str | None = None
    role: str | None = None
    content: str | list[InputPart] | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None
    output: str | list[InputPart] | None = None
    summary: list[Any] | None = None
    encrypted_content: str | None = None
    status: str | None = None
    phase: str | None = None

    @property
    def kind(self) -> str:
        if self.type is not None:
            return self.type
        return "message" if self.role else "item_reference"


def items_of(given: str | Sequence[InputItem] | None) -> tuple[InputItem, ...]:
    """Return the input as items; a text is one message of the user."""
    if given is None:
        return ()
    if isinstance(given, str):
        return (InputItem(type="message", role="user", content=given),)
    return tuple(given)


def referred(items: Sequence[InputItem]) -> list[str]:
    """Return the ids of stored items that the input names instead of repeating them."""
    return [item.id or "" for item in items if item.kind == "item_reference"]


def resolved(
    items: Sequence[InputItem], known: Mapping[str, Mapping[str, Any]]
) -> tuple[InputItem, ...]:
    """Put the stored items in the place of their references."""
    return tuple(
        msgspec.convert(known[item.id or ""], InputItem) if item.kind == "item_reference" else item
        for item in items
    )


def stored_items(items: Sequence[InputItem], response: str) -> tuple[dict[str, Any], ...]:
    """Return items to be kept, each with an id."""
    return tuple(
        {
            **msgspec.to_builtins(item),
            "type": item.kind,
            "id": item.id or f"{_PREFIXES.get(item.kind, 'item')}_{response}_{at}",
        }
        for at, item in enumerate(items)
    )


_PREFIXES: Final[Mapping[str, str]] = {
    "message": "msg",
    "function_call": "fc",
    "function_call_output": "fco",
    "reasoning": "rs",
}


def decode_items(
    items: Sequence[InputItem], limits: Limits, *, opened: OpenThought = _closed
) -> tuple[ChatMessage, ...]:
    """Return the items in the words of models; calls that follow each other are one message.

    What we sent of our own steps is left out: the record of the server counts. ``opened`` reads
    sealed reasoning, which belongs to what the assistant says next.

    Raises:
        InvalidRequest: an unknown item or role, or a field is missing.
        UnsupportedContent: a part that no model takes here.
        RequestTooLarge: a text or an output is too long.
    """
    messages: list[ChatMessage] = []
    calls: list[ToolCall] = []
    thought = ""
    for at, item in enumerate(items):
        if item.kind == "reasoning":
            _join_calls(messages, calls, thought)
            thought = opened(item.encrypted_content or "")
            continue
        if item.kind in _OURS or item.kind.startswith("coterie:"):
            continue
        if item.kind == "function_call":
            calls.append(_call(item, field=f"input[{at}]"))
            continue
        thought = _join_calls(messages, calls, thought)
        for message in _message(item, field=f"input[{at}]", limits=limits):
            is_answer = message.role == "assistant"
            messages.append(
                msgspec.structs.replace(message, reasoning=thought) if is_answer else message
            )
            thought = "" if is_answer else thought
    _join_calls(messages, calls, thought)
    if sum(message.role != "system" for message in messages) > limits.completion_messages:
        raise InvalidRequest(f"input: at most {limits.completion_messages} items.", field="input")
    return tuple(messages)


def read_items(items: Sequence[Mapping[str, Any]], *, limits: Limits) -> tuple[ChatMessage, ...]:
    """Read items as they were kept; errors as ``decode_items``."""
    return decode_items([msgspec.convert(item, InputItem) for item in items], limits)


def _join_calls(messages: list[ChatMessage], calls: list[ToolCall], thought: str) -> str:
    """Add calls to what the assistant said before them, which is one answer on other surfaces.

    Return the thought that is still to be told.
    """
    if not calls:
        return thought
    said: list[str] = []
    while messages and messages[-1].role == "assistant" and not messages[-1].tool_calls:
        said.append(messages[-1].text)
        thought = messages.pop().reasoning or thought
    text = ANSWER_SEPARATOR.join(reversed(said))
    parts = (TextPart(text=text),) if text else ()
    messages.append(
        ChatMessage(role="assistant", parts=parts, tool_calls=tuple(calls), reasoning=thought)
    )
    calls.clear()
    return ""


def _message(item: InputItem, *, field: str, limits: Limits) -> Iterator[ChatMessage]:
    match item.kind:
        case "message":
            role = _ROLES.get(item.role or "")
            if role is None:
                raise InvalidRequest(f"{field}.role: unknown role.", field=f"{field}.role")
            parts = _parts(item.content, field=f"{field}.content", limits=limits)
            if role != "user":
                parts = tuple(part for part in parts if isinstance(part, TextPart))
            if parts:
                yield msgspec.convert(
                    {"role": role, "parts": parts}, ChatMessage, from_attributes=True
                )
        case "function_call_output":
            yield _output(item, field=field, limits=limits)
        case _:
            raise InvalidRequest(
                f"{field}.type: unknown item {item.kind[:64]!r}.", field=f"{field}.type"
            )


def _call(item: InputItem, *, field: str) -> ToolCall:
    return ToolCall(
        id=_call_id(item, field=field),
        name=item.name or "",
        arguments=item.arguments or "{}",
    )


def _output(item: InputItem, *, field: str, limits: Limits) -> ChatMessage:
    parts = _parts(item.output, field=f"{field}.output", limits=limits)
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    if len(texts) < len(parts):
        raise UnsupportedContent(
            f"{field}.output: outputs of tools are texts.", field=f"{field}.output"
        )
    text = "\n".join(texts)
    if len(text.encode()) > limits.tool_output_bytes:
        raise ToolOutputTooLarge(
            f"{field}.output: at most {limits.tool_output_bytes} bytes.", field=f"{field}.output"
        )
    return ChatMessage(
        role="tool", parts=(TextPart(text=text),), tool_call_id=_call_id(item, field=field)
    )


def _call_id(item: InputItem, *, field: str) -> str:
    call_id = item.call_id or ""
    if not 1 <= len(call_id) <= _CALL_ID_CHARS:
        raise InvalidRequest(
            f"{field}.call_id: 1 to {_CALL_ID_CHARS} characters.", field=f"{field}.call_id"
        )
    return call_id


def _parts(
    content: str | Sequence[InputPart] | None, *, field: str, limits: Limits
) -> tuple[Part, ...]:
    if content is None or isinstance(content, str):
        return decode_parts(content, field=field, limits=limits)
    parts = [_part(part, field=f"{field}[{at}]") for at, part in enumerate(content)]
    return decode_parts(parts, field=field, limits=limits)


def _part(part: InputPart, *, field: str) -> ContentPart:
    """Spell a part as Chat Completions do, whose reader checks it."""
    match part.type:
        case "input_text" | "output_text" | "text":
            return ContentPart(type="text", text=part.text)
        case "refusal":
            return ContentPart(type="refusal", refusal=part.refusal)
        case "input_image" if part.image_url:
            return ContentPart(type="image_url", image_url=part.image_url)
        case "input_image" | "input_file" if part.file_id:
            file = FileRef(file_id=part.file_id, filename=part.filename)
            return ContentPart(type="file", file=file)
        case "input_file" if part.file_url:
            return ContentPart(type="file_url", url=part.file_url, name=part.filename)
        case "input_file" if part.file_data:
            file = FileRef(file_data=part.file_data, filename=part.filename)
            return ContentPart(type="file", file=file)
        case _:
            raise InvalidRequest(
                f"{field}: expected input_text, input_image or input_file with its content.",
                field=field,
            )
