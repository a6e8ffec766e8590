"""Expressions: operators, constants, conditions, subqueries; functions have their own module."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Protocol

from sqlglot import exp

from infra.contract.table.sql_guard import CellKind, Refusal
from infra.impl.sql_guard.convert import Converter
from infra.impl.sql_guard.engine import Engine, like_pattern
from infra.impl.sql_guard.fragment import Fragment, combine, refuse, shown
from infra.impl.sql_guard.scope import Output, Relation, Scope

MAX_IN_ITEMS: Final = 64
_COMPARISONS: Final[Mapping[type[exp.Expr], str]] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
}
_ARITHMETIC: Final[Mapping[type[exp.Expr], str]] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}


def only(node: exp.Expr, *names: str) -> None:
    """Refuse a node that says more than the parts ``names``, which the caller handles."""
    for name, value in node.args.items():
        if name not in names and value not in (None, False, []):
            raise refuse(
                Refusal.FORBIDDEN_CONSTRUCT,
                f"{name.strip('_').upper()} is not available in {type(node).__name__}.",
            )


class Subqueries(Protocol):
    """Compiles a query inside an expression."""

    def inside(self, node: exp.Expr, scope: Scope) -> Relation: ...


class Expressions:
    """Writes the expressions of one SELECT; knows a node or refuses it."""

    def __init__(
        self,
        *,
        engine: Engine,
        convert: Converter,
        scope: Scope,
        subqueries: Subqueries,
        now: datetime,
        functions: Mapping[type[exp.Expr], Callable[["Expressions", Any], Fragment]],
    ) -> None:
        self.engine = engine
        self.convert = convert
        self.scope = scope
        self.now = now
        self._subqueries = subqueries
        self._functions = functions
        self._forms: dict[type[exp.Expr], Callable[..., Fragment]] = {
            exp.Column: self._column,
            exp.Literal: self._literal,
            exp.Boolean: self._boolean,
            exp.Null: lambda _: Fragment(text="NULL", kind=None),
            exp.Paren: self._paren,
            exp.Neg: self._negative,
            exp.Not: self._not,
            exp.And: self._connect,
            exp.Or: self._connect,
            exp.Xor: self._xor,
            exp.Between: self._between,
            exp.In: self._in,
            exp.Is: self._is,
            exp.Like: self._like,
            exp.Escape: self._like,
            exp.NullSafeEQ: self._null_safe,
            exp.Subquery: self._scalar,
            exp.Exists: self._exists,
            **dict.fromkeys(_COMPARISONS, self._compare),
            **dict.fromkeys(_ARITHMETIC, self._calculate),
        }

    def write(self, node: exp.Expr | None) -> Fragment:
        """Write one expression; None stands for an argument that the author forgot.

        Raises:
            SqlRefused: anything without a known form, at any depth.
        """
        if node is None:
            raise refuse(Refusal.SYNTAX, "A function lacks an argument.")
        kind = type(node)
        if kind in self._forms:
            written = self._forms[kind](node)
        elif kind in self._functions:
            written = self._functions[kind](self, node)
        elif isinstance(node, exp.Func):
            raise refuse(
                Refusal.FORBIDDEN_FUNCTION, f"The function {shown(_name(node))} is not available."
            )
        else:
            raise refuse(
                Refusal.FORBIDDEN_CONSTRUCT, f"{kind.__name__} is not available in a query."
            )
        if written.text in self.scope.keys:
            return replace(written, bare=frozenset())
        return written

    def condition(self, node: exp.Expr | None) -> Fragment:
        """Write one expression as a condition."""
        return self.convert.truth(self.write(node))

    def conjuncts(self, node: exp.Expr) -> list[Fragment]:
        """Write the parts of a condition that AND connects."""
        if isinstance(node, exp.Paren):
            only(node, "this")
            return self.conjuncts(node.this)
        if isinstance(node, exp.And):
            only(node, "this", "expression")
            return [part for side in node.flatten() for part in self.conjuncts(side)]
        return [self.condition(node)]

    def _column(self, node: exp.Column) -> Fragment:
        only(node, "this", "table")
        if not isinstance(node.this, exp.Identifier):
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "`*` cannot stand inside an expression.")
        return self.scope.column(node.name, node.table)

    def _literal(self, node: exp.Literal) -> Fragment:
        only(node, "this", "is_string")
        if node.is_string:
            return self.convert.text_constant(node.name)
        return self.convert.number_constant(node.name)

    def _boolean(self, node: exp.Boolean) -> Fragment:
        return Fragment(text=self.engine.boolean(bool(node.this)), kind=CellKind.BOOLEAN)

    def _paren(self, node: exp.Paren) -> Fragment:
        only(node, "this")
        return self.write(node.this)

    def _negative(self, node: exp.Neg) -> Fragment:
        only(node, "this")
        value = self.convert.number(self.write(node.this))
        if value.constant is not None and not value.constant.lstrip().startswith(("-", "+")):
            return replace(value, text=f"-{value.text}", constant=f"-{value.constant}")
        return value.as_kind(f"(- {value.text})", value.kind)

    def _not(self, node: exp.Not) -> Fragment:
        only(node, "this")
        value = self.condition(node.this)
        return value.as_kind(f"(NOT {value.text})", CellKind.BOOLEAN)

    def _connect(self, node: exp.Connector) -> Fragment:
        only(node, "this", "expression")
        word = "AND" if isinstance(node, exp.And) else "OR"
        parts = [self.condition(part) for part in node.flatten()]
        joined = f" {word} ".join(part.text for part in parts)
        return combine(f"({joined})", CellKind.BOOLEAN, *parts, width=5)

    def _xor(self, node: exp.Xor) -> Fragment:
        only(node, "this", "expression")
        left, right = self.condition(node.this), self.condition(node.expression)
        return combine(f"({left.text} <> {right.text})", CellKind.BOOLEAN, left, right, width=5)

    def _compare(self, node: exp.Binary) -> Fragment:
        only(node, "this", "expression")
        left, right = self.convert.comparable(
            [self.write(node.this), self.write(node.expression)],
            is_equality=isinstance(node, exp.EQ | exp.NEQ),
        )
        sign = _COMPARISONS[type(node)]
        return combine(f"({left.text} {sign} {right.text})", CellKind.BOOLEAN, left, right, width=5)

    def _null_safe(self, node: exp.NullSafeEQ) -> Fragment:
        only(node, "this", "expression")
        left, right = self.convert.comparable(
            [self.write(node.this), self.write(node.expression)], is_equality=True
        )
        text = self.engine.null_safe_equal(left.text, right.text)
        return combine(text, CellKind.BOOLEAN, left, right, width=5)

    def _between(self, node: exp.Between) -> Fragment:
        only(node, "this", "low", "high")
        parts = [self.write(node.args.get(name)) for name in ("this", "low", "high")]
        value, low, high = self.convert.comparable(parts, is_equality=False)
        text = f"({value.text} BETWEEN {low.text} AND {high.text})"
        return combine(text, CellKind.BOOLEAN, value, low, high, width=5)

    def _in(self, node: exp.In) -> Fragment:
        only(node, "this", "expressions", "query")
        value = self.write(node.this)
        if node.args.get("query") is not None:
            return self._in_query(value, node.args["query"])
        items = node.expressions
        if not 0 < len(items) <= MAX_IN_ITEMS:
            raise refuse(Refusal.TOO_COMPLEX, f"IN takes 1 to {MAX_IN_ITEMS} values.")
        value, *rest = self.convert.comparable(
            [value, *(self.write(item) for item in items)], is_equality=True
        )
        listed = ", ".join(item.text for item in rest)
        return combine(f"({value.text} IN ({listed}))", CellKind.BOOLEAN, value, *rest, width=5)

    def _in_query(self, value: Fragment, node: exp.Expr) -> Fragment:
        relation = self._subqueries.inside(node, self.scope)
        column = self._single(relation)
        place = Fragment(text=f"s.{column.column}", kind=column.kind)
        left, right = self.convert.comparable([value, place], is_equality=True)
        query = relation.text
        if right.text != place.text:
            query = f"SELECT {right.text} FROM ({relation.text}) AS s"  # noqa: S608 - our text
        text = f"({left.text} IN ({query}))"
        return combine(text, CellKind.BOOLEAN, left, _free(relation), width=5)

    def _is(self, node: exp.Is) -> Fragment:
        only(node, "this", "expression")
        match node.expression:
            case exp.Null():
                value = self.write(node.this)
                return value.as_kind(f"({value.text} IS NULL)", CellKind.BOOLEAN)
            case exp.Boolean() as wanted:
                value = self.condition(node.this)
                test = "IS NOT NULL AND" if wanted.this else "IS NOT NULL AND NOT"
                text = f"({value.text} {test} {value.text})"
                return value.as_kind(text, CellKind.BOOLEAN)
            case _:
                raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "IS takes NULL, TRUE or FALSE.")

    def _like(self, node: exp.Expr) -> Fragment:
        escape = "\\"
        if isinstance(node, exp.Escape):
            only(node, "this", "expression")
            given = node.expression
            if not (isinstance(given, exp.Literal) and given.is_string and len(given.name) == 1):
                raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "ESCAPE takes one character.")
            escape, node = given.name, node.this
        if not isinstance(node, exp.Like):
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "ESCAPE belongs to LIKE.")
        only(node, "this", "expression", "negate")
        value = self.convert.text(self.write(node.this))
        pattern = self.convert.text(self.write(node.expression))
        if pattern.constant is not None:
            pattern = self.convert.text_constant(like_pattern(pattern.constant, escape))
        elif escape != "\\":
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "ESCAPE goes with a pattern in quotes.")
        text = self.engine.like(value.text, pattern.text)
        if node.args.get("negate"):
            text = f"(NOT {text})"
        return combine(text, CellKind.BOOLEAN, value, pattern, width=5)

    def _calculate(self, node: exp.Binary) -> Fragment:
        only(node, "this", "expression")
        if isinstance(node.this, exp.Interval) or isinstance(node.expression, exp.Interval):
            return self._functions[exp.Interval](self, node)
        left = self.convert.number(self.write(node.this))
        right = self.convert.number(self.write(node.expression))
        is_real = CellKind.FLOAT in {left.kind, right.kind}
        text = f"({left.text} {_ARITHMETIC[type(node)]} {right.text})"
        return combine(text, CellKind.FLOAT if is_real else CellKind.INTEGER, left, right)

    def _scalar(self, node: exp.Subquery) -> Fragment:
        relation = self._subqueries.inside(node, self.scope)
        column = self._single(relation)
        if not relation.is_single_row:
            # Both engines differ on what a second row means; MySQL refuses it, LIMIT 1 settles it.
            text = f"(SELECT s.{column.column} FROM ({relation.text}) AS s LIMIT 1)"  # noqa: S608
        else:
            text = f"({relation.text})"
        return combine(text, column.kind, _free(relation), width=column.width)

    def _exists(self, node: exp.Exists) -> Fragment:
        only(node, "this")
        relation = self._subqueries.inside(node.this, self.scope)
        return combine(f"EXISTS ({relation.text})", CellKind.BOOLEAN, _free(relation), width=5)

    def _single(self, relation: Relation) -> Output:
        if len(relation.outputs) != 1:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A subquery here has exactly one column.")
        return relation.outputs[0]


def _free(relation: Relation) -> Fragment:
    return Fragment(text="", kind=None, bare=relation.free)


def _name(node: exp.Func) -> str:
    return node.name if isinstance(node, exp.Anonymous) else node.sql_name()
