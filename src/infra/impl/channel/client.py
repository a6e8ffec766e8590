"""HTTP to a platform: through the egress gate, to its own hosts only, with its tokens kept."""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlsplit

from cachetools import LRUCache

from domain.shared.secret import Secret
from infra.contract.channel import ChannelAccess, PlatformBusy, PlatformRefused
from infra.contract.clock import Clock
from infra.contract.egress import (
    EgressClient,
    EgressDenied,
    EgressFailed,
    EgressPolicy,
    EgressRequest,
    EgressResponse,
)

_SECONDS: Final = 20.0
_ANSWER_BYTES: Final = 1024 * 1024
_OK: Final = range(200, 300)
_TOO_MANY: Final = 429
_SERVER_FAULT: Final = 500
_RETRY_S: Final = 1.0
_LONGEST_WAIT_S: Final = 600.0
_TOKENS: Final = 1000
_EARLY: Final = timedelta(seconds=60)
_NOTHING: Final[Mapping[str, str]] = {}


class PlatformClient:
    """Calls one platform.

    ``address`` is the operator's, if there is one; it may be private, unlike the usual one.
    """

    def __init__(
        self,
        egress: EgressClient,
        *,
        usual: str,
        address: str = "",
        more_hosts: frozenset[str] = frozenset(),
        wait_header: str = "retry-after",
    ) -> None:
        self._egress = egress
        self.address = (address or usual).rstrip("/")
        self._is_operators = bool(address)
        self._hosts = frozenset({urlsplit(self.address).hostname or ""}) | (
            frozenset() if address else more_hosts
        )
        self._wait_header = wait_header

    async def call(
        self,
        access: ChannelAccess,
        path: str,
        *,
        method: str = "POST",
        data: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] = _NOTHING,
        body: bytes = b"",
    ) -> dict[str, Any]:
        """Return the JSON object that a platform answers, whatever it says of success."""
        sent = dict(headers)
        if data is not None:
            body = json.dumps(data, ensure_ascii=False).encode()
            sent["content-type"] = "application/json; charset=utf-8"
        answer = await self.send(
            access, self.address + path, method=method, headers=sent, body=body
        )
        return answer_of(answer)

    async def send(
        self,
        access: ChannelAccess,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] = _NOTHING,
        body: bytes = b"",
        max_bytes: int = _ANSWER_BYTES,
    ) -> EgressResponse:
        """Send and return the whole answer, unless it says that the platform is busy.

        Raises:
            PlatformBusy: no answer, a fault of the server, or called too often.
            PlatformRefused: the address is none of the platform's.
        """
        policy = EgressPolicy(
            space_id=access.space_id,
            profile="internal" if self._is_operators else "tenant",
            max_bytes=max_bytes,
            max_seconds=_SECONDS,
            max_redirects=0,
            allow_methods=frozenset({method}),
            allow_hosts=self._hosts,
        )
        request = EgressRequest(url=url, method=method, headers=headers, body=body)
        try:
            answer = await self._egress.request(request, policy)
        except EgressDenied as exc:
            raise PlatformRefused(f"The platform cannot be called: {exc.message}") from exc
        except EgressFailed as exc:
            raise PlatformBusy(
                "The platform does not answer.", retry_after_s=exc.retry_after_s
            ) from exc
        if answer.status == _TOO_MANY:
            wait_s = wait_of(answer.headers.get(self._wait_header, ""))
            raise PlatformBusy("The platform was called too often.", retry_after_s=wait_s)
        if answer.status >= _SERVER_FAULT:
            raise PlatformBusy(f"The platform failed with status {answer.status}.")
        return answer


def answer_of(answer: EgressResponse) -> dict[str, Any]:
    """Return the JSON object of an answer."""
    try:
        found = json.loads(answer.body)
    except ValueError as exc:
        if answer.status in _OK:
            raise PlatformBusy("The platform answered something that is no JSON.") from exc
        raise PlatformRefused(f"The platform refused with status {answer.status}.") from exc
    if not isinstance(found, dict):
        raise PlatformBusy("The platform answered something else than an object.")
    return found


def wait_of(text: str) -> float:
    """Return the seconds that a header asks to wait."""
    try:
        return min(max(float(text), 0.0), _LONGEST_WAIT_S)
    except ValueError:
        return _RETRY_S


def content_of(answer: EgressResponse) -> bytes:
    """Return the bytes of a file; an error in JSON instead of it is none."""
    if answer.status not in _OK:
        raise PlatformRefused(f"The platform does not give the file: status {answer.status}.")
    return answer.body


def multipart(
    fields: Mapping[str, str], *, name: str, file_name: str, media_type: str, content: bytes
) -> tuple[bytes, str]:
    """Return a form with one file, and its content type."""
    boundary = secrets.token_hex(16)
    lines = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in fields.items()
    ]
    shown = file_name.replace('"', "'").replace("\r", " ").replace("\n", " ")
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{shown}"; '
        f"filelength={len(content)}\r\n"
        f"Content-Type: {media_type or 'application/octet-stream'}\r\n\r\n"
    )
    body = "".join([*lines, head]).encode() + content + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


class TokenCache:
    """Tokens that platforms lend for some hours; one is fetched at a time for an installation."""

    def __init__(
        self, fetch: Callable[[ChannelAccess], Awaitable[tuple[Secret, float]]], *, clock: Clock
    ) -> None:
        """``fetch`` returns a token, and for how many seconds it is good."""
        self._fetch = fetch
        self._clock = clock
        self._known: LRUCache[bytes, tuple[Secret, datetime]] = LRUCache(_TOKENS)
        self._turns: LRUCache[bytes, asyncio.Lock] = LRUCache(_TOKENS)

    async def get(self, access: ChannelAccess, *, but: Secret | None = None) -> Secret:
        """Return a token; ``but`` was refused, whatever its time."""
        key = _key(access)
        async with self._turns.setdefault(key, asyncio.Lock()):
            token, until = self._known.get(key, (None, None))
            is_good = until is not None and until > self._clock.now()
            if token is not None and is_good and token != but:
                return token
            fresh, seconds = await self._fetch(access)
            ends = self._clock.now() + timedelta(seconds=seconds) - _EARLY
            self._known[key] = (fresh, ends)
            return fresh

    async def use(
        self,
        access: ChannelAccess,
        call: Callable[[Secret], Awaitable[dict[str, Any]]],
        *,
        is_stale: Callable[[Mapping[str, Any]], bool],
    ) -> dict[str, Any]:
        """Return what a call with a token answers; one that refuses the token is made anew once."""
        token = await self.get(access)
        answer = await call(token)
        return await call(await self.get(access, but=token)) if is_stale(answer) else answer


def _key(access: ChannelAccess) -> bytes:
    """Other credentials never share a token, not even those of the same channel."""
    known = sorted((name, secret.reveal()) for name, secret in access.credentials.items())
    return sha256(repr((access.channel_id, known)).encode()).digest()
