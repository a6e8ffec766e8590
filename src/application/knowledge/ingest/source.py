"""Sources of documents: web pages, uploaded files, and documents that are there already."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import Final, Protocol

import msgspec

from application.knowledge.document.intake_rule import AcceptedFormats
from application.knowledge.dto import NewDocument
from crossdomain.file.contract import FileBytes
from domain.knowledge.error import (
    ContentTooLarge,
    FormatUnsupported,
    KnowledgeInvalid,
    SourceRefused,
    SourceUnavailable,
)
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import MAX_DOCUMENT_NAME_CHARS, DocumentId, Source, SourceType
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT
from domain.shared.ids import FileId
from infra.contract.egress import EgressClient, EgressPolicy, EgressRequest
from infra.contract.storage.object_store import ObjectKey, ObjectStore

PAGE_POLICY: Final = EgressPolicy(max_bytes=20 * 1024 * 1024, max_seconds=20.0, max_redirects=5)
_PIECE_BYTES: Final = 1024 * 1024

_LATER: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT})


class SourceReader(Protocol):
    """Reads the bytes of one type of source."""

    def read(self, scope: TenantScope, source: Source) -> AsyncGenerator[bytes, None]:
        """Yield the bytes; raise ``SourceUnavailable`` for now, ``SourceRefused`` for good."""
        ...


class WebPageReader:
    """Fetches a page through the guarded way out."""

    def __init__(self, egress: EgressClient, *, accepted: AcceptedFormats) -> None:
        self._egress = egress
        self._accepted = accepted

    async def read(self, scope: TenantScope, source: Source) -> AsyncGenerator[bytes, None]:
        """Yield the page as it is, within the limits of the policy."""
        policy = replace(PAGE_POLICY, space_id=min(scope.space_ids, default=OF_THE_DEPLOYMENT))
        response = await self._egress.request(EgressRequest(url=source.url), policy)
        if response.status in _LATER or response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise SourceUnavailable(f"The page answered with {response.status}; try again later.")
        if response.status != HTTPStatus.OK:
            raise SourceRefused(f"The page answered with {response.status}.")
        media_type = _media_type(response.headers.get("content-type", ""))
        if media_type not in self._accepted.pages:
            raise SourceRefused(f"The address answered with {media_type[:60]}, not with a page.")
        yield response.body


class UploadedFiles:
    """Uploaded files that become documents; they are copied, so that the upload may go."""

    def __init__(self, files: FileBytes, *, max_bytes: int) -> None:
        self._files = files
        self._max_bytes = max_bytes

    async def resolve(self, scope: TenantScope, new: NewDocument) -> NewDocument:
        """Complete what a request says of an upload: its id, its name and type.

        Raises:
            FileNotFound: there is no such file in the scope.
            ContentTooLarge: it is longer than a document may be.
        """
        file = await self._files.find(
            scope,
            file_id=None if new.file_id is None else FileId(new.file_id),
            object_key=new.object_key,
        )
        if file.size > self._max_bytes:
            raise ContentTooLarge(f"source_info: a document has up to {self._max_bytes} bytes.")
        suffix = PurePosixPath(file.name).suffix.removeprefix(".")
        name = new.name or file.name[:MAX_DOCUMENT_NAME_CHARS]
        return msgspec.structs.replace(
            new, file_id=file.id, name=name, extension=new.extension or suffix
        )

    def read(self, scope: TenantScope, file_id: int) -> AsyncGenerator[bytes, None]:
        """Yield the bytes of an upload."""
        return self._files.read(scope, FileId(file_id))


class NamedSources:
    """What requests name instead of sending it: uploaded files, and documents of any base."""

    def __init__(
        self, *, store: KnowledgeStore, objects: ObjectStore, uploads: UploadedFiles | None
    ) -> None:
        """Without ``uploads``, documents cannot be made of uploaded files."""
        self._store = store
        self._objects = objects
        self._uploads = uploads

    async def resolve(self, principal: Principal, new: NewDocument) -> NewDocument:
        """Complete what a request says of its source.

        Raises:
            FileNotFound, DocumentNotFound: there is none that the caller may read.
            KnowledgeInvalid: nothing is kept of what the document was made of.
            ContentTooLarge: the file is longer than a document may be.
        """
        if new.document_id is not None:
            return await self._copied(principal, new, DocumentId(new.document_id))
        if new.file_id is None and not new.object_key:
            return new
        principal.require_token(Permission.FILE)
        if self._uploads is None:
            raise FormatUnsupported("source_info: uploaded files are not taken here.")
        return await self._uploads.resolve(principal.scope, new)

    def read(self, scope: TenantScope, new: NewDocument) -> AsyncGenerator[bytes, None]:
        """Yield the bytes of a source that is resolved."""
        if new.document_id is not None:
            return self._objects.read(ObjectKey(new.object_key))
        if new.file_id is not None and self._uploads is not None:
            return self._uploads.read(scope, new.file_id)
        return in_pieces(new.content)

    async def _copied(
        self, principal: Principal, new: NewDocument, document_id: DocumentId
    ) -> NewDocument:
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(principal.scope, document_id)
        principal.require(Permission.DATASET_READ, document.space_id)
        source = document.source
        if source.type is SourceType.WEB_PAGE:
            return msgspec.structs.replace(
                new, source_type=source.type, url=source.url, document_id=None
            )
        if not source.object_key:
            raise KnowledgeInvalid(
                f"source_document_id: the file of document {document_id} is not kept; "
                "upload it once more.",
                field="source_document_id",
            )
        return msgspec.structs.replace(
            new,
            source_type=source.type,
            object_key=source.object_key,
            extension=document.extension,
            caption=new.caption or document.rule.caption,
        )


async def in_pieces(content: bytes | bytearray) -> AsyncGenerator[bytes, None]:
    """Yield bytes as stores like them; all at once would be copied while everybody waits."""
    view = memoryview(content)
    for start in range(0, len(view), _PIECE_BYTES):
        yield bytes(view[start : start + _PIECE_BYTES])


def _media_type(header: str) -> str:
    return header.partition(";")[0].strip().lower()
