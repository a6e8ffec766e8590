"""Files on their way to a client: ranges, validators, and headers that keep browsers safe."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import Any, Final
from urllib.parse import quote

from litestar import Request, Response
from litestar.background_tasks import BackgroundTask, BackgroundTasks
from litestar.datastructures import Cookie
from litestar.enums import MediaType
from litestar.openapi.datastructures import ResponseSpec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from api.context import IS_HEAD
from api.disconnect import until_disconnect
from application.file.dto import FileContent
from domain.shared.error import AppError, Unavailable
from domain.shared.limits import Limits

INLINE: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""The only types a browser may show in place; none of them can hold a script."""

_SAFETY: Final[Mapping[str, str]] = {
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
}
_ELSEWHERE: Final[Mapping[str, str]] = {
    "cache-control": "private, no-store",
    "referrer-policy": "no-referrer",
}
"""Of a redirect whose address is a secret for some minutes."""
_RANGE: Final = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)
_UNSAFE_FALLBACK: Final = re.compile(r'[^\x20-\x7e]|["\\%]')
_ATTRIBUTE_CHARS: Final = "!#$&+-.^_`|~"
"""What RFC 5987 leaves unquoted besides letters and digits."""

ANSWERS: Final[Mapping[int, ResponseSpec]] = {
    206: ResponseSpec(None, description="The part that a Range header asks for."),
    304: ResponseSpec(None, description="The client has the file already."),
    416: ResponseSpec(None, description="The file ends before the range begins."),
}
"""What a download may be besides the file, for the document of the API."""
REDIRECTED: Final[Mapping[int, ResponseSpec]] = {
    **ANSWERS,
    302: ResponseSpec(
        None,
        description=(
            "The file is at `location`, in the object store itself, for some minutes; only if "
            "the deployment has an address of the store for clients."
        ),
    ),
}
"""The same for a signed link."""

_logger: Final = logging.getLogger(__name__)


class RangeRefused(Exception):
    """The file ends before the range begins."""


def download(
    content: FileContent, request: Request[Any, Any, Any], *, limits: Limits
) -> Response[bytes]:
    """Answer with a file, a part of it, where it is, or the news that the client has it already."""
    headers = {**_SAFETY, **_headers(content)}
    asked = request.headers
    if _matches(asked.get("if-none-match"), headers["etag"]):
        return Response(b"", status_code=304, headers=headers, media_type=content.media_type)
    is_head = request.scope.get(IS_HEAD)
    address = "" if is_head else content.address(content.media_type, headers["content-disposition"])
    if address:
        return Response(b"", status_code=302, headers={**_ELSEWHERE, "location": address})
    # A part of another file would not fit to what the client has: it gets the whole (RFC 9110,
    # 13.1.5).
    is_current = asked.get("if-range") in {None, headers["etag"]}
    try:
        part = parse_range(asked.get("range"), content.size) if is_current else None
    except RangeRefused:
        headers["content-range"] = f"bytes */{content.size}"
        return Response(b"", status_code=416, headers=headers, media_type=content.media_type)
    start, end = part or (0, content.size)
    if part:
        headers["content-range"] = f"bytes {start}-{end - 1}/{content.size}"
    headers["content-length"] = str(end - start)
    # The gate throws the body of a HEAD request away: not even read it.
    chunks = _nothing() if is_head else content.read(start, end)
    status_code = 206 if part else 200
    return _FileResponse(chunks, status_code=status_code, headers=headers, limits=limits)


def whole(content: FileContent, headers: Mapping[str, str], *, limits: Limits) -> Response[bytes]:
    """Answer with all of a file, under headers that say how it may be shown."""
    told = {"content-type": content.media_type, "content-length": str(content.size), **headers}
    chunks = content.read(0, content.size)
    return _FileResponse(chunks, status_code=200, headers=told, limits=limits)


