"""Writes as text and parameters, made without the ORM's detours; on PostgreSQL several as one."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from operator import itemgetter
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


class _Values:
    """The parameters of a text in their order: fields of a row, and what the statement says itself.

    They are picked in one call: a row has up to forty of them, and a chat writes a dozen rows.
    """

    __slots__ = ("_fixed", "_names", "_pick", "_processes")

    def __init__(
        self, compiled: Any, names: Sequence[str], columns: Collection[str], dialect: sa.Dialect
    ) -> None:
        said = compiled.params
        kinds = [compiled.binds[name].type.dialect_impl(dialect) for name in names]
        processes = [kind.bind_processor(dialect) for kind in kinds]
        self._fixed: dict[str, Any] = {}
        self._processes: list[tuple[int, Callable[[Any], Any]]] = []
        for at, (name, process) in enumerate(zip(names, processes, strict=True)):
            if name not in columns:
                value = said.get(name)
                self._fixed[name] = value if process is None else process(value)
            elif process is not None:
                self._processes.append((at, process))
        self._names = names
        self._pick = _picker(names)

    def of(self, row: Mapping[str, Any]) -> list[Any]:
        """Return them for one row."""
        return self._processed(self._pick({**row, **self._fixed} if self._fixed else row))

    def by_place(self, columns: Sequence[str]) -> Callable[[tuple[Any, ...]], list[Any]]:
        """Return what makes them of a row whose fields have no names, but the order of these."""
        names = [*columns, *self._fixed]
        fixed = tuple(self._fixed.values())
        if not fixed and names == [*self._names]:
            return self._processed
        pick = _picker([names.index(name) for name in self._names])
        return lambda row: self._processed(pick(row + fixed if fixed else row))

    def _processed(self, picked: Sequence[Any]) -> list[Any]:
        values = [*picked]
        for at, process in self._processes:
            values[at] = process(values[at])
        return values


def _picker(names: Sequence[Any]) -> Callable[[Any], Sequence[Any]]:
    if len(names) > 1:
        return itemgetter(*names)
    return lambda row: [row[name] for name in names]


@dataclass(frozen=True, slots=True, eq=False)
class _Template:
    """A statement's text around the part that is repeated for each row."""

    head: str
    group: str
    tail: str
    row_values: _Values
    tail_values: _Values

    def parameters(self, rows: Sequence[Mapping[str, Any]]) -> list[Any]:
        found: list[Any] = []
        for row in rows:
            found += self.row_values.of(row)
        return found + self.tail_values.of({})


@dataclass(frozen=True, slots=True, eq=False)
class _Plain:
    """A statement's text as SQLite takes it, and its parameters in their order."""

    text: str
    values: _Values


_plain: Final[WeakKeyDictionary[Any, dict[frozenset[str], _Plain]]] = WeakKeyDictionary()
_templates: Final[WeakKeyDictionary[Any, dict[frozenset[str], _Template]]] = WeakKeyDictionary()
"""By statement and columns given: what is compiled must be made once, and kept by its owner."""


def plain(write: Write, dialect: sa.Dialect) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the text and the parameters of each row, for SQLite."""
    known = _plain.setdefault(write.statement, {})
    columns = frozenset(write.rows[0])
    if columns not in known:
        known[columns] = _plain_of(write.statement, columns, dialect)
    found = known[columns]
    return found.text, [tuple(found.values.of(row)) for row in write.rows]


def plain_by_place(
    statement: sa.Insert, columns: Sequence[str], dialect: sa.Dialect
) -> tuple[str, Callable[[tuple[Any, ...]], list[Any]]]:
    """Return the text for SQLite, and what makes the parameters of a row in this order.

    For those who write much and keep both: names cost more than what they stand for.
    """
    found = _plain_of(statement, columns, dialect)
    return found.text, found.values.by_place(columns)


def _plain_of(
    statement: sa.Insert | sa.Update, columns: Collection[str], dialect: sa.Dialect
) -> _Plain:
    # In one order, so that equal columns give equal texts, which SQLite prepares once.
    compiled: Any = statement.compile(dialect=dialect, column_keys=sorted(columns))
    return _Plain(
        compiled.string, _Values(compiled, compiled.positiontup, frozenset(columns), dialect)
    )


def combine(writes: Sequence[Write], dialect: sa.Dialect) -> tuple[str, tuple[Any, ...]]:
    """Return the text and the parameters; it returns a row if the guard among them changed one.

    At most one of them, the first, has ``unchanged``; each is on a table of its own.
    """
    parts = [(_template(write, dialect), len(write.rows)) for write in writes]
    text = _text(tuple(parts), writes[0].unchanged is not None)
    parameters: list[Any] = []
    for (template, _), write in zip(parts, writes, strict=True):
        parameters += template.parameters(write.rows)
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
    # PostgreSQL runs each part of a WITH that writes, whether it is read or not, and in no order
    # that it would promise: hence one part for a table, and ``depends`` for what must follow the
    # guard.
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

    def values(text: str) -> _Values:
        names = [compiled.positiontup[int(number) - 1] for number in _PLACE.findall(text)]
        return _Values(compiled, names, columns, dialect)

    head, group, tail = _split(compiled.string)
    return _Template(head, group, tail, values(group), values(tail))


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
