"""HTML pages: how they are recognised."""

import re
from typing import Final

from infra.contract.document.parser import ParseOptions, Purpose
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output

_START: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)


def is_html(data: bytes) -> bool:
    """Whether the content declares itself a page."""
    return _START.match(data[:2048]) is not None


def _read(data: bytes, options: ParseOptions, output: Output) -> None:
    from infra.impl.document_parser.markup.html_page import read_html

    read_html(data, options, output)


FORMATS.register("html")(
    Format(
        read=_read,
        extensions=frozenset({"html", "htm", "xhtml"}),
        media_types=frozenset({"text/html", "application/xhtml+xml"}),
        purposes=frozenset({Purpose.TEXT}),
        matches=is_html,
    )
)
