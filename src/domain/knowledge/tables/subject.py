"""The subject of a question to a table: its words without those that name columns.

"What is the price of Alpha?" looks for Alpha; the price is where to look once its row is found.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from domain.knowledge.tables.words import NOISE
from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.text.stopword import CHINESE, ENGLISH

_HAN: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUN: Final = re.compile(rf"(?P<han>[{_HAN}]+)|[^\W_{_HAN}]+(?:['\u2019.\-_@/]+[^\W_{_HAN}]+)*")
_LETTER: Final = re.compile(r"[^\W_]")
_FIRST: Final = re.compile(rf"([^\W{_HAN}]+)(?:['\u2019]s\b)?")
_LATIN: Final = re.compile(rf"[^\W{_HAN}]+")
_ASKING: Final = ENGLISH | NOISE | {"many", "much"}
_HOW_MUCH: Final = "\u591a\u5c11\u94b1"
_HAS_HAN: Final = re.compile(f"[{_HAN}]")
_JOINT: Final = re.compile(r"[._@/\-]+|(?<=[a-z0-9])(?=[A-Z])")
_OWNER: Final = re.compile(r"(?:\u7684|['\u2019]s\s)$")
_OWNER_CHARS: Final = 3
_OWNED: Final = re.compile(r"\s+(of|for)\b", re.IGNORECASE)
_PARTICLE: Final = "\u7684"
"""Stands between what something belongs to and its name: ``X\u7684\u4ef7\u683c``."""
_WORD: Final = 2  # Han characters
_MOST_TRIMMED: Final = 20
"""Words at an end of a piece; more in a row ask for nothing."""


Span = tuple[int, int]


class ColumnNames:
    """The names of the columns of a table, as questions mention them: whole, or else in part."""

    def __init__(self, names: Sequence[str], *, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        texts = [unicodedata.normalize("NFKC", name) for name in dict.fromkeys(names)]
        self._han = {run.group() for text in texts for run in _RUN.finditer(text) if run["han"]}
        self._pairs = {a + b for run in self._han for a, b in pairwise(run)}
        self._words: dict[str, list[tuple[str, ...]]] = {}
        for text in texts:
            words = tuple(self._tokens(text)) if not _HAS_HAN.search(text) else ()
            if any(word not in ENGLISH for word in words):
                self._words.setdefault(words[0], []).append(words)
        self._parts = {w for same in self._words.values() for words in same for w in words}
        self._parts -= ENGLISH

    def subject_of(self, question: str) -> str:
        """Return what is asked about, or the question as it is if nothing else is left of it."""
        text = unicodedata.normalize("NFKC", question)
        mentions = self._mentions(text)
        if not mentions:
            return question
        ends = [0, *(end for _, end in mentions)]
        starts = [*(start for start, _ in mentions), len(text)]
        last = len(mentions)
        pieces = [
            _trimmed(text[a:b], is_first=not at, is_last=at == last)
            for at, (a, b) in enumerate(zip(ends, starts, strict=True))
        ]
        subject = " ".join(piece for piece in pieces if piece)
        terms = self._analyzer.query_terms(subject)
        return question if all(term.is_stopword for term in terms) else subject

    def _mentions(self, text: str) -> list[Span]:
        """Return where names stand, in order: whole ones, or parts if none is whole."""
        runs = list(_RUN.finditer(text))
        han = [(run.start(), run.group()) for run in runs if run["han"]]
        words = [
            (token, run.span())
            for run in runs
            if not run["han"]
            for token in self._tokens(run.group())
        ]
        whole = [*self._whole_han(han), *self._whole_words(words)]
        found = sorted(whole or [*self._han_parts(han), *self._word_parts(words)])
        return _properties(found, text)

    def _whole_han(self, runs: Sequence[tuple[int, str]]) -> Iterator[Span]:
        longest = max(map(len, self._han), default=0)
        for start, run in runs:
            at = 0
            while at < len(run):
                length = next(
                    (
                        n
                        for n in range(min(longest, len(run) - at), 0, -1)
                        if self._is_han_name(run, at, n)
                    ),
                    0,
                )
                if length:
                    yield start + at, start + at + length
                at += length or 1

    def _is_han_name(self, run: str, at: int, length: int) -> bool:
        """One character is a name behind a particle only: it is a part of many words."""
        if run[at : at + length] not in self._han:
            return False
        return length >= _WORD or run[at - 1 : at] == _PARTICLE

    def _whole_words(self, words: Sequence[tuple[str, Span]]) -> Iterator[Span]:
        at = 0
        while at < len(words):
            names = self._words.get(words[at][0], ())
            found = [n for n in names if n == tuple(token for token, _ in words[at : at + len(n)])]
            length = max(map(len, found), default=0)
            if length:
                yield words[at][1][0], words[at + length - 1][1][1]
            at += length or 1

    def _han_parts(self, runs: Sequence[tuple[int, str]]) -> Iterator[Span]:
        for start, run in runs:
            at = 0
            while at < len(run):
                end = at + 1
                while run[end - 1 : end + 1] in self._pairs:
                    end += 1
                if end - at >= _WORD:
                    yield start + at, start + end
                at = end

    def _word_parts(self, words: Sequence[tuple[str, Span]]) -> Iterator[Span]:
        """Yield the words, compounds included, that consist of words of names."""
        by_span: dict[Span, list[str]] = {}
        for token, span in words:
            by_span.setdefault(span, []).append(token)
        return (span for span, tokens in by_span.items() if self._parts.issuperset(tokens))

    def _tokens(self, text: str) -> list[str]:
        """Return the words of a text, those of compounds one by one."""
        return self._analyzer.index_tokens(_JOINT.sub(" ", text))


def _properties(mentions: Sequence[Span], text: str) -> list[Span]:
    """Return the mentions that are no part of what is asked about.

    A name that is said twice is such a part where grammar, or its place, does not tell otherwise.
    """
    names = [text[start:end].lower() for start, end in mentions]
    marked = [_is_marked(span, text) for span in mentions]
    times = Counter(names)
    known = {name for name, is_marked in zip(names, marked, strict=True) if is_marked}
    return [
        span
        for span, name, is_marked in zip(mentions, names, marked, strict=True)
        if is_marked or times[name] == 1 or not (name in known or _begins_han(span[0], text))
    ]


def _is_marked(span: Span, text: str) -> bool:
    """Tell whether grammar makes it the name of something's property."""
    start, end = span
    before = text[max(0, start - _OWNER_CHARS) : start]
    return bool(_OWNER.search(before) or _OWNED.match(text, end))


def _begins_han(start: int, text: str) -> bool:
    return bool(_HAS_HAN.match(text, start)) and not _HAS_HAN.search(
        text[max(0, start - 1) : start]
    )


def _trimmed(piece: str, *, is_first: bool, is_last: bool) -> str:
    """Remove punctuation and words that only ask from both ends.

    One Han character is such a word beside a name only: elsewhere it begins a name of its own.
    """
    for _ in range(_MOST_TRIMMED):
        piece = _between_letters(piece).removeprefix(_HOW_MUCH).removesuffix(_HOW_MUCH)
        for length in (_WORD, 1):
            if piece[:length] in CHINESE and (length == _WORD or not is_first):
                piece = piece[length:]
            if piece[-length:] in CHINESE and (length == _WORD or not is_last):
                piece = piece[:-length]
        if (word := _FIRST.match(piece)) and word[1].lower() in _ASKING:
            piece = piece[word.end() :]
        if (word := _LATIN.match(piece[::-1])) and word.group()[::-1].lower() in _ASKING:
            piece = piece[: -word.end()]
    return piece


def _between_letters(piece: str) -> str:
    first, last = _LETTER.search(piece), _LETTER.search(piece[::-1])
    return piece[first.start() : len(piece) - last.start()] if first and last else ""
