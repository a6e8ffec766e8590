"""Renderer of events that carry the instant at which they happened."""

from collections.abc import Sequence
from typing import Any

from api.error import Failure
from api.renderer.events import failed_frame, wire_event
from api.renderer.line import EVENT_STREAM, json_line
from application.shared.reply_stream import TimedEvent


class TimedRenderer:
    """Renders replies of models and tests of them, each event with its instant."""

    content_type = EVENT_STREAM
    keepalive = b": keep-alive\n\n"
    holds_headers = True

    def render(self, batch: Sequence[TimedEvent[Any]]) -> bytes:
        return b"".join(map(_frame, batch))

    def fail(self, failure: Failure) -> bytes:
        return failed_frame(failure)


def _frame(record: TimedEvent[Any]) -> bytes:
    name = str(type(record.event).__struct_config__.tag)
    data: dict[str, Any] = {"type": name, **wire_event(record.event), "at_ms": record.at_ms}
    return b"event: %s\ndata: %s\n\n" % (name.encode(), json_line(data))
