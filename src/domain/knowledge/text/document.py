"""Whole documents to chunks, by any strategy: stretches of the text of their sections."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Final, assert_never

from domain.knowledge.text.boundary import Boundaries, Span
from domain.knowledge.text.chunking import (
    Block,
    BlockKind,
    Chunk,
    ChunkMode,
    ChunkStrategy,
    separators,
)
from domain.knowledge.text.cleaning import NO_CLEANING, Cleaning, cleaned, normalised
from domain.knowledge.text.size import Ruler, size_of
from domain.shared.capacity.processor import in_turn

_HARD_LEVEL = 2
_EXEMPT = frozenset({BlockKind.CODE, BlockKind.TABLE})
_ATOMIC: Final = frozenset({BlockKind.CODE, BlockKind.TABLE})
_WHOLE_FACTOR: Final = 2  # code and tables up to twice the size stay whole
_WINDOW_FROM: Final = 0.8
_TAIL: Final = 0.4
_MOST_OVERLAP: Final = 0.4
_CAPTION_CHARS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A block inside a section, with the headings above it."""

    block: Block
    path: tuple[str, ...] = ()

    @property
    def is_atomic(self) -> bool:
        return self.block.kind in _ATOMIC


def cut_section(units: Sequence[Unit], strategy: ChunkStrategy, *, section: int) -> list[Chunk]:
    """Return the chunks of a section in order; blocks that are too large are split by lines."""
    chunks: list[Chunk] = []
    run: list[Unit] = []
    for unit in units:
        whole = _WHOLE_FACTOR * strategy.size
        if unit.is_atomic and size_of(unit.block.text, strategy.unit) > whole:
            chunks += _Run(run, strategy, section).chunks()
            chunks += _split_lines(unit, strategy, section)
            run = []
        else:
            run.append(unit)
    chunks += _Run(run, strategy, section).chunks()
    return chunks


