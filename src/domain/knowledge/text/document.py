"""Whole documents to chunks, by any strategy."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import assert_never

from domain.knowledge.text.chunking import (
    Block,
    BlockKind,
    Chunk,
    ChunkMode,
    ChunkStrategy,
    separators,
)
from domain.knowledge.text.cleaning import NO_CLEANING, Cleaning, cleaned, normalised
from domain.knowledge.text.cut import Unit, cut_section
from domain.knowledge.text.size import size_of

_HARD_LEVEL = 2
_EXEMPT = frozenset({BlockKind.CODE, BlockKind.TABLE})


def chunk_document(
    blocks: Sequence[Block], strategy: ChunkStrategy, cleaning: Cleaning = NO_CLEANING
) -> list[Chunk]:
    """Clean and cut a document; every character but white space ends up in one chunk, in order."""
    normal = [replace(block, text=normalised(block.text)) for block in blocks]
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
    for block in blocks:
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
