"""JSON merge patch on immutable values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import NODEFAULT

StructT = TypeVar("StructT", bound=msgspec.Struct)


@dataclass(frozen=True)
class Patch(Generic[StructT]):
    """Changes of a struct by the names of its fields: what is missing stays, None resets it.

    A patch changes the field's value, everything else replaces it.
    """

    values: Mapping[str, Any] = field(default_factory=dict)

    def applied(self, current: StructT) -> StructT:
        """Return the changed value; raise ``TypeError`` for a field that it does not have."""
        fields = {each.name: each for each in msgspec.structs.fields(current)}
        present = msgspec.structs.asdict(current)
        changes: dict[str, Any] = {}
        for name, value in self.values.items():
            if name not in fields:
                raise TypeError(f"{type(current).__name__} has no {name}.")
            if value is None:
                changes[name] = _default(fields[name])
            elif isinstance(value, Patch):
                changes[name] = value.applied(present[name])
            else:
                changes[name] = value
        return msgspec.structs.replace(current, **changes)


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not NODEFAULT:
        return field.default
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    raise TypeError(f"{field.name} cannot be reset.")
