"""One page to blocks in reading order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from infra.contract.document_parser import Block, Paragraph, ParseOptions, Table
from infra.impl.document_parser.output import Output, picture_of
from infra.impl.document_parser.pdf.columns import Region, reading_regions
from infra.impl.document_parser.pdf.engine import Box, Char, Page, PageText
from infra.impl.document_parser.pdf.lines import Line, dedupe, to_line, to_rows, to_segments
from infra.impl.document_parser.pdf.paragraphs import Vocabulary, to_blocks
from infra.impl.document_parser.pdf.pictures import pictures
from infra.impl.document_parser.pdf.profile import Profile
from infra.impl.document_parser.pdf.tables import (
    MIN_PATHS,
    FoundTable,
    RuledTables,
    aligned_tables,
)

_MIN_TURNED_CHARS: Final = 3


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block, and the table it was made of if it is one."""

    block: Block
    table: FoundTable | None = None


class PageReader:
    """Reads pages of one document; what it learns about words serves the later ones."""

    def __init__(
        self, *, options: ParseOptions, output: Output, profile: Profile, ruled: RuledTables
    ) -> None:
        self._options = options
        self._output = output
        self._profile = profile
        self._ruled = ruled
        self._vocabulary = Vocabulary()

    def read(self, page: Page, number: int, text: PageText) -> list[PlacedBlock]:
        """Return the blocks of page ``number``; images go to the output at once."""
        chars = dedupe(text.chars)
        tables = self._find_tables(page, number, chars)
        inside = [table.box for table in tables]
        free = [char for char in chars if not _is_inside(char, inside)]
        placed: list[tuple[Box, PlacedBlock]] = [
            (table.box, PlacedBlock(_table_block(table, number), table)) for table in tables
        ]
        if self._options.extracts_images:
            for box, image in pictures(page, self._output):
                self._output.add_image(image)
                picture = replace(picture_of(image), page=number, bbox=_edges(box))
                placed.append((box, PlacedBlock(picture)))
        blocks = self._layout(free, placed, page, number)
        if len(text.turned.strip()) >= _MIN_TURNED_CHARS:
            turned = Paragraph(text=" ".join(text.turned.split()), page=number)
            blocks.append(PlacedBlock(turned))
        return blocks

    def _find_tables(self, page: Page, number: int, chars: Sequence[Char]) -> list[FoundTable]:
        if not self._options.extracts_tables:
            return []
        if page.count_paths(at_most=MIN_PATHS) < MIN_PATHS:
            return []
        tables = self._ruled.find(number, chars)
        # Of nested tables the outer one holds all the text.
        tables.sort(key=lambda table: -table.box.area)
        kept: list[FoundTable] = []
        for table in tables:
            if all(table.box.overlap(other.box) < table.box.area / 2 for other in kept):
                kept.append(table)
        return sorted(kept, key=lambda table: table.box.top)

    def _layout(
        self,
        chars: Sequence[Char],
        placed: list[tuple[Box, PlacedBlock]],
        page: Page,
        number: int,
    ) -> list[PlacedBlock]:
        segments = to_segments(chars)
        furniture = [
            row
            for row in to_rows(segments)
            if self._profile.is_furniture(to_line(row), page_height=page.height)
        ]
        dropped = {id(segment) for row in furniture for segment in row}
        kept = [segment for segment in segments if id(segment) not in dropped]
        by_box = {id(box): block for box, block in placed}
        blocks: list[PlacedBlock] = []
        boxes = [box for box, _ in placed]
        for region in reading_regions(kept, boxes, page_width=page.width):
            blocks += self._region(region, by_box, number)
        return blocks

    def _region(
        self, region: Region, by_box: dict[int, PlacedBlock], number: int
    ) -> list[PlacedBlock]:
        lines = [to_line(row) for row in to_rows(region.segments)]
        objects = [(box, by_box[id(box)]) for box in region.objects]
        if self._options.extracts_tables:
            for start, end, table in reversed(aligned_tables(lines)):
                objects.append((table.box, PlacedBlock(_table_block(table, number), table)))
                del lines[start:end]
        objects.sort(key=lambda entry: entry[0].top)
        blocks: list[PlacedBlock] = []
        at = 0
        for box, block in objects:
            end = at
            while end < len(lines) and lines[end].box.top < box.top:
                end += 1
            blocks += self._text(lines[at:end], region, number)
            blocks.append(block)
            at = end
        return blocks + self._text(lines[at:], region, number)

    def _text(self, lines: Sequence[Line], region: Region, number: int) -> list[PlacedBlock]:
        blocks = to_blocks(
            lines,
            page=number,
            width=region.width,
            profile=self._profile,
            vocabulary=self._vocabulary,
        )
        return [PlacedBlock(block) for block in blocks]


def _table_block(table: FoundTable, number: int) -> Table:
    return Table(rows=table.rows, header_rows=1, page=number, bbox=_edges(table.box))


def _edges(box: Box) -> tuple[float, float, float, float]:
    return (round(box.left, 1), round(box.top, 1), round(box.right, 1), round(box.bottom, 1))


def _is_inside(char: Char, boxes: Sequence[Box]) -> bool:
    x, y = (char.left + char.right) / 2, (char.top + char.bottom) / 2
    return any(box.holds(x, y) for box in boxes)
