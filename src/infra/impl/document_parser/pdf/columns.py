"""Reading order: columns are found by the white space between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from infra.impl.document_parser.pdf.engine import Box
from infra.impl.document_parser.pdf.lines import Segment

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
