"""Operations of agents and workflows on knowledge bases: searches, and documents in and out."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from application.knowledge.document.service import DocumentService
from application.knowledge.dto import CreateDocuments, NewDocument
from application.knowledge.retrieval.service import RetrievalService
from crossdomain.knowledge.contract import (
    DatasetDescription,
    DocumentProgress,
    DocumentToStore,
    Recall,
    RecallRequest,
    StoredDocument,
)
from domain.knowledge.dataset import Dataset
from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.ranking.filter import parse_filter
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import (
    MAX_DOCUMENT_NAME_CHARS,
    ChunkRule,
    ChunkType,
    DatasetId,
    DocumentId,
    DocumentStatus,
    ParseRule,
    ParsingType,
    ReadRule,
    SourceType,
)
from domain.shared.access import Principal, Role, TenantScope
from domain.shared.call import CallContext
from domain.shared.ids import FileId, TokenId

_PERCENT: Final = 100
_NO_TOKEN: Final = TokenId(0)


OwnFile = Callable[[str], FileId | None]
"""Reads a link of this server; none for any other address. Raises for one that is too old."""


class KnowledgeOperations:
    """Implements ``crossdomain.knowledge.contract.Knowledge``.

    Documents are stored and deleted with the rights of the space of a call.
    """

    def __init__(
        self,
        *,
        retrieval: RetrievalService,
        documents: DocumentService,
        store: KnowledgeStore,
        own_file: OwnFile,
    ) -> None:
        self._retrieval = retrieval
        self._documents = documents
        self._store = store
        self._own_file = own_file

    async def retrieve(self, context: CallContext, request: RecallRequest) -> Recall:
        """Search; counts hits."""
        return await self._retrieval.retrieve(context, request)

    def check_filter(self, value: Mapping[str, Any]) -> None:
        """Raise ``InvalidRequest`` unless it is a metadata filter."""
        parse_filter(value)

    async def describe(
        self, scope: TenantScope, dataset_ids: Sequence[int]
    ) -> tuple[DatasetDescription, ...]:
        """Describe those that exist, in the order of the ids."""
        wanted = [DatasetId(number) for number in dict.fromkeys(dataset_ids)]
        async with self._store.snapshot() as uow:
            found = await uow.datasets.get_many(scope, wanted)
        return tuple(_description(found[key]) for key in wanted if key in found)

    async def progress(self, scope: TenantScope, document_id: int) -> DocumentProgress:
        """Tell how far a document is; raise ``NotFound``."""
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(scope, DocumentId(document_id))
        if document.status is DocumentStatus.FAILED:
            return DocumentProgress(is_over=True, failure=document.fail_reason)
        return DocumentProgress(is_over=document.pending_generation is None)

    async def store_document(
        self, context: CallContext, document: DocumentToStore, *, key: str
    ) -> StoredDocument:
        """Take a document in; raises as ``DocumentService.create`` does."""
        url = document.url
        name = document.name.strip()[:MAX_DOCUMENT_NAME_CHARS]
        file_id = self._own_file(url)
        if file_id is not None:
            new = NewDocument(name=name, source_type=SourceType.UPLOADED_FILE, file_id=int(file_id))
        else:
            name = name or _name_in(url)[:MAX_DOCUMENT_NAME_CHARS]
            new = NewDocument(name=name, source_type=SourceType.WEB_PAGE, url=url)
        (made,) = await self._documents.create(
            _acting(context),
            CreateDocuments(
                dataset_id=document.dataset_id,
                documents=(new,),
                rule=read_rule(document.parse_rule),
                keeps_chunking=not document.parse_rule,
                idempotency_key=key,
            ),
        )
        return StoredDocument(id=made.id, name=made.name, url=url)

    async def delete_document(
        self, context: CallContext, dataset_ids: Sequence[int], document_id: int
    ) -> bool:
        """Delete a document of these bases; tell whether there was one."""
        principal = _acting(context)
        key = DocumentId(document_id)
        async with self._store.snapshot() as uow:
            found = await uow.documents.get_many(principal.scope, [key])
        if key not in found or found[key].dataset_id not in dataset_ids:
            return False
        await self._documents.delete(principal, [document_id])
        return True


def read_rule(raw: Mapping[str, object]) -> ParseRule:
    """Read how a document is parsed and cut, as stored canvases write it; numbers may be texts.

    Raises:
        KnowledgeInvalid: a number is none, or out of range.
    """
    parsing, chunks = _part(raw, "parsingStrategy"), _part(raw, "chunkStrategy")
    ocr = parsing.get("imageOcr", parsing.get("imageOCR"))
    rule = ParseRule(
        reading=ReadRule(
            parsing_type=(
                ParsingType.FAST if parsing.get("parsingType") == "fast" else ParsingType.ACCURATE
            ),
            image_extraction=_flag(parsing.get("imageExtraction")),
            table_extraction=_flag(parsing.get("tableExtraction"), default=True),
            image_ocr=None if ocr is None else _flag(ocr),
        ),
        chunking=(
            ChunkRule(
                chunk_type=ChunkType.CUSTOM,
                separator=str(chunks.get("separator") or "\n"),
                max_tokens=int(_number(chunks, "maxToken", default=800)),
                overlap=_overlap(_number(chunks, "overlap", default=0)),
            )
            if chunks.get("chunkType") == "custom"
            else ChunkRule()
        ),
    )
    rule.chunking.check()
    return rule


def _description(dataset: Dataset) -> DatasetDescription:
    return DatasetDescription(
        id=dataset.id,
        name=dataset.name,
        description=dataset.description,
        format_type=dataset.format_type,
        is_enabled=dataset.is_searchable,
    )


def _acting(context: CallContext) -> Principal:
    """Return who writes: whoever the call is for, as an editor of its one space."""
    space_id = context.space_id
    return Principal(
        user_id=context.scope.within(space_id).principal_id,
        token_id=_NO_TOKEN,
        roles={space_id: Role.EDITOR},
        personal_space_id=space_id,
    )


def _name_in(url: str) -> str:
    path = unquote(urlsplit(url).path)
    return PurePosixPath(path).name or urlsplit(url).netloc or "document"


def _part(raw: Mapping[str, object], name: str) -> Mapping[str, object]:
    part = raw.get(name)
    return part if isinstance(part, Mapping) else {}


def _flag(value: object, *, default: bool = False) -> bool:
    if value is None:
        return default
    return value is True or (isinstance(value, str) and value.lower() == "true")


def _number(part: Mapping[str, object], name: str, *, default: float) -> float:
    value = part.get(name)
    if value is None or value == "":
        return default
    try:
        return float(value)  # type: ignore[arg-type]  # anything else is refused
    except (TypeError, ValueError) as exc:
        raise KnowledgeInvalid(f"chunkStrategy.{name}: expected a number.", field=name) from exc


def _overlap(value: float) -> int:
    """Return per cent: below 1 it is a fraction, as canvases have it."""
    return round(value * _PERCENT) if 0 < value < 1 else round(value)
