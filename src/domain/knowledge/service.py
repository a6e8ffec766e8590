"""Parsed documents to slices: pure, the same for the same input."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from domain.knowledge.slice import NOWHERE, Box, Place
from domain.knowledge.text.chunking import Block, BlockKind, Chunk
from domain.knowledge.text.document import chunk_document
from domain.knowledge.value import ChunkRule, ChunkType, SliceKind
from infra.contract.document import parser as parsed

_IMAGE: Final = re.compile(r"<img\b[^<>]*>")
_TABLE_HEADER_LINES: Final = 2
"""The names and the line below them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceDraft:
    """What a slice will be; ``index_text`` is empty if it is the content."""

    content: str
    kind: SliceKind = SliceKind.TEXT
    index_text: str = ""
    heading_path: tuple[str, ...] = ()
    place: Place = NOWHERE
    section: int | None = None
    """Number of the section it is one of several parts of."""


def slice_document(
    blocks: Sequence[parsed.Block], rule: ChunkRule, *, image_key: Callable[[str], str]
) -> list[SliceDraft]:
    """Cut a document; ``image_key`` turns the hash of an image into the key it is stored under."""
    chunks = chunk_document(list(_blocks(blocks, image_key)), rule.strategy(), rule.cleaning())
    sections = _sections(chunks) if rule.chunk_type is ChunkType.LEVEL else frozenset()
    return [
        SliceDraft(
            content=chunk.content,
            index_text=without_images(chunk.content),
            heading_path=chunk.heading_path,
            place=_place(blocks[max(chunk.first_source, 0) : chunk.last_source + 1]),
            section=chunk.section if chunk.section in sections else None,
        )
        for chunk in chunks
        # A picture without a word beside it is found by nothing, and its tag says nothing.
        if _IMAGE.sub("", chunk.content).strip()
    ]


def _sections(chunks: Sequence[Chunk]) -> frozenset[int]:
    """Return the sections below a heading that were too long for one chunk."""
    parts = Counter(chunk.section for chunk in chunks if chunk.heading_path)
    return frozenset(section for section, count in parts.items() if count > 1)


def document_text(blocks: Sequence[parsed.Block]) -> str:
    """Write a whole document in Markdown, without its images."""
    parts = [
        f"{'#' * max(block.level, 1)} {block.text}"
        if block.kind is BlockKind.HEADING
        else block.text
        for block in _blocks(blocks, lambda _: "")
    ]
    text = "\n\n".join(part for part in parts if part)
    return without_images(text) if "<img" in text else text


def _blocks(blocks: Sequence[parsed.Block], image_key: Callable[[str], str]) -> Iterator[Block]:
    for at, block in enumerate(blocks):
        match block:
            case parsed.Heading():
                yield Block(kind=BlockKind.HEADING, text=block.text, level=block.level, source=at)
            case parsed.Paragraph() | parsed.Formula():
                yield Block(kind=BlockKind.PARAGRAPH, text=block.text, source=at)
            case parsed.ListItem():
                text = f"{block.marker} {block.text}"
                yield Block(kind=BlockKind.LIST_ITEM, text=text, source=at)
            case parsed.Code():
                text = f"```{block.language}\n{block.text}\n```"
                yield Block(
                    kind=BlockKind.CODE, text=text, header_lines=1, footer_lines=1, source=at
                )
            case parsed.Table():
                yield Block(
                    kind=BlockKind.TABLE,
                    text=_table(block),
                    header_lines=_TABLE_HEADER_LINES,
                    source=at,
                )
            case parsed.Picture():
                tag = f'<img src="" data-tos-key="{image_key(block.sha256)}">'
                words = [part for part in (tag, block.alt, block.caption, block.ocr_text) if part]
                yield Block(kind=BlockKind.PARAGRAPH, text="\n".join(words), source=at)
            case parsed.PageBreak():
                continue
            case _:
                assert_never(block)


def _table(table: parsed.Table) -> str:
    """Write a table in Markdown; one without names gets empty ones."""
    width = max((len(row) for row in table.rows), default=0)
    names = table.rows[0] if table.header_rows else ("",) * width
    rows = [names, ("---",) * width, *table.rows[min(table.header_rows, 1) :]]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows)


def _cell(cell: str | None) -> str:
    return " ".join((cell or "").split()).replace("|", "\\|")


def without_images(content: str) -> str:
    """Return what an embedding should see; empty if that is the content itself or nothing."""
    if "<img" not in content:
        return ""
    return _IMAGE.sub("", content).strip()


def words_by_box(blocks: Sequence[parsed.Block]) -> dict[Box, str]:
    """Return what stands at each place of a page, pictures without their images."""
    return {
        box: _IMAGE.sub("", block.text)
        for block in _blocks(blocks, lambda _: "")
        for box in _boxes(blocks[block.source : block.source + 1])
    }


def _boxes(blocks: Sequence[parsed.Block]) -> list[Box]:
    return [
        (float(block.page), *block.bbox)
        for block in blocks
        if block.page is not None and block.bbox is not None
    ]


def _place(blocks: Sequence[parsed.Block]) -> Place:
    pages = [block.page for block in blocks if block.page is not None]
    first = next((block for block in blocks if block.sheet is not None), None)
    return Place(
        page_from=min(pages, default=None),
        page_to=max(pages, default=None),
        sheet=(first.sheet or "") if first else "",
        row=first.row if first else None,
        boxes=tuple(_boxes(blocks)),
    )
