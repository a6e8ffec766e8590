"""Finding the sentences of a text that have most in common with a question (BM25)."""

# ruff: noqa: RUF001, SIM905 - Chinese punctuation is meant; word lists read better as text

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_CJK: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_RUNS: Final = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+", re.UNICODE)
_HAS_CJK: Final = re.compile(rf"[{_CJK}]")
_SENTENCE: Final = re.compile(
    r"[^\n.!?;。！？；…]*(?:[.!?;](?!\s|$)[^\n.!?;。！？；…]*)*[.!?;。！？；…]*"
)
_STOP_WORDS: Final = frozenset(
    "a about all am an and any are as at be been but by can could did do does for from get give had"
    " has have he her him his how i if in into is it its just know let like many me more much my no"
    " not of on one or our please say she should so some tell than that the their them then there"
    " these they this those to us use was we were what when where which who whom whose why will"
    " with would you your".split()
)
_STOP_GRAMS: Final = frozenset(
    "什么 怎么 怎样 如何 是否 可以 请问 一下 多少 哪些 哪里 哪个 为什 为何 我们 你们 他们 这个 那个"
    " 告诉 我想 想问 问一 是什 么是 的是 有没 没有 吗的 能不 不能 需要".split()
)
_K1: Final = 1.5
_B: Final = 0.75
_ENDINGS: Final = ("ing", "ies", "es", "ed", "s")
_SHORTEST_STEM: Final = 3


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and its place in the text; ``source`` is a number to cite, 0 for none."""

    position: int
    text: str
    source: int = 0


def is_chinese(text: str) -> bool:
    """Whether the text has any Chinese, Japanese or Korean character."""
    return _HAS_CJK.search(text) is not None


def sentences(text: str, *, start: int = 0, source: int = 0) -> Iterator[Sentence]:
    """Split at line breaks and ends of sentences; not at the dots of numbers and names."""
    for match in _SENTENCE.finditer(text):
        sentence = match[0].strip()
        if sentence:
            yield Sentence(start + match.start(), sentence, source)


def terms(text: str) -> list[str]:
    """Return what carries meaning: stems of words, pairs of CJK characters."""
    found: list[str] = []
    for run in _RUNS.findall(text.lower()):
        if _HAS_CJK.match(run):
            grams = [run[at : at + 2] for at in range(len(run) - 1)] or [run]
            found.extend(gram for gram in grams if gram not in _STOP_GRAMS)
        elif run not in _STOP_WORDS:
            found.append(_stem(run))
    return found


def best(question: str, candidates: Sequence[Sentence], *, count: int) -> list[Sentence]:
    """Return at most ``count`` relevant sentences in the order of the text.

    Relevant is what shares a term with the question and scores at least half of the best.
    """
    asked = set(terms(question))
    bags = [Counter(terms(candidate.text)) for candidate in candidates]
    if not asked or not bags:
        return []
    mean = sum(map(Counter.total, bags)) / len(bags) or 1.0
    weights = {term: _rarity(sum(term in bag for bag in bags), len(bags)) for term in asked}
    scored = [
        (sum(weights[term] * _saturation(bag, term, mean) for term in asked if term in bag), at)
        for at, bag in enumerate(bags)
    ]
    top = max(scored)[0]
    if top <= 0:
        return []
    ranked = sorted(scored, key=lambda pair: (-pair[0], pair[1]))
    chosen: dict[str, int] = {}
    for score, at in ranked:
        if score < top / 2 or len(chosen) == count:
            break
        chosen.setdefault(candidates[at].text, at)
    return [candidates[at] for at in sorted(chosen.values())]


def _rarity(containing: int, total: int) -> float:
    return math.log(1 + (total - containing + 0.5) / (containing + 0.5))


def _saturation(bag: Counter[str], term: str, mean: float) -> float:
    frequency = bag[term]
    return frequency * (_K1 + 1) / (frequency + _K1 * (1 - _B + _B * bag.total() / mean))


def _stem(word: str) -> str:
    """Cut the commonest English endings, so that plural and singular meet."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            stem = word.removesuffix(ending)
            return stem + "y" if ending == "ies" else stem
    return word
