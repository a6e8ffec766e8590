"""Declared types and fields of a Coze canvas."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.value import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    STRING,
    TIME,
    Field,
    FileKind,
    Schema,
    Type,
    TypeKind,
)

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

Tell = Callable[[str, Cursor, str], None]
"""Reports (code, place, message)."""

_ASSISTED: Final[Mapping[int, Type]] = {
    1: Type(TypeKind.FILE, FileKind.DEFAULT),
    2: Type(TypeKind.FILE, FileKind.IMAGE),
    3: Type(TypeKind.FILE, FileKind.DOCUMENT),
    4: Type(TypeKind.FILE, FileKind.CODE),
    5: Type(TypeKind.FILE, FileKind.PRESENTATION),
    6: Type(TypeKind.FILE, FileKind.TEXT),
    7: Type(TypeKind.FILE, FileKind.SPREADSHEET),
    8: Type(TypeKind.FILE, FileKind.AUDIO),
    9: Type(TypeKind.FILE, FileKind.ARCHIVE),
    10: Type(TypeKind.FILE, FileKind.VIDEO),
    11: Type(TypeKind.FILE, FileKind.SVG),
    12: Type(TypeKind.FILE, FileKind.VOICE),
    10000: TIME,
}
_PLAIN: Final[Mapping[str, Type]] = {"integer": INTEGER, "float": FLOAT, "boolean": BOOLEAN}


def read_type(cursor: Cursor, tell: Tell) -> Type:
    """Read ``type``, ``assistType`` and ``schema``; what makes no sense accepts anything."""
    name = cursor["type"].text()
    if name == "string":
        return _ASSISTED.get(cursor["assistType"].integer(), STRING)
    if name in _PLAIN:
        return _PLAIN[name]
    if name == "object":
        return Type(TypeKind.OBJECT, fields=read_fields(cursor["schema"], tell))
    if name == "list":
        return Type(TypeKind.LIST, item=_read_item(cursor, tell))
    if name:
        tell("WF402", cursor["type"], f"Unknown type {name[:40]!r}.")
    else:
        tell("WF401", cursor["type"], "The type is missing.")
    return ANY


def read_fields(cursor: Cursor, tell: Tell, *, are_names_checked: bool = False) -> Schema:
    """Read declared variables; every name counts once."""
    fields: dict[str, Field] = {}
    for variable in cursor:
        name = variable["name"].text()
        if not name:
            tell("WF305", variable["name"], "A field has no name.")
        elif name in fields:
            tell("WF305", variable["name"], f"The name {name[:40]!r} is used twice.")
        else:
            if are_names_checked and not NAME.fullmatch(name):
                tell("WF305", variable["name"], f"The name {name[:40]!r} is not allowed.")
            fields[name] = Field(
                name=name,
                type=_read_member_type(variable, tell),
                is_required=variable["required"].flag(),
                default=variable["defaultValue"].value,
                description=variable["description"].text(),
            )
    return tuple(fields.values())


def _read_member_type(variable: Cursor, tell: Tell) -> Type:
    # The schema of an assembled object lists parameters, whose types stand in their inputs.
    is_parameter = not variable["type"] and bool(variable["input"])
    return read_type(variable["input"] if is_parameter else variable, tell)


def _read_item(cursor: Cursor, tell: Tell) -> Type:
    schema = cursor["schema"]
    if schema.is_object and schema["type"]:
        return read_type(schema, tell)
    tell("WF401", schema, "The list does not say what its elements are.")
    return ANY
