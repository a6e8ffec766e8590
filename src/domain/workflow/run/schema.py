"""Declared fields as JSON Schema, for models."""

from typing import Any

from domain.workflow.value import Schema, Type, TypeKind

_NAMES = {
    TypeKind.INTEGER: "integer",
    TypeKind.FLOAT: "number",
    TypeKind.BOOLEAN: "boolean",
}


def object_schema(fields: Schema, *, all_required: bool = False) -> dict[str, Any]:
    """Describe an object with these fields."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            field.name: _described(type_schema(field.type), field.description) for field in fields
        },
    }
    required = [field.name for field in fields if all_required or field.is_required]
    if required:
        schema["required"] = required
    return schema


def type_schema(wanted: Type) -> dict[str, Any]:
    """Describe a value of a type."""
    match wanted.kind:
        case TypeKind.OBJECT:
            return object_schema(wanted.fields) if wanted.fields else {"type": "object"}
        case TypeKind.LIST:
            items = {} if wanted.item is None else type_schema(wanted.item)
            return {"type": "array", "items": items}
        case TypeKind.ANY:
            return {}
        case kind:
            return {"type": _NAMES.get(kind, "string")}


def _described(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description} if description else schema
