"""Reading of EPUB books: the chapters of the spine, each read like a page."""

import posixpath
from urllib.parse import unquote

from infra.contract.document.parser import DocumentNotParsed, PageBreak, ParseFailure, ParseOptions
from infra.impl.document_parser.archive import Archive
from infra.impl.document_parser.markup.html_blocks import BlockWriter
from infra.impl.document_parser.markup.html_tree import decode_markup, parse_markup
from infra.impl.document_parser.office.ooxml import local_tree
from infra.impl.document_parser.output import Output

_CONTAINER = "META-INF/container.xml"
_PROTECTION = "META-INF/rights.xml"


def read_epub(data: bytes, options: ParseOptions, output: Output) -> None:
    """Write every chapter in reading order; pages to skip are chapters here."""
    archive = Archive(data, limits=output.limits)
    if _PROTECTION in archive:
        raise DocumentNotParsed(ParseFailure.ENCRYPTED, "The book is protected.")
    root = next(local_tree(archive.read(_CONTAINER)).iter("rootfile"), None)
    if root is None:
        raise DocumentNotParsed(ParseFailure.CORRUPT, "The book has no list of its parts.")
    path = root.get("full-path", "")
    book = local_tree(archive.read(path))
    output.metadata.title = book.findtext("metadata/title") or ""
    output.metadata.author = book.findtext("metadata/creator") or ""
    output.metadata.language = book.findtext("metadata/language") or ""
    parts = {item.get("id", ""): item.get("href", "") for item in book.iter("item")}
    chapters = [parts.get(entry.get("idref", ""), "") for entry in book.iter("itemref")]
    output.metadata.pages = len(chapters)
    for number, href in enumerate(chapters, start=1):
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(href)))
        if number not in options.skip_pages and name in archive:
            text = decode_markup(archive.read(name)).text
            body = parse_markup(text, max_depth=output.limits.nesting).find("body")
            if number > 1:
                output.add(PageBreak(page=number))
            if body is not None:
                BlockWriter(output, images=options.extracts_images, page=number).write(body)
        output.advance(number, len(chapters))
