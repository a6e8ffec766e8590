"""Values that flow between nodes, and the types that describe them."""

from enum import StrEnum
from typing import Final, TypeAlias

import msgspec

Value: TypeAlias = bool | int | float | str | list["Value"] | dict[str, "Value"] | None
"""What JSON can say: integers (64-bit) and floats are distinct, order of keys is irrelevant."""

Path: TypeAlias = tuple[str | int, ...]
"""Way into a value: property names and list indexes."""


class TypeKind(StrEnum):
    """Kinds of types; ``ANY`` takes every value as it is."""

    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    TIME = "time"
    FILE = "file"
    OBJECT = "object"
    LIST = "list"
    ANY = "any"


class FileKind(StrEnum):
    """What a file is to be used as; the value is a URL whatever the kind."""

    DEFAULT = "default"
    IMAGE = "image"
    DOCUMENT = "document"
    CODE = "code"
    PRESENTATION = "presentation"
    TEXT = "txt"
    SPREADSHEET = "spreadsheet"
    AUDIO = "audio"
    ARCHIVE = "zip"
    VIDEO = "video"
    SVG = "svg"
    VOICE = "voice"


class Type(msgspec.Struct, frozen=True):
    """Type of a value. ``fields`` of objects (none: free form), ``item`` of lists (None: any)."""

    kind: TypeKind
    file: FileKind = FileKind.DEFAULT
    fields: tuple["Field", ...] = ()
    item: "Type | None" = None

    def __str__(self) -> str:
        if self.kind is TypeKind.LIST:
            return f"list of {self.item or ANY}"
        if self.kind is TypeKind.FILE and self.file is not FileKind.DEFAULT:
            return f"file ({self.file})"
        return str(self.kind)

    def field(self, name: str) -> "Field | None":
        """Return the declared property ``name`` of an object."""
        return next((field for field in self.fields if field.name == name), None)


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A declared property, parameter or output."""

    name: str
    type: Type
    is_required: bool = False
    """The key must be present; null counts as present."""
    default: Value = None
    """Default of an entry field as it was written, not yet converted; None for none."""
    description: str = ""


Schema: TypeAlias = tuple[Field, ...]
"""Declared fields of an object, in the order of the canvas."""

STRING: Final = Type(TypeKind.STRING)
INTEGER: Final = Type(TypeKind.INTEGER)
FLOAT: Final = Type(TypeKind.FLOAT)
BOOLEAN: Final = Type(TypeKind.BOOLEAN)
TIME: Final = Type(TypeKind.TIME)
FILE: Final = Type(TypeKind.FILE)
OBJECT: Final = Type(TypeKind.OBJECT)
ANY: Final = Type(TypeKind.ANY)

TEXTS: Final = frozenset({TypeKind.STRING, TypeKind.TIME, TypeKind.FILE})
"""Kinds whose values are texts."""


def list_of(item: Type) -> Type:
    """Type of a list of ``item``."""
    return Type(TypeKind.LIST, item=item)


def object_of(*fields: Field) -> Type:
    """Type of an object with declared ``fields``; more properties are allowed."""
    return Type(TypeKind.OBJECT, fields=fields)


_KIND_NAMES: Final = {
    bool: "boolean",
    int: "integer",
    float: "float",
    str: "string",
    list: "list",
    dict: "object",
}


def kind_of(value: Value) -> str:
    """Name the kind of a value as error messages do."""
    return "null" if value is None else _KIND_NAMES[type(value)]
