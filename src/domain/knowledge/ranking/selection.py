"""From a ranked list to what goes into a prompt: no doubles, enough context, not too long."""

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from domain.knowledge.text.boundary import Boundaries

Source = Literal["embedding", "full_text", "both", "nl2sql"]

_ASCII_WORD: Final = re.compile("[A-Za-z0-9]+")
_LETTERS_BEYOND_ASCII: Final = re.compile(r"[^\W_\x00-\x7f]")
_PER_ASCII_WORD: Final = 1.3
_EDGE_CHARS: Final = (48, 200)
"""Most have all letters within the first, and reading more would not change them."""
_EDGE_LETTERS: Final = 24
_START_CHARS: Final = 12
_START_LETTERS: Final = 6
_IMAGE: Final = re.compile("<img[^<>]*>")
_NO_LETTERS: Final = re.compile(r"[\W_]+")
_NO_ASCII_LETTERS: Final = {n: None for n in range(128) if not chr(n).isalnum()}
_IMAGE_KEY: Final = re.compile('data-tos-key="([^"]*)"')


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A slice in the running for a prompt; lists of them are in rank order.

    ``also_in`` are slices with the same text, ``joined`` slices whose text it took in.
    """

    slice_id: int
    document_id: int
    knowledge_id: int
    content: str
    score: float = 0.0
    source: Source = "full_text"
    also_in: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A slice beside a hit in the same document; see ``Chunk`` for ``lead`` and ``glue``."""

    slice_id: int
    content: str
    lead: int = 0
    glue: str = "\n"


def content_key(content: str) -> str:
    """Return what equal contents have in common: letters and digits, and images."""
    images = sorted(_IMAGE_KEY.findall(content)) if "data-tos-key" in content else ()
    letters = _letters(_without_images(content))
    text = letters or ("" if images else content.strip())
    return hashlib.sha256("\0".join([text, *images]).encode("utf-8", "replace")).hexdigest()


def _letters(text: str) -> str:
    """Return letters and digits; tables are the fastest for ASCII, and the slowest beyond."""
    return text.translate(_NO_ASCII_LETTERS) if text.isascii() else _NO_LETTERS.sub("", text)


def _without_images(content: str) -> str:
    return _IMAGE.sub("", content) if "<img" in content else content


