"""Word documents, presentations, books and images."""

import io

import pytest
from PIL import Image

from infra.contract.document.parser import (
    DocumentNotParsed,
    Formula,
    Heading,
    ListItem,
    PageBreak,
    Paragraph,
    ParseFailure,
    ParseMode,
    ParseOptions,
    Picture,
    Purpose,
    Table,
)
from tests.support.document.build import WORD, archive, docx, paragraph, pptx
from tests.support.document.reading import DOCUMENTS, read

STYLES = (
    f'<w:styles xmlns:w="{WORD}">'
    '<w:style w:styleId="a3"><w:name w:val="Title"/></w:style>'
    '<w:style w:styleId="1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="2"/>'
    "</w:numPr></w:pPr></w:style>"
    '<w:style w:styleId="x"><w:name w:val="Mine"/><w:basedOn w:val="1"/></w:style>'
    '<w:style w:styleId="o"><w:name w:val="Outlined"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr>'
    "</w:style></w:styles>"
)


def level(number: int, form: str, text: str) -> str:
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


NUMBERING = (
    f'<w:numbering xmlns:w="{WORD}"><w:abstractNum w:abstractNumId="0">'
    + level(0, "decimal", "%1.")
    + level(1, "lowerLetter", "%1.%2)")
    + '</w:abstractNum><w:abstractNum w:abstractNumId="1">'
    + level(0, "bullet", "•")
    + '</w:abstractNum><w:abstractNum w:abstractNumId="2">'
    + level(0, "chineseCounting", "第%1章")
    + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num></w:numbering>'
)
PARTS = {"word/styles.xml": STYLES, "word/numbering.xml": NUMBERING}
REFERENCES = {"s": ("styles", "styles.xml"), "n": ("numbering", "numbering.xml")}


def styled(name: str) -> str:
    return f'<w:pStyle w:val="{name}"/>'


def item(number: int, at: int = 0) -> str:
    return f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{number}"/></w:numPr>'


def test_headings_and_lists_come_from_styles_and_numbering() -> None:
    body = (
        paragraph("Book", styled("a3"))
        + paragraph("Begin", styled("1"))
        + paragraph("one", item(1))
        + paragraph("inner", item(1, 1))
        + paragraph("inner again", item(1, 1))
        + paragraph("two", item(1))
        + paragraph("restarted", item(1, 1))
        + paragraph("dot", item(3))
        + paragraph("Go on", styled("x"))
        + paragraph("Deep", styled("o"))
        + paragraph("plain")
    )

    assert read(docx(body, parts=PARTS, references=REFERENCES), "docx").blocks == [
        Heading(text="Book", level=0),
        Heading(text="第一章 Begin", level=1),
        ListItem(text="one", marker="1.", level=1),
        ListItem(text="inner", marker="1.a)", level=2),
        ListItem(text="inner again", marker="1.b)", level=2),
        ListItem(text="two", marker="2.", level=1),
        ListItem(text="restarted", marker="2.a)", level=2),
        ListItem(text="dot", marker="-", level=1),
        Heading(text="第二章 Go on", level=1),
        Heading(text="Deep", level=3),
        Paragraph(text="plain"),
    ]


def test_revisions_links_and_breaks_are_resolved() -> None:
    body = (
        "<w:p><w:r><w:t>kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>added </w:t></w:r></w:ins>"
        '<w:hyperlink r:id="h"><w:r><w:t>here</w:t></w:r></w:hyperlink>'
        "<w:r><w:br/><w:t>next</w:t><w:noBreakHyphen/><w:t>line</w:t></w:r></w:p>"
        '<w:p><w:r><w:br w:type="page"/><w:t>after</w:t></w:r></w:p>'
    )
    data = docx(body, references={"h": ("hyperlink", "https://example.org/")}, external=["h"])

    assert read(data, "docx").blocks == [
        Paragraph(text="kept added [here](https://example.org/)\nnext-line"),
        PageBreak(),
        Paragraph(text="after"),
    ]


def test_content_controls_text_boxes_and_notes_are_not_lost() -> None:
    notes = (
        f'<w:footnotes xmlns:w="{WORD}"><w:footnote w:id="2">{paragraph("the note")}'
        "</w:footnote></w:footnotes>"
    )
    body = (
        f"<w:sdt><w:sdtContent>{paragraph('controlled')}</w:sdtContent></w:sdt>"
        '<w:p><w:r><w:t>text</w:t><w:footnoteReference w:id="2"/></w:r><w:r><w:drawing>'
        f"<w:txbxContent>{paragraph('boxed')}</w:txbxContent></w:drawing></w:r></w:p>"
    )
    found = read(
        docx(body, parts={"word/f.xml": notes}, references={"f": ("footnotes", "f.xml")}), "docx"
    )

    assert found.blocks == [
        Paragraph(text="controlled"),
        Paragraph(text="text[2]"),
        Paragraph(text="boxed"),
        Paragraph(text="[2] the note", style="footnote"),
    ]


def test_formulas_are_written_as_latex() -> None:
    body = (
        '<w:p xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:oMathPara>'
        "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:sSup><m:e><m:r><m:t>b</m:t>"
        "</m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f></m:oMath>"
        "</m:oMathPara></w:p>"
    )

    assert read(docx(body), "docx").blocks == [Formula(text=r"\frac{a}{b^{2}}")]


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


TABLE = table(
    "<w:trPr><w:tblHeader/></w:trPr>" + cell("a") + cell("b"),
    cell("1", '<w:vMerge w:val="restart"/>') + cell("2"),
    cell("", "<w:vMerge/>") + cell("3"),
    cell("wide", '<w:gridSpan w:val="2"/>'),
)