class _Run:
    """Units joined to one text; every chunk is a stretch of it."""

    def __init__(self, units: Sequence[Unit], strategy: ChunkStrategy, section: int) -> None:
        self._units = units
        self._strategy = strategy
        self._section = section
        self._text, self._spans = _join(units)
        self._starts = [start for start, _ in self._spans]
        self._atoms = [
            span for span, unit in zip(self._spans, units, strict=True) if unit.is_atomic
        ]
        self._ruler = Ruler(self._text, strategy.unit)
        self._ends = self._free_ends()
        self._boundaries = Boundaries(self._text, whole=self._atoms)
        scale = self._ruler.scale
        self._size = strategy.size * scale
        self._hard = int(self._size * strategy.stretch)
        self._overlap = min(strategy.overlap * scale, int(self._size * _MOST_OVERLAP))

    def chunks(self) -> Iterator[Chunk]:
        pieces = self._without_small_tail(self._pieces())
        for at, (start, end) in enumerate(in_turn(pieces)):
            lead_at, glue = start, ""
            if at:
                before, previous_end = pieces[at - 1]
                glue = self._text[previous_end:start]
                lead_at = self._lead(before, previous_end, start, end)
            first = bisect_right(self._starts, start) - 1
            last = bisect_left(self._starts, end) - 1
            yield Chunk(
                content=self._text[lead_at:end],
                section=self._section,
                heading_path=self._units[first].path,
                lead=start - lead_at,
                glue=glue,
                first_source=self._units[first].block.source,
                last_source=self._units[last].block.source,
            )

    def _pieces(self) -> list[Span]:
        return list(in_turn(self._stretches()))

    def _stretches(self) -> Iterator[Span]:
        at = 0
        while at < len(self._text):
            end = self._end_of(at)
            yield at, at + len(self._text[at:end].rstrip())
            at = end + _spaces_at(self._text, end)

    def _end_of(self, start: int) -> int:
        """Return where the chunk that starts here ends."""
        furthest = self._ruler.furthest
        hard = self._room(start)
        soft = min(self._size, hard)
        limit, stretch = furthest(start, soft), furthest(start, hard)
        if limit == len(self._text):
            return limit
        end = self._between_units(start, limit, stretch)
        if end is not None:
            return end
        window = furthest(start, int(soft * _WINDOW_FROM))
        best = self._boundaries.best(max(window, start + 1), stretch, wanted=limit)
        if best is not None and self._text[start:best].strip():
            return best
        # Even the smallest chunk has one character, whatever it weighs.
        return self._boundaries.last_possible(start, max(stretch, start + 1))

    def _room(self, start: int) -> int:
        """Return the most a chunk may hold that is new."""
        is_strict = self._hard == self._size
        return self._hard - (self._overlap if start and is_strict else 0)

    def _between_units(self, start: int, limit: int, stretch: int) -> int | None:
        """Return the last end of a unit before ``limit``, else the first one after it."""
        low = self._ruler.furthest(start, self._strategy.minimum * self._ruler.scale)
        end = self._last_end(max(low, start + 1), limit)
        if end is None:
            end = self._first_end(limit + 1, stretch)
        if end is None and stretch == len(self._text):
            return stretch
        return self._around_atom(start, stretch) if end is None else end

    def _around_atom(self, start: int, stretch: int) -> int | None:
        """Return the end before or after a block that has to stay whole and does not fit."""
        at = bisect_left(self._atoms, (stretch, 0)) - 1
        if at < 0 or self._atoms[at][1] <= stretch:
            return None
        atom_start, atom_end = self._atoms[at]
        return self._last_end(start + 1, atom_start) or atom_end

    def _without_small_tail(self, pieces: list[Span]) -> list[Span]:
        if len(pieces) > 1:
            (start, _), (tail, end) = pieces[-2:]
            is_small = self._ruler.between(tail, end) < _TAIL * self._size
            if is_small and self._ruler.between(start, end) <= self._room(start):
                return [*pieces[:-2], (start, end)]
        return pieces

    def _lead(self, before: int, previous_end: int, start: int, end: int) -> int:
        """Return where the overlap starts: whole sentences of the chunk before, or none."""
        room = min(self._overlap, self._hard - self._ruler.between(start, end))
        low = max(self._ruler.earliest(start, max(room, 0)), before)
        at = bisect_right(self._atoms, (start, len(self._text))) - 1
        if at >= 0:
            atom_end = self._atoms[at][1]
            if atom_end >= previous_end:  # either chunk meets the other with a block
                return start
            low = max(low, atom_end)
        candidates = [start, *self._starts[bisect_left(self._starts, low) :][:1]]
        if low == before:
            candidates.append(before)
        sentences = self._boundaries.sentences
        for number in range(bisect_left(sentences, before), len(sentences)):
            first = sentences[number] + _spaces_at(self._text, sentences[number])
            if first >= low:
                candidates.append(first)
                break
        lead_at = min(candidates)
        return lead_at if lead_at < previous_end else start

    def _free_ends(self) -> list[int]:
        """Ends of units where a chunk may end: not between a heading or caption and its block."""
        ends: list[int] = []
        group, is_atom = 0, False
        following: Unit | None = None
        for unit, (_, end) in zip(reversed(self._units), reversed(self._spans), strict=True):
            size = size_of(unit.block.text, self._strategy.unit)
            glued = following is not None and _belongs(unit, following)
            if glued and is_atom and size + group + 1 > _WHOLE_FACTOR * self._strategy.size:
                glued = False
            if glued:
                group += size + 1
            else:
                if following is not None:
                    ends.append(end)
                group, is_atom = size, unit.is_atomic
            following = unit
        return ends[::-1]

    def _last_end(self, low: int, high: int) -> int | None:
        at = bisect_right(self._ends, high) - 1
        return self._ends[at] if at >= 0 and self._ends[at] >= low else None

    def _first_end(self, low: int, high: int) -> int | None:
        at = bisect_left(self._ends, low)
        return self._ends[at] if at < len(self._ends) and self._ends[at] <= high else None


def _belongs(unit: Unit, following: Unit) -> bool:
    """Whether a unit should not be the last one before the following."""
    if len(unit.block.text) > _CAPTION_CHARS:
        return False
    return unit.block.kind is BlockKind.HEADING or (following.is_atomic and not unit.is_atomic)


