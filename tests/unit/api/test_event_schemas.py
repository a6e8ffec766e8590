"""Frames of every stream, held against the schemas that clients are generated from."""

import inspect
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, get_args

import jsonschema_rs
import msgspec
import pytest

from api.admin.on_demand import TRACE_CONTROLLERS
from api.docs.stream import STREAMS, components
from api.error import Failure
from api.renderer import RENDERERS, RenderContext
from api.renderer.timed import TimedRenderer
from api.renderer.workflow import WorkflowRenderer
from api.renderer.workflow_events import WorkflowEventsRenderer
from api.sse import EventStreamResponse
from application.conversation.run.event import (
    AgentActed,
    MessageCompleted,
    MessageDelta,
    RunEvent,
    RunRecord,
    RunRequiresAction,
)
from application.model.probe import ModelTestEvent
from application.run.log import Record
from application.shared.reply_stream import TimedEvent, TrialEvent
from application.workflow.run.event import RunEvent as WorkflowEvent
from bootstrap.idl import run_events
from bootstrap.server.routes import routes
from domain.conversation.value import MessageKind
from domain.shared.chat import ToolCall
from tests.support.interface import interface
from tests.unit.api.harness import message_view, run_view
from tests.unit.api.sse_parser import Event, parse

NOW: Final = datetime(2026, 1, 5, 10, 15, tzinfo=UTC)
BIG: Final = 7534187701223129153
"""Loses digits as a number of JavaScript."""


def examples(kind: Any) -> Iterator[Any]:
    """Instances of a type: with everything and with the least, every member of each union."""
    info = msgspec.inspect.type_info(kind)
    for is_full in (True, False):
        for turn in range(8):
            yield msgspec.convert(_value(info, is_full, turn), kind)


_PLAIN: Final[dict[type, tuple[Any, Any]]] = {
    msgspec.inspect.BoolType: (True, False),
    msgspec.inspect.BytesType: ("eA==", ""),
    msgspec.inspect.DateTimeType: (NOW.isoformat(), NOW.isoformat()),
    msgspec.inspect.FloatType: (0.5, 0.0),
    msgspec.inspect.IntType: (BIG, 0),
}
_NONE: Final = msgspec.inspect.NoneType()


def _value(info: Any, is_full: bool, turn: int) -> Any:
    """Make a value with everything or with the least; turns choose between what it may be."""
    choices = _choices(info, is_full)
    if choices:
        return _value(choices[turn % len(choices)], is_full, turn)
    if values := _enumerated(info):
        return values[turn % len(values)]
    if isinstance(info, msgspec.inspect.StructType):
        return _fields(info, is_full, turn)
    if isinstance(info, msgspec.inspect.DictType):
        return {"key": _value(info.value_type, is_full, turn)} if is_full else {}
    if inner := _items(info, is_full):
        return [_value(each, is_full, turn) for each in inner]
    full, least = _PLAIN.get(type(info), ([], []) if hasattr(info, "item_type") else ("text", ""))
    return full if is_full else least


def _fields(info: msgspec.inspect.StructType, is_full: bool, turn: int) -> dict[str, Any]:
    given = {
        each.encode_name: _value(each.type, is_full, turn)
        for each in info.fields
        if is_full or each.required
    }
    return {info.tag_field: info.tag, **given} if info.tag_field else given


def _items(info: Any, is_full: bool) -> list[Any]:
    one = getattr(info, "item_type", None)
    return [one] if one and is_full else list(getattr(info, "item_types", ()))


def _choices(info: Any, is_full: bool) -> list[Any]:
    if not isinstance(info, msgspec.inspect.UnionType):
        return []
    if not is_full and _NONE in info.types:
        return [_NONE]
    return [each for each in info.types if each != _NONE]


def _enumerated(info: Any) -> list[Any]:
    if isinstance(info, msgspec.inspect.NoneType):
        return [None]
    if isinstance(info, msgspec.inspect.EnumType):
        return [each.value for each in info.cls]
    return list(getattr(info, "values", ()))


@cache
def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    """Hold against a component that allows nothing it does not name."""
    closed = _closed(components())
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": closed}}
    )


