"""Event streams in the document: one named schema for every event, as it is sent.

Internal events are described by their types and put into the spelling of the wire, which is the
one of the renderers: ids as text, times in Unix seconds, the type of an event inside its data.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

import msgspec

from api.citation import WireCard
from api.coze.conversation.shape import LastError, WireChat, WireMessage
from api.docs.schema import ID, REF, strict
from api.docs.wording import always_sent, field_words
from api.error import CozeError, OpenAIError
from api.openai.shape import CompletionUsage
from api.share.event import ShareEvent
from application.conversation.run.event import AgentActed, RunEvent
from application.directory.live import LiveEvent
from application.model.probe import ModelTestEvent
from application.shared.reply_stream import TrialEvent
from application.workflow.run.event import RunEvent as WorkflowEvent

Part = Literal["data", "frame"]
FRAME: Final = "frame"
EVENT_PART: Final = "x-event-part"
"""What of an event its schema describes: its data, or a frame of ``event`` and ``data``."""

_IS_ID: Final = re.compile(r"(^|_)ids?$")
_PATH: Final = "agent_path"


class ChatDelta(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of an answer."""

    id: str
    conversation_id: str
    bot_id: str
    chat_id: str
    section_id: str
    role: Literal["assistant"]
    type: Literal["answer"]
    content: str
    content_type: Literal["text"]
    reasoning_content: str | msgspec.UnsetType = msgspec.UNSET


class DebugAddress(msgspec.Struct, frozen=True):
    """Where a console shows the run of a workflow."""

    debug_url: str


class WorkflowUsage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of a run."""

    token_count: int
    output_count: int
    input_count: int


class WorkflowMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of what a node says; ``node_seq_id`` counts within the message, from 0."""

    content: str
    content_type: Literal["text"]
    node_id: str
    node_type: str
    node_title: str
    node_seq_id: str
    node_is_finish: bool
    token: int | msgspec.UnsetType = msgspec.UNSET
    usage: WorkflowUsage | msgspec.UnsetType = msgspec.UNSET


class WorkflowQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What a run asks; ``event_id`` goes back with the answer."""

    event_id: str
    type: int
    data: str


class WorkflowInterrupt(msgspec.Struct, frozen=True, kw_only=True):
    """The run waits for an answer."""

    interrupt_data: WorkflowQuestion
    node_id: str
    node_type: str
    node_title: str
    debug_url: str


class WorkflowError(msgspec.Struct, frozen=True, kw_only=True):
    """The run failed."""

    error_code: int
    error_message: str
    debug_url: str


class WorkflowDone(msgspec.Struct, frozen=True, kw_only=True):
    """The run ended well."""

    debug_url: str
    token: int
    usage: WorkflowUsage


class ChunkFunction(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of a call; only the first has the name."""

    name: str = ""
    arguments: str = ""


class ChunkToolCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of the call with this number; only the first has id and type."""

    index: int
    id: str = ""
    type: str = ""
    function: ChunkFunction = ChunkFunction()


class ChunkDelta(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is new of an answer."""

    role: str = ""
    content: str | None = ""
    reasoning_content: str = ""
    tool_calls: list[ChunkToolCall] = []
    citations: list[WireCard] = []


class ChunkChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The only choice."""

    index: int
    delta: ChunkDelta
    logprobs: None
    finish_reason: str | None


class CompletionChunk(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a completion; the last one before ``[DONE]`` has usage and no choice."""

    id: str
    object: Literal["chat.completion.chunk"]
    created: int
    model: str
    choices: list[ChunkChoice]
    usage: CompletionUsage | msgspec.UnsetType | None = msgspec.UNSET


