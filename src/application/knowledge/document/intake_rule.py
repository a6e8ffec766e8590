"""What documents of each format may be made of, and the one table of a table base."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from application.knowledge.dto import ColumnSpec, NewDocument
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.error import FormatUnsupported, KnowledgeInvalid, ResegmentRefused
from domain.knowledge.repository import KnowledgeUnitOfWork
from domain.knowledge.tables.column import Column, ColumnType
from domain.knowledge.tables.table import TableSchema
from domain.knowledge.value import DocumentListing, FormatType, Page, ParseRule, SourceType
from domain.shared.access import TenantScope
from domain.shared.id_generator import IdGenerator
from infra.contract.document.parser import DocumentFormat, Purpose

PURPOSES: Final[Mapping[FormatType, Purpose]] = {
    FormatType.TEXT: Purpose.TEXT,
    FormatType.TABLE: Purpose.TABLE,
    FormatType.IMAGE: Purpose.IMAGE,
}
MAX_SOURCE_BYTES: Final[Mapping[FormatType, int]] = {
    FormatType.TEXT: 100 * 1024 * 1024,
    FormatType.TABLE: 100 * 1024 * 1024,
    FormatType.IMAGE: 20 * 1024 * 1024,
}
MAX_AT_ONCE: Final[Mapping[FormatType, int]] = {
    FormatType.TEXT: 10,
    FormatType.TABLE: 1,
    FormatType.IMAGE: 10,
}
"""Documents of one request."""
_DOCUMENTS_LOOKED_AT: Final = 100
# Pages whose server does not say, or that are read as the text they are.
_PLAIN_PAGES: Final = frozenset(
    {"", "application/octet-stream", "text/plain", "text/markdown", "text/x-markdown"}
)


class AcceptedFormats:
    """What bases take: everything that a parser reads for their purpose, and nothing else."""

    def __init__(self, formats: Sequence[DocumentFormat]) -> None:
        self._extensions = {
            kind: frozenset(
                extension
                for each in formats
                if purpose in each.purposes
                for extension in each.extensions
            )
            for kind, purpose in PURPOSES.items()
        }
        self.pages = _PLAIN_PAGES | {
            media_type
            for each in formats
            if each.has_signature and Purpose.TEXT in each.purposes
            for media_type in each.media_types
        }
        """Media types of web pages: a page has no extension, so its content must tell."""

    def extensions(self, kind: FormatType) -> frozenset[str]:
        """Return what the names of files for a base of this kind end with."""
        return self._extensions[kind]

    def kind_of(self, extension: str) -> FormatType:
        """Return the kind of base that fits a file best: a table is more than its text."""
        for kind in (FormatType.TABLE, FormatType.IMAGE):
            if extension in self._extensions[kind]:
                return kind
        return FormatType.TEXT

    def require(self, extension: str, kind: FormatType) -> None:
        """Raise ``FormatUnsupported`` for what a base does not take."""
        allowed = self._extensions[kind]
        if extension not in allowed:
            raise FormatUnsupported(
                f"file_type: {extension[:16]!r} is not supported; "
                f"expected one of {', '.join(sorted(allowed))}."
            )


def rule_of(
    new: NewDocument, rule: ParseRule, format_type: FormatType, *, ids: IdGenerator
) -> ParseRule:
    """Return how a document is read; the rule of the request, with what is said of this one.

    Raises:
        KnowledgeInvalid: lines that cannot be those of a table, or an unknown type of column.
        ColumnsUnfit, DuplicateColumn, NoSemanticColumn: the columns make no table.
    """
    match format_type:
        case FormatType.TEXT:
            pages = tuple(sorted({*rule.reading.skip_pages, *new.skip_pages}))
            return replace(rule, reading=replace(rule.reading, skip_pages=pages))
        case FormatType.IMAGE:
            return replace(rule, caption=new.caption.strip())
        case FormatType.TABLE:
            new.sheet.check()
            columns = columns_of(new.columns, ids=ids) if new.columns else ()
            return replace(rule, reading=replace(rule.reading, sheet=new.sheet), columns=columns)


def columns_of(
    specs: tuple[ColumnSpec, ...], *, ids: IdGenerator, known: tuple[Column, ...] = ()
) -> tuple[Column, ...]:
    """Read the columns of a table; those with an id or a name of ``known`` are the same columns.

    Raises ``KnowledgeInvalid``, ``ColumnsUnfit``, ``DuplicateColumn``, ``NoSemanticColumn``.
    """
    kept = {column.id for column in known}
    given = {spec.id for spec in specs}
    named = {column.name: column.id for column in known if column.id not in given}
    columns = [
        Column(
            id=(
                spec.id
                if spec.id is not None and spec.id in kept
                else named.get(spec.name.strip()) or ids.next_id()
            ),
            name=spec.name.strip(),
            type=_type_of(spec.type),
            description=spec.description.strip(),
            is_semantic=spec.is_semantic,
            sequence=number,
        )
        for number, spec in enumerate(sorted(specs, key=lambda spec: spec.sequence))
    ]
    if len({column.id for column in columns}) != len(columns):
        raise KnowledgeInvalid("table_meta: two columns have the same id.", field="table_meta")
    return TableSchema.of(columns).columns


async def existing_document(
    uow: KnowledgeUnitOfWork,
    scope: TenantScope,
    dataset: Dataset,
    documents: Sequence[Document],
    *,
    is_append: bool,
) -> Document | None:
    """Return the document that a request adds to; None if it makes documents.

    Raises:
        ResegmentRefused: it is a table that is being indexed.
        KnowledgeInvalid: what is to be added is not exactly one text.
    """
    if dataset.format_type is FormatType.TABLE:
        table = await _existing_table(uow, scope, dataset)
        # What replaces a table is not added to it.
        return None if table is not None and table.id in documents[0].replaces else table
    if dataset.format_type is FormatType.TEXT and is_append:
        return await _existing_text(uow, scope, documents)
    return None


async def _existing_table(
    uow: KnowledgeUnitOfWork, scope: TenantScope, dataset: Dataset
) -> Document | None:
    """Return the document that is the table of a base; None before there is one.

    Saves the base, so that of two first documents at the same time only one succeeds.
    """
    page = Page(number=1, size=_DOCUMENTS_LOOKED_AT)
    found, _ = await uow.documents.page(scope, dataset.id, page=page)
    table = next((item for item in found if item.active_generation is not None), None)
    if any(item.is_busy for item in found):
        raise ResegmentRefused(
            "The table is being indexed; add rows when that is done.", dataset_id=dataset.id
        )
    if table is None:
        await uow.datasets.save(scope, dataset)
    return table


async def _existing_text(
    uow: KnowledgeUnitOfWork, scope: TenantScope, documents: Sequence[Document]
) -> Document | None:
    """Return the text of the same name; None before there is one."""
    if len(documents) != 1 or not _is_custom(documents[0]):
        raise KnowledgeInvalid(
            "is_append: expected one document with custom_content.", field="is_append"
        )
    (new,) = documents
    page = Page(number=1, size=_DOCUMENTS_LOOKED_AT)
    named = DocumentListing(keyword=new.name)
    found, _ = await uow.documents.page(scope, new.dataset_id, page=page, listing=named)
    return next(
        (
            item
            for item in found
            if item.name == new.name and _is_custom(item) and item.extension == new.extension
        ),
        None,
    )


def _is_custom(document: Document) -> bool:
    return document.source.type is SourceType.CUSTOM_TEXT


def _type_of(number: int) -> ColumnType:
    try:
        return ColumnType(number)
    except ValueError as exc:
        raise KnowledgeInvalid(
            "table_meta.column_type: expected 1 to 6.", field="table_meta.column_type"
        ) from exc
