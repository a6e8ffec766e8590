"""The kinds of nodes as an editor lists them."""

from collections.abc import Mapping

import msgspec

from domain.workflow.canvas.blank import Blank
from domain.workflow.graph import Effects
from domain.workflow.node import NODE_TYPES, TimeLimit
from domain.workflow.value import Schema


class KindDescription(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of node; ``type_id`` is its number in a Coze canvas, ``key`` its name in records.

    ``name`` is that of the asked language, ``names`` has all. ``defaults``: ``data`` of a new node.
    """

    kind: str
    type_id: str
    key: str
    name: str
    names: Mapping[str, str]
    group: str
    defaults: Blank
    outputs: Schema
    required: tuple[str, ...]
    zero_fill: bool
    null_fill: bool
    interrupts: bool
    has_batch_mode: bool
    is_composite: bool
    is_runnable: bool
    streams: bool
    effects: Effects
    time_limit: TimeLimit


def list_kinds(*, language: str = "en") -> tuple[KindDescription, ...]:
    """Describe all kinds that a canvas can name, in the order of their numbers."""
    types = [NODE_TYPES.get(name) for name in NODE_TYPES.names()]
    return tuple(
        KindDescription(
            kind=each.kind,
            type_id=each.type_id,
            key=each.key,
            name=each.names.get(language, each.names["en"]),
            names=each.names,
            group=each.group,
            defaults=each.blank,
            outputs=each.outputs,
            required=each.required,
            zero_fill=each.zero_fill,
            null_fill=each.null_fill,
            interrupts=each.interrupts,
            has_batch_mode=each.has_batch_mode,
            is_composite=each.is_composite,
            is_runnable=each.is_runnable,
            streams=each.can_stream,
            effects=each.effects,
            time_limit=each.time_limit,
        )
        for each in sorted(types, key=lambda each: int(each.type_id or 0))
        if each.type_id
    )
