"""What handlers and the use cases of databases exchange."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from application.shared.page import Part
from application.shared.projection import Projection
from domain.memory.database import DatabaseTable, Field, FieldSpec, FieldType, ImportJob, RowMode
from domain.memory.error import DatabaseInvalid
from domain.shared.ids import Id


class FieldInput(msgspec.Struct, frozen=True, kw_only=True):
    """A field as its author wants it; without ``id`` it is a new one."""

    name: str
    id: int | None = None
    description: str = ""
    type: int = 1
    is_required: bool = False

    def spec(self) -> FieldSpec:
        """Check the number of the type; raise ``DatabaseInvalid``."""
        try:
            kind = FieldType(self.type)
        except ValueError as exc:
            raise DatabaseInvalid(
                f"fields.{self.name[:63]}: the type is 1 text, 2 number, 3 date, 4 float or "
                "5 boolean.",
                field="fields",
            ) from exc
        return FieldSpec(
            id=self.id,
            name=self.name,
            description=self.description,
            type=kind,
            is_required=self.is_required,
        )


class CreateDatabase(msgspec.Struct, frozen=True, kw_only=True):
    """A table to be made."""

    space_id: int
    name: str
    description: str = ""
    fields: tuple[FieldInput, ...]
    row_mode: int = 1
    is_prompt_disabled: bool = False
    icon_file_id: int | None = None
    app_id: int | None = None


class ChangeDatabase(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a table; what is unset stays."""

    database_id: int
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    fields: tuple[FieldInput, ...] | UnsetType = UNSET
    row_mode: int | UnsetType = UNSET
    is_prompt_disabled: bool | UnsetType = UNSET
    icon_file_id: int | UnsetType | None = UNSET
    expected_revision: int | None = None


class FieldView(Projection, of=Field, only=()):
    """A field."""

    id: int
    name: str
    description: str
    type: FieldType
    is_required: bool


class DatabaseView(Projection, of=DatabaseTable, only=()):
    """A table."""

    id: Id
    space_id: Id
    creator_id: Id
    name: str
    description: str
    fields: tuple[FieldView, ...]
    row_mode: RowMode
    is_prompt_disabled: bool
    icon_file_id: Id | None
    app_id: Id | None
    agent_ids: tuple[Id, ...] = ()
    revision: int
    created_at: datetime
    updated_at: datetime


class DatabasePage(Part[DatabaseView]):
    """A page of tables."""


class ConditionInput(msgspec.Struct, frozen=True, kw_only=True):
    """A condition (``field``, ``operator``, ``value``), or a group (``logic``, ``conditions``)."""

    field: str | None = None
    operator: str = "eq"
    value: Any = None
    logic: str = "and"
    conditions: tuple["ConditionInput", ...] | None = None


class RecordTarget(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows a call means: those of a side, of all end users or of a single one."""

    database_id: int
    side: str = "online"
    end_user_id: str | None = None
    """None: as a person who looks after the table, over all end users."""


class RecordQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which fields of which rows, in which order."""

    fields: tuple[str, ...] = ()
    filter: ConditionInput | None = None
    orders: tuple[tuple[str, bool], ...] = ()
    limit: int = 50
    offset: int = 0


class RecordPage(msgspec.Struct, frozen=True, kw_only=True):
    """Rows, and how many match."""

    rows: tuple[Mapping[str, Any], ...]
    total: int
    has_more: bool


class SqlResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a statement answered."""

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    affected: int
    is_truncated: bool


class SqlPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What would be done for a statement, and has not been."""

    kind: str
    """`select`, `insert`, `update` or `delete`."""
    dialect: str
    """Engine that has the rows: `sqlite` or `postgres`; empty for an insertion."""
    text: str
    """The reading statement that the engine gets, with numbered parameters; empty for an
    insertion. A change reads the rows that it is about by it."""
    names: Mapping[str, str]
    """Names of the table and its fields by those that they have in the engine."""
    parameters: int
    """Values that are bound to it."""
    columns: tuple[str, ...]
    """Columns that it answers or writes."""
    rows: int
    """Rows that it answers or changes at most, or would add."""
    is_limited: bool
    """The statement asked for more rows than it gets."""


class NewImport(msgspec.Struct, frozen=True, kw_only=True):
    """A file to be read into a table; lines and sheets count from 0."""

    file_id: int
    sheet: int | None = None
    header_line: int = 0


class ImportView(Projection, of=ImportJob, only=()):
    """How far an import is."""

    id: Id
    database_id: Id
    file_id: Id
    file_name: str
    status: str
    total: int
    rows: int
    problem: str
    created_at: datetime
    updated_at: datetime


def row_mode_of(number: int) -> RowMode:
    """Read the number of a row mode; raise ``DatabaseInvalid``."""
    try:
        return RowMode(number)
    except ValueError as exc:
        raise DatabaseInvalid(
            "rw_mode: 1 single user, 2 read only or 3 multi user.", field="rw_mode"
        ) from exc