def parse_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Read a ``Range`` header as start and end (exclusive).

    None means the whole file: no header, another unit, several ranges, or a malformed one (RFC
    9110, 14.2). Raises ``RangeRefused`` if no byte of the file is in the range.
    """
    found = _RANGE.fullmatch((header or "").replace(" ", ""))
    if not found or found[0] == "bytes=-":
        return None
    first, last = found[1], found[2]
    if not first:
        if int(last) == 0:
            raise RangeRefused
        return max(0, size - int(last)), size
    start = int(first)
    if last and int(last) < start:
        return None
    if start >= size:
        raise RangeRefused
    return start, min(int(last) + 1, size) if last else size


def content_disposition(name: str, *, is_attachment: bool) -> str:
    """Encode a file name for a header: an ASCII fallback, and the name itself (RFC 6266)."""
    kind = "attachment" if is_attachment else "inline"
    fallback = _UNSAFE_FALLBACK.sub("_", name)
    value = f'{kind}; filename="{fallback}"'
    if fallback != name:
        value += f"; filename*=UTF-8''{quote(name, safe=_ATTRIBUTE_CHARS)}"
    return value


def _headers(content: FileContent) -> dict[str, str]:
    is_attachment = content.is_attachment or content.media_type not in INLINE
    return {
        "content-type": content.media_type,
        "content-disposition": content_disposition(content.name, is_attachment=is_attachment),
        "etag": f'"{content.sha256}"',
    }


def _matches(header: str | None, etag: str) -> bool:
    if not header:
        return False
    tags = {tag.strip().removeprefix("W/") for tag in header.split(",")}
    return "*" in tags or etag in tags


class _FileResponse(Response[bytes]):
    """Streams chunks; content length and type are among ``headers``."""

    def __init__(
        self,
        chunks: AsyncGenerator[bytes, None],
        *,
        status_code: int,
        headers: dict[str, str],
        limits: Limits,
    ) -> None:
        super().__init__(b"", status_code=status_code, headers=headers)
        self._chunks = chunks
        self._limits = limits

    def to_asgi_response(
        self,
        app: object,
        request: Request[Any, Any, Any],
        *,
        background: BackgroundTask | BackgroundTasks | None = None,
        cookies: Iterable[Cookie] | None = None,
        encoded_headers: Iterable[tuple[bytes, bytes]] | None = None,
        headers: dict[str, str] | None = None,
        is_head_response: bool = False,
        media_type: MediaType | str | None = None,
        status_code: int | None = None,
        type_encoders: Mapping[Any, Callable[[Any], Any]] | None = None,
    ) -> ASGIResponse:
        return _AsgiDownload(
            self._chunks,
            status_code=self.status_code or 200,
            headers={**(headers or {}), **self.headers},
            limits=self._limits,
        )


class _AsgiDownload(ASGIResponse):
    """Sends a file as fast as the client takes it, and stops when the client leaves or stalls."""

    __slots__ = ("_chunks", "_limits")

    def __init__(
        self,
        chunks: AsyncGenerator[bytes, None],
        *,
        status_code: int,
        headers: dict[str, str],
        limits: Limits,
    ) -> None:
        super().__init__(status_code=status_code, headers=headers)
        self._chunks = chunks
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._chunks):
            # Read before the status is out, so that a missing object still becomes an error body.
            chunk = await self._next()
            await self.start_response(send)
            async with asyncio.TaskGroup() as group:
                gone = group.create_task(until_disconnect(receive))
                await self._send_all(chunk, send, gone)
                gone.cancel()

    async def _send_all(self, chunk: bytes, send: Send, gone: "asyncio.Task[None]") -> None:
        """Send everything; a body that ends early tells the client that something failed."""
        try:
            while chunk and not gone.done():
                async with asyncio.timeout(self._limits.stream_write_stall_s):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
                chunk = await self._next()
            if not gone.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except (AppError, TimeoutError):
            _logger.warning("A download broke off.", exc_info=True)

    async def _next(self) -> bytes:
        try:
            async with asyncio.timeout(self._limits.object_store_s):
                return await anext(self._chunks, b"")
        except TimeoutError as exc:
            raise Unavailable("The object store does not answer; try again.") from exc


async def _nothing() -> AsyncGenerator[bytes, None]:
    no_chunks: tuple[bytes, ...] = ()
    for chunk in no_chunks:
        yield chunk
