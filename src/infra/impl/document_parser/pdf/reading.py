"""Reading of PDF, page by page; nothing of a page is kept when the next one begins."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

from msgspec.structs import replace
from PIL import Image

from infra.contract.document.parser import (
    Block,
    DocumentNotParsed,
    ExtractedImage,
    Heading,
    ListItem,
    PageBreak,
    Paragraph,
    ParseFailure,
    ParseOptions,
    Picture,
    Table,
)
from infra.impl.document_parser.markup.prose import join
from infra.impl.document_parser.output import Output, picture_of
from infra.impl.document_parser.pdf.engine import Box, Char, Document, EmbeddedImage, Page, PageText
from infra.impl.document_parser.pdf.lines import (
    Line,
    Segment,
    dedupe,
    to_line,
    to_rows,
    to_segments,
)
from infra.impl.document_parser.pdf.profile import Profile, profile
from infra.impl.document_parser.pdf.tables import (
    MIN_PATHS,
    FoundTable,
    RuledTables,
    aligned_tables,
    is_continued,
)
from infra.impl.document_parser.picture import encode_png

_MAX_MERGED_ROWS: Final = 2000
_MIN_TURNED_CHARS: Final = 3
_GUTTER_WIDTH: Final = 0.02
"""Of the page's width; narrower gaps are no gutters."""
_NARROW_GUTTER: Final = 0.012
"""Enough where nothing at all crosses."""
_CROSSING: Final = 0.4
"""Share of the text's height that may cross a gutter: titles and the like."""
_MIN_COLUMN: Final = 0.12
_MIN_LINES: Final = 4
_MIN_CHARS: Final = 14
"""Typical length of a line in a column of text; cells of tables are shorter."""
_FILLED: Final = 0.55
_MAX_COLUMNS: Final = 6
_GRID: Final = 2.0
TextBlock = Heading | ListItem | Paragraph

_LEADING: Final = 1.5
_SAME_SIZE: Final = 0.1
_INDENT: Final = 1.0
_HANGING: Final = 1.5
_FIRST_LINE_INDENT: Final = 4.0
_SHORT: Final = 0.75
_HEADING_CHARS: Final = 200
_BOLD_HEADING_CHARS: Final = 80
_HEADING_LINES: Final = 4
_MAX_LEVEL: Final = 4
_NO_TITLE_END: Final = (".", ",", ";", "\u3002", "\uff0c")
_TERMINATORS: Final = tuple(".!?:;\"')\u201d\u2019\u3002\uff01\uff1f\uff1a\uff1b\uff09")
_BULLET: Final = re.compile(
    r"([\u2022\u25e6\u25aa\u2023\u25cf\u25cb\u25a0\u25a1\u2013\u2014*\uf0b7\uf0a7-])\s+(?=\S)"
)
_HYPHENATED: Final = re.compile(r"([a-zà-öø-ÿ]+)[-\u2010\u00ad]$")
_FIRST_WORD: Final = re.compile(r"[a-zà-öø-ÿ]+")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_MAX_VOCABULARY: Final = 50_000
_MIN_PIXELS: Final = 32
_BACKGROUND_SHARE: Final = 0.8
_SCAN_SHARE: Final = 0.5
_SCAN_MAX_CHARS: Final = 10
_SCAN_SIDE: Final = 2000
"""Pixels of the longest side of a scanned page: about 180 dots per inch."""
_MAX_PER_PAGE: Final = 200


@dataclass(slots=True)
class Region:
    """A part of the page that is read from top to bottom; ``box`` holds all of its text."""

    segments: list[Segment]
    objects: list[Box]
    width: float

    @property
    def left(self) -> float:
        return min((s.box.left for s in self.segments), default=0.0)


