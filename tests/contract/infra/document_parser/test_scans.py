"""Pages without text of their own, by what is asked for and by what is installed."""

from itertools import product

import pytest
from msgspec.structs import replace

from api.coze.knowledge.document_request import ParsingStrategyBody
from application.knowledge.ingest.reading import parse_options
from application.knowledge.operations import read_rule
from domain.knowledge.reading_note import notes_on
from domain.knowledge.value import (
    FormatType,
    Intake,
    ParseRule,
    ParsingType,
    ReadRule,
    Source,
    SourceType,
)
from domain.shared.limits import Limits
from infra.contract.document.ocr import OcrLine
from infra.contract.document.parser import ParseMode, ParseOptions, Picture
from infra.impl.document_parser.pool import ParserPool
from infra.impl.sandbox.jail import Jail
from tests.support.document.build import docx, paragraph, pptx
from tests.support.document.picture import picture
from tests.support.document.pool import CollectingSink, parse
from tests.support.document.reading import DOCUMENTS, plain_text, read

SCAN = (DOCUMENTS / "scanned-report.pdf").read_bytes()
MEDIA = {"word/media/1.png": picture()}
IMAGE = {"i": ("image", "media/1.png")}


def drawing(*, cx: int = 300_000, cy: int = 200_000) -> str:
    """Return a paragraph that is an image, its sides in units of 1/914,400 inch."""
    return (
        f'<w:p><w:r><w:drawing><wp:extent xmlns:wp="d" cx="{cx}" cy="{cy}"/>'
        '<a:blip xmlns:a="a" r:embed="i"/></w:drawing></w:r></w:p>'
    )


A4 = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
FULL_PAGE = drawing(cx=7_000_000, cy=9_900_000)
SCANS = {
    "pdf": SCAN,
    "docx": docx(drawing() + drawing(), parts=MEDIA, references=IMAGE),
    "pptx": pptx(
        '<p:pic><p:blipFill><a:blip r:embed="i"/></p:blipFill></p:pic>',
        parts={"ppt/media/1.png": picture()},
        references={"i": ("image", "../media/1.png")},
    ),
}


@pytest.mark.parametrize(
    ("body", "is_scan"),
    [
        (drawing(), True),
        (paragraph(" ") + drawing(), True),
        (FULL_PAGE + A4, True),
        (paragraph("Scan of the contract") + FULL_PAGE + A4, True),
        (paragraph("Scan of the contract") + drawing() + A4, False),
        (paragraph("A text without pages") + FULL_PAGE, False),
        ("<w:tbl><w:tr><w:tc>" + paragraph("cell") + drawing() + "</w:tc></w:tr></w:tbl>", False),
        ("<w:tbl><w:tr><w:tc>" + drawing() + "</w:tc></w:tr></w:tbl>", True),
    ],
)
def test_an_image_of_a_word_document_is_a_scan_where_no_text_can_be(
    body: str, is_scan: bool
) -> None:
    found = read(docx(body, parts=MEDIA, references=IMAGE), "docx")
    assert [one.is_scan for one in found.pictures] == [is_scan]
    assert [one.is_scan for one in found.images] == [is_scan]
    assert found.warnings == (["no_text_layer"] if is_scan else [])


WORDS = "Read by an engine"


class Engine:
    """Finds the same words in every image."""

    def __init__(self) -> None:
        self.images = 0

    async def read(self, image: bytes, mime: str, *, owner: int) -> list[OcrLine]:
        self.images += 1
        return [OcrLine(text=WORDS, bbox=(0, 0, 1, 1))]


def options(rule: ReadRule) -> ParseOptions:
    intake = Intake(source=Source(type=SourceType.LOCAL_FILE), extension="pdf", reading=rule)
    return parse_options(FormatType.TEXT, intake)


def test_what_names_no_mode_is_read_accurately() -> None:
    rules = [
        ParseRule().reading,
        ParsingStrategyBody().decoded(),
        ParsingStrategyBody(table_extraction=True).decoded(),
        read_rule({}).reading,
        read_rule({"parsingStrategy": {}}).reading,
    ]
    for rule in rules:
        found = options(rule)
        assert found.mode is ParseMode.ACCURATE
        assert found.extracts_tables
        assert found.reads_scans
        assert not found.reads_images


def test_fast_is_fast_whatever_else_is_asked_for() -> None:
    rules = [
        ParsingStrategyBody(parsing_type="fast", table_extraction=True, image_ocr=True).decoded(),
        ParsingStrategyBody(parsing_type=0).decoded(),
        read_rule({"parsingStrategy": {"parsingType": "fast", "imageOcr": True}}).reading,
    ]
    for rule in rules:
        found = options(rule)
        flags = (found.extracts_tables, found.reads_scans, found.reads_images)
        assert not any(flags)


MODES = list(ParsingType)
SAID = (None, True, False)


@pytest.mark.parametrize("is_installed", [True, False])
@pytest.mark.parametrize("extension", SCANS)
async def test_a_scan_is_read_or_says_why_not(is_installed: bool, extension: str) -> None:
    engine = Engine() if is_installed else None
    pool = ParserPool(jail=Jail(), limits=Limits(parser_workers=1), ocr=engine)
    try:
        for mode, said, kept in product(MODES, SAID, (True, False)):
            rule = ReadRule(parsing_type=mode, image_ocr=said, image_extraction=kept)
            asked = replace(options(rule), extension=extension)
            sink = CollectingSink()
            document, blocks = await parse(pool, SCANS[extension], asked, sink=sink)
            pages = [one for one in blocks if isinstance(one, Picture) and one.is_scan]
            is_kept = mode is ParsingType.ACCURATE  # the page itself, whatever becomes of pictures
            assert bool(pages) is is_kept, rule
            assert {one.sha256 for one in pages} == {one.sha256 for one in sink.images}
            is_read = is_installed and mode is ParsingType.ACCURATE and said is not False
            assert (WORDS in plain_text(blocks)) is is_read, rule
            notes = notes_on(document.metadata, rule)
            assert bool(notes) is not is_read
            if mode is ParsingType.FAST:
                assert "parsing_type" in notes[0]
            elif said is False:
                assert "image_ocr" in notes[0]
            elif not is_installed:
                assert '"ocr"' in notes[0]
    finally:
        await pool.aclose()


async def test_pictures_beside_text_are_read_only_if_that_is_asked_for() -> None:
    engine = Engine()
    pool = ParserPool(jail=Jail(), limits=Limits(parser_workers=1), ocr=engine)
    data = docx(paragraph("A text.") + drawing(), parts=MEDIA, references=IMAGE)
    try:
        asked = replace(options(ReadRule(image_extraction=True)), extension="docx")
        await parse(pool, data, asked)
        assert engine.images == 0
        await parse(pool, data, replace(asked, image_ocr=True))
        assert engine.images > 0
    finally:
        await pool.aclose()


async def test_the_metadata_are_read_without_the_rest() -> None:
    pool = ParserPool(jail=Jail(), limits=Limits(parser_workers=1))
    try:
        document, _ = await parse(pool, SCAN, options(ReadRule()))
    finally:
        await pool.aclose()
    stored = document.to_bytes().decode()
    assert document.metadata_in(stored) == document.metadata
    assert document.metadata_in(stored[: stored.index('"blocks"')]) == document.metadata
    assert document.metadata_in(stored[:60]) is None
