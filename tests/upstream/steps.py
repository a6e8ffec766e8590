"""What a scripted answer is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

EVENT_STREAM = {"content-type": "text/event-stream"}
JSON = {"content-type": "application/json"}
DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True, slots=True)
class Send:
    """Write these bytes at once."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait, counted from the end of the wait before, so that rates hold."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Reset:
    """Drop the connection without an end."""


@dataclass(frozen=True, slots=True)
class Stall:
    """Write nothing more and keep the connection."""


Step = Send | Wait | Reset | Stall


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers and steps of one answer; the body is chunked."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: EVENT_STREAM)
    steps: Sequence[Step] = ()
    has_end: bool = True
    before: Sequence[Step] = ()
    """Steps before the headers."""


def event(body: object) -> bytes:
    """One server-sent event."""
    return b"data: " + msgspec.json.encode(body) + b"\n\n"


def json_answer(
    body: object, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Answer:
    return Answer(
        status=status, headers=JSON | dict(headers or {}), steps=[Send(msgspec.json.encode(body))]
    )


def error_answer(
    status: int,
    message: str,
    *,
    code: str | None = None,
    kind: str = "invalid_request_error",
    headers: Mapping[str, str] | None = None,
) -> Answer:
    error = {"message": message, "type": kind, "code": code, "param": None}
    return json_answer({"error": error}, status=status, headers=headers)


def chunk(
    delta: Mapping[str, Any] | None,
    *,
    model: str = "scripted",
    finish: str | None = None,
    **extra: Any,
) -> dict[str, Any]:
    """One chunk of a chat completion."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": model,
        "choices": [choice],
    } | extra
