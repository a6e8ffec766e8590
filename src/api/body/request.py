"""Request bodies: JSON, strictly UTF-8, bounded before it is decoded, and decoded as it is wanted.

A body that comes in one piece is small, or waited in the socket anyway. What comes in more takes
room that the workspaces of a process share, from its first byte until it is decoded.
"""

import asyncio
from typing import Any, Final, Protocol

from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.types import Empty

from api.body.limit import BodyLimit, body_limit
from api.body.shape import BodyShape, shape_of
from api.entry.auth import principal_of
from api.error import ClientGone
from domain.shared.access import Principal
from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT, FairShare
from domain.shared.error import InvalidRequest, RequestTooLarge, Unauthenticated
from domain.shared.limits import MIB, Limits
from domain.shared.text.json_scan import JsonBounds, JsonScan, check_json

SLOWEST_BYTES_PER_S: Final = 64 * 1024
"""Whoever sends a body more slowly gives the room for it to others."""
ASIDE_BYTES: Final = 1 * MIB
"""Longer texts are decoded beside the event loop."""
_LOOKED_AT_BYTES: Final = 256 * 1024
_DECODED: Final = b" "
"""What is left of a long body when it is decoded: it would stay while the answer is sent."""


class Received(Protocol):
    """Takes the pieces of a body."""

    def feed(self, chunk: bytes) -> None: ...

    def finish(self) -> bytes:
        """Return what is to be decoded."""
        ...


class _Joined:
    """Keeps the pieces as they are."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def feed(self, chunk: bytes) -> None:
        self._pieces.append(chunk)

    def finish(self) -> bytes:
        return b"".join(self._pieces)


class RequestBodies:
    """What all requests of a process share: the room for bodies, and what each route takes."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.share = FairShare(
            "request bodies",
            capacity=limits.bodies_bytes,
            kept=limits.bodies_bytes // 8,
            waiting=limits.bodies_waiting,
            wait_s=limits.body_wait_s,
        )
        self._plans: dict[tuple[BaseRouteHandler, str], tuple[BodyLimit, BodyShape]] = {}

    def plan(self, handler: BaseRouteHandler, route: str) -> tuple[BodyLimit, BodyShape]:
        """Return how large the bodies of a route may be, and what they look like."""
        key = (handler, route)
        found = self._plans.get(key)
        if found is None:
            found = body_limit(route, self.limits), shape_of(handler, route)
            self._plans[key] = found
        return found


class ApiRequest(Request[Principal, Any, State]):
    """The request class of the application; ``app.state`` has limits, meter and room for bodies."""

    async def body(self) -> bytes:
        """Read the body once, within the limits of its route; a long one is decoded as well.

        Raises:
            HTTPException: the content type is another one (415).
            RequestTooLarge: too many bytes, or too many values.
            RateLimited: there is no room for a body of this size.
            InvalidRequest: sent too slowly, nested too deeply, or with NUL characters; long ones
                also when they are malformed.
            ClientGone: the client left before its end.
        """
        if self._body is Empty:
            state = self._connection_state
            if state.body is Empty:
                state.body = await self._received()
            self._body = state.body
        return self._body

    async def json(self) -> Any:
        """Decode the body once, into the type that the handler asks for.

        Raises:
            InvalidRequest: malformed, not UTF-8, or of another shape; the message names the field.
        """
        if self._json is Empty:
            body = await self.body()
            if self._json is Empty:
                self._json = self._plan[1].decode(body) if body else None
        return self._json

    @property
    def _plan(self) -> tuple[BodyLimit, BodyShape]:
        bodies: RequestBodies = self.app.state.bodies
        return bodies.plan(self.route_handler, self.scope["path_template"])

    def check_type(self) -> None:
        """Refuse a body of another type than this route reads."""
        check_json_type(self.headers.get("content-type"))

    def _receiver(self) -> Received | None:
        """Return what takes the body; None if it may be taken as it is."""
        return None

    async def _received(self) -> bytes:
        limit, shape = self._plan
        announced = self.content_length
        if announced is not None and announced > limit.total_bytes:
            raise _too_large(limit)
        receiver = self._receiver()
        chunk, is_last = await self._next()
        if chunk or not is_last:
            self.check_type()
        if is_last and len(chunk) <= limit.total_bytes:
            if receiver is not None:
                receiver.feed(chunk)
                chunk = receiver.finish()
            if len(chunk) > limit.json_bytes:
                raise _too_large(limit)
            check_json(chunk, limit.bounds)
            return chunk
        size = announced
        if size is None:
            size = limit.json_bytes
        bodies: RequestBodies = self.app.state.bodies
        # All of it at once: who gets room bit by bit could wait for the rest while holding up
        # others.
        async with bodies.share.hold(self._space(), size):
            text = await self._rest(chunk, is_last, receiver or _Joined(), limit, size=size)
            if len(text) <= ASIDE_BYTES or self.route_handler.parsed_data_field is None:
                return text
            self._json = await asyncio.to_thread(shape.decode, text)
            return _DECODED

    async def _rest(
        self, chunk: bytes, is_last: bool, receiver: Received, limit: BodyLimit, *, size: int
    ) -> bytes:
        limits: Limits = self.app.state.limits
        received = 0
        try:
            async with asyncio.timeout(limits.upload_idle_s + size / SLOWEST_BYTES_PER_S):
                while True:
                    received += len(chunk)
                    if received > size:
                        raise _too_large(limit)
                    receiver.feed(chunk)
                    if is_last:
                        break
                    chunk, is_last = await self._next()
        except TimeoutError as exc:
            raise InvalidRequest("The request body came too slowly; try again.") from exc
        text = receiver.finish()
        if len(text) > limit.json_bytes:
            raise _too_large(limit)
        await _look_at(text, limit.bounds)
        return text

    async def _next(self) -> tuple[bytes, bool]:
        message: Any = await self.receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        return message.get("body", b""), not message.get("more_body", False)

    def _space(self) -> int:
        """Return the workspace whose room is taken."""
        try:
            return principal_of(self).personal_space_id
        except Unauthenticated:  # the few routes that need no token
            return OF_THE_DEPLOYMENT


def check_json_type(content_type: str | None) -> None:
    """Refuse bodies of another type; a missing header passes, browsers always send one."""
    if not content_type:
        return
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise HTTPException(
            f"Content-Type: expected application/json, got {media_type}.", status_code=415
        )


async def _look_at(text: bytes, bounds: JsonBounds) -> None:
    """Check a long text without keeping the event loop from others for long."""
    scan = JsonScan(bounds)
    for at in range(0, len(text), _LOOKED_AT_BYTES):
        scan.feed(text[at : at + _LOOKED_AT_BYTES])
        await asyncio.sleep(0)
    scan.finish()


def _too_large(limit: BodyLimit) -> RequestTooLarge:
    return RequestTooLarge(f"The request may have {limit.total_bytes} bytes at most; {limit.hint}.")
