"""Statements: set operations, common table expressions, and what may stand in FROM."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlglot import exp

from infra.contract.sql_guard import GrantedTable, Refusal, SqlGrant
from infra.impl.sql_guard.body import Body, bounds, ordinal_of
from infra.impl.sql_guard.convert import Converter
from infra.impl.sql_guard.engine import Engine
from infra.impl.sql_guard.expression import Expressions, only
from infra.impl.sql_guard.fragment import Fragment, Parameters, refuse, shown
from infra.impl.sql_guard.function import FUNCTIONS
from infra.impl.sql_guard.reading import MAX_JOINS
from infra.impl.sql_guard.scope import Output, Relation, Scope, Source, fold
from infra.impl.sql_guard.select import Relations, Select

MAX_NESTING: Final = 4
MAX_QUERIES: Final = 32
"""SELECTs of one statement, wherever they stand."""
MAX_OPERANDS: Final = 16
"""Operands of set operations; SQLite takes 50."""
_SET_WORDS: Final[Mapping[type[exp.Expr], str]] = {
    exp.Union: "UNION",
    exp.Intersect: "INTERSECT",
    exp.Except: "EXCEPT",
}


class Queries:
    """Compiles one statement; counts joins and names over all of it."""

    def __init__(
        self, *, grant: SqlGrant, engine: Engine, parameters: Parameters, now: datetime
    ) -> None:
        self._engine = engine
        self._convert = Converter(engine, parameters)
        self._parameters = parameters
        self._now = now
        self._tables = {table.name.strip().casefold(): table for table in grant.tables}
        self._joins = 0
        self._names = 0
        self._depth = 0
        self._count = 0
        self.used: set[str] = set()
        """Physical names of the tables mentioned."""
        self.common: set[str] = set()
        """Our names of common table expressions."""

    def body(self, node: exp.Expr, relations: Relations, outer: Scope | None = None) -> Body:
        """Compile a query expression.

        Raises:
            SqlRefused: see ``SqlGuard.check``.
        """
        if isinstance(node, exp.Subquery) and not node.args.get("alias"):
            return self._wrapped(node, relations, outer)
        self._count += 1
        if self._count > MAX_QUERIES:
            raise refuse(Refusal.TOO_COMPLEX, f"A statement has up to {MAX_QUERIES} queries.")
        if self._depth > MAX_NESTING:
            raise refuse(Refusal.TOO_COMPLEX, f"Queries nest up to {MAX_NESTING} deep.")
        prefix, relations = self._with(node, relations)
        self._depth += 1
        if isinstance(node, exp.Select):
            body = Select(self, node, relations, outer).body()
        elif type(node) in _SET_WORDS:
            body = self._set_operation(node, relations, outer)
        else:
            raise refuse(Refusal.NOT_READ_ONLY, "Only SELECT is allowed.")
        self._depth -= 1
        return replace(body, prefix=prefix + body.prefix)

    def _wrapped(self, node: exp.Subquery, relations: Relations, outer: Scope | None) -> Body:
        """``(SELECT …) ORDER BY … LIMIT …``."""
        only(node, "this", "order", "limit", "offset", "with_")
        if not any(node.args.get(name) for name in ("order", "limit", "offset", "with_")):
            return self.body(node.this, relations, outer)
        inner = exp.Subquery(this=node.this, alias=exp.TableAlias(this=exp.to_identifier("q")))
        select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=inner))
        for name in ("order", "limit", "offset", "with_"):
            if node.args.get(name):
                select.set(name, node.args.get(name))
        return self.body(select, relations, outer)

    def _with(self, node: exp.Expr, relations: Relations) -> tuple[str, Relations]:
        clause = node.args.get("with_")
        if clause is None:
            return "", relations
        only(clause, "expressions", "recursive")
        if clause.args.get("recursive"):
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "WITH RECURSIVE is not available.")
        known = dict(relations)
        texts = []
        for item in clause.expressions:
            only(item, "this", "alias")
            name = fold(item.alias)
            if name in self._tables or name in known or not name:
                raise refuse(
                    Refusal.FORBIDDEN_CONSTRUCT, f"{shown(item.alias)} is the name of a table."
                )
            relation = self._renamed(self.body(item.this, known).relation(), item.args.get("alias"))
            alias = self.name("q")
            self.common.add(alias)
            texts.append(f"{alias} AS ({relation.text})")
            known[name] = replace(relation, text=alias)
        return f"WITH {', '.join(texts)} ", known

    def _renamed(self, relation: Relation, alias: exp.TableAlias) -> Relation:
        """Apply ``name(a, b)``."""
        only(alias, "this", "columns")
        names = [column.name for column in alias.args.get("columns") or []]
        if not names:
            return relation
        if len(names) != len(relation.outputs):
            raise refuse(Refusal.SYNTAX, "The list of names and the columns differ in number.")
        outputs = zip(relation.outputs, names, strict=True)
        return replace(relation, outputs=tuple(replace(o, name=name) for o, name in outputs))

    def _set_operation(self, node: exp.Expr, relations: Relations, outer: Scope | None) -> Body:
        operands, words = self._operands(node)
        bodies = [self.body(operand, relations, outer) for operand in operands]
        if len({len(body.columns) for body in bodies}) > 1:
            raise refuse(Refusal.SYNTAX, "All parts of a UNION have the same number of columns.")
        bodies = self._unified(bodies)
        parts = [
            body.text()
            if not (body.order or body.bounds.text or body.prefix)
            else self._boxed(body.relation())
            for body in bodies
        ]
        united = parts[0] + "".join(
            f" {word} {part}" for word, part in zip(words, parts[1:], strict=True)
        )
        names = [name for name, _ in bodies[0].columns]
        columns = tuple(
            (name, Fragment(text=f"s.o{number}", kind=fragment.kind, width=fragment.width))
            for number, (name, fragment) in enumerate(bodies[0].columns, 1)
        )
        order = self._ordinals(node.args.get("order"), names)
        return Body(
            head="SELECT",
            columns=columns,
            tail=f" FROM ({united}) AS s",
            order=order,
            bounds=bounds(node),
            free=frozenset().union(*(body.free for body in bodies)),
        )

    def _operands(self, node: exp.Expr) -> tuple[list[exp.Expr], list[str]]:
        """Operands of a chain of equal operators, left to right, and the words between them."""
        operands: list[exp.Expr] = []
        words: list[str] = []
        top, kind = node, type(node)
        while True:
            only(node, "this", "expression", "distinct", "with_", "order", "limit", "offset")
            all_rows = node.args.get("distinct") is False
            if all_rows and kind is not exp.Union:
                raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "ALL goes with UNION only.")
            operands.append(node.expression)
            words.append(_SET_WORDS[kind] + (" ALL" if all_rows else ""))
            left = node.this
            if len(operands) >= MAX_OPERANDS:
                raise refuse(Refusal.TOO_COMPLEX, f"UNION takes up to {MAX_OPERANDS} parts.")
            plain = not any(left.args.get(n) for n in ("with_", "order", "limit", "offset"))
            if type(left) is not kind or not plain or left is top:
                operands.append(left)
                return operands[::-1], words[::-1]
            node = left

    def _unified(self, bodies: Sequence[Body]) -> list[Body]:
        columns = [
            self._convert.common([fragment for _, fragment in column])
            for column in zip(*(body.columns for body in bodies), strict=True)
        ]
        return [
            replace(
                body,
                columns=tuple(
                    (name, column[position])
                    for (name, _), column in zip(body.columns, columns, strict=True)
                ),
            )
            for position, body in enumerate(bodies)
        ]

    def _boxed(self, relation: Relation) -> str:
        listed = ", ".join(f"s.{output.column}" for output in relation.outputs)
        return f"SELECT {listed} FROM ({relation.text}) AS s"  # noqa: S608 - our text

    def _ordinals(self, order: exp.Order | None, names: Sequence[str]) -> str:
        if order is None:
            return ""
        only(order, "expressions")
        terms = []
        for item in order.expressions:
            only(item, "this", "desc", "nulls_first")
            ordinal = ordinal_of(item.this, names)
            if ordinal is None:
                raise refuse(Refusal.UNKNOWN_COLUMN, "ORDER BY of a UNION names its columns.")
            descending = bool(item.args.get("desc"))
            terms.append(self._engine.order(str(ordinal), descending=descending))
        return f" ORDER BY {', '.join(terms)}"

    def name(self, letter: str) -> str:
        """A new name of our own."""
        self._names += 1
        return f"{letter}{self._names}"

    def join(self) -> None:
        self._joins += 1
        if self._joins > MAX_JOINS:
            raise refuse(Refusal.TOO_COMPLEX, f"A statement joins up to {MAX_JOINS} times.")

    def source(self, node: exp.Expr, relations: Relations) -> tuple[Source, str]:
        """Compile one entry of FROM; returns it and its text with the alias."""
        if isinstance(node, exp.Subquery):
            only(node, "this", "alias")
            relation = self.body(node.this, relations).relation()
            relation = self._renamed(relation, node.args["alias"]) if node.alias else relation
            return self._aliased(relation, node.alias, f"({relation.text})")
        if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "FROM takes tables and subqueries.")
        if node.args.get("db") or node.args.get("catalog"):
            raise refuse(
                Refusal.UNKNOWN_TABLE, f"There is no table {shown(node.name)} with a prefix."
            )
        only(node, "this", "alias")
        alias = node.alias or node.name
        if node.args.get("alias"):
            only(node.args["alias"], "this")
        if (relation_ := relations.get(fold(node.name))) is not None:
            return self._aliased(relation_, alias, relation_.text)
        table = self._tables.get(fold(node.name))
        if table is None:
            raise refuse(Refusal.UNKNOWN_TABLE, f"There is no table {shown(node.name)}.")
        return self._granted(table, alias)

    def _aliased(self, relation: Relation, name: str, text: str) -> tuple[Source, str]:
        alias = self.name("d")
        source = Source(
            name=name or alias,
            alias=alias,
            outputs=relation.outputs,
            is_single_row=relation.is_single_row,
        )
        return source, f"{text} AS {alias}"

    def _granted(self, table: GrantedTable, name: str) -> tuple[Source, str]:
        self.used.add(table.physical)
        alias = self.name("t")
        outputs = tuple(
            Output(
                name=column.name,
                column=f'"{column.physical}"',
                kind=column.kind,
                is_hidden=column.is_hidden,
            )
            for column in table.columns
        )
        source = Source(
            name=name, alias=alias, outputs=outputs, key_column=f'{alias}."{table.key_column}"'
        )
        return source, f"{self._scoped(table)} AS {alias}"

    def _scoped(self, table: GrantedTable) -> str:
        """The table, or the rows of it that exist for the author."""
        if not table.row_scope:
            return f'"{table.physical}"'
        tests = [
            f'"{rule.column}" = {rule.value}'
            if isinstance(rule.value, int)
            else f'"{rule.column}" = {self._engine.text(self._parameters.add(rule.value))}'
            for rule in table.row_scope
        ]
        names = [column.physical for column in table.columns]
        columns = ", ".join(f'"{name}"' for name in dict.fromkeys([table.key_column, *names]))
        where = " AND ".join(tests)
        return f'(SELECT {columns} FROM "{table.physical}" WHERE {where})'  # noqa: S608 - our text

    def expressions(self, scope: Scope, relations: Relations) -> Expressions:
        return Expressions(
            engine=self._engine,
            convert=self._convert,
            scope=scope,
            subqueries=_Inside(self, relations),
            now=self._now,
            functions=FUNCTIONS,
        )

    @property
    def engine(self) -> Engine:
        return self._engine


class _Inside:
    """Queries inside expressions see the sources around them."""

    def __init__(self, queries: Queries, relations: Relations) -> None:
        self._queries = queries
        self._relations = relations

    def inside(self, node: exp.Expr, scope: Scope) -> Relation:
        if isinstance(node, exp.Subquery) and node.alias:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A subquery here has no alias.")
        return self._queries.body(node, self._relations, scope).relation()
