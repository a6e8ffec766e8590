"""HTML pages, Markdown and plain text."""

import base64
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from infra.contract.document.parser import (
    Code,
    DocumentNotParsed,
    Formula,
    Heading,
    ListItem,
    Paragraph,
    ParseMode,
    ParseOptions,
    Picture,
    Table,
)
from tests.support.document.reading import read

FILLER = "<p>" + "Words of the article that matter. " * 10 + "</p>"


def png() -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (40, 40), "red").save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def page(body: str, head: str = "") -> bytes:
    return f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>".encode()


def test_only_the_main_content_of_a_page_is_read() -> None:
    body = (
        "<nav>Menu</nav><header>Banner</header><main><h1>Title</h1>" + FILLER + "</main>"
        "<aside>Advertisement</aside><footer>Imprint</footer><script>x()</script>"
        "<div hidden>Secret</div>"
    )
    found = read(page(body, "<title> A  page </title>"), "html")

    assert found.metadata.title == "A page"
    assert found.headings == [(1, "Title")]
    for word in ("Menu", "Banner", "Advertisement", "Imprint", "x()", "Secret"):
        assert word not in found.text


def test_menus_inside_the_body_go_by_their_links() -> None:
    links = "".join(f"<li><a href='/{n}'>Some page {n}</a></li>" for n in range(10))
    found = read(page(f"<ul>{links}</ul><div>{FILLER}</div>"), "html")

    assert "Some page" not in found.text
    assert "Words of the article" in found.text


def test_a_page_inside_one_form_is_not_lost() -> None:
    assert "Words of the article" in read(page(f"<form>{FILLER}</form>"), "html").text


def test_blocks_of_a_page_keep_their_kind() -> None:
    body = (
        "<h2>One<br>two</h2><p>Text with <b>bold</b>, <code>x = 1</code> and "
        "<a href='https://example.org/a'>a link</a>.<br>Next&nbsp;line</p>"
        "<ol start='3'><li>three<ul><li>inner</li></ul></li><li>four</li></ol>"
        "<pre><code class='language-python'>def f():\n    pass\n</code></pre>"
        "<blockquote>Quoted</blockquote>loose text"
    )

    assert read(page(body), "html").blocks == [
        Heading(text="One two", level=2),
        Paragraph(text="Text with bold, `x = 1` and [a link](https://example.org/a).\nNext line"),
        ListItem(text="three", marker="3.", level=1),
        ListItem(text="inner", marker="-", level=2),
        ListItem(text="four", marker="4.", level=1),
        Code(text="def f():\n    pass", language="python"),
        Paragraph(text="Quoted", style="quote"),
        Paragraph(text="loose text"),
    ]


def test_spans_of_a_table_are_filled() -> None:
    body = (
        "<table><caption>Figures</caption><thead><tr><th colspan=2>Both</th><th>C</th></tr></thead>"
        "<tbody><tr><td rowspan=2>1</td><td>2</td><td>3</td></tr><tr><td>4</td><td></td></tr>"
        "</tbody></table>"
    )
    (table,) = read(page(body), "html").tables

    assert table.rows == (("Both", "Both", "C"), ("1", "2", "3"), ("1", "4", None))
    assert (table.header_rows, table.caption) == (1, "Figures")


def test_images_in_the_page_are_kept_and_others_named() -> None:
    body = f"<p>Before <img src='data:image/png;base64,{png()}' alt='red'> after</p>" + (
        "<img src='https://example.org/x.png' alt='far'><img src='data:image/png;base64,####'>"
    )
    found = read(page(body), "html")

    (picture,) = found.pictures
    assert (picture.alt, picture.width) == ("red", 40)
    assert "![far](https://example.org/x.png)" in found.text
    assert sorted(found.warnings) == ["image_not_fetched", "image_unreadable"]


def test_the_charset_of_the_markup_is_respected() -> None:
    text = "<html><head><meta charset='shift_jis'></head><body><p>発表</p></body></html>"
    found = read(text.encode("cp932"), "html")

    assert (found.text, found.metadata.encoding) == ("発表", "cp932")


def test_broken_markup_is_mended() -> None:
    found = read(b"<html><p>one<p>two<table><tr><td>a<td>b<tr><td>c</div>", "html")

    assert found.paragraphs == ["one", "two"]
    assert found.tables[0].rows == (("a", "b"), ("c", None))


@given(st.text(alphabet="<>/abhpr litdv='\"&;!-\n", max_size=200))
def test_any_markup_is_read_or_empty(text: str) -> None:
    try:
        read(f"<html>{text}".encode(), "html")
    except DocumentNotParsed as exc:
        assert exc.failure in ("empty", "bomb")  # noqa: PT017 (either is right)


def test_markdown_keeps_its_structure() -> None:
    text = (
        '---\ntitle: "A page"\nauthor: Somebody\n---\n# One *two*\n\nLine one\nline **two**,\n'
        "[here](https://example.org) and [there](#x).\n\n- [ ] open\n  1. inner\n\n     more\n"
        "- [x] done\n\n```py\nx = 1\n```\n\n> quoted\n\n$$E=mc^2$$\n\n| a | b |\n|---|---|\n"
        "| 1 |  |\n\n中文第一行\n第二行\n\n<h3>Raw</h3>\n"
    )
    found = read(text.encode(), "md")

    assert (found.metadata.title, found.metadata.author) == ("A page", "Somebody")
    assert found.blocks == [
        Heading(text="One two", level=1),
        Paragraph(text="Line one line two, [here](https://example.org) and there."),
        ListItem(text="[ ] open", marker="-", level=1),
        ListItem(text="inner", marker="1.", level=2),
        Paragraph(text="more"),
        ListItem(text="[x] done", marker="-", level=1),
        Code(text="x = 1", language="py"),
        Paragraph(text="quoted", style="quote"),
        Formula(text="E=mc^2"),
        Table(rows=(("a", "b"), ("1", None)), header_rows=1),
        Paragraph(text="中文第一行第二行"),
        Heading(text="Raw", level=3),
    ]


def test_images_of_markdown_are_extracted_or_kept_as_text() -> None:
    text = f"![red](data:image/png;base64,{png()})\n\n![far](a/b.png)\n".encode()
    found = read(text, "md")
    fast = read(text, "md", options=ParseOptions(mode=ParseMode.FAST))

    assert [type(block) for block in found.blocks] == [Picture, Paragraph]
    assert found.paragraphs == ["![far](a/b.png)"]
    assert found.warnings == ["image_not_fetched"]
    assert fast.pictures == []


def test_a_very_long_markdown_file_is_read_in_parts() -> None:
    text = "".join(f"# Part {n}\n\n" + "word " * 2000 + "\n\n" for n in range(150))
    found = read(text.encode(), "md")

    assert [title for _, title in found.headings] == [f"Part {n}" for n in range(150)]


def test_plain_text_keeps_its_lines() -> None:
    found = read(b"one\ntwo\r\n\r\n \n three\n", "txt")

    assert found.paragraphs == ["one\ntwo", " three"]


@given(st.text(max_size=300))
@pytest.mark.parametrize("extension", ["md", "txt"])
def test_any_text_is_read_or_refused(extension: str, text: str) -> None:
    try:
        read(text.encode(), extension)
    except DocumentNotParsed as exc:
        assert exc.failure in ("empty", "unsupported", "corrupt")  # noqa: PT017
