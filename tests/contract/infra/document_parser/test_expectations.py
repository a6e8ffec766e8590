"""Every real document gives what is known to be in it, through the jail."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from domain.shared.limits import Limits
from infra.contract.document.ocr import OcrLine
from infra.contract.document.parser import (
    Block,
    Code,
    DocumentMetadata,
    DocumentNotParsed,
    Heading,
    Paragraph,
    ParseMode,
    ParseOptions,
    Picture,
    Purpose,
    Table,
    TableRange,
)
from infra.impl.document_parser.pool import ParserPool
from infra.impl.sandbox.jail import Jail
from tests.support.document.pool import CollectingSink, parse
from tests.support.document.reading import DOCUMENTS, plain_text

EXPECTED: list[dict[str, Any]] = json.loads((DOCUMENTS / "expectations.json").read_text())["files"]
TABLES = ("csv", "xlsx", "xls")


def expecting(*keys: str) -> list[Any]:
    found = [entry for entry in EXPECTED if all(key in entry for key in keys)]
    return [pytest.param(entry, id=entry["file"]) for entry in found]


Found = tuple[DocumentMetadata, list[Block], CollectingSink]


class Library:
    """The documents, each read once for every set of options."""

    def __init__(self, pool: ParserPool) -> None:
        self._pool = pool
        self._known: dict[tuple[str, ParseOptions], Found] = {}

    async def read(self, name: str, **options: Any) -> Found:
        extension = Path(name).suffix[1:]
        purpose = Purpose.TABLE if extension in TABLES else Purpose.TEXT
        asked = ParseOptions(**{"extension": extension, "purpose": purpose, **options})
        if (name, asked) not in self._known:
            sink = CollectingSink()
            data = (DOCUMENTS / name).read_bytes()
            document, blocks = await parse(self._pool, data, asked, sink=sink)
            self._known[name, asked] = document.metadata, blocks, sink
        return self._known[name, asked]


@pytest.fixture(scope="module")
async def library() -> AsyncGenerator[Library, None]:
    pool = ParserPool(jail=Jail(), limits=Limits())
    await pool.start()
    yield Library(pool)
    await pool.aclose()


def rows_of(blocks: list[Block]) -> list[tuple[str | None, ...]]:
    return [row for block in blocks if isinstance(block, Table) for row in block.rows]


@pytest.mark.parametrize("mode", list(ParseMode))
@pytest.mark.parametrize("expected", expecting("must"))
async def test_text_that_must_be_found_is_found(
    library: Library, expected: dict[str, Any], mode: ParseMode
) -> None:
    metadata, blocks, _ = await library.read(expected["file"], mode=mode)
    text = plain_text(blocks)

    wanted = [*expected["must"], *expected.get("goal", {}).get("must", ())]
    unwanted = [*expected.get("absent", ()), *expected.get("goal", {}).get("absent", ())]
    assert [part for part in wanted if part not in text] == []
    assert [part for part in unwanted if part in text] == []
    assert expected.get("pages") in (None, metadata.pages)


@pytest.mark.parametrize("expected", expecting("error"))
async def test_files_that_cannot_be_used_say_why(
    library: Library, expected: dict[str, Any]
) -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        await library.read(expected["file"])

    assert caught.value.failure == expected["error"]


@pytest.mark.parametrize("expected", expecting("images"))
async def test_images_are_found_at_their_place(library: Library, expected: dict[str, Any]) -> None:
    metadata, blocks, sink = await library.read(expected["file"])

    if expected["file"].endswith(".md"):
        missed = [w for w in metadata.warnings if w.code == "image_not_fetched"]
        assert len(missed) == expected["images"]
        return
    pictures = [block for block in blocks if isinstance(block, Picture)]
    assert len(pictures) == expected["images"]
    assert {p.sha256 for p in pictures} == {image.sha256 for image in sink.images}
    assert len(sink.images) == expected.get("distinct_images", expected["images"])
    assert metadata.text_chars <= expected.get("text_chars_max", metadata.text_chars)


@pytest.mark.parametrize("expected", expecting("headings"))
async def test_headings_keep_their_levels(library: Library, expected: dict[str, Any]) -> None:
    metadata, blocks, _ = await library.read(expected["file"])

    headings = [[block.level, block.text] for block in blocks if isinstance(block, Heading)]
    assert headings == expected["headings"]
    assert metadata.title == expected.get("title", metadata.title)


async def test_code_and_headings_of_markdown_are_kept(library: Library) -> None:
    (expected,) = (entry for entry in EXPECTED if entry["file"] == "editor-guide.md")
    _, blocks, _ = await library.read("editor-guide.md")

    first = next(block for block in blocks if isinstance(block, Heading))
    assert [first.level, first.text] == expected["first_heading"]
    code = [block for block in blocks if isinstance(block, Code)]
    assert "Alice->Bob: Hello Bob, how are you?" in code[0].text
    assert code[0].language == "seq"


@pytest.mark.parametrize("expected", expecting("tables"))
async def test_tables_have_their_cells(library: Library, expected: dict[str, Any]) -> None:
    _, blocks, _ = await library.read(expected["file"])
    tables = [block for block in blocks if isinstance(block, Table)]

    for table, wanted in zip(tables, expected["tables"], strict=True):
        assert len(table.rows) >= wanted.get("min_rows", 0)
        assert wanted.get("rows") in (None, len(table.rows))
        assert {len(row) for row in table.rows} == {wanted["cols"]}
        if "values" in wanted:
            assert [list(row) for row in table.rows] == wanted["values"]
        if "cell" in wanted:
            cell = table.rows[wanted["cell"]["row"]][wanted["cell"]["col"]]
            assert (cell or "").startswith(wanted["cell"]["prefix"])


async def test_a_dense_table_has_all_rows_and_columns(library: Library) -> None:
    (expected,) = (e for e in EXPECTED if e["file"] == "nics-background-checks.pdf")
    goal = expected["goal"]
    _, blocks, _ = await library.read(expected["file"])

    rows = rows_of(blocks)
    column = next(
        at for row in rows for at, cell in enumerate(row) if cell == goal["cell"]["column"]
    )
    (row,) = (row for row in rows if row[0] == goal["cell"]["row"])
    assert row[column] == goal["cell"]["value"]
    assert sum(1 for row in rows if row[1] and row[1][0].isdigit()) >= goal["data_rows"]


async def test_columns_are_read_one_after_the_other(library: Library) -> None:
    (expected,) = (e for e in EXPECTED if e["file"] == "federal-register.pdf")
    _, blocks, _ = await library.read(expected["file"], mode=ParseMode.FAST)

    for sentence in expected["goal"]["reading_order"]:
        assert sentence in plain_text(blocks)


async def test_skipped_pages_are_left_out(library: Library) -> None:
    (expected,) = (e for e in EXPECTED if "filter_pages" in e)
    filtered = expected["filter_pages"]
    _, blocks, _ = await library.read(
        expected["file"], mode=ParseMode.FAST, skip_pages=tuple(filtered["skip"])
    )

    assert {block.page for block in blocks}.isdisjoint(filtered["skip"])
    assert not [part for part in filtered["absent"] if part in plain_text(blocks)]


@pytest.mark.parametrize("expected", expecting("sheets"))
@pytest.mark.parametrize("old", [False, True], ids=["xlsx", "xls"])
async def test_sheets_have_their_rows(
    library: Library, expected: dict[str, Any], *, old: bool
) -> None:
    name = expected["file"]
    if old:
        name = next((e["file"] for e in EXPECTED if e.get("same_as") == name), name)
    for sheet in expected["sheets"]:
        metadata, blocks, _ = await library.read(name, table=TableRange(sheet=sheet["id"]))
        rows = rows_of(blocks)

        info = metadata.sheets[sheet["id"]]
        assert (info.name, info.rows) == (sheet["name"], sheet["rows"])
        assert len(rows) == sheet["rows"] - 1 == metadata.rows
        assert len(metadata.columns) == sheet.get("width", len(metadata.columns))
        assert list(metadata.columns) == sheet.get("cols", list(metadata.columns))
        assert list(rows[0]) == sheet.get("first", list(rows[0]))
        assert list(rows[-1]) == sheet.get("last", list(rows[-1]))


async def test_merged_cells_repeat_their_value(library: Library) -> None:
    (expected,) = (e for e in EXPECTED if "fill_merged" in e)
    metadata, blocks, _ = await library.read(expected["file"])

    assert list(metadata.columns) == expected["header"]
    rows = rows_of(blocks)
    assert [row[0] for row in rows[:3]] == ["A2", "A2", "A4"]
    assert rows[2][:2] == rows[3][:2] == ("A4", "A4")
    assert {row[:3] for row in rows[5:9]} == {("A7", "A7", "A7")}


@pytest.mark.parametrize(
    "expected",
    [pytest.param(e, id=e["file"]) for e in EXPECTED if e["file"].endswith(".csv")],
)
async def test_delimited_files_have_their_rows(library: Library, expected: dict[str, Any]) -> None:
    metadata, blocks, _ = await library.read(expected["file"])
    rows = rows_of(blocks)

    assert len(rows) == expected["rows"] == metadata.rows
    assert len(metadata.columns) == expected.get("width", len(metadata.columns))
    assert list(metadata.columns) == expected.get("cols", list(metadata.columns))
    assert metadata.encoding == expected.get("encoding", metadata.encoding)
    assert list(rows[-1]) == expected.get("last", list(rows[-1]))
    if find := expected.get("find"):
        at = metadata.columns.index(find["column"])
        (row,) = (row for row in rows if row[at] == find["equals"])
        found = {name: row[metadata.columns.index(name)] for name in find["expect"]}
        assert found == find["expect"]


async def test_json_is_text_or_a_table(library: Library) -> None:
    (expected,) = (e for e in EXPECTED if e["file"] == "object.json")
    _, blocks, _ = await library.read(expected["file"])

    assert all(part in plain_text(blocks) for part in expected["as_text"]["must"])
    with pytest.raises(DocumentNotParsed) as caught:
        await library.read(expected["file"], purpose=Purpose.TABLE)
    assert caught.value.failure == expected["as_table"]["error"]


async def test_scanned_pages_without_ocr_are_images_with_a_warning(library: Library) -> None:
    metadata, blocks, _ = await library.read("scanned-report.pdf")

    assert {w.code for w in metadata.warnings} == {"no_text_layer"}
    assert all(block.is_scan for block in blocks if isinstance(block, Picture))


class ScriptedOcr:
    """Reads the number of its calls from every image."""

    def __init__(self) -> None:
        self.images: list[bytes] = []

    async def read(self, image: bytes, mime: str, *, owner: int) -> list[OcrLine]:
        assert mime == "image/png"
        assert owner
        self.images.append(image)
        text = f"Text of image {len(self.images)}"
        return [OcrLine(text=text, bbox=(0.0, 0.0, 1.0, 1.0)), OcrLine(text=" ", bbox=(0, 0, 1, 1))]


async def test_scanned_pages_get_their_text_from_ocr_once() -> None:
    engine = ScriptedOcr()
    pool = ParserPool(jail=Jail(), limits=Limits(), ocr=engine)
    library = Library(pool)
    try:
        metadata, blocks, sink = await library.read("scanned-report.pdf", image_ocr=True)
        _, docx, _ = await library.read("having-images.docx", image_ocr=True)
    finally:
        await pool.aclose()

    assert plain_text(blocks) == "Text of image 1 Text of image 2 Text of image 3"
    assert metadata.warnings == ()
    assert engine.images[:3] == [image.data for image in sink.images]
    read_texts = [block.text for block in docx if isinstance(block, Paragraph)]
    assert read_texts == [f"Text of image {n}" for n in (4, 5, 6, 5, 6)]
