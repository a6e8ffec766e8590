"""Archives that are written to a temporary file first, because nobody knows their size before."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from infra.contract.storage.transfer import FinishedArchive
from infra.impl.transfer.zip_archive import ZipWriter, written

_CHUNK: Final = 256 * 1024


class ScratchArchive:
    """Implements ``FinishedArchive`` in a folder that goes with it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "archive.zip"

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[ZipWriter, None]:
        async with written(self._path) as writer:
            yield writer

    @property
    def size(self) -> int:
        return self._path.stat().st_size

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        with await asyncio.to_thread(self._path.open, "rb") as file:
            while chunk := await asyncio.to_thread(file.read, _CHUNK):
                yield chunk


@asynccontextmanager
async def scratch_archive() -> AsyncGenerator[FinishedArchive, None]:
    """Open one for a while; nothing of it stays."""
    folder = await asyncio.to_thread(tempfile.TemporaryDirectory, prefix="coterie-")
    try:
        yield ScratchArchive(Path(folder.name))
    finally:
        await asyncio.to_thread(folder.cleanup)
