"""Files made to hurt: each ends with its cause, in bounded time and memory."""

import io
import struct
import zipfile
import zlib
from collections.abc import AsyncGenerator, Callable

import psutil
import pytest

from domain.shared.limits import MIB, Limits
from infra.contract.document.parser import (
    DocumentNotParsed,
    ParseFailure,
    ParseOptions,
    ParseProgress,
    Purpose,
)
from infra.impl.document_parser.pool import ParserPool
from infra.impl.sandbox.jail import Jail
from tests.support.document import build
from tests.support.document.pool import CollectingSink, parse
from tests.support.document.reading import DOCUMENTS, plain_text

OWN_GROWTH = 20 * MIB
LIMITS = Limits(document_wall_s=30.0, document_wall_max_s=60.0, document_page_cpu_s=5.0)


@pytest.fixture(scope="module")
async def pool() -> AsyncGenerator[ParserPool, None]:
    pool = ParserPool(jail=Jail(), limits=LIMITS)
    yield pool
    await pool.aclose()


async def fail(
    pool: ParserPool, data: bytes, extension: str, *, purpose: Purpose = Purpose.TEXT
) -> ParseFailure:
    """Return the cause, having checked that this process paid neither time nor memory."""
    options = ParseOptions(extension=extension, purpose=purpose)
    own = psutil.Process()
    before = own.memory_info().rss
    with pytest.raises(DocumentNotParsed) as caught:
        await parse(pool, data, options)
    assert own.memory_info().rss - before < OWN_GROWTH
    assert await alive(pool)
    return caught.value.failure


async def alive(pool: ParserPool) -> bool:
    _, blocks = await parse(pool, b"still here", ParseOptions(extension="txt"))
    return plain_text(blocks) == "still here"


def deflated_zeros(megabytes: int) -> bytes:
    """Compress many zeros without ever holding them."""
    packer = zlib.compressobj(9)
    parts = [packer.compress(bytes(MIB)) for _ in range(megabytes)]
    return b"".join([*parts, packer.flush()])


