"""One SELECT, clause by clause."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from sqlglot import exp

from infra.contract.sql_guard import Refusal
from infra.impl.sql_guard.body import Body, bounds, count_of, ordinal_of
from infra.impl.sql_guard.engine import Engine
from infra.impl.sql_guard.expression import Expressions, only
from infra.impl.sql_guard.fragment import Fragment, refuse, shown
from infra.impl.sql_guard.scope import Relation, Scope, Source, fold

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


class Statement(Protocol):
    """The statement around a SELECT."""

    @property
    def engine(self) -> Engine: ...

    def source(self, node: exp.Expr, relations: Relations) -> tuple[Source, str]: ...

    def join(self) -> None: ...

    def expressions(self, scope: Scope, relations: Relations) -> Expressions: ...


class Select:
    """Compiles one SELECT clause by clause, in the order in which names come into sight."""

    def __init__(
        self, statement: Statement, node: exp.Select, relations: Relations, outer: Scope | None
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
