"""Reads documents in the test's own process, without pool or jail."""

from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from domain.shared.limits import Limits
from infra.contract.document.parser import (
    Block,
    Code,
    DocumentMetadata,
    ExtractedImage,
    Formula,
    Heading,
    ListItem,
    Paragraph,
    ParseOptions,
    Picture,
    Purpose,
    Row,
    Table,
    decode_blocks,
)
from infra.impl.document_parser.detection import parse_document
from infra.impl.document_parser.output import Output
from infra.impl.document_parser.pool import parse_limits
from infra.impl.document_parser.protocol import Batch, Frame, ImageFound

DOCUMENTS = Path(__file__).parents[2] / "fixtures" / "documents"


@dataclass(frozen=True)
class Read:
    """What a parser found."""

    metadata: DocumentMetadata
    blocks: list[Block]
    images: list[ExtractedImage]

    @property
    def headings(self) -> list[tuple[int, str]]:
        return [(block.level, block.text) for block in self.blocks if isinstance(block, Heading)]

    @property
    def paragraphs(self) -> list[str]:
        return [block.text for block in self.blocks if isinstance(block, Paragraph)]

    @property
    def tables(self) -> list[Table]:
        return [block for block in self.blocks if isinstance(block, Table)]

    @property
    def rows(self) -> list[Row]:
        return [row for table in self.tables for row in table.rows]

    @property
    def pictures(self) -> list[Picture]:
        return [block for block in self.blocks if isinstance(block, Picture)]

    @property
    def warnings(self) -> list[str]:
        return [w.code for w in self.metadata.warnings for _ in range(w.count)]

    @property
    def text(self) -> str:
        return plain_text(self.blocks)


def read(
    data: bytes,
    extension: str,
    *,
    options: ParseOptions | None = None,
    limits: Limits | None = None,
) -> Read:
    """Parse as the worker does; raises ``DocumentNotParsed``."""
    frames: list[Frame] = []
    output = Output(emit=frames.append, limits=parse_limits(limits or Limits()))
    options = replace(options or ParseOptions(), extension=extension)
    name = parse_document(data, options, output)
    metadata = output.finish(format_name=name)
    batches = [decode_blocks(frame.blocks) for frame in frames if isinstance(frame, Batch)]
    return Read(
        metadata,
        [block for batch in batches for block in batch],
        [frame.image for frame in frames if isinstance(frame, ImageFound)],
    )


def read_table(data: bytes, extension: str, *, limits: Limits | None = None) -> Read:
    """Parse as a table document."""
    return read(data, extension, options=ParseOptions(purpose=Purpose.TABLE), limits=limits)


def plain_text(blocks: list[Block]) -> str:
    """All text in reading order, runs of white space collapsed."""
    texts: list[str] = []
    for block in blocks:
        match block:
            case Heading() | Paragraph() | ListItem() | Code() | Formula():
                texts.append(block.text)
            case Table():
                texts += [" ".join(cell for cell in row if cell) for row in block.rows]
            case _:
                pass
    return " ".join(" ".join(texts).split())