def test_tables_repeat_merged_cells_and_know_their_header() -> None:
    (block,) = read(docx(TABLE), "docx").blocks

    assert block == Table(
        rows=(("a", "b"), ("1", "2"), ("1", "3"), ("wide", "wide")), header_rows=1
    )


def test_the_fast_mode_writes_tables_as_text() -> None:
    found = read(docx(TABLE), "docx", options=ParseOptions(mode=ParseMode.FAST))

    assert found.paragraphs == ["a b", "1 2", "1 3", "wide wide"]


def test_a_frame_of_one_cell_is_text() -> None:
    assert read(docx(table(cell("framed"))), "docx").blocks == [Paragraph(text="framed")]


def test_images_that_cannot_be_read_are_a_warning() -> None:
    body = (
        paragraph("text") + '<w:p><w:r><w:drawing><a:blip xmlns:a="a" r:embed="i"/></w:drawing>'
        "</w:r></w:p>"
    )
    parts = {"word/media/image1.emf": b"\x01\x00\x00\x00vector"}
    found = read(docx(body, parts=parts, references={"i": ("image", "media/image1.emf")}), "docx")

    assert found.warnings == ["image_unreadable"]
    assert found.paragraphs == ["text"]


def shape(kind: str, *texts: str) -> str:
    role = f'<p:ph type="{kind}"/>' if kind else ""
    lines = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)
    return f"<p:sp><p:nvSpPr><p:nvPr>{role}</p:nvPr></p:nvSpPr><p:txBody>{lines}</p:txBody></p:sp>"


def test_slides_are_read_in_the_order_of_the_show() -> None:
    grid = (
        "<p:graphicFrame><a:tbl><a:tblPr firstRow='1'/>"
        "<a:tr><a:tc><a:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc></a:tr>"
        "<a:tr><a:tc><a:txBody><a:p><a:r><a:t>1</a:t></a:r></a:p></a:txBody></a:tc></a:tr>"
        "</a:tbl></p:graphicFrame>"
    )
    data = pptx(
        shape("", "beside") + shape("title", "Second") + grid,
        shape("body", "point", "another") + shape("ctrTitle", "First") + shape("sldNum", "1"),
    )
    found = read(data, "pptx")

    assert found.metadata.pages == 2
    assert found.blocks == [
        Heading(text="First", level=1, page=1),
        ListItem(text="point", page=1),
        ListItem(text="another", page=1),
        PageBreak(page=2),
        Heading(text="Second", level=1, page=2),
        Paragraph(text="beside", page=2),
        Table(rows=(("x",), ("1",)), header_rows=1, page=2),
    ]
    assert read(data, "pptx", options=ParseOptions(skip_pages=(2,))).headings == [(1, "First")]


def epub(**extra: str) -> bytes:
    book = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<metadata><dc:title>A book</dc:title><dc:creator>Someone</dc:creator></metadata><manifest>"
        '<item id="a" href="text/a%20one.xhtml"/><item id="b" href="text/b.xhtml"/></manifest>'
        '<spine><itemref idref="b"/><itemref idref="a"/></spine></package>'
    )
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/>'
            "</rootfiles></container>",
            "OPS/book.opf": book,
            "OPS/text/a one.xhtml": "<html><body><h1>Two</h1><p>end</p></body></html>",
            "OPS/text/b.xhtml": "<html><body><h1>One</h1><p>begin</p></body></html>",
            **extra,
        },
        stored=True,
    )


def test_books_are_read_along_their_spine() -> None:
    found = read(epub(), "epub")

    assert (found.metadata.title, found.metadata.author) == ("A book", "Someone")
    assert found.text == "One begin Two end"
    assert [block.page for block in found.blocks] == [1, 1, 2, 2, 2]


def test_protected_books_say_so() -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        read(epub(**{"META-INF/rights.xml": "<rights/>"}), "epub")

    assert caught.value.failure is ParseFailure.ENCRYPTED


def picture(form: str, size: tuple[int, int], **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "blue").save(buffer, form, **options)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("form", "mime"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("GIF", "image/png"),
        ("BMP", "image/png"),
        ("WEBP", "image/png"),
    ],
)
def test_images_become_png_or_jpeg(form: str, mime: str) -> None:
    options = ParseOptions(purpose=Purpose.IMAGE)
    found = read(picture(form, (50, 40)), form.lower(), options=options)

    (image,) = found.images
    assert (image.mime, image.width, image.height) == (mime, 50, 40)
    assert found.blocks == [Picture(sha256=image.sha256, mime=mime, width=50, height=40)]


def test_photographs_are_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = picture("JPEG", (60, 40), exif=exif)
    found = read(data, "jpg", options=ParseOptions(purpose=Purpose.IMAGE))

    assert (found.images[0].width, found.images[0].height) == (40, 60)


def test_a_damaged_image_is_corrupt() -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        read(b"\x89PNG\r\n\x1a\nxxxx", "png", options=ParseOptions(purpose=Purpose.IMAGE))

    assert caught.value.failure is ParseFailure.CORRUPT


def test_a_text_cannot_become_an_image() -> None:
    with pytest.raises(DocumentNotParsed) as caught:
        read(b"text", "txt", options=ParseOptions(purpose=Purpose.IMAGE))

    assert caught.value.failure is ParseFailure.UNSUPPORTED


@pytest.mark.parametrize("extension", ["docx", "pptx", "xlsx", "epub"])
def test_a_container_that_lost_its_end_says_so(extension: str) -> None:
    whole = (DOCUMENTS / "paper.docx").read_bytes()
    with pytest.raises(DocumentNotParsed) as caught:
        read(whole[: len(whole) // 2], extension)
    assert caught.value.failure is ParseFailure.CORRUPT
    assert "its end is missing" in caught.value.message
