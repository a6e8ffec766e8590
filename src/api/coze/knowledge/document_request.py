"""Documents as the Coze clients send them."""

import asyncio
import binascii
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from api.body.long_text import KEY, LongTexts
from api.coze.knowledge.document_shape import Tag
from api.wire import WireId, bounded_text, optional_id, required_id, required_text
from application.knowledge.dto import ColumnSpec, CreateDocuments, NewDocument
from application.knowledge.vocabulary import ContentTooLarge
from domain.knowledge.value import (
    DEFAULT_CHUNKING,
    FIRST_SHEET,
    NO_REFRESH,
    CaptionType,
    ChunkRule,
    ChunkType,
    OnDuplicate,
    ParseRule,
    ParsingType,
    ReadRule,
    SourceType,
    TableSheet,
    Tags,
    UpdateRule,
    UpdateType,
)
from domain.shared.error import InvalidRequest
from domain.shared.ids import MAX_ID
from domain.shared.limits import Limits

_AT_ONCE: Final = 256 * 1024
"""Characters between two chances for other threads; a multiple of four."""
_ESCAPE_BYTES: Final = 6
"""Of the longest escape that can spell a letter of base64."""


def decode_base64(text: str | list[bytes], *, field: str, max_bytes: int) -> bytearray:
    """Decode a text, or use up one in pieces as JSON spells it.

    Raises:
        InvalidRequest: not base64.
        ContentTooLarge: more than ``max_bytes``.
    """
    length = len(text) if isinstance(text, str) else sum(map(len, text))
    if (length - 8) // 2 > max_bytes:  # surely; the exact size shows later
        raise ContentTooLarge(f"{field}: a document has up to {max_bytes} bytes.", field=field)
    pieces = _of_text(text) if isinstance(text, str) else _unescaped(text)
    decoded, rest = bytearray(), ""
    is_over = False
    try:
        for piece in pieces:
            letters = rest + "".join(piece.split())
            end = len(letters) // 4 * 4
            rest = letters[end:]
            if not end:
                continue
            part = binascii.a2b_base64(letters[:end], strict_mode=True)
            if is_over:  # there was padding, which ends the text
                raise InvalidRequest(f"{field}: not valid base64.", field=field)
            is_over = len(part) * 4 != end * 3
            decoded += part
            if len(decoded) > max_bytes:
                raise ContentTooLarge(
                    f"{field}: a document has up to {max_bytes} bytes.", field=field
                )
    # binascii.Error is a ValueError, and so are those of texts that are not ASCII or no JSON
    except ValueError as exc:
        raise InvalidRequest(f"{field}: not valid base64.", field=field) from exc
    if rest:
        raise InvalidRequest(f"{field}: not valid base64.", field=field)
    return decoded


def _of_text(text: str) -> Iterator[str]:
    for start in range(0, len(text), _AT_ONCE):
        yield text[start : start + _AT_ONCE]


def _unescaped(pieces: list[bytes]) -> Iterator[str]:
    """Yield the characters of a JSON text; escapes may reach from one piece into the next."""
    rest = b""
    pieces.reverse()
    while pieces:
        data = rest + pieces.pop()
        escape = data.rfind(b"\\", max(0, len(data) - _ESCAPE_BYTES + 1))
        end = len(data) if escape < 0 else escape
        rest = data[end:]
        yield _text(data[:end])
    yield _text(rest)


def _text(spelled: bytes) -> str:
    return msgspec.json.decode(b'"%s"' % spelled, type=str)


_MAX_PAGES_SKIPPED: Final = 5000
_LAST_PAGE: Final = 999_999
_PARSING: Final = {"0": 0, "1": 1, "fast": 0, "accurate": 1}


class SourceBody(msgspec.Struct, frozen=True, kw_only=True):
    """Where a document comes from: exactly one source."""

    file_base64: str | None = None
    file_type: str | None = None
    web_url: str | None = None
    source_file_id: WireId | None = None
    source_document_id: WireId | None = None
    custom_content: str | list[dict[str, str | int | float | bool | None]] | None = None
    tos_uri: str | None = None
    document_source: int | None = None


