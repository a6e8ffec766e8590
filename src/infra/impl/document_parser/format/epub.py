"""EPUB books: how they are recognised."""

from infra.contract.document.parser import ParseOptions, Purpose
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output

_MARK = b"mimetypeapplication/epub+zip"


def is_epub(data: bytes) -> bool:
    """Whether the content is a container that says so in its first, stored member."""
    return data.startswith(b"PK\x03\x04") and _MARK in data[:200]


def _read(data: bytes, options: ParseOptions, output: Output) -> None:
    from infra.impl.document_parser.markup.epub import read_epub

    read_epub(data, options, output)


FORMATS.register("epub")(
    Format(
        read=_read,
        extensions=frozenset({"epub"}),
        media_types=frozenset({"application/epub+zip"}),
        purposes=frozenset({Purpose.TEXT}),
        matches=is_epub,
    )
)
