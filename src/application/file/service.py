"""Use cases of files: upload, look up, hand out, delete."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

import msgspec

from application.file.dto import FileContent, FileUse, FileView, LinkView, UploadFile
from domain.file.entity import File
from domain.file.error import FileNotFound, UploadKeyReused, UploadTimedOut
from domain.file.repository import FileStore, FileUnitOfWork
from domain.file.signature import MAX_TTL_S, Disposition, FileLinks
from domain.file.sniff import HEAD_BYTES, sniff
from domain.file.value import FileQuery
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.capacity.quota import Quotas, Usage
from domain.shared.error import AppError, Forbidden, RequestTooLarge
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import FileId, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectNotFound, ObjectStore, StoredObject

_logger: Final = logging.getLogger(__name__)


_REDIRECT_S: Final = 300
"""How long an address of the store is valid to which a signed link leads: for one download."""


class FileService:
    """Stores uploads and gives them back to those who may see them."""

    def __init__(
        self,
        *,
        store: FileStore,
        objects: ObjectStore,
        links: FileLinks,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        quotas: Quotas | None = None,
    ) -> None:
        self._quotas = quotas or Quotas(limits)
        self._store = store
        self._objects = objects
        self._links = links
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._ttl_s = min(limits.signed_url_ttl_s, MAX_TTL_S)

    async def upload(
        self, principal: Principal, command: UploadFile, chunks: AsyncIterable[bytes]
    ) -> FileView:
        """Store a file; nothing remains of one that breaks off, is empty or too large.

        Raises:
            RequestTooLarge: more bytes than the limit for uploads.
            FileEmpty: not a single byte.
            UploadKeyReused: the idempotency key belongs to another content.
            QuotaExceeded: the workspace has as much as it may have.
        """
        space_id = self._require_space(principal, command.space_id)
        scope = principal.scope.within(space_id)
        file = File.begin(
            FileId(self._ids.next_id()),
            space_id,
            creator_id=principal.user_id,
            end_user_id=principal.end_user_id,
            name=command.name,
            now=self._clock.now(),
        )
        # The row comes first so that the purge finds the object of a process that died.
        async with self._store.transaction() as uow:
            await self._quotas.require(uow, space_id, Usage(bytes=1, files=1))
            await uow.files.save(scope, file)
            await uow.commit()
        try:
            kept = await self._receive(principal.scope, file, command, chunks)
        except Exception:
            await self._abandon(scope, file)
            raise
        if kept is not file:
            await self._abandon(scope, file)
        return self._view(kept)

    async def get(self, principal: Principal, file_id: FileId) -> FileView:
        """Describe a file; raise ``FileNotFound``."""
        return self._view(await self._load(principal, file_id))

    async def list_own(
        self, principal: Principal, space_id: SpaceId, query: FileQuery
    ) -> tuple[list[FileView], bool]:
        """Return a page of the caller's uploads into a space, and whether more follow.

        Raises:
            FileNotFound: the file to list after is none that the caller sees.
        """
        principal.require(Permission.FILE, space_id)
        more = msgspec.structs.replace(query, limit=query.limit + 1)
        async with self._store.snapshot() as uow:
            if query.after is not None:
                await uow.files.get(principal.scope, query.after)
            found = await uow.files.of_creator(principal.scope, space_id, more)
        return [self._view(file) for file in found[: query.limit]], len(found) > query.limit

    async def link(
        self, principal: Principal, file_id: FileId, *, is_attachment: bool = False
    ) -> LinkView:
        """Return a fresh signed address of a file."""
        file = await self._load(principal, file_id)
        now = self._clock.now()
        disposition = Disposition.ATTACHMENT if is_attachment else Disposition.INLINE
        url = self._links.url(
            file.space_id, file.id, now=now, ttl_s=self._ttl_s, disposition=disposition
        )
        return LinkView(url=url, expires_at=now + timedelta(seconds=self._ttl_s))

    async def open(
        self, principal: Principal, file_id: FileId, *, is_attachment: bool = False
    ) -> FileContent:
        """Hand out a file's bytes to a member of its space."""
        return self._content(await self._load(principal, file_id), is_attachment=is_attachment)

    async def open_for(self, scope: TenantScope, file_id: FileId, *, purpose: str) -> FileContent:
        """Hand out a file that was stored for a purpose; raise ``FileNotFound`` for all others."""
        async with self._store.snapshot() as uow:
            file = await _kept_for(uow, scope, file_id, purpose=purpose)
        return self._content(file, is_attachment=False)

    async def delete_for(self, scope: TenantScope, file_id: FileId, *, purpose: str) -> None:
        """Delete a file that was stored for a purpose; raise ``FileNotFound`` for all others."""
        async with self._store.transaction() as uow:
            file = await _kept_for(uow, scope, file_id, purpose=purpose)
            file.delete(now=self._clock.now())
            await uow.files.save(scope, file)
            await uow.commit()

    async def open_link(self, token: str) -> FileContent:
        """Hand out a file's bytes to whoever holds a signed link; raise ``LinkRefused``."""
        link = self._links.verify(token, now=self._clock.now())
        async with self._store.snapshot() as uow:
            file = await uow.files.get(link.scope, link.file_id)
        content = self._content(file, is_attachment=link.disposition is Disposition.ATTACHMENT)
        return replace(content, address=partial(self._address, file))

    async def delete(self, principal: Principal, file_id: FileId) -> None:
        """Delete a file: its creator may, and whoever manages its space."""
        async with self._store.transaction() as uow:
            file = await uow.files.get(principal.scope, file_id)
            principal.require(Permission.FILE, file.space_id)
            is_own = file.creator_id == principal.user_id
            if not is_own and not principal.may(Permission.SPACE_WRITE, file.space_id):
                raise Forbidden("Only the creator of a file or an administrator may delete it.")
            file.delete(now=self._clock.now())
            await uow.files.save(principal.scope, file)
            await uow.commit()

    def _require_space(self, principal: Principal, space_id: int | None) -> SpaceId:
        chosen = principal.personal_space_id if space_id is None else SpaceId(space_id)
        principal.require(Permission.FILE, chosen)
        return chosen

    async def _load(self, principal: Principal, file_id: FileId) -> File:
        async with self._store.snapshot() as uow:
            file = await uow.files.get(principal.scope, file_id)
        principal.require(Permission.FILE, file.space_id)
        return file

    async def _receive(
        self, scope: TenantScope, file: File, command: UploadFile, chunks: AsyncIterable[bytes]
    ) -> File:
        stream = SniffedStream(chunks)
        try:
            async with asyncio.timeout(self._limits.upload_total_s):
                stored = await self._objects.put(
                    file.object_key, stream, limit_bytes=self._limits.upload_bytes
                )
        except RequestTooLarge as exc:
            limit = self._limits.upload_bytes
            raise RequestTooLarge(
                f"file: a file may have {limit} bytes at most.", field="file"
            ) from exc
        except TimeoutError as exc:
            raise UploadTimedOut("The upload took too long; try again.") from exc
        media_type = stream.media_type(name=file.name, declared=command.declared_type)
        return await self._complete(
            scope, file, command, stored, media_type=media_type, use=command.use()
        )

    async def _complete(
        self,
        scope: TenantScope,
        file: File,
        command: UploadFile,
        stored: StoredObject,
        *,
        media_type: str,
        use: FileUse,
    ) -> File:
        """Make the file ready, or return the one its idempotency key stands for."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            adding = Usage(bytes=stored.size, files=1)
            await self._quotas.require(uow, file.space_id, adding)
            if command.idempotency_key:
                earlier_id = await uow.upload_keys.claim(
                    scope,
                    command.idempotency_key,
                    file.id,
                    now=now,
                    since=now - timedelta(seconds=self._limits.idempotency_ttl_s),
                )
                if earlier_id != file.id:
                    earlier = (await uow.files.get_many(scope, [earlier_id])).get(earlier_id)
                    if earlier is None or not earlier.repeats(file, stored):
                        raise UploadKeyReused(
                            "Idempotency-Key: this key belongs to another upload.",
                            field="Idempotency-Key",
                        )
                    return earlier
            file.complete(
                stored, media_type=media_type, now=now, purpose=use.purpose, ttl_s=use.ttl_s
            )
            await uow.files.save(scope, file)
            await uow.commit()
        return file

    async def _abandon(self, scope: TenantScope, file: File) -> None:
        """Take an unfinished upload back; what fails here is left to the purge."""
        try:
            async with asyncio.timeout(self._limits.object_store_s):
                await self._objects.delete(file.object_key)
            async with self._store.transaction() as uow:
                await uow.files.remove(scope, file.id)
                await uow.commit()
        except (AppError, TimeoutError):
            _logger.warning("An unfinished upload stays until the next purge.", exc_info=True)

    def _view(self, file: File) -> FileView:
        url = self._links.url(
            file.space_id,
            file.id,
            now=self._clock.now(),
            ttl_s=self._ttl_s,
        )
        return FileView.of(file, url=url)

    def _content(self, file: File, *, is_attachment: bool) -> FileContent:
        return FileContent(
            name=file.name,
            media_type=file.media_type,
            size=file.size,
            sha256=file.sha256,
            is_attachment=is_attachment,
            read=partial(self._read, file),
        )

    def _address(self, file: File, media_type: str, disposition: str) -> str:
        return self._objects.address(
            file.object_key,
            now=self._clock.now(),
            ttl_s=_REDIRECT_S,
            media_type=media_type,
            disposition=disposition,
        )

    async def _read(self, file: File, start: int, end: int) -> AsyncGenerator[bytes, None]:
        try:
            async with aclosing(
                self._objects.read(file.object_key, start=start, end=end)
            ) as chunks:
                async for chunk in chunks:
                    yield chunk
        except ObjectNotFound as exc:
            raise FileNotFound(
                "The file is not where this server keeps files.", file_id=file.id
            ) from exc


class SniffedStream:
    """Passes chunks on and remembers the first ones, by which the content is recognised.

    An iterator and no generator: there is nothing to close when its reader gives up.
    """

    def __init__(self, chunks: AsyncIterable[bytes]) -> None:
        self._chunks = aiter(chunks)
        self._head = bytearray()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        chunk = await anext(self._chunks)
        missing = HEAD_BYTES - len(self._head)
        if missing > 0:
            self._head += chunk[:missing]
        return chunk

    def media_type(self, *, name: str, declared: str) -> str:
        """Name the type of what has passed."""
        return sniff(bytes(self._head), name=name, declared=declared)


async def _kept_for(
    uow: FileUnitOfWork, scope: TenantScope, file_id: FileId, *, purpose: str
) -> File:
    file = await uow.files.get(scope, file_id)
    if file.purpose != purpose:
        raise FileNotFound(f"No file {file_id}.", file_id=file_id)
    return file
