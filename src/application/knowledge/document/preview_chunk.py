"""The chunks of a preview as an object in storage."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Final

import msgspec

from domain.knowledge.error import PreviewNotFound
from domain.knowledge.preview import PreviewChunk
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound, ObjectStore

MAX_BYTES: Final = 200 * 1024 * 1024


class _Chunks(msgspec.Struct, frozen=True):
    chunks: tuple[PreviewChunk, ...]


async def write_chunks(objects: ObjectStore, key: str, chunks: Sequence[PreviewChunk]) -> None:
    """Store chunks, replacing those that are there."""
    packed = await asyncio.to_thread(lambda: msgspec.json.encode(_Chunks(tuple(chunks))))
    await objects.put(ObjectKey(key), _once(packed), limit_bytes=MAX_BYTES)


async def read_chunks(objects: ObjectStore, key: str) -> tuple[PreviewChunk, ...]:
    """Read chunks; raise ``PreviewNotFound`` if they are gone."""
    try:
        async with aclosing(objects.read(ObjectKey(key))) as pieces:
            packed = b"".join([piece async for piece in pieces])
    except ObjectNotFound as exc:
        raise PreviewNotFound("The chunks of this preview are gone; make another one.") from exc
    return (await asyncio.to_thread(lambda: msgspec.json.decode(packed, type=_Chunks))).chunks


async def _once(data: bytes) -> AsyncGenerator[bytes, None]:
    yield data
