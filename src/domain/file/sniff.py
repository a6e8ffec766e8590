"""Media types by content; names and declared types only break ties that the bytes leave open."""

import codecs
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from domain.file.name import extension

HEAD_BYTES: Final = 64 * 1024
"""How much of a file's beginning ``sniff`` wants to see."""

UNKNOWN: Final = "application/octet-stream"
TEXT: Final = "text/plain"
ZIP: Final = "application/zip"
OLE: Final = "application/x-ole-storage"

_MAGIC: Final[tuple[tuple[int, bytes, str], ...]] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"II*\0", "image/tiff"),
    (0, b"MM\0*", "image/tiff"),
    (0, b"\0\0\1\0", "image/vnd.microsoft.icon"),
    (0, b"8BPS\0\1", "image/vnd.adobe.photoshop"),
    (0, b"{\\rtf", "application/rtf"),
    (0, b"%!PS", "application/postscript"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
    (0, b"fLaC", "audio/flac"),
    (0, b"#!AMR", "audio/amr"),
    (0, b"MThd\0\0\0\6", "audio/midi"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\0\0\1\xba", "video/mpeg"),
    (0, b"FLV\1", "video/x-flv"),
    (0, b"\x1f\x8b\x08", "application/gzip"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\0", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (257, b"ustar", "application/x-tar"),
    (0, b"SQLite format 3\0", "application/vnd.sqlite3"),
    (0, b"PAR1", "application/vnd.apache.parquet"),
    (0, b"wOFF", "font/woff"),
    (0, b"wOF2", "font/woff2"),
    (0, b"OTTO", "font/otf"),
    (0, b"\0asm\1\0\0\0", "application/wasm"),
    (0, b"\x7fELF", "application/x-elf"),
)
_RIFF: Final[Mapping[bytes, str]] = {
    b"WEBP": "image/webp",
    b"WAVE": "audio/wav",
    b"AVI ": "video/x-msvideo",
}
_BRANDS: Final[Mapping[bytes, str]] = {
    b"qt  ": "video/quicktime",
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"mif1": "image/heif",
    b"avif": "image/avif",
    b"avis": "image/avif",
}
_OFFICE_PARTS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (b"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
)
_OFFICE_NAMES: Final[Mapping[str, str]] = {
    ".docx": _OFFICE_PARTS[0][1],
    ".xlsx": _OFFICE_PARTS[1][1],
    ".pptx": _OFFICE_PARTS[2][1],
}
_OLE_NAMES: Final[Mapping[str, str]] = {
    ".doc": "application/msword",
    ".xls": "application/vnd.ms-excel",
    ".ppt": "application/vnd.ms-powerpoint",
    ".msg": "application/vnd.ms-outlook",
}
_TEXT_NAMES: Final[Mapping[str, str]] = {
    ".txt": TEXT,
    ".log": TEXT,
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".ndjson": "application/x-ndjson",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".xml": "application/xml",
    ".html": "text/html",
    ".htm": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".ics": "text/calendar",
    ".vtt": "text/vtt",
    ".srt": "application/x-subrip",
}
_TEXT_TYPES: Final = frozenset(_TEXT_NAMES.values())

_LOCAL_FILE: Final = b"PK\3\4"
_OLD_OFFICE_ZIP: Final = re.compile(rb"mimetype(application/[a-z0-9.+-]{1,80})")
"""OpenDocument and EPUB: a first, uncompressed entry called ``mimetype``."""

_LONGEST_PREFIX: Final = 1024
"""How far into a file readers look for ``%PDF-`` and similar marks."""

_HTML: Final = re.compile(
    rb"<(!doctype\s+html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|form|"
    rb"img)[\s/>]",
    re.IGNORECASE,
)
"""Marks of the WHATWG sniffing standard."""

_SVG: Final = re.compile(rb"<([a-z]{1,20}:)?svg[\s>]", re.IGNORECASE)
_BLANKS: Final = "\ufeff \t\r\n\f"
_BINARY: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""Control characters that no text has (form feed and escape occur)."""

_UTF16: Final[tuple[tuple[bytes, str], ...]] = (
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def sniff(head: bytes, *, name: str = "", declared: str = "") -> str:
    """Return the media type of a file from its first ``HEAD_BYTES`` bytes.

    ``name`` and ``declared`` choose only among types the content allows: what kind of text, which
    Office document in a container whose index lies outside the head. They never turn one kind of
    content into another.
    """
    suffix = extension(name)
    return (
        _by_magic(head, suffix)
        or _container(head)
        or _zip(head, suffix)
        or _text(head, suffix, declared.partition(";")[0].strip().lower())
        or _weak(head)
        or UNKNOWN
    )


def _by_magic(head: bytes, suffix: str) -> str:
    for offset, mark, media_type in _MAGIC:
        if head.startswith(mark, offset):
            return _OLE_NAMES.get(suffix, OLE) if media_type == OLE else media_type
    return "application/pdf" if b"%PDF-" in head[:_LONGEST_PREFIX] else ""


def _container(head: bytes) -> str:
    """Look into containers whose mark alone does not tell what they hold."""
    if head.startswith(b"RIFF"):
        return _RIFF.get(head[8:12], "")
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], "video/mp4")
    if head.startswith(b"OggS"):
        return "video/ogg" if b"\x80theora" in head[:256] else "audio/ogg"
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return "video/webm" if b"webm" in head[:64] else "video/x-matroska"
    return ""


def _zip(head: bytes, suffix: str) -> str:
    if head.startswith((b"PK\5\6", b"PK\7\x08")):
        return ZIP
    if not head.startswith(_LOCAL_FILE):
        return ""
    old_office = _OLD_OFFICE_ZIP.match(head, 30)
    if old_office:
        return old_office[1].decode()
    names = _entry_names(head)
    for directory, media_type in _OFFICE_PARTS:
        if any(entry.startswith(directory) for entry in names):
            return media_type
    is_office = any(
        entry == b"[Content_Types].xml" or entry.startswith(b"_rels/") for entry in names
    )
    return _OFFICE_NAMES.get(suffix, ZIP) if is_office else ZIP


def _entry_names(head: bytes) -> list[bytes]:
    names = []
    position = 0
    while (position := head.find(_LOCAL_FILE, position)) != -1:
        length = int.from_bytes(head[position + 26 : position + 28], "little")
        names.append(head[position + 30 : position + 30 + length])
        position += len(_LOCAL_FILE)
    return names


def _text(head: bytes, suffix: str, declared: str) -> str:
    """Name the kind of text, or nothing if this is none."""
    text = _decode(head)
    if text is None:
        legacy = _TEXT_NAMES.get(suffix) or (declared if declared in _TEXT_TYPES else "")
        return legacy if head and not _BINARY.search(head) else ""
    content = _without_comments(text.lstrip(_BLANKS).encode())
    if _HTML.match(content):
        return "text/html"
    if content.startswith(b"<"):
        start = content[: 4 * _LONGEST_PREFIX]
        if _SVG.search(start):
            return "image/svg+xml"
        if start.startswith(b"<?xml"):
            return "application/xml"
    named = _TEXT_NAMES.get(suffix) or (declared if declared in _TEXT_TYPES else TEXT)
    if content.startswith((b"{", b"[")) and named in {TEXT, "application/json"}:
        is_whole = len(head) < HEAD_BYTES
        return "application/json" if named != TEXT or (is_whole and _is_json(content)) else TEXT
    return named


def _without_comments(content: bytes) -> bytes:
    while content.startswith(b"<!--"):
        _, end, rest = content.partition(b"-->")
        if not end:
            break
        content = rest.lstrip()
    return content


def _decode(head: bytes) -> str | None:
    """Decode Unicode text; a character cut in half by the end of the head is no error."""
    is_cut = len(head) >= HEAD_BYTES
    for mark, encoding in _UTF16:
        if head.startswith(mark):
            return _try(encoding, head[len(mark) :], is_cut=is_cut)
    if not head or _BINARY.search(head):
        return None
    return _try("utf-8", head, is_cut=is_cut)


def _try(encoding: str, data: bytes, *, is_cut: bool) -> str | None:
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data, final=not is_cut)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _is_json(content: bytes) -> bool:
    try:
        msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _weak(head: bytes) -> str:
    """Recognise formats whose marks are so short that text must be ruled out first."""
    if head.startswith(b"BM") and head[6:10] == b"\0\0\0\0" and head[14:18] in _BMP_HEADERS:
        return "image/bmp"
    if _is_mpeg_audio(head):
        return "audio/mpeg"
    if head[:1] == b"\xff" and head[1:2] in {b"\xf0", b"\xf1", b"\xf8", b"\xf9"}:
        return "audio/aac"
    if head.startswith(b"MZ"):
        return "application/vnd.microsoft.portable-executable"
    return ""


_BMP_HEADERS: Final = frozenset(
    size.to_bytes(4, "little") for size in (12, 40, 52, 56, 64, 108, 124)
)


def _is_mpeg_audio(head: bytes) -> bool:
    """Check a frame header: sync, and none of its fields reserved (ISO 11172-3, 2.4.1.3)."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:  # noqa: PLR2004
        return False
    version, layer = head[1] >> 3 & 3, head[1] >> 1 & 3
    bitrate, rate = head[2] >> 4, head[2] >> 2 & 3
    return version != 1 and layer != 0 and bitrate not in {0, 15} and rate != 3  # noqa: PLR2004
