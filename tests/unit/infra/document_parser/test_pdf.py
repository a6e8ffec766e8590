"""The layout of PDF pages."""

import pytest

from infra.contract.document.parser import (
    Heading,
    ListItem,
    Paragraph,
    ParseMode,
    ParseOptions,
    Table,
)
from tests.support.document.build import pdf, text_page
from tests.support.document.reading import Read, read

FAST = ParseOptions(mode=ParseMode.FAST)
SENTENCE = "The quick brown fox jumps over the lazy dog and runs"


def column(
    left: float, top: float, texts: list[str], size: float = 10.0
) -> list[tuple[float, float, float, str]]:
    return [(left, 792 - top - 12 * n, size, text) for n, text in enumerate(texts)]


def read_pages(*pages: bytes, options: ParseOptions = FAST, attributes: str = "") -> Read:
    return read(pdf(list(pages), attributes=attributes), "pdf", options=options)


def test_lines_become_paragraphs_and_headings() -> None:
    body = [f"{SENTENCE} once" for _ in range(4)]
    content = b"\n".join(
        [
            text_page([(72, 720, 20, "A large title")]),
            text_page([(72, 690, 10, "Short and bold")], font="F2"),
            text_page(column(72, 120, [*body, "The end."])),
            text_page(column(72, 200, ["Another paragraph begins after a gap."])),
        ]
    )

    blocks = read_pages(content).blocks

    assert [type(block) for block in blocks] == [Heading, Heading, Paragraph, Paragraph]
    assert [b.level for b in blocks if isinstance(b, Heading)] == [1, 2]
    first = blocks[2]
    assert isinstance(first, Paragraph)
    assert first.text == " ".join([*body, "The end."])
    assert first.page == 1
    assert first.bbox is not None
    assert 60 < first.bbox[0] < first.bbox[2] < 612


def test_words_broken_at_the_end_of_a_line_are_joined() -> None:
    lines = [f"{SENTENCE} with remark-", f"able speed. {SENTENCE} self-", "made things home."]
    found = read_pages(text_page(column(72, 100, [*lines, "Only made by the self."])))

    assert "remarkable speed" in found.text
    assert "self-made things" in found.text


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [f"left {n} {SENTENCE[:34]}" for n in range(12)]
    right = [f"right {n} {SENTENCE[:34]}" for n in range(12)]
    lines = []
    for a, b in zip(column(60, 100, left), column(330, 100, right), strict=True):
        lines += [a, b]
    title = (60.0, 740.0, 10.0, f"{SENTENCE} {SENTENCE[:40]}")
    text = read_pages(text_page([title, *lines])).text

    positions = [text.index(line) for line in [title[3], *left, *right]]
    assert positions == sorted(positions)


def test_rows_of_numbers_are_not_columns() -> None:
    lines = []
    for row in range(10):
        lines += [(60.0 + 120 * at, 700.0 - 14 * row, 10.0, f"v{row}{at}") for at in range(4)]
    text = read_pages(text_page(lines)).text

    assert "v00 v01 v02 v03 v10" in text


def test_headers_and_footers_that_repeat_are_dropped() -> None:
    pages = [
        text_page(
            [
                (72, 770, 9, f"Annual report {2020 + number} / {number}"),
                (72, 600, 10, f"Content of page {'abcdef'[number]} goes here."),
                (300, 30, 9, f"{number}"),
            ]
        )
        for number in range(6)
    ]
    text = read_pages(*pages).text

    assert "Annual report" not in text
    assert text.count("Content of page") == 6
    assert "Annual report" in read_pages(*pages[:3]).text


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_turned_pages_are_read_as_they_are_shown(turn: int) -> None:
    cosine, sine = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
    lines = ["First line of the page.", "Second line of the page."]
    shown = []
    for number, line in enumerate(lines):
        x = {90: 100 + 14 * number, 180: 500, 270: 500 - 14 * number}[turn]
        y = {90: 72, 180: 100 + 14 * number, 270: 700}[turn]
        shown.append(f"BT /F1 10 Tf {cosine} {sine} {-sine} {cosine} {x} {y} Tm ({line}) Tj ET")
    found = read_pages("\n".join(shown).encode(), attributes=f"/Rotate {turn}")

    assert found.text == " ".join(lines)


