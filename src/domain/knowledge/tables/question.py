"""Simple questions on a table to SQL, without a model: counts, sums, averages, extremes.

It answers only what it understands to the last word; for everything else it has no query, because
a number that answers another question is worse than none.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from domain.knowledge.tables.column import Column, ColumnType
from domain.knowledge.tables.nl2sql import TableDescription
from domain.knowledge.tables.words import (
    COMPARISONS,
    COUNTING,
    DISTINCT,
    KINDS_OF_ANSWER,
    NEGATIONS,
    NOISE,
    NOISE_CJK,
    ROWS_CJK,
    WHICH,
)

LONGEST_QUESTION: Final = 300
_NUMERIC: Final = frozenset({ColumnType.NUMBER, ColumnType.FLOAT})
_ORDERED: Final = _NUMERIC | {ColumnType.DATE}
_NUMBER: Final = r"(-?\d{1,15}(?:\.\d{1,9})?)"
_SIGNS: Final = re.compile(r"[^\w\s.%+-]|(?<!\d)\.|\.(?!\d)")
_NOUN: Final = re.compile(
    r"\b(?:how many|number of|count of|which)\s+([a-z]+)(?:\s+([a-z]+))?", re.ASCII
)
_CJK: Final = re.compile(r"[\u3400-\u9fff]+")
_WORD: Final = re.compile(r"[^\W_\u3400-\u9fff]+")


class _Answer(StrEnum):
    """What is asked for."""

    COUNT = "count"
    SUM = "sum"
    AVERAGE = "avg"
    HIGHEST = "max"
    LOWEST = "min"


@dataclass(slots=True)
class _Question:
    """What is left to understand, and what was found so far."""

    text: str
    original: str
    columns: list[Column] = field(default_factory=list)
    filters: dict[int, list[str]] = field(default_factory=dict)
    conditions: list[str] = field(default_factory=list)

    def take(self, pattern: str) -> re.Match[str] | None:
        """Find a pattern and take it out of the text."""
        found = re.search(pattern, self.text)
        if found is not None:
            self.text = f"{self.text[: found.start()]} {self.text[found.end() :]}"
        return found


def read_question(question: str, table: TableDescription) -> str:
    """Return a query in MySQL's words, empty if the question is not understood completely."""
    if len(question) > LONGEST_QUESTION:
        return ""
    text = _SIGNS.sub(" ", question.lower())
    asked = _Question(text=text, original=text)
    _take_values(asked, table)
    _take_columns(asked, table.columns)
    if not _take_conditions(asked):
        return ""
    is_distinct = asked.take(DISTINCT) is not None
    is_count = asked.take(COUNTING) is not None
    kind = next((_Answer(name) for name, said in KINDS_OF_ANSWER if asked.take(said)), None)
    asks_which = asked.take(WHICH) is not None
    if _is_unclear(asked, table.name, may_name_rows=is_count or asks_which):
        return ""
    where = _where(asked, table.columns)
    if is_count and kind in {None, _Answer.SUM}:
        return _count(asked, table.name, where, is_distinct=is_distinct)
    if kind is None or is_count or is_distinct:
        return ""
    return _number(asked, table, kind, where, asks_which=asks_which)


def _count(asked: _Question, name: str, where: str, *, is_distinct: bool) -> str:
    if any(column.type in _ORDERED for column in asked.columns):
        return ""  # "how many people" may mean a column that holds the number
    what = "*"
    if is_distinct:
        if len(asked.columns) != 1:
            return ""
        what = f"DISTINCT {_quoted(asked.columns[0].name)}"
    return f"SELECT COUNT({what}) AS `count` FROM {_quoted(name)}{where}"  # noqa: S608


