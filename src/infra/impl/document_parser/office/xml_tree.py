"""XML without document types: no entities, no external resources, bounded depth and size."""

from collections.abc import Callable
from typing import Final
from xml.etree import ElementTree as ET
from xml.parsers import expat

from infra.contract.document.parser import DocumentNotParsed, ParseFailure

_MAX_DEPTH: Final = 256
_MAX_ELEMENTS: Final = 4_000_000
_CHUNK_BYTES: Final = 256 * 1024
_SEPARATOR: Final = "}"

StartHandler = Callable[[str, dict[str, str]], None]
EndHandler = Callable[[str], None]
TextHandler = Callable[[str], None]


def scan(data: bytes, *, start: StartHandler, end: EndHandler, text: TextHandler) -> None:
    """Call the handlers for every part of a document; names are ``{namespace}local``.

    Raises:
        DocumentNotParsed: not XML, too deep, too many elements, or with a document type, which
            Office and EPUB files never need and attacks always do.
    """
    guard = _Guard()

    def on_start(name: str, attributes: dict[str, str]) -> None:
        guard.enter()
        start(_qualified(name), {_qualified(key): value for key, value in attributes.items()})

    def on_end(name: str) -> None:
        guard.leave()
        end(_qualified(name))

    parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
    parser.buffer_text = True
    parser.StartElementHandler = on_start
    parser.EndElementHandler = on_end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    try:
        for begin in range(0, len(data), _CHUNK_BYTES):
            parser.Parse(data[begin : begin + _CHUNK_BYTES], False)
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError) as exc:
        raise DocumentNotParsed(
            ParseFailure.CORRUPT, "A part of the file is not well-formed XML."
        ) from exc


class CheckedXml:
    """Bytes that another reader gets too: no document type, and a bounded number of elements.

    Elements are counted by their marks and depth not at all: handlers for each of them would cost
    as much as reading, and the memory of the process is bounded.
    """

    def __init__(self) -> None:
        self._elements = 0
        self._parser = expat.ParserCreate()
        self._parser.StartDoctypeDeclHandler = _refuse
        self._parser.EntityDeclHandler = _refuse

    def feed(self, data: bytes) -> None:
        """Look at the next bytes. Raises ``DocumentNotParsed``."""
        self._elements += data.count(b"<") - data.count(b"</")
        if self._elements > _MAX_ELEMENTS:
            raise DocumentNotParsed(ParseFailure.BOMB, "A part of the file has too many parts.")
        try:
            self._parser.Parse(data, False)
        except (expat.ExpatError, LookupError, ValueError) as exc:
            raise DocumentNotParsed(
                ParseFailure.CORRUPT, "A part of the file is not well-formed XML."
            ) from exc


def parse(data: bytes) -> ET.Element:
    """Build the tree of a document. Raises like ``scan``."""
    builder = ET.TreeBuilder()

    def start(name: str, attributes: dict[str, str]) -> None:
        builder.start(name, attributes)

    def end(name: str) -> None:
        builder.end(name)

    def text(value: str) -> None:
        builder.data(value)

    scan(data, start=start, end=end, text=text)
    return builder.close()


class _Guard:
    def __init__(self) -> None:
        self._depth = 0
        self._elements = 0

    def enter(self) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > _MAX_DEPTH or self._elements > _MAX_ELEMENTS:
            raise DocumentNotParsed(
                ParseFailure.BOMB, "A part of the file is nested too deeply or has too many parts."
            )

    def leave(self) -> None:
        self._depth -= 1


def _refuse(*_: object) -> None:
    raise DocumentNotParsed(
        ParseFailure.BOMB, "A part of the file declares a document type, which is not allowed."
    )


def _qualified(name: str) -> str:
    return "{" + name if _SEPARATOR in name else name
