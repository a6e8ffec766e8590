"""Renderer of workflow runs on our own surface: every event, numbered, so streams can resume."""

from collections.abc import Sequence

import msgspec

from api.error import Failure
from api.renderer.events import failed_frame
from api.renderer.line import EVENT_STREAM, json_line
from application.workflow.run.event import RunRecord


class WorkflowEventsRenderer:
    """``id`` is the event's number, ``event`` its type, ``data`` type and fields."""

    content_type = EVENT_STREAM
    keepalive = b": keep-alive\n\n"
    holds_headers = False

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        return b"".join(map(_frame, batch))

    def fail(self, failure: Failure) -> bytes:
        return failed_frame(failure)


def _frame(record: RunRecord) -> bytes:
    data = msgspec.to_builtins(record.event)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (
        record.seq,
        str(data["type"]).encode(),
        json_line({**data, "at_ms": record.at_ms}),
    )