@dataclass(frozen=True, kw_only=True)
class Stream:
    """What an operation streams.

    ``schema`` names the union of its events: of their data, or of frames that hold ``event`` and
    ``data``. Streams that offer others by the query parameter ``format`` say so in ``formats``.
    """

    schema: str
    part: Part = "data"
    formats: Mapping[str, str] = field(default_factory=dict)
    end: str = ""
    """Data of the frame after the last event, where that is no JSON of an event."""

    is_only: bool = True
    """Whether the operation answers in no other way."""

    def content(self) -> dict[str, Any]:
        """Describe the answer."""
        content: dict[str, Any] = {
            "schema": _ref(self.schema),
            "x-event-schema": _ref(self.schema),
            EVENT_PART: self.part,
        }
        if self.formats:
            content["x-event-formats"] = {name: _ref(each) for name, each in self.formats.items()}
        if self.end:
            content["x-event-end"] = self.end
        return content


_OWN: Final = {"events": "RunEvent"}
_CHAT: Final = Stream(schema="ChatFrame", part=FRAME, formats=_OWN, is_only=False)
_WORKFLOW: Final = Stream(schema="WorkflowFrame", part=FRAME)

STREAMS: Final[Mapping[str, Stream]] = {
    "admin.agents.assist": Stream(schema="TrialEvent"),
    "admin.live.follow": Stream(schema="LiveEvent"),
    "admin.models.check": Stream(schema="ModelTestEvent"),
    "admin.models.try_out": Stream(schema="TrialEvent"),
    "admin.runs.follow": Stream(schema="RunEvent"),
    "admin.workflow_runs.follow": Stream(schema="WorkflowEvent"),
    "chats.create": _CHAT,
    "chats.submit_tool_outputs": _CHAT,
    "openai.chat_completions.create": Stream(schema="CompletionEvent", end="[DONE]", is_only=False),
    "openai.responses.create": Stream(schema="ResponseEvent", is_only=False),
    "openai.responses.get": Stream(schema="ResponseEvent", is_only=False),
    "runs.follow": Stream(schema="RunEvent", formats={"coze": "ChatFrame"}),
    "share.follow_run": Stream(schema="ShareEvent"),
    "workflows.chat": Stream(schema="ChatFrame", part=FRAME),
    "workflows.stream_resume": _WORKFLOW,
    "workflows.stream_run": _WORKFLOW,
}
"""Operations that answer with an event stream."""


_IN_ITEM: Final = ("item_id", "output_index")
_IN_CONTENT: Final = (*_IN_ITEM, "content_index")
_IN_SUMMARY: Final = (*_IN_ITEM, "summary_index")
_RESPONSE_EVENTS: Final[Mapping[str, Sequence[str]]] = {
    "response.created": ("response",),
    "response.in_progress": ("response",),
    "response.output_item.added": ("output_index", "item"),
    "response.output_item.done": ("output_index", "item"),
    "response.content_part.added": (*_IN_CONTENT, "part"),
    "response.content_part.done": (*_IN_CONTENT, "part"),
    "response.output_text.delta": (*_IN_CONTENT, "delta"),
    "response.output_text.done": (*_IN_CONTENT, "text"),
    "response.output_text.annotation.added": (*_IN_CONTENT, "annotation_index", "annotation"),
    "response.function_call_arguments.delta": (*_IN_ITEM, "delta"),
    "response.function_call_arguments.done": (*_IN_ITEM, "arguments"),
    "response.reasoning_summary_part.added": (*_IN_SUMMARY, "part"),
    "response.reasoning_summary_part.done": (*_IN_SUMMARY, "part"),
    "response.reasoning_summary_text.delta": (*_IN_SUMMARY, "delta"),
    "response.reasoning_summary_text.done": (*_IN_SUMMARY, "text"),
    "response.completed": ("response",),
    "response.incomplete": ("response",),
    "response.failed": ("response",),
    "response.cancelled": ("response",),
    "error": ("code", "message"),
}
"""Fields of the events of responses (Open Responses); steps of an agent have types of their own."""

_OBJECTS: Final = frozenset({"annotation", "item", "part"})


