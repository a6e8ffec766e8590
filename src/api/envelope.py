"""Bodies of successful answers on the Coze surface (variants of the wire's envelope)."""

from typing import Generic, TypeVar

import msgspec

from domain.shared.tracing.correlation import current_log_id

T = TypeVar("T")


class Detail(msgspec.Struct, frozen=True):
    """What identifies the request; equals the header ``X-Tt-Logid``."""

    logid: str


def current_detail() -> Detail:
    """Describe the running request."""
    return Detail(current_log_id())


class Envelope(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """Object, list or empty answer: everything sits under ``data``."""

    code: int = 0
    msg: str = ""
    data: T
    detail: Detail = msgspec.field(default_factory=current_detail)


class CursorEnvelope(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """Page of messages: the cursors lie beside ``data`` and are present even when it is empty."""

    code: int = 0
    msg: str = ""
    data: list[T]
    first_id: str
    last_id: str
    has_more: bool
    detail: Detail = msgspec.field(default_factory=current_detail)


class ModifiedEnvelope(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """Answer of message modify: the object lies under ``message``."""

    code: int = 0
    msg: str = ""
    message: T
    detail: Detail = msgspec.field(default_factory=current_detail)


def ok(data: T) -> Envelope[T]:
    """Wrap a result."""
    return Envelope(data=data)


def done() -> Envelope[None]:
    """Answer updates and deletes, which have no result."""
    return Envelope(data=None)
