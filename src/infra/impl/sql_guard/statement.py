"""Statements that also write: turned into reading ones, which the guard of queries compiles."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlglot import exp

from domain.shared.limits import Limits
from infra.contract.sql_guard import (
    GrantedTable,
    GuardedSql,
    Refusal,
    Scalar,
    SqlDialect,
    SqlGrant,
)
from infra.contract.table_change import (
    MAX_CHANGED_ROWS,
    GuardedDelete,
    GuardedInsert,
    GuardedStatement,
    GuardedUpdate,
    RowQuery,
    TableGrant,
)
from infra.impl.sql_guard.constant import as_node, value_of
from infra.impl.sql_guard.expression import only
from infra.impl.sql_guard.fragment import refuse, shown
from infra.impl.sql_guard.guard import READING, SqlglotGuard
from infra.impl.sql_guard.reading import read
from infra.impl.sql_guard.row_query import select_of
from infra.impl.sql_guard.scope import fold

MAX_CHARS: Final = 32 * 1024
MAX_INSERTED_ROWS: Final = 500
_PLACE: Final = "p"
_KINDS: Final = "A statement is SELECT, INSERT, UPDATE or DELETE."
_LITERAL_LIMITS: Final = Limits()
_UNFIT: Final = "This statement cannot be executed; write it differently."


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
