"""Which names mean what at one place of the statement."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from infra.contract.table.sql_guard import CellKind, Refusal
from infra.impl.sql_guard.fragment import COLUMN_WIDTH, Fragment, refuse, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A column of a relation: the name its author sees, and its place ``column`` in our SQL."""

    name: str
    column: str
    kind: CellKind | None
    width: int = COLUMN_WIDTH
    is_hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A query as a piece of SQL. ``free`` are the columns of outer queries it mentions."""

    text: str
    outputs: tuple[Output, ...]
    free: frozenset[str] = frozenset()
    is_single_row: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One entry of FROM: ``name`` is what the author calls it, ``alias`` what we do."""

    name: str
    alias: str
    outputs: tuple[Output, ...]
    key_column: str = ""
    is_single_row: bool = False

    def column(self, output: Output) -> Fragment:
        text = f"{self.alias}.{output.column}"
        return Fragment(text=text, kind=output.kind, bare=frozenset({text}), width=output.width)


@dataclass(slots=True, kw_only=True)
class Scope:
    """Sources of one SELECT. ``outer`` is the query around a correlated one.

    ``aliases`` are names of output columns, where the clause at hand may use them; ``keys`` the
    expressions grouped by, whose columns are no longer bare.
    """

    outer: "Scope | None" = None
    sources: list[Source] = field(default_factory=list)
    merged: set[str] = field(default_factory=set)
    aliases: Mapping[str, Fragment] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    allows_aggregates: bool = False

    def add(self, source: Source) -> None:
        if any(fold(source.name) == fold(other.name) for other in self.sources):
            raise refuse(
                Refusal.FORBIDDEN_CONSTRUCT,
                f"{shown(source.name)} stands twice in FROM; give each an alias.",
            )
        self.sources.append(source)

    def source(self, name: str) -> Source:
        """Find the entry of FROM called ``name``, here or further out."""
        found = next((s for s in self.sources if fold(s.name) == fold(name)), None)
        if found is not None:
            return found
        if self.outer is not None:
            return self.outer.source(name)
        raise refuse(Refusal.UNKNOWN_TABLE, f"There is no table {shown(name)} in FROM.")

    def column(self, name: str, table: str = "") -> Fragment:
        """Find a column by the author's name.

        Raises:
            SqlRefused: unknown, or in more than one entry of FROM.
        """
        if table:
            return self._qualified(name, table)
        if (found := self._own(name)) is not None:
            return found
        if fold(name) in self.aliases:
            return self.aliases[fold(name)]
        if self.outer is not None:
            return self.outer.column(name)
        raise refuse(Refusal.UNKNOWN_COLUMN, f"There is no column {shown(name)}.")

    def has_own(self, name: str) -> bool:
        return self._own(name) is not None

    @property
    def own_columns(self) -> frozenset[str]:
        """Columns of this SELECT's sources, as they stand in ``Fragment.bare``."""
        return frozenset(
            f"{source.alias}.{output.column}"
            for source in self.sources
            for output in source.outputs
        )

    def _qualified(self, name: str, table: str) -> Fragment:
        source = self.source(table)
        for output in source.outputs:
            if fold(output.name) == fold(name):
                return source.column(output)
        raise refuse(Refusal.UNKNOWN_COLUMN, f"Table {shown(table)} has no column {shown(name)}.")

    def _own(self, name: str) -> Fragment | None:
        matches = [
            (source, output)
            for source in self.sources
            for output in source.outputs
            if fold(output.name) == fold(name)
        ]
        if not matches:
            return None
        if len(matches) > 1 and fold(name) not in self.merged:
            raise refuse(
                Refusal.AMBIGUOUS_COLUMN,
                f"Column {shown(name)} is in several tables; write the table before it.",
            )
        source, output = matches[0]
        return source.column(output)


def fold(name: str) -> str:
    """MySQL compares names of columns and aliases without case."""
    return name.strip().casefold()
