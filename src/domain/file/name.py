"""File names: metadata for people, never paths."""

import re
import unicodedata
from typing import Final

MAX_NAME_BYTES: Final = 255
"""What the usual file systems of downloading people allow."""

DEFAULT_NAME: Final = "upload"
_MAX_SUFFIX_CHARS: Final = 16
_SEPARATORS: Final = re.compile(r"[/\\]")
_FORBIDDEN: Final = re.compile(r'[<>:"|?*]')
_DRIVE: Final = re.compile(r"^[A-Za-z]:")
_SPACES: Final = re.compile(r"\s+")
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
"""Names that are devices on Windows, with or without an extension."""

_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, bidirectional overrides, surrogates, private and unassigned characters, breaks."""

_JOINERS: Final = frozenset("\u200c\u200d")
"""Zero-width joiners are spelling in several scripts and in emoji."""


def sanitise_name(name: str) -> str:
    """Return a name that is safe to show, to store and to suggest for a download.

    Directories are cut off, control and bidirectional characters removed, reserved ones replaced;
    at most 255 bytes of UTF-8, the extension kept. Nothing left yields ``upload``.
    """
    base = _SEPARATORS.split(name)[-1]
    base = "".join(
        c for c in base if c in _JOINERS or c.isspace() or unicodedata.category(c) not in _INVISIBLE
    )
    base = _SPACES.sub(" ", unicodedata.normalize("NFC", base))
    base = _FORBIDDEN.sub("_", _DRIVE.sub("", base))
    base = base.strip(" .~")
    if _DEVICES.fullmatch(base):
        base = f"_{base}"
    return _cut(base) or DEFAULT_NAME


def extension(name: str) -> str:
    """Return the extension in lower case with its dot, or nothing."""
    _, dot, suffix = name.rpartition(".")
    return f".{suffix.lower()}" if dot and suffix.isalnum() else ""


def _cut(name: str) -> str:
    if len(name.encode()) <= MAX_NAME_BYTES:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not dot or len(suffix) > _MAX_SUFFIX_CHARS:
        stem, dot, suffix = name, "", ""
    tail = f"{dot}{suffix}".encode()
    head = stem.encode()[: MAX_NAME_BYTES - len(tail)].decode(errors="ignore").rstrip(" .")
    return f"{head}{tail.decode()}"
