"""Examples in the document: a request of each operation, and what a server answered to it.

They are recorded (``make examples``) and stand in ``examples.json``; a test sends each request
again and compares the answer.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from api.docs.stream import EVENT_PART, FRAME

_JSON: Final = "application/json"
_STREAM: Final = "text/event-stream"
_FORM: Final = "multipart/form-data"
_FAILED: Final = 400
"""From here on answers are examples of failures, which stand with these."""


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends."""

    path: dict[str, Any] = {}
    query: dict[str, Any] = {}
    body: Any = None
    form: dict[str, Any] = {}


class Received(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What it gets; a body that is neither JSON nor a stream is not kept."""

    status: int
    type: str = ""
    body: Any = None


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One exchange."""

    request: Sent
    response: Received
    """``body`` of a stream is its text, with one event of each kind."""


@cache
def examples() -> Mapping[str, Example]:
    """Read the examples by operation, once."""
    text = files(__package__).joinpath("examples.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Example])


def add_examples(document: Mapping[str, Any]) -> None:
    """Show each operation's example where its parts are described."""
    for item in document["paths"].values():
        for operation in item.values():
            if example := examples().get(operation["operationId"]):
                _show(operation, example)


def _show(operation: dict[str, Any], example: Example) -> None:
    sent = {"path": example.request.path, "query": example.request.query}
    for parameter in operation.get("parameters", ()):
        values = sent.get(parameter["in"], {})
        if parameter["name"] in values:
            value = values[parameter["name"]]
            is_repeated = "array" in parameter["schema"].get("type", "")
            parameter["example"] = [value] if is_repeated else value
    contents = operation.get("requestBody", {}).get("content", {})
    for kind, value in ((_JSON, example.request.body), (_FORM, example.request.form)):
        if value and kind in contents:
            contents[kind] = {**contents[kind], "example": value}
    received = example.response
    if received.status < _FAILED and received.body is not None:
        response = operation["responses"][str(received.status)]
        content = response["content"][received.type]
        if received.type == _STREAM:
            shown: dict[str, Any] = {"examples": dict(_events(received.body, content[EVENT_PART]))}
        else:
            shown = {"example": received.body}
        response["content"][received.type] = {**content, **shown}


def _events(stream: str, part: str) -> Iterator[tuple[str, Any]]:
    """Yield the events of a stream by name, in the form that their schema describes."""
    for block in stream.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n"))
        name, data = lines.get("event", "data"), lines["data"]
        if data.startswith(("{", "[{")):
            data = msgspec.json.decode(data)
        elif part != FRAME:  # the end of the stream, which is no event
            continue
        yield name, {"value": {"event": name, "data": data} if part == FRAME else data}
