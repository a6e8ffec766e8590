"""From what a caller gives to the values that a tool sends."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.plugin.error import PluginInvalid
from domain.plugin.value import Parameter, ValueType

_DEPTH: Final = 8


def settled(
    parameters: Sequence[Parameter],
    arguments: Mapping[str, Any],
    fixed: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the value of each parameter that has one, by its key.

    ``fixed`` are values of whoever bound the tool: nobody overrides them. Unknown arguments are
    dropped, hidden ones too.

    Raises:
        PluginInvalid: a value is missing or of another type; the message names it.
    """
    return {
        each.key: value
        for each in parameters
        if (value := _chosen(each, arguments, fixed)) is not None
    }


def _chosen(parameter: Parameter, arguments: Mapping[str, Any], fixed: Mapping[str, Any]) -> Any:
    key = parameter.key
    value = fixed.get(key)
    if value is None and not parameter.is_hidden:
        value = arguments.get(key)
    if value is None:
        value = parameter.preset
    if value is None:
        if parameter.is_required:
            raise PluginInvalid(f"arguments.{key}: this value is required.")
        return None
    return _fit(value, parameter, f"arguments.{key}", 0)


def fit_value(value: Any, parameter: Parameter, where: str) -> Any:
    """Return one value as its parameter takes it; raise ``PluginInvalid`` naming ``where``."""
    return _fit(value, parameter, where, 0)


def _fit(value: Any, parameter: Parameter, where: str, depth: int) -> Any:
    if depth > _DEPTH:
        raise PluginInvalid(f"{where}: nested deeper than {_DEPTH} levels.")
    match parameter.type:
        case ValueType.OBJECT:
            value = _object(_decoded(value), parameter, where, depth)
        case ValueType.ARRAY:
            value = _decoded(value)
            items = value if isinstance(value, list) else [value]
            item = parameter.sub_parameters[0] if parameter.sub_parameters else None
            value = [
                each if item is None else _fit(each, item, f"{where}[{number}]", depth + 1)
                for number, each in enumerate(items)
                if each is not None
            ]
        case _:
            value = _plain(value, parameter.type, where)
    if parameter.enum and value not in parameter.enum and str(value) not in parameter.enum:
        known = ", ".join(map(str, parameter.enum[:20]))
        raise PluginInvalid(f"{where}: this value is not allowed. Allowed: {known}.")
    return value


def _object(value: Any, parameter: Parameter, where: str, depth: int) -> Any:
    if not isinstance(value, dict):
        raise PluginInvalid(f"{where}: an object is needed.")
    if not parameter.sub_parameters:
        return value
    found: dict[str, Any] = {}
    for each in parameter.sub_parameters:
        given = None if each.is_hidden else value.get(each.name)
        if given is None:
            given = each.preset
        if given is None and each.is_required:
            raise PluginInvalid(f"{where}.{each.name}: this value is required.")
        if given is not None:
            found[each.name] = _fit(given, each, f"{where}.{each.name}", depth + 1)
    return found


def _plain(value: Any, kind: ValueType, where: str) -> Any:
    match kind, value:
        case (ValueType.STRING, str()) | (ValueType.BOOLEAN, bool()):
            return value
        case ValueType.STRING, _:
            return msgspec.json.encode(value).decode()
        case ValueType.BOOLEAN, "true" | "True" | "false" | "False" | 0 | 1:
            return value in {"true", "True", 1}
        case ((ValueType.INTEGER | ValueType.NUMBER), bool()):
            pass
        case (ValueType.INTEGER, int()) | (ValueType.NUMBER, int() | float()):
            return value
        case (ValueType.INTEGER, float()) if value.is_integer():
            return _number(str(int(value)), kind, where)
        case ((ValueType.INTEGER | ValueType.NUMBER), str()):
            return _number(value, kind, where)
        case _:
            pass
    raise PluginInvalid(f"{where}: a value of type {kind.name.lower()} is needed.")


def _number(text: str, kind: ValueType, where: str) -> int | float:
    try:
        return msgspec.json.decode(text, type=int if kind is ValueType.INTEGER else float)
    except msgspec.DecodeError as exc:
        raise PluginInvalid(f"{where}: a value of type {kind.name.lower()} is needed.") from exc


def _decoded(value: Any) -> Any:
    """Models write objects and lists as JSON texts now and then."""
    if isinstance(value, str) and value.strip()[:1] in {"{", "["}:
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return value
    return value
