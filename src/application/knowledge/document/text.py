"""Texts of documents that belong to nobody's base: fetched, read, and forgotten."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import PurePosixPath

from crossdomain.file.contract import FileLoader
from domain.knowledge.service import document_text
from domain.shared.call import CallContext
from infra.contract.document.parser import (
    DocumentParser,
    ExtractedImage,
    ParseOptions,
    ParseProgress,
)


class DocumentTexts:
    """Implements ``crossdomain.knowledge.contract.DocumentTexts``, as accurately as can be."""

    def __init__(self, *, files: FileLoader, parser: DocumentParser) -> None:
        self._files = files
        self._parser = parser

    async def read(self, context: CallContext, url: str, *, name: str, max_bytes: int) -> str:
        """Return a document as Markdown; raise what the loader and the parser raise."""
        file = await self._files.load(
            context.scope.within(context.space_id),
            url=url,
            max_bytes=max_bytes,
            hosts=context.egress_hosts or frozenset(),
        )

        async def source() -> AsyncGenerator[bytes, None]:
            yield file.data

        parsed = await self._parser.parse(
            source,
            ParseOptions(
                extension=PurePosixPath(name or file.name).suffix.removeprefix(".").lower(),
                image_extraction=False,
                scan_ocr=True,
            ),
            _NoSink(),
            owner=context.space_id,
        )
        return await asyncio.to_thread(lambda: document_text(list(parsed.blocks())))


class _NoSink:
    """Forgets images."""

    async def add_image(self, image: ExtractedImage) -> None:
        pass

    async def report(self, progress: ParseProgress) -> None:
        pass
