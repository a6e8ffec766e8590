"""Uploads: one file out of a multipart body, read as a stream and never held in memory."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from litestar import Request
from litestar.openapi.spec import (
    OpenAPIFormat,
    OpenAPIMediaType,
    OpenAPIType,
    Operation,
    RequestBody,
    Schema,
)
from litestar.types import Receive
from multipart import (  # type: ignore[import-untyped]
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.limits import Limits

FIELD: Final = "file"
_FORM: Final = "multipart/form-data"
_BOUNDARY: Final = re.compile(r"[0-9a-zA-Z'()+_,\-./:=? ]{0,69}[0-9a-zA-Z'()+_,\-./:=?]")
"""RFC 2046, 5.1.1."""

_SHOWN_CHARS: Final = 40
_Event = Any
"""What the parser tells: a segment's head, a piece of its body, or None at its end."""


class FileUpload:
    """The file of a form: what the client says about it, and its bytes by iteration.

    The bytes end well only if the whole form is in order: no second file, no part missing, no
    broken boundary. So whoever stores them keeps nothing when the iteration raises.
    """

    def __init__(self, events: "_Events", segment: MultipartSegment) -> None:
        self.name: str = segment.filename
        self.declared_type: str = segment.content_type or ""
        self._events = events
        self._is_inside = True

    def __aiter__(self) -> "FileUpload":
        return self

    async def __anext__(self) -> bytes:
        while True:
            event = await self._events.next()
            match event:
                case None:
                    self._is_inside = False
                case bytes() | bytearray():
                    if self._is_inside:
                        return bytes(event)
                case _:
                    _refuse_second_file(event)


async def open_upload(request: Request[Any, Any, Any], *, limits: Limits) -> FileUpload:
    """Read up to the beginning of the part ``file``.

    Raises:
        InvalidRequest: another content type, no such part, or a broken body; the message says what.
        RequestTooLarge: the announced or counted size exceeds the limit for uploads.
    """
    boundary = _boundary(request)
    cap = limits.upload_bytes + limits.multipart_overhead_bytes
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > cap:
        raise RequestTooLarge(
            f"file: a file may have {limits.upload_bytes} bytes at most.", field=FIELD
        )
    body = _Body(request.receive, cap=cap, idle_s=limits.upload_idle_s)
    parser = PushMultipartParser(
        boundary,
        max_header_size=limits.multipart_header_bytes,
        max_header_count=limits.multipart_headers,
        max_segment_count=limits.multipart_parts,
    )
    events = _Events(body, parser)
    try:
        while True:
            event = await events.next()
            if isinstance(event, MultipartSegment) and _is_file(event):
                return FileUpload(events, event)
    except StopAsyncIteration:
        raise InvalidRequest("file: the form has no part of this name.", field=FIELD) from None


@dataclass
class UploadOperation(Operation):
    """Describes the form of an upload in the OpenAPI document."""

    def __post_init__(self) -> None:
        schema = Schema(
            type=OpenAPIType.OBJECT,
            properties={FIELD: Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)},
            required=[FIELD],
        )
        self.request_body = RequestBody(
            content={_FORM: OpenAPIMediaType(schema=schema)}, required=True
        )


class _Body:
    """The request's bytes, counted; each wait is bounded."""

    def __init__(self, receive: Receive, *, cap: int, idle_s: float) -> None:
        self._receive = receive
        self._left = cap
        self._idle_s = idle_s
        self._is_over = False

    async def read(self) -> bytes:
        """Return the next bytes, none at the end."""
        while not self._is_over:
            try:
                async with asyncio.timeout(self._idle_s):
                    message: Any = await self._receive()
            except TimeoutError as exc:
                raise InvalidRequest("file: the upload stalled; try again.", field=FIELD) from exc
            if message["type"] == "http.disconnect":
                raise InvalidRequest("file: the upload broke off.", field=FIELD)
            self._is_over = not message.get("more_body", False)
            chunk: bytes = message.get("body", b"")
            self._left -= len(chunk)
            if self._left < 0:
                raise RequestTooLarge("file: the upload is too large.", field=FIELD)
            if chunk:
                return chunk
        return b""


class _Events:
    """Parser events of a body, one at a time."""

    def __init__(self, body: _Body, parser: PushMultipartParser) -> None:
        self._body = body
        self._parser = parser
        self._pending: Iterator[_Event] = iter(())
        self._is_over = False

    async def next(self) -> _Event:
        """Return the next event; raise ``StopAsyncIteration`` after the last part's end."""
        try:
            while not self._is_over:
                for event in self._pending:
                    return event
                chunk = await self._body.read()
                self._is_over = not chunk
                if chunk:
                    self._pending = self._parser.parse(chunk)
                else:
                    self._parser.close()
        except MultipartError as exc:
            reason = exc.args[0] if exc.args else "unreadable"
            raise InvalidRequest(f"The multipart body is broken: {reason}.", field=FIELD) from exc
        raise StopAsyncIteration


def _boundary(request: Request[Any, Any, Any]) -> str:
    values = request.headers.getall("content-type", [])
    media_type, options = parse_options_header(values[0]) if len(values) == 1 else ("", {})
    if media_type != _FORM:
        raise InvalidRequest(f"Content-Type: expected {_FORM}.", field="Content-Type")
    boundary: str = options.get("boundary", "")
    if not _BOUNDARY.fullmatch(boundary):
        raise InvalidRequest(f"Content-Type: {_FORM} needs a boundary.", field="Content-Type")
    return boundary


def _is_file(segment: MultipartSegment) -> bool:
    if segment.name == FIELD:
        if not segment.filename:
            raise InvalidRequest("file: this part carries no file name.", field=FIELD)
        return True
    if segment.filename is not None:
        raise InvalidRequest(
            f"{_shown(segment.name)}: send the file in the part named file.", field=FIELD
        )
    return False


def _refuse_second_file(segment: MultipartSegment) -> None:
    if segment.name == FIELD or segment.filename is not None:
        raise InvalidRequest("file: send exactly one file.", field=FIELD)


def _shown(name: str) -> str:
    """Quote a client's field name in a message, briefly and without control characters."""
    return ascii(name[:_SHOWN_CHARS])
