"""Aggregates and window functions."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from sqlglot import exp

from infra.contract.sql_guard import CellKind, Refusal, SqlDialect
from infra.impl.sql_guard.expression import Expressions, only
from infra.impl.sql_guard.fragment import Fragment, combine, refuse

MAX_FRAME_DIGITS: Final = 6
JOINED_WIDTH: Final = 256 * 1024
"""What the result of GROUP_CONCAT counts for."""
_RANKINGS: Final[Mapping[type[exp.Expr], str]] = {
    exp.RowNumber: "ROW_NUMBER()",
    exp.Rank: "RANK()",
    exp.DenseRank: "DENSE_RANK()",
}
_FRAME_SIDES: Final = frozenset({"PRECEDING", "FOLLOWING"})


def _argument(to: Expressions, node: exp.Expr) -> tuple[Fragment, str]:
    """Write what is aggregated, and DISTINCT if it says so."""
    if isinstance(node, exp.Distinct):
        only(node, "expressions")
        if len(node.expressions) != 1:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "DISTINCT in an aggregate takes one value.")
        return _inner(to, node.expressions[0]), "DISTINCT "
    return _inner(to, node), ""


def _inner(to: Expressions, node: exp.Expr) -> Fragment:
    if not to.scope.allows_aggregates:
        raise refuse(
            Refusal.FORBIDDEN_CONSTRUCT, "An aggregate stands in SELECT, HAVING, ORDER BY."
        )
    value = to.write(node)
    if value.has_window:
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A window function cannot be aggregated.")
    return value


def _aggregate(text: str, kind: CellKind | None, value: Fragment, width: int = 32) -> Fragment:
    # Inside a window, and only there, an aggregate may have another one in it.
    if value.has_aggregate:
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "An aggregate cannot contain another one.")
    return Fragment(text=text, kind=kind, has_aggregate=True, width=width)


def _count(to: Expressions, node: exp.Count) -> Fragment:
    only(node, "this", "big_int")
    if isinstance(node.this, exp.Star):
        only(node.this)
        if not to.scope.allows_aggregates:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "COUNT stands in SELECT, HAVING, ORDER BY.")
        return Fragment(text="COUNT(*)", kind=CellKind.INTEGER, has_aggregate=True)
    value, distinct = _argument(to, node.this)
    return _aggregate(f"COUNT({distinct}{value.text})", CellKind.INTEGER, value)


def _sum(to: Expressions, node: exp.Sum) -> Fragment:
    only(node, "this")
    value, distinct = _argument(to, node.this)
    value = to.convert.number(value)
    return _aggregate(f"SUM({distinct}{value.text})", value.kind, value)


def _average(to: Expressions, node: exp.Avg) -> Fragment:
    only(node, "this")
    value, distinct = _argument(to, node.this)
    value = to.convert.real(value)
    return _aggregate(f"AVG({distinct}{value.text})", CellKind.FLOAT, value)


def _extreme(to: Expressions, node: exp.Max | exp.Min) -> Fragment:
    only(node, "this")
    value, _ = _argument(to, node.this)
    if value.kind is CellKind.BOOLEAN:
        value = to.convert.number(value)
    name = "MAX" if isinstance(node, exp.Max) else "MIN"
    return _aggregate(f"{name}({value.text})", value.kind, value, value.width)


def _join(to: Expressions, node: exp.GroupConcat) -> Fragment:
    only(node, "this", "separator")
    separator = node.args.get("separator") or exp.Literal.string(",")
    if not (isinstance(separator, exp.Literal) and separator.is_string):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A separator is a text.")
    if isinstance(node.this, exp.Order):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "GROUP_CONCAT takes no ORDER BY here.")
    value, distinct = _argument(to, node.this)
    if distinct and separator.name != "," and to.engine.dialect is SqlDialect.SQLITE:
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "GROUP_CONCAT(DISTINCT …) takes no SEPARATOR.")
    value = to.convert.text(value)
    placed = to.convert.text_constant(separator.name)
    text = to.engine.join_texts(value.text, placed.text, is_distinct=bool(distinct))
    return _aggregate(text, CellKind.TEXT, value, JOINED_WIDTH)


def _window(to: Expressions, node: exp.Window) -> Fragment:
    only(node, "this", "partition_by", "order", "spec", "over")
    if not to.scope.allows_aggregates:
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A window function stands in SELECT or ORDER BY.")
    function = _windowed(to, node.this)
    parts = [to.write(part) for part in node.args.get("partition_by") or []]
    clauses = []
    if parts:
        clauses.append(f"PARTITION BY {', '.join(part.text for part in parts)}")
    if node.args.get("order") is not None:
        terms, text = _ordering(to, node.args["order"])
        parts += terms
        clauses.append(f"ORDER BY {text}")
    if node.args.get("spec") is not None:
        clauses.append(_frame(node.args["spec"]))
    text = f"{function.text} OVER ({' '.join(clauses)})"
    return replace(combine(text, function.kind, function, *parts, width=32), has_window=True)


def _windowed(to: Expressions, node: exp.Expr) -> Fragment:
    """The function of a window: its argument is not aggregated away, so it keeps its columns."""
    if type(node) in _RANKINGS:
        only(node)
        return Fragment(text=_RANKINGS[type(node)], kind=CellKind.INTEGER)
    if not isinstance(node, exp.Count | exp.Sum | exp.Avg | exp.Max | exp.Min):
        raise refuse(Refusal.FORBIDDEN_FUNCTION, "This function has no OVER.")
    only(node, "this", "big_int")
    if isinstance(node.this, exp.Distinct):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "DISTINCT does not go with OVER.")
    if isinstance(node.this, exp.Star):
        only(node.this)
        return Fragment(text="COUNT(*)", kind=CellKind.INTEGER)
    value = _inner(to, node.this)
    match node:
        case exp.Count():
            return value.as_kind(f"COUNT({value.text})", CellKind.INTEGER)
        case exp.Sum():
            value = to.convert.number(value)
            return value.as_kind(f"SUM({value.text})", value.kind)
        case exp.Avg():
            value = to.convert.real(value)
            return value.as_kind(f"AVG({value.text})", CellKind.FLOAT)
        case _:
            value = to.convert.number(value) if value.kind is CellKind.BOOLEAN else value
            name = "MAX" if isinstance(node, exp.Max) else "MIN"
            return value.as_kind(f"{name}({value.text})", value.kind)


def _ordering(to: Expressions, node: exp.Order) -> tuple[list[Fragment], str]:
    only(node, "expressions")
    terms, texts = [], []
    for item in node.expressions:
        only(item, "this", "desc", "nulls_first")
        term = to.write(item.this)
        terms.append(term)
        texts.append(to.engine.order(term.text, descending=bool(item.args.get("desc"))))
    return terms, ", ".join(texts)


def _frame(node: exp.WindowSpec) -> str:
    only(node, "kind", "start", "start_side", "end", "end_side")
    if str(node.args.get("kind")).upper() != "ROWS":
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A window's frame counts ROWS.")
    start = _bound(node, "start")
    end = _bound(node, "end") if node.args.get("end") else "CURRENT ROW"
    return f"ROWS BETWEEN {start} AND {end}"


def _bound(node: exp.WindowSpec, name: str) -> str:
    value, side = node.args.get(name), str(node.args.get(f"{name}_side") or "").upper()
    if value == "CURRENT ROW":
        return "CURRENT ROW"
    if side in _FRAME_SIDES:
        if value == "UNBOUNDED":
            return f"UNBOUNDED {side}"
        if (
            isinstance(value, exp.Literal)
            and value.name.isdecimal()
            and len(value.name) <= MAX_FRAME_DIGITS
        ):
            return f"{int(value.name)} {side}"
    raise refuse(
        Refusal.FORBIDDEN_CONSTRUCT, "A frame's bound is a number, UNBOUNDED or CURRENT ROW."
    )


AGGREGATES: Final[Mapping[type[exp.Expr], Callable[[Expressions, Any], Fragment]]] = {
    exp.Count: _count,
    exp.Sum: _sum,
    exp.Avg: _average,
    exp.Max: _extreme,
    exp.Min: _extreme,
    exp.GroupConcat: _join,
    exp.Window: _window,
}
