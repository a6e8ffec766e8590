"""A database table that agents and workflows keep rows in: definition and rules."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Final, NewType

import msgspec

from domain.memory.error import DatabaseInvalid, FieldUnknown
from domain.memory.event import DatabaseAltered, DatabaseCreated, DatabaseDeleted, ImportRequested
from domain.shared.aggregate import Aggregate
from domain.shared.error import StaleRevision
from domain.shared.ids import FileId, SpaceId, UserId
from infra.contract.table.sql_guard import CellKind, GrantedColumn
from infra.contract.table.store import PhysicalColumn, PhysicalTable, TableRef

DatabaseId = NewType("DatabaseId", int)
ImportId = NewType("ImportId", int)

MAX_FIELDS: Final = 20
MAX_NAME: Final = 100
MAX_FIELD_NAME: Final = 63
MAX_DESCRIPTION: Final = 2000
KEY_COLUMN: Final = "id"
USER_COLUMN: Final = "uid"
CONNECTOR_COLUMN: Final = "connector_id"
CREATED_COLUMN: Final = "created_at"
_SYSTEM_COLUMNS: Final = (
    PhysicalColumn(name=USER_COLUMN, kind=CellKind.TEXT),
    PhysicalColumn(name=CONNECTOR_COLUMN, kind=CellKind.INTEGER),
    PhysicalColumn(name=CREATED_COLUMN, kind=CellKind.DATE),
)
ID_FIELD: Final = "id"
USER_FIELD: Final = "uuid"
CREATED_FIELD: Final = "bstudio_create_time"
SYSTEM_FIELDS: Final = (
    GrantedColumn(name=ID_FIELD, physical=KEY_COLUMN, kind=CellKind.INTEGER, is_hidden=True),
    GrantedColumn(name=USER_FIELD, physical=USER_COLUMN, kind=CellKind.TEXT, is_hidden=True),
    GrantedColumn(
        name="sys_platform", physical=CONNECTOR_COLUMN, kind=CellKind.INTEGER, is_hidden=True
    ),
    GrantedColumn(name=CREATED_FIELD, physical=CREATED_COLUMN, kind=CellKind.DATE, is_hidden=True),
)
"""What a table has besides its fields, under the names that authors know."""
_RESERVED: Final = frozenset(
    {each.name for each in SYSTEM_FIELDS}
    | {"bstudio_id", "bstudio_connector_uid", "bstudio_connector_id", "connector_id"}
)
_FIELD_NAME: Final = re.compile(r"[^\W\d]\w*")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f`\\]")


class FieldType(IntEnum):
    """Type of a field, by its number on the wire."""

    TEXT = 1
    NUMBER = 2
    DATE = 3
    FLOAT = 4
    BOOLEAN = 5

    @property
    def kind(self) -> CellKind:
        """How the engine stores it."""
        return _KINDS[self]


_KINDS: Final = {
    FieldType.TEXT: CellKind.TEXT,
    FieldType.NUMBER: CellKind.INTEGER,
    FieldType.DATE: CellKind.DATE,
    FieldType.FLOAT: CellKind.FLOAT,
    FieldType.BOOLEAN: CellKind.BOOLEAN,
}


class RowMode(IntEnum):
    """Whose rows an end user sees, by its number on the wire."""

    SINGLE_USER = 1
    READ_ONLY = 2
    MULTI_USER = 3


class Side(StrEnum):
    """One of the two tables of a database: what editors try out, and what end users fill."""

    DRAFT = "draft"
    ONLINE = "online"


class Field(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A column; ``id`` is its stable number, ``column`` the number of its physical column."""

    id: int
    column: int
    name: str
    description: str = ""
    type: FieldType = FieldType.TEXT
    is_required: bool = False

    @property
    def physical(self) -> str:
        """Name of the column in the engine."""
        return f"f_{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """A field as its author wants it; ``id`` None is a new one."""

    id: int | None = None
    name: str
    description: str = ""
    type: FieldType = FieldType.TEXT
    is_required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """A field whose cells move to a new physical column of another type."""

    before: Field
    after: Field


@dataclass(kw_only=True, eq=False)
class DatabaseTable(Aggregate):
    """The definition of a table; its rows live in two physical tables of the table store."""

    id: DatabaseId
    space_id: SpaceId
    creator_id: UserId
    name: str
    description: str
    icon_file_id: FileId | None
    app_id: int | None
    row_mode: RowMode
    is_prompt_disabled: bool
    fields: tuple[Field, ...]
    next_field: int
    next_column: int
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None

    @classmethod
    def create(
        cls,
        database_id: DatabaseId,
        *,
        space_id: SpaceId,
        creator_id: UserId,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        app_id: int | None,
        row_mode: RowMode,
        is_prompt_disabled: bool,
        fields: Sequence[FieldSpec],
        now: datetime,
    ) -> "DatabaseTable":
        """Make a table; raise ``DatabaseInvalid``."""
        _check_texts(name, description)
        _check_fields(fields)
        table = cls(
            id=database_id,
            space_id=space_id,
            creator_id=creator_id,
            name=name,
            description=description,
            icon_file_id=icon_file_id,
            app_id=app_id,
            row_mode=row_mode,
            is_prompt_disabled=is_prompt_disabled,
            fields=tuple(
                Field(
                    id=number,
                    column=number,
                    name=spec.name,
                    description=spec.description,
                    type=spec.type,
                    is_required=spec.is_required,
                )
                for number, spec in enumerate(fields, 1)
            ),
            next_field=len(fields) + 1,
            next_column=len(fields) + 1,
            created_at=now,
            updated_at=now,
        )
        table.record(DatabaseCreated(name=name), at=now, by=creator_id)
        return table

    def describe(
        self,
        *,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        row_mode: RowMode,
        is_prompt_disabled: bool,
        actor_id: UserId,
        now: datetime,
    ) -> None:
        """Change everything but the fields; raise ``DatabaseInvalid``."""
        _check_texts(name, description)
        self.name, self.description, self.icon_file_id = name, description, icon_file_id
        self.row_mode, self.is_prompt_disabled = row_mode, is_prompt_disabled
        self._altered(actor_id, now)

    def reshape(
        self, specs: Sequence[FieldSpec], *, actor_id: UserId, now: datetime
    ) -> tuple[Conversion, ...]:
        """Add, rename, change and drop fields.

        Returns the fields whose type changed: they moved to new columns, which the caller fills.
        Raises ``DatabaseInvalid``, ``FieldUnknown``.
        """
        _check_fields(specs)
        known = {each.id: each for each in self.fields}
        fields: list[Field] = []
        conversions: list[Conversion] = []
        for spec in specs:
            if spec.id is not None and spec.id not in known:
                raise FieldUnknown(f"fields: there is no field {spec.id}.", field="fields")
            before = None if spec.id is None else known.pop(spec.id)
            column, number = self.next_column, self.next_field
            if before is not None:
                number = before.id
                column = before.column if before.type is spec.type else column
            else:
                self.next_field += 1
            if column == self.next_column:
                self.next_column += 1
            after = Field(
                id=number,
                column=column,
                name=spec.name,
                description=spec.description,
                type=spec.type,
                is_required=spec.is_required,
            )
            fields.append(after)
            if before is not None and before.column != column:
                conversions.append(Conversion(before=before, after=after))
        self.fields = tuple(fields)
        self._altered(actor_id, now)
        return tuple(conversions)

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Remove the table for everyone; its rows follow."""
        self.deleted_at = now
        self.record(DatabaseDeleted(), at=now, by=actor_id)

    def request_import(self, import_id: ImportId, *, actor_id: UserId, now: datetime) -> None:
        """Have a file read in the background."""
        self.record(ImportRequested(import_id=import_id), at=now, by=actor_id)

    def expect_revision(self, expected: int | None) -> None:
        """Raise ``StaleRevision`` unless this is the state the caller saw."""
        if expected is not None and expected != self.revision:
            raise StaleRevision("The table changed since it was read; read it again.")

    def field(self, key: str) -> Field:
        """Find a field by name, or by its number; raise ``FieldUnknown``."""
        for each in self.fields:
            if each.name.casefold() == key.strip().casefold():
                return each
        for each in self.fields:
            if str(each.id) == key.strip():
                return each
        raise FieldUnknown(
            f"The table {self.name} has no field {key[:MAX_FIELD_NAME]}.", field=key[:100]
        )

    def physical(self, side: Side, *, extra: Sequence[Field] = ()) -> PhysicalTable:
        """The table of one side; ``extra`` fields keep their columns for a while."""
        columns = {each.column: each for each in (*extra, *self.fields)}
        return PhysicalTable(
            ref=self.ref(side),
            key_column=KEY_COLUMN,
            columns=(
                *_SYSTEM_COLUMNS,
                *(
                    PhysicalColumn(name=each.physical, kind=each.type.kind)
                    for _, each in sorted(columns.items())
                ),
            ),
            indexed=(USER_COLUMN,),
        )

    def ref(self, side: Side) -> TableRef:
        """Name the physical table of one side."""
        return TableRef(self.space_id, f"db_{self.id:d}_{side.value}")

    def _altered(self, actor_id: UserId, now: datetime) -> None:
        self.updated_at = now
        self.record(DatabaseAltered(name=self.name), at=now, by=actor_id)


