"""Resolves what messages refer to: files by id, images by id or address."""

import asyncio
import base64
import binascii
import hashlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final
from urllib.parse import unquote, urlsplit

from domain.file.entity import File
from domain.file.error import FileNotFound, ImageRefused, LinkRefused
from domain.file.image import check_image
from domain.file.repository import FileStore
from domain.file.signature import MAX_TTL_S, FileLinks
from domain.file.value import DescribedFile, FileContent, Image
from domain.shared.access import TenantScope
from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT
from domain.shared.error import RequestTooLarge, Unavailable
from domain.shared.ids import FileId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.egress import (
    EgressClient,
    EgressDenied,
    EgressFailed,
    EgressPolicy,
    EgressRequest,
)
from infra.contract.storage.object_store import ObjectKey, ObjectStore

_DATA: Final = "data:"
_HEADER_CHARS: Final = 256
"""Room for the media type in front of a ``data:`` URL's bytes."""

_OK: Final = 200
_NAME_CHARS: Final = 200


class FileResolver:
    """Read access to files for the other contexts."""

    def __init__(
        self,
        *,
        store: FileStore,
        objects: ObjectStore,
        egress: EgressClient,
        links: FileLinks,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._objects = objects
        self._egress = egress
        self._links = links
        self._clock = clock
        self._limits = limits
        self._ttl_s = min(limits.signed_url_ttl_s, MAX_TTL_S)

    async def describe(
        self, scope: TenantScope, file_ids: Sequence[FileId]
    ) -> dict[FileId, DescribedFile]:
        """Describe all files; raise ``FileNotFound`` naming the first unknown id."""
        if not file_ids:
            return {}
        async with self._store.snapshot() as uow:
            files = await uow.files.get_many(scope, file_ids)
        for file_id in file_ids:
            if file_id not in files:
                raise FileNotFound(f"No file {file_id}.", file_id=file_id)
        now = self._clock.now()
        return {
            file.id: DescribedFile(
                file=file, url=self._links.url(file.space_id, file.id, now=now, ttl_s=self._ttl_s)
            )
            for file in files.values()
        }

    async def find(
        self, scope: TenantScope, *, file_id: FileId | None = None, object_key: str = ""
    ) -> DescribedFile:
        """Describe one file, by id or by the key of its object; raise ``FileNotFound``."""
        if file_id is None:
            file_id = await self._id_of(scope, object_key)
        return (await self.describe(scope, [file_id]))[file_id]

    async def read(self, scope: TenantScope, file_id: FileId) -> AsyncGenerator[bytes, None]:
        """Yield the bytes of a file in chunks; each has the time that one may take.

        Raises:
            FileNotFound: no such file in the scope.
            Unavailable: the store does not answer.
        """
        async with self._store.snapshot() as uow:
            file = await uow.files.get(scope, file_id)
        async with aclosing(self._objects.read(file.object_key)) as chunks:
            while True:
                try:
                    async with asyncio.timeout(self._limits.object_store_s):
                        chunk = await anext(chunks, None)
                except TimeoutError as exc:
                    raise Unavailable("The object store does not answer; try again.") from exc
                if chunk is None:
                    return
                yield chunk

    async def load(
        self,
        scope: TenantScope,
        *,
        file_id: FileId | None,
        url: str,
        max_bytes: int,
        hosts: frozenset[str],
    ) -> FileContent:
        """Load a whole file by id or address.

        Raises:
            FileNotFound, RequestTooLarge, LinkRefused, EgressDenied, EgressFailed, Unavailable
        """
        link = None if file_id is not None else self._links.own(url, now=self._clock.now())
        if file_id is None and link is None:
            return await self._load_foreign(scope, url, max_bytes=max_bytes, hosts=hosts)
        wanted = file_id if link is None else link.file_id
        async with self._store.snapshot() as uow:
            file = await uow.files.get(scope, FileId(wanted or 0))
        if file.size > max_bytes:
            raise RequestTooLarge(f"The file {file.name} has more than {max_bytes} bytes.")
        data = await self._read(file)
        return FileContent(name=file.name, media_type=file.media_type, data=data)

    async def _load_foreign(
        self, scope: TenantScope, url: str, *, max_bytes: int, hosts: frozenset[str]
    ) -> FileContent:
        policy = replace(self._policy(scope), max_bytes=max_bytes, allow_hosts=hosts)
        response = await self._egress.request(EgressRequest(url=url), policy)
        if response.status != _OK:
            raise FileNotFound(f"The file could not be fetched: status {response.status}.")
        name = unquote(urlsplit(response.url).path.rpartition("/")[2])[:_NAME_CHARS]
        media_type = response.headers.get("content-type", "").partition(";")[0].strip()
        return FileContent(name=name or "file", media_type=media_type, data=response.body)

    async def load_image(
        self, scope: TenantScope, *, file_id: FileId | None = None, url: str = ""
    ) -> Image:
        """Load an image by id or by address (http, https, data) and check it.

        Raises:
            FileNotFound: no such file in the scope.
            ImageRefused: no image, too large, or its address may not or cannot be read.
        """
        if file_id is not None:
            return await self._load_stored(scope, file_id)
        if url[: len(_DATA)].lower() == _DATA:
            return await asyncio.to_thread(self._decode, url)
        if url.lower().startswith(("http://", "https://")):
            return await self._load_remote(scope, url)
        raise ImageRefused("An image needs a file id or an http, https or data address.")

    async def _id_of(self, scope: TenantScope, object_key: str) -> FileId:
        try:
            key = ObjectKey(object_key)
        except ValueError as exc:
            raise FileNotFound("No file has this object key.") from exc
        async with self._store.snapshot() as uow:
            return (await uow.files.get_by_key(scope, key)).id

    async def _load_stored(self, scope: TenantScope, file_id: FileId) -> Image:
        async with self._store.snapshot() as uow:
            file = await uow.files.get(scope, file_id)
        self._require_size(file.size)
        return await asyncio.to_thread(self._inspect, await self._read(file))

    async def _read(self, file: File) -> bytes:
        try:
            async with (
                asyncio.timeout(self._limits.object_store_s),
                aclosing(self._objects.read(file.object_key)) as chunks,
            ):
                return b"".join([chunk async for chunk in chunks])
        except TimeoutError as exc:
            raise Unavailable("The object store does not answer; try again.") from exc

    async def _load_remote(self, scope: TenantScope, url: str) -> Image:
        try:
            link = self._links.own(url, now=self._clock.now())
        except LinkRefused as exc:
            raise ImageRefused(exc.message) from exc
        if link is not None:  # our own address: no detour over the network
            return await self._load_stored(scope, link.file_id)
        try:
            response = await self._egress.request(EgressRequest(url=url), self._policy(scope))
        except EgressDenied as exc:
            raise ImageRefused(f"The address of the image is not allowed: {exc.message}") from exc
        except EgressFailed as exc:
            raise ImageRefused(f"The image could not be fetched: {exc.message}") from exc
        if response.status != _OK:
            raise ImageRefused(f"The image could not be fetched: status {response.status}.")
        return await asyncio.to_thread(self._inspect, response.body)

    def _policy(self, scope: TenantScope) -> EgressPolicy:
        return EgressPolicy(
            space_id=min(scope.space_ids, default=OF_THE_DEPLOYMENT),
            profile="tenant",
            max_bytes=self._limits.image_bytes,
            max_seconds=self._limits.egress_total_s,
            max_redirects=self._limits.egress_redirects,
            allow_methods=frozenset({"GET"}),
        )

    def _decode(self, url: str) -> Image:
        self._require_size((len(url) - _HEADER_CHARS) * 3 // 4)
        header, comma, text = url[len(_DATA) :].partition(",")
        if not comma or len(header) > _HEADER_CHARS or not header.lower().endswith(";base64"):
            raise ImageRefused("A data address of an image must be base64: data:image/png;base64,…")
        try:
            data = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as exc:
            raise ImageRefused("The base64 of this data address is damaged.") from exc
        return self._inspect(data)

    def _require_size(self, size: int) -> None:
        if size > self._limits.image_bytes:
            raise ImageRefused(f"An image may have {self._limits.image_bytes} bytes at most.")

    def _inspect(self, data: bytes) -> Image:
        media_type = check_image(data, limits=self._limits)
        return Image(data=data, media_type=media_type, sha256=hashlib.sha256(data).hexdigest())
