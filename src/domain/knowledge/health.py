"""Health of a base: how long its slices are, and which of them serve nobody."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.knowledge.value import FlawCount, LengthBin, Script, SliceFlaw, SliceId

LENGTHS: Final = (0, 50, 100, 200, 400, 800, 1600, 3200)
"""Where bins of lengths begin, in characters; the last one has no end."""
SHORTEST: Final = 20
"""Text below it says too little to be found; rows of tables may be as short as they are."""
LONGEST: Final = 2000
"""Text above it is more than most embedding models read at once: about 512 tokens of English."""
MOST_EXAMINED: Final = 50_000
"""Of a larger base only so many slices are looked at, the youngest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceTally:
    """What one pass over the slices of a base counts."""

    slices: int
    """All that the base has."""
    examined: int
    """Of them so many were counted, the youngest."""
    lengths: tuple[LengthBin, ...]
    flaws: tuple[FlawCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceChoice:
    """Which of the slices that a tally counts; what is None does not narrow."""

    flaw: SliceFlaw | None = None
    at_least: int | None = None
    below: int | None = None
    among: Sequence[SliceId] | None = None


_RANGES: Final = (
    (Script.JAPANESE, 0x3040, 0x30FF),
    (Script.KOREAN, 0xAC00, 0xD7AF),
    (Script.CHINESE, 0x3400, 0x9FFF),
    (Script.CYRILLIC, 0x0400, 0x052F),
    (Script.ARABIC, 0x0600, 0x06FF),
    (Script.LATIN, 0x0041, 0x024F),
)
_FEW_KANA: Final = 0.1
"""Japanese is written with Chinese characters too: so much of kana among them tells it."""


def script_of(text: str) -> Script:
    """Return in which script a text mostly is."""
    counts = dict.fromkeys(Script, 0)
    for char in text:
        if not char.isalpha():
            continue
        code = ord(char)
        found = next((s for s, low, high in _RANGES if low <= code <= high), Script.OTHER)
        counts[found] += 1
    kana, han = counts[Script.JAPANESE], counts[Script.CHINESE]
    if kana and kana >= _FEW_KANA * (kana + han):
        counts[Script.JAPANESE] += han
        counts[Script.CHINESE] = 0
    most = max(counts, key=lambda each: counts[each])
    return most if counts[most] else Script.OTHER
