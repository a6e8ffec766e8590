"""Bodies of the type ``multipart/form-data`` (RFC 7578)."""

import mimetypes
from collections.abc import Sequence
from typing import NamedTuple


class FormText(NamedTuple):
    """A field with a text."""

    name: str
    text: str


class FormFile(NamedTuple):
    """A field with a file."""

    name: str
    file_name: str
    content: bytes


def encode_form(parts: Sequence[FormText | FormFile], *, boundary: str) -> tuple[bytes, str]:
    """Write a form; return the body and its content type.

    ``boundary`` must not occur in the parts; one made of a hash is safe.
    """
    chunks: list[bytes] = []
    for part in parts:
        disposition = f'form-data; name="{_escaped(part.name)}"'
        if isinstance(part, FormText):
            head, content = "", part.text.encode()
        else:
            disposition += f'; filename="{_escaped(part.file_name)}"'
            kind = mimetypes.guess_type(part.file_name)[0] or "application/octet-stream"
            head, content = f"Content-Type: {kind}\r\n", part.content
        chunks.append(
            f"--{boundary}\r\nContent-Disposition: {disposition}\r\n{head}\r\n".encode()
            + content
            + b"\r\n"
        )
    chunks.append(f"--{boundary}--\r\n".encode())
    return b"".join(chunks), f"multipart/form-data; boundary={boundary}"


def _escaped(text: str) -> str:
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
