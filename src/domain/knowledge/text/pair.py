"""Questions with their answers as slices: from a model's reply or from rows of a table."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

_MARK: Final = re.compile(
    r"^[ \t>*#-]*(?P<kind>[QA\u95ee\u7b54])\s*(?P<number>[0-9]{0,4})\**\s*[:\uff1a.\u3001]\**\s*",
    re.IGNORECASE | re.MULTILINE,
)
_QUESTIONS: Final = frozenset("Qq\u95ee")


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its answer; ``more`` are further texts to be found by."""

    question: str
    answer: str
    more: tuple[str, ...] = ()

    @property
    def content(self) -> str:
        return f"{self.question}\n{self.answer}" if self.answer else self.question

    @property
    def index_text(self) -> str:
        return "\n".join((self.question, *self.more))


def parse_pairs(reply: str) -> list[Pair]:
    """Return the pairs of a reply in the form ``Q1: ... A1: ...``; nothing if it has none."""
    marks = list(_MARK.finditer(reply))
    pairs: list[Pair] = []
    question = ""
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(reply)
        text = reply[mark.end() : end].strip()
        if mark["kind"] in _QUESTIONS:
            question = text
        elif question and text:
            pairs.append(Pair(question=question, answer=text))
            question = ""
    return pairs


def pairs_of_rows(rows: Sequence[Mapping[str, str]]) -> Iterator[Pair]:
    """Yield the pairs of a table with the columns ``q``, ``a`` and any ``index...``."""
    for row in rows:
        cells = {name.strip().lower(): value.strip() for name, value in row.items() if value}
        if question := cells.get("q", ""):
            more = tuple(text for name, text in cells.items() if name.startswith("index") and text)
            yield Pair(question=question, answer=cells.get("a", ""), more=more)