def reading_regions(
    segments: Sequence[Segment], objects: Sequence[Box], *, page_width: float
) -> list[Region]:
    """Divide a page into regions in reading order; in doubt there is only one."""
    gutters = _gutters(segments, page_width)
    if not gutters:
        return [Region(list(segments), list(objects), _width(segments))]
    wide = [s.box for s in segments if _crosses(s.box, gutters)]
    wide += [box for box in objects if _crosses(box, gutters)]
    wide.sort(key=lambda box: box.top)
    regions: list[Region] = []
    bands = _bands(wide)
    edges = [0.0, *((left + right) / 2 for left, right in gutters), float("inf")]
    for top, bottom, is_wide in bands:
        inside = [s for s in segments if top <= (s.box.top + s.box.bottom) / 2 < bottom]
        placed = [box for box in objects if top <= (box.top + box.bottom) / 2 < bottom]
        if is_wide:
            regions.append(Region(inside, placed, _width(inside)))
            continue
        for left, right in pairwise(edges):
            column = [s for s in inside if left <= (s.box.left + s.box.right) / 2 < right]
            beside = [box for box in placed if left <= (box.left + box.right) / 2 < right]
            regions.append(Region(column, beside, _width(column)))
    return [region for region in regions if region.segments or region.objects]


def _gutters(segments: Sequence[Segment], page_width: float) -> list[tuple[float, float]]:
    if len(segments) < 2 * _MIN_LINES:
        return []
    total = _covered([s.box for s in segments])
    crossing = [0.0] * (int(page_width / _GRID) + 2)
    for segment in segments:
        first = max(0, int(segment.box.left / _GRID))
        last = min(len(crossing) - 1, int(segment.box.right / _GRID))
        for at in range(first, last + 1):
            crossing[at] += segment.box.height
    # Text that is set in lines of one column crosses everything that is no gutter.
    most = _CROSSING * min(total, max(crossing))
    found: list[tuple[float, float]] = []
    left = min(s.box.left for s in segments)
    right = max(s.box.right for s in segments)
    start: int | None = None
    for at in range(int(left / _GRID), min(len(crossing) - 1, int(right / _GRID)) + 1):
        is_free = crossing[at] <= most
        if is_free and start is None:
            start = at
        elif not is_free and start is not None:
            found.append((start * _GRID, at * _GRID))
            start = None
    wide = [
        (a, b)
        for a, b in found
        if b - a >= page_width * (_GUTTER_WIDTH if _weight(crossing, a, b) else _NARROW_GUTTER)
    ]
    if not 0 < len(wide) < _MAX_COLUMNS or not _are_columns(segments, wide, page_width):
        return []
    return wide


def _weight(crossing: Sequence[float], left: float, right: float) -> float:
    return max(crossing[int(left / _GRID) : int(right / _GRID)], default=0.0)


def _are_columns(
    segments: Sequence[Segment], gutters: Sequence[tuple[float, float]], page_width: float
) -> bool:
    """Columns hold lines of text that fill them; columns of a table do not."""
    edges = [0.0, *((left + right) / 2 for left, right in gutters), float("inf")]
    for left, right in pairwise(edges):
        inside = [
            s
            for s in segments
            if left <= s.box.left and s.box.right < right and not _crosses(s.box, gutters)
        ]
        if len(inside) < _MIN_LINES:
            return False
        width = _width(inside)
        if width < page_width * _MIN_COLUMN:
            return False
        if median(len(s.chars) for s in inside) < _MIN_CHARS:
            return False
        if median(s.box.width for s in inside) < width * _FILLED:
            return False
    return True


def _bands(wide: Sequence[Box]) -> list[tuple[float, float, bool]]:
    """Cut the page into strips that columns or page-wide blocks fill."""
    bands: list[tuple[float, float, bool]] = []
    bottom = float("-inf")
    for box in wide:
        if box.top > bottom:
            bands.append((bottom, box.top, False))
            bands.append((box.top, box.bottom, True))
            bottom = box.bottom
        elif box.bottom > bottom:
            top = bands[-1][0]
            bands[-1] = (top, box.bottom, True)
            bottom = box.bottom
    bands.append((bottom, float("inf"), False))
    return bands


