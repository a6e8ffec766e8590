"""Schemas in their strict form: what clients should send, in words that generators know.

Decoders take an id as a number too and null for what is left out; the document shows one form, so
that clients in typed languages get one type.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

ID: Final[Mapping[str, str]] = {"type": "string", "pattern": r"^\d{1,19}$"}
"""An id: decimal digits as text, for numbers lose the last of them in JavaScript."""

REF: Final = "#/components/schemas/"

_IS_ID: Final = re.compile(r"(^|_)ids?$|Ids?$")
_NAMED_BY_CALLERS: Final = frozenset({"user_id"})
"""Ids that callers choose: any text."""
_TEXTS_TO_COME: Final = frozenset({"next_cursor", "system_fingerprint"})
_ENUMERATED: Final[Mapping[type, str]] = {str: "string", int: "integer"}
_NULL: Final[Mapping[str, str]] = {"type": "null"}
_MERGED: Final = frozenset({"type", "description", "default", "format", "pattern", "items"})
"""Of a schema that stays readable with a list of types."""


def strict(document: Any, name: str = "") -> Any:
    """Return the document, or a part of it under ``name``, with every schema in strict form."""
    if isinstance(document, list):
        return [strict(each, name) for each in document]
    if not isinstance(document, dict):
        return document
    inner = document.get("name", "") if "schema" in document and "in" in document else ""
    plain = {
        key: strict(value, _name(key, inner or name, document)) for key, value in document.items()
    }
    if isinstance(plain.get("properties"), dict):
        plain["properties"] = {k: _settable(k, each) for k, each in plain["properties"].items()}
    if "discriminator" in plain:
        if "anyOf" in plain:
            plain["oneOf"] = plain.pop("anyOf")
        return plain
    for choice in ("oneOf", "anyOf"):
        options = plain.get(choice)
        if isinstance(options, list):
            del plain[choice]
            return {**_union(options, name), **plain}
    return _single(plain)


def _name(key: str, name: str, parent: Mapping[str, Any]) -> str:
    """Return the field that a part belongs to: schemas of items belong to that of the list."""
    if key in {"schema", "items", "oneOf", "anyOf"}:
        return name
    return key if parent.get("type") != "object" or key != "properties" else ""


def _single(schema: dict[str, Any]) -> dict[str, Any]:
    """Write an enumeration of one value as what it is, and say of what type its values are."""
    values = schema.get("enum")
    if not isinstance(values, list):
        return schema
    if None in values:
        known = {**schema, "enum": [each for each in values if each is not None]}
        known.pop("type", None)
        return {"anyOf": [_single(known), dict(_NULL)]}
    if len(values) == 1 and isinstance(values[0], str):
        del schema["enum"]
        return {"type": "string", "const": values[0], **schema}
    kinds = {_ENUMERATED[type(each)] for each in values if type(each) in _ENUMERATED}
    return {"type": kinds.pop(), **schema} if len(kinds) == 1 else schema


def _union(options: Sequence[Any], name: str) -> dict[str, Any]:
    """Write a choice of schemas without ``oneOf``, which says that no two of them may fit."""
    given = [each for each in options if each != _NULL]
    nullable = len(given) < len(options)
    if _IS_ID.search(name) and {each.get("type") for each in given} == {"string", "integer"}:
        given = [{"type": "string"} if name in _NAMED_BY_CALLERS else dict(ID)]
    if len(given) == 1:
        return _or_null(given[0]) if nullable else dict(given[0])
    given = [_anything(each) for each in given]
    kinds = [each.get("type") for each in given]
    if all(set(each) == {"type"} for each in given):
        return {"type": [*kinds, "null"] if nullable else kinds}
    return {"anyOf": [*given, dict(_NULL)] if nullable else given}


def _anything(option: Any) -> Any:
    """Write a map among other choices as any object, which generators have a type for."""
    if option.get("type") == "array":
        return {**option, "items": _anything(option["items"])}
    if option.get("type") == "object" and "properties" not in option:
        return {k: each for k, each in option.items() if k != "additionalProperties"}
    return option


def _settable(name: str, field: Any) -> Any:
    """Give a field that is null so far the type that it will have: null alone is no type in Go."""
    if not isinstance(field, dict) or field.get("type") != "null":
        return field
    return {**field, "type": ["string" if name in _TEXTS_TO_COME else "object", "null"]}


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    if not (isinstance(schema.get("type"), str) and set(schema) <= _MERGED):
        return {"anyOf": [dict(schema), dict(_NULL)]}
    return {**schema, "type": [schema["type"], "null"]}
