"""Requests over HTTP: address, token, time-outs, retries and errors in one place."""

from __future__ import annotations

import asyncio
import platform
import re
import uuid
import warnings
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import IO, Any, Final, Self, TypeVar

import httpx
import msgspec

from coterie_client._errors import (
    ConnectionFailed,
    ConversationBusy,
    CoterieError,
    DecodeFailed,
    error_of,
)
from coterie_client._retry import REPEATABLE, Patience, Timeout

__version__: Final = "0.1.0"
_NEEDS: Final = (0, 1)
"""The oldest server, by the numbers before the second dot, that has every operation."""

_AGENT: Final = (
    f"coterie-client/{__version__} python/{platform.python_version()} httpx/{httpx.__version__}"
)
KEY: Final = "Idempotency-Key"
_NUMBERS: Final = re.compile(r"(\d+)\.(\d+)")
_NOT_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

T = TypeVar("T")
Query = Mapping[str, str | int | bool | Sequence[str] | None]
Files = Mapping[str, tuple[str, IO[bytes]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request; ``body`` is what becomes JSON. With ``has_key`` it may be sent again."""

    method: str
    path: str
    query: Query = field(default_factory=dict)
    body: Any = None
    form: Mapping[str, str] = field(default_factory=dict)
    files: Files = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    has_key: bool = False

    @property
    def may_repeat(self) -> bool:
        """Tell whether sending it twice does what sending it once does."""
        return self.method in REPEATABLE or self.has_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How requests are sent; ``idempotency_key`` is for the next one that takes a key."""

    token: str | Callable[[], str]
    timeout: Timeout = field(default_factory=Timeout)
    retries: int = 3
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: str = ""
    retries_conflicts: bool = False
    """Whether a conversation that is busy is asked again, too."""


class AsyncTransport:
    """Sends requests to one server."""

    def __init__(self, http: httpx.AsyncClient, base_url: str, options: Options) -> None:
        self._http = http
        self._base = base_url.rstrip("/")
        self.options = options

    def with_options(self, **changes: Any) -> Self:
        """Return one that shares the connections."""
        return type(self)(self._http, self._base, replace(self.options, **changes))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def send(self, request: Request) -> httpx.Response:
        """Send until there is an answer; raise what it stands for unless it is a success."""
        request = self._keyed(request)
        patience = Patience(self.options.retries)
        while True:
            try:
                response = await self._http.send(self._built(request, self._timeout()))
            except httpx.TransportError as exc:
                again = request.may_repeat or isinstance(exc, _NOT_SENT)
                error: CoterieError = ConnectionFailed(_words(exc), retryable=again)
                error.__cause__ = exc
            else:
                self._look_at(response)
                if response.is_success:
                    return response
                error = error_of(response.status_code, response.headers, response.content)
                again = request.may_repeat and self._may_retry(error)
            await self._pause(error, patience if again and _rewound(request) else None)

    async def call(self, request: Request, type_: type[T]) -> T:
        """Send and decode the answer."""
        return decoded((await self.send(request)).content, type_)

    @asynccontextmanager
    async def open(self, request: Request) -> AsyncIterator[httpx.Response]:
        """Send once and yield an answer whose body is still to come; raise ``CoterieError``."""
        silent = self._timeout(read=self.options.timeout.stream)
        try:
            response = await self._http.send(self._built(request, silent), stream=True)
        except httpx.TransportError as exc:
            again = request.may_repeat or isinstance(exc, _NOT_SENT)
            raise ConnectionFailed(_words(exc), retryable=again) from exc
        try:
            self._look_at(response)
            if not response.is_success:
                body = await response.aread()
                raise error_of(response.status_code, response.headers, body)
            yield response
        except httpx.TransportError as exc:
            raise ConnectionFailed(_words(exc), retryable=True) from exc
        finally:
            await response.aclose()

    async def wait(self, error: CoterieError, patience: Patience) -> None:
        """Wait before the next try of a request that may be repeated; raise when it is given up."""
        again = self._may_retry(error)
        await self._pause(error, patience if again else None)

    async def _pause(self, error: CoterieError, patience: Patience | None) -> None:
        seconds = patience.pause(error.retry_after) if patience else None
        if seconds is None:
            raise error
        await asyncio.sleep(seconds)

    def new_key(self) -> str:
        """Return the key that was asked for, or one that nobody has."""
        return self.options.idempotency_key or str(uuid.uuid4())

    def _keyed(self, request: Request) -> Request:
        if not request.has_key or KEY in request.headers:
            return request
        return replace(request, headers={**request.headers, KEY: self.new_key()})

    def _may_retry(self, error: CoterieError) -> bool:
        busy = self.options.retries_conflicts and isinstance(error, ConversationBusy)
        return error.retryable or busy

    def _timeout(self, read: float = 0.0) -> httpx.Timeout:
        given = self.options.timeout
        return httpx.Timeout(read or given.read, connect=given.connect)

    def _built(self, request: Request, timeout: httpx.Timeout) -> httpx.Request:
        given = self.options.token
        token = given if isinstance(given, str) else given()
        headers = {
            "User-Agent": _AGENT,
            **({"Authorization": f"Bearer {token}"} if token else {}),
            **self.options.headers,
            **request.headers,
        }
        content = None
        if request.body is not None:
            content = msgspec.json.encode(request.body)
            headers["Content-Type"] = "application/json"
        return self._http.build_request(
            request.method,
            self._base + request.path,
            params=_query(request.query),
            content=content,
            data=request.form or None,
            files=request.files or None,
            headers=headers,
            timeout=timeout,
        )

    def _look_at(self, response: httpx.Response) -> None:
        version = response.headers.get("coterie-version", "")
        found = _NUMBERS.match(version)
        if found and (int(found[1]), int(found[2])) < _NEEDS:
            _warn_of(self._base, version)


def decoded(body: bytes, type_: type[T]) -> T:
    """Decode an answer; raise ``DecodeFailed`` if it is something else."""
    try:
        return msgspec.json.decode(body, type=type_)
    except msgspec.DecodeError as exc:
        raise DecodeFailed(f"The server's answer is not understood: {exc}") from exc


def _query(given: Query) -> dict[str, str | list[str]]:
    return {
        name: _text(value) if not isinstance(value, list | tuple) else list(map(str, value))
        for name, value in given.items()
        if value is not None
    }


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _words(exc: httpx.TransportError) -> str:
    return f"The server could not be reached: {str(exc) or type(exc).__name__}."


def _rewound(request: Request) -> bool:
    """Set files back to their beginning; tell whether all of them could be."""
    for _, file in request.files.values():
        if not file.seekable():
            return False
        file.seek(0)
    return True


_warned: Final = set[str]()


def _warn_of(base: str, version: str) -> None:
    if base not in _warned:
        _warned.add(base)
        needed = ".".join(map(str, _NEEDS))
        warnings.warn(
            f"The server at {base} is {version}; this library needs {needed} or newer.",
            stacklevel=4,
        )
