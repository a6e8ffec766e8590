"""Variables of a program that outlast its run: the next run of the same conversation has them."""

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from domain.workflow.graph import Program
from domain.workflow.value import Value


class KeptVariables(msgspec.Struct, frozen=True, kw_only=True):
    """Variables as a run left them; ``dropped`` are the names of those that cannot be kept."""

    values: dict[str, Any] = {}
    dropped: tuple[str, ...] = ()


def keep_variables(
    program: Program, values: Mapping[str, Value], *, max_bytes: int
) -> KeptVariables | None:
    """Pick the variables that the program declares, up to a length of all as JSON (0: no limit).

    None if it declares none, or if the run did not begin.
    """
    kept: dict[str, Value] = {}
    dropped: list[str] = []
    room: float = max_bytes or math.inf
    for each in program.globals:
        name = each.field.name
        if not each.is_input or name not in values:
            continue
        size = _size(name, values[name])
        if size is None or size > room:
            dropped.append(name)
        else:
            room -= size
            kept[name] = values[name]
    return KeptVariables(values=kept, dropped=tuple(dropped)) if kept or dropped else None


def _size(name: str, value: Value) -> int | None:
    """Return the length as JSON, None for what JSON has no form for."""
    try:
        return len(msgspec.json.encode((name, value)))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return None