def _join(units: Sequence[Unit]) -> tuple[str, list[Span]]:
    parts: list[str] = []
    spans: list[Span] = []
    at = 0
    for number, unit in enumerate(units):
        if number:
            both = {units[number - 1].block.kind, unit.block.kind}
            parts.append("\n" if both == {BlockKind.LIST_ITEM} else "\n\n")
            at += len(parts[-1])
        spans.append((at, at + len(unit.block.text)))
        parts.append(unit.block.text)
        at = spans[-1][1]
    return "".join(parts), spans


def _spaces_at(text: str, at: int) -> int:
    """Count the white space from a position on."""
    end = at
    while end < len(text) and text[end].isspace():
        end += 1
    return end - at


def _split_lines(unit: Unit, strategy: ChunkStrategy, section: int) -> Iterator[Chunk]:
    """Split a large table between rows, large code between lines."""
    block = unit.block
    lines = block.text.split("\n")
    head, foot = block.header_lines, block.footer_lines
    header = "".join(line + "\n" for line in lines[:head])
    footer = "".join("\n" + line for line in lines[len(lines) - foot :])
    room = strategy.size - size_of(header + footer, strategy.unit)
    if room < strategy.size / 2:  # repeating it would leave too little for the content
        head = foot = 0
        header = footer = ""
        room = strategy.size
    body = lines[head : len(lines) - foot]
    parts = list(_line_groups(body, strategy, room=room))
    for number, (glue, part) in enumerate(parts):
        yield Chunk(
            content=header + part + footer,
            section=section,
            heading_path=unit.path,
            lead=len(header) if number else 0,
            trail=len(footer) if number + 1 < len(parts) else 0,
            glue=glue if number else "",
            first_source=block.source,
            last_source=block.source,
        )


