"""The formats, one module each: a new one registers itself here and nothing else changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from domain.shared.registry import Registry
from infra.contract.document_parser import ParseOptions, Purpose
from infra.impl.document_parser.output import Output

Read = Callable[[bytes, ParseOptions, Output], None]
"""Reads a document into the output; raises ``DocumentNotParsed``."""


def never(_: bytes) -> bool:
    """For formats that have no signature."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How a format is recognised and read.

    ``matches`` looks at the content. Formats without a signature are known by extension alone.
    """

    read: Read
    extensions: frozenset[str]
    purposes: frozenset[Purpose]
    matches: Callable[[bytes], bool] = never


FORMATS: Final = Registry[Format]("document format", package=__name__)