class UpdateRuleBody(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a web page is fetched again; ``update_interval`` in hours."""

    update_type: int | None = None
    update_interval: int | None = None

    def decoded(self, *, prefix: str) -> UpdateRule:
        """Read the rule."""
        match self.update_type or 0:
            case 0:
                return NO_REFRESH
            case 1:
                return UpdateRule(
                    type=UpdateType.AUTOMATIC, interval_hours=self.update_interval or 0
                )
            case _:
                raise InvalidRequest(
                    f"{prefix}.update_type: expected 0 or 1.", field=f"{prefix}.update_type"
                )


class ColumnBody(msgspec.Struct, frozen=True, kw_only=True):
    """A column of a table."""

    id: WireId | None = None
    column_name: str | None = None
    is_semantic: bool | None = None
    sequence: WireId | None = None
    column_type: int | None = None
    desc: str | None = None


class TableSheetBody(msgspec.Struct, frozen=True, kw_only=True):
    """Where in a workbook a table stands; all count from 0."""

    sheet_id: WireId | None = None
    header_line_idx: WireId | None = None
    start_line_idx: WireId | None = None


class FilterBody(msgspec.Struct, frozen=True, kw_only=True):
    """Pages to skip, from 1."""

    filter_page: list[int] | None = None


class DocumentBody(msgspec.Struct, frozen=True, kw_only=True):
    """One document to take in."""

    name: str | None = None
    source_info: SourceBody | None = None
    update_rule: UpdateRuleBody | None = None
    caption: str | None = None
    table_meta: list[ColumnBody] | None = None
    table_sheet: TableSheetBody | None = None
    filter_strategy: FilterBody | None = None


class ChunkStrategyBody(msgspec.Struct, frozen=True, kw_only=True):
    """How documents are cut: 0 automatically, 1 by these settings, 2 by headings."""

    chunk_type: int | None = None
    separator: str | None = None
    max_tokens: int | None = None
    remove_extra_spaces: bool | None = None
    remove_urls_emails: bool | None = None
    caption_type: int | None = None
    overlap: int | None = None
    max_level: int | None = None
    save_title: bool | None = None

    def decoded(self) -> ChunkRule:
        """Read the rule; what is absent has its default."""
        type_ = _one_of(self.chunk_type or 0, (0, 1, 2), field="chunk_strategy.chunk_type")
        if type_ == ChunkType.CUSTOM and self.max_tokens is None:
            raise InvalidRequest(
                "chunk_strategy.max_tokens: required for chunk_type 1, 100 to 2000.",
                field="chunk_strategy.max_tokens",
            )
        caption = _one_of(self.caption_type or 0, (0, 1), field="chunk_strategy.caption_type")
        values = {
            "separator": self.separator,
            "max_tokens": self.max_tokens,
            "overlap": self.overlap,
            "remove_extra_spaces": self.remove_extra_spaces,
            "remove_urls_emails": self.remove_urls_emails,
            "max_level": self.max_level,
            "save_title": self.save_title,
        }
        given = {name: value for name, value in values.items() if value is not None}
        return msgspec.structs.replace(
            ChunkRule(chunk_type=ChunkType(type_), caption_type=CaptionType(caption)), **given
        )


class ParsingStrategyBody(msgspec.Struct, frozen=True, kw_only=True):
    """How files are read: 0 fast (text only), 1 accurate, which is the default."""

    parsing_type: int | str | None = None
    image_extraction: bool | None = None
    table_extraction: bool | None = None
    image_ocr: bool | None = None

    def decoded(self) -> ReadRule:
        """Read the rule."""
        name = "1" if self.parsing_type is None else str(self.parsing_type).lower()
        if name not in _PARSING:
            raise InvalidRequest(
                "parsing_strategy.parsing_type: expected 0 (fast) or 1 (accurate).",
                field="parsing_strategy.parsing_type",
            )
        default = ReadRule()
        return ReadRule(
            parsing_type=ParsingType(_PARSING[name]),
            image_extraction=bool(self.image_extraction),
            table_extraction=(
                default.table_extraction if self.table_extraction is None else self.table_extraction
            ),
            image_ocr=self.image_ocr,
        )


class DocumentsBody(msgspec.Struct, frozen=True, kw_only=True):
    """Up to ten documents, all or none; ``on_duplicate`` keep, skip or replace."""

    document_bases: list[DocumentBody] | None = None
    chunk_strategy: ChunkStrategyBody | None = None
    parsing_strategy: ParsingStrategyBody | None = None
    format_type: int | None = None
    is_append: bool | None = None
    on_duplicate: str | None = None

    def duplicates(self) -> OnDuplicate:
        """Read what happens to documents that are there already."""
        try:
            return OnDuplicate(self.on_duplicate or "keep")
        except ValueError as exc:
            raise InvalidRequest(
                "on_duplicate: expected keep, skip or replace.", field="on_duplicate"
            ) from exc

    async def command(
        self, dataset_id: int, *, limits: Limits, texts: LongTexts, request_key: str | None
    ) -> CreateDocuments:
        """Read what is to be taken in; long documents are decoded beside the event loop."""
        bodies = self.document_bases or []
        return CreateDocuments(
            dataset_id=dataset_id,
            documents=await asyncio.to_thread(read_documents, bodies, limits, texts),
            rule=ParseRule(
                reading=self.parsing_strategy.decoded() if self.parsing_strategy else ReadRule(),
                chunking=self.chunk_strategy.decoded() if self.chunk_strategy else DEFAULT_CHUNKING,
            ),
            keeps_chunking=self.chunk_strategy is None,
            format_type=self.format_type,
            is_append=bool(self.is_append),
            on_duplicate=self.duplicates(),
            idempotency_key=bounded_text(
                request_key, field="Idempotency-Key", max_chars=limits.idempotency_key_chars
            ),
        )


class CreateDocumentsBody(DocumentsBody, frozen=True, kw_only=True):
    """Up to ten documents, all or none; ``on_duplicate`` keep, skip or replace."""

    dataset_id: WireId | None = None


def read_documents(
    bodies: Sequence[DocumentBody], limits: Limits, texts: LongTexts
) -> tuple[NewDocument, ...]:
    """Read documents; takes a while for long ones. ``texts`` has the files that bodies name."""
    documents = tuple(
        _document(body, prefix=f"document_bases[{at}]", limits=limits, texts=texts)
        for at, body in enumerate(bodies)
    )
    if not texts.is_empty:
        raise InvalidRequest(
            f"{KEY}: such a field is in a place that takes no file.", field="document_bases"
        )
    return documents


def _document(body: DocumentBody, *, prefix: str, limits: Limits, texts: LongTexts) -> NewDocument:
    if body.source_info is None:
        raise InvalidRequest(f"{prefix}.source_info: required.", field=f"{prefix}.source_info")
    name = required_text(body.name, field=f"{prefix}.name")
    new = _sourced(
        name, body.source_info, prefix=f"{prefix}.source_info", limits=limits, texts=texts
    )
    rule = NO_REFRESH
    if body.update_rule is not None:
        rule = body.update_rule.decoded(prefix=f"{prefix}.update_rule")
    if rule is not NO_REFRESH and new.source_type is not SourceType.WEB_PAGE:
        raise InvalidRequest(
            f"{prefix}.update_rule: only web pages are fetched again.",
            field=f"{prefix}.update_rule",
        )
    return msgspec.structs.replace(
        new,
        update_rule=rule,
        caption=body.caption or "",
        columns=_columns(body.table_meta or (), prefix=f"{prefix}.table_meta"),
        sheet=_sheet(body.table_sheet, prefix=f"{prefix}.table_sheet"),
        skip_pages=_pages(body.filter_strategy, prefix=f"{prefix}.filter_strategy"),
    )


def _sourced(
    name: str, source: SourceBody, *, prefix: str, limits: Limits, texts: LongTexts
) -> NewDocument:
    given = {
        "file_base64": (source.file_base64, SourceType.LOCAL_FILE),
        "web_url": (source.web_url, SourceType.WEB_PAGE),
        "source_file_id": (source.source_file_id, SourceType.UPLOADED_FILE),
        "source_document_id": (source.source_document_id, SourceType.LOCAL_FILE),
        "custom_content": (source.custom_content, SourceType.CUSTOM_TEXT),
        "tos_uri": (source.tos_uri, SourceType.LOCAL_FILE),
    }
    named = [field for field, (value, _) in given.items() if value]
    if len(named) != 1:
        raise InvalidRequest(f"{prefix}: expected exactly one of {', '.join(given)}.", field=prefix)
    (field,) = named
    type_ = given[field][1]
    if source.document_source is not None and source.document_source != type_:
        raise InvalidRequest(
            f"{prefix}.document_source: {field} is source {type_:d}.",
            field=f"{prefix}.document_source",
        )
    extension = (source.file_type or "").strip().lower().removeprefix(".")
    new = NewDocument(name=name, source_type=type_, extension=extension)
    where = f"{prefix}.{field}"
    match field:
        case "file_base64":
            text = source.file_base64 or ""
            pieces = texts.take(text)
            return msgspec.structs.replace(
                new,
                content=decode_base64(pieces or text, field=where, max_bytes=limits.document_bytes),
                extension=_extension(extension, name, field=f"{prefix}.file_type"),
            )
        case "web_url":
            return msgspec.structs.replace(new, url=(source.web_url or "").strip())
        case "source_file_id":
            return msgspec.structs.replace(
                new, file_id=optional_id(source.source_file_id, field=where)
            )
        case "source_document_id":
            return msgspec.structs.replace(
                new, document_id=optional_id(source.source_document_id, field=where)
            )
        case "custom_content":
            return _custom(new, source.custom_content)
        case _:
            return msgspec.structs.replace(new, object_key=source.tos_uri or "")


def _custom(new: NewDocument, content: object) -> NewDocument:
    if isinstance(content, str):
        return msgspec.structs.replace(new, content=content.encode())
    return msgspec.structs.replace(new, content=msgspec.json.encode(content), extension="json")


def _extension(given: str, name: str, *, field: str) -> str:
    """Return the type that is given, or that of the name."""
    stem, dot, suffix = name.rpartition(".")
    extension = given or (suffix.strip().lower() if stem and dot else "")
    if not extension:
        raise InvalidRequest(f"{field}: the type of the file, for instance pdf.", field=field)
    return extension


def _columns(bodies: Sequence[ColumnBody], *, prefix: str) -> tuple[ColumnSpec, ...]:
    return tuple(
        ColumnSpec(
            id=optional_id(body.id, field=f"{prefix}[{at}].id") if body.id != "0" else None,
            name=required_text(body.column_name, field=f"{prefix}[{at}].column_name"),
            type=1 if body.column_type is None else body.column_type,
            description=body.desc or "",
            is_semantic=bool(body.is_semantic),
            sequence=_count(body.sequence, default=at, field=f"{prefix}[{at}].sequence"),
        )
        for at, body in enumerate(bodies)
    )


def _sheet(body: TableSheetBody | None, *, prefix: str) -> TableSheet:
    if body is None:
        return FIRST_SHEET
    header = _count(body.header_line_idx, default=0, field=f"{prefix}.header_line_idx")
    return TableSheet(
        sheet=_count(body.sheet_id, default=0, field=f"{prefix}.sheet_id"),
        header_line=header,
        data_line=_count(body.start_line_idx, default=header + 1, field=f"{prefix}.start_line_idx"),
    )


def read_sheet(body: TableSheetBody | None) -> TableSheet | None:
    """Read where a table stands; None if nothing is said about it."""
    return None if body is None else _sheet(body, prefix="table_sheet")


def read_pages(body: FilterBody | None) -> tuple[int, ...] | None:
    """Read which pages to skip; None if nothing is said about it."""
    return None if body is None else _pages(body, prefix="filter_strategy")


def _pages(body: FilterBody | None, *, prefix: str) -> tuple[int, ...]:
    pages = (body.filter_page if body else None) or []
    if len(pages) > _MAX_PAGES_SKIPPED or any(not 0 < number <= _LAST_PAGE for number in pages):
        raise InvalidRequest(
            f"{prefix}.filter_page: expected up to {_MAX_PAGES_SKIPPED} pages, from 1.",
            field=f"{prefix}.filter_page",
        )
    return tuple(sorted(set(pages)))


def _count(value: WireId | None, *, default: int, field: str) -> int:
    """Read a small number that clients send as number or text."""
    if value is None or value == "":
        return default
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):  # noqa: PLR2004 - digits
        raise InvalidRequest(f"{field}: expected a number from 0.", field=field)
    return int(text)


def _one_of(value: int, known: Sequence[int], *, field: str) -> int:
    if value not in known:
        listed = ", ".join(map(str, known))
        raise InvalidRequest(f"{field}: expected one of {listed}.", field=field)
    return value


class ListDocumentsBody(msgspec.Struct, frozen=True, kw_only=True):
    """Documents of a knowledge base; ``page_size`` is another name of ``size``.

    ``status``, one of ours: 0 in work, 1 ready, 9 failed.
    """

    dataset_id: WireId | None = None
    document_ids: list[WireId] | None = None
    keyword: str | None = None
    status: int | None = None
    page: WireId | None = None
    page_num: WireId | None = None
    size: WireId | None = None
    page_size: WireId | None = None


class UpdateDocumentBody(msgspec.Struct, frozen=True, kw_only=True):
    """What is absent stays."""

    document_id: WireId | None = None
    document_name: str | None = None
    update_rule: UpdateRuleBody | None = None
    table_meta: list[ColumnBody] | None = None

    def columns(self) -> tuple[ColumnSpec, ...]:
        """Read the columns a table is to have."""
        return _columns(self.table_meta or (), prefix="table_meta")


class DeleteDocumentsBody(msgspec.Struct, frozen=True, kw_only=True):
    """Documents to delete; unknown ones are ignored."""

    document_ids: list[WireId] | None = None

    def ids(self) -> list[int]:
        """Read the ids."""
        if not self.document_ids:
            raise InvalidRequest("document_ids: this field is required.", field="document_ids")
        return [required_id(each, field="document_ids") for each in self.document_ids]


def read_tags(tags: Mapping[str, Tag]) -> Tags:
    """Read tags by name; raise ``InvalidRequest`` for a number that cannot be kept."""
    return {key: _tag(value, field=f"tags.{key[:40]}") for key, value in tags.items()}


def _tag(value: Tag, *, field: str) -> str | bool | int | float | tuple[str, ...]:
    match value:
        case list():
            return tuple(value)
        case int() if abs(value) > MAX_ID:
            raise InvalidRequest(f"{field}: the number is too large.", field=field)
        case float() if not math.isfinite(value):
            raise InvalidRequest(f"{field}: expected a finite number.", field=field)
        case _:
            return value
