"""A pool of real, jailed parsers and what they find, for tests."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from infra.contract.document.parser import (
    Block,
    DocumentParser,
    DocumentSource,
    ExtractedImage,
    ParsedDocument,
    ParseOptions,
    ParseProgress,
)


@dataclass
class CollectingSink:
    """Keeps images and progress."""

    images: list[ExtractedImage] = field(default_factory=list)
    progress: list[ParseProgress] = field(default_factory=list)

    async def add_image(self, image: ExtractedImage) -> None:
        self.images.append(image)

    async def report(self, progress: ParseProgress) -> None:
        self.progress.append(progress)


def source_of(data: bytes, *, chunk_bytes: int = 100_000) -> DocumentSource:
    """Offer bytes in pieces, as an object store does."""

    async def chunks() -> AsyncGenerator[bytes, None]:
        for begin in range(0, len(data), chunk_bytes):
            yield data[begin : begin + chunk_bytes]

    return chunks


async def parse(
    parser: DocumentParser,
    data: bytes,
    options: ParseOptions,
    *,
    sink: CollectingSink | None = None,
    owner: int = 1,
) -> tuple[ParsedDocument, list[Block]]:
    """Parse bytes and decode all blocks."""
    document = await parser.parse(source_of(data), options, sink or CollectingSink(), owner=owner)
    return document, list(document.blocks())
