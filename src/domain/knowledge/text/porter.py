"""English stems (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980)."""

import re
from typing import Final

_CONSONANT: Final = "(?:[^aeiouy]|(?<=[aeiou])y|^y)"
_VOWEL: Final = "(?:[aeiou]|(?<=[^aeiou])y)"
_MEASURE_0: Final = re.compile(f"^{_CONSONANT}*{_VOWEL}+{_CONSONANT}")
_MEASURE_1: Final = re.compile(f"^{_CONSONANT}*{_VOWEL}+{_CONSONANT}+{_VOWEL}+{_CONSONANT}")
_HAS_VOWEL: Final = re.compile(_VOWEL)
_SHORT: Final = re.compile("[^aeiou][aeiouy][^aeiouwxy]$")
_DOUBLE: Final = re.compile(r"([^aeiou])\1$")
_FEWEST_LETTERS: Final = 3

_STEP_2: Final = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
)
_STEP_3: Final = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4: Final = (
    "ement",
    "ance",
    "ence",
    "able",
    "ible",
    "ment",
    "ant",
    "ent",
    "ion",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "al",
    "er",
    "ic",
    "ou",
)


def porter_stem(word: str) -> str:
    """Return the stem of a word in lower-case ASCII letters."""
    if len(word) < _FEWEST_LETTERS:
        return word
    word = _without_plural(word)
    word = _without_past(word)
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _STEP_2)
    word = _replaced(word, _STEP_3)
    word = _without_suffix(word)
    return _tidied(word)


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_0.match(word[:-3]) else word
    for suffix in ("ed", "ing"):
        stem = word[: -len(suffix)]
        if word.endswith(suffix) and _HAS_VOWEL.search(stem):
            break
    else:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _DOUBLE.search(stem) and not stem.endswith(("l", "s", "z")):
        return stem[:-1]
    if _measure_is_1(stem) and _SHORT.search(stem):
        return stem + "e"
    return stem


def _replaced(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    """Apply the first rule whose suffix matches, if the stem is long enough."""
    for suffix, replacement in rules:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            return stem + replacement if _MEASURE_0.match(stem) else word
    return word


def _without_suffix(word: str) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if not _MEASURE_1.match(stem) or (suffix == "ion" and not stem.endswith(("s", "t"))):
                return word
            return stem
    return word


def _tidied(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        if _MEASURE_1.match(stem) or (_measure_is_1(stem) and not _SHORT.search(stem)):
            word = stem
    if word.endswith("ll") and _MEASURE_1.match(word):
        word = word[:-1]
    return word


def _measure_is_1(stem: str) -> bool:
    return bool(_MEASURE_0.match(stem)) and not _MEASURE_1.match(stem)