def repeated(name: str, times: int) -> bytes:
    """Pack a member that claims what it holds: spaces, again and again."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("_rels/.rels", build.relationships({"r": ("officeDocument", name)}))
        with target.open(name, "w", force_zip64=True) as member:
            for _ in range(times):
                member.write(b" " * MIB)
    return buffer.getvalue()


def lying_size() -> bytes:
    """A member that declares a hundred bytes and inflates to many megabytes."""
    data = bytearray(repeated("word/document.xml", 64))
    at = data.rfind(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 100)
    return bytes(data)


def many_members() -> bytes:
    members: dict[str, bytes | str] = {f"word/document{n}.xml": b"" for n in range(10_001)}
    return build.archive(members, stored=True)


def doubled_name() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        target.writestr("word/document.xml", "<a/>")
        with pytest.warns(UserWarning, match="Duplicate"):
            target.writestr("word/document.xml", "<b/>")
    return buffer.getvalue()


def encrypted_member() -> bytes:
    data = bytearray(build.docx(build.paragraph("secret")))
    at = 0
    while (at := data.find(b"PK\x01\x02", at)) >= 0:
        data[at + 8] |= 1
        at += 4
    return bytes(data)


LAUGHS = (
    '<!DOCTYPE d [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]>"
)
ARCHIVES: dict[str, tuple[Callable[[], bytes], ParseFailure]] = {
    "spaces": (lambda: repeated("word/document.xml", 200), ParseFailure.BOMB),
    "lying size": (lying_size, ParseFailure.CORRUPT),
    "members": (many_members, ParseFailure.BOMB),
    "doubled name": (doubled_name, ParseFailure.BOMB),
    "encrypted member": (encrypted_member, ParseFailure.ENCRYPTED),
    "nested archive": (
        lambda: build.docx("", parts={"word/inner.zip": build.archive({"a": b""})}),
        ParseFailure.BOMB,
    ),
    "path out": (lambda: build.docx("", parts={"../../etc/passwd": b""}), ParseFailure.BOMB),
    "absolute path": (lambda: build.docx("", parts={"/etc/passwd": b""}), ParseFailure.BOMB),
    "entities": (lambda: build.docx("", prolog=LAUGHS), ParseFailure.BOMB),
    "external entity": (
        lambda: build.docx(
            "<w:p><w:r><w:t>&x;</w:t></w:r></w:p>",
            prolog='<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        ),
        ParseFailure.BOMB,
    ),
    "external dtd": (
        lambda: build.docx("", prolog='<!DOCTYPE d SYSTEM "http://127.0.0.1/x.dtd">'),
        ParseFailure.BOMB,
    ),
    "deep xml": (
        lambda: build.docx("<w:sdt>" * 100_000 + "</w:sdt>" * 100_000),
        ParseFailure.BOMB,
    ),
    "no parts": (lambda: build.archive({"word/document.xml": "<a/>"}), ParseFailure.CORRUPT),
    "plain zip": (lambda: build.archive({"a.txt": "text"}), ParseFailure.UNSUPPORTED),
}


@pytest.mark.parametrize("name", ARCHIVES)
async def test_archive_bombs_are_refused(pool: ParserPool, name: str) -> None:
    make, failure = ARCHIVES[name]

    assert await fail(pool, make(), "docx") is failure


def wide_sheet() -> bytes:
    cells = "".join(f"<c><v>{n}</v></c>" for n in range(300))
    return build.xlsx({"S": f"<sheetData><row>{cells}</row></sheetData>"})


SHEETS: dict[str, tuple[Callable[[], bytes], ParseFailure]] = {
    "too wide": (wide_sheet, ParseFailure.TOO_LARGE),
    "far cell": (
        lambda: build.xlsx(
            {"S": '<sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData>'}
        ),
        ParseFailure.TOO_LARGE,
    ),
    "too many rows": (
        lambda: build.xlsx({"S": build.sheet([(n * 7919 % 100_003,) for n in range(200_001)])}),
        ParseFailure.TOO_LARGE,
    ),
    "no header": (lambda: build.xlsx({"S": "<sheetData/>"}), ParseFailure.HEADER_MISSING),
    "no sheet": (lambda: build.xlsx({}), ParseFailure.NO_SUCH_SHEET),
    "spaces": (lambda: repeated("xl/workbook.xml", 200), ParseFailure.BOMB),
}


@pytest.mark.parametrize("name", SHEETS)
async def test_workbook_bombs_are_refused(pool: ParserPool, name: str) -> None:
    make, failure = SHEETS[name]

    assert await fail(pool, make(), "xlsx", purpose=Purpose.TABLE) is failure


async def test_the_declared_dimension_of_a_sheet_is_not_believed(pool: ParserPool) -> None:
    rows = (
        '<dimension ref="A1:XFD1048576"/><sheetData>'
        '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'
        '<row r="2"><c r="A2"><v>1</v></c></row>'
        '<row r="1048576"><c r="A1048576"><v>2</v></c></row></sheetData>'
        '<mergeCells><mergeCell ref="A2:XFD1048576"/></mergeCells>'
    )
    options = ParseOptions(extension="xlsx", purpose=Purpose.TABLE)
    document, _ = await parse(pool, build.xlsx({"S": rows}), options)

    assert document.metadata.columns == ("name",)
    assert document.metadata.rows <= 2000
    assert "truncated" in {warning.code for warning in document.metadata.warnings}


def flate_bomb_pdf() -> bytes:
    packed = deflated_zeros(250)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>"
    return build.assemble(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: page,
            4: build.stream(packed, "/Filter/FlateDecode"),
        }
    )


def looping_pages_pdf() -> bytes:
    return build.assemble(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 4000000>>",
        }
    )


def many_pages_pdf() -> bytes:
    kids = b"3 0 R " * 6000
    return build.assemble(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Count 6000/Kids[" + kids + b"]>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
        }
    )


def crowded_pdf() -> bytes:
    word = "characters" * 1000
    return build.pdf([build.text_page([(10.0, 10.0 * n, 1.0, word) for n in range(21)])])


def huge_image_pdf() -> bytes:
    image = build.stream(
        deflated_zeros(3),
        "/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8"
        "/ColorSpace/DeviceRGB/Filter/FlateDecode",
    )
    text = build.text_page([(72, 700, 12, "Words beside a picture that nobody could hold.")])
    return build.pdf(
        [text + b"\nq 100 0 0 100 72 72 cm /I Do Q"],
        resources="/XObject<</I 10 0 R>>",
        objects=[image],
    )


PDFS: dict[str, tuple[Callable[[], bytes], set[ParseFailure]]] = {
    "flate bomb": (
        flate_bomb_pdf,
        {
            ParseFailure.OUT_OF_MEMORY,
            ParseFailure.EMPTY,
            ParseFailure.TIMEOUT,
            ParseFailure.PARSER_CRASHED,
        },
    ),
    "looping pages": (looping_pages_pdf, {ParseFailure.TOO_LARGE, ParseFailure.CORRUPT}),
    "many pages": (many_pages_pdf, {ParseFailure.TOO_LARGE}),
    "crowded page": (crowded_pdf, {ParseFailure.TOO_LARGE}),
    "header only": (lambda: b"%PDF-1.7\n", {ParseFailure.CORRUPT}),
    "locked": (
        (DOCUMENTS / "password-protected.pdf").read_bytes,
        {ParseFailure.ENCRYPTED},
    ),
}


@pytest.mark.parametrize("name", PDFS)
async def test_pdf_bombs_are_refused(pool: ParserPool, name: str) -> None:
    make, failures = PDFS[name]

    assert await fail(pool, make(), "pdf") in failures


async def test_an_oversized_image_in_a_pdf_is_left_out(pool: ParserPool) -> None:
    document, blocks = await parse(pool, huge_image_pdf(), ParseOptions(extension="pdf"))

    assert "Words beside a picture" in plain_text(blocks)
    assert "image_unreadable" in {warning.code for warning in document.metadata.warnings}


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        crc = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", crc)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", deflated_zeros(1))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("size", [(50_000, 50_000), (10_001, 1), (8000, 8000)])
async def test_images_with_too_many_pixels_are_refused(
    pool: ParserPool, size: tuple[int, int]
) -> None:
    failure = await fail(pool, png(*size), "png", purpose=Purpose.IMAGE)

    assert failure is ParseFailure.TOO_LARGE


TEXTS: dict[str, tuple[Callable[[], bytes], str, ParseFailure]] = {
    "deep html": (lambda: b"<html>" + b"<div>" * 5000, "html", ParseFailure.BOMB),
    "deep json": (lambda: b"[" * 200_000 + b"]" * 200_000, "json", ParseFailure.BOMB),
    "long value": (lambda: b'a,b\n"' + b"x" * 2 * MIB + b'",1\n', "csv", ParseFailure.TOO_LARGE),
    "many columns": (lambda: b"a," * 300 + b"b\n1\n", "csv", ParseFailure.TOO_LARGE),
    "empty": (lambda: b"", "txt", ParseFailure.EMPTY),
    "blank": (lambda: b" \n\t\r\n ", "md", ParseFailure.EMPTY),
    "binary": (lambda: bytes(range(256)) * 50 + bytes(500), "txt", ParseFailure.UNSUPPORTED),
    "program": (lambda: b"\x7fELF" + b"abc" * 100, "docx", ParseFailure.UNSUPPORTED),
    "unknown": (lambda: b"some text", "exe", ParseFailure.UNSUPPORTED),
}


@pytest.mark.parametrize("name", TEXTS)
async def test_hostile_texts_are_refused(pool: ParserPool, name: str) -> None:
    make, extension, failure = TEXTS[name]
    purpose = Purpose.TABLE if extension == "csv" else Purpose.TEXT

    assert await fail(pool, make(), extension, purpose=purpose) is failure


@pytest.mark.parametrize(
    ("data", "extension"),
    [
        pytest.param(b"*" * 300_000, "md", id="emphasis"),
        pytest.param(b"[" * 50_000 + b"](" * 50_000, "md", id="brackets"),
        pytest.param(b"> " * 20_000 + b"x", "md", id="quotes"),
        pytest.param(b"|" * 100_000 + b"\n|-|-|\n", "md", id="table"),
        pytest.param(b"$" * 100_001, "md", id="mathematics"),
        pytest.param(b"<html><body>" + b"<a href=x><b><i>" * 20_000, "html", id="formatting"),
        pytest.param(
            b"<html><table>" + b"<tr><td rowspan=9999 colspan=9999>x" * 300, "html", id="spans"
        ),
        pytest.param(b'"' * 100_001, "csv", id="quotes of csv"),
        pytest.param(b"<html><meta " + b"charset" * 10_000, "html", id="charset"),
    ],
)
async def test_adverse_markup_ends_in_time(pool: ParserPool, data: bytes, extension: str) -> None:
    try:
        await parse(pool, data, ParseOptions(extension=extension))
        failure = None
    except DocumentNotParsed as exc:
        failure = exc.failure

    assert failure is not ParseFailure.PARSER_CRASHED
    assert await alive(pool)


SOUND = [
    "paper-page.pdf",
    "paper.docx",
    "two-sheets.xlsx",
    "two-sheets.xls",
    "merged-cells.xlsx",
    "having-images.docx",
]


@pytest.mark.parametrize("name", SOUND)
async def test_truncated_files_end_with_a_cause(pool: ParserPool, name: str) -> None:
    data = (DOCUMENTS / name).read_bytes()
    extension = name.rpartition(".")[2]
    purpose = Purpose.TABLE if extension.startswith("xls") else Purpose.TEXT
    failures = set()
    for share in (0.1, 0.5, 0.9, 0.99):
        options = ParseOptions(extension=extension, purpose=purpose)
        try:
            await parse(pool, data[: int(len(data) * share)], options)
        except DocumentNotParsed as exc:
            failures.add(exc.failure)
    assert failures <= {ParseFailure.CORRUPT, ParseFailure.EMPTY, ParseFailure.UNSUPPORTED}
    assert await alive(pool)


class MemorySink(CollectingSink):
    """Measures the parser while it works."""

    def __init__(self) -> None:
        super().__init__()
        self.others = set(psutil.Process().children())
        self.sizes: dict[int, int] = {}

    async def report(self, progress: ParseProgress) -> None:
        if progress.done % 100 == 0:
            (child,) = set(psutil.Process().children()) - self.others
            self.sizes[progress.done] = child.memory_info().rss


async def test_a_pdf_of_1600_pages_is_read_in_flat_memory() -> None:
    lines = [(72.0, 700.0 - 14 * n, 11.0, f"Line {n} of a long report.") for n in range(5)]
    pages = [
        build.text_page([*lines, (72.0, 40.0, 9.0, f"Page {number}")]) for number in range(1, 1601)
    ]
    data = build.pdf(pages)
    pool = ParserPool(jail=Jail(), limits=Limits(parser_workers=1))
    sink = MemorySink()
    try:
        document, blocks = await parse(pool, data, ParseOptions(extension="pdf"), sink=sink)
    finally:
        await pool.aclose()

    assert document.metadata.pages == 1600
    assert max(block.page or 0 for block in blocks) == 1600
    assert max(sink.sizes.values()) < 512 * MIB
    assert sink.sizes[1600] - sink.sizes[100] < 32 * MIB
