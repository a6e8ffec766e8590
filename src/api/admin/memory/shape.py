"""Database tables as the admin surface spells them."""

import msgspec
from msgspec import UNSET, UnsetType

from api.shape import Shape
from api.wire import WireId, optional_id
from application.memory.dto import (
    ChangeDatabase,
    CreateDatabase,
    DatabaseView,
    FieldInput,
    FieldView,
    ImportView,
)
from application.shared.page import Paged, Whole


class FieldCreate(msgspec.Struct, frozen=True, kw_only=True):
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


class FieldBody(FieldCreate, frozen=True, kw_only=True):
    """A field as it shall be; ``id`` is that of one that exists."""

    id: int | None = None

    def field(self) -> FieldInput:
        return msgspec.structs.replace(super().field(), id=self.id)


class CreateDatabaseBody(msgspec.Struct, frozen=True, kw_only=True):
    """A table: row mode 1 single user, 2 read only, 3 multi user."""

    table_name: str
    fields: list[FieldCreate]
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


class AdminField(
    Shape, of=FieldView, rename={"description": "desc", "is_required": "must_required"}
):
    """A field."""

    id: int
    is_system: bool = False


class AdminDatabase(
    Shape,
    of=DatabaseView,
    without=("app_id",),
    rename={
        "name": "table_name",
        "description": "table_desc",
        "row_mode": "rw_mode",
        "is_prompt_disabled": "prompt_disabled",
    },
):
    """A table with its two sides, draft and online."""

    fields: list[AdminField]


class AdminDatabaseList(Paged[AdminDatabase]):
    """A page of tables."""


class AdminDatabaseReference(msgspec.Struct, frozen=True, kw_only=True):
    """An agent that has a table as a tool."""

    agent_id: str
    name: str


class AdminDatabaseReferenceList(Whole[AdminDatabaseReference]):
    """All agents that have a table as a tool."""


class AdminImport(Shape, of=ImportView):
    """How far an import is: ``waiting``, ``running``, ``done`` or ``failed``."""
