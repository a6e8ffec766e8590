"""Where a text may be cut: ranks of boundaries, and stretches that stay whole."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from domain.shared.capacity.processor import in_turn

_ABBREVIATIONS: Final = frozenset(
    """
    mr mrs ms dr prof sr jr st vs etc fig figs no nos inc ltd co corp dept est approx ca cf al ed
    eds vol pp ch sec gen col lt sgt capt rev hon gov sen rep jan feb mar apr jun jul aug sep sept
    oct nov dec
    """.split()  # noqa: SIM905 - a list of words reads better without quotes
)
_CLOSERS: Final = "\"'\u201d\u2019\u300d\u300f\uff09)\\]\u3011\u300b"
_SENTENCE_END: Final = re.compile(
    rf"(?:[\u3002\uff01\uff1f!?\u2026]+[{_CLOSERS}]*)|(?P<stop>\.+[{_CLOSERS}]*)(?=\s|$)"
)
_LAST_WORD: Final = re.compile(r"([^\W\d_]+(?:\.[^\W\d_]+)*)$")
_LONGEST_ABBREVIATION: Final = 12
_LIST_ITEM: Final = re.compile(
    r"\n(?=[ \t]*(?:[-*+\u2022\u25aa\u25e6]\s|\(?[0-9]{1,3}[.)\u3001]\s?"
    r"|[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341]{1,3}[\u3001.]))"
)
_CLAUSE: Final = re.compile("[\uff1b;]")
_COMMA: Final = re.compile("[\uff0c,\u3001]")
_SPACE: Final = re.compile(r"\s+")
_WHOLE: Final = re.compile(
    r"<img\b[^<>]*>"
    r"|!\[[^\]\n]*\]\([^)\s]*\)"
    r"|(?:https?://|www\.)[^\s<>\"'\u3001\u3002\uff0c\uff1b\uff09\u3011\u300d\u300b]+"
    r"|[0-9]+(?:[.,:/\-][0-9]+)*(?:\s?[%\u2030\u00b0])?",
    re.IGNORECASE,
)
_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")
_REGIONAL: Final = ("\U0001f1e6", "\U0001f1ff")
_SKIN: Final = ("\U0001f3fb", "\U0001f3ff")

Span = tuple[int, int]


class Boundaries:
    """Cut positions of one text by rank: list item, sentence, clause, comma, white space.

    Those of a rank are looked for when a cut has none better: most texts end with sentences, and
    have many times more spaces.
    """

    def __init__(self, text: str, *, whole: Iterable[Span] = ()) -> None:
        """``whole`` adds stretches that stay together, such as code blocks."""
        self._text = text
        spans = sorted([*(match.span() for match in in_turn(_WHOLE.finditer(text))), *whole])
        self._spans = _merged(spans)
        self._span_starts = [start for start, _ in self._spans]

    @cached_property
    def sentences(self) -> Sequence[int]:
        """Where sentences end."""
        return self._free(_sentence_ends(self._text))

    def best(self, low: int, high: int, *, wanted: int) -> int | None:
        """Return the cut of the best rank in [low, high], the one nearest to ``wanted``."""
        for positions in self._ranks():
            first, last = bisect_left(positions, low), bisect_right(positions, high)
            if first < last:
                at = bisect_left(positions, wanted, first, last)
                near = positions[max(first, at - 1) : min(last, at + 1)]
                return min(near, key=lambda position: abs(position - wanted))
        return None

    def last_possible(self, start: int, high: int) -> int:
        """Return the last cut in (start, high] that breaks no character and nothing whole.

        What is whole but longer than the stretch is broken between characters; a character of
        more code points than that is broken too.
        """
        position = high
        span = self._around(position)
        if span is not None and span[0] > start:
            position = span[0]
        kept = position
        while position > start and not self._between_characters(position):
            position -= 1
        return position if position > start else kept

    def _ranks(self) -> Iterator[Sequence[int]]:
        yield self._list_items
        yield self.sentences
        yield self._clauses
        yield self._commas
        yield self._spaces

    @cached_property
    def _list_items(self) -> Sequence[int]:
        return self._free(match.end() for match in _LIST_ITEM.finditer(self._text))

    @cached_property
    def _clauses(self) -> Sequence[int]:
        return self._free(match.end() for match in _CLAUSE.finditer(self._text))

    @cached_property
    def _commas(self) -> Sequence[int]:
        return self._free(match.end() for match in _COMMA.finditer(self._text))

    @cached_property
    def _spaces(self) -> Sequence[int]:
        return self._free(match.start() for match in _SPACE.finditer(self._text))

    def _around(self, position: int) -> Span | None:
        at = bisect_left(self._span_starts, position) - 1
        if at >= 0 and position < self._spans[at][1]:
            return self._spans[at]
        return None

    def _free(self, positions: Iterable[int]) -> list[int]:
        """Drop positions inside stretches that stay whole."""
        return [
            position
            for position in in_turn(positions)
            if self._around(position) is None and self._between_characters(position)
        ]

    def _between_characters(self, position: int) -> bool:
        if not 0 < position < len(self._text):
            return True
        before, after = self._text[position - 1], self._text[position]
        if unicodedata.combining(after) or unicodedata.category(after) in {"Mn", "Mc", "Me"}:
            return False
        if after in _JOINERS or before == "\u200d" or _SKIN[0] <= after <= _SKIN[1]:
            return False
        return not (
            _REGIONAL[0] <= before <= _REGIONAL[1] and _REGIONAL[0] <= after <= _REGIONAL[1]
        )


def _sentence_ends(text: str) -> list[int]:
    ends = []
    for match in in_turn(_SENTENCE_END.finditer(text)):
        if match["stop"] is not None and _is_abbreviated(text, match.start()):
            continue
        ends.append(match.end())
    return ends


def _is_abbreviated(text: str, stop: int) -> bool:
    """Whether the full stop belongs to an abbreviation or an initial."""
    word = _LAST_WORD.search(text, max(0, stop - _LONGEST_ABBREVIATION), stop)
    if word is None:
        return False
    letters = word[1]
    return len(letters) == 1 or "." in letters or letters.lower() in _ABBREVIATIONS


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
