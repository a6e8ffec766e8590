"""Bodies of traces at rest: compressed, sealed, and in the object store if they are large."""

import asyncio
import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Final

import msgspec

from domain.shared.ids import SpaceId
from domain.trace.body import NO_SPANS, decode_spans, without_content
from domain.trace.error import TraceUnreadable
from domain.trace.value import StoredSpan, TraceBody
from infra.contract.clock import Clock
from infra.contract.security.secret_box import SecretBox, SecretUnreadable
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound, ObjectStore

PREFIX: Final = "traces"
INLINE_BYTES: Final = 64 * 1024
_LEVEL: Final = 1
"""Spans repeat themselves so much that a higher one gains little and takes three times as long."""
_SMALL_BYTES: Final = 1024
"""Setting the compressor up takes longer than such a body is worth."""
_BARE: Final = b"\x00"
"""First byte of a body that is not sealed, as brief ones were for a time; a box writes another."""
_COMPRESSED: Final = b"\x78"
"""First byte of what zlib writes (RFC 1950); a list in msgpack begins with another one."""
_HEAD: Final = 64
"""Bytes by which it is told under which key a body was sealed."""
_MOST_BYTES: Final = 64 * 1024 * 1024
_WORTH_A_THREAD_BYTES: Final = 256 * 1024


class TraceBodies:
    """Packs bodies before they are stored with their run, and opens them again."""

    def __init__(self, *, objects: ObjectStore, box: SecretBox, clock: Clock) -> None:
        self._clock = clock
        self._objects = objects
        self._box = box

    async def pack(
        self,
        spans: bytes,
        *,
        run_id: int,
        space_id: SpaceId,
        began_at: datetime,
    ) -> TraceBody:
        """Return a body of encoded spans; one that is large is in the object store by then."""
        if len(spans) > _WORTH_A_THREAD_BYTES:
            sealed = await asyncio.to_thread(self._seal, spans, run_id)
        else:
            sealed = self._seal(spans, run_id)
        key = ""
        if len(sealed) > INLINE_BYTES:
            key = f"{PREFIX}/{space_id}/{run_id}/{int(self._clock.now().timestamp() * 1_000_000)}"
            await self._objects.put(ObjectKey(key), _chunks(sealed), limit_bytes=_MOST_BYTES)
            sealed = b""
        return TraceBody(
            run_id=run_id, space_id=space_id, began_at=began_at, object_key=key, sealed=sealed
        )

    async def open(self, body: TraceBody) -> list[StoredSpan]:
        """Return the spans of a body.

        Raises:
            TraceUnreadable: it is gone, or was sealed under another key.
        """
        try:
            return decode_spans(await self._encoded(body))
        except msgspec.DecodeError as exc:
            raise _unreadable(body) from exc

    async def strip(self, body: TraceBody) -> TraceBody:
        """Return a body without what was said; an empty one where it cannot be read."""
        try:
            spans = without_content(await self._encoded(body))
        except (TraceUnreadable, msgspec.DecodeError):
            spans = NO_SPANS
        return await self.pack(
            spans, run_id=body.run_id, space_id=body.space_id, began_at=body.began_at
        )

    async def reseal(self, body: TraceBody) -> TraceBody | None:
        """Return a body sealed under the present key; None if it is so already.

        Raises:
            TraceUnreadable: it is gone, or was sealed under a key that nobody has any more.
        """
        sealed = body.sealed or await self._beginning(body)
        if self._box.is_current(sealed):
            return None
        return await self.pack(
            await self._encoded(body),
            run_id=body.run_id,
            space_id=body.space_id,
            began_at=body.began_at,
        )

    async def _encoded(self, body: TraceBody) -> bytes:
        sealed = body.sealed
        if body.object_key:
            try:
                async with aclosing(self._objects.read(ObjectKey(body.object_key))) as chunks:
                    pieces = [chunk async for chunk in chunks]
            except ObjectNotFound as exc:
                raise _unreadable(body) from exc
            sealed = b"".join(pieces)
        if len(sealed) > _WORTH_A_THREAD_BYTES:
            return await asyncio.to_thread(self._opened, body, sealed)
        return self._opened(body, sealed)

    async def _beginning(self, body: TraceBody) -> bytes:
        try:
            async with aclosing(self._objects.read(ObjectKey(body.object_key), end=_HEAD)) as read:
                return b"".join([chunk async for chunk in read])
        except ObjectNotFound as exc:
            raise _unreadable(body) from exc

    async def drop(self, body: TraceBody) -> None:
        """Remove what the object store has of a body."""
        if body.object_key:
            await self._objects.delete(ObjectKey(body.object_key))

    def _seal(self, data: bytes, run_id: int) -> bytes:
        if len(data) > _SMALL_BYTES:
            data = zlib.compress(data, _LEVEL)
        return self._box.seal(data, aad=_place(run_id))

    def _opened(self, body: TraceBody, sealed: bytes) -> bytes:
        if sealed.startswith(_BARE):
            return sealed[1:]
        try:
            data = self._box.open(sealed, aad=_place(body.run_id))
            return zlib.decompress(data) if data[:1] == _COMPRESSED else data
        except (SecretUnreadable, zlib.error) as exc:
            raise _unreadable(body) from exc


def put_at(key: str) -> datetime:
    """Return when an object was put, as its key says."""
    try:
        return datetime.fromtimestamp(int(key.rpartition("/")[2]) / 1_000_000, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.max.replace(tzinfo=UTC)


def _place(run_id: int) -> bytes:
    return f"trace/{run_id}".encode()


def _unreadable(body: TraceBody) -> TraceUnreadable:
    return TraceUnreadable(
        f"The trace of run {body.run_id} cannot be read: it is gone, or the deployment's key is "
        "another one by now.",
        run_id=body.run_id,
    )


async def _chunks(data: bytes) -> AsyncGenerator[bytes, None]:
    yield data
