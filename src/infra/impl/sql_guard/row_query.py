"""Queries that no author wrote, from their parts to the tree of a statement."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final

from sqlglot import exp

from infra.contract.sql_guard import GrantedTable, Refusal, Scalar
from infra.contract.table_change import Comparator, Comparison, Conditions, RowQuery
from infra.impl.sql_guard.constant import as_node
from infra.impl.sql_guard.expression import MAX_IN_ITEMS
from infra.impl.sql_guard.fragment import refuse

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


def select_of(query: RowQuery, table: GrantedTable) -> exp.Select:
    """Build the tree; names are looked up and values bound when it is compiled."""
    listed: list[exp.Expr] = [_column(name) for name in query.columns]
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
            exp.Ordered(this=_column(name), desc=not is_ascending)
            for name, is_ascending in query.orders
        ]
        select.set("order", exp.Order(expressions=terms))
    if query.columns:
        select.set("limit", exp.Limit(expression=exp.Literal.number(query.limit)))
        if query.offset:
            select.set("offset", exp.Offset(expression=exp.Literal.number(query.offset)))
    return select


def _column(name: str) -> exp.Column:
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
        return exp.Is(this=_column(wanted.column), expression=exp.Null())
    if wanted.comparator is Comparator.IN:
        return _in(wanted.column, wanted.values)
    if len(wanted.values) != 1:
        raise refuse(Refusal.SYNTAX, "A comparison takes one value.")
    (value,) = wanted.values
    kind = _BINARY[wanted.comparator]
    return kind(this=_column(wanted.column), expression=as_node(value))


def _in(column: str, values: Sequence[Scalar]) -> exp.Expr:
    """IN, in portions that the guard takes."""
    if not 0 < len(values) <= MAX_VALUES:
        raise refuse(Refusal.TOO_COMPLEX, f"IN takes 1 to {MAX_VALUES} values.")
    portions: list[exp.Expr] = [
        exp.In(
            this=_column(column),
            expressions=[as_node(value) for value in values[start : start + MAX_IN_ITEMS]],
        )
        for start in range(0, len(values), MAX_IN_ITEMS)
    ]
    return exp.Paren(this=_joined(portions, exp.Or))
