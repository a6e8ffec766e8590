"""Files to send: by path, as bytes, or opened by the caller."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import contextmanager
from io import BytesIO, RawIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

Source = str | os.PathLike[str] | bytes | IO[bytes]
OnProgress = Callable[[int, int], None]
"""Called with the bytes read so far and their number, 0 if nobody knows it."""


@contextmanager
def opened(
    source: Source, name: str | None, on_progress: OnProgress | None
) -> Iterator[tuple[str, IO[bytes]]]:
    """Open what is to be sent; yield its name and contents."""
    if isinstance(source, bytes):
        yield name or "file", _watched(BytesIO(source), on_progress)
    elif isinstance(source, str | os.PathLike):
        with Path(source).open("rb") as file:
            yield name or Path(source).name, _watched(file, on_progress)
    else:
        own = Path(str(getattr(source, "name", "") or "file")).name
        yield name or own, _watched(source, on_progress)


def _watched(file: IO[bytes], on_progress: OnProgress | None) -> IO[bytes]:
    return cast("IO[bytes]", _Watched(file, on_progress)) if on_progress else file


class _Watched(RawIOBase):
    """A file that tells how much of it was read."""

    def __init__(self, file: IO[bytes], on_progress: OnProgress) -> None:
        super().__init__()
        self._file = file
        self._tell = on_progress
        self._total = _size(file)
        self._read = 0

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self._read += len(piece)
        if piece:
            self._tell(self._read, self._total)
        return piece

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._read = self._file.seek(offset, whence)
        return self._read

    def tell(self) -> int:
        return self._file.tell()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def _size(file: IO[bytes]) -> int:
    if not file.seekable():
        return 0
    here = file.tell()
    end = file.seek(0, os.SEEK_END)
    file.seek(here)
    return end - here
