"""What every embedder does to its inputs: refuse blank ones, count, cut."""

import re
from collections.abc import Sequence
from typing import Final

from domain.shared.error import InvalidRequest

_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_PER_ASCII, _PER_CJK, _PER_OTHER = (
    0.25,
    0.7,
    0.5,
)  # tokens of a character, as in domain.model.tokens


def checked(texts: Sequence[str]) -> None:
    """Raise ``InvalidRequest`` for a blank input, naming its position."""
    for position, text in enumerate(texts):
        if not text.strip():
            raise InvalidRequest(f"input[{position}]: the text is blank.", position=position)


def estimate_tokens(text: str) -> int:
    """Estimate tokens by kinds of characters; never less than one."""
    ascii_chars = len(text) if text.isascii() else sum(map(str.isascii, text))
    cjk = len(_CJK.findall(text)) if ascii_chars < len(text) else 0
    other = len(text) - ascii_chars - cjk
    return max(1, round(ascii_chars * _PER_ASCII + cjk * _PER_CJK + other * _PER_OTHER))


def shortened(text: str, *, max_tokens: int) -> tuple[str, bool]:
    """Cut a text to about ``max_tokens``; say whether that was needed."""
    if max_tokens <= 0 or (tokens := estimate_tokens(text)) <= max_tokens:
        return text, False
    kept = text[: max(1, int(len(text) * max_tokens / tokens))]
    while estimate_tokens(kept) > max_tokens and len(kept) > 1:
        kept = kept[: int(len(kept) * 0.9) or 1]
    return kept, True
