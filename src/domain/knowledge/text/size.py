"""How long a text is, in characters or estimated tokens, from every position to every other."""

from bisect import bisect_right
from enum import StrEnum
from itertools import accumulate
from typing import Final


class SizeUnit(StrEnum):
    """What sizes count. Tokens treat Chinese and English alike; characters are what Coze counts."""

    CHARACTER = "character"
    TOKEN = "token"  # noqa: S105 - a unit, not a credential


# Twentieths of a token, with the weights of ``domain.model.tokens``: a word character is a
# quarter, a CJK character 0.7 and everything else half a token. Integers keep sums exact.
_SCALE: Final = {SizeUnit.CHARACTER: 1, SizeUnit.TOKEN: 20}
_WORD, _CJK, _OTHER = 5, 14, 10
_CJK_FROM, _CJK_TO = "\u3000", "\udfff"
_WIDE_FROM: Final = "\uf000"
_BEYOND: Final = "\U00010000"


def _weight(character: str) -> int:
    if character.isascii():
        return _WORD if character.isalnum() or character == " " else _OTHER
    is_cjk = _CJK_FROM <= character <= _CJK_TO or _WIDE_FROM <= character < _BEYOND
    return _CJK if is_cjk else _OTHER


def count_tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up."""
    return -(-sum(map(_weight, text)) // _SCALE[SizeUnit.TOKEN])


def size_of(text: str, unit: SizeUnit) -> int:
    """Return the size of a text, rounded up."""
    return len(text) if unit is SizeUnit.CHARACTER else count_tokens(text)


class Ruler:
    """Measures stretches of one text; sizes are integers in ``scale`` parts of the unit."""

    def __init__(self, text: str, unit: SizeUnit) -> None:
        self.scale = _SCALE[unit]
        self._sums: range | list[int]
        if unit is SizeUnit.CHARACTER:
            self._sums = range(len(text) + 1)
        else:
            self._sums = list(accumulate(map(_weight, text), initial=0))

    def between(self, start: int, end: int) -> int:
        return self._sums[end] - self._sums[start]

    def furthest(self, start: int, size: int) -> int:
        """Return the last position that is at most ``size`` after ``start``."""
        return max(start, bisect_right(self._sums, self._sums[start] + size) - 1)

    def earliest(self, end: int, size: int) -> int:
        """Return the first position that is at most ``size`` before ``end``."""
        wanted = self._sums[end] - size
        at = bisect_right(self._sums, wanted) - 1
        return at if at >= 0 and self._sums[at] == wanted else at + 1
