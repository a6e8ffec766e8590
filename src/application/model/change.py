"""From an administrator's input to a model's settings: JSON merge patch, then validation."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from application.model.dto import TYPES, ConnectionInput, ModelInput
from domain.model.entity import Model
from domain.model.value import ModelSpec
from domain.shared.error import InvalidRequest
from domain.shared.secret import Secret


def new_spec(given: ModelInput) -> ModelSpec:
    """Return the settings of a new model; raise ``InvalidRequest`` naming the field."""
    return _converted(_merged({}, _changes(given)))


def changed_spec(current: Model, given: ModelInput) -> ModelSpec:
    """Return the model's settings with the input on top; raise ``InvalidRequest``.

    A partial change of something so far left open starts from what is in effect.
    """
    changes = _changes(given)
    document = msgspec.to_builtins(current.spec)
    for field, in_effect in (
        ("capabilities", current.capabilities),
        ("mapping", current.mapping),
        ("timeouts", current.timeouts),
    ):
        if isinstance(changes.get(field), dict) and document[field] is None and in_effect:
            document[field] = msgspec.to_builtins(in_effect)
    return _converted(_merged(document, changes))


def new_key(given: ModelInput) -> Secret | None:
    """Return the credential that the input sets, an empty one if it removes it, or None."""
    connection = given.connection
    if not isinstance(connection, ConnectionInput) or connection.api_key is UNSET:
        return None
    return Secret((connection.api_key or "").strip())


def changes_spec(given: ModelInput) -> bool:
    """Tell whether the input concerns the settings at all."""
    return bool(_changes(given))


_NAMES: Final = {
    "provider": "kind",
    "parameter_mapping": "mapping",
    "max_tokens": "window",
    "output_tokens": "max_output",
}
"""Fields that the settings call something else."""
_BESIDES: Final = frozenset(
    {"display", "connection", "api_key", "enabled", "is_default", "is_vision_default"}
)
"""Fields of the input that are no settings themselves."""


def _changes(given: ModelInput) -> dict[str, Any]:
    """Return the fields that are set, under the names of ``ModelSpec``."""
    parts = (given, given.display, given.connection)
    fields = {
        _NAMES.get(name, name): value
        for part in parts
        if isinstance(part, msgspec.Struct)
        for name, value in msgspec.structs.asdict(part).items()
        if name not in _BESIDES and value is not UNSET
    }
    if isinstance(given.type, str):
        fields["type"] = TYPES[given.type]
    return fields


def _merged(document: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """Apply a JSON merge patch (RFC 7396)."""
    result = dict(document)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            present = result.get(name)
            result[name] = _merged(present if isinstance(present, dict) else {}, value)
        else:
            result[name] = value
    return result


def _converted(document: Mapping[str, Any]) -> ModelSpec:
    try:
        return msgspec.convert(document, ModelSpec)
    except msgspec.ValidationError as exc:
        raise InvalidRequest(f"Model: {exc}.") from exc
