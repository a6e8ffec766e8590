"""Writes as text and parameters, made without the ORM's detours; on PostgreSQL several as one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, Final
from weakref import WeakKeyDictionary

import sqlalchemy as sa

MOST_ROWS: Final = 8
"""Of one write: each number of rows makes a text of its own, which the server must prepare."""
_PLACE: Final = re.compile(r"\$(\d+)")
_VALUES: Final = " VALUES "


def table_name(statement: sa.Insert | sa.Update) -> str:
    """Return the name of the table that is written to."""
    if not isinstance(statement.table, sa.Table):
        raise TypeError("Only tables are written to.")
    return statement.table.name


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """A statement nobody wants rows of, for some sets of parameters.

    ``unchanged`` is raised if it changes nothing; then the other writes are not done either.
    """

    statement: sa.Insert | sa.Update
    rows: Sequence[Mapping[str, Any]]
    unchanged: Exception | None = None

    @property
    def table(self) -> str:
        return table_name(self.statement)

    @property
    def can_be_combined(self) -> bool:
        most = MOST_ROWS if isinstance(self.statement, sa.Insert) else 1
        return 0 < len(self.rows) <= most


@dataclass(frozen=True, slots=True, eq=False)
class _Value:
    """Where a parameter comes from: the row, or the statement itself."""

    name: str
    fixed: Any
    process: Any

    def of(self, row: Mapping[str, Any]) -> Any:
        value = row.get(self.name, self.fixed)
        return value if self.process is None else self.process(value)


@dataclass(frozen=True, slots=True, eq=False)
class _Template:
    """A statement's text around the part that is repeated for each row."""

    head: str
    group: str
    tail: str
    row_values: tuple[_Value, ...]
    tail_values: tuple[_Value, ...]

    def parameters(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
        for row in rows:
            for value in self.row_values:
                yield value.of(row)
        for value in self.tail_values:
            yield value.of({})


@dataclass(frozen=True, slots=True, eq=False)
class _Plain:
    """A statement's text as SQLite takes it, and its parameters in their order."""

    text: str
    values: tuple[_Value, ...]


_plain: Final[WeakKeyDictionary[Any, dict[frozenset[str], _Plain]]] = WeakKeyDictionary()
_templates: Final[WeakKeyDictionary[Any, dict[frozenset[str], _Template]]] = WeakKeyDictionary()
"""By statement and columns given: what is compiled must be made once, and kept by its owner."""


def plain(write: Write, dialect: sa.Dialect) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the text and the parameters of each row, for SQLite."""
    known = _plain.setdefault(write.statement, {})
    columns = frozenset(write.rows[0])
    if columns not in known:
        compiled: Any = write.statement.compile(dialect=dialect, column_keys=sorted(columns))
        values = _values(compiled, compiled.positiontup, dialect)
        known[columns] = _Plain(compiled.string, values)
    found = known[columns]
    return found.text, [tuple(value.of(row) for value in found.values) for row in write.rows]


def combine(writes: Sequence[Write], dialect: sa.Dialect) -> tuple[str, tuple[Any, ...]]:
    """Return the text and the parameters; it returns a row if the guard among them changed one.

    At most one of them, the first, has ``unchanged``; each is on a table of its own.
    """
    parts = [(_template(write, dialect), len(write.rows)) for write in writes]
    text = _text(tuple(parts), writes[0].unchanged is not None)
    parameters = (
        value
        for (template, _), write in zip(parts, writes, strict=True)
        for value in template.parameters(write.rows)
    )
    return text, tuple(parameters)


@lru_cache(maxsize=512)
def _text(parts: tuple[tuple[_Template, int], ...], has_guard: bool) -> str:
    numbers = count(1)
    texts = [
        _part(template, rows, depends=has_guard and at > 0)
        for at, (template, rows) in enumerate(parts)
    ]
    if has_guard:
        texts[0] += " RETURNING 1"
        texts.append("SELECT 1 FROM w0")
    named = [f"w{at} AS ({text})" for at, text in enumerate(texts[:-1])]
    whole = f"WITH {', '.join(named)} {texts[-1]}" if named else texts[-1]
    return _PLACE.sub(lambda _: f"${next(numbers)}", whole)


def _part(template: _Template, rows: int, *, depends: bool) -> str:
    groups = ", ".join([template.group] * rows)
    if not depends:
        return f"{template.head}{groups}{template.tail}"
    # Only after a change of the guard's row; the order of the rows stays.
    given = f"SELECT * FROM (VALUES {groups}) AS given WHERE EXISTS (SELECT FROM w0)"  # noqa: S608
    return f"{template.head.removesuffix(_VALUES)} {given}{template.tail}"


def _template(write: Write, dialect: sa.Dialect) -> _Template:
    known = _templates.setdefault(write.statement, {})
    columns = frozenset(write.rows[0])
    if columns not in known:
        known[columns] = _compiled(write.statement, sorted(columns), dialect)
    return known[columns]


def _compiled(
    statement: sa.Insert | sa.Update, columns: Sequence[str], dialect: sa.Dialect
) -> _Template:
    compiled: Any = statement.compile(dialect=dialect, column_keys=columns)

    def values(text: str) -> tuple[_Value, ...]:
        names = [compiled.positiontup[int(number) - 1] for number in _PLACE.findall(text)]
        return _values(compiled, names, dialect)

    head, group, tail = _split(compiled.string)
    return _Template(head, group, tail, values(group), values(tail))


def _values(compiled: Any, names: Sequence[str], dialect: sa.Dialect) -> tuple[_Value, ...]:
    fixed = compiled.params
    return tuple(
        _Value(
            name,
            fixed.get(name),
            compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect),
        )
        for name in names
    )


def _split(text: str) -> tuple[str, str, str]:
    """Take an insert apart; anything else is one group that is there once."""
    before, found, after = text.partition(_VALUES)
    if not found:
        return "", text, ""
    depth = 0
    for at, character in enumerate(after):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return before + found, after[: at + 1], after[at + 1 :]
    raise ValueError(f"This is not an insert of values: {text}")
