"""Messages as the Coze clients send them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from api.wire import WireId, WireMap, optional_id, required_id, string_map
from application.conversation.dto import IncomingMessage, ShortcutCall
from domain.shared.chat import AudioPart, FilePart, ImagePart, Part, TextPart
from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.limits import Limits
from domain.shared.text.json_scan import JsonBounds, check_json

TEXT: Final = "text"
_TYPE_OF_ROLE: Final[Mapping[str, str]] = {"user": "question", "assistant": "answer"}
_FILE_PARTS: Final[Mapping[str, type[ImagePart | FilePart | AudioPart]]] = {
    "image": ImagePart,
    "file": FilePart,
    "audio": AudioPart,
}


class ContentItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item of a multi-part content; clients send unused keys as null."""

    type: str
    text: str | None = None
    file_id: WireId | None = None
    file_url: str | None = None
    name: str | None = None


Content = str | list[ContentItem]
"""A text, the JSON text of items, or the items themselves."""


class ShortcutCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A shortcut that the user chose; a value is a text, an item of a content, or its JSON."""

    command_id: WireId
    parameters: dict[str, Any] | None = None

    def call(self) -> ShortcutCall:
        """Translate; raise ``InvalidRequest``."""
        return ShortcutCall(
            shortcut_id=required_id(self.command_id, field="shortcut_command.command_id"),
            values={
                name: value if isinstance(value, str) else msgspec.json.encode(value).decode()
                for name, value in (self.parameters or {}).items()
                if value is not None
            },
        )


class EnterMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message that enters a conversation."""

    role: str
    content: Content | None = None
    content_type: str | None = None
    type: str | None = None
    meta_data: WireMap | None = None

    def decoded(self, *, prefix: str = "", limits: Limits) -> IncomingMessage:
        """Check the message and return it in the application's terms.

        ``prefix`` leads to its fields in error messages.

        Raises:
            InvalidRequest: role, type, content type or content is not acceptable.
            RequestTooLarge: the content is longer than a message may be.
        """
        expected = _TYPE_OF_ROLE.get(self.role)
        if expected is None:
            raise InvalidRequest(
                f"{prefix}role: expected user or assistant.", field=f"{prefix}role"
            )
        if self.type and self.type != expected:
            raise InvalidRequest(
                f"{prefix}type: a message of role {self.role} has the type {expected}.",
                field=f"{prefix}type",
            )
        parts, is_text = decode_content(
            self.content, self.content_type, field=f"{prefix}content", limits=limits
        )
        return IncomingMessage(
            role="user" if self.role == "user" else "assistant",
            parts=parts,
            is_text=is_text,
            meta=string_map(self.meta_data, field=f"{prefix}meta_data", limits=limits),
        )


def decode_messages(
    messages: Sequence[EnterMessage] | None, *, field: str, maximum: int, limits: Limits
) -> tuple[IncomingMessage, ...]:
    """Decode a list of messages; texts without content are dropped."""
    found = messages or ()
    if len(found) > maximum:
        raise InvalidRequest(f"{field}: at most {maximum} messages.", field=field)
    decoded = [
        message.decoded(prefix=f"{field}[{index}].", limits=limits)
        for index, message in enumerate(found)
    ]
    return tuple(message for message in decoded if message.parts)


def decode_content(
    content: Content | None, content_type: str | None, *, field: str, limits: Limits
) -> tuple[tuple[Part, ...], bool]:
    """Return the parts of a content and whether it is a plain text; empty text has no parts."""
    if isinstance(content, list):
        return _parts(content, field=field, limits=limits), False
    text = content or ""
    if len(text) > limits.message_bytes or len(text.encode()) > limits.message_bytes:
        raise RequestTooLarge(f"{field}: at most {limits.message_bytes} bytes.", field=field)
    match content_type or TEXT:
        case "text":
            return ((TextPart(text=text),) if text else ()), True
        case "object_string":
            return _parts(
                _items(text, field=field, limits=limits), field=field, limits=limits
            ), False
        case unknown:
            raise InvalidRequest(
                f"{field}_type: expected text or object_string, got {unknown!r}.", field=field
            )


def _items(text: str, *, field: str, limits: Limits) -> list[ContentItem]:
    check_json(text, JsonBounds(limits.json_depth, limits.json_values))
    try:
        return msgspec.json.decode(text, type=list[ContentItem])
    except msgspec.MsgspecError as exc:
        raise InvalidRequest(
            f"{field}: an object_string is the JSON text of a list of items: {exc}.", field=field
        ) from exc
    except RecursionError as exc:
        raise InvalidRequest(f"{field}: nested too deeply.", field=field) from exc


def _parts(items: Sequence[ContentItem], *, field: str, limits: Limits) -> tuple[Part, ...]:
    if not items:
        raise InvalidRequest(f"{field}: at least one item is needed.", field=field)
    images = sum(item.type == "image" for item in items)
    if images > limits.images_per_request:
        raise InvalidRequest(f"{field}: at most {limits.images_per_request} images.", field=field)
    return tuple(_part(item, field=f"{field}[{index}]") for index, item in enumerate(items))


def _part(item: ContentItem, *, field: str) -> Part:
    if item.type == "text":
        return TextPart(text=item.text or "")
    part = _FILE_PARTS.get(item.type)
    if part is None:
        known = ", ".join(["text", *_FILE_PARTS])
        raise InvalidRequest(f"{field}.type: expected one of {known}.", field=field)
    file_id = optional_id(item.file_id, field=f"{field}.file_id")
    if file_id is not None:
        return part(file_id=file_id, name=item.name or "")
    if not item.file_url:
        raise InvalidRequest(f"{field}: needs file_id or file_url.", field=field)
    return part(url=item.file_url, name=item.name or "")


def json_object(
    value: dict[str, Any] | str | None, *, field: str, limits: Limits
) -> dict[str, Any]:
    """Read an object that some clients send as its JSON text."""
    if not isinstance(value, str):
        return value or {}
    if not value:
        return {}
    if len(value) > limits.json_body_bytes:
        raise RequestTooLarge(
            f"{field}: a text may have {limits.json_body_bytes} bytes; send the object itself.",
            field=field,
        )
    check_json(value, JsonBounds(limits.json_depth, limits.json_values))
    try:
        return msgspec.json.decode(value, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError) as exc:
        raise InvalidRequest(f"{field}: expected an object or its JSON text.", field=field) from exc
