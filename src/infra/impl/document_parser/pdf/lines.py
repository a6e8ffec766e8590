"""Characters to words to lines, with a word gap of its own for every line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from infra.impl.document_parser.markup.prose import is_wide
from infra.impl.document_parser.pdf.engine import Box, Char

_SAME_ROW: Final = 0.5
"""Share of the lower of two heights that must overlap for them to stand side by side."""
_RUN_GAP: Final = 1.0
"""In font sizes: a wider gap may be the space between two columns."""
_MIN_GAP, _MAX_GAP, _DEFAULT_GAP = 0.08, 0.35, 0.15
_PITCH_TOLERANCE: Final = 0.12
_NUMBER_CHARS: Final = frozenset("0123456789.,:/-%()+ ")
_ADVANCING: Final = 0.5
_CELL: Final = 3.0  # points; finer than any two characters of one kind stand apart


@dataclass(slots=True)
class Segment:
    """Characters of one line without a gap that could separate columns."""

    chars: list[Char]
    box: Box
    size: float

    @property
    def middle(self) -> float:
        return (self.box.top + self.box.bottom) / 2


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text."""

    text: str
    box: Box
    size: float
    is_bold: bool
    cells: tuple[tuple[float, float, str], ...] = ()
    """Parts with wide gaps between them: left, right and text."""


def dedupe(chars: Iterable[Char], *, tolerance: float = 1.0) -> list[Char]:
    """Drop characters printed again at the same place, which is how some programs fake bold."""
    kept: list[Char] = []
    seen: dict[tuple[str, int, int], list[Char]] = {}
    for char in chars:
        column, row = int(char.left // _CELL), int(char.top // _CELL)
        near = (
            other
            for x in (column - 1, column, column + 1)
            for y in (row - 1, row, row + 1)
            for other in seen.get((char.text, x, y), ())
        )
        if any(
            abs(other.left - char.left) <= tolerance and abs(other.top - char.top) <= tolerance
            for other in near
        ):
            continue
        seen.setdefault((char.text, column, row), []).append(char)
        kept.append(char)
    return kept


def to_segments(chars: Sequence[Char]) -> list[Segment]:
    """Cut the content stream where the text jumps; parts of one line meet again in rows."""
    segments: list[Segment] = []
    current: list[Char] = []
    for char in chars:
        if current and _breaks(current[-1], char):
            _keep(segments, current)
            current = []
        current.append(char)
    _keep(segments, current)
    return segments


def to_rows(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Group segments that stand side by side, from top to bottom, each from left to right."""
    rows: list[list[Segment]] = []
    bands: list[list[float]] = []
    for segment in sorted(segments, key=lambda s: (s.middle, s.box.left)):
        # Only the last rows can reach down to this one.
        for at in range(len(rows) - 1, max(-1, len(rows) - 4), -1):
            top, bottom = bands[at]
            shared = min(bottom, segment.box.bottom) - max(top, segment.box.top)
            if shared >= _SAME_ROW * min(bottom - top, segment.box.height):
                rows[at].append(segment)
                break
        else:
            rows.append([segment])
            bands.append([segment.box.top, segment.box.bottom])
            continue
        if segment.size > (bottom - top) * _ADVANCING:
            bands[at] = [min(top, segment.box.top), max(bottom, segment.box.bottom)]
    for row in rows:
        row.sort(key=lambda s: s.box.left)
    return sorted(rows, key=lambda row: min(s.box.top for s in row))


def to_line(row: Sequence[Segment]) -> Line:
    """Write the segments of a row as one line."""
    chars = sorted((c for segment in row for c in segment.chars), key=lambda c: c.left)
    inked = [c for c in chars if not c.text.isspace()]
    size = median(c.size for c in inked)
    box = Box(
        min(c.left for c in inked),
        min(c.top for c in inked),
        max(c.right for c in inked),
        max(c.bottom for c in inked),
    )
    bold = sum(c.is_bold for c in inked) * 10 >= len(inked) * 9
    limit = word_gap(inked, size)
    cells: list[tuple[float, float, str]] = []
    text = begin = inked[0].text
    left, gap_before = inked[0].left, False
    last = inked[0]
    words = iter(chars[chars.index(last) + 1 :])
    for char in words:
        if char.text.isspace():
            gap_before = True
            continue
        gap = char.left - last.right
        if gap > _RUN_GAP * size:
            cells.append((left, last.right, begin))
            begin, left = char.text, char.left
            text += " " + char.text
        else:
            space = " " if _is_gap(last, char, gap, limit, written=gap_before) else ""
            text, begin = text + space + char.text, begin + space + char.text
        last, gap_before = char, False
    cells.append((left, last.right, begin))
    return Line(" ".join(text.split()), box, size, bold, tuple(cells))


def word_gap(chars: Sequence[Char], size: float) -> float:
    """Find the gap between words: the largest jump among the gaps of the line.

    A fixed gap glues the words of small fonts together, and breaks up lines with wide spacing.
    """
    gaps = sorted(
        (right.left - left.right) / size
        for left, right in pairwise(chars)
        if right.left - left.right < _RUN_GAP * size
    )
    inside = [gap for gap in gaps if _MIN_GAP <= gap <= _MAX_GAP]
    below = [gap for gap in gaps if gap < _MIN_GAP][-1:]
    # Wide gaps say that there are words, not where words begin.
    above = [_MAX_GAP] if any(gap > _MAX_GAP for gap in gaps) else []
    steps = [*(below or [0.0]), *inside, *above]
    if not inside and not above:
        return _DEFAULT_GAP * size
    jump, boundary = max(
        ((right - left, (left + right) / 2) for left, right in pairwise(steps)),
        default=(0.0, _DEFAULT_GAP),
    )
    if jump < _MIN_GAP:
        # No clear step: evenly spaced letters, or words as close as the letters.
        return (_MAX_GAP if inside and inside[0] > _DEFAULT_GAP else _DEFAULT_GAP) * size
    return min(max(boundary, _MIN_GAP), _MAX_GAP) * size


def _is_gap(last: Char, char: Char, gap: float, limit: float, *, written: bool) -> bool:
    if is_wide(last.text) and is_wide(char.text):
        return written and gap > limit
    if written:
        return True
    if gap <= limit:
        return False
    is_number = last.text in _NUMBER_CHARS and char.text in _NUMBER_CHARS
    pitch = abs((char.right - char.left) - (last.right - last.left))
    # Digits set in a fixed pitch: the gap is part of the figure, not the end of a word.
    return not (is_number and pitch < _PITCH_TOLERANCE * char.size and gap < limit * 2)


def _breaks(last: Char, char: Char) -> bool:
    size = max(last.size, char.size)
    gap = char.left - last.right
    if gap > _RUN_GAP * size or char.left < last.left - _ADVANCING * size:
        return True
    shared = min(last.bottom, char.bottom) - max(last.top, char.top)
    return shared < _SAME_ROW * min(last.bottom - last.top, char.bottom - char.top)


def _keep(segments: list[Segment], chars: list[Char]) -> None:
    inked = [c for c in chars if not c.text.isspace()]
    if not inked:
        return
    box = Box(
        min(c.left for c in inked),
        min(c.top for c in inked),
        max(c.right for c in inked),
        max(c.bottom for c in inked),
    )
    segments.append(Segment(list(chars), box, max(c.size for c in inked)))
