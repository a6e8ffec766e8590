"""Renderer of our own surface: every event as it is, numbered, so that a stream can be resumed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from api.error import CozeError, Failure
from api.renderer import RENDERERS, RenderContext
from api.renderer.line import EVENT_STREAM, json_line
from api.wire import seconds
from application.conversation.run.event import AgentActed, RunRecord


@RENDERERS.register("events")
class EventsRenderer:
    """``id`` is the event's number, ``event`` its type, ``data`` that and its fields.

    Ids are strings.
    """

    content_type = EVENT_STREAM
    keepalive = b": keep-alive\n\n"
    holds_headers = False

    def __init__(self, _: RenderContext) -> None:
        pass

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        return b"".join(map(_frame, batch))

    def fail(self, failure: Failure) -> bytes:
        return failed_frame(failure)


def failed_frame(failure: Failure) -> bytes:
    """Tell that the stream broke."""
    data = {"type": "error", **msgspec.to_builtins(CozeError.of(failure))}
    return b"event: error\ndata: %s\n\n" % json_line(data)


def _frame(record: RunRecord) -> bytes:
    event = record.event
    shown: dict[str, Any] = {}
    if isinstance(event, AgentActed):  # the event as the agent that answers would have it
        shown = {"agent_path": wire_event(event)["agent_path"]}
        event = event.event
    name = type(event).__struct_config__.tag
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (
        record.seq,
        str(name).encode(),
        json_line({"type": name, **wire_event(event), **shown, "at_ms": record.at_ms}),
    )


def wire_event(event: msgspec.Struct) -> dict[str, Any]:
    """Spell an event for the wire: ids as strings, times in Unix seconds."""
    plain: dict[str, Any] = msgspec.to_builtins(event, builtin_types=(datetime,))
    plain.pop("type", None)
    return {key: _wire_value(key, value) for key, value in plain.items()}


def _wire_value(key: str, value: Any) -> Any:
    match value:
        case dict():
            return {name: _wire_value(name, item) for name, item in value.items()}
        case list() | tuple():
            return [_wire_value(key, item) for item in value]
        case datetime():
            return seconds(value)
        case int() if key == "id" or key.endswith(("_id", "_ids")):
            return str(value)
        case _:
            return value
