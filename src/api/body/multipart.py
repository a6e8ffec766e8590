"""Uploads: one file out of a multipart body, read as a stream and never held in memory."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

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
_FIELD_BYTES: Final = 256
"""Kept of a field: no value that is read here is longer."""

_Event = Any
"""What the parser tells: a segment's head, a piece of its body, or None at its end."""


class FileUpload:
    """The file of a form: what the client says about it, and its bytes by iteration.

    The bytes end well only if the whole form is in order: no second file, no part missing, no
    broken boundary. So whoever stores them keeps nothing when the iteration raises. ``fields`` are
    the other parts of the form by name; they are complete when the iteration has ended.
    """

    def __init__(self, events: "_Events", segment: MultipartSegment, fields: "_Fields") -> None:
        self.name: str = segment.filename
        self.declared_type: str = segment.content_type or ""
        self._events = events
        self._fields = fields
        self._is_inside = True

    @property
    def fields(self) -> dict[str, str]:
        return self._fields.texts

    def __aiter__(self) -> "FileUpload":
        return self

    async def __anext__(self) -> bytes:
        while True:
            event = await self._events.next()
            if self._is_inside and isinstance(event, bytes | bytearray):
                return bytes(event)
            if self._is_inside and event is None:
                self._is_inside = False
                continue
            if isinstance(event, MultipartSegment):
                _refuse_second_file(event)
            self._fields.take(event)


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
    events, fields = _Events(body, parser), _Fields()
    try:
        while True:
            event = await events.next()
            if isinstance(event, MultipartSegment) and _is_file(event):
                return FileUpload(events, event, fields)
            fields.take(event)
    except StopAsyncIteration:
        raise InvalidRequest("file: the form has no part of this name.", field=FIELD) from None


class _Fields:
    """Short texts of a form beside its file; a long one is cut, and so refused by who reads it."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._name = ""
        self._bytes = b""

    def take(self, event: _Event) -> None:
        """Take what the parser tells of a part that is no file."""
        match event:
            case None:
                if self._name:
                    self.texts[self._name] = self._bytes.decode(errors="replace")
                self._name, self._bytes = "", b""
            case bytes() | bytearray():
                self._bytes += bytes(event[: _FIELD_BYTES - len(self._bytes)])
            case _:
                self._name = event.name


@dataclass
class UploadOperation(Operation):
    """Describes the form of an upload in the OpenAPI document."""

    more: ClassVar[Mapping[str, Schema]] = {}
    """Required fields beside the file."""

    def __post_init__(self) -> None:
        schema = Schema(
            type=OpenAPIType.OBJECT,
            properties={
                FIELD: Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY),
                **self.more,
            },
            required=[FIELD, *self.more],
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
