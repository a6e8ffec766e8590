"""Declared fields as JSON Schema, for models and clients, and read from it."""

from collections.abc import Mapping
from typing import Any, Final

from domain.workflow.value import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    STRING,
    Field,
    Schema,
    Type,
    TypeKind,
)

_NAMES = {
    TypeKind.INTEGER: "integer",
    TypeKind.FLOAT: "number",
    TypeKind.BOOLEAN: "boolean",
}

_PLAIN: Final = {"integer": INTEGER, "number": FLOAT, "boolean": BOOLEAN, "string": STRING}


def object_schema(
    fields: Schema, *, all_required: bool = False, is_nullable: bool = False
) -> dict[str, Any]:
    """Describe an object with these fields; ``is_nullable``: each of them may be null."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            field.name: _described(
                type_schema(field.type, is_nullable=is_nullable), field.description
            )
            for field in fields
        },
    }
    required = [field.name for field in fields if all_required or field.is_required]
    if required:
        schema["required"] = required
    return schema


def type_schema(wanted: Type, *, is_nullable: bool = False) -> dict[str, Any]:
    """Describe a value of a type; ``is_nullable``: it may be null, and so may what is in it."""
    schema = _plain_schema(wanted, is_nullable=is_nullable)
    return {**schema, "type": [schema["type"], "null"]} if is_nullable and schema else schema


def _plain_schema(wanted: Type, *, is_nullable: bool) -> dict[str, Any]:
    match wanted.kind:
        case TypeKind.OBJECT if wanted.fields:
            return object_schema(wanted.fields, is_nullable=is_nullable)
        case TypeKind.OBJECT:
            return {"type": "object"}
        case TypeKind.LIST:
            item = wanted.item
            items = {} if item is None else type_schema(item, is_nullable=is_nullable)
            return {"type": "array", "items": items}
        case TypeKind.ANY:
            return {}
        case kind:
            return {"type": _NAMES.get(kind, "string")}


def _described(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description} if description else schema


def schema_fields(schema: Mapping[str, Any]) -> Schema:
    """Read the properties of a JSON Schema object as declared fields."""
    required = schema.get("required") or ()
    return tuple(
        Field(
            name=name,
            type=_type(each),
            is_required=name in required,
            description=str(each.get("description") or ""),
        )
        for name, each in (schema.get("properties") or {}).items()
    )


def _type(schema: Mapping[str, Any]) -> Type:
    match schema.get("type"):
        case "object":
            return Type(TypeKind.OBJECT, fields=schema_fields(schema))
        case "array":
            items = schema.get("items")
            return Type(TypeKind.LIST, item=_type(items) if items else None)
        case str() as name:
            return _PLAIN.get(name, ANY)
        case _:
            return ANY
