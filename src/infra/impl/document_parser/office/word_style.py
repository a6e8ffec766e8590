"""Styles and numbering of Word documents: which paragraph is a heading, what number it shows."""

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

from infra.impl.document_parser.office.ooxml import number_of, value_of

_HEADING: Final = re.compile(r"heading ([1-9])$")
_PLACEHOLDER: Final = re.compile(r"%([1-9])")
_MAX_LEVEL: Final = 6
_MAX_CHAIN: Final = 20
_LEVELS: Final = 9
_BODY_TEXT: Final = 9
_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_CHINESE: Final = "零一二三四五六七八九"
_TEN: Final = 10
_HUNDRED: Final = 100


class Styles:
    """Looks things up along the chain of styles that a paragraph's style is based on."""

    def __init__(self, tree: ET.Element | None) -> None:
        found = tree.findall("style") if tree is not None else []
        self._styles = {style.get("styleId", ""): style for style in found}

    def heading_level(self, properties: ET.Element | None) -> int | None:
        """Level of a heading paragraph, 0 for the title; null for other paragraphs."""
        if outline := value_of(properties, "outlineLvl"):
            return _outline_level(outline)
        for style in self._chain(properties):
            name = value_of(style, "name").lower()
            if name == "title":
                return 0
            if found := _HEADING.match(name):
                return min(int(found[1]), _MAX_LEVEL)
            if outline := value_of(style, "pPr/outlineLvl"):
                return _outline_level(outline)
        return None

    def numbering(self, properties: ET.Element | None) -> tuple[str, int] | None:
        """Return id and level (from 0) of the list that a paragraph belongs to."""
        number, level = value_of(properties, "numPr/numId"), value_of(properties, "numPr/ilvl")
        for style in self._chain(properties):
            number = number or value_of(style, "pPr/numPr/numId")
            level = level or value_of(style, "pPr/numPr/ilvl")
        if number in ("", "0"):
            return None
        return number, min(max(number_of(level, default=0), 0), _LEVELS - 1)

    def is_quote(self, properties: ET.Element | None) -> bool:
        """Whether the paragraph is set as a quotation."""
        return any("quote" in value_of(s, "name").lower() for s in self._chain(properties))

    def _chain(self, properties: ET.Element | None) -> Iterator[ET.Element]:
        name = value_of(properties, "pStyle")
        for _ in range(_MAX_CHAIN):
            style = self._styles.get(name)
            if style is None:
                return
            yield style
            name = value_of(style, "basedOn")


class Numbering:
    """Counts the items of all lists of a document."""

    def __init__(self, tree: ET.Element | None) -> None:
        self._lists: dict[str, str] = {}
        self._levels: dict[tuple[str, int], ET.Element] = {}
        self._starts: dict[tuple[str, int], int] = {}
        self._counts: dict[str, list[int | None]] = {}
        if tree is not None:
            self._read(tree)

    def marker(self, number: str, level: int) -> str:
        """Count one item and return what stands before it: ``-``, or for instance ``2.1.``."""
        abstract = self._lists.get(number, "")
        definition = self._levels.get((abstract, level))
        if definition is None or value_of(definition, "numFmt") in ("bullet", ""):
            return "-"
        if (start := self._starts.pop((number, level), None)) is not None:
            self._counts.setdefault(abstract, [None] * _LEVELS)[level] = start - 1
        counts = self._counts.setdefault(abstract, [None] * _LEVELS)
        counts[level] = self._count(abstract, level, counts[level]) + 1
        counts[level + 1 :] = [None] * (_LEVELS - level - 1)

        def render(match: re.Match[str]) -> str:
            shown = int(match[1]) - 1
            value = counts[shown]
            if value is None:
                value = self._count(abstract, shown, None) + 1
            inner = self._levels.get((abstract, shown))
            return format_number(value, value_of(inner, "numFmt"))

        return _PLACEHOLDER.sub(render, value_of(definition, "lvlText")).strip()

    def _count(self, abstract: str, level: int, count: int | None) -> int:
        if count is not None:
            return count
        return number_of(value_of(self._levels.get((abstract, level)), "start"), default=1) - 1

    def _read(self, tree: ET.Element) -> None:
        for abstract in tree.findall("abstractNum"):
            for level in abstract.findall("lvl"):
                at = number_of(level.get("ilvl"), default=0)
                self._levels[abstract.get("abstractNumId", ""), at] = level
        for number in tree.findall("num"):
            name = number.get("numId", "")
            self._lists[name] = value_of(number, "abstractNumId")
            for override in number.findall("lvlOverride"):
                if start := value_of(override, "startOverride"):
                    at = number_of(override.get("ilvl"), default=0)
                    self._starts[name, at] = number_of(start, default=1)


def format_number(value: int, form: str) -> str:
    """Write a number of a list; unknown forms become decimal."""
    match form:
        case "lowerLetter" | "upperLetter" if value > 0:
            letters = chr(ord("a") + (value - 1) % 26) * min((value - 1) // 26 + 1, 5)
            return letters if form == "lowerLetter" else letters.upper()
        case "lowerRoman" | "upperRoman" if 0 < value < 4 * _ROMAN[0][0]:
            return _roman(value) if form == "lowerRoman" else _roman(value).upper()
        case "decimalZero":
            return f"{value:02d}"
        case "chineseCounting" | "chineseCountingThousand" | "ideographDigital" if (
            0 < value < _HUNDRED
        ):
            return _chinese(value)
        case _:
            return str(value)


def _roman(value: int) -> str:
    text = ""
    for size, letters in _ROMAN:
        text += letters * (value // size)
        value %= size
    return text


def _chinese(value: int) -> str:
    tens, ones = divmod(value, _TEN)
    head = "" if tens == 0 else "十" if tens == 1 else f"{_CHINESE[tens]}十"
    return head + (_CHINESE[ones] if ones else "")


def _outline_level(text: str) -> int | None:
    level = number_of(text, default=_BODY_TEXT)
    return min(level + 1, _MAX_LEVEL) if 0 <= level < _BODY_TEXT else None