def components() -> dict[str, Any]:
    """Return every schema that a stream needs."""
    return {
        **_events("RunEvent", get_args(RunEvent), inside=AgentActed),
        **_events("WorkflowEvent", get_args(WorkflowEvent), own="Workflow"),
        **_events("ShareEvent", get_args(ShareEvent), own="Share"),
        **_events("LiveEvent", get_args(LiveEvent), own="Live"),
        **_events("ModelTestEvent", get_args(ModelTestEvent), own="Model"),
        **_events("TrialEvent", get_args(TrialEvent), own="Trial"),
        **_frames(
            "ChatFrame",
            {
                "conversation.chat.created": WireChat,
                "conversation.chat.in_progress": WireChat,
                "conversation.message.delta": ChatDelta,
                "conversation.message.completed": WireMessage,
                "conversation.chat.requires_action": WireChat,
                "conversation.chat.completed": WireChat,
                "conversation.chat.failed": WireChat,
                "conversation.chat.canceled": WireChat,
                "error": LastError,
                "done": str | DebugAddress,
            },
        ),
        **_frames(
            "WorkflowFrame",
            {
                "Message": WorkflowMessage,
                "Interrupt": WorkflowInterrupt,
                "Error": WorkflowError,
                "Done": WorkflowDone,
            },
        ),
        **_responses(),
        **_plain(CompletionChunk, OpenAIError),
        "CompletionEvent": {
            "description": "A piece of a completion, or why there are no more.",
            "anyOf": [_ref("CompletionChunk"), _ref("OpenAIError")],
        },
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": REF + name}


def _events(
    union: str, events: Sequence[type], *, own: str = "", inside: type | None = None
) -> dict[str, Any]:
    """Describe events whose data has their type and the instant ``at_ms``.

    Those that ``inside`` holds are sent as they are, with the path of the agent that they are of.
    """
    sent = [each for each in events if each is not inside]
    wrapped = _types_of(inside.__annotations__["event"]) if inside else ()
    described = _described([*sent, *([inside] if inside else [])])
    shared = {
        each.__name__: f"Event{each.__name__.removesuffix('View')}"
        for each in described
        if each not in events
    }
    names = {**shared, **{each.__name__: f"{own}{_pascal(_tag(each))}Event" for each in sent}}
    found: dict[str, Any] = {}
    for kind, schema in described.items():
        if kind is inside:
            continue
        wire = _renamed(_wire(schema), names)
        if kind in sent:
            wire["properties"]["at_ms"] = {
                "type": "integer",
                "description": "When it happened, in Unix milliseconds.",
            }
            wire["required"].append("at_ms")
            if inside and kind in wrapped:
                path = _renamed(_wire(described[inside]), names)["properties"][_PATH]
                path["description"] = "The agent that it is of, where another one called it."
                wire["properties"][_PATH] = path
        found[names[kind.__name__]] = wire
    by_tag = {_tag(each): names[each.__name__] for each in sent} | {"error": "ErrorEvent"}
    return {**found, **_error_event(), union: _union(by_tag, "type", "One event of a run.")}


def _responses() -> dict[str, Any]:
    found: dict[str, Any] = {}
    names = {event: f"{_pascal(event)}Event" for event in _RESPONSE_EVENTS}
    for event, fields in _RESPONSE_EVENTS.items():
        properties: dict[str, Any] = {
            "type": {"type": "string", "const": event},
            "sequence_number": {
                "type": "integer",
                "description": "Grows from event to event, with gaps.",
            },
            **{name: _response_field(name) for name in fields},
        }
        found[names[event].replace("ErrorEvent", "ResponseErrorEvent")] = {
            "type": "object",
            "description": f"The event ``{event}``.",
            "properties": properties,
            "required": ["type", "sequence_number", *fields],
        }
    names["error"] = "ResponseErrorEvent"
    return {**found, "ResponseEvent": _union(names, "type", "One event of a response.")}


def _response_field(name: str) -> dict[str, Any]:
    if name == "response":
        return _ref("ResponseObject")
    if name in _OBJECTS:
        return {"type": "object"}
    return {"type": "integer" if name.endswith("_index") else "string"}


def _error_event() -> dict[str, Any]:
    parts = _plain(CozeError)
    whole = parts.pop("CozeError")
    properties = {"type": {"type": "string", "const": "error"}, **whole["properties"]}
    return {
        **parts,
        "ErrorEvent": {
            "type": "object",
            "description": "The stream broke; the run may go on. Has no number.",
            "properties": properties,
            "required": ["type", *whole["required"]],
        },
    }


def _frames(union: str, events: Mapping[str, Any]) -> dict[str, Any]:
    """Describe events whose data does not have their type, by name and data."""
    found: dict[str, Any] = {}
    by_event: dict[str, str] = {}
    for event, kind in events.items():
        name = f"{union.removesuffix('Frame')}{_pascal(event.removeprefix('conversation.'))}Frame"
        name = name.replace("ChatChat", "Chat")
        data, parts = _plain_data(kind)
        found |= parts
        found[name] = {
            "type": "object",
            "description": f"The event ``{event}``.",
            "properties": {"event": {"type": "string", "const": event}, "data": data},
            "required": ["event", "data"],
        }
        by_event[event] = name
    return {**found, union: _union(by_event, "event", "One frame of a stream.")}


def _plain_data(kind: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the schema of a type, and those that it refers to."""
    (data,), _ = msgspec.json.schema_components([kind], ref_template=REF + "{name}")
    return strict(data), _plain(*_types_of(kind))


def _plain(*kinds: Any) -> dict[str, Any]:
    """Describe types that are sent as they are declared."""
    structs = [each for each in kinds if each is not str]
    return {kind.__name__: strict(schema) for kind, schema in _described(structs).items()}


def _union(by_value: Mapping[str, str], name: str, text: str) -> dict[str, Any]:
    return {
        "description": text,
        "oneOf": [_ref(each) for each in by_value.values()],
        "discriminator": {
            "propertyName": name,
            "mapping": {value: REF + each for value, each in by_value.items()},
        },
    }


def _described(kinds: Iterable[type]) -> dict[type, dict[str, Any]]:
    """Return the schema of each structure that is met; what is always sent is required."""
    _, schemas = msgspec.json.schema_components(list(kinds), ref_template=REF + "{name}")
    found: dict[type, dict[str, Any]] = {}
    for kind in _met(msgspec.inspect.multi_type_info(list(kinds))):
        schema = schemas[kind.__name__]
        schema.pop("title", None)
        schema["description"] = " ".join(schema.get("description", "").split())
        if issubclass(kind, msgspec.Struct):
            for name, text in field_words(schema, kind).items():
                schema["properties"][name].setdefault("description", text)
            schema["required"] = [*always_sent(kind)]
        found[kind] = schema
    return found


def _met(infos: Iterable[Any]) -> list[type]:
    """Return the structures and enumerations that types consist of."""
    found: dict[type, None] = {}
    waiting = list(infos)
    while waiting:
        info = waiting.pop(0)
        kind = getattr(info, "cls", None)
        if isinstance(kind, type) and kind not in found:
            found[kind] = None
            waiting += [each.type for each in getattr(info, "fields", ())]
        waiting += getattr(info, "types", ())
        waiting += getattr(info, "item_types", ())
        inner = (getattr(info, "item_type", None), getattr(info, "value_type", None))
        waiting += filter(None, inner)
    return list(found)


def _wire(schema: Any, name: str = "") -> Any:
    """Spell a schema as ``wire_event`` spells values: ids as text, times in Unix seconds."""
    if isinstance(schema, list):
        return [_wire(each, name) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "integer" and _IS_ID.search(name):
        return {**ID, **{k: v for k, v in schema.items() if k == "description"}}
    if schema.get("type") == "string" and name.endswith("_at"):
        return {"type": "integer", "description": "Unix seconds."}
    wire: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            wire[key] = {field: _wire(each, field) for field, each in value.items()}
        elif key in {"items", "anyOf", "additionalProperties"}:
            wire[key] = _wire(value, name)
        elif key != "default":  # of what is made; everything is sent
            wire[key] = value
    return strict(wire)


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    text = msgspec.json.encode(schema).decode()
    for old, new in names.items():
        text = text.replace(f'"{REF}{old}"', f'"{REF}{new}"')
    return msgspec.json.decode(text)


def _types_of(kind: Any) -> Sequence[Any]:
    return get_args(kind) or (kind,)


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[._]", name))
