"""Pictures of a document that a model may describe: those of which no words are known."""

from typing import Any

import pytest

from domain.knowledge.image import CAPTIONS_OF_A_DOCUMENT, uncaptioned
from infra.contract.document.parser import OCR, Block, Paragraph, Picture


def picture(sha256: str = "a", **more: Any) -> Picture:
    return Picture(sha256=sha256, mime="image/png", width=9, height=9, **more)


READ = Paragraph(text="read", style=OCR, page=1)


@pytest.mark.parametrize(
    ("blocks", "found"),
    [
        ([Paragraph(text="x")], []),
        ([picture(), picture("b"), picture()], ["a", "b"]),
        ([picture(ocr_text="words")], []),
        ([picture(caption="A fox.")], []),
        ([picture(alt="logo")], ["a"]),
        ([picture(is_scan=True, page=1)], ["a"]),
        ([picture(is_scan=True, page=1), READ], []),
        ([picture(is_scan=True, page=2), READ], ["a"]),
        ([picture(page=1), READ], ["a"]),
        ([picture(is_scan=True, page=1), Paragraph(text="x", page=1)], ["a"]),
    ],
)
def test_pictures_without_words_are_described(blocks: list[Block], found: list[str]) -> None:
    assert [each.sha256 for each in uncaptioned(blocks)] == found


def test_only_the_first_pictures_of_a_document_are_described() -> None:
    many = [picture(str(number)) for number in range(CAPTIONS_OF_A_DOCUMENT + 5)]

    assert len(uncaptioned(many)) == CAPTIONS_OF_A_DOCUMENT
