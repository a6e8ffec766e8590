"""Queries: set operations, common table expressions, what may stand in FROM, and each clause."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlglot import exp

from infra.contract.table.sql_guard import GrantedTable, Refusal, SqlGrant
from infra.impl.sql_guard.body import Body, bounds, count_of, ordinal_of
from infra.impl.sql_guard.convert import Converter
from infra.impl.sql_guard.engine import Engine
from infra.impl.sql_guard.expression import Expressions, only
from infra.impl.sql_guard.fragment import Fragment, Parameters, refuse, shown
from infra.impl.sql_guard.function import FUNCTIONS
from infra.impl.sql_guard.reading import MAX_JOINS
from infra.impl.sql_guard.scope import Output, Relation, Scope, Source, fold

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
MAX_OUTPUTS: Final = 200
MAX_NAME: Final = 100
"""Characters of the name of a column that the author did not name."""
_SIDES: Final = {"": "JOIN", "LEFT": "LEFT JOIN", "RIGHT": "RIGHT JOIN"}
_PARTS: Final = (
    *("with_", "distinct", "expressions", "from_", "joins", "where"),
    *("group", "having", "order", "limit", "offset"),
)

Relations = Mapping[str, Relation]
"""Common table expressions in sight, by folded name."""


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


class Select:
    """Compiles one SELECT clause by clause, in the order in which names come into sight."""

    def __init__(
        self, statement: Queries, node: exp.Select, relations: Relations, outer: Scope | None
    ) -> None:
        if node.args.get("locks") or node.args.get("into"):
            raise refuse(Refusal.NOT_READ_ONLY, "A query only reads; it neither locks nor writes.")
        only(node, *_PARTS)
        self._statement = statement
        self._node = node
        self._relations = relations
        self._scope = Scope(outer=outer)
        self._to = statement.expressions(self._scope, relations)
        self._joined: list[Source] = []
        """Sources that some condition must connect with another one."""
        self._seen: list[frozenset[str]] = []
        """Columns that each condition mentions, and each expression grouped by."""

    def body(self) -> Body:
        tail, where = self._from(), self._where()
        self._require_connections()
        group = self._group()
        self._scope.allows_aggregates = True
        columns = self._columns()
        self._scope.aliases = {fold(name): fragment for name, fragment in reversed(columns)}
        having = self._having()
        distinct = self._distinct()
        is_grouped = bool(
            group or (having and having.has_aggregate) or any(f.has_aggregate for _, f in columns)
        )
        key = self._key() if not (is_grouped or distinct or having) else ""
        terms, order = self._order(columns, is_distinct=distinct)
        checked = [fragment for _, fragment in columns] + ([having] if having else []) + terms
        if is_grouped:
            self._require_grouping(checked)
        tail += where + group + (f" HAVING {having.text}" if having else "")
        own = self._scope.own_columns
        return Body(
            head="SELECT DISTINCT" if distinct else "SELECT",
            columns=tuple(columns),
            tail=tail,
            order=order,
            bounds=bounds(self._node),
            free=frozenset().union(*self._seen, *(f.bare for f in checked)) - own,
            key=key,
            is_single_row=is_grouped and not group,
        )

    def _from(self) -> str:
        clause = self._node.args.get("from_")
        if clause is None:
            if self._node.args.get("joins"):
                raise refuse(Refusal.SYNTAX, "A JOIN needs FROM.")
            return ""
        only(clause, "this")
        source, text = self._statement.source(clause.this, self._relations)
        self._scope.add(source)
        joins = [self._join(join) for join in self._node.args.get("joins") or []]
        return f" FROM {text}{''.join(joins)}"

    def _join(self, join: exp.Join) -> str:
        only(join, "this", "side", "kind", "on", "using")
        self._statement.join()
        side, kind = join.side.upper(), join.kind.upper()
        if side not in _SIDES or kind not in {"", "INNER", "OUTER", "CROSS"}:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, f"There is no {side} {kind} JOIN.")
        source, text = self._statement.source(join.this, self._relations)
        self._scope.add(source)
        if not source.is_single_row:
            self._joined.append(source)
        conditions = self._using(join.args.get("using") or [], source)
        if join.args.get("on") is not None:
            conditions += self._conditions(join.args["on"])
        if not conditions:
            if side:
                raise refuse(Refusal.FORBIDDEN_CONSTRUCT, f"A {side} JOIN needs ON.")
            return f" CROSS JOIN {text}"
        return f" {_SIDES[side]} {text} ON {' AND '.join(conditions)}"

    def _using(self, names: Sequence[exp.Expr], source: Source) -> list[str]:
        texts = []
        for name in names:
            if not isinstance(name, exp.Identifier):
                raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "USING takes names of columns.")
            right = self._scope.column(name.name, source.name)
            self._scope.merged.add(fold(name.name))
            left = self._scope.column(name.name)
            if left.text == right.text:
                raise refuse(Refusal.UNKNOWN_COLUMN, f"There is no other {shown(name.name)}.")
            left, right = self._to.convert.comparable([left, right], is_equality=True)
            self._seen.append(left.bare | right.bare)
            texts.append(f"({left.text} = {right.text})")
        return texts

    def _conditions(self, node: exp.Expr) -> list[str]:
        parts = self._to.conjuncts(node)
        for part in parts:
            if part.has_window:
                raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A window function is no condition.")
        self._seen += [part.bare for part in parts]
        return [part.text for part in parts]

    def _where(self) -> str:
        clause = self._node.args.get("where")
        if clause is None:
            return ""
        only(clause, "this")
        return f" WHERE {' AND '.join(self._conditions(clause.this))}"

    def _require_connections(self) -> None:
        """Every joined table is tied to another one by some condition."""
        for source in self._joined:
            own = {f"{source.alias}.{output.column}" for output in source.outputs}
            others = self._scope.own_columns - own
            if not any(columns & own and columns & others for columns in self._seen):
                raise refuse(
                    Refusal.FORBIDDEN_CONSTRUCT,
                    f"{shown(source.name)} needs a condition that connects it with another table.",
                )

    def _group(self) -> str:
        clause = self._node.args.get("group")
        if clause is None:
            return ""
        only(clause, "expressions")
        keys = []
        for item in clause.expressions:
            key = self._to.write(self._group_node(item))
            if not key.bare:
                raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "GROUP BY takes columns.")
            keys.append(key)
        self._seen += [key.bare for key in keys]
        self._scope.keys = frozenset(key.text for key in keys)
        return f" GROUP BY {', '.join(key.text for key in keys)}"

    def _group_node(self, node: exp.Expr) -> exp.Expr:
        """What GROUP BY means by a position or by the name of an output column."""
        projections = self._node.expressions
        if isinstance(node, exp.Literal):
            position = count_of(node)
            if position is None or not 0 < position <= len(projections):
                raise refuse(Refusal.UNKNOWN_COLUMN, "GROUP BY has a position that is not there.")
            chosen: exp.Expr = projections[position - 1].unalias()
            return chosen
        if isinstance(node, exp.Column) and not node.table and not self._scope.has_own(node.name):
            for projection in projections:
                if isinstance(projection, exp.Alias) and fold(projection.alias) == fold(node.name):
                    meant: exp.Expr = projection.this
                    return meant
        return node

    def _columns(self) -> list[tuple[str, Fragment]]:
        columns: list[tuple[str, Fragment]] = []
        for node in self._node.expressions:
            if isinstance(node, exp.Star):
                only(node)
                columns += self._all(self._scope.sources)
            elif isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
                only(node, "this", "table")
                only(node.this)
                columns += self._all([self._scope.source(node.table)])
            elif isinstance(node, exp.Alias):
                only(node, "this", "alias")
                columns.append((node.alias, self._to.write(node.this)))
            elif isinstance(node, exp.Column):
                columns.append((node.name, self._to.write(node)))
            else:
                name = node.sql(dialect="mysql", comments=False)
                columns.append((name[:MAX_NAME], self._to.write(node)))
        if not 0 < len(columns) <= MAX_OUTPUTS:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, f"SELECT takes 1 to {MAX_OUTPUTS} columns.")
        return columns

    def _all(self, sources: Sequence[Source]) -> list[tuple[str, Fragment]]:
        if not sources:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "`*` needs FROM.")
        return [
            (output.name, self._stripped(source.column(output)))
            for source in sources
            for output in source.outputs
            if not output.is_hidden
        ]

    def _stripped(self, fragment: Fragment) -> Fragment:
        is_key = fragment.text in self._scope.keys
        return replace(fragment, bare=frozenset()) if is_key else fragment

    def _having(self) -> Fragment | None:
        clause = self._node.args.get("having")
        if clause is None:
            return None
        only(clause, "this")
        having = self._to.condition(clause.this)
        if having.has_window:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A window function is no condition.")
        return having

    def _distinct(self) -> bool:
        clause = self._node.args.get("distinct")
        if clause is not None:
            only(clause)
        return clause is not None

    def _order(
        self, columns: Sequence[tuple[str, Fragment]], *, is_distinct: bool
    ) -> tuple[list[Fragment], str]:
        clause = self._node.args.get("order")
        if clause is None:
            return [], ""
        only(clause, "expressions")
        fragments, terms = [], []
        for item in clause.expressions:
            only(item, "this", "desc", "nulls_first")
            ordinal = ordinal_of(item.this, [name for name, _ in columns])
            if ordinal is None:
                fragment = self._to.write(item.this)
                texts = [column.text for _, column in columns]
                ordinal = texts.index(fragment.text) + 1 if fragment.text in texts else None
                fragments.append(fragment)
                if ordinal is None and is_distinct:
                    raise refuse(
                        Refusal.FORBIDDEN_CONSTRUCT,
                        "With DISTINCT, ORDER BY takes selected columns.",
                    )
                if ordinal is None and not (fragment.bare or fragment.has_aggregate):
                    continue  # a constant orders nothing; as a bare number it would be a position
            term = str(ordinal) if ordinal is not None else fragments[-1].text
            descending = bool(item.args.get("desc"))
            terms.append(self._statement.engine.order(term, descending=descending))
        return fragments, f" ORDER BY {', '.join(terms)}" if terms else ""

    def _key(self) -> str:
        """The key of the row, where every row of the answer is one of a single granted table."""
        if len(self._scope.sources) != 1 or self._scope.outer is not None:
            return ""
        return self._scope.sources[0].key_column

    def _require_grouping(self, fragments: Sequence[Fragment]) -> None:
        own = self._scope.own_columns
        for fragment in fragments:
            if fragment.bare & own:
                raise refuse(
                    Refusal.NOT_GROUPED,
                    "Each selected column stands in GROUP BY or inside an aggregate.",
                )