def test_text_along_the_margin_comes_last() -> None:
    content = b"BT /F1 9 Tf 0 1 -1 0 30 300 Tm (Stamp of the archive) Tj ET\n"
    found = read_pages(content + text_page([(72, 700, 10, "The text of the page.")]))

    assert found.paragraphs == ["The text of the page.", "Stamp of the archive"]


def test_bullets_are_items_of_a_list() -> None:
    lines = ["\u2022 first thing", "\u2022 second thing that goes on", "   and on", "\u2022 third"]
    found = read_pages(text_page(column(72, 100, lines)))

    items = [block.text for block in found.blocks if isinstance(block, ListItem)]
    assert items == ["first thing", "second thing that goes on and on", "third"]


def ruled(rows: list[list[str]], *, top: float = 700.0, left: float = 72.0) -> bytes:
    """Draw a table with lines around every cell."""
    width, height = 100.0, 20.0
    right, bottom = left + width * len(rows[0]), top - height * len(rows)
    lines = [
        f"{left} {top - height * n} m {right} {top - height * n} l S" for n in range(len(rows) + 1)
    ]
    lines += [
        f"{left + width * n} {top} m {left + width * n} {bottom} l S"
        for n in range(len(rows[0]) + 1)
    ]
    texts = [
        (left + 5 + width * x, top - 14 - height * y, 10.0, text)
        for y, row in enumerate(rows)
        for x, text in enumerate(row)
    ]
    return "\n".join(lines).encode() + b"\n" + text_page(texts)


ROWS = [["name", "count", "note"], ["apples", "12", "green"], ["pears", "7", ""]]


def test_ruled_tables_are_found_and_their_text_is_not_repeated() -> None:
    content = (
        ruled(ROWS) + b"\n" + text_page([(72, 740, 10, "Before it."), (72, 600, 10, "After it.")])
    )
    found = read_pages(content, options=ParseOptions())

    assert [type(block) for block in found.blocks] == [Paragraph, Table, Paragraph]
    assert found.rows == [
        ("name", "count", "note"),
        ("apples", "12", "green"),
        ("pears", "7", None),
    ]
    assert found.text.count("apples") == 1


def test_tables_stay_text_without_table_extraction() -> None:
    found = read_pages(ruled(ROWS), options=ParseOptions(table_extraction=False))

    assert found.tables == []
    assert "apples 12 green" in found.text


def test_a_table_goes_on_over_the_page() -> None:
    first = ruled([*ROWS, *[["x", "1", "y"]] * 3])
    second = ruled([ROWS[0], ["plums", "3", "blue"]], top=740)
    third = text_page([(72, 700, 10, "Something else follows here.")])
    found = read_pages(first, second, third, options=ParseOptions())

    (table,) = found.tables
    assert table.rows[0] == ("name", "count", "note")
    assert table.rows[-1] == ("plums", "3", "blue")
    assert sum(1 for row in table.rows if row[0] == "name") == 1


def test_cells_below_each_other_are_a_table_without_lines() -> None:
    lines = []
    for row, values in enumerate(
        [["name", "count", "note"], ["apples", "12", "green"], ["pears", "7", "ripe"]]
    ):
        lines += [(72.0 + 150 * at, 700.0 - 14 * row, 10.0, text) for at, text in enumerate(values)]
    found = read_pages(text_page(lines), options=ParseOptions())

    assert found.rows == [
        ("name", "count", "note"),
        ("apples", "12", "green"),
        ("pears", "7", "ripe"),
    ]


def test_narrow_word_gaps_are_found() -> None:
    # Words apart by a sixth of the size, drawn without any space character.
    words = ["Large", "language", "models", "are", "useful"]
    widths = {"Large": 26.13, "language": 41.13, "models": 33.89, "are": 14.45}
    left, shown = 72.0, []
    for word in words:
        shown.append((left, 700.0, 10.0, word))
        left += widths.get(word, 0.0) + 1.7
    assert read_pages(text_page(shown)).text == "Large language models are useful"
