"""Errors about traces."""

from domain.shared.error import AppError, Conflict, ErrorKind, NotFound


class TraceNotFound(NotFound):
    """There is no trace of such a run, or it is not for the caller."""


class SpanNotFound(NotFound):
    """The trace has no such span."""


class ContentNotCaptured(Conflict):
    """What was said in the run is not kept; the message says which setting decides that."""


class TraceUnreadable(AppError):
    """The body is gone, or was sealed under another key."""

    code, kind = 5000, ErrorKind.INTERNAL
