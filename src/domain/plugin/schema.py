"""Parameters as JSON Schema, for models and for other contexts."""

from collections.abc import Iterable
from typing import Any, Final

from domain.plugin.value import Parameter, ValueType

_NAMES: Final = {
    ValueType.STRING: "string",
    ValueType.INTEGER: "integer",
    ValueType.NUMBER: "number",
    ValueType.OBJECT: "object",
    ValueType.ARRAY: "array",
    ValueType.BOOLEAN: "boolean",
}
_TYPES: Final = {name: number for number, name in _NAMES.items()}
_FILE: Final = "(Id of an uploaded file, or its address.)"
_SAMPLE_ITEMS: Final = 20
_DEPTH: Final = 5


def object_schema(
    parameters: Iterable[Parameter], *, is_input: bool = True, preset: Iterable[str] = ()
) -> dict[str, Any]:
    """Describe an object with these properties; hidden ones are left out.

    Those in ``preset`` have a value of the caller and are not asked for.
    """
    given = frozenset(preset)
    shown = [each for each in parameters if not each.is_hidden and each.key not in given]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {each.key: parameter_schema(each, is_input=is_input) for each in shown},
    }
    required = [
        each.key
        for each in shown
        if each.is_required and not (is_input and each.preset is not None)
    ]
    if required:
        schema["required"] = required
    return schema


def parameter_schema(parameter: Parameter, *, is_input: bool = True) -> dict[str, Any]:
    """Describe the value of one parameter."""
    schema: dict[str, Any]
    if parameter.type is ValueType.OBJECT:
        schema = (
            object_schema(parameter.sub_parameters, is_input=is_input)
            if parameter.sub_parameters
            else {"type": "object"}
        )
    else:
        schema = {"type": _NAMES[parameter.type]}
    if parameter.type is ValueType.ARRAY:
        item = parameter.sub_parameters[0] if parameter.sub_parameters else None
        schema["items"] = {} if item is None else parameter_schema(item, is_input=is_input)
    description = parameter.description
    if is_input and parameter.assist_type and parameter.type is ValueType.STRING:
        description = f"{description} {_FILE}".strip()
    if description:
        schema["description"] = description
    if parameter.enum:
        schema["enum"] = list(parameter.enum)
    if parameter.preset is not None and is_input:
        schema["default"] = parameter.preset
    return schema


def schema_of(value: Any, depth: int = 0) -> dict[str, Any]:
    """Describe a sample of a result, so that a tool can declare what it returns."""
    if value is None or depth > _DEPTH:
        return {}
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, int | float):
        return {"type": "integer" if isinstance(value, int) else "number"}
    if isinstance(value, dict):
        properties = {key: schema_of(each, depth + 1) for key, each in value.items()}
        return {"type": "object", "properties": properties}
    if isinstance(value, list):
        merged: dict[str, Any] = {}
        for each in value[:_SAMPLE_ITEMS]:
            found = schema_of(each, depth + 1)
            if "properties" in merged and "properties" in found:
                merged["properties"] = {**found["properties"], **merged["properties"]}
            merged = merged or found
        return {"type": "array", "items": merged}
    return {"type": "string"}


def type_of(name: object) -> ValueType | None:
    """Return the type of this name in JSON Schema."""
    return _TYPES.get(name) if isinstance(name, str) else None
