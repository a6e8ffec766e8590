"""The formats, one module each: a new one registers itself here and nothing else changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from domain.shared.registry import Registry
from infra.contract.document.parser import DocumentFormat, ParseOptions, Purpose
from infra.impl.document_parser.output import Output

Read = Callable[[bytes, ParseOptions, Output], None]
"""Reads a document into the output; raises ``DocumentNotParsed``.

Whatever needs a library imports it in here, with the first document: servers ask which formats
there are, and must not load what reads them.
"""


def never(_: bytes) -> bool:
    """For formats that have no signature."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How a format is recognised and read.

    ``matches`` looks at the content. Formats without a signature are known by extension alone.
    ``media_types`` are those by which web servers name it.
    """

    read: Read
    extensions: frozenset[str]
    media_types: frozenset[str]
    purposes: frozenset[Purpose]
    matches: Callable[[bytes], bool] = never
    has_pages: bool = False
    """Shows single pages, where the options want one."""


FORMATS: Final = Registry[Format]("document format", package=__name__)


def document_formats() -> tuple[DocumentFormat, ...]:
    """List what can be read; imports none of the libraries that do it."""
    return tuple(
        DocumentFormat(
            name=name,
            extensions=tuple(sorted(filter(None, member.extensions))),
            media_types=tuple(sorted(member.media_types)),
            purposes=tuple(sorted(member.purposes)),
            has_signature=member.matches is not never,
        )
        for name, member in ((name, FORMATS.get(name)) for name in FORMATS.names())
    )
