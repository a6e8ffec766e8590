"""Requests whose JSON may be as long as a file: few at a time, decoded beside the event loop.

Files inside it are never decoded as JSON; ``long_texts`` has them.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from litestar.types import Empty

from api.long_text import LongTexts, TextLifter
from api.request import ApiRequest, check_json_type, decode_json
from domain.shared.error import InvalidRequest, RateLimited, RequestTooLarge
from domain.shared.limits import Limits

SLOT_WAIT_S: Final = 10.0
DECODED_ASIDE_BYTES: Final = 256 * 1024
SLOWEST_BYTES_PER_S: Final = 64 * 1024
"""Whoever sends a long body more slowly gives its place to others."""


class LargeRequest(ApiRequest):
    """For routes that take files inside JSON; other limits than those of a body stay."""

    __slots__ = ("long_texts",)

    long_texts: LongTexts
    """What the body names instead of saying it; complete once the body is read."""

    async def body(self) -> bytes:
        """Read the body once, without its long texts; it is decoded as well if that takes long.

        Raises:
            RequestTooLarge: longer than announced bodies, or those that are not, may be.
            RateLimited: too many long bodies are on their way.
            InvalidRequest: stalled, sent too slowly, or long and malformed.
        """
        if self._body is Empty:
            limits: Limits = self.app.state.limits
            check_json_type(self.headers.get("content-type"))
            announced = self.content_length or 0
            if announced > limits.document_body_bytes:
                raise RequestTooLarge(
                    f"The request may have {limits.document_body_bytes} bytes at most; upload the "
                    "file and send its id as source_file_id."
                )
            if announced <= limits.json_body_bytes:
                received = await self._receive(limits.json_body_bytes, limits)
            else:
                async with self._slot(limits):
                    received = await self._receive(announced, limits)
            if len(received) > DECODED_ASIDE_BYTES:
                self._json = await asyncio.to_thread(
                    decode_json, received, max_depth=limits.json_depth
                )
            self._body = self._connection_state.body = received
        return self._body

    async def _receive(self, size: int, limits: Limits) -> bytes:
        lifter, chunks, received = TextLifter(), self.stream(), 0
        try:
            async with asyncio.timeout(limits.upload_idle_s + size / SLOWEST_BYTES_PER_S):
                while True:
                    async with asyncio.timeout(limits.upload_idle_s):
                        chunk = await anext(chunks, None)
                    if chunk is None:
                        self.long_texts = lifter.texts
                        return lifter.finish()
                    lifter.feed(chunk)
                    received += len(chunk)
                    if received > size:
                        raise RequestTooLarge("The request body is too large.")
        except TimeoutError as exc:
            raise InvalidRequest("The request body came too slowly; try again.") from exc

    @asynccontextmanager
    async def _slot(self, limits: Limits) -> AsyncGenerator[None, None]:
        state = self.app.state
        if "large_bodies" not in state:
            state.large_bodies = asyncio.Semaphore(limits.large_bodies)
        slots: asyncio.Semaphore = state.large_bodies
        try:
            async with asyncio.timeout(SLOT_WAIT_S):
                await slots.acquire()
        except TimeoutError as exc:
            raise RateLimited(
                "Too many long requests are on their way; try again.",
                retry_after_s=SLOT_WAIT_S,
                limit="long_requests",
            ) from exc
        try:
            yield
        finally:
            slots.release()
