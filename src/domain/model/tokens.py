"""Token counts without a tokenizer: a heuristic by kinds of characters, corrected by experience.

A word character is a quarter of a token, a CJK character 0.7, any other half. Everything runs at
the speed of ``bytes.translate``, a millisecond per megabyte, so that it may be called on the event
loop.
"""

from collections.abc import Sequence
from math import ceil
from typing import Final, assert_never

import msgspec

from domain.shared.chat import AudioPart, ChatMessage, FilePart, ImagePart, Part, TextPart, ToolSpec

_WORD_CHARS_PER_TOKEN: Final = 4
_CJK_TOKENS_PER_CHAR: Final = 0.7
_OTHER_TOKENS_PER_CHAR: Final = 0.5
_TOKENS_PER_MESSAGE: Final = 4
_TOKENS_PER_REPLY: Final = 3
_JSON_CHARS_PER_TOKEN: Final = 3.5
_TOKENS_PER_MEDIUM: Final = 1000
_EMA_WEIGHT: Final = 0.1
_MIN_RATIO: Final = 0.5
_MAX_RATIO: Final = 2.0

# A space belongs to the word it precedes in every byte-pair vocabulary in use.
_WORD_BYTES: Final = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ "
_CONTINUATION_BYTES: Final = bytes(range(0x80, 0xC0))
# First bytes in UTF-8 of U+3000-U+DFFF (kana, ideographs, hangul) and U+F000-U+FFFF (full width).
_CJK_LEADS: Final = bytes([*range(0xE3, 0xEE), 0xEF])


def count_text(text: str) -> float:
    """Estimate the tokens of a text."""
    data = text.encode("utf-8", "replace")
    without_words = data.translate(None, _WORD_BYTES)
    words = len(data) - len(without_words)
    if text.isascii():
        return words / _WORD_CHARS_PER_TOKEN + len(without_words) * _OTHER_TOKENS_PER_CHAR
    characters = without_words.translate(None, _CONTINUATION_BYTES)
    others = len(characters.translate(None, _CJK_LEADS))
    return (
        words / _WORD_CHARS_PER_TOKEN
        + (len(characters) - others) * _CJK_TOKENS_PER_CHAR
        + others * _OTHER_TOKENS_PER_CHAR
    )


def count_json(text: str) -> float:
    """Estimate the tokens of JSON text."""
    return len(text) / _JSON_CHARS_PER_TOKEN


def count_input(messages: Sequence[ChatMessage], tools: Sequence[ToolSpec] = ()) -> int:
    """Estimate the input tokens of a request, uncorrected."""
    tokens = float(_TOKENS_PER_REPLY)
    for message in messages:
        tokens += _TOKENS_PER_MESSAGE
        for part in message.parts:
            tokens += _count_part(part)
        for call in message.tool_calls:
            tokens += count_json(call.name + call.arguments)
    if tools:
        tokens += count_json(msgspec.json.encode(tools).decode())
    return ceil(tokens)


def _count_part(part: Part) -> float:
    match part:
        case TextPart():
            return count_text(part.text)
        case ImagePart() | AudioPart():
            return _TOKENS_PER_MEDIUM
        case FilePart():
            return count_text(part.name)
        case _:
            assert_never(part)


class TokenCorrection:
    """Moving ratio of the input tokens that models reported to those estimated, per model."""

    def __init__(self) -> None:
        self._ratios: dict[str, float] = {}

    def apply(self, model_key: str, estimate: int) -> int:
        return ceil(estimate * self._ratios.get(model_key, 1.0))

    def learn(self, model_key: str, *, estimate: int, reported: int) -> None:
        """Move the ratio of the model towards the one just seen."""
        if estimate <= 0 or reported <= 0:
            return
        seen = min(max(reported / estimate, _MIN_RATIO), _MAX_RATIO)
        known = self._ratios.get(model_key, 1.0)
        self._ratios[model_key] = known + _EMA_WEIGHT * (seen - known)

    def keep(self, model_keys: frozenset[str]) -> None:
        """Forget models that are gone."""
        for key in self._ratios.keys() - model_keys:
            del self._ratios[key]
