"""Sentences about what of a document was not read, and which switch changes that."""

from typing import Final

from domain.knowledge.value import ParsingType, ReadRule
from infra.contract.document.parser import DocumentMetadata

NO_TEXT: Final = "The document has no text."
_UNREAD_PAGE: Final = "no_text_layer"
_NO_ENGINE: Final = "ocr_missing"
_OTHER: Final = {
    "page_unreadable": "{count} pages are damaged and were left out.",
    "truncated": "Something was left out: {detail}.",
}


def notes_on(metadata: DocumentMetadata, rule: ReadRule) -> list[str]:
    """Return a sentence for each loss, the worst first; none if everything was read."""
    notes = [note] if (note := _on_scans(metadata, rule)) else []
    for code, sentence in _OTHER.items():
        found = [warning for warning in metadata.warnings if warning.code == code]
        if found:
            count = sum(warning.count for warning in found)
            notes.append(sentence.format(count=count, detail=found[0].detail))
    return notes


def _on_scans(metadata: DocumentMetadata, rule: ReadRule) -> str:
    warnings = {warning.code for warning in metadata.warnings}
    count = sum(warning.count for warning in metadata.warnings if warning.code == _UNREAD_PAGE)
    if not count:
        return ""
    if rule.parsing_type is ParsingType.FAST:
        remedy = "parsing_strategy.parsing_type 0 (fast) skips them, 1 (accurate) reads them."
    elif rule.image_ocr is False:
        remedy = "parsing_strategy.image_ocr is false; leave it out to have them read."
    elif _NO_ENGINE in warnings:
        remedy = 'the server lacks the extra "ocr" (pip install "coterie[ocr]") that reads them.'
    else:
        remedy = "index the document again to have them read."
    what = "1 page is an image that was" if count == 1 else f"{count} pages are images that were"
    return f"{what} not read: {remedy}"