def _number(
    asked: _Question, table: TableDescription, kind: _Answer, where: str, *, asks_which: bool
) -> str:
    is_extreme = kind in {_Answer.HIGHEST, _Answer.LOWEST}
    allowed = _ORDERED if is_extreme else _NUMERIC
    measured = [column for column in asked.columns if column.type in allowed]
    if len(measured) != 1:
        return ""
    (column,) = measured
    others = [other for other in asked.columns if other is not column]
    value, name = _quoted(column.name), _quoted(table.name)
    best = f"SELECT {kind.value.upper()}({value}) FROM {name}{where}"  # noqa: S608
    if not is_extreme or not (asks_which or others):
        if others or asks_which:
            return ""
        label = f"{kind.value}_{column.name}"
        return f"SELECT {kind.value.upper()}({value}) AS {_quoted(label)} FROM {name}{where}"  # noqa: S608
    shown = [item for item in table.columns if item.is_semantic or item in others]
    names = ", ".join(_quoted(item.name) for item in dict.fromkeys([*shown, column]))
    condition = f"{where} AND" if where else " WHERE"
    return f"SELECT {names} FROM {name}{condition} {value} = ({best})"  # noqa: S608


def _take_values(asked: _Question, table: TableDescription) -> None:
    known = [(value, column) for column, values in table.values for value in values]
    for value, column in sorted(known, key=lambda item: -len(item[0])):
        said = _SIGNS.sub(" ", value.lower()).strip()
        if len(said) > 1 and asked.take(_bounded(re.escape(said))):
            asked.filters.setdefault(column, []).append(value)


def _take_columns(asked: _Question, columns: Iterable[Column]) -> None:
    named = [(name, column) for column in columns for name in _names(column.name)]
    for name, column in sorted(named, key=lambda item: -len(item[0])):
        if column not in asked.columns and asked.take(_bounded(re.escape(name))):
            asked.columns.append(column)


def _take_conditions(asked: _Question) -> bool:
    """Take comparisons with numbers; False for one without a column it is certain to be about."""
    for sign, said in COMPARISONS:
        while (found := asked.take(f"(?:{said})\\s*{_NUMBER}")) is not None:
            numeric = [column for column in asked.columns if column.type in _NUMERIC]
            if len(numeric) != 1:
                return False
            asked.conditions.append(f"{_quoted(numeric[0].name)} {sign} {found[1]}")
    if asked.conditions:
        asked.columns = [column for column in asked.columns if column.type not in _NUMERIC]
    return True


def _where(asked: _Question, columns: Iterable[Column]) -> str:
    names: Mapping[int, str] = {column.id: column.name for column in columns}
    parts = [
        f"{_quoted(names[column])} IN ({', '.join(map(_literal, values))})"
        for column, values in asked.filters.items()
    ]
    parts += asked.conditions
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _is_unclear(asked: _Question, table_name: str, *, may_name_rows: bool) -> bool:
    """Tell whether words are left that may change the answer."""
    for name in _names(table_name):
        asked.take(_bounded(re.escape(name)))
    rest = asked.text
    if may_name_rows:
        _take_noun(asked)
        rest = ROWS_CJK.sub(" ", asked.text)
    words = [word for word in _WORD.findall(rest) if word not in NOISE]
    return bool(words or _CJK.search(NOISE_CJK.sub(" ", rest)))


def _take_noun(asked: _Question) -> None:
    """Take what a question calls the rows; a word before it would be a condition."""
    found = _NOUN.search(asked.original)
    if found is None or found[1] in NEGATIONS or (found[2] and found[2] not in NOISE):
        return
    asked.take(_bounded(re.escape(found[1])))


def _names(name: str) -> list[str]:
    """Return how a name may be written in a question."""
    lower = _SIGNS.sub(" ", name.lower()).strip()
    names = {lower, lower.replace("_", " "), lower.rsplit(".", 1)[0]}
    for one in tuple(names):
        names |= {f"{one}s", f"{one}es", f"{one.removesuffix('y')}ies"}
        names |= {one.removesuffix("s"), f"{one.removesuffix('ies')}y"}
    return sorted((item for item in names if item), key=len, reverse=True)


def _bounded(pattern: str) -> str:
    """Let a Latin word begin and end as one; Chinese has no such boundaries."""
    return rf"(?<![a-z0-9]){pattern}(?![a-z0-9])"


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