def _line_groups(
    lines: Sequence[str], strategy: ChunkStrategy, *, room: int
) -> Iterator[tuple[str, str]]:
    """Yield groups of lines up to ``room``, with what stands before each."""
    text = "\n".join(lines)
    ruler = Ruler(text, strategy.unit)
    limit = room * ruler.scale
    ends = [at for at, character in enumerate(text) if character == "\n"] + [len(text)]
    boundaries: Boundaries | None = None
    cuts = [0]
    while cuts[-1] < len(text):
        start = cuts[-1]
        furthest = ruler.furthest(start, limit)
        at = bisect_right(ends, furthest) - 1
        if at >= 0 and ends[at] > start:
            end = ends[at]
        else:
            boundaries = boundaries or Boundaries(text)
            low = ruler.furthest(start, limit // 2)
            best = boundaries.best(max(low, start + 1), furthest, wanted=furthest)
            end = best or boundaries.last_possible(start, max(furthest, start + 1))
        cuts.append(end)
    previous_end = 0
    for start, end in pairwise(cuts):
        part = text[start:end]
        first = start + len(part) - len(part.lstrip("\n"))
        if first < end and part.strip():
            yield text[previous_end:first], text[first:end]
            previous_end = end


def chunk_document(
    blocks: Sequence[Block], strategy: ChunkStrategy, cleaning: Cleaning = NO_CLEANING
) -> list[Chunk]:
    """Clean and cut a document; every character but white space ends up in one chunk, in order."""
    normal = [replace(block, text=normalised(block.text)) for block in in_turn(blocks)]
    sections: Iterator[list[Unit]]
    match strategy.mode:
        case ChunkMode.AUTOMATIC:
            sections = _sections(_clean(normal, cleaning), strategy)
        case ChunkMode.STRUCTURE:
            sections = _leaves(_clean(normal, cleaning), max_level=strategy.max_level)
        case ChunkMode.CUSTOM:
            sections = _parts(normal, strategy, cleaning)
        case _:
            assert_never(strategy.mode)
    chunks = [
        chunk
        for number, units in enumerate(sections)
        for chunk in cut_section(units, strategy, section=number)
    ]
    return [chunk.titled() for chunk in chunks] if strategy.saves_title else chunks


def _clean(blocks: Sequence[Block], cleaning: Cleaning) -> Iterator[Block]:
    for block in in_turn(blocks):
        text = cleaned(block.text, cleaning, keeps_spaces=block.kind in _EXEMPT)
        if text.strip() or block.kind is BlockKind.BREAK:
            yield replace(block, text=text)


def _with_paths(blocks: Iterator[Block]) -> Iterator[Unit]:
    path: list[tuple[int, str]] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            while path and path[-1][0] >= block.level:
                path.pop()
            path.append((block.level, " ".join(block.text.split())))
        yield Unit(block=block, path=tuple(title for _, title in path))


def _sections(blocks: Iterator[Block], strategy: ChunkStrategy) -> Iterator[list[Unit]]:
    """Split where no chunk may reach across: split marks, and headings after enough text."""
    section: list[Unit] = []
    size = 0
    for unit in _with_paths(blocks):
        kind = unit.block.kind
        opens = kind is BlockKind.HEADING and unit.block.level <= _HARD_LEVEL
        if kind is BlockKind.BREAK or (opens and size >= strategy.minimum):
            if section:
                yield section
            section, size = [], 0
        if kind is not BlockKind.BREAK:
            section.append(unit)
            size += size_of(unit.block.text, strategy.unit)
    if section:
        yield section


def _leaves(blocks: Iterator[Block], *, max_level: int) -> Iterator[list[Unit]]:
    """Split at every heading down to a level; headings without text go with what follows."""
    section: list[Unit] = []
    for unit in _with_paths(blocks):
        kind = unit.block.kind
        opens = kind is BlockKind.HEADING and unit.block.level <= max_level
        has_text = any(known.block.kind is not BlockKind.HEADING for known in section)
        if (opens or kind is BlockKind.BREAK) and has_text:
            yield section
            section = []
        if kind is not BlockKind.BREAK:
            section.append(unit)
    if section:
        yield section


def _parts(
    blocks: Sequence[Block], strategy: ChunkStrategy, cleaning: Cleaning
) -> Iterator[list[Unit]]:
    """Split at every separator; parts stay apart unless the strategy merges small ones."""
    units = list(_separated(blocks, separators(strategy.separator), cleaning))
    if not strategy.merges_small:
        yield from ([unit] for unit in units)
    elif units:
        yield units


def _separated(blocks: Sequence[Block], marks: Sequence[str], cleaning: Cleaning) -> Iterator[Unit]:
    """Yield parts of running text, and code and tables whole, each with the headings above it."""
    pattern = re.compile("|".join(map(re.escape, marks))) if marks else None
    text: list[Unit] = []
    for unit in _with_paths(iter(blocks)):
        if unit.block.kind in _EXEMPT or unit.block.kind is BlockKind.BREAK:
            yield from _split(text, pattern, cleaning)
            text = []
            kept = cleaned(unit.block.text, cleaning, keeps_spaces=True)
            if kept.strip():
                yield replace(unit, block=replace(unit.block, text=kept))
        else:
            text.append(unit)
    yield from _split(text, pattern, cleaning)


def _split(
    units: Sequence[Unit], pattern: re.Pattern[str] | None, cleaning: Cleaning
) -> Iterator[Unit]:
    """Split units as one text, so that a separator may stand between two of them."""
    text = "\n\n".join(unit.block.text for unit in units)
    sizes = (len(unit.block.text) + len("\n\n") for unit in units)
    starts = list(accumulate(sizes, initial=0))[: len(units)]
    cuts = [match.span() for match in pattern.finditer(text)] if pattern else []
    at, owner = 0, 0
    for start, end in [*cuts, (len(text), len(text))]:
        part = cleaned(text[at:start], cleaning)
        if part:
            first = at + len(text[at:start]) - len(text[at:start].lstrip())
            while owner + 1 < len(starts) and starts[owner + 1] <= first:
                owner += 1
            kept = replace(units[owner].block, kind=BlockKind.PARAGRAPH, text=part)
            yield replace(units[owner], block=kept)
        at = end
