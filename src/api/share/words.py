"""Texts of the pages of a link that stand without a script, in both languages."""

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "closed": "This chat is closed",
        "missing": "There is no such chat",
        "missing_text": "The address is not complete, or the chat was taken down. "
        "Ask whoever gave it to you.",
        "no_script": "This chat needs JavaScript.",
    },
    "zh": {
        "closed": "对话已关闭",
        "missing": "没有这个对话",
        "missing_text": "地址不完整，或对话已被撤下。请联系给你地址的人。",
        "no_script": "此对话需要 JavaScript。",
    },
}
