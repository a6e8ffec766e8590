"""PDF: how it is recognised."""

from typing import Final

from infra.contract.document.parser import ParseOptions, Purpose
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output

_HEADER_SEARCH_BYTES: Final = 1024


def is_pdf(data: bytes) -> bool:
    """Whether the content is PDF; readers accept some bytes before the header."""
    return b"%PDF-" in data[:_HEADER_SEARCH_BYTES]


def _read(data: bytes, options: ParseOptions, output: Output) -> None:
    if options.page is not None:
        from infra.impl.document_parser.pdf.page_view import show_page

        show_page(data, options.page, output)
        return
    from infra.impl.document_parser.pdf.reading import read_pdf

    read_pdf(data, options, output)


FORMATS.register("pdf")(
    Format(
        read=_read,
        extensions=frozenset({"pdf"}),
        media_types=frozenset({"application/pdf"}),
        purposes=frozenset({Purpose.TEXT}),
        matches=is_pdf,
        has_pages=True,
    )
)
