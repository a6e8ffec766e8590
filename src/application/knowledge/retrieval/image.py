"""The images in slices, for whoever holds a signed link."""

import asyncio
import hashlib
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from domain.knowledge.image_link import ImageLinkRefused, ImageLinks, image_type
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound, ObjectStore

MAX_BYTES: Final = 20 * 1024 * 1024
"""No image of a knowledge base is longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeImage:
    """An image as it is stored; ``media_type`` by its first bytes."""

    data: bytes
    media_type: str
    sha256: str


class ImageService:
    """Serves images of knowledge bases."""

    def __init__(self, *, links: ImageLinks, objects: ObjectStore, clock: Clock) -> None:
        self._links = links
        self._objects = objects
        self._clock = clock

    async def open(self, token: str) -> KnowledgeImage:
        """Read the image of a link; raise ``ImageLinkRefused`` if there is none any more."""
        link = self._links.verify(token, now=self._clock.now())
        reading = self._objects.read(ObjectKey(link.object_key), end=MAX_BYTES)
        try:
            async with aclosing(reading) as chunks:
                data = b"".join([chunk async for chunk in chunks])
        except ObjectNotFound as exc:
            raise ImageLinkRefused("This image is gone.") from exc
        media_type = image_type(data)
        if media_type is None:
            raise ImageLinkRefused("This link leads to no image.")
        sha256 = (await asyncio.to_thread(hashlib.sha256, data)).hexdigest()
        return KnowledgeImage(data=data, media_type=media_type, sha256=sha256)
