"""Documents that agents and workflows put into knowledge bases, or take out."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final, Protocol
from urllib.parse import unquote, urlsplit

from application.knowledge.document.service import DocumentService
from application.knowledge.dto import CreateDocuments, NewDocument
from crossdomain.knowledge.contract import DocumentToStore, StoredDocument
from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import (
    MAX_DOCUMENT_NAME_CHARS,
    ChunkRule,
    ChunkType,
    DocumentId,
    ParseRule,
    ParsingType,
    ReadRule,
    SourceType,
)
from domain.shared.access import Principal, Role
from domain.shared.call import CallContext
from domain.shared.ids import FileId, TokenId
from infra.contract.clock import Clock

_PERCENT: Final = 100
_NO_TOKEN: Final = TokenId(0)


class OwnLink(Protocol):
    """A link of this server to an uploaded file."""

    @property
    def file_id(self) -> FileId: ...


class OwnLinks(Protocol):
    """Tells links of this server from other addresses."""

    def own(self, url: str, *, now: datetime) -> OwnLink | None:
        """Read a link; None for any other address; raises for one that is too old."""
        ...


class KnowledgeIntake:
    """Stores and deletes with the rights of the space of a call."""

    def __init__(
        self, *, documents: DocumentService, store: KnowledgeStore, links: OwnLinks, clock: Clock
    ) -> None:
        self._documents = documents
        self._store = store
        self._links = links
        self._clock = clock

    async def add(
        self, context: CallContext, document: DocumentToStore, *, key: str
    ) -> StoredDocument:
        """Take a document in; raises as ``DocumentService.create`` does."""
        url = document.url
        name = document.name.strip()[:MAX_DOCUMENT_NAME_CHARS]
        link = self._links.own(url, now=self._clock.now())
        if link is not None:
            new = NewDocument(
                name=name, source_type=SourceType.UPLOADED_FILE, file_id=int(link.file_id)
            )
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

    async def remove(
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
