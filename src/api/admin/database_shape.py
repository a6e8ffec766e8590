"""Database tables as the admin surface spells them."""

import msgspec
from msgspec import UNSET, UnsetType

from api.wire import WireId, optional_id, seconds
from application.memory.dto import (
    ChangeDatabase,
    CreateDatabase,
    DatabaseView,
    FieldInput,
    FieldView,
    ImportView,
)


class NewFieldBody(msgspec.Struct, frozen=True, kw_only=True):
    """A field: type 1 text, 2 number, 3 date, 4 float, 5 boolean."""

    name: str
    desc: str = ""
    type: int = 1
    must_required: bool = False

    def field(self) -> FieldInput:
        return FieldInput(
            name=self.name,
            description=self.desc,
            type=self.type,
            is_required=self.must_required,
        )


class FieldBody(NewFieldBody, frozen=True, kw_only=True):
    """A field as it shall be; ``id`` is that of one that exists."""

    id: int | None = None

    def field(self) -> FieldInput:
        return msgspec.structs.replace(super().field(), id=self.id)


class CreateDatabaseBody(msgspec.Struct, frozen=True, kw_only=True):
    """A table: row mode 1 single user, 2 read only, 3 multi user."""

    table_name: str
    fields: list[NewFieldBody]
    table_desc: str = ""
    rw_mode: int = 1
    prompt_disabled: bool = False
    icon_file_id: WireId | None = None

    def command(self, space_id: int) -> CreateDatabase:
        return CreateDatabase(
            space_id=space_id,
            name=self.table_name,
            description=self.table_desc,
            fields=tuple(each.field() for each in self.fields),
            row_mode=self.rw_mode,
            is_prompt_disabled=self.prompt_disabled,
            icon_file_id=optional_id(self.icon_file_id, field="icon_file_id"),
        )


class PatchDatabaseBody(msgspec.Struct, frozen=True, kw_only=True):
    """A merge patch; ``fields`` lists all fields, those left out are dropped with their cells."""

    table_name: str | UnsetType = UNSET
    table_desc: str | UnsetType = UNSET
    fields: list[FieldBody] | UnsetType = UNSET
    rw_mode: int | UnsetType = UNSET
    prompt_disabled: bool | UnsetType = UNSET
    icon_file_id: WireId | UnsetType | None = UNSET

    def command(self, database_id: int, expected_revision: int | None) -> ChangeDatabase:
        icon, fields = self.icon_file_id, self.fields
        return ChangeDatabase(
            database_id=database_id,
            name=self.table_name,
            description=self.table_desc,
            fields=UNSET if fields is UNSET else tuple(each.field() for each in fields),
            row_mode=self.rw_mode,
            is_prompt_disabled=self.prompt_disabled,
            icon_file_id=UNSET if icon is UNSET else optional_id(icon, field="icon_file_id"),
            expected_revision=expected_revision,
        )


class AdminField(msgspec.Struct, frozen=True, kw_only=True):
    """A field."""

    id: int
    name: str
    desc: str
    type: int
    must_required: bool
    is_system: bool = False

    @classmethod
    def of(cls, view: FieldView) -> "AdminField":
        return cls(
            id=view.id,
            name=view.name,
            desc=view.description,
            type=view.type,
            must_required=view.is_required,
        )


class AdminDatabase(msgspec.Struct, frozen=True, kw_only=True):
    """A table with its two sides, draft and online."""

    id: str
    workspace_id: str
    creator_id: str
    table_name: str
    table_desc: str
    fields: list[AdminField]
    rw_mode: int
    prompt_disabled: bool
    icon_file_id: str | None
    agent_ids: list[str]
    revision: int
    created_at: int
    updated_at: int

    @classmethod
    def of(cls, view: DatabaseView) -> "AdminDatabase":
        return cls(
            id=str(view.id),
            workspace_id=str(view.space_id),
            creator_id=str(view.creator_id),
            table_name=view.name,
            table_desc=view.description,
            fields=[AdminField.of(each) for each in view.fields],
            rw_mode=view.row_mode,
            prompt_disabled=view.is_prompt_disabled,
            icon_file_id=None if view.icon_file_id is None else str(view.icon_file_id),
            agent_ids=[str(each) for each in view.agent_ids],
            revision=view.revision,
            created_at=seconds(view.created_at),
            updated_at=seconds(view.updated_at),
        )


class AdminDatabaseList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of tables."""

    items: list[AdminDatabase]
    total: int
    next_cursor: str | None


class AdminImport(msgspec.Struct, frozen=True, kw_only=True):
    """How far an import is: ``waiting``, ``running``, ``done`` or ``failed``."""

    id: str
    database_id: str
    file_id: str
    file_name: str
    status: str
    total: int
    rows: int
    problem: str
    created_at: int
    updated_at: int

    @classmethod
    def of(cls, view: ImportView) -> "AdminImport":
        return cls(
            id=str(view.id),
            database_id=str(view.database_id),
            file_id=str(view.file_id),
            file_name=view.file_name,
            status=view.status,
            total=view.total,
            rows=view.rows,
            problem=view.problem,
            created_at=seconds(view.created_at),
            updated_at=seconds(view.updated_at),
        )