def _crosses(box: Box, gutters: Sequence[tuple[float, float]]) -> bool:
    return any(box.left < left and box.right > right for left, right in gutters)


def _width(segments: Sequence[Segment]) -> float:
    if not segments:
        return 0.0
    return max(s.box.right for s in segments) - min(s.box.left for s in segments)


def _covered(boxes: Sequence[Box]) -> float:
    """Height of the page that any of the boxes covers."""
    total, bottom = 0.0, float("-inf")
    for box in sorted(boxes, key=lambda box: box.top):
        total += max(0.0, box.bottom - max(box.top, bottom))
        bottom = max(bottom, box.bottom)
    return total


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


@dataclass(slots=True)
class Vocabulary:
    """Words of the document so far: they tell broken words from compounds."""

    words: set[str] = field(default_factory=set)

    def learn(self, lines: Iterable[Line]) -> None:
        """Take in whole words, not what stands before and after a hyphen at a line's end."""
        is_broken = False
        for line in lines:
            if len(self.words) >= _MAX_VOCABULARY:
                return
            words = _WORD.findall(line.text)
            begin, is_broken = int(is_broken), _HYPHENATED.search(line.text) is not None
            whole = words[begin : len(words) - is_broken]
            self.words.update(word.casefold() for word in whole)

    def join(self, first: str, second: str) -> str:
        """Join two lines; a hyphen between two parts of one word goes."""
        ending, begin = _HYPHENATED.search(first), _FIRST_WORD.match(second)
        if not ending or not begin:
            return join(first, second)
        left, right = ending[1], begin[0]
        whole = left + right in self.words
        parts = left in self.words and right in self.words
        if whole or not parts:
            return first[:-1] + second
        return first + second


@dataclass(slots=True)
class _Group:
    """Lines that belong together."""

    lines: list[Line]

    @property
    def last(self) -> Line:
        return self.lines[-1]

    @property
    def left(self) -> float:
        return min(line.box.left for line in self.lines)

    @property
    def box(self) -> Box:
        return Box(
            self.left,
            self.lines[0].box.top,
            max(line.box.right for line in self.lines),
            self.last.box.bottom,
        )


class _Levels:
    """Which lines of a page are headings."""

    def __init__(self, profile: Profile, page: int) -> None:
        self._profile = profile
        self._titles = profile.outline.get(page, {})
        self._bold_level = min(len(profile.heading_sizes) + 1, _MAX_LEVEL)

    def of(self, line: Line) -> int | None:
        """Level by outline, by size, or as a short bold line; null for other text."""
        if self._titles:
            level = self._titles.get("".join(line.text.split()).casefold())
            if level is not None:
                return level
        if len(line.text) >= _HEADING_CHARS or not any(char.isalpha() for char in line.text):
            return None
        rank = self._profile.heading_rank(line.size)
        if rank is None and self._is_bold_title(line):
            return self._bold_level
        return rank

    def _is_bold_title(self, line: Line) -> bool:
        return (
            line.is_bold
            and len(line.text) < _BOLD_HEADING_CHARS
            and len(line.cells) == 1
            and not line.text.endswith(_NO_TITLE_END)
            and line.size >= self._profile.body_size * (1 - _SAME_SIZE)
        )


def to_blocks(
    lines: Sequence[Line],
    *,
    page: int,
    width: float,
    profile: Profile,
    vocabulary: Vocabulary,
) -> list[TextBlock]:
    """Join the lines of one region; ``width`` is that of its text."""
    vocabulary.learn(lines)
    leading = _leading(lines)
    levels = _Levels(profile, page)
    groups: list[_Group] = []
    for line in lines:
        if groups and _continues(groups[-1], line, leading, width, levels):
            groups[-1].lines.append(line)
        else:
            groups.append(_Group([line]))
    return [_block(group, page, levels, vocabulary) for group in groups]


