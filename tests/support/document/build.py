"""Builds documents for tests, byte by byte: sound ones, strange ones and hostile ones."""

import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence

REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SHOW = "http://schemas.openxmlformats.org/presentationml/2006/main"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def archive(members: Mapping[str, bytes | str], *, stored: bool = False) -> bytes:
    """Pack members in their order."""
    buffer = io.BytesIO()
    method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(buffer, "w", method) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return buffer.getvalue()


def relationships(entries: Mapping[str, tuple[str, str]], *, external: Sequence[str] = ()) -> str:
    """Write a part of relationships: id to (kind, target)."""
    lines = "".join(
        f'<Relationship Id="{key}" Type="{REL}/{kind}" Target="{target}"'
        + (' TargetMode="External"/>' if key in external else "/>")
        for key, (kind, target) in entries.items()
    )
    return f'<Relationships xmlns="{PACKAGE_REL}">{lines}</Relationships>'


def xlsx(
    sheets: Mapping[str, str],
    *,
    strings: Iterable[str] = (),
    styles: str = "",
    workbook: str = "",
    hidden: Sequence[str] = (),
    extra: Mapping[str, bytes | str] | None = None,
) -> bytes:
    """Pack worksheets, each given as the content of its ``worksheet`` element."""
    entries = {f"r{n}": ("worksheet", f"worksheets/s{n}.xml") for n in range(1, len(sheets) + 1)}
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"'
        + (' state="hidden"/>' if name in hidden else "/>")
        for n, name in enumerate(sheets, start=1)
    )
    shared = "".join(f"<si><t>{text}</t></si>" for text in strings)
    return archive(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relationships({"r1": ("officeDocument", "xl/workbook.xml")}),
            "xl/workbook.xml": (
                f'<workbook xmlns="{MAIN}" xmlns:r="{REL}">{workbook}<sheets>{listed}</sheets>'
                "</workbook>"
            ),
            "xl/_rels/workbook.xml.rels": relationships(
                {
                    **entries,
                    "rs": ("sharedStrings", "sharedStrings.xml"),
                    "rt": ("styles", "/xl/styles.xml"),
                }
            ),
            "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{shared}</sst>',
            "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>',
            **{
                f"xl/worksheets/s{n}.xml": f'<worksheet xmlns="{MAIN}">{content}</worksheet>'
                for n, content in enumerate(sheets.values(), start=1)
            },
            **(extra or {}),
        }
    )


def sheet(rows: Sequence[Sequence[object]]) -> str:
    """Write rows as the data of a sheet, all cells as inline text or numbers."""

    def cell(value: object) -> str:
        if value is None:
            return "<c/>"
        if isinstance(value, int | float):
            return f"<c><v>{value}</v></c>"
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>'

    lines = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    return f"<sheetData>{lines}</sheetData>"


def docx(
    body: str,
    *,
    parts: Mapping[str, bytes | str] | None = None,
    references: Mapping[str, tuple[str, str]] | None = None,
    external: Sequence[str] = (),
    prolog: str = "",
) -> bytes:
    """Pack a Word document, given as the content of its body."""
    return archive(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relationships({"r1": ("officeDocument", "word/document.xml")}),
            "word/document.xml": (
                f'{prolog}<w:document xmlns:w="{WORD}" xmlns:r="{REL}"><w:body>{body}</w:body>'
                "</w:document>"
            ),
            "word/_rels/document.xml.rels": relationships(references or {}, external=external),
            **(parts or {}),
        }
    )


def pptx(
    *slides: str,
    parts: Mapping[str, bytes | str] | None = None,
    references: Mapping[str, tuple[str, str]] | None = None,
) -> bytes:
    """Pack a presentation, each slide given as its shapes; all have the same references.

    The order of the show is not that of the file names.
    """
    numbers = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{n}" r:id="r{n}"/>' for n in reversed(numbers))
    spaces = f'xmlns:a="{DRAWING}" xmlns:p="{SHOW}" xmlns:r="{REL}"'
    return archive(
        {
            "_rels/.rels": relationships({"r": ("officeDocument", "ppt/presentation.xml")}),
            "ppt/presentation.xml": f"<p:presentation {spaces}><p:sldIdLst>{listed}</p:sldIdLst>"
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": relationships(
                {f"r{n}": ("slide", f"slides/s{n}.xml") for n in numbers}
            ),
            **{
                f"ppt/slides/s{n}.xml": f"<p:sld {spaces}><p:cSld><p:spTree>{slide}</p:spTree>"
                "</p:cSld></p:sld>"
                for n, slide in zip(numbers, slides, strict=True)
            },
            **{f"ppt/slides/_rels/s{n}.xml.rels": relationships(references or {}) for n in numbers},
            **(parts or {}),
        }
    )


def paragraph(text: str, properties: str = "") -> str:
    """Write one Word paragraph."""
    return (
        f'<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
    )


def text_page(lines: Iterable[tuple[float, float, float, str]], *, font: str = "F1") -> bytes:
    """Write the content of a PDF page: left, baseline from below, size and text of every line."""
    shown = []
    for left, baseline, size, text in lines:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        shown.append(f"BT /{font} {size} Tf {left} {baseline} Td ({escaped}) Tj ET")
    return "\n".join(shown).encode("cp1252")


def pdf(
    pages: Sequence[bytes],
    *,
    attributes: str = "",
    resources: str = "",
    objects: Sequence[bytes] = (),
    compress: bool = True,
    trailer: str = "",
) -> bytes:
    """Write a PDF; ``objects`` are numbered from 10, pages and contents follow."""
    first = 10 + len(objects)
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(pages)))
    bodies: dict[int, bytes] = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        4: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
        **{10 + n: body for n, body in enumerate(objects)},
    }
    for number, content in enumerate(pages):
        at = first + 2 * number
        bodies[at] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]{attributes}/Contents {at + 1} 0 R"
            f"/Resources<</Font<</F1 3 0 R/F2 4 0 R>>{resources}>>>>"
        ).encode()
        bodies[at + 1] = (
            stream(zlib.compress(content), "/Filter/FlateDecode") if compress else (stream(content))
        )
    return assemble(bodies, trailer=trailer)


def stream(content: bytes, entries: str = "") -> bytes:
    """Write a stream object."""
    return f"<<{entries}/Length {len(content)}>>stream\n".encode() + content + b"\nendstream"


def assemble(bodies: Mapping[int, bytes], *, trailer: str = "") -> bytes:
    """Write objects with their table of offsets."""
    out = bytearray(b"%PDF-1.7\n")
    offsets: dict[int, int] = {}
    for number, body in bodies.items():
        offsets[number] = len(out)
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    size = max(offsets) + 1
    out += f"xref\n0 {size}\n".encode()
    for number in range(size):
        kind, generation = ("n", 0) if number in offsets else ("f", 65535)
        out += f"{offsets.get(number, 0):010d} {generation:05d} {kind} \n".encode()
    out += f"trailer<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF".encode()
    return bytes(out)