def without_doubles(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield the better-ranked of equal passages, in order; each lists the others.

    Reads no more than it needs to: most begin as no other does, and callers take the first few.
    """
    starts = [_start(passage.content) for passage in passages]
    alike: dict[str, list[int]] = {}
    for at, start in enumerate(starts):
        alike.setdefault(start, []).append(at)
    tells = [cache(partial(_told, tell, passages)) for tell in (_beginning, _ending, content_key)]
    doubles: set[int] = set()
    for at, passage in enumerate(passages):
        if at in doubles:
            continue
        equal = [other for other in alike[starts[at]] if other > at and other not in doubles]
        for tell in tells:
            if not equal:
                break
            equal = [other for other in equal if tell(other) == tell(at)]
        doubles.update(equal)
        others = tuple(
            one.slice_id
            for one in map(passages.__getitem__, equal)
            if one.slice_id != passage.slice_id
        )
        yield replace(passage, also_in=(*passage.also_in, *others)) if others else passage


def _told(tell: Callable[[str], str], passages: Sequence[Passage], at: int) -> str:
    return tell(passages[at].content)


def _start(content: str) -> str:
    """Return the very first letters and digits: few, so that reading those of all is cheap."""
    letters = _letters(content[:_START_CHARS]) if "<img" not in content else ""
    if len(letters) < _START_LETTERS:
        letters = _beginning(content)
    return letters[:_START_LETTERS]


def _beginning(content: str) -> str:
    """Return the first letters and digits, which contents of one key have in common."""
    if "<img" not in content:
        for count in _EDGE_CHARS:
            if len(letters := _letters(content[:count])) >= _EDGE_LETTERS:
                return letters[:_EDGE_LETTERS]
    return _letters(_without_images(content))[:_EDGE_LETTERS]


def _ending(content: str) -> str:
    """Return the last letters and digits, likewise."""
    if "<img" not in content:
        for count in _EDGE_CHARS:
            if len(letters := _letters(content[-count:])) >= _EDGE_LETTERS:
                return letters[-_EDGE_LETTERS:]
    return _letters(_without_images(content))[-_EDGE_LETTERS:]


def top(passages: Iterable[Passage], count: int) -> list[Passage]:
    """Take the first; rows found by SQL are at most half unless there is nothing else."""
    chosen: list[Passage] = []
    rows: list[Passage] = []
    allowed = math.ceil(count / 2)
    for passage in passages:
        if passage.source == "nl2sql":
            rows.append(passage)
            if len(rows) > allowed:
                continue
        chosen.append(passage)
        if len(chosen) == count:
            return chosen
    return chosen if len(chosen) > min(len(rows), allowed) else rows[:count]


def widened(passages: Sequence[Passage], around: Mapping[int, Sequence[Piece]]) -> list[Passage]:
    """Give passages the slices around them; one that another took in disappears into it.

    ``around`` maps a slice to consecutive pieces of its document, itself among them: neighbours,
    or all children of its section.
    """
    result: list[Passage] = []
    taken: set[int] = set()
    for passage in passages:
        if passage.slice_id in taken:
            continue
        pieces = around.get(passage.slice_id, ())
        ids = [piece.slice_id for piece in pieces]
        if passage.slice_id not in ids:
            taken.add(passage.slice_id)
            result.append(passage)
            continue
        at = ids.index(passage.slice_id)
        first = at
        while first > 0 and ids[first - 1] not in taken:
            first -= 1
        last = at
        while last + 1 < len(ids) and ids[last + 1] not in taken:
            last += 1
        taken.update(ids[first : last + 1])
        text = _joined(pieces[first : last + 1])
        others = tuple(one for one in ids[first : last + 1] if one != passage.slice_id)
        result.append(replace(passage, content=text, joined=others))
    return result


def _joined(pieces: Sequence[Piece]) -> str:
    first, *rest = pieces
    return first.content + "".join(piece.glue + piece.content[piece.lead :] for piece in rest)


def estimate_tokens(text: str) -> int:
    """Estimate tokens: 1.3 for a word in ASCII, 1 for every other letter."""
    words = len(_ASCII_WORD.findall(text))
    letters = 0 if text.isascii() else len(_LETTERS_BEYOND_ASCII.findall(text))
    return math.ceil(words * _PER_ASCII_WORD + letters)


def within_tokens(
    passages: Sequence[Passage],
    max_tokens: int,
    *,
    count: Callable[[str], int] = estimate_tokens,
) -> list[Passage]:
    """Keep what fits in rank order; smaller ones may follow one that does not.

    The first is never dropped: if it alone is too long, it ends with an earlier sentence.
    """
    kept: list[Passage] = []
    left = max_tokens
    for number, passage in enumerate(passages):
        size = count(passage.content)
        if size <= left:
            kept.append(passage)
            left -= size
        elif number == 0:
            content = shortened(passage.content, max_tokens, count=count)
            kept.append(replace(passage, content=content))
            left -= count(content)
    return kept


def shortened(text: str, max_tokens: int, *, count: Callable[[str], int] = estimate_tokens) -> str:
    """Cut a text at the last sentence end that fits, else at the last character that does."""
    low, high = 1, max(1, len(text))  # the longest beginning that fits; counts never fall
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle]) <= max_tokens:
            low = middle
        else:
            high = middle - 1
    boundaries = Boundaries(text)
    ends = [end for end in boundaries.sentences if end <= low]
    end = ends[-1] if ends else boundaries.last_possible(0, low)
    return text[:end].rstrip()