def _leading(lines: Sequence[Line]) -> float:
    steps = [
        after.box.top - before.box.top
        for before, after in pairwise(lines)
        if 0 < after.box.top - before.box.top < 4 * before.box.height
    ]
    return median(steps) if steps else 0.0


def _continues(group: _Group, line: Line, leading: float, width: float, levels: _Levels) -> bool:
    last = group.last
    level = levels.of(last)
    step = line.box.top - last.box.top
    if (
        level != levels.of(line)
        or step > max(_LEADING * leading, last.box.height * _LEADING)
        or abs(line.size - last.size) > _SAME_SIZE * max(line.size, last.size)
    ):
        return False
    if level is not None:
        return len(group.lines) < _HEADING_LINES and step <= 2 * last.box.height
    if _BULLET.match(line.text):
        return False
    if _BULLET.match(group.lines[0].text):
        return line.box.left > group.lines[0].box.left - _HANGING * line.size
    is_short = last.box.right - group.left < _SHORT * width
    if is_short and last.text.endswith(_TERMINATORS):
        return False
    return _fits_edge(group, line)


def _fits_edge(group: _Group, line: Line) -> bool:
    """Whether the left edge is that of the paragraph, whose first line may be indented."""
    indent = (line.box.left - group.left) / line.size
    if len(group.lines) == 1:
        return -_FIRST_LINE_INDENT <= indent <= _INDENT
    # Further to the right begins the first line of the next paragraph.
    return -_INDENT <= indent <= _INDENT / 2


def _block(group: _Group, page: int, levels: _Levels, vocabulary: Vocabulary) -> TextBlock:
    text = ""
    for line in group.lines:
        text = vocabulary.join(text, line.text) if text else line.text
    level = levels.of(group.lines[0])
    box = tuple(round(edge, 1) for edge in group.box)
    bbox = (box[0], box[1], box[2], box[3])
    if level is not None and len(text) < _HEADING_CHARS:
        return Heading(text=text, level=level, page=page, bbox=bbox)
    if bullet := _BULLET.match(text):
        return ListItem(text=text[bullet.end() :], page=page, bbox=bbox)
    return Paragraph(text=text, page=page, bbox=bbox)


def read_pdf(data: bytes, options: ParseOptions, output: Output) -> None:
    """Write text, tables and images of all pages that are not skipped."""
    document = Document(data)
    ruled = RuledTables(data)
    try:
        _Reading(document, ruled, options, output).run()
    finally:
        ruled.close()
        document.close()


