"""Aggregates of the knowledge context as views."""

from typing import Final, assert_never

from application.knowledge.dto import DatasetView, DocumentView
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.value import DatasetTotals, DocumentStatus, FormatType, Page, SliceStatus

MAX_PAGE_SIZE: Final = 300
"""What the official clients may ask for."""
MAX_KEYWORD_CHARS: Final = 255
"""Databases take no pattern of any length."""
_WORKING, _COMPLETE, _FAILED = 0, 1, 9


def dataset_view(dataset: Dataset, totals: DatasetTotals, *, can_edit: bool) -> DatasetView:
    """Show a base with what it holds."""
    return DatasetView.of(
        dataset,
        can_edit=can_edit,
        doc_count=totals.documents,
        failed_count=totals.failed,
        processing_count=totals.processing,
        slice_count=totals.slices,
        hit_count=totals.hits,
        all_file_size=totals.bytes,
        file_list=totals.names,
        failed_file_list=totals.failed_names,
        processing_file_list=totals.processing_names,
        processing_file_ids=totals.processing_ids,
    )


def document_view(document: Document) -> DocumentView:
    """Show a document."""
    return DocumentView.of(document, wire_status=_wire_status(document))


def _wire_status(document: Document) -> int:
    """Return the state of the last work: a failed append or re-segmentation is no success.

    What was searchable before still is, as ``enabled`` and the reason say.
    """
    has_failed = bool(document.fail_code) and not document.is_busy
    return _FAILED if has_failed else wire_status(document.status)


def wire_status(status: DocumentStatus) -> int:
    """Return the state as strict clients take it: working, complete or failed.

    A poller stops at 1 or 9, so a disabled document is complete and a new one is working.
    """
    match status:
        case DocumentStatus.INIT | DocumentStatus.CHUNKING:
            return _WORKING
        case DocumentStatus.ENABLED | DocumentStatus.DISABLED:
            return _COMPLETE
        case DocumentStatus.FAILED:
            return _FAILED
        case DocumentStatus.DELETED:
            raise ValueError("Deleted documents are not shown.")
        case _:
            assert_never(status)


def page_of(number: int, size: int) -> Page:
    """Read a page; raise ``KnowledgeInvalid`` below 1 or above the largest."""
    if number < 1:
        raise KnowledgeInvalid("page_num: expected 1 or more.", field="page_num")
    if not 1 <= size <= MAX_PAGE_SIZE:
        raise KnowledgeInvalid(f"page_size: expected 1 to {MAX_PAGE_SIZE}.", field="page_size")
    return Page(number=number, size=size)


def slice_status_of(number: int) -> SliceStatus:
    """Read the status of a slice; raise ``KnowledgeInvalid``."""
    try:
        return SliceStatus(number)
    except ValueError as exc:
        raise KnowledgeInvalid("status: expected 0, 1 or 9.", field="status") from exc


def keyword_of(text: str, *, field: str = "keyword") -> str:
    """Read what is looked for in texts; raise ``KnowledgeInvalid`` for more than a few words."""
    if len(text) > MAX_KEYWORD_CHARS:
        raise KnowledgeInvalid(
            f"{field}: expected up to {MAX_KEYWORD_CHARS} characters.", field=field
        )
    return text


def format_of(number: int) -> FormatType:
    """Read a format; raise ``KnowledgeInvalid``."""
    try:
        return FormatType(number)
    except ValueError as exc:
        raise KnowledgeInvalid("format_type: expected 0, 1 or 2.", field="format_type") from exc
