"""Archives as ZIP files, so that any tool can look into them."""

import asyncio
import os
import zipfile
import zlib
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from domain.shared.error import Unavailable
from infra.contract.storage.transfer import Append, ArchiveUnreadable

_CHUNK: Final = 256 * 1024
_LEVEL: Final = 1
"""Rows shrink to a quarter; higher levels cost more time than they save room."""
_PARTIAL: Final = ".part"


class ZipWriter:
    """Entries of an open file."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    @asynccontextmanager
    async def entry(self, name: str, *, is_packed: bool) -> AsyncGenerator[Append, None]:
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
        info._compresslevel = _LEVEL  # type: ignore[attr-defined]  # noqa: SLF001 - public from 3.13
        info.external_attr = 0o600 << 16
        with _written():
            stream = await asyncio.to_thread(self._archive.open, info, "w", force_zip64=True)

        async def append(data: bytes) -> None:
            with _written():
                await asyncio.to_thread(stream.write, data)

        try:
            yield append
        finally:
            with _written():
                await asyncio.to_thread(stream.close)


@asynccontextmanager
async def written(path: Path) -> AsyncGenerator[ZipWriter, None]:
    """Write a new file for its owner only; it appears at ``path`` complete, or not at all."""
    partial = path.with_name(path.name + _PARTIAL)
    with _written():
        descriptor = await asyncio.to_thread(
            os.open, partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600
        )
    try:
        with os.fdopen(descriptor, "wb") as file:
            with zipfile.ZipFile(file, "w", allowZip64=True) as archive:
                yield ZipWriter(archive)
            with _written():
                await asyncio.to_thread(_flush, file.fileno())
        with _written():
            await asyncio.to_thread(partial.rename, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


@contextmanager
def opened(path: Path) -> Iterator["ZipReader"]:
    """Open a finished file; raise ``ArchiveUnreadable``."""
    with _checked(path):
        archive = zipfile.ZipFile(path)
    with archive:
        yield ZipReader(archive, path)


class ZipReader:
    """Entries of an open file; several may be read at once."""

    def __init__(self, archive: zipfile.ZipFile, path: Path) -> None:
        self._archive = archive
        self._path = path

    async def names(self) -> list[tuple[str, int]]:
        return sorted((info.filename, info.file_size) for info in self._archive.infolist())

    async def read(self, name: str) -> AsyncGenerator[bytes, None]:
        with _checked(self._path):
            stream = await asyncio.to_thread(self._archive.open, name)
            with stream:
                while chunk := await asyncio.to_thread(stream.read, _CHUNK):
                    yield chunk


@contextmanager
def _checked(path: Path) -> Iterator[None]:
    try:
        yield
    except KeyError as exc:
        raise ArchiveUnreadable(f"{path} is incomplete: {exc.args[0]}.") from exc
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError) as exc:
        raise ArchiveUnreadable(f"{path} cannot be read as a backup: {exc}.") from exc


def _flush(descriptor: int) -> None:
    os.fsync(descriptor)


@contextmanager
def _written() -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise Unavailable(f"The file cannot be written: {exc.strerror}.") from exc