class _Reading:
    def __init__(
        self, document: Document, ruled: RuledTables, options: ParseOptions, output: Output
    ) -> None:
        self._document = document
        self._options = options
        self._output = output
        self._glyphs = output.limits.page_glyphs
        self._open: PlacedBlock | None = None
        if document.page_count > output.limits.pages:
            raise DocumentNotParsed(
                ParseFailure.TOO_LARGE,
                f"The document has more than {output.limits.pages} pages.",
            )
        output.metadata.pages = document.page_count
        output.metadata.title = document.property("Title")
        output.metadata.author = document.property("Author")
        output.advance(0, document.page_count)
        self._reader = PageReader(
            options=options,
            output=output,
            profile=profile(document, max_chars=self._glyphs, on_page=self._show_life),
            ruled=ruled,
        )

    def run(self) -> None:
        skipped = set(self._options.skip_pages)
        count = self._document.page_count
        for number in range(1, count + 1):
            if number not in skipped:
                self._page(number)
            self._output.advance(number, count)
        self._close_table()

    def _show_life(self) -> None:
        self._output.advance(0, self._document.page_count)

    def _page(self, number: int) -> None:
        try:
            with self._document.page(number) as page:
                if self._open is None and number > 1:
                    self._output.add(PageBreak(page=number))
                self._write(page, number)
        except ValueError:
            self._output.metadata.warn("page_unreadable", f"page {number}")

    def _write(self, page: Page, number: int) -> None:
        text = page.text(max_chars=self._glyphs)
        if is_scan(page, text):
            self._close_table()
            self._scan(page, number)
            return
        blocks = self._reader.read(page, number, text)
        if blocks:
            self._continue_table(blocks, number)
        for placed in blocks[:-1]:
            self._output.add(placed.block)
        for placed in blocks[-1:]:
            # A table at the end may go on; it is written when that is known.
            if placed.table is not None:
                self._open = placed
            else:
                self._output.add(placed.block)

    def _continue_table(self, blocks: list[PlacedBlock], number: int) -> None:
        """Append the first table of a page to the one that ended the page before."""
        first, held = blocks[0], self._open
        if (
            held is None
            or first.table is None
            or held.table is None
            or not is_continued(held.table, first.table)
            or len(held.table.rows) > _MAX_MERGED_ROWS
            or not isinstance(held.block, Table)
        ):
            if self._close_table():
                self._output.add(PageBreak(page=number))
            return
        rows = first.table.rows
        added = rows[1:] if rows[0] == held.table.rows[0] else rows
        table = FoundTable(held.table.box, held.table.rows + added, held.table.edges)
        blocks[0] = PlacedBlock(replace(held.block, rows=table.rows), table)
        self._open = None

    def _close_table(self) -> bool:
        if self._open is None:
            return False
        self._output.add(self._open.block)
        self._open = None
        return True

    def _scan(self, page: Page, number: int) -> None:
        if not self._options.reads_scans:
            self._output.metadata.warn("no_text_layer", f"page {number}")
        if self._options.keeps_scans:
            image = replace(draw(page, self._output), is_scan=True)
            self._output.add_image(image)
            picture: Picture = replace(picture_of(image), page=number, is_scan=True)
            self._output.add(picture)


def is_scan(page: Page, text: PageText) -> bool:
    """Whether an image stands for the text of the page."""
    if sum(1 for char in text.chars if not char.text.isspace()) >= _SCAN_MAX_CHARS:
        return False
    whole = Box(0.0, 0.0, page.width, page.height)
    covered = sum(box.overlap(whole) for box, _ in page.images())
    return covered >= whole.area * _SCAN_SHARE


def draw(page: Page, output: Output) -> ExtractedImage:
    """Draw the whole page, for pages that are scanned."""
    return encode_png(page.render(longest_side=_SCAN_SIDE), limits=output.limits)


def pictures(page: Page, output: Output) -> Iterator[tuple[Box, ExtractedImage]]:
    """Yield images that are neither decoration nor the background of the text."""
    whole = Box(0.0, 0.0, page.width, page.height)
    for number, (box, entry) in enumerate(page.images()):
        if number >= _MAX_PER_PAGE:
            output.metadata.warn("truncated", "too many images on one page")
            return
        if box.overlap(whole) > whole.area * _BACKGROUND_SHARE:
            continue
        if min(entry.width, entry.height) < _MIN_PIXELS:
            continue
        image = _decode(entry, output)
        if image is not None:
            yield box, image


def _decode(entry: EmbeddedImage, output: Output) -> ExtractedImage | None:
    limits = output.limits
    is_readable = (
        max(entry.width, entry.height) <= limits.image_side
        and entry.width * entry.height <= limits.image_pixels
    )
    try:
        pixels = entry.pixels() if is_readable else None
        if pixels is not None:
            return None if _is_blank(pixels) else encode_png(pixels, limits=limits)
    except (ValueError, OSError, DocumentNotParsed):
        pixels = None
    output.metadata.warn("image_unreadable", f"{entry.width} x {entry.height} pixels")
    return None


def _is_blank(pixels: Image.Image) -> bool:
    """Masks and fills have one colour."""
    extrema = pixels.convert("L").getextrema()
    return extrema[0] == extrema[1]
