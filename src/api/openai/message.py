"""Messages of a request, decoded into those of a model."""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from api.openai.error import ToolOutputTooLarge, UnsupportedContent
from api.wire import WireId
from domain.shared.chat import ChatMessage, FilePart, ImagePart, Part, TextPart, ToolCall
from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.ids import parse_id
from domain.shared.limits import Limits

FILE_PREFIX: Final = "file-"
"""Before our ids where OpenAI's clients expect one of theirs."""

_CALL_ID_CHARS: Final = 64


class ImageUrl(msgspec.Struct, frozen=True, kw_only=True):
    """Address of an image, http(s) or data."""

    url: str
    detail: str | None = None


class FileRef(msgspec.Struct, frozen=True, kw_only=True):
    """An uploaded file, or one inline: a data address, or base64 with a ``filename``."""

    file_id: WireId | None = None
    file_data: str | None = None
    filename: str | None = None


class ContentPart(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a message; ``name`` and a text ``url`` belong to FastGPT's ``file_url``."""

    type: str
    text: str | None = None
    refusal: str | None = None
    image_url: ImageUrl | str | None = None
    file: FileRef | None = None
    name: str | None = None
    url: str | None = None


class FunctionCallIn(msgspec.Struct, frozen=True, kw_only=True):
    """Name and arguments of a call; ``arguments`` is JSON text."""

    name: str
    arguments: str | None = None


class ToolCallIn(msgspec.Struct, frozen=True, kw_only=True):
    """A call that the assistant made in an earlier turn."""

    id: str
    type: str = "function"
    function: FunctionCallIn


class CompletionMessageIn(msgspec.Struct, frozen=True, kw_only=True):
    """One message of the request; ``tool_call_id`` only with the role ``tool``."""

    role: str
    content: str | list[ContentPart] | None = None
    tool_calls: list[ToolCallIn] | None = None
    tool_call_id: str | None = None


def decode_messages(
    messages: Sequence[CompletionMessageIn] | None, limits: Limits
) -> tuple[ChatMessage, ...]:
    """Return the messages in the words of models; blank ones without a call are left out.

    Raises:
        InvalidRequest: no message, too many, a wrong role, or the last one asks nothing.
        UnsupportedContent: a part that no model takes here.
        RequestTooLarge: a text or an output of a tool is too long.
    """
    if not messages:
        raise InvalidRequest("messages: at least one message is needed.", field="messages")
    if messages[-1].role not in {"user", "tool"}:
        raise InvalidRequest(
            "messages: the last message must have the role user or tool.", field="messages"
        )
    found = [
        _message(message, field=f"messages[{at}]", limits=limits)
        for at, message in enumerate(messages)
    ]
    if found[-1].role == "user" and not found[-1].parts:
        raise InvalidRequest("messages: the last message has no content.", field="messages")
    kept = tuple(each for each in found if each.parts or each.tool_calls or each.role == "tool")
    if sum(message.role != "system" for message in kept) > limits.completion_messages:
        raise InvalidRequest(
            f"messages: at most {limits.completion_messages} messages.", field="messages"
        )
    return kept


def _message(message: CompletionMessageIn, *, field: str, limits: Limits) -> ChatMessage:
    role = _role(message.role, field=field)
    parts = decode_parts(message.content, field=f"{field}.content", limits=limits)
    if role == "tool":
        return _tool_message(message, parts, field=field, limits=limits)
    calls = message.tool_calls or ()
    if calls and role != "assistant":
        raise InvalidRequest(
            f"{field}.tool_calls: only the assistant calls tools.", field=f"{field}.tool_calls"
        )
    if role in {"assistant", "system"}:
        parts = tuple(part for part in parts if isinstance(part, TextPart))
    return ChatMessage(
        role=role,
        parts=parts,
        tool_calls=tuple(
            _call(call, field=f"{field}.tool_calls[{at}]") for at, call in enumerate(calls)
        ),
    )


def _tool_message(
    message: CompletionMessageIn, parts: Sequence[Part], *, field: str, limits: Limits
) -> ChatMessage:
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    if len(texts) < len(parts):
        raise UnsupportedContent(
            f"{field}.content: outputs of tools are texts.", field=f"{field}.content"
        )
    text = "\n".join(texts)
    if len(text.encode()) > limits.tool_output_bytes:
        raise ToolOutputTooLarge(
            f"{field}.content: at most {limits.tool_output_bytes} bytes.", field=f"{field}.content"
        )
    call_id = message.tool_call_id or ""
    if not 1 <= len(call_id) <= _CALL_ID_CHARS:
        raise InvalidRequest(
            f"{field}.tool_call_id: 1 to {_CALL_ID_CHARS} characters.",
            field=f"{field}.tool_call_id",
        )
    return ChatMessage(role="tool", parts=(TextPart(text=text),), tool_call_id=call_id)


def _call(call: ToolCallIn, *, field: str) -> ToolCall:
    if not 1 <= len(call.id) <= _CALL_ID_CHARS:
        raise InvalidRequest(f"{field}.id: 1 to {_CALL_ID_CHARS} characters.", field=f"{field}.id")
    return ToolCall(id=call.id, name=call.function.name, arguments=call.function.arguments or "{}")


def _role(role: str, *, field: str) -> Literal["system", "user", "assistant", "tool"]:
    match role:
        case "system" | "developer":
            return "system"
        case "user":
            return "user"
        case "assistant":
            return "assistant"
        case "tool":
            return "tool"
        case _:
            raise InvalidRequest(f"{field}.role: unknown role.", field=f"{field}.role")


def decode_parts(
    content: str | Sequence[ContentPart] | None, *, field: str, limits: Limits
) -> tuple[Part, ...]:
    """Read the content of a message; several texts become one, a blank one none."""
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
        case "refusal":
            return TextPart(text=part.refusal or "")
        case "image_url" if part.image_url:
            image = part.image_url
            if isinstance(image, str):
                return ImagePart(url=image)
            return ImagePart(url=image.url, detail=image.detail or "")
        case "file" if part.file:
            return _file(part.file, field=field)
        case "file_url" if part.url:
            return FilePart(url=part.url, name=part.name or "")
        case "input_audio":
            raise UnsupportedContent(f"{field}: no model here takes audio.", field=field)
        case _:
            raise InvalidRequest(
                f"{field}: expected text, image_url, file or file_url with its content.",
                field=field,
            )


def _file(file: FileRef, *, field: str) -> Part:
    name = file.filename or ""
    if file.file_id:
        given = file.file_id
        bare = given.removeprefix(FILE_PREFIX) if isinstance(given, str) else given
        return FilePart(file_id=parse_id(bare, field=f"{field}.file_id"), name=name)
    if not file.file_data:
        raise InvalidRequest(f"{field}.file: needs file_id or file_data.", field=field)
    if file.file_data.startswith("data:"):
        return FilePart(url=file.file_data, name=name)
    return FilePart(url=f"data:application/octet-stream;base64,{file.file_data}", name=name)
