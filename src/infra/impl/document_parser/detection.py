"""Decides the format of a document: content first, name second."""

from typing import Final

from infra.contract.document.parser import DocumentNotParsed, ParseFailure, ParseOptions, Purpose
from infra.impl.document_parser.archive import directory_of
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Names of streams in an OLE container, as it stores them.
_ENCRYPTED_STREAM: Final = "EncryptedPackage".encode("utf-16-le")
_WORD_STREAM: Final = "WordDocument".encode("utf-16-le")
_POWERPOINT_STREAM: Final = "PowerPoint Document".encode("utf-16-le")
# Formats that are recognised only to be refused with their name.
_FOREIGN: Final = (
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"{\\rtf", "an RTF document"),
    (b"SQLite format 3\x00", "a database"),
)


def parse_document(data: bytes, options: ParseOptions, output: Output) -> str:
    """Find the format and read the document; return the name of the format.

    Raises:
        DocumentNotParsed: whatever is wrong with it.
    """
    if not data.strip(b"\x00\t\n\r ") or not data.removeprefix(b"\xef\xbb\xbf").strip():
        raise DocumentNotParsed(ParseFailure.EMPTY, "The file is empty.")
    name, member = detect(data, options)
    if options.extension and options.extension not in member.extensions:
        output.metadata.warn("mislabelled", f"named {options.extension}, read as {name}")
    if options.page is not None and not member.has_pages:
        raise DocumentNotParsed(ParseFailure.UNSUPPORTED, f"Files of type {name!r} have no pages.")
    member.read(data, options, output)
    return name


def detect(data: bytes, options: ParseOptions) -> tuple[str, Format]:
    """Name the format of some content. Raises ``DocumentNotParsed`` (unsupported, encrypted)."""
    if data.startswith(_OLE):
        _refuse_ole(data)
    members = {name: FORMATS.get(name) for name in FORMATS.names()}
    for name, member in members.items():
        if member.matches(data):
            return _fitting(name, member, options.purpose)
    for signature, what in _FOREIGN:
        if data.startswith(signature):
            raise DocumentNotParsed(ParseFailure.UNSUPPORTED, f"The file is {what}.")
    if data.startswith(b"PK\x03\x04"):
        if not directory_of(data):
            # The directory stands at the end, which is what a broken upload loses.
            raise DocumentNotParsed(
                ParseFailure.CORRUPT,
                "The file is incomplete: its end is missing. Upload it again as a whole.",
            )
        raise DocumentNotParsed(ParseFailure.UNSUPPORTED, "The file is a ZIP archive.")
    for name, member in members.items():
        # A file that lacks the signature its name promises is damaged, not of another kind.
        if options.extension in member.extensions:
            return _fitting(name, member, options.purpose)
    raise DocumentNotParsed(
        ParseFailure.UNSUPPORTED, f"Files of type {options.extension or 'unknown'!r} are not read."
    )


def _fitting(name: str, member: Format, purpose: Purpose) -> tuple[str, Format]:
    if purpose not in member.purposes:
        raise DocumentNotParsed(
            ParseFailure.UNSUPPORTED,
            f"Files of type {name!r} cannot become a document of kind {purpose}.",
        )
    return name, member


def _refuse_ole(data: bytes) -> None:
    # With a password Office wraps its ZIP files into this older container.
    if _ENCRYPTED_STREAM in data:
        raise DocumentNotParsed(ParseFailure.ENCRYPTED, "The file is protected by a password.")
    for stream, what in ((_WORD_STREAM, "doc"), (_POWERPOINT_STREAM, "ppt")):
        if stream in data:
            raise DocumentNotParsed(
                ParseFailure.UNSUPPORTED, f"The file is an old {what} file; save it as {what}x."
            )
