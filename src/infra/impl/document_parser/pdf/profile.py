"""What all pages of a document have in common: its body size and what repeats on every page."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from infra.impl.document_parser.pdf.engine import Char, Document
from infra.impl.document_parser.pdf.lines import Line, dedupe, to_line, to_rows, to_segments

_SAMPLE_PAGES: Final = 24
_MARGIN: Final = 0.08
_REPEATED: Final = 0.6
_MIN_PAGES: Final = 4
_HEADING_RATIO: Final = 1.15
_MAX_RANKS: Final = 4
_DIGITS: Final = re.compile(r"[0-9]+")
_EDGE_NUMBER: Final = re.compile(r"^[\s#|·-]+|[\s#|·-]+$")


@dataclass(slots=True)
class Profile:
    """Found on a sample of pages, so that a long document is not read twice."""

    body_size: float = 0.0
    heading_sizes: list[float] = field(default_factory=list)
    """From the largest, in steps of half a point."""
    repeated: frozenset[str] = frozenset()
    outline: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    def is_furniture(self, line: Line, *, page_height: float) -> bool:
        """Whether a line is a running header, footer or page number."""
        return in_margin(line, page_height) and masked(line.text) in self.repeated

    def heading_rank(self, size: float) -> int | None:
        """Level by size, from 1; null for text of the body's size."""
        if not self.body_size or size < self.body_size * _HEADING_RATIO:
            return None
        rounded = round_size(size)
        larger = sum(1 for known in self.heading_sizes if known > rounded)
        return min(larger + 1, _MAX_RANKS)


def profile(document: Document, *, max_chars: int, on_page: Callable[[], None]) -> Profile:
    """Look at pages spread over the whole document, calling ``on_page`` after each."""
    step = max(1, document.page_count // _SAMPLE_PAGES)
    numbers = range(1, document.page_count + 1, step)[:_SAMPLE_PAGES]
    sizes: Counter[float] = Counter()
    margins: Counter[str] = Counter()
    seen = 0
    for number in numbers:
        try:
            with document.page(number) as page:
                text = page.text(max_chars=max_chars)
        except ValueError:
            continue
        finally:
            on_page()
        seen += 1
        sizes.update(round_size(char.size) for char in text.chars if not char.text.isspace())
        margins.update(_margin_texts(text.chars, text.height))
    found = Profile(outline=document.outline())
    if sizes:
        found.body_size = max(sizes, key=lambda size: (sizes[size], -size))
        large = [size for size in sizes if size >= found.body_size * _HEADING_RATIO]
        found.heading_sizes = sorted(large, reverse=True)[:_MAX_RANKS]
    if document.page_count >= _MIN_PAGES:
        found.repeated = frozenset(
            text for text, count in margins.items() if count >= seen * _REPEATED
        )
    return found


def round_size(size: float) -> float:
    """Round to half a point: boxes of one font differ by less."""
    return round(size * 2) / 2


def masked(text: str) -> str:
    """Make page numbers equal, and drop them at the ends, where left and right pages differ."""
    return _EDGE_NUMBER.sub("", _DIGITS.sub("#", text)) or "#"


def in_margin(line: Line, page_height: float) -> bool:
    """Whether a line lies in the outer strips of the page."""
    middle = (line.box.top + line.box.bottom) / 2
    return middle < page_height * _MARGIN or middle > page_height * (1 - _MARGIN)


def _margin_texts(chars: Iterable[Char], height: float) -> set[str]:
    outer = [char for char in chars if char.bottom < height * 0.12 or char.top > height * 0.88]
    rows = to_rows(to_segments(dedupe(outer)))
    lines = (to_line(row) for row in rows)
    return {masked(line.text) for line in lines if in_margin(line, height)}
