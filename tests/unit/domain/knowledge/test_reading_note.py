"""What was lost while a document was read is said, with the switch that changes it."""

import pytest

from domain.knowledge.reading_note import notes_on
from domain.knowledge.value import ParsingType, ReadRule
from infra.contract.document.parser import DocumentMetadata, ParseWarning

SCANS = (
    ParseWarning(code="no_text_layer", detail="page 1"),
    ParseWarning(code="no_text_layer", detail="page 2", count=2),
)
MISSING = ParseWarning(code="ocr_missing")


@pytest.mark.parametrize(
    ("rule", "warnings", "words"),
    [
        (ReadRule(parsing_type=ParsingType.FAST), SCANS, "parsing_type 0 (fast)"),
        (ReadRule(parsing_type=ParsingType.FAST), (*SCANS, MISSING), "parsing_type 0 (fast)"),
        (ReadRule(image_ocr=False), SCANS, "image_ocr is false"),
        (ReadRule(), (*SCANS, MISSING), 'extra "ocr"'),
        (ReadRule(image_ocr=True), (*SCANS, MISSING), 'extra "ocr"'),
        (ReadRule(), SCANS, "index the document again"),
    ],
)
def test_pages_that_were_not_read_name_their_remedy(
    rule: ReadRule, warnings: tuple[ParseWarning, ...], words: str
) -> None:
    (note,) = notes_on(DocumentMetadata(format="pdf", warnings=warnings), rule)
    assert note.startswith("3 pages are images that were not read: ")
    assert words in note


def test_damaged_pages_and_cut_sheets_are_told() -> None:
    warnings = (
        ParseWarning(code="page_unreadable", detail="page 4", count=2),
        ParseWarning(code="truncated", detail="sheet A: too many empty lines"),
        ParseWarning(code="mislabelled", detail="named txt, read as pdf"),
    )
    assert notes_on(DocumentMetadata(format="pdf", warnings=warnings), ReadRule()) == [
        "2 pages are damaged and were left out.",
        "Something was left out: sheet A: too many empty lines.",
    ]
