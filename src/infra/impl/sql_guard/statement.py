"""Statements that also write: turned into reading ones, which the guard of queries compiles."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import reduce
from typing import Final

from sqlglot import exp

from domain.shared.limits import Limits
from infra.contract.table.change import (
    MAX_CHANGED_ROWS,
    Comparator,
    Comparison,
    Conditions,
    GuardedDelete,
    GuardedInsert,
    GuardedStatement,
    GuardedUpdate,
    RowQuery,
    TableGrant,
)
from infra.contract.table.sql_guard import (
    GrantedTable,
    GuardedSql,
    Refusal,
    Scalar,
    SqlDialect,
    SqlGrant,
)
from infra.impl.sql_guard.expression import MAX_IN_ITEMS, only
from infra.impl.sql_guard.fragment import refuse, shown
from infra.impl.sql_guard.guard import READING, SqlglotGuard
from infra.impl.sql_guard.reading import read
from infra.impl.sql_guard.scope import fold

MAX_CHARS: Final = 32 * 1024
MAX_INSERTED_ROWS: Final = 500
_PLACE: Final = "p"
_KINDS: Final = "A statement is SELECT, INSERT, UPDATE or DELETE."
_LITERAL_LIMITS: Final = Limits()
_UNFIT: Final = "This statement cannot be executed; write it differently."
MAX_VALUES: Final = 1000
MAX_CONDITIONS: Final = 100
_BINARY: Final[Mapping[Comparator, type[exp.Expr]]] = {
    Comparator.EQUAL: exp.EQ,
    Comparator.NOT_EQUAL: exp.NEQ,
    Comparator.GREATER: exp.GT,
    Comparator.LESS: exp.LT,
    Comparator.GREATER_EQUAL: exp.GTE,
    Comparator.LESS_EQUAL: exp.LTE,
    Comparator.LIKE: exp.Like,
}
_NEGATED: Final = {
    Comparator.NOT_IN: Comparator.IN,
    Comparator.NOT_LIKE: Comparator.LIKE,
    Comparator.IS_NOT_NULL: Comparator.IS_NULL,
}
_STAMP: Final = "%Y-%m-%d %H:%M:%S"
_MAX_INTEGER: Final = 2**63 - 1
_MAX_DIGITS: Final = 19


class SqlglotStatementGuard:
    """Compiles MySQL for one engine, reading up to one row more than a statement may touch."""

    def __init__(self, *, dialect: SqlDialect) -> None:
        self._guard = SqlglotGuard(
            dialect=dialect, limits=_LITERAL_LIMITS, max_rows=MAX_CHANGED_ROWS + 1
        )

    def check(
        self,
        pieces: Sequence[str],
        parameters: Sequence[Scalar],
        grant: TableGrant,
        *,
        now: datetime,
    ) -> GuardedStatement:
        root = read(_numbered(pieces), max_chars=MAX_CHARS)
        try:
            root = _bound(root, parameters)
            return self._compile(root, grant, now)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError) as exc:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, _UNFIT) from exc

    def rows(self, query: RowQuery, grant: TableGrant, *, now: datetime) -> GuardedSql:
        return self._guard.compile(select_of(query, grant.table), _reading(grant), now=now)

    def _compile(self, root: exp.Expr, grant: TableGrant, now: datetime) -> GuardedStatement:
        if isinstance(root, READING):
            return self._guard.compile(root, _reading(grant), now=now)
        if isinstance(root, exp.Insert):
            return _insert(root, grant.table, now)
        if isinstance(root, exp.Update):
            return self._update(root, grant, now)
        if isinstance(root, exp.Delete):
            return self._delete(root, grant, now)
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, _KINDS)

    def _update(self, node: exp.Update, grant: TableGrant, now: datetime) -> GuardedUpdate:
        only(node, "this", "expressions", "where", "order", "limit")
        columns: list[str] = []
        cells: list[exp.Expr] = []
        for item in node.expressions:
            if not isinstance(item, exp.EQ) or not isinstance(item.this, exp.Column):
                raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "SET takes column = value.")
            only(item, "this", "expression")
            only(item.this, "this", "table")
            columns.append(_writable(grant.table, item.this.name))
            cells.append(item.expression)
        if not columns or len(set(columns)) < len(columns):
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "SET names each column once.")
        return GuardedUpdate(
            columns=tuple(columns), selection=self._selection(node, cells, grant, now)
        )

    def _delete(self, node: exp.Delete, grant: TableGrant, now: datetime) -> GuardedDelete:
        only(node, "this", "where", "order", "limit")
        return GuardedDelete(selection=self._selection(node, [exp.Literal.number(1)], grant, now))

    def _selection(
        self, node: exp.Expr, cells: Sequence[exp.Expr], grant: TableGrant, now: datetime
    ) -> GuardedSql:
        """SELECT the rows that the statement would change."""
        if node.args.get("where") is None:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "UPDATE and DELETE need WHERE.")
        listed = [
            exp.Alias(this=cell, alias=exp.to_identifier(f"v{number}"))
            for number, cell in enumerate(cells, 1)
        ]
        select = exp.Select(expressions=listed, from_=exp.From(this=node.this))
        for name in ("where", "order", "limit"):
            if node.args.get(name) is not None:
                select.set(name, node.args[name])
        selection = self._guard.compile(select, _reading(grant), now=now)
        if not selection.has_key:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "SET takes no aggregates.")
        return selection


def _reading(grant: TableGrant) -> SqlGrant:
    return SqlGrant(space_id=grant.space_id, tables=(grant.table,))


def _numbered(pieces: Sequence[str]) -> str:
    text = pieces[0] if pieces else ""
    for number, piece in enumerate(pieces[1:]):
        text += f" :{_PLACE}{number} {piece}"
    return text


def _bound(root: exp.Expr, parameters: Sequence[Scalar]) -> exp.Expr:
    """Put values in the place of placeholders, in the tree; the text never has them."""
    places = [*root.find_all(exp.Placeholder, exp.Parameter, exp.SessionParameter)]
    wanted = {f"{_PLACE}{number}": value for number, value in enumerate(parameters)}
    if len(places) != len(wanted):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "Only given parameters can be used, once each.")
    for place in places:
        name = place.name if isinstance(place, exp.Placeholder) else ""
        if name not in wanted:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "Only given parameters can be used.")
        value = wanted.pop(name)
        place.replace(_column(value) if _stands_for_column(place) else as_node(value))
    return root


def _stands_for_column(place: exp.Expr) -> bool:
    parent = place.parent
    if isinstance(parent, exp.Schema | exp.Ordered | exp.Group):
        return True
    return (
        isinstance(parent, exp.EQ)
        and place.arg_key == "this"
        and isinstance(parent.parent, exp.Update)
        and parent.arg_key == "expressions"
    )


def _column(value: Scalar) -> exp.Expr:
    """A name, which the tables then know or not."""
    if not isinstance(value, str):
        raise refuse(Refusal.UNKNOWN_COLUMN, "A parameter here is the name of a column.")
    return exp.Column(this=exp.to_identifier(value, quoted=True))


def _writable(table: GrantedTable, name: str) -> str:
    for column in table.columns:
        if fold(column.name) == fold(name):
            if column.is_hidden:
                raise refuse(Refusal.FORBIDDEN_CONSTRUCT, f"{shown(name)} cannot be written.")
            return column.name
    raise refuse(Refusal.UNKNOWN_COLUMN, f"There is no column {shown(name)}.")


def _insert(node: exp.Insert, table: GrantedTable, now: datetime) -> GuardedInsert:
    only(node, "this", "expression")
    target, columns = node.this, [each.name for each in table.columns if not each.is_hidden]
    if isinstance(target, exp.Schema):
        only(target, "this", "expressions")
        columns = [_writable(table, _name(each)) for each in target.expressions]
        target = target.this
    if not isinstance(target, exp.Table) or not isinstance(target.this, exp.Identifier):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "INSERT names one table.")
    only(target, "this")
    if fold(target.name) != fold(table.name):
        raise refuse(Refusal.UNKNOWN_TABLE, f"There is no table {shown(target.name)}.")
    if len(set(columns)) < len(columns):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "INSERT names each column once.")
    values = node.expression
    if not isinstance(values, exp.Values):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "INSERT takes VALUES.")
    only(values, "expressions")
    if not 0 < len(values.expressions) <= MAX_INSERTED_ROWS:
        raise refuse(Refusal.TOO_COMPLEX, f"INSERT takes 1 to {MAX_INSERTED_ROWS} rows.")
    rows = []
    for row in values.expressions:
        cells = row.expressions if isinstance(row, exp.Tuple) else [row]
        if len(cells) != len(columns):
            raise refuse(Refusal.SYNTAX, f"Each row has {len(columns)} values.")
        rows.append(tuple(value_of(cell, now) for cell in cells))
    return GuardedInsert(columns=tuple(columns), rows=tuple(rows))


def _name(node: exp.Expr) -> str:
    """The name of a column in the list of INSERT."""
    if isinstance(node, exp.Column):
        only(node, "this")
    elif not isinstance(node, exp.Identifier):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "INSERT lists names of columns.")
    return node.name


def select_of(query: RowQuery, table: GrantedTable) -> exp.Select:
    """Build the tree; names are looked up and values bound when it is compiled."""
    listed: list[exp.Expr] = [_column_node(name) for name in query.columns]
    if not listed:
        listed = [exp.Alias(this=exp.Count(this=exp.Star()), alias=exp.to_identifier("n"))]
    select = exp.Select(
        expressions=listed,
        from_=exp.From(this=exp.Table(this=exp.to_identifier(table.name, quoted=True))),
    )
    if query.where is not None and query.where.parts:
        select.set("where", exp.Where(this=_conditions(query.where, [0])))
    if query.is_distinct:
        select.set("distinct", exp.Distinct())
    if query.orders and query.columns:
        terms = [
            exp.Ordered(this=_column_node(name), desc=not is_ascending)
            for name, is_ascending in query.orders
        ]
        select.set("order", exp.Order(expressions=terms))
    if query.columns:
        select.set("limit", exp.Limit(expression=exp.Literal.number(query.limit)))
        if query.offset:
            select.set("offset", exp.Offset(expression=exp.Literal.number(query.offset)))
    return select


def _column_node(name: str) -> exp.Column:
    return exp.Column(this=exp.to_identifier(name, quoted=True))


def _conditions(wanted: Conditions, count: list[int]) -> exp.Expr:
    parts = [
        _conditions(part, count) if isinstance(part, Conditions) else _test(part, count)
        for part in wanted.parts
    ]
    if not parts:
        raise refuse(Refusal.SYNTAX, "A group of conditions is empty.")
    return exp.Paren(this=_joined(parts, exp.And if wanted.logic == "and" else exp.Or))


def _joined(parts: Sequence[exp.Expr], kind: type[exp.Expr]) -> exp.Expr:
    return reduce(lambda left, right: kind(this=left, expression=right), parts)


def _test(wanted: Comparison, count: list[int]) -> exp.Expr:
    count[0] += 1
    if count[0] > MAX_CONDITIONS:
        raise refuse(Refusal.TOO_COMPLEX, f"A filter has up to {MAX_CONDITIONS} conditions.")
    comparator = _NEGATED.get(wanted.comparator)
    if comparator is not None:
        positive = Comparison(column=wanted.column, comparator=comparator, values=wanted.values)
        return exp.Not(this=exp.Paren(this=_positive(positive)))
    return _positive(wanted)


def _positive(wanted: Comparison) -> exp.Expr:
    if wanted.comparator is Comparator.IS_NULL:
        return exp.Is(this=_column_node(wanted.column), expression=exp.Null())
    if wanted.comparator is Comparator.IN:
        return _in(wanted.column, wanted.values)
    if len(wanted.values) != 1:
        raise refuse(Refusal.SYNTAX, "A comparison takes one value.")
    (value,) = wanted.values
    kind = _BINARY[wanted.comparator]
    return kind(this=_column_node(wanted.column), expression=as_node(value))


def _in(column: str, values: Sequence[Scalar]) -> exp.Expr:
    """IN, in portions that the guard takes."""
    if not 0 < len(values) <= MAX_VALUES:
        raise refuse(Refusal.TOO_COMPLEX, f"IN takes 1 to {MAX_VALUES} values.")
    portions: list[exp.Expr] = [
        exp.In(
            this=_column_node(column),
            expressions=[as_node(value) for value in values[start : start + MAX_IN_ITEMS]],
        )
        for start in range(0, len(values), MAX_IN_ITEMS)
    ]
    return exp.Paren(this=_joined(portions, exp.Or))


def as_node(value: Scalar) -> exp.Expr:
    """Write a value as a constant; raise ``SqlRefused`` for a number that no engine has."""
    match value:
        case None:
            return exp.Null()
        case bool():
            return exp.Boolean(this=value)
        case str():
            return exp.Literal.string(value)
        case int() if abs(value) <= _MAX_INTEGER:
            number = exp.Literal.number(abs(value))
        case float() if math.isfinite(value):
            number = exp.Literal.number(repr(abs(value)))
        case _:
            raise refuse(Refusal.TYPE_MISMATCH, "This number is too large.")
    return exp.Neg(this=number) if value < 0 else number


def value_of(node: exp.Expr, now: datetime) -> Scalar:  # noqa: PLR0911 - one per form
    """Read a constant of VALUES; raise ``SqlRefused`` for anything that has to be computed."""
    match node:
        case exp.Literal():
            only(node, "this", "is_string")
            return node.name if node.is_string else _number(node.name)
        case exp.Null():
            return None
        case exp.Boolean():
            return bool(node.this)
        case exp.Paren():
            only(node, "this")
            return value_of(node.this, now)
        case exp.Neg():
            only(node, "this")
            value = value_of(node.this, now)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise refuse(Refusal.TYPE_MISMATCH, "Only a number has a sign.")
            return -value
        case exp.CurrentTimestamp():
            return now.strftime(_STAMP)
        case exp.CurrentDate():
            return now.strftime("%Y-%m-%d 00:00:00")
        case exp.Anonymous() if node.name.upper() == "NOW" and not node.expressions:
            return now.strftime(_STAMP)
        case exp.Var() if node.name.upper() == "DEFAULT":
            return None
        case _:
            raise refuse(
                Refusal.FORBIDDEN_CONSTRUCT,
                "VALUES takes constants and NOW(); compute other values before.",
            )


def _number(text: str) -> int | float:
    if text.isascii() and text.isdigit():
        number: int | float = int(text) if len(text) <= _MAX_DIGITS else _MAX_INTEGER + 1
    else:
        number = float(text)
    if not math.isfinite(number) or (abs(number) > _MAX_INTEGER and isinstance(number, int)):
        raise refuse(Refusal.TYPE_MISMATCH, "This number is too large.")
    return number
