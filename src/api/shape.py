"""Shapes of answers and bodies: fields of use cases and values, spelled as on the wire.

Enumerated settings have the numbers of the published Coze model.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Annotated, Any, Final, NewType, Union, get_args, get_origin

import msgspec
from msgspec import UNSET

from api.wire import WireId, required_id, seconds
from application.shared.patch import Patch
from application.shared.projection import By, Projection, Written, fields_of
from domain.agent.value import NoRecallMode, SourceMode, StylePreset, SuggestMode
from domain.shared.chat import OutputFormat
from domain.shared.error import InvalidRequest

NUMBERS: Final[Mapping[type[StrEnum], Mapping[Any, int]]] = {
    OutputFormat: {OutputFormat.TEXT: 0, OutputFormat.MARKDOWN: 1, OutputFormat.JSON: 2},
    StylePreset: {
        StylePreset.CUSTOM: 0,
        StylePreset.CREATIVE: 1,
        StylePreset.BALANCED: 2,
        StylePreset.PRECISE: 3,
    },
    SourceMode: {SourceMode.LIST: 0, SourceMode.CARDS: 1},
    NoRecallMode: {NoRecallMode.MODEL: 0, NoRecallMode.TEXT: 1, NoRecallMode.DIRECT: 2},
    SuggestMode: {SuggestMode.ENABLE: 0, SuggestMode.CUSTOMIZED: 1, SuggestMode.DISABLE: 2},
}


def number_read(value: int | str, numbers: Mapping[Any, int], *, field: str) -> Any:
    """Read a setting by its number or its name; raise ``InvalidRequest``."""
    for member, number in numbers.items():
        if value in {number, member.value}:
            return member
    known = ", ".join(f"{number} ({member.value})" for member, number in numbers.items())
    raise InvalidRequest(f"{field}: unknown value. Known: {known}.", field=field)


WIRE_NAMES: Final = {"space_id": "workspace_id"}

Choice = int | str
"""An enumerated setting: the number of the stored model, or its name."""


def wire_spelling(kind: Any) -> Written | None:
    """Ids are decimal strings, instants Unix seconds, some enumerations numbers."""
    if is_id(kind):
        return str, str
    if kind is datetime:
        return int, seconds
    if _is_numbered(kind):
        return int, NUMBERS[kind].__getitem__
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return int, int
    return None


def body_spelling(kind: Any) -> Written | None:
    """What is sent may also be an id as a number, and a choice by its name."""
    if is_id(kind):
        return WireId, str
    if _is_numbered(kind):
        return Choice, NUMBERS[kind].__getitem__
    return wire_spelling(kind)


def is_id(kind: Any) -> bool:
    """Whether a type is one of identifiers: ``Id``, or a new type like ``AgentId``."""
    if isinstance(kind, NewType):
        return kind.__supertype__ is int and kind.__name__.endswith("Id")
    return get_origin(kind) is Annotated and "id" in get_args(kind)[1:]


def id_or_none(number: int | None) -> str | None:
    """Write an id; 0 stands for none."""
    return str(number) if number else None


def id_or_empty(number: int | None) -> str:
    """Write an id; none is empty."""
    return str(number) if number else ""


def or_unset(value: Any) -> Any:
    """Leave out what is empty."""
    return value or UNSET


IdOrNone = Annotated[str | None, By(id_or_none)]
IdOrEmpty = Annotated[str, By(id_or_empty)]
IdList = Annotated[list[str], By(lambda numbers: [id_or_empty(each) for each in numbers])]


class Shape(Projection, spelling=wire_spelling, rename=WIRE_NAMES):
    """Base of what is answered; ``of`` makes one of what a use case returned."""


class Fields(Projection, spelling=body_spelling, rename=WIRE_NAMES, absent="default"):
    """Base of what is sent, and often answered: a value of the domain."""

    def value(self, field: str) -> Any:
        """Return the value; raise ``InvalidRequest`` that names the field below ``field``."""
        return type(self).projected_of(**_read(self, f"{field}." if field else ""))


class Changes(Projection, spelling=body_spelling, rename=WIRE_NAMES, absent="unset"):
    """Base of merge patches: what is left out stays, null resets it."""

    def patch(self, field: str = "") -> Patch[Any]:
        """Return the changes; raise ``InvalidRequest`` that names the field below ``field``."""
        return Patch(_read(self, f"{field}." if field else ""))


def _read(body: Fields | Changes, prefix: str) -> dict[str, Any]:
    kinds = fields_of(type(body).projected_of)
    values: dict[str, Any] = {}
    given = msgspec.structs.asdict(body)
    for each in msgspec.structs.fields(body):
        value = given[each.name]
        if value is UNSET or each.name not in kinds:
            continue
        kind = kinds[each.name]
        if value is not None:
            values[each.name] = _value(value, kind, f"{prefix}{each.encode_name}")
        elif isinstance(body, Changes) or type(None) in get_args(kind):
            values[each.name] = None
    return values


def _value(value: Any, kind: Any, field: str) -> Any:
    """Read one value as ``kind``; raise ``InvalidRequest``."""
    if get_origin(kind) in {Union, type(int | str)}:
        kind = next(each for each in get_args(kind) if each is not type(None))
    if is_id(kind):
        return required_id(value, field=field)
    if _is_numbered(kind):
        return number_read(value, NUMBERS[kind], field=field)
    if isinstance(value, Fields):
        return value.value(field)
    if isinstance(value, Changes):
        return value.patch(field)
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(origin, type) and issubclass(origin, Sequence) and not isinstance(value, str):
        return tuple(_value(each, parts[0], field) for each in value)
    return str(value) if kind is str else value


def _is_numbered(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum) and kind in NUMBERS


class CozeShape(Shape, rename={"space_id": "space_id"}):
    """Base of what is answered to clients of Coze, who call workspaces spaces."""
