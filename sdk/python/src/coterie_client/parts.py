"""Parts of a message: text, and what goes with it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Text(msgspec.Struct, tag="text"):
    """A piece of text."""

    text: str


class Image(msgspec.Struct, tag="image", omit_defaults=True):
    """An image: the id of an uploaded file, or an address."""

    file_id: str = ""
    file_url: str = ""


class File(msgspec.Struct, tag="file", omit_defaults=True):
    """A document: the id of an uploaded file, or an address."""

    file_id: str = ""
    file_url: str = ""


class Audio(msgspec.Struct, tag="audio", omit_defaults=True):
    """A recording: the id of an uploaded file, or an address."""

    file_id: str = ""
    file_url: str = ""


Part = Text | Image | File | Audio


def content_of(message: str | Sequence[Part]) -> tuple[str, str]:
    """Return a message as the server takes it: its content, and of what type that is."""
    if isinstance(message, str):
        return message, "text"
    return msgspec.json.encode(message).decode(), "object_string"
