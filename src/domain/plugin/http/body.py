"""Bodies of requests: JSON, forms, forms with files, and files as they are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from domain.plugin.error import PluginInvalid
from domain.plugin.value import BODY_KEY, BodyMedia, ToolDefinition

_BINARY: Final = "application/octet-stream"
_ESCAPES: Final = str.maketrans({'"': "%22", "\r": "%0D", "\n": "%0A", "\0": ""})
"""As RFC 7578 writes names of fields and files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePart:
    """A file on its way to a service."""

    name: str
    media_type: str
    data: bytes


def write_body(tool: ToolDefinition, values: Mapping[str, Any]) -> tuple[bytes, str]:
    """Return the body and its media type; both are empty if there is nothing to send.

    Raises:
        PluginInvalid: the file that is the body is missing.
    """
    match tool.body_media:
        case BodyMedia.BINARY:
            return _file(values.get(BODY_KEY))
        case BodyMedia.MULTIPART:
            return _multipart(values)
        case BodyMedia.FORM:
            pairs = [(n, text_value(v)) for n, each in values.items() for v in many(each)]
            return urlencode(pairs).encode(), tool.body_media.value
        case BodyMedia.JSON:
            if tool.is_body_whole and BODY_KEY not in values:
                return b"", ""
            content = values[BODY_KEY] if tool.is_body_whole else values
            return msgspec.json.encode(content), tool.body_media.value


def many(value: Any) -> Iterable[Any]:
    """The items of a list, or the one value that it is."""
    return value if isinstance(value, list | tuple) else (value,)


def text_value(value: Any) -> str:
    """Write a value as the text of a field."""
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()


def _file(part: Any) -> tuple[bytes, str]:
    if part is None:
        return b"", ""
    if not isinstance(part, FilePart):
        raise PluginInvalid("arguments.body: a file is needed.")
    return part.data, part.media_type.translate(_ESCAPES) or _BINARY


def _multipart(values: Mapping[str, Any]) -> tuple[bytes, str]:
    """Write a form with files; lists become fields of the same name, objects become JSON."""
    boundary = token_hex(16)
    pieces: list[bytes] = []
    for name, value in values.items():
        for each in many(value):
            head = f'content-disposition: form-data; name="{name.translate(_ESCAPES)}"'
            if isinstance(each, FilePart):
                head += f'; filename="{each.name.translate(_ESCAPES) or "file"}"'
                head += f"\r\ncontent-type: {each.media_type.translate(_ESCAPES) or _BINARY}"
                data = each.data
            else:
                if isinstance(each, dict):
                    head += "\r\ncontent-type: application/json"
                data = text_value(each).encode()
            pieces.append(f"--{boundary}\r\n{head}\r\n\r\n".encode() + data + b"\r\n")
    body = b"".join([*pieces, f"--{boundary}--\r\n".encode()])
    return body, f"{BodyMedia.MULTIPART}; boundary={boundary}"
