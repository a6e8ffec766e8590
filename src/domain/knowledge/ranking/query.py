"""Questions before the search: made self-contained, asked in several ways (``knowledge`` 4.3)."""

import math
import re
from collections.abc import Sequence
from typing import Final

import msgspec

LONGEST_QUERY: Final = 8000
"""Characters of a question that count."""
_LONGEST_REWRITE: Final = 500
_LONGEST_REPLY: Final = 20_000
_ALIKE, _NEW = 0.3, 1.0

_FENCE: Final = re.compile(r"```[A-Za-z]*\n?|```")
_LABEL: Final = re.compile(
    r"^\s*(?:(?:rewritten|standalone|new|final)?\s*(?:question|query)"
    r"|(?:\u6539\u5199\u540e?\u7684?)?(?:\u95ee\u9898|\u67e5\u8be2))\s*[:\uff1a]\s*",
    re.IGNORECASE,
)
_QUOTES: Final = "\"'`\u201c\u201d\u2018\u2019\u300c\u300d\u300e\u300f "
_WIDE: Final = str.maketrans({"\u201c": '"', "\u201d": '"', "\uff0c": ",", "\u3001": ","})


def searchable(text: str) -> str:
    """Return the question as it is searched for; empty means there is nothing to find."""
    return text.strip()[:LONGEST_QUERY]


def parse_rewrite(reply: str, *, original: str) -> str:
    """Return the rewritten question, or the original if the reply has none."""
    text = _FENCE.sub("", reply).strip()
    text = _LABEL.sub("", text).strip(_QUOTES)
    text = " ".join(text.split())[:_LONGEST_REWRITE].strip()
    return text or original


def parse_variants(reply: str) -> list[str]:
    """Return the strings of a JSON array somewhere in the reply; nothing if there is none."""
    text = _FENCE.sub("", reply[:_LONGEST_REPLY])
    array = _first_array(text)
    candidates = (array, array.replace('\\"', '"'), array.translate(_WIDE))
    for candidate in candidates if array else ():
        try:
            found = msgspec.json.decode(candidate, type=list[object])
        except (msgspec.DecodeError, UnicodeError):
            continue
        return [item.strip() for item in found if isinstance(item, str) and item.strip()]
    return []


def _first_array(text: str) -> str:
    """Return the text from the first ``[`` to its ``]``, not counting brackets in strings."""
    start = text.find("[")
    if start < 0:
        return ""
    depth, in_string, escaped = 0, False, False
    for at in range(start, len(text)):
        character = text[at]
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            in_string = not in_string
        elif not in_string and character in "[]":
            depth += 1 if character == "[" else -1
            if depth == 0:
                return text[start : at + 1]
    end = text.rfind("]")  # unbalanced, by stray quotes for instance
    return text[start : end + 1] if end > start else ""


def distinct(original: str, variants: Sequence[str]) -> list[str]:
    """Return the variants that differ from the original and each other in letters or digits."""
    seen = {_letters(original)}
    result = []
    for variant in variants:
        key = _letters(variant)
        if key and key not in seen:
            seen.add(key)
            result.append(variant[:LONGEST_QUERY])
    return result


def choose_variants(
    variants: Sequence[str],
    count: int,
    *,
    original: Sequence[float] | None = None,
    vectors: Sequence[Sequence[float]] = (),
) -> list[str]:
    """Take ``count`` variants: near the original, far from each other; else the first ones.

    ``vectors`` belong to the variants in order, ``original`` to the question.
    """
    if len(variants) <= count or original is None or len(vectors) != len(variants):
        return list(variants[:count])
    likeness = [_cosine(original, vector) for vector in vectors]
    closest = [0.0] * len(variants)
    left = list(range(len(variants)))
    chosen: list[int] = []
    while left and len(chosen) < count:
        best = max(left, key=lambda at: _ALIKE * likeness[at] + _NEW - closest[at])
        left.remove(best)
        chosen.append(best)
        for at in left:
            closest[at] = max(closest[at], _cosine(vectors[best], vectors[at]))
    return [variants[at] for at in chosen]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _cosine(first: Sequence[float], second: Sequence[float]) -> float:
    product = math.fsum(a * b for a, b in zip(first, second, strict=True))
    norms = math.hypot(*first) * math.hypot(*second)
    return product / norms if norms else 0.0
