"""What other contexts may ask of the memory of agents and apps, in plain types only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, Protocol

from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.ids import AgentId, SpaceId

OwnerKind = Literal["agent", "app"]
RowValue = str | int | float | bool | None
"""A cell. Dates are texts ``YYYY-MM-DD HH:MM:SS`` without time zone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredVariable:
    """A variable as its owner declares it; ``is_shown``: the model may see it."""

    keyword: str
    default_value: str = ""
    description: str = ""
    is_list: bool = False
    is_system: bool = False
    is_enabled: bool = True
    is_shown: bool = True
    is_read_only: bool = False
    is_shared: bool = False
    """One value for all users of a connector, instead of one for each."""

    @property
    def is_writable(self) -> bool:
        return self.is_enabled and not self.is_system and not self.is_read_only


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredVariables:
    """All variables of an agent or app, and the space it lives in."""

    space_id: SpaceId
    items: tuple[DeclaredVariable, ...]

    def find(self, keyword: str) -> DeclaredVariable | None:
        """Find a variable that is in use."""
        return next((d for d in self.items if d.keyword == keyword and d.is_enabled), None)

    @property
    def listed(self) -> tuple[DeclaredVariable, ...]:
        """Those in use, system variables last."""
        return tuple(
            sorted((each for each in self.items if each.is_enabled), key=lambda d: d.is_system)
        )


class VariableSource(Protocol):
    """Knows the variables that one kind of owner declares; implemented by its context."""

    async def declared(
        self, scope: TenantScope, owner_id: int, *, is_draft: bool, connector_id: int
    ) -> DeclaredVariables:
        """Return the declarations of the draft, or of what is published on a connector.

        Without a publication there, those of the draft. Raises ``NotFound`` (4200).
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableHolder:
    """Whose values: those of one end user; drafts and publications share none."""

    owner_kind: OwnerKind
    owner_id: int
    is_draft: bool
    connector_id: int
    end_user_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableValue:
    """What a variable is now; ``is_set``: somebody wrote it, else it is the default."""

    declaration: DeclaredVariable
    value: str
    is_set: bool


class Variables(Protocol):
    """Variables of end users, always within a scope."""

    async def get_variables(
        self, scope: TenantScope, holder: VariableHolder
    ) -> tuple[VariableValue, ...]:
        """Return every variable in use; raise ``NotFound`` for an unknown owner."""
        ...

    async def set_variables(
        self, scope: TenantScope, holder: VariableHolder, values: Sequence[tuple[str, str]]
    ) -> tuple[str, ...]:
        """Write all values or none; returns their keywords.

        Raises:
            NotFound: there is no such owner.
            InvalidRequest: a variable is not declared, cannot be written, or is too long.
        """
        ...

    async def change_list(
        self,
        scope: TenantScope,
        holder: VariableHolder,
        keyword: str,
        *,
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
    ) -> tuple[str, ...]:
        """Take items out of a list and put others at its end, atomically; return it.

        Raises:
            NotFound: there is no such owner.
            InvalidRequest: there is no such list, it cannot be written, or it gets too long.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedText:
    """Something remembered of an end user; ``kind`` is fact, preference, event or episode.

    ``is_by_person``: nobody but a person wrote it; what a model wrote may repeat strangers' words.
    """

    id: int
    kind: str
    text: str
    as_of: datetime
    is_by_person: bool = False


class Recollections(Protocol):
    """What agents remember of end users beyond conversations."""

    async def recall(
        self, context: CallContext, holder: VariableHolder, query: str, *, max_tokens: int
    ) -> Sequence[RememberedText]:
        """Return what matters to a question, best first; nothing if the user opted out."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseField:
    """A column of a database table; ``type`` in words a model knows."""

    name: str
    type: str
    description: str
    is_required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseDescription:
    """A database table as a model may use it."""

    id: int
    name: str
    description: str
    mode: Literal["single_user", "read_only", "multi_user"]
    is_prompt_disabled: bool
    fields: tuple[DatabaseField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCaller:
    """On whose behalf rows are touched; drafts have rows of their own."""

    is_draft: bool
    end_user_id: str
    connector_id: int
    max_wait_s: float | None = None
    """How long a query may wait for its turn; None leaves it to the store."""


class RowOperator(StrEnum):
    """How a field of a row is compared, in the spelling of canvases."""

    EQUAL = "EQUAL"
    NOT_EQUAL = "NOT_EQUAL"
    GREATER_THAN = "GREATER_THAN"
    LESS_THAN = "LESS_THAN"
    GREATER_EQUAL = "GREATER_EQUAL"
    LESS_EQUAL = "LESS_EQUAL"
    IN = "IN"
    NOT_IN = "NOT_IN"
    IS_NULL = "IS_NULL"
    IS_NOT_NULL = "IS_NOT_NULL"
    LIKE = "LIKE"
    NOT_LIKE = "NOT_LIKE"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCondition:
    """A test of a field by name or number; values of ``LIKE`` are patterns."""

    field: str
    operator: RowOperator
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilter:
    """Conditions that hold all together, or at least one of them."""

    is_all: bool
    conditions: tuple[RowCondition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSelection:
    """Which fields of which rows; no fields means all of them."""

    fields: tuple[str, ...] = ()
    is_distinct: bool = False
    where: RowFilter | None = None
    orders: tuple[tuple[str, bool], ...] = ()
    """Fields to sort by; True is ascending."""
    limit: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RowResult:
    """Rows read or added, the names of their columns, and how many rows were touched."""

    columns: tuple[str, ...] = ()
    rows: tuple[Mapping[str, RowValue], ...] = ()
    count: int = 0
    is_reading: bool = False
    is_truncated: bool = field(default=False)


class Databases(Protocol):
    """Database tables, always within a scope.

    Every method on rows raises ``NotFound`` for an unknown table, and another ``AppError`` that
    says what is wrong. A change with a ``key`` happens once for that key.
    """

    async def describe(
        self, scope: TenantScope, database_ids: Sequence[int]
    ) -> tuple[DatabaseDescription, ...]:
        """Describe those that exist."""
        ...

    async def of_agent(
        self, scope: TenantScope, agent_id: AgentId
    ) -> tuple[DatabaseDescription, ...]:
        """Describe the tables that are bound to an agent."""
        ...

    async def query(
        self, scope: TenantScope, database_id: int, caller: RowCaller, selection: RowSelection
    ) -> RowResult:
        """Read rows."""
        ...

    async def insert(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        values: Mapping[str, Any],
        *,
        key: str = "",
    ) -> RowResult:
        """Add a row; ``values`` by name or number of the field."""
        ...

    async def update(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        values: Mapping[str, Any],
        *,
        where: RowFilter,
        key: str = "",
    ) -> RowResult:
        """Change the rows that match."""
        ...

    async def delete(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        *,
        where: RowFilter,
        key: str = "",
    ) -> RowResult:
        """Remove the rows that match."""
        ...

    async def execute(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        pieces: Sequence[str],
        parameters: Sequence[RowValue] = (),
        *,
        key: str = "",
    ) -> RowResult:
        """Run one guarded statement; a bound parameter stands between each two ``pieces``."""
        ...
