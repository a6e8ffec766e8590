"""Numbers that enumerated settings have on the wire, as in the published Coze model."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from domain.agent.value import NoRecallMode, SourceMode, StylePreset, SuggestMode
from domain.shared.chat import OutputFormat
from domain.shared.error import InvalidRequest

NUMBERS: Final[Mapping[type[StrEnum], Mapping[Any, int]]] = {
    OutputFormat: {OutputFormat.TEXT: 0, OutputFormat.MARKDOWN: 1, OutputFormat.JSON: 2},
    StylePreset: {
        StylePreset.CUSTOM: 0,
        StylePreset.CREATIVE: 1,
        StylePreset.BALANCED: 2,
        StylePreset.PRECISE: 3,
    },
    SourceMode: {SourceMode.LIST: 0, SourceMode.CARDS: 1},
    NoRecallMode: {NoRecallMode.MODEL: 0, NoRecallMode.TEXT: 1, NoRecallMode.DIRECT: 2},
    SuggestMode: {SuggestMode.ENABLE: 0, SuggestMode.CUSTOMIZED: 1, SuggestMode.DISABLE: 2},
}


def number_read(value: int | str, numbers: Mapping[Any, int], *, field: str) -> Any:
    """Read a setting by its number or its name; raise ``InvalidRequest``."""
    for member, number in numbers.items():
        if value in {number, member.value}:
            return member
    known = ", ".join(f"{number} ({member.value})" for member, number in numbers.items())
    raise InvalidRequest(f"{field}: unknown value. Known: {known}.", field=field)
