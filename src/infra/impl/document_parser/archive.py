"""ZIP containers: inspected before anything is inflated, counted while it is."""

import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Final

from infra.contract.document.parser import DocumentNotParsed, ParseFailure
from infra.impl.document_parser.protocol import ParseLimits

_CHUNK_BYTES: Final = 256 * 1024
_RATIO_FROM_BYTES: Final = 1024 * 1024
"""Below this size even a perfect ratio does no harm, and small repetitive parts reach it."""
_NESTED: Final = re.compile(
    r"\.(zip|7z|rar|gz|tgz|bz2|xz|tar|jar|docx|xlsx|pptx|epub)$", re.IGNORECASE
)
_EMBEDDED: Final = re.compile(r"(^|/)embeddings/", re.IGNORECASE)
_ZIP_ERRORS: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
    KeyError,
)


_END: Final = struct.Struct("<4sHHHHIIH")
_END_MARK: Final = b"PK\x05\x06"
_ENTRY_MARK: Final = b"PK\x01\x02"
_END_SEARCH_BYTES: Final = _END.size + 0xFFFF
_ZIP64: Final = 0xFFFFFFFF


def directory_of(data: bytes) -> bytes:
    """Return the bytes of the table of contents, empty if this is no ZIP file."""
    if not data.startswith(b"PK\x03\x04"):
        return b""
    start = data.rfind(_END_MARK, max(0, len(data) - _END_SEARCH_BYTES))
    if start < 0 or start + _END.size > len(data):
        return b""
    size, offset = _END.unpack_from(data, start)[5:7]
    if _ZIP64 in (size, offset):
        return data[data.find(_ENTRY_MARK) : start]
    # Counted back from its end: some writers put bytes before the first part.
    return data[max(0, start - size) : start]


class Archive:
    """Members of a checked container by name; names compare without case, as Office does."""

    def __init__(self, data: bytes, *, limits: ParseLimits) -> None:
        """Check the directory. Raises ``DocumentNotParsed``."""
        # Counted first, for the library makes an object for each entry, however many there are.
        if directory_of(data).count(_ENTRY_MARK) > limits.archive_members:
            raise _bomb(f"it has more than {limits.archive_members} parts")
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
            members = self._zip.infolist()
        except _ZIP_ERRORS as exc:
            raise DocumentNotParsed(
                ParseFailure.CORRUPT,
                "The file is damaged or incomplete: its table of contents is unreadable.",
            ) from exc
        self._limits = limits
        self._left = limits.archive_bytes
        self._counted: dict[str, int] = {}
        _check(members, limits)
        self._members = {m.filename.lower(): m for m in members if not m.is_dir()}

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._members

    def names(self) -> tuple[str, ...]:
        return tuple(member.filename for member in self._members.values())

    def read(self, name: str) -> bytes:
        """Inflate one member as ``stream`` does, as a whole."""
        return b"".join(self.stream(name))

    def stream(self, name: str) -> Iterator[bytes]:
        """Inflate one member, counting what really comes out; raise ``DocumentNotParsed``.

        What is read a second time counts once.
        """
        member = self._members.get(name.lower())
        if member is None:
            raise DocumentNotParsed(ParseFailure.CORRUPT, "The file is damaged: a part is missing.")
        size = 0
        try:
            with self._zip.open(member) as stream:
                while part := stream.read(_CHUNK_BYTES):
                    size += len(part)
                    if (more := size - self._counted.get(member.filename, 0)) > 0:
                        self._counted[member.filename] = size
                        self._left -= more
                    if size > self._limits.archive_member_bytes or self._left < 0:
                        raise _bomb("it unpacks to more than it may")
                    if _is_suspicious(size, member.compress_size, self._limits):
                        raise _bomb("it unpacks to far more than its size")
                    yield part
        except _ZIP_ERRORS as exc:
            raise DocumentNotParsed(
                ParseFailure.CORRUPT, "The file is damaged: a part cannot be unpacked."
            ) from exc


def _check(members: list[zipfile.ZipInfo], limits: ParseLimits) -> None:
    if sum(member.file_size for member in members) > limits.archive_bytes:
        raise _bomb(f"it unpacks to more than {limits.archive_bytes} bytes")
    seen: set[str] = set()
    for member in members:
        _check_member(member, limits)
        if (name := member.filename.lower()) in seen:
            raise _bomb("it has two parts of one name")
        seen.add(name)


def _check_member(member: zipfile.ZipInfo, limits: ParseLimits) -> None:
    if member.flag_bits & 0x1:
        raise DocumentNotParsed(ParseFailure.ENCRYPTED, "The file is protected by a password.")
    name = member.filename.replace("\\", "/")
    if name.startswith("/") or ":" in name.partition("/")[0] or ".." in name.split("/"):
        raise _bomb("the name of a part leads out of it")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise _bomb("a part is a link")
    if member.file_size > limits.archive_member_bytes:
        raise _bomb(f"a part unpacks to more than {limits.archive_member_bytes} bytes")
    if _is_suspicious(member.file_size, member.compress_size, limits):
        raise _bomb("a part unpacks to far more than its size")
    # Office keeps embedded workbooks and slides; they are never opened.
    if _NESTED.search(name) and not _EMBEDDED.search(name):
        raise _bomb("it contains another archive")


def _is_suspicious(size: int, compressed: int, limits: ParseLimits) -> bool:
    return size > _RATIO_FROM_BYTES and size > compressed * limits.archive_ratio


def _bomb(reason: str) -> DocumentNotParsed:
    return DocumentNotParsed(ParseFailure.BOMB, f"The file is refused: {reason}.")
