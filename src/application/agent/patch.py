"""JSON merge patch on immutable values."""

from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT, UNSET

StructT = TypeVar("StructT", bound=msgspec.Struct)


def patched(current: StructT, patch: msgspec.Struct) -> StructT:
    """Return ``current`` with the fields that ``patch`` sets.

    UNSET leaves a field, None resets it to its default, a nested struct is applied to the field's
    value, everything else replaces it. Field names of both must agree; a field that only the
    patch has is a mapping of further fields.
    """
    defaults = {field.name: field for field in msgspec.structs.fields(current)}
    values = msgspec.structs.asdict(current)
    changes: dict[str, Any] = {}
    given = msgspec.structs.asdict(patch)
    for name in given.keys() - values.keys():
        given |= given.pop(name)
    for name, value in given.items():
        if value is UNSET:
            continue
        present = values[name]
        if value is None:
            changes[name] = _default(defaults[name])
        elif isinstance(present, msgspec.Struct) and isinstance(value, msgspec.Struct):
            changes[name] = patched(present, value)
        else:
            changes[name] = value
    return msgspec.structs.replace(current, **changes)


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not NODEFAULT:
        return field.default
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    raise TypeError(f"{field.name} cannot be reset.")
