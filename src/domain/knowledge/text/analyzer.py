"""Text to search tokens, the same for every store.

Han and kana become single characters and pairs: no dictionary, so names and new words are found.
Latin words become stems; identifiers such as ``gpt-4.1`` stay whole and come in parts as well.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

import msgspec

from domain.knowledge.text.porter import porter_stem
from domain.knowledge.text.stopword import CHINESE, ENGLISH

ANALYZER_VERSION: Final = "ngram-1"
"""Part of an index's identity: with another version it is built anew."""

_LETTERS: Final = "A-Za-z\u00c0-\u024f\u1e00-\u1eff"
_HAN_KANA: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
_MARKS: Final = (  # punctuation, and halves of surrogate pairs
    "\u00a1-\u00bf\u060c\u061b\u061f\u06d4\u0964\u0965\u0e2f\u0e5a\u0e5b\u2000-\u206f"
    "\u3000-\u303f\ud800-\udfff"
)
_RUN: Final = re.compile(
    rf"(?P<latin>_*[{_LETTERS}0-9]+(?:['\u2019.\-_@/]+[{_LETTERS}0-9]+)*_*)"
    rf"|(?P<han>[{_HAN_KANA}]+)"
    rf"|(?P<hangul>[{_HANGUL}]+)"
    rf"|(?P<other>[^\W_{_LETTERS}0-9{_HAN_KANA}{_HANGUL}]"
    rf"[^\s\x00-\x7f{_LETTERS}{_HAN_KANA}{_HANGUL}{_MARKS}]*)"
)
_APOSTROPHE: Final = re.compile("['\u2019]+")
_POSSESSIVE: Final = re.compile("['\u2019]+[sS](?![^\\W_])")
_PART: Final = re.compile(rf"[{_LETTERS}0-9]+")
_CAMEL: Final = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ENGLISH_WORD: Final = re.compile("[a-z]+")
_LONGEST_TOKEN: Final = 128  # characters; longer runs (base64, hashes) are cut
_HALF: Final = 0.5  # one character says less than a pair (8.4)
_CACHED_STEMS: Final = 50_000
_CACHED_RUNS: Final = 20_000
_CACHED_LETTERS: Final = 24
"""Of runs that are remembered with their tokens: longer ones are seldom words."""


class Term(msgspec.Struct, frozen=True):
    """A distinct token of a question; stop words count only if there is nothing else."""

    token: str
    weight: float = 1.0
    is_stopword: bool = False


class Analyzer:
    """Turns texts and questions into tokens; remembers stems and short words, nothing else."""

    version = ANALYZER_VERSION

    def __init__(self) -> None:
        self._stems: dict[str, str] = {}
        self._runs: dict[str, tuple[tuple[str, float], ...]] = {}

    def index_tokens(self, text: str) -> list[str]:
        """Return the tokens of a text in order, repeats included."""
        return [token for token, _ in self._tokens(text)]

    def query_terms(self, text: str) -> list[Term]:
        """Return the distinct tokens of a question in order, without stop words if possible."""
        terms: dict[str, Term] = {}
        for token, weight in self._tokens(text):
            known = terms.get(token)
            if known is None or known.weight < weight:
                terms[token] = Term(token, weight, token in ENGLISH or token in CHINESE)
        wanted = [term for term in terms.values() if not term.is_stopword]
        return wanted or list(terms.values())

    def _tokens(self, text: str) -> Iterator[tuple[str, float]]:
        for match in _RUN.finditer(unicodedata.normalize("NFKC", text)):
            run = match.group()
            match match.lastgroup:
                case "latin":
                    yield from self._known_latin(run)
                case "han":
                    yield from _characters_and_pairs(run)
                case "hangul":
                    yield from ((token, 1.0) for token in _word_and_pairs(run))
                case _:
                    yield run.lower()[:_LONGEST_TOKEN], 1.0

    def _known_latin(self, run: str) -> tuple[tuple[str, float], ...]:
        """Return the tokens of a run; texts repeat their words."""
        known = self._runs.get(run)
        if known is None:
            known = tuple((token, 1.0) for token in self._latin(run))
            if len(run) <= _CACHED_LETTERS:
                if len(self._runs) >= _CACHED_RUNS:
                    self._runs.clear()
                self._runs[run] = known
        return known

    def _latin(self, run: str) -> Iterator[str]:
        run = _POSSESSIVE.sub("", run)
        for piece in _APOSTROPHE.split(run):
            plain = _plain(piece)
            parts = _PART.findall(plain)
            if len(parts) > 1 or (parts and parts[0] != plain):
                yield plain.lower()[:_LONGEST_TOKEN]
            for part in parts:
                yield from self._part(part[:_LONGEST_TOKEN])

    def _part(self, part: str) -> Iterator[str]:
        lower = part.lower()
        yield self.stem(lower) if _ENGLISH_WORD.fullmatch(lower) else lower
        if not (part.islower() or part.isupper() or part.istitle() or part.isdecimal()):
            pieces = _CAMEL.findall(part)
            if len(pieces) > 1:
                for piece in pieces:
                    small = piece.lower()
                    yield self.stem(small) if _ENGLISH_WORD.fullmatch(small) else small

    def stem(self, word: str) -> str:
        stem = self._stems.get(word)
        if stem is None:
            if len(self._stems) >= _CACHED_STEMS:
                self._stems.clear()
            # Stop words stay as they are, so that the list reads as English.
            stem = self._stems[word] = word if word in ENGLISH else porter_stem(word)
        return stem


def _plain(text: str) -> str:
    """Remove diacritics from Latin letters."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _characters_and_pairs(run: str) -> Iterator[tuple[str, float]]:
    weight = 1.0 if len(run) == 1 else _HALF
    for at, character in enumerate(run):
        yield character, weight
        if at + 1 < len(run):
            yield run[at : at + 2], 1.0


def _word_and_pairs(run: str) -> Iterator[str]:
    yield run[:_LONGEST_TOKEN]
    if len(run) > 2:  # noqa: PLR2004 - a word of two syllables is its own pair
        for at in range(len(run) - 1):
            yield run[at : at + 2]
