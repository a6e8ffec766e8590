"""Lines of a region to headings, list items and paragraphs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

from infra.contract.document_parser import Heading, ListItem, Paragraph
from infra.impl.document_parser.pdf.engine import Box
from infra.impl.document_parser.pdf.lines import Line
from infra.impl.document_parser.pdf.profile import Profile
from infra.impl.document_parser.prose import join

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