class ImportStatus(StrEnum):
    """How far an import is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportJob:
    """A file on its way into a table: all of its rows, or none and the reason.

    ``rows`` counts those that are ready, ``total`` those of the file.
    """

    id: ImportId
    space_id: SpaceId
    database_id: DatabaseId
    side: Side
    file_id: FileId
    file_name: str
    sheet: int | None
    header_line: int
    end_user_id: str
    connector_id: int
    creator_id: UserId
    status: ImportStatus
    total: int
    rows: int
    problem: str
    created_at: datetime
    updated_at: datetime

    def running(self, *, total: int, rows: int, now: datetime) -> "ImportJob":
        """Report how far it is."""
        return replace(self, status=ImportStatus.RUNNING, total=total, rows=rows, updated_at=now)

    def done(self, rows: int, *, now: datetime) -> "ImportJob":
        """All rows of the file are in the table."""
        return replace(self, status=ImportStatus.DONE, total=rows, rows=rows, updated_at=now)

    def failed(self, problem: str, *, now: datetime) -> "ImportJob":
        """No row of the file is in the table."""
        return replace(self, status=ImportStatus.FAILED, rows=0, problem=problem, updated_at=now)

    @property
    def is_over(self) -> bool:
        return self.status in {ImportStatus.DONE, ImportStatus.FAILED}


def _check_texts(name: str, description: str) -> None:
    if not 0 < len(name.strip()) <= MAX_NAME or _UNPRINTABLE.search(name):
        raise DatabaseInvalid(
            f"name: 1 to {MAX_NAME} characters without control characters and back quotes.",
            field="name",
        )
    if name != name.strip():
        raise DatabaseInvalid("name: no spaces around it.", field="name")
    if len(description) > MAX_DESCRIPTION:
        raise DatabaseInvalid(
            f"description: at most {MAX_DESCRIPTION} characters.", field="description"
        )


def _check_fields(specs: Sequence[FieldSpec]) -> None:
    if not 0 < len(specs) <= MAX_FIELDS:
        raise DatabaseInvalid(f"fields: a table has 1 to {MAX_FIELDS} fields.", field="fields")
    seen: set[str] = set()
    for spec in specs:
        if not _FIELD_NAME.fullmatch(spec.name) or len(spec.name) > MAX_FIELD_NAME:
            raise DatabaseInvalid(
                f"fields: a name is a word of at most {MAX_FIELD_NAME} letters, digits and "
                f"underscores, not {spec.name[:MAX_FIELD_NAME]!r}.",
                field="fields",
            )
        folded = spec.name.casefold()
        if folded in _RESERVED:
            raise DatabaseInvalid(f"fields: the name {spec.name} is reserved.", field="fields")
        if folded in seen:
            raise DatabaseInvalid(f"fields: {spec.name} is there twice.", field="fields")
        seen.add(folded)
        if len(spec.description) > MAX_DESCRIPTION:
            raise DatabaseInvalid(
                f"fields.{spec.name}: a description has at most {MAX_DESCRIPTION} characters.",
                field="fields",
            )