def _closed(part: Any) -> Any:
    if isinstance(part, list):
        return [_closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    found = {key: _closed(value) for key, value in part.items()}
    if "properties" in found and "additionalProperties" not in found:
        found["additionalProperties"] = False
    return found


def of_agents(*events: RunEvent) -> list[RunRecord]:
    return [RunRecord(seq=n, at_ms=1767608100000, event=e) for n, e in enumerate(events, start=1)]


def frames_of(events: list[Event]) -> Iterator[dict[str, Any]]:
    for event in events:
        yield {"event": event.name, "data": event.json}


RUN_EVENTS: Final = [each for kind in get_args(RunEvent) for each in examples(kind)]


def test_every_event_of_a_run_is_as_described() -> None:
    told: set[str] = set()
    for event in RUN_EVENTS:
        renderer = RENDERERS.get("events")(RenderContext(run=run_view()))
        (frame,) = parse(renderer.render(of_agents(event)))
        data: Any = frame.json
        validator("RunEvent").validate(data)
        assert data["type"] == frame.name
        told.add(frame.name)
    broken = RENDERERS.get("events")(RenderContext(run=run_view())).fail(Failure.unexpected())
    (frame,) = parse(broken)
    validator("RunEvent").validate(frame.json)
    mapping = components()["RunEvent"]["discriminator"]["mapping"]

    assert told | {"error"} == mapping.keys()
    assert str(AgentActed.__struct_config__.tag) not in mapping


def test_every_event_of_a_workflow_is_as_described() -> None:
    told: set[str] = set()
    for kind in get_args(WorkflowEvent):
        for event in examples(kind):
            record = Record(seq=1, at_ms=1767608100000, event=event)
            (frame,) = parse(WorkflowEventsRenderer().render([record]))
            data: Any = frame.json
            validator("WorkflowEvent").validate(data)
            assert data["type"] == frame.name
            told.add(frame.name)
    (frame,) = parse(WorkflowEventsRenderer().fail(Failure.unexpected()))
    validator("WorkflowEvent").validate(frame.json)

    assert told | {"error"} == components()["WorkflowEvent"]["discriminator"]["mapping"].keys()


@pytest.mark.parametrize(
    ("name", "events"), [("TrialEvent", TrialEvent), ("ModelTestEvent", ModelTestEvent)]
)
def test_every_event_of_a_tried_model_is_as_described(name: str, events: Any) -> None:
    told: set[str] = set()
    for kind in get_args(events):
        for event in examples(kind):
            (frame,) = parse(TimedRenderer().render([TimedEvent(event, 1767608100000)]))
            validator(name).validate(frame.json)
            told.add(frame.name)
    (frame,) = parse(TimedRenderer().fail(Failure.unexpected()))
    validator(name).validate(frame.json)

    assert told | {"error"} == components()[name]["discriminator"]["mapping"].keys()


def test_every_frame_for_clients_of_coze_is_as_described() -> None:
    told: set[str] = set()
    messages = [
        MessageCompleted(
            message_view("Hi", kind=kind, tool_calls=(ToolCall(id="c", name="n", arguments="{}"),))
        )
        for kind in MessageKind
    ]
    pieces = [MessageDelta(message_id=BIG, text="a", reasoning="b")]
    for event in [*RUN_EVENTS, *messages, *pieces]:
        for url in (None, "https://console.example/run"):
            renderer = RENDERERS.get("coze")(RenderContext(run=run_view(), debug_url=url))
            for frame in frames_of(parse(renderer.render(of_agents(event)) + b"\n")):
                validator("ChatFrame").validate(frame)
                told.add(frame["event"])
    renderer = RENDERERS.get("coze")(RenderContext(run=run_view()))
    for frame in frames_of(parse(renderer.fail(Failure.unexpected()))):
        validator("ChatFrame").validate(frame)
        told.add(frame["event"])

    assert told == components()["ChatFrame"]["discriminator"]["mapping"].keys()


def test_every_frame_of_workflows_for_clients_of_coze_is_as_described() -> None:
    told: set[str] = set()
    for kind in get_args(WorkflowEvent):
        for event in examples(kind):
            if hasattr(event, "pending") and not event.pending:
                continue  # a run that waits, waits for something
            renderer = WorkflowRenderer(run_id=BIG, debug_url="https://console.example/run")
            record = Record(seq=1, at_ms=1767608100000, event=event)
            for frame in frames_of(parse(renderer.render([record]) + b"\n")):
                validator("WorkflowFrame").validate(frame)
                told.add(frame["event"])

    assert told == components()["WorkflowFrame"]["discriminator"]["mapping"].keys()


@pytest.mark.parametrize("include_usage", [True, False])
def test_every_chunk_of_a_completion_is_as_described(include_usage: bool) -> None:
    count = 0
    for event in RUN_EVENTS:
        if isinstance(event, RunRequiresAction):
            continue
        renderer = RENDERERS.get("openai")(
            RenderContext(run=run_view(), model="m", include_usage=include_usage)
        )
        for frame in parse(renderer.render(of_agents(event)) + b"\n"):
            if frame.data != STREAMS["openai.chat_completions.create"].end:
                validator("CompletionEvent").validate(frame.json)
                count += 1
    assert count


def test_the_exported_schema_is_that_of_the_wire() -> None:
    schema = jsonschema_rs.Draft202012Validator(_closed(run_events()))
    for event in RUN_EVENTS:
        renderer = RENDERERS.get("events")(RenderContext(run=run_view()))
        (frame,) = parse(renderer.render(of_agents(event)))
        schema.validate(frame.json)


def test_what_streams_is_described_as_a_stream() -> None:
    """The list of streams is that of the handlers that make one."""
    found: set[str] = set()
    for controller in filter(inspect.isclass, [*routes(), *TRACE_CONTROLLERS]):
        for member in vars(controller).values():
            handler = getattr(member, "fn", None)
            if handler is None or not isinstance(member.operation_id, str):
                continue
            source = inspect.getsource(handler)
            if EventStreamResponse.__name__ not in source:
                continue
            found.add(member.operation_id)
    # By functions that they share with each other or with another route.
    found |= {"admin.runs.follow", "openai.responses.create", "runs.follow"}

    assert found == STREAMS.keys()


def test_streams_have_named_events_in_the_document() -> None:
    document = interface()
    streams: dict[str, Any] = {}
    for item in document["paths"].values():
        for operation in item.values():
            for answer in operation["responses"].values():
                if found := answer.get("content", {}).get("text/event-stream"):
                    streams[operation["operationId"]] = found
    assert streams.keys() == STREAMS.keys()
    for content in streams.values():
        name = content["x-event-schema"]["$ref"].rpartition("/")[2]
        union = document["components"]["schemas"][name]
        assert "discriminator" in union or content["x-event-end"]
        for value, reference in union.get("discriminator", {}).get("mapping", {}).items():
            event = document["components"]["schemas"][reference.rpartition("/")[2]]
            tag = event["properties"][union["discriminator"]["propertyName"]]
            assert (tag["type"], tag["const"]) == ("string", value)
