"""The event stream of a run: what its engine tells, between a beginning and an end."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from application.run.log import EventRules, Record
from domain.workflow.engine.event import Asked, MessageChunk, NodeBegan, NodeEnded
from domain.workflow.engine.interrupt import Interrupt, InterruptKind
from domain.workflow.engine.kept_variables import KeptVariables
from domain.workflow.node import NODE_TYPES
from domain.workflow.run.workflow_run import RunFault, RunPhase

__all__ = [
    "ENDINGS",
    "Asked",
    "Interrupt",
    "InterruptKind",
    "MessageChunk",
    "NodeBegan",
    "NodeEnded",
    "RunBegan",
    "RunEnded",
    "RunEvent",
    "RunPaused",
    "RunRecord",
    "decode_records",
    "encode_records",
    "node_type_key",
]

_CUT: Final = "$cut"
_UNLIMITED: Final = 1 << 40
_SHOWN_CHARS: Final = 1000
_NO_JSON: Final = (TypeError, ValueError, OverflowError, RecursionError)
"""Numbers, texts and nestings that JSON has no form for are told as well as can be."""


class RunBegan(msgspec.Struct, frozen=True, kw_only=True, tag="run_began"):
    """A worker begins or goes on; ``attempt`` counts them since the last question."""

    attempt: int


class RunPaused(msgspec.Struct, frozen=True, kw_only=True, tag="run_interrupted"):
    """The run waits for answers; the first question is asked first."""

    pending: tuple[Interrupt, ...]
    variables: KeptVariables | None = None


class RunEnded(msgspec.Struct, frozen=True, kw_only=True, tag="run_ended"):
    """The run is over."""

    phase: RunPhase
    output: str = ""
    answers: bool = False
    fault: RunFault | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    variables: KeptVariables | None = None
    """What the next run of the conversation begins with."""


RunEvent = RunBegan | MessageChunk | NodeBegan | NodeEnded | Asked | RunPaused | RunEnded
ENDINGS: Final = (RunEnded,)
"""What nothing follows; a paused run may go on."""


RunRecord = Record[RunEvent]


def _chars(event: RunEvent) -> int:
    """Tell how much text an event holds: only what nodes say and return is large."""
    match event:
        case MessageChunk(text=text) | NodeEnded(raw_output=text):
            return len(text)
        case _:
            return 0


EVENTS: Final[EventRules[RunEvent]] = EventRules(chars=_chars)
"""What the log of a run has to know of its events; a paused run may go on after each of them."""

_DECODER: Final = msgspec.json.Decoder(RunRecord)


def encode_records(records: Iterable[RunRecord], *, field_bytes: int) -> bytes:
    """Write records as lines; values larger than ``field_bytes`` are cut (0 for no limit)."""
    return b"\n".join(_encode(record, field_bytes) for record in records)


def decode_records(data: bytes) -> list[RunRecord]:
    """Read what ``encode_records`` wrote."""
    return [_DECODER.decode(line) for line in data.splitlines() if line]


def node_type_key(kind: str) -> str:
    """Name a kind of node as clients know it: ``End``, ``Message``, ``Question``."""
    known: Sequence[str] = NODE_TYPES.names()
    return NODE_TYPES.get(kind).key if kind in known else kind


def _encode(record: RunRecord, field_bytes: int) -> bytes:
    try:
        data = msgspec.json.encode(record)
    except _NO_JSON:
        field_bytes, data = field_bytes or _UNLIMITED, b""
    if data and (not field_bytes or len(data) <= field_bytes):
        return data
    match record.event:
        case NodeBegan() as began:
            event: RunEvent = msgspec.structs.replace(began, inputs=_cut(began.inputs, field_bytes))
        case NodeEnded() as ended:
            event = msgspec.structs.replace(
                ended,
                output=None if ended.output is None else _cut(ended.output, field_bytes),
                raw_output=ended.raw_output[:field_bytes],
            )
        case MessageChunk() as chunk:
            text = chunk.text.encode("utf-8", "replace").decode()
            event = msgspec.structs.replace(chunk, text=text)
        case _:
            return data
    return msgspec.json.encode(msgspec.structs.replace(record, event=event))


def _cut(values: dict[str, object], field_bytes: int) -> dict[str, object]:
    """Replace what is too long by its beginning."""
    kept: dict[str, object] = {}
    for name, value in values.items():
        try:
            data = msgspec.json.encode(value)
        except _NO_JSON:
            kept[name] = {_CUT: repr(value)[:_SHOWN_CHARS].encode("ascii", "replace").decode()}
            continue
        if len(data) <= field_bytes:
            kept[name] = value
        else:
            kept[name] = {_CUT: data[:field_bytes].decode("utf-8", "ignore"), "bytes": len(data)}
    return kept
