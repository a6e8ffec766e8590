"""From what a model writes as arguments of a call to what a tool can take."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.shared.error import InvalidRequest

_LAYERS: Final = 3
"""How often arguments may be JSON inside a JSON string."""

_NESTING: Final = 5
_PAIRS: Final = {"{": "}", "[": "]"}


class ArgumentsInvalid(InvalidRequest):
    """The arguments of a call cannot be used; the message tells the model why."""


def decode_arguments(text: str) -> dict[str, Any]:
    """Read the arguments, mending what models often get wrong; raise ``ArgumentsInvalid``."""
    value: Any = _unfenced(text) or "{}"
    for _ in range(_LAYERS + 1):
        if not isinstance(value, str):
            break
        value = _decode(value)
    if not isinstance(value, dict):
        raise ArgumentsInvalid("The arguments must be a JSON object.")
    return value


def fitted(value: Any, schema: Mapping[str, Any], *, where: str = "arguments") -> Any:
    """Return the value in the shape of a JSON schema; raise ``ArgumentsInvalid``.

    Knows ``type``, ``properties``, ``required``, ``items`` and ``enum``; converts between texts,
    numbers and truth values where nothing is lost, and puts a single value into a list.
    """
    return _fit(value, schema, where, 0)


def _fit(value: Any, schema: Mapping[str, Any], where: str, depth: int) -> Any:
    kind = schema.get("type")
    if depth > _NESTING or not isinstance(kind, str):
        return value
    if kind == "object" and isinstance(value, dict):
        value = _fit_object(value, schema, where, depth)
    elif kind == "array":
        items = value if isinstance(value, list) else [value]
        inner = schema.get("items") or {}
        value = [_fit(each, inner, f"{where}[{n}]", depth + 1) for n, each in enumerate(items)]
    else:
        value = _fit_plain(value, kind, where)
    allowed = schema.get("enum")
    if allowed and value not in allowed:
        known = ", ".join(map(str, allowed[:20]))
        raise ArgumentsInvalid(f"{where}: this value is not allowed. Allowed: {known}.")
    return value


def _fit_object(
    value: dict[str, Any], schema: Mapping[str, Any], where: str, depth: int
) -> dict[str, Any]:
    properties: Mapping[str, Any] = schema.get("properties") or {}
    required = schema.get("required") or ()
    missing = [name for name in required if value.get(name) is None]
    if missing:
        raise ArgumentsInvalid(f"{where}: {', '.join(missing)} is missing.")
    return {
        name: _fit(each, properties[name], f"{where}.{name}", depth + 1)
        if name in properties
        else each
        for name, each in value.items()
        if each is not None or name not in properties
    }


def _fit_plain(value: Any, kind: str, where: str) -> Any:
    match kind, value:
        case ("string", str()) | ("boolean", bool()) | ("null", None):
            return value
        case "string", bool() | int() | float():
            return msgspec.json.encode(value).decode()
        case "boolean", "true" | "false":
            return value == "true"
        case (("integer" | "number"), bool()):
            pass
        case ("integer", int()) | ("number", int() | float()):
            return value
        case ("integer", float()) if value.is_integer():
            return int(value)
        case (("integer" | "number"), str()):
            return _number(value, kind, where)
        case _:
            pass
    raise ArgumentsInvalid(f"{where}: a value of type {kind} is needed.")


def _number(text: str, kind: str, where: str) -> int | float:
    try:
        return msgspec.json.decode(text, type=int if kind == "integer" else float)
    except msgspec.DecodeError as exc:
        raise ArgumentsInvalid(f"{where}: a value of type {kind} is needed.") from exc


def _unfenced(text: str) -> str:
    text = text.strip()
    if text.startswith("```") and text.endswith("```"):
        text = text.strip("`").partition("\n")[2].strip()
    return text


def _decode(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as exc:
        try:
            return msgspec.json.decode(text + _missing_end(text))
        except (msgspec.DecodeError, RecursionError):
            raise ArgumentsInvalid(f"The arguments are no JSON: {exc}") from exc


def _missing_end(text: str) -> str:
    """Return what closes the brackets and the text that a cut off JSON text left open."""
    closing: list[str] = []
    is_text = is_escaped = False
    for char in text:
        if is_text:
            is_text = is_escaped or char != '"'
            is_escaped = char == "\\" and not is_escaped
        elif char == '"':
            is_text = True
        elif char in _PAIRS:
            closing.append(_PAIRS[char])
        elif closing and char == closing[-1]:
            closing.pop()
    return ('"' if is_text else "") + "".join(reversed(closing))
