"""Files of rows on their way to a client: opened with the first page, written page by page."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from infra.contract.table.file import OpenTableFile, TableFile
from infra.contract.table.sql_guard import Scalar

ROWS_AT_ONCE: Final = 500

Rows = Sequence[Sequence[Scalar]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A file on its way; ``chunks`` are read once."""

    name: str
    media_type: str
    chunks: AsyncGenerator[bytes, None]


async def open_export(
    open_file: OpenTableFile,
    format_: str,
    *,
    title: str,
    columns: Sequence[str],
    dates: Sequence[int] = (),
    pages: AsyncGenerator[Rows, None],
) -> Export:
    """Begin a file; ``pages`` are asked for as the client reads. Raises as ``OpenTableFile``."""
    file = await asyncio.to_thread(open_file, format_, title=title, columns=columns, dates=dates)
    return Export(
        name=f"{title}.{file.extension}", media_type=file.media_type, chunks=_written(file, pages)
    )


async def _written(
    file: TableFile, pages: AsyncGenerator[Rows, None]
) -> AsyncGenerator[bytes, None]:
    is_done = False
    try:
        async with aclosing(pages):
            async for rows in pages:
                if data := await asyncio.to_thread(file.add, rows):
                    yield data
        is_done = True
        rest = file.finish()
        while data := await asyncio.to_thread(next, rest, b""):
            yield data
    finally:
        if not is_done:
            await asyncio.to_thread(file.discard)
